/* SPDX-License-Identifier: MIT */
// Of `nnc compare`: this build, or run, beside the one before it. By line of the .net: its time, its kernels, what -Rfusion says
// of it. Then rules, and what is in memory.
(() => {
'use strict';
const { data, profile, before, escaped, count, time, percent, costsOf } = window.nnc;
if (!before) return;
const { section, add, table } = window.nnc.parts;
const profileBefore = window.nnc.json('measured-before');

// ---- the lines of both: those that are alike are one (the longest common subsequence of a file's lines), and of those between
// them the first of each, the second, ...: they were edited

function pairsOf(a, b) {
  const best = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1)), pairs = [];
  for (let i = a.length - 1; i >= 0; i--) for (let j = b.length - 1; j >= 0; j--) best[i][j] = a[i] === b[j] ? best[i + 1][j + 1] + 1 : Math.max(best[i + 1][j], best[i][j + 1]);
  let gone = [], made = [];
  const edited = () => { for (let k = 0; k < Math.max(gone.length, made.length); k++) pairs.push([gone[k] ?? -1, made[k] ?? -1]); gone = []; made = []; };
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    if (i < a.length && j < b.length && a[i] === b[j]) { edited(); pairs.push([i++, j++]); }
    else if (j >= b.length || (i < a.length && best[i + 1][j] >= best[i][j + 1])) gone.push(i++);
    else made.push(j++);
  }
  edited();
  return pairs;
}
// By "file:line": what the line costs itself, and the names of its steps.
function linesOf(data, profile) {
  const { weight } = costsOf(data, profile), lines = new Map();
  const line = (file, number) => { const key = data.files[file].name + ':' + number; if (!lines.has(key)) lines.set(key, { cost: 0, kernels: new Map(), said: new Set() }); return lines.get(key); };
  data.steps.forEach((s, i) => {
    const all = s.shares.reduce((sum, x) => sum + x[2], 0) || 1;
    for (const [place, , w] of s.shares) if (place >= 0) {
      const to = line(data.places[place][0], data.places[place][1]);
      to.cost += weight[i] * w / all;
      to.kernels.set(s.name, (to.kernels.get(s.name) || 0) + 1);
    }
  });
  for (const text of data.story.split('\n'))
    for (const [, file, numbers] of text.matchAll(/([^\s()]+\.net):([\d,]+)/g)) for (const n of numbers.split(','))
      lines.get(file + ':' + n)?.said.add(text.replace(/[^\s()]+\.net:[\d,.]+/g, '').replace(/ \(\d+ times\)|, [\d.]+ [kMGT]?B less.*/g, '').replace(/\(\s*\)/g, '').trim());
  return lines;
}
const without = (x, y) => [...x].filter((k) => !y.has(k));
const samples = (data, profile) => data.batch * (profile ? profile.chunks : 1);
// Of as many samples as a step of this build has.
const scale = samples(data, profile) / samples(before, profileBefore);
const bothTimed = Boolean(profile) === Boolean(profileBefore), timed = profile && profileBefore;
const inTime = (x) => timed || data.target === 'cuda' ? time(x) || '0' : count(x, 'FLOP') || '0';
const signed = (x) => (x < 0 ? '−' : '+') + inTime(Math.abs(x));
const change = (was, is) => was > 0 ? ` (${is < was ? '−' : '+'}${percent(Math.abs(is - was) / was) || '0 %'})` : '';

function lines() {
  const old = linesOf(before, bothTimed ? profileBefore : null), now = linesOf(data, bothTimed ? profile : null), rows = [], none = { cost: 0, kernels: new Map(), said: new Set() };
  const names = new Set([...before.files, ...data.files].map((f) => f.name)), text = (d, name) => d.files.find((f) => f.name === name)?.lines || [];
  for (const name of names) {
    const a = text(before, name), b = text(data, name);
    for (const [i, j] of pairsOf(a, b)) {
      const was = old.get(name + ':' + (i + 1)) || none, is = now.get(name + ':' + (j + 1)) || none;
      if (was !== none || is !== none) rows.push({ at: j >= 0 ? `${name}:${j + 1}` : `${name}:${i + 1}, gone`, text: (j >= 0 ? b[j] : a[i]).trim(), edited: a[i] !== b[j], was: was.cost * scale, is: is.cost, old: was, now: is });
    }
  }
  return rows;
}
function differences(r) {
  const said = (sign, what) => what.map((s) => `<br><em>${sign} ${escaped(s)}</em>`).join('');
  const gone = without(r.old.kernels.keys(), r.now.kernels), made = without(r.now.kernels.keys(), r.old.kernels);
  return [gone.length ? `no more: ${escaped(gone.slice(0, 4).join(', '))}${gone.length > 4 ? ` and ${gone.length - 4} more` : ''}` : '', made.length ? `new: ${escaped(made.slice(0, 4).join(', '))}${made.length > 4 ? ` and ${made.length - 4} more` : ''}` : '']
    .filter(Boolean).join('; ') + said('−', without(r.old.said, r.now.said).slice(0, 3)) + said('+', without(r.now.said, r.old.said).slice(0, 3));
}
function compareLines() {
  const was = costsOf(before, bothTimed ? profileBefore : null).whole * scale, is = costsOf(data, bothTimed ? profile : null).whole;
  const to = section('compared', 'Compared with before', `${escaped(before.source)} for ${before.target}, batch ${before.batch}, and ${escaped(data.source)} for ${data.target}, batch ${data.batch}` +
    `${scale !== 1 ? '; times of before are for as many samples' : ''}. ${timed ? 'By measured times' : data.target === 'cuda' ? 'By forecast, the least time on an H200' : 'By arithmetic alone: one of the two has no profile'}: ${inTime(was)} before, <b>${inTime(is)}</b> now${change(was, is)}. What is new in a column is green.`);
  const rows = lines().map((r) => ({ ...r, by: r.is - r.was })).filter((r) => Math.abs(r.by) > is / 1000 || r.edited).sort((a, b) => Math.abs(b.by) - Math.abs(a.by)).slice(0, 16);
  add(to, rows.length ? table(['<line', '-before', 'now', 'change', '<-what differs'], rows.map((r) => `<tr><td class="l wraps">${escaped(r.at)} <code>${escaped(r.text)}</code></td><td class="optional">${inTime(r.was)}</td><td>${inTime(r.is)}</td><td class="${r.by > 0 ? 'more' : 'less'}">${signed(r.by)}</td><td class="l wraps optional">${differences(r)}</td></tr>`))
    : '<p>No line differs by a thousandth of the step.</p>');
  return to;
}
function compareRules(to) {
  const fired = (d) => new Map(d.passes.flatMap((p) => [[p.name, { pass: p.name, times: 1, why: p.doc }], ...p.rules.map((r) => [p.name + ' ' + r.name, { pass: p.name, rule: r.name, times: r.times, why: r.rule + (r.why ? ', ' + r.why : '') }])]));
  const old = fired(before), now = fired(data), rows = [];
  for (const key of new Set([...old.keys(), ...now.keys()])) {
    const a = old.get(key)?.times || 0, b = now.get(key)?.times || 0, { pass, rule, why } = now.get(key) || old.get(key);
    if (a !== b) rows.push(`<tr><td class="l">${escaped(rule || pass)}</td><td>${rule ? a : a ? 'yes' : 'no'}</td><td>${rule ? b : b ? 'yes' : 'no'}</td><td class="l wraps optional">${escaped(why)}</td></tr>`);
  }
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
