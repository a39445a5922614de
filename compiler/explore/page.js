/* SPDX-License-Identifier: MIT */
// What the page does with its data (compiler/explore/README.md): four columns of rows, and which rows of the others a
// row is of. A row of the .net stands for places, a line of the IR for nodes, a line of code for steps, an instruction
// for a line of code; steps, which have all of these, tie them together.
(() => {
'use strict';
const json = (id) => { const e = document.getElementById(id); return e ? JSON.parse(e.textContent) : null; };
const data = json('data'), profile = json('measured'), before = json('before'); // `before`: what `nnc compare` compares with
const $ = (id) => document.getElementById(id);
const escaped = (s) => s.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);
const count = (n, unit) => {
  if (!n) return '';
  const k = Math.min(5, Math.max(0, Math.floor(Math.log10(n) / 3)));
  return (n / 1000 ** k).toPrecision(3) + ' ' + ['', 'k', 'M', 'G', 'T', 'P'][k] + unit;
};
const time = (us) => !us ? '' : us >= 1e6 ? (us / 1e6).toPrecision(3) + ' s' : us >= 1e3 ? (us / 1e3).toPrecision(3) + ' ms' : us.toPrecision(3) + ' µs';
const percent = (x) => x >= 0.0005 ? (100 * x).toFixed(1) + ' %' : '';

// Lines of the IR as they are written: a node's name, the text, the end that many share.
for (const l of data.lines) l[0] = (l[1] >= 0 ? `%${l[1]} = ` : '') + l[0] + data.ends[l[4]];

// ---- what belongs together

const { places, sets, steps } = data, stepSets = data.step_sets;
const netRows = [], netRowOf = new Map();
data.files.forEach((f, file) => {
  netRows.push({ file: f.name });
  f.lines.forEach((text, i) => { netRowOf.set(file + ':' + (i + 1)), netRows.push({ text, number: i + 1, key: file + ':' + (i + 1) }); });
});
netRows.forEach((r, i) => { if (r.key) netRowOf.set(r.key, i); });
const placeRow = places.map(([file, line]) => netRowOf.get(file + ':' + line));
const placesWithin = netRows.map(() => []);       // by row: the places of the line, and those in blocks that it calls
places.forEach((p, i) => { for (let at = i; at >= 0; at = places[at][2]) placesWithin[placeRow[at]].push(i); });
const stepsOfPlace = places.map(() => new Set()), stepsOfNode = new Map();
steps.forEach((s, i) => {
  for (const [place] of s.shares) if (place >= 0) stepsOfPlace[place].add(i);
  for (const n of s.nodes) stepsOfNode.get(n)?.add(i) ?? stepsOfNode.set(n, new Set([i]));
});
const readersOfNode = new Map();
steps.forEach((s, i) => { for (const n of s.reads) readersOfNode.get(n)?.add(i) ?? readersOfNode.set(n, new Set([i])); });
const versions = [];
data.passes.forEach((p, k) => {
  const now = [], before = versions[k - 1];
  for (let i = 0; i < p.edits.length; i++) {
    const e = p.edits[i];
    if (e < 0) now.push(-1 - e);
    else for (let n = p.edits[++i], j = 0; j < n; j++) now.push(before[e + j]);
  }
  versions.push(now);
});
const spread = (runs) => { const all = []; for (let i = 0; i < runs.length; i += 2) for (let k = 0; k < runs[i + 1]; k++) all.push(runs[i]); return all; };
const codes = data.code.map((c) => ({ ...c, rows: c.lines.split('\n'), stepSet: spread(c.of) }));
const machines = data.machine.map((m) => ({ ...m, rows: m.lines.split('\n'), codeLine: spread(m.of) }));
let machine = machines.at(-1) || null;            // the nearest to the machine first: SASS, where nvdisasm was at hand
const machineCode = codes.length - 1;             // which code the instructions are made of

// ---- what it costs: as measured, where there is a profile; else the least by a stated roof, else FLOP

function costsOf({ steps }, profile) {
  const measured = steps.map((s, i) => profile ? profile.program[i].ns / 1e3 / profile.steps : 0);
  const least = steps.map((s) => profile && profile.peak_flops > 0 && profile.peak_bytes > 0
    ? profile.chunks * 1e6 * Math.max(s.flops / profile.peak_flops, s.bytes / profile.peak_bytes) : s.least_us);
  const weight = profile ? measured : least.some((x) => x > 0) ? least : steps.map((s) => s.flops);
  return { measured, least, weight, whole: weight.reduce((x, y) => x + y, 0) || 1 };
}
const { measured, least, weight, whole } = costsOf(data, profile);
const sumOf = (values, of) => { let sum = 0; for (const i of of) sum += values[i]; return sum; };
// A step's part that is of some places.
const partOf = (step, within) => {
  let all = 0, part = 0;
  for (const [place, , w] of steps[step].shares) { all += w; if (within.has(place)) part += w; }
  return all > 0 ? part / all : 0;
};
const costOfNet = netRows.map((r, i) => {
  const within = new Set(placesWithin[i]), of = new Set();
  for (const p of within) for (const s of stepsOfPlace[p]) of.add(s);
  let cost = 0;
  for (const s of of) cost += weight[s] * partOf(s, within);
  return cost;
});
const costText = (x) => x / whole < 0.0005 ? '' : profile || least.some((v) => v > 0) ? time(x) : percent(x / whole);

// ---- columns

// Rows stand in pieces of a known height, and a piece has its rows while it can be seen: a column may have 30,000.
const PIECE = 50, HEIGHT = 18, due = new Set();      // columns to be drawn: all with the next frame, which lays the page out once
function drawDue() {
  for (const c of due) c.measure();
  for (const c of due) c.drawRows();
  for (const c of due) if (c.wanted >= 0) { c.rows.scrollTop = c.top; c.wanted = -1; }
  due.clear();
}
class Column {
  constructor(id) {
    this.rows = $(id).querySelector('.rows');
    this.data = [];
    this.lit = new Set();
    this.drawn = new Set();
    this.wanted = -1;
    this.rows.addEventListener('click', (e) => {
      const r = e.target.closest('.r');
      if (r && this.choose) this.choose(this.data[r.dataset.k].i ?? -1);
    });
    this.rows.addEventListener('scroll', () => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.rows);
    const search = $(id).querySelector('input[type=search]');
    search.addEventListener('keydown', (e) => { if (e.key === 'Enter') this.find(search.value, e.shiftKey); });
    search.addEventListener('search', () => this.find(search.value, false));
  }
  // Rows are {text, number, cost, class, i}; i is what choose() gets.
  fill(rows) {
    this.data = rows;
    this.of = rows.every((r, k) => r.i === undefined || r.i === k) ? null : new Map(); // null: each is its own
    if (this.of) rows.forEach((r, k) => { if (r.i !== undefined) this.of.get(r.i)?.push(k) ?? this.of.set(r.i, [k]); });
    this.lit = new Set();
    this.found = this.last = -1;
    const pieces = [];
    for (let from = 0; from < rows.length; from += PIECE) pieces.push(`<div class="piece" style="height:${Math.min(PIECE, rows.length - from) * HEIGHT}px"></div>`);
    this.rows.innerHTML = pieces.join('');
    this.drawn = new Set();
    this.draw();
  }
  markup(k) {
    const r = this.data[k], lit = this.lit.has(k) ? r.i === this.at ? ' lit at' : ' lit' : '';
    return `<div class="r ${r.class || ''}${lit}${k === this.found ? ' found' : ''}" data-k="${k}">` + (r.number === undefined ? '' : `<i>${r.number}</i>`) +
      (r.cost === undefined ? '' : `<u style="--s:${(100 * (r.share || 0)).toFixed(0)}">${r.cost}</u>`) + escaped(r.text) + '</div>';
  }
  drawPiece(n) {
    if (this.drawn.has(n)) return;
    const out = [];
    for (let k = n * PIECE; k < Math.min(this.data.length, (n + 1) * PIECE); k++) out.push(this.markup(k));
    this.rows.children[n].innerHTML = out.join('');
    this.drawn.add(n);
  }
  measure() {
    this.height = this.rows.clientHeight;
    this.top = this.wanted >= 0 ? Math.max(0, Math.min(this.data.length * HEIGHT - this.height, this.wanted * HEIGHT - this.height / 3)) : this.rows.scrollTop;
  }
  drawRows() {
    const first = Math.floor(this.top / HEIGHT / PIECE), last = Math.min(this.rows.children.length - 1, Math.floor((this.top + this.height) / HEIGHT / PIECE));
    for (const n of this.drawn) if (this.afresh || n < first || n > last) { this.rows.children[n].textContent = ''; this.drawn.delete(n); }
    for (let n = first; n <= last; n++) this.drawPiece(n);
    this.afresh = false;
  }
  draw(afresh = false) {
    this.afresh ||= afresh;
    if (!due.size) requestAnimationFrame(drawDue);
    due.add(this);
  }
  // `to`: the row to scroll to, else the first that is lit.
  light(of, at, scroll, to = -1) {
    this.lit = new Set();
    this.at = at;
    for (const i of of) for (const k of this.rowsOf(i)) this.lit.add(k);
    this.draw(true);
    if (scroll && this.lit.size) this.show(to >= 0 ? this.rowsOf(to)[0] : this.first());
  }
  rowsOf(i) { return this.of ? this.of.get(i) || [] : i < this.data.length ? [i] : []; }
  first() { let first = Infinity; for (const k of this.lit) first = Math.min(first, k); return first; }
  show(k) { this.wanted = k; this.draw(); }
  row(k) { this.show(k); drawDue(); this.drawPiece(Math.floor(k / PIECE)); return this.rows.querySelector(`[data-k="${k}"]`); }
  find(text, back) {
    const n = this.data.length, wanted = text.toLowerCase();
    this.found = -1;
    for (let j = 1; text && j <= n && this.found < 0; j++) {
      const k = (this.last + (back ? n - j : j) + n) % n;
      if (this.data[k].text.toLowerCase().includes(wanted)) this.found = this.last = k;
    }
    this.draw(true);
    if (this.found >= 0) this.show(this.found);
  }
}
const columns = Object.fromEntries(['net', 'ir', 'code', 'asm'].map((id) => [id, new Column(id)])), { net, ir, code, asm } = columns;
let version = versions.length - 1, shownCode = machineCode;

// Of a comparison: what stands nowhere in the build before.
const known = before && { net: new Set(before.files.flatMap((f) => f.lines)), code: new Set(before.code.flatMap((c) => c.lines.split('\n'))) };
const madeSince = (column, text) => known && text.trim() && !known[column].has(text) ? 'new' : '';

net.fill(netRows.map((r, i) => r.file ? { text: r.file, class: 'file' }
  : { text: r.text, class: madeSince('net', r.text), number: r.number, i, cost: costText(costOfNet[i]), share: costOfNet[i] / whole }));

function fillCode() {
  const c = codes[shownCode], first = new Set();
  code.fill(c.rows.map((text, i) => {
    const set = c.stepSet[i];
    if (set < 0 || c.stepSet[i - 1] === set) return { text, class: madeSince('code', text), number: i + 1, i, cost: '' };
    const cost = sumOf(weight, stepSets[set]);
    return { text, class: madeSince('code', text), number: i + 1, i, cost: costText(cost), share: cost / whole };
  }));
}

// The lines of a version; of `changed` those alone that the pass made, with what they take the place of.
function fillIr() {
  const now = versions[version], before = version > 0 ? versions[version - 1] : [], changedOnly = $('changed').checked;
  const was = new Set(before), is = new Set(now), rows = [];
  const oldOf = new Map(), gone = new Map();
  const numbers = new Set(now.map((l) => data.lines[l][1]));
  let waiting = [];
  if (version > 0) for (const l of before) {
    if (is.has(l)) { if (waiting.length) gone.set(l, waiting); waiting = []; continue; }
    const n = data.lines[l][1];
    if (n >= 0 && numbers.has(n)) oldOf.set(n, l); else waiting.push(l);
  }
  const row = (l, cls) => ({ text: (cls === 'old' ? '- ' : cls === 'new' ? '+ ' : '  ') + data.lines[l][0], class: cls, i: l });
  let skipped = 0;
  const flush = () => { if (skipped > 0) rows.push({ text: `${skipped} line${skipped > 1 ? 's' : ''} as before`, class: 'gap' }); skipped = 0; };
  for (const l of now) {
    const left = gone.get(l) || [], isNew = version > 0 && !was.has(l);
    if (left.length) { flush(); for (const x of left) rows.push(row(x, 'old')); }
    if (changedOnly && !isNew && version > 0) { skipped++; continue; }
    flush();
    const old = isNew ? oldOf.get(data.lines[l][1]) : undefined;
    if (old !== undefined) rows.push(row(old, 'old'));
    rows.push(row(l, isNew ? 'new' : ''));
  }
  flush();
  for (const x of waiting) rows.push(row(x, 'old'));
  ir.fill(rows);
  const p = data.passes[version], made = now.filter((l) => !was.has(l)).length, left = before.filter((l) => !is.has(l)).length;
  $('passtext').innerHTML = `<b>${escaped(p.name)}</b>: ${escaped(p.doc)}. ` +
    (version > 0 ? `${made} lines made, ${left} gone. ` : `${now.length} lines. `) +
    p.rules.map((r) => `<br><b>${escaped(r.name)}</b>${r.times > 1 ? ' ' + r.times + ' times' : ''}: <code>${escaped(r.rule)}</code>${r.why ? ', ' + escaped(r.why) : ''}`).join('') + (p.name === 'fuse' ? nearlyJoined() : '');
  $('passname').value = version;
  $('passrange').value = version;
  if (chosen) light();
}

// ---- a choice: the steps, places and nodes that a row is of

let chosen = null, chosenSteps = new Set();
const union = (lists) => { const all = new Set(); for (const l of lists) for (const x of l || []) all.add(x); return all; };
const placesOfSteps = (of) => union([...of].map((s) => sets[steps[s].set]));
const nodesOfSteps = (of) => union([...of].map((s) => steps[s].nodes));
const rowsOfPlaces = (of) => union([...of].map((p) => { const rows = []; for (let at = p; at >= 0; at = places[at][2]) rows.push(placeRow[at]); return rows; }));
// The nodes that a line of the IR names as its own: a kernel to be, or a step.
const namedBy = (l) => /^(kernel of|step)/.test(data.lines[l][0]) ? [...data.lines[l][0].split(';')[0].matchAll(/%(\d+)/g)].map((m) => Number(m[1])) : [];
// By number of a node: sets of places that its lines have, in any version.
const setsOfNode = new Map();
for (const [, number, set] of data.lines) if (number >= 0) setsOfNode.get(number)?.add(set) ?? setsOfNode.set(number, new Set([set]));
const firstOf = (...ways) => { for (const way of ways) { const of = way(); if (of.size) return of; } return new Set(); };

// Each: the steps; the places; the nodes; the rows of the .net that are lit.
const meaning = {
  net(i) {
    const within = new Set(placesWithin[i]), nodes = new Set();
    for (const [number, of] of setsOfNode) if ([...of].some((set) => sets[set].some((p) => within.has(p)))) nodes.add(number);
    const of = firstOf(() => union([...within].map((p) => stepsOfPlace[p])), () => union([...nodes].map((n) => stepsOfNode.get(n))), () => union([...nodes].map((n) => readersOfNode.get(n))));
    return { of, within, nodes, rows: new Set([i]) };
  },
  ir(l) {
    const [, number, set, phase] = data.lines[l], own = number >= 0 ? [number] : namedBy(l);
    const of = firstOf(() => union(own.map((n) => stepsOfNode.get(n))), () => union(own.map((n) => readersOfNode.get(n))),
      () => union(sets[set].map((p) => [...stepsOfPlace[p]].filter((s) => phase < 0 || steps[s].shares.some(([q, f]) => q === p && f === phase)))),
      () => union(sets[set].map((p) => stepsOfPlace[p])));
    const named = union([[set], ...own.map((n) => setsOfNode.get(n))]), places = union([...named].map((x) => sets[x])), within = places.size ? places : placesOfSteps(of);
    return { of, within, nodes: own.length ? new Set(own) : nodesOfSteps(of), rows: rowsOfPlaces(within) };
  },
  code(i, which = shownCode) {
    const set = codes[which].stepSet[i] ?? -1, of = new Set(set >= 0 ? stepSets[set] : []), within = placesOfSteps(of);
    return { of, within, nodes: nodesOfSteps(of), rows: rowsOfPlaces(within) };
  },
  asm(i) { return meaning.code(machine.codeLine[i] - 1, machineCode); },
};
function codeRows(which, of) {
  const hit = stepSets.map((s) => s.some((x) => of.has(x))), rows = new Set();
  codes[which].stepSet.forEach((set, i) => { if (set >= 0 && hit[set]) rows.add(i); });
  return rows;
}
function machineRows(lines) {
  const rows = new Set();
  machine?.codeLine.forEach((line, i) => { if (line > 0 && lines.has(line - 1)) rows.add(i); });
  return rows;
}
function irRows(m) {
  const lit = new Set(), all = nodesOfSteps(m.of);
  for (const l of versions[version]) {
    const number = data.lines[l][1];
    if (number >= 0 ? m.nodes.has(number) : data.lines[l][0][0] === ' ' ? sets[data.lines[l][2]].some((p) => m.within.has(p)) // of a loop
      : namedBy(l).some((n) => m.nodes.has(n) && all.has(n))) lit.add(l);
  }
  return lit;
}

function light() {
  const { from, i } = chosen, m = meaning[from](i);
  const line = from === 'asm' ? machine.codeLine[i] - 1 : from === 'code' ? i : -1; // of one line alone: its own instructions
  if (from === 'asm' && shownCode !== machineCode) showCode(machineCode);
  if (from !== 'code' && from !== 'asm' && codes.length > 1 && m.of.size && !codeRows(shownCode, m.of).size) showCode(1 - shownCode); // a call of a library has no kernel
  const codeLit = codeRows(shownCode, m.of), all = codeRows(machineCode, m.of), irLit = irRows(m);
  if (line >= 0) codeLit.add(line);
  if (from === 'ir') irLit.add(i);
  let asmLit = line >= 0 && (from === 'asm' || shownCode === machineCode) ? machineRows(new Set([line])) : new Set();
  if (!asmLit.size) asmLit = machineRows(all);
  if (from === 'asm') asmLit.add(i);
  net.light(m.rows, from === 'net' ? i : undefined, from !== 'net');
  ir.light(irLit, from === 'ir' ? i : undefined, from !== 'ir');
  code.light(codeLit, line >= 0 ? line : undefined, from !== 'code', line);
  asm.light(asmLit, from === 'asm' ? i : undefined, from !== 'asm');
  chosenSteps = m.of;
  say(from, i, m.of, m.within);
  sayNearly(from === 'net' ? m.rows : union([...m.within].map((p) => [placeRow[p]])));
  for (const [name, lit] of Object.entries({ net: m.rows, ir: irLit, code: codeLit, asm: asmLit }))
    document.querySelector(`#tabs [data-of=${name}] span`).textContent = lit.size ? ' ' + (lit.size < 1000 ? lit.size : Math.round(lit.size / 1000) + 'k') : '';
  markSteps();
  return { net: m.rows, ir: irLit, code: codeLit, asm: asmLit };
}
function markSteps() { for (const e of document.querySelectorAll('[data-step]')) e.classList.toggle('lit', chosenSteps.has(Number(e.dataset.step))); }
function choose(from, i) {
  if (i < 0) return null;
  chosen = { from, i };
  return light();
}
for (const [name, column] of Object.entries(columns)) column.choose = (i) => choose(name, i);

// ---- what is said of a choice

const phases = ['forward', 'loss', 'backward', 'update'];
function say(from, i, of, within) {
  const parts = [...of].map((s) => ({ s, part: from === 'net' ? partOf(s, within) || (steps[s].shares.length ? 0 : 1) : 1 }));
  const total = (values) => parts.reduce((sum, p) => sum + values[p.s] * p.part, 0);
  const us = total(measured), floor = total(least), flops = total(steps.map((s) => s.flops)), bytes = total(steps.map((s) => s.bytes));
  const facts = [of.size ? `${of.size} step${of.size > 1 ? 's' : ''} of ${steps.length}` : 'nothing is computed for this line', count(flops, 'FLOP'), count(bytes, 'B'),
    floor ? `at least ${time(floor)}` : '', profile ? `measured ${time(us) || '0'}, ${percent(us / whole) || '0 %'}` : '', profile && us && floor ? `${percent(floor / us)} of the roof` : ''];
  const title = from === 'net' ? netRows[i].key && data.files[netRows[i].key.split(':')[0]].name + ':' + netRows[i].number
    : from === 'ir' ? 'after ' + data.passes[version].name : from === 'asm' ? `${machine.name}, line ${i + 1}` : `${codes[shownCode].name}:${i + 1}`;
  $('chosentext').textContent = [title, ...facts.filter(Boolean)].join(' · ');
  const rows = parts.filter((p) => p.part > 0 || from !== 'net').sort((x, y) => weight[y.s] * y.part - weight[x.s] * x.part).slice(0, 12);
  $('chosenrows').innerHTML = rows.map(({ s, part }) => `<tr data-s="${s}"><td class="wraps">${s + 1} ${escaped(steps[s].name)}</td><td class="l wraps optional">${escaped(steps[s].what)}</td>` +
    `<td class="l optional">${phases[steps[s].phase]}${steps[s].library ? ', ' + steps[s].library : ''}</td><td class="optional">${count(steps[s].flops, '')}</td><td class="optional">${count(steps[s].bytes, '')}</td>` +
    `<td>${time(least[s])}</td><td>${time(measured[s])}</td><td class="bar"><span style="width:${(100 * weight[s] / whole).toFixed(1)}%;height:.6rem"></span> ${percent(weight[s] / whole)}</td></tr>`).join('');
}

// What -Rfusion says of a kernel, and below it what nearly was one with it: the lines of a choice alone.
const remarks = [];
for (const text of data.story.split('\n')) {
  const own = new Set(), miss = text.startsWith('    ');
  for (const [, file, lines] of text.matchAll(/([^\s()]+\.net):([\d,]+)/g))
    data.files.forEach((f, k) => { if (f.name === file || f.name.endsWith('/' + file)) for (const n of lines.split(',')) own.add(netRowOf.get(k + ':' + n)); });
  const of = miss ? Number(text.match(/^ *none of these (\d+)/)?.[1] ?? 1) : 0; // the last kernels, of which it is said
  if (miss) for (const r of remarks.slice(-of)) r.misses.push({ text: text.trim().replace(/^none of these \d+/, 'not'), own });
  else if (own.size) remarks.push({ text: text.trim(), own, misses: [] });
}
// Of all kernels: why they are not one with another, and how many.
function nearlyJoined() {
  const reasons = new Map();
  for (const r of remarks) for (const m of r.misses) { const why = m.text.replace(/^.*?\): /, ''); reasons.set(why, (reasons.get(why) || 0) + 1); }
  return [...reasons].sort((x, y) => y[1] - x[1]).map(([why, times]) => `<br>nearly joined, ${times} kind${times > 1 ? 's' : ''} of kernel: ${escaped(why)}`).join('');
}
function sayNearly(rows) {
  const is = (own) => [...rows].some((r) => own.has(r)), items = [];
  for (const r of remarks) {
    const misses = is(r.own) ? r.misses : r.misses.filter((m) => is(m.own));
    if (is(r.own) || misses.length) items.push(`<li>${escaped(r.text)}${misses.map((m) => `<br><em>${escaped(m.text)}</em>`).join('')}</li>`);
  }
  $('nearly').innerHTML = items.slice(0, 8).join('') + (items.length > 8 ? `<li>${items.length - 8} more are below</li>` : '');
}

