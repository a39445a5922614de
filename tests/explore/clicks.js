/* SPDX-License-Identifier: MIT */
// Put at the end of a page of --explore by check.py: clicks on each line of the .net, then back from what that lit; the findings are JSON in an element.
(async () => {
  const found = { errors: [], lines: [] }, out = document.createElement('pre');
  addEventListener('error', (e) => found.errors.push(e.message));
  const column = (id) => window.nnc.columns[id], rows = (id) => column(id).data;
  const pause = () => new Promise((done) => setTimeout(done, 0));
  try {
    for (let i = 0; i < 1000 && rows('asm').length === 0; i++) await pause();
    found.elements = document.querySelectorAll('*').length;
    for (let i = 0; i < 1000 && document.getElementById('later'); i++) await pause();
    found.below = document.getElementById('steps')?.closest('section').offsetHeight; // tables take room before they are seen
    found.wide = [document.documentElement.scrollWidth, innerWidth];
    found.shapes = [...document.querySelectorAll('svg *')].filter((e) => /NaN|undefined|Infinity/.test(e.outerHTML)).length;
    found.bars = new Set([...document.querySelectorAll('#profile td.bar span')].map((e) => getComputedStyle(e).backgroundColor)).size;
    found.points = document.querySelectorAll('#roofline circle').length;
    found.timeline = ['[data-step], svg.time .f5', '.path'].map((what) => document.querySelectorAll(`svg.time ${what}`).length);
    found.advice = [...document.querySelectorAll('#advice tbody tr')].map((r) => r.innerText.replace(/\s+/g, ' '));
    found.tuning = [...document.querySelectorAll('#tuning tbody tr')].map((r) => r.textContent.replace(/\s+/g, ' '));
    found.compared = [...document.querySelectorAll('#compared tr')].map((r) => r.innerText.replace(/\s+/g, ' '));
    found.since = rows('net').filter((r) => r.class === 'new').map((r) => r.text);
    let file = '';
    for (const [k, { class: kind, text }] of rows('net').entries()) {
      if (kind === 'file') { file = text; continue; }
      const click = () => column('net').row(k).click(), lit = (id) => column(id).lit.size;
      click();
      const row = column('net').row(k);
      const line = { file, number: Number(row.querySelector('i').textContent), cost: row.querySelector('u').textContent, ir: lit('ir'), code: lit('code'), asm: lit('asm'), said: document.getElementById('chosentext').textContent, nearly: document.getElementById('nearly').textContent };
      line.shown = ['ir', 'code', 'asm'].every((id) => !lit(id) || column(id).row(column(id).first()).classList.contains('lit'));
      for (const from of ['asm', 'code', 'ir']) {
        click();
        const there = [...column(from).lit].at(-1);
        if (there !== undefined) { column(from).row(there).click(); line[from + 'Back'] = column('net').row(k).classList.contains('lit'); }
      }
      found.lines.push(line);
    }
    const range = document.getElementById('passrange');
    found.passes = [];
    document.getElementById('changed').click();
    for (let k = 0; k <= Number(range.max); k++) {
      range.value = k;
      range.dispatchEvent(new Event('input'));
      found.passes.push([document.getElementById('passname').selectedOptions[0].textContent, rows('ir').length, rows('ir').filter((r) => r.class === 'new' || r.class === 'old').length, document.getElementById('passtext').textContent]);
    }
  } catch (e) { found.errors.push(String(e.stack)); }
  out.id = 'found';
  out.textContent = JSON.stringify(found);
  document.body.append(out);
})();
