// Runs networks of ONNX by onnxruntime. Each line of the input is {"model": FILE, "runs": [{"inputs": [{"name", "type", "dims", "file"}],
// "outputs": PREFIX}]}; the line that answers it is {"runs": [[{"name", "type", "dims", "file"}]]}, or {"error": TEXT}. A file has the numbers alone.
//
//     npm install --ignore-scripts --prefix DIR onnxruntime-node
//     NODE_PATH=DIR/node_modules node tests/onnx/runtime.cjs
const { readFileSync, writeFileSync } = require('node:fs');
const readline = require('node:readline');
const ort = require('onnxruntime-node');

const ARRAYS = { float32: Float32Array, float64: Float64Array, uint8: Uint8Array, int32: Int32Array, int64: BigInt64Array };

function tensorOf({ type, dims, file }) {
  const bytes = readFileSync(file), copy = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  return new ort.Tensor(type, new ARRAYS[type](copy), dims);
}

async function answer(job) {
  const session = await ort.InferenceSession.create(job.model, { intraOpNumThreads: 1, logSeverityLevel: 3 }), runs = [];
  try {
    for (const run of job.runs) {
      const results = await session.run(Object.fromEntries(run.inputs.map((x) => [x.name, tensorOf(x)])));
      runs.push(session.outputNames.map((name, i) => {
        const { type, dims, data } = results[name], file = `${run.outputs}.${i}`;
        writeFileSync(file, new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
        return { name, type, dims, file };
      }));
    }
  } finally {
    await session.release();
  }
  return { runs };
}

(async () => {
  console.log(JSON.stringify({ version: require('onnxruntime-node/package.json').version }));
  for await (const line of readline.createInterface({ input: process.stdin })) {
    let text;
    try {
      text = JSON.stringify(await answer(JSON.parse(line)));
    } catch (e) {
      text = JSON.stringify({ error: String(e && e.message || e) });
    }
    console.log(text);
  }
})();
