/* SPDX-License-Identifier: MIT */
// Of `nnc compare`: this build, or run, beside the one before it, as compare.c compares them. By line of the .net: its time, its
// kernels, what -Rfusion says of it. Then rules, and what is in memory.
(() => {
'use strict';
const { data, before, escaped, count, time, percent } = window.nnc, compared = window.nnc.json('compared');
if (!compared) return;
const { section, add, table } = window.nnc.parts;

// By "file:line": the names of the line's steps, and what -Rfusion says of it.
function linesOf(data) {
  const lines = new Map(), line = (file, number) => { const key = data.files[file].name + ':' + number; if (!lines.has(key)) lines.set(key, { kernels: new Set(), said: new Set() }); return lines.get(key); };
  for (const s of data.steps) for (const [place] of s.shares) if (place >= 0) line(data.places[place][0], data.places[place][1]).kernels.add(s.name);
  for (const text of data.story.split('\n'))
    for (const [, file, numbers] of text.matchAll(/([^\s()]+\.net):([\d,]+)/g)) for (const n of numbers.split(','))
      lines.get(file + ':' + n)?.said.add(text.replace(/[^\s()]+\.net:[\d,.]+/g, '').replace(/ \(\d+ times\)|, [\d.]+ [kMGT]?B less.*/g, '').replace(/\(\s*\)/g, '').trim());
  return lines;
}
const without = (x, y) => [...x].filter((k) => !y.has(k));
const inTime = (x) => compared.by === 'flops' ? count(x, 'FLOP') || '0' : time(x) || '0';
const signed = (x) => (x < 0 ? '−' : '+') + inTime(Math.abs(x));
const change = (was, is) => was > 0 ? ` (${is < was ? '−' : '+'}${percent(Math.abs(is - was) / was) || '0 %'})` : '';

function differences(old, now) {
  const said = (sign, what) => what.map((s) => `<br><em>${sign} ${escaped(s)}</em>`).join('');
  const gone = without(old.kernels.keys(), now.kernels), made = without(now.kernels.keys(), old.kernels);
  return [gone.length ? `no more: ${escaped(gone.slice(0, 4).join(', '))}${gone.length > 4 ? ` and ${gone.length - 4} more` : ''}` : '', made.length ? `new: ${escaped(made.slice(0, 4).join(', '))}${made.length > 4 ? ` and ${made.length - 4} more` : ''}` : '']
    .filter(Boolean).join('; ') + said('−', without(old.said, now.said).slice(0, 3)) + said('+', without(now.said, old.said).slice(0, 3));
}
function compareLines() {
  const { whole_before: was, whole_after: is } = compared, old = linesOf(before), now = linesOf(data), none = { kernels: new Set(), said: new Set() }, of = (lines, x) => x && lines.get(x.file + ':' + x.line) || none;
  const to = section('compared', 'Compared with before', `${escaped(before.source)} for ${before.target}, batch ${before.batch}, and ${escaped(data.source)} for ${data.target}, batch ${data.batch}` +
    `; times of before are for as many samples. ${{ measured: 'By measured times', least_us: 'By forecast, the least time on an H200', flops: 'By arithmetic alone: one of the two has no profile' }[compared.by]}: ${inTime(was)} before, <b>${inTime(is)}</b> now${change(was, is)}. What is new in a column is green.`);
  const rows = [...compared.lines].sort((a, b) => Math.abs(b.by) - Math.abs(a.by)).slice(0, 16).map(({ by, before: a, after: b }) =>
    `<tr><td class="l wraps">${escaped((b || a).file)}:${(b || a).line}${b ? '' : ', gone'} <code>${escaped((b || a).text.trim())}</code></td><td class="optional">${inTime(a?.cost || 0)}</td><td>${inTime(b?.cost || 0)}</td><td class="${by > 0 ? 'more' : 'less'}">${signed(by)}</td><td class="l wraps optional">${differences(of(old, a), of(now, b))}</td></tr>`);
  add(to, rows.length ? table(['<line', '-before', 'now', 'change', '<-what differs'], rows) : '<p>No line differs by a thousandth of the step.</p>');
  return to;
}
function compareRules(to) {
  const passes = [...data.passes, ...before.passes], rows = compared.rules.map(({ rule, before: a, after: b }) => {
    const [pass, name] = rule.split(' '), of = passes.filter((p) => p.name === pass), r = of.flatMap((p) => p.rules).find((x) => x.name === name);
    return `<tr><td class="l">${escaped(name || pass)}</td><td>${name ? a : a ? 'yes' : 'no'}</td><td>${name ? b : b ? 'yes' : 'no'}</td><td class="l wraps optional">${escaped(r ? r.rule + (r.why ? ', ' + r.why : '') : of[0].doc)}</td></tr>`;
  });
  if (rows.length) add(to, '<h3>Passes and rules that did another thing</h3>' + table(['<pass or rule', 'before', 'now', '<-what it does'], rows));
}
function compareMemory(to) {
  const peak = (d) => { const all = new Map(); for (const [name, , bytes, , first, last] of d.memory.buffers) if (first <= d.memory.peak_step && d.memory.peak_step <= last) all.set(name, bytes); return all; };
  const old = peak(before), now = peak(data);
  const rows = [...new Set([...old.keys(), ...now.keys()])].map((name) => ({ name, was: old.get(name) || 0, is: now.get(name) || 0 })).filter((r) => r.was !== r.is).sort((a, b) => Math.abs(b.is - b.was) - Math.abs(a.is - a.was)).slice(0, 8);
  add(to, `<h3>Memory: an arena of ${count(before.memory.arena, 'B') || '0'} before, ${count(data.memory.arena, 'B') || '0'} now${change(before.memory.arena, data.memory.arena)}</h3>` +
    (rows.length ? table(['<at the peak', 'before', 'now'], rows.map((r) => `<tr><td class="l wraps">${escaped(r.name)}</td><td>${count(r.was, 'B') || '0'}</td><td>${count(r.is, 'B') || '0'}</td></tr>`)) : ''));
}

const to = compareLines();
compareRules(to);
compareMemory(to);
document.getElementById('views').prepend(to);
})();
