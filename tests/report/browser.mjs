// SPDX-License-Identifier: MIT
// Pages of --emit=html as a browser shows them: no error, no request, nothing wider than the window; light, dark, and on a phone.
//
//     npm install --prefix DIR playwright-core        and a Chromium: apt install chromium
//     NODE_PATH=DIR/node_modules node tests/report/browser.mjs FOLDER PAGE.html...      pictures go to FOLDER
import { createRequire } from 'node:module';
import { mkdirSync } from 'node:fs';
import path from 'node:path';

const require = createRequire(import.meta.url);
const { chromium } = require(require.resolve('playwright-core', { paths: (process.env.NODE_PATH || '').split(':') }));
const [folder, ...pages] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });

let passed = 0, failed = 0;
function check(what, holds, detail) {
  if (holds) passed++;
  else { failed++; console.log(`FAIL ${what}: ${detail}`); }
}

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--no-sandbox'] });
for (const file of pages) {
  const name = path.basename(file, '.html');
  for (const [view, width, scheme, scripts] of [['light', 1100, 'light', true], ['dark', 1100, 'dark', true], ['phone', 390, 'light', false]]) {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme, javaScriptEnabled: scripts });
    const page = await context.newPage();
    const wrong = [], asked = [];
    page.on('console', (m) => wrong.push(m.text()));
    page.on('pageerror', (e) => wrong.push(e.message));
    page.on('request', (r) => asked.push(r.url()));
    await page.goto('file://' + path.resolve(file));
    check(`${name}, ${view}: no word on the console`, wrong.length === 0, wrong);
    check(`${name}, ${view}: no request but the page`, asked.every((u) => u.startsWith('file://') || u.startsWith('data:')) && asked.length <= 2, asked);
    if (scripts) {
      const size = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      check(`${name}, ${view}: no wider than the window`, size[0] <= size[1], size);
      const shapes = await page.evaluate(() => [...document.querySelectorAll('svg *')].filter((e) => /NaN|undefined/.test(e.outerHTML)).length);
      check(`${name}, ${view}: every shape has its numbers`, shapes === 0, shapes);
    }
    await page.screenshot({ path: path.join(folder, `${name}-${view}.png`), fullPage: true });
    await context.close();
  }
}
await browser.close();
console.log(`browser: ${passed} passed, ${failed} failed, 0 skipped`);
process.exit(failed ? 1 : 0);
