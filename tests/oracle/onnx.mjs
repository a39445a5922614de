// SPDX-License-Identifier: MIT
// Computes a network of ONNX by onnxruntime: node onnx.mjs NETWORK.onnx < INPUTS.json > OUTPUTS.json, with onnxruntime-node in NODE_PATH.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const ort = createRequire(import.meta.url)('onnxruntime-node');
const arrays = { float32: Float32Array, uint8: Uint8Array, int32: Int32Array };
const feeds = {};
for (const [name, { type, dim, values }] of Object.entries(JSON.parse(readFileSync(0, 'utf8')))) {
    feeds[name] = new ort.Tensor(type, arrays[type].from(values), dim);
}
const session = await ort.InferenceSession.create(process.argv[2], { logSeverityLevel: 3, intraOpNumThreads: 1 });
const results = await session.run(feeds);
console.log(JSON.stringify(Object.fromEntries(Object.entries(results).map(([name, { data }]) => [name, Array.from(data, Number)]))));
