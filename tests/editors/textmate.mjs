// SPDX-License-Identifier: MIT
// The TextMate grammar as editors read it: every word of nnc's own has the scope that it should, in the networks of models/ too.
//
//     npm install --prefix DIR vscode-textmate vscode-oniguruma
//     NODE_PATH=DIR/node_modules node tests/editors/textmate.mjs build/compiler/nnc
import { createRequire } from 'node:module';
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

const require = createRequire(import.meta.url);
const from = (name) => require(require.resolve(name, { paths: (process.env.NODE_PATH || '').split(':') }));
const textmate = from('vscode-textmate'), oniguruma = from('vscode-oniguruma');
const nnc = process.argv[2], root = path.join(import.meta.dirname, '..', '..');
const ask = (...words) => execFileSync(nnc, words, { encoding: 'utf8' });

const wasm = path.join(path.dirname(require.resolve('vscode-oniguruma', { paths: (process.env.NODE_PATH || '').split(':') })), 'onig.wasm');
await oniguruma.loadWASM(readFileSync(wasm).buffer);
const registry = new textmate.Registry({
  onigLib: Promise.resolve({ createOnigScanner: (s) => new oniguruma.OnigScanner(s), createOnigString: (s) => new oniguruma.OnigString(s) }),
  loadGrammar: async () => textmate.parseRawGrammar(ask('--manual=textmate'), 'nnc.json'),
});
const grammar = await registry.loadGrammar('source.nnc');

let passed = 0, failed = 0;
function check(what, holds, detail) {
  if (holds) passed++;
  else { failed++; console.log(`FAIL ${what}: ${detail}`); }
}

// [word, its innermost scope] of each piece of the text
function scopes(text) {
  let stack = textmate.INITIAL;
  const all = [];
  for (const line of text.split('\n')) {
    const result = grammar.tokenizeLine(line, stack);
    stack = result.ruleStack;
    for (const t of result.tokens) all.push([line.slice(t.startIndex, t.endIndex).trim(), t.scopes.at(-1)]);
  }
  return all;
}

function expect(text, word, scope) {
  const found = scopes(text).find(([piece]) => piece === word);
  check(`\`${word}\` in \`${text}\` is ${scope}`, found && found[1].startsWith(scope), JSON.stringify(scopes(text)));
}

const keywords = [...readFileSync(path.join(root, 'compiler/front/lexer.l'), 'utf8').split('keywords[] = {')[1].split('};')[0].matchAll(/\{"(\w+)"/g)].map((m) => m[1]);
check('lexer.l has keywords', keywords.length > 20, keywords);
for (const word of keywords) expect(`  ${word} `, word, 'keyword.control');
const operators = [...ask('--print=operators').split('Operators inside')[0].matchAll(/^  (\w+) /gm)].map((m) => m[1]);
check('nnc lists operators', operators.length > 40, operators);
for (const word of operators) expect(`    y = x -> ${word}(3)`, word, word === 'f32' ? 'storage.type' : 'support.function'); // a type is one where it is called, too
const optimizers = [...ask('--print=optimizers').matchAll(/^(\w+)\(/gm)].map((m) => m[1]);
for (const word of optimizers) expect(`train m {\n    optimizer ${word}(rate = 0.1)\n}`, word, 'support.function');
for (const word of ['data', 'optimizer', 'rate', 'batch', 'epochs', 'precision']) expect(`train m {\n    ${word} 3\n}`, word, 'support.type.property-name');
expect('model net(n = 3) {', 'net', 'entity.name.function');
expect('block part(x) {', 'part', 'entity.name.function');
expect('x = "a # b" # conv', '# conv', 'comment.line');
expect('x = "a # b" # conv', 'a # b', 'string.quoted');
expect('rate 0.1 warmup 5ep', '5ep', 'constant.numeric');
expect('input x: f32[8]', 'f32', 'storage.type');
expect('x -> relu', '->', 'keyword.operator');
expect('train m {\n    batch 8\n}\nx = conv(3)', 'conv', 'support.function'); // a recipe ends
check('an argument is no operator', !scopes('f(scale = 2)').some(([w, s]) => w === 'scale' && s.startsWith('support')), '');

for (const file of readdirSync(path.join(root, 'models')).filter((f) => f.endsWith('.net'))) {
  const text = readFileSync(path.join(root, 'models', file), 'utf8');
  const code = text.split('\n').map((line) => line.replace(/"[^"]*"|#.*/g, '')).join('\n');
  const wanted = [...code.matchAll(/\b\w+\b/g)].filter((m) => keywords.includes(m[0]) && !/^\s*=[^=]/.test(code.slice(m.index + m[0].length))).length;
  const got = scopes(text).filter(([word, scope]) => keywords.includes(word) && scope.startsWith('keyword.control')).length;
  check(`${file}: all ${wanted} keywords`, wanted === got, `${got} of ${wanted}`);
}
console.log(`textmate: ${passed} passed, ${failed} failed, 0 skipped`);
process.exit(failed ? 1 : 0);