// ---- the passes' slider, the code's choice, tabs

$('passrange').max = versions.length - 1;
$('passname').innerHTML = data.passes.map((p, i) => `<option value="${i}">${i + 1} ${escaped(p.name)}</option>`).join('');
$('passrange').addEventListener('input', (e) => { version = Number(e.target.value); fillIr(); });
$('passname').addEventListener('change', (e) => { version = Number(e.target.value); fillIr(); });
$('changed').addEventListener('change', fillIr);
$('codename').innerHTML = codes.map((c, i) => `<option value="${i}">${escaped(c.name)}</option>`).join('');
function showCode(i) {
  shownCode = i;
  $('codename').value = i;
  fillCode();
}
$('codename').addEventListener('change', (e) => { showCode(Number(e.target.value)); if (chosen && chosen.from !== 'code') light(); });
$('machinename').innerHTML = machines.map((m, i) => `<option value="${i}">${m.language}</option>`).join('') || '<option>no assembler here</option>';
$('machinename').value = Math.max(0, machines.length - 1);
function fillMachine() { if (machine) asm.fill(machine.rows.map((text, i) => ({ text: text.replaceAll(',', ', '), i }))); }
$('machinename').addEventListener('change', (e) => { machine = machines[Number(e.target.value)] || null; fillMachine(); if (chosen && chosen.from !== 'asm') light(); });
const tabs = [...document.querySelectorAll('#tabs button')];
function showTab(of) {
  for (const t of tabs) t.setAttribute('aria-selected', t.dataset.of === of);
  for (const c in columns) $(c).classList.toggle('shown', c === of);
  const column = columns[of];
  if (column.lit.size) column.show(column.first());
}
tabs.forEach((t) => t.addEventListener('click', () => showTab(t.dataset.of)));

// ---- a point of a chart, or a row of a table, stands for a step

document.addEventListener('click', (e) => {
  const at = e.target.closest('[data-step],tr[data-s]');
  if (!at) return;
  const step = Number(at.dataset.step ?? at.dataset.s), which = codeRows(machineCode, new Set([step])).size ? machineCode : 0;
  if (shownCode !== which) showCode(which);
  const rows = [...codeRows(which, new Set([step]))].sort((x, y) => x - y);
  if (rows.length) { choose('code', rows[0]); code.show(rows[0]); }
});

document.documentElement.classList.add('live');
showCode(machineCode);
fillIr();
showTab('net');
const heaviest = costOfNet.reduce((best, c, i) => netRows[i].key && c > costOfNet[best] ? i : best, 1);
const begin = () => { fillMachine(); if (!chosen) { choose('net', heaviest); net.show(heaviest); } };
requestAnimationFrame(() => setTimeout(begin));
// For views.js, and for who looks from the console.
window.nnc = { json, costsOf, data, profile, before, measured, least, weight, whole, netRows, costOfNet, placeRow, codes, machines, versions, choose, markSteps, columns, codeRows, escaped, count, time, percent };
})();
