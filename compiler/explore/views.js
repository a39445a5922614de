/* SPDX-License-Identifier: MIT */
// What the page draws of the steps below its columns: their timeline with its critical path, what would lower the arena's
// peak, the roofline. Whatever has a data-step shows the code of that step when it is clicked (page.js).
(() => {
'use strict';
const { data, profile, before, measured, weight, whole, placeRow, netRows, escaped, count, time, percent } = window.nnc;
const { steps, sets } = data;
const profileBefore = before && window.nnc.json('measured-before');
const phaseFill = ['f1', 'f1', 'f2', 'f3'], ns = (x) => time(x / 1e3);
const lineOf = (set) => {
  const row = sets[set].length ? netRows[placeRow[sets[set][0]]] : null;
  return row ? data.files[row.key.split(':')[0]].name + ':' + row.number : '';
};
function section(id, title, about) {
  const s = document.createElement('section');
  s.id = id;
  s.innerHTML = `<h2>${title}</h2><p>${about}</p>`;
  document.getElementById('views').append(s);
  return s;
}
const add = (to, markup) => { to.insertAdjacentHTML('beforeend', markup); return to.lastElementChild; };
// Heads: `<` for text, `-` for what a phone leaves out.
const table = (head, rows) => `<div class="scroll"><table><thead><tr>${head.map((h) => `<th class="${h.includes('<') ? 'l' : ''}${h.includes('-') ? ' optional' : ''}">${h.replace(/[<-]/g, '')}</th>`).join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`;

// ---- timeline

// By step: the steps whose results it reads.
function waits(of) {
  const producers = new Map();                    // by number of a node
  of.forEach((s, i) => { for (const n of s.nodes) producers.get(n)?.push(i) ?? producers.set(n, [i]); });
  return of.map((s) => new Set(s.reads.flatMap((n) => producers.get(n) || [])));
}

// From the last event of a step back (beside it the next batch may still be on its way): what ended last of the events that one had to wait for, which are the one before it on its
// track and those of the steps whose results it reads.
function criticalPath(events, waitsFor) {
  const path = new Set(), last = events.reduce((best, e, i) => e[0] >= 0 && (best < 0 || e[2] + e[3] > events[best][2] + events[best][3]) ? i : best, -1);
  for (let at = last; at >= 0;) {
    path.add(at);
    const [step, track, begin] = events[at];
    let before = -1;
    for (let k = at - 1; k >= 0; k--) {
      const e = events[k], awaited = e[1] === track || (step >= 0 && waitsFor[step].has(e[0]));
      if (awaited && e[2] + e[3] <= begin + 1000 && (before < 0 || e[2] + e[3] > events[before][2] + events[before][3])) before = k;
    }
    at = before;
  }
  return path;
}
// What nothing runs in: [begin, ns, the event that ends it].
function gapsOf(events, all) {
  const gaps = [];
  let busy = 0;
  events.forEach((e, i) => { if (e[2] > busy) gaps.push([busy, e[2] - busy, i]); busy = Math.max(busy, e[2] + e[3]); });
  if (all > busy) gaps.push([busy, all - busy, -1]);
  return gaps;
}
const nameOf = (step, of = steps) => step >= 0 ? `${step + 1} ${of[step].name}` : step === -2 ? 'data' : 'other';

// `of`: the steps whose events these are; those of another build have no code here. `all`: ns across the figure.
function drawTimeline(to, line, path, of, all) {
  const lanes = line.tracks.map((name, track) => ({ name, track })).filter(({ track }) => line.events.some((e) => e[1] === track));
  const W = Math.max(320, to.clientWidth), LANE = 34, TOP = 4, H = TOP + lanes.length * (LANE + 16) + 18;
  let from = 0, until = all;
  const svg = add(to, `<svg class="time" width="${W}" height="${H}" viewBox="0 0 ${W} ${H}" role="img" aria-label="timeline of a step"></svg>`);
  function draw() {
    const x = (t) => W * (t - from) / (until - from), out = [];
    lanes.forEach(({ name, track }, k) => {
      const top = TOP + k * (LANE + 16);
      out.push(`<rect class="box" x="0" y="${top + 14}" width="${W}" height="${LANE}"/><text class="m" x="0" y="${top + 10}">${escaped(name)}</text>`);
      line.events.forEach((e, i) => {
        if (e[1] !== track || e[2] + e[3] < from || e[2] > until) return;
        const left = Math.max(0, x(e[2])), wide = Math.max(0.4, Math.min(W, x(e[2] + e[3])) - left);
        out.push(`<rect class="${e[0] >= 0 ? phaseFill[of[e[0]].phase] : 'f5'}"${e[0] >= 0 && of === steps ? ` data-step="${e[0]}"` : ''} x="${left.toFixed(1)}" y="${top + 14}" width="${wide.toFixed(1)}" height="${LANE - 5}"><title>${escaped(nameOf(e[0], of))}: ${ns(e[3])}, from ${ns(e[2]) || '0'} on</title></rect>` +
          (path.has(i) ? `<rect class="path" x="${left.toFixed(1)}" y="${top + 10 + LANE}" width="${wide.toFixed(1)}" height="4"/>` : ''));
      });
    });
    for (let k = 0; k <= 4; k++) out.push(`<text class="m" x="${W * k / 4}" y="${H - 4}" text-anchor="${k === 0 ? 'start' : k === 4 ? 'end' : 'middle'}">${ns(from + (until - from) * k / 4) || '0'}</text>`);
    svg.innerHTML = out.join('');
  }
  let down = null;                                // where a drag began, as a time
  const timeAt = (e) => from + (until - from) * Math.min(1, Math.max(0, (e.clientX - svg.getBoundingClientRect().left) / svg.getBoundingClientRect().width));
  svg.addEventListener('pointerdown', (e) => { down = timeAt(e); });
  svg.addEventListener('pointerup', (e) => {
    const end = timeAt(e), [a, b] = [Math.min(down, end), Math.max(down, end)];
    if (b - a > (until - from) / 100) { from = a; until = b; draw(); }
  });
  svg.addEventListener('dblclick', () => { from = 0; until = all; draw(); });
  draw();
}
function timeline() {
  const line = profile?.timeline;
  if (!line?.events.length) return;
  const events = line.events, waitsFor = waits(steps), path = criticalPath(events, waitsFor), gaps = gapsOf(events, line.ns), onPath = [...path].reduce((sum, i) => sum + events[i][3], 0);
  const empty = gaps.reduce((sum, g) => sum + g[1], 0), longest = [];
  steps.forEach((s, i) => { longest[i] = measured[i] + Math.max(0, ...[...waitsFor[i]].filter((k) => k < i).map((k) => longest[k])); });
  const chain = 1e3 * Math.max(...longest), to = section('timeline', 'Timeline',
    `Of ${line.turns > 1 ? `${line.turns} steps, number ${line.turn}, which is the one of the median length` : 'all steps'}: ${ns(line.ns)}. Nothing runs in ${percent(empty / line.ns) || '0 %'} of it; ` +
    `the critical path, marked below its events, is ${ns(onPath)} of work. What waits for one another's results alone takes ${ns(chain)} in a step: more streams could give no more than ${percent(Math.max(0, 1 - chain / line.ns)) || '0 %'}. Drag over a part to see it larger, click twice to see all.`);
  add(to, '<div class="key"><i class="k1"></i>forward, loss<i class="k2"></i>backward<i class="k3"></i>update<i class="k5"></i>data, other</div>');
  const other = profileBefore?.timeline, all = Math.max(line.ns, other?.ns || 0);
  drawTimeline(to, line, path, steps, all);
  if (other) {
    add(to, `<h3>Before: ${ns(other.ns)}</h3>`);
    drawTimeline(to, other, criticalPath(other.events, waits(before.steps)), before.steps, all);
  }
  const rows = gaps.filter((g) => g[1] > line.ns / 1000).sort((a, b) => b[1] - a[1]).slice(0, 5);
  if (rows.length) add(to, '<h3>The longest gaps</h3>' + table(['gap', 'share', '<ahead of'], rows.map(([, length, i]) =>
    `<tr${i >= 0 && events[i][0] >= 0 ? ` data-s="${events[i][0]}"` : ''}><td>${ns(length)}</td><td>${percent(length / line.ns)}</td><td class="l wraps">${i >= 0 ? escaped(nameOf(events[i][0])) : 'the end of the step'}</td></tr>`)));
}

// ---- tuning: of each operation of a library what was tried, and why this one

function tuning() {
  const all = profile?.tuning || [], old = new Map((profileBefore?.tuning || []).map((e) => [e.key, e])), us = (x) => x > 0 ? time(x) : '';
  if (!all.length) return;
  const stepsOf = (e) => steps.filter((s) => e.steps.some((n) => steps[n - 1]?.name === s.name)).length; // a block that repeats asks once
  const cost = (e) => e.us * stepsOf(e), firsts = all.reduce((sum, e) => sum + Math.max(e.us, e.first_us) * stepsOf(e), 0), now = all.reduce((sum, e) => sum + cost(e), 0);
  const why = (e) => !(e.us > 0) ? 'the heuristic’s first: nothing was timed' : `the fastest of ${e.candidates} that work: ` +
    [e.runner_up_us > e.us ? `${percent(1 - e.us / e.runner_up_us) || '0 %'} less than the next` : '', e.first_us > 0 ? e.first_us > e.us ? `${percent(1 - e.us / e.first_us) || '0 %'} less than the first` : 'the first itself' : ''].filter(Boolean).join(', ') + (e.complete ? '' : '; the search has not ended');
  const to = section('tuning', 'Tuning', `${all.length} operations of libraries, by what they take of a step: ${us(now) || 'not timed'}${firsts > now ? `, where the heuristics’ first plans would take ${us(firsts)}` : ''}. Only plans that compute the same as the others are counted.`);
  const tried = (e) => e.tried.length ? `<details><summary>the ${e.tried.length} fastest</summary>${e.tried.map(([t, plan]) => `${us(t)} <code>${escaped(plan)}</code>`).join('<br>')}</details>` : '';
  const rows = [...all].sort((a, b) => cost(b) - cost(a)).map((e) => {
    const step = e.steps[0] - 1, was = old.get(e.key), other = was && was.tried[0]?.[1] !== e.tried[0]?.[1];
    return `<tr data-s="${step}"><td class="wraps">${escaped(e.library)} ${escaped(e.key)}</td><td class="l line optional">${steps[step] ? lineOf(steps[step].set) : ''}</td><td class="optional">${stepsOf(e)}</td>` + (old.size ? `<td>${us(was?.us)}</td>` : '') +
      `<td>${us(e.us)}</td><td class="optional">${us(e.runner_up_us)}</td><td>${us(e.first_us)}</td><td class="l wraps">${why(e)}${other ? `; before another: <code>${escaped(was.tried[0]?.[1] || '')}</code>` : ''}${tried(e)}</td></tr>`;
  });
  add(to, table(['<operation', '<-line', '-steps', ...(old.size ? ['before'] : []), 'time', '-next', 'first', '<why this one, and what was tried'], rows));
}

// ---- what would help most: the table without scripts has forecasts, and here are the profile's times

function advice() {
  const body = document.querySelector('#advice tbody');
  if (!profile || !body) return;
  const whole = profile.total_ns / 1e3 / profile.steps, data_us = profile.data_ns / 1e3 / profile.steps;
  const all = data.advice.map((x) => ({ ...x, gain: (x.of_idle ? Math.max(0, 1 - profile.threads / profile.processors) : 1) * x.saves.reduce((sum, [s, part]) => sum + part * (s >= 0 ? measured[s] : data_us), 0) / whole }));
  const rows = all.filter((x) => x.gain >= 0.02).sort((a, b) => b.gain - a.gain).map((x) =>
    `<tr><td class="wraps">${x.file ? escaped(x.file) + ':' + x.line + ' ' : ''}<code>${escaped(x.change)}</code></td><td>${percent(x.gain)}</td><td class="l wraps">${escaped(x.what)}</td></tr>`);
  body.innerHTML = rows.join('') || '<tr><td colspan="3">Nothing that is known to help gains a fiftieth of a step.</td></tr>';
  body.closest('div').previousElementSibling.textContent = 'The part of a sample’s time that each saves, by this profile. What is below a fiftieth is left out.';
}

// ---- what would lower the peak of the arena

// A span is [bytes, first step, last step]; the most that lives at once, and when.
function peakOf(spans) {
  const change = new Float64Array(steps.length + 1);
  for (const [bytes, first, last] of spans) { change[first] += bytes; change[last + 1] -= bytes; }
  let now = 0, most = 0, at = 0;
  for (let i = 0; i < steps.length; i++) { now += change[i]; if (now > most) { most = now; at = i; } }
  return { most, at };
}
// Without the tensor between its last use ahead of the step and its next one, ahead of which it is computed again: its
// span in two, and what it is computed of lives until then. null: that is no way, as where that is itself computed again.
function recomputed(buffers, spans, b, at) {
  const [, kind, bytes, , first, , , , uses] = buffers[b], before = uses.filter((u) => u < at).at(-1), after = uses.find((u) => u > at);
  if (kind !== 'activation' || uses.includes(at) || before === undefined || after === undefined || spans[b].length > 1) return null;
  const now = [...spans];
  for (let k = 0; k < buffers.length; k++) {
    if (k === b || buffers[k][4] >= first || !buffers[k][8].includes(first)) continue;
    if (spans[k].length > 1) return null;
    const [[size, from, to]] = spans[k];
    now[k] = [[size, from, Math.max(to, after)]];
  }
  now[b] = [[bytes, first, before], [bytes, after, spans[b][0][2]]];
  return now;
}
function memory() {
  const { buffers, bound } = data.memory;
  if (!buffers.length) return;
  let spans = buffers.map((b) => [[b[2], b[4], b[5]]]), peak = peakOf(spans.flat()), cost = 0;
  const rows = [];
  while (rows.length < 8) {
    let best = null;
    buffers.forEach((b, k) => {
      if (!(b[4] <= peak.at && peak.at <= b[5])) return;
      const now = recomputed(buffers, spans, k, peak.at), then = now && peakOf(now.flat());
      if (then && then.most < (best?.then.most ?? peak.most)) best = { k, now, then };
    });
    if (!best) break;
    const [name, , , , first, , set] = buffers[best.k];
    cost += weight[first];
    rows.push(`<tr data-s="${first}"><td class="l wraps">${escaped(name)}</td><td class="optional">${count(peak.most - best.then.most, 'B')}</td><td>${count(best.then.most, 'B')}</td><td>${percent(cost / whole) || '0 %'}</td><td class="l line">${lineOf(set)}</td></tr>`);
    ({ now: spans, then: peak } = best);
  }
  const peakTable = document.getElementById('peak'), to = section('savings', 'What would lower the peak', `Of the ${count(bound, 'B')} that live at once in the arena, by the lifetimes above. Smaller chunks are a line of the recipe; a step adds their gradients up, and batchnorm’s statistics are those of a chunk.`);
  const chunk = data.batch, chunks = [2, 4, 8].filter((n) => chunk % n === 0).map((n) => {
    const most = peakOf(buffers.map((b) => [b[7] ? b[2] / n : b[2], b[4], b[5]])).most;
    return `<tr><td class="l"><code>chunk ${chunk / n}</code></td><td>${count(bound - most, 'B')}</td><td>${count(most, 'B')}</td></tr>`;
  });
  peakTable?.parentElement.after(to);
  if (chunks.length) add(to, table(['<in the recipe', 'saves', 'leaves'], chunks));
  if (rows.length) add(to, '<h3>Computed again instead of kept, one after another</h3>' + table(['<tensor', '-saves', 'leaves', 'costs of a step', '<line'], rows));
}

// ---- the roofline of the profile, as one whose points are steps, as large as the time that they take

function roofline(image) {
  const W = 480, H = 290, L = 50, T = 12, B = 40;
  const pointsOf = (steps, profile, us) => steps.map((s, i) => ({ i, name: s.name, us: us[i], x: s.flops / s.bytes, y: profile.chunks * s.flops / us[i] / 1e3 })).filter((p) => p.x > 0 && p.y > 0 && isFinite(p.x + p.y));
  const points = pointsOf(steps, profile, measured), old = profileBefore ? pointsOf(before.steps, profileBefore, window.nnc.costsOf(before, profileBefore).measured) : [];
  const corner = profile.peak_flops / profile.peak_bytes, top = profile.peak_flops / 1e9;
  const decades = (values) => [Math.floor(Math.log10(Math.min(...values))), Math.ceil(Math.log10(Math.max(...values)))];
  const [x0, x1] = decades([corner / 10, corner * 10, ...[...points, ...old].map((p) => p.x)]), [y0, y1] = decades([top / 100, top, ...[...points, ...old].map((p) => p.y)]);
  const across = (x) => (L + (W - L - 18) * (Math.log10(x) - x0) / (x1 - x0)).toFixed(1), down = (y) => (H - B - (H - T - B) * (Math.log10(y) - y0) / (y1 - y0)).toFixed(1);
  const range = (from, to) => [...Array(to - from + 1).keys()].map((k) => from + k), label = (e) => e < 3 ? Number('1e' + e) : count(10 ** e, '').replace(/\.0+|\s/g, '');
  const start = Math.max(10 ** x0, 10 ** y0 * 1e9 / profile.peak_bytes);
  const circle = (p, cls, step) => `<circle class="${cls}"${step} cx="${across(p.x)}" cy="${down(p.y)}" r="${(2 + 16 * Math.sqrt(p.us / whole)).toFixed(1)}"><title>${escaped(p.name)}: ${time(p.us)}, ${percent(p.us / whole)}, ${p.y.toPrecision(3)} GFLOP/s</title></circle>`;
  const svg = range(x0, x1).map((e) => `<path class="axis" d="M${across(10 ** e)} ${T}V${H - B}"/><text class="m" x="${across(10 ** e)}" y="${H - B + 14}" text-anchor="middle">${label(e)}</text>`)
    .concat(range(y0, y1).map((e) => `<path class="axis" d="M${L} ${down(10 ** e)}H${W - 18}"/><text class="m" x="${L - 5}" y="${Number(down(10 ** e)) + 4}" text-anchor="end">${label(e)}</text>`),
      `<path class="roof" d="M${across(start)} ${down(start * profile.peak_bytes / 1e9)}L${across(corner)} ${down(top)}H${W - 18}"/><text class="m" x="${W - 8}" y="${H - 4}" text-anchor="end">FLOP for each byte</text><text class="m" x="${L}" y="${H - 4}">GFLOP/s</text>`,
      old.map((p) => circle(p, 'old', '')), points.sort((a, b) => b.us - a.us).map((p) => circle(p, 'f1', ` data-step="${p.i}"`)));
  const figure = document.createElement('figure');
  figure.innerHTML = `<svg id="roofline" viewBox="0 0 ${W} ${H}" role="img" aria-label="roofline">${svg.join('')}</svg><figcaption>A step each, as large as the time that it takes; a click shows its code.${old.length ? ' Circles are those of before.' : ''}</figcaption>`;
  image.replaceWith(figure);
}

window.nnc.parts = { section, add, table };
advice();
timeline();
tuning();
setTimeout(() => {                                // when the page stands
  const later = document.getElementById('later');
  later.outerHTML = later.textContent;
  window.nnc.markSteps();
  memory();
}, 300);
const image = document.querySelector('img[alt=roofline]');
if (profile && image) roofline(image);
})();
