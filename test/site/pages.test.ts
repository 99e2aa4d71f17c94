import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { ROOT } from '../support/run.ts';
import { generatedDataset, startSample } from '../support/start-sample.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { browserPath, startBrowser } from './support/browser.ts';

const found = browserPath();
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Pictures of every page, for people to look at. */
const PICTURES = join(ROOT, 'data', 'screenshots');

interface Findings {
  violations: { id: string; nodes: { target: string[] }[] }[];
}

interface Full {
  data: {
    building_id: string;
    faces: {
      face: string;
      floors: Record<string, { floor: number; months: { direct_sun_hours: number; sunlit_windows: string[][] }[] }>;
    }[];
  };
}

describe('pages in a browser', { skip: found === null && 'no Chromium on this machine' }, () => {
  let browser: Browser;
  let url: string;
  let paths: string[];
  const ends: (() => unknown)[] = [];
  const owner = { after: (end: unknown) => void ends.push(end as () => unknown) };

  before(async () => {
    const data = await generatedDataset(join(tempFolder(owner), 'data'));
    ({ url } = await startSample(owner, data, { HIDAMARI_PAGE_LIMIT: 'off' }));
    browser = await startBrowser(found!);
    mkdirSync(PICTURES, { recursive: true });
    paths = await pathsOf(url);
  });
  after(async () => {
    await browser?.close();
    for (const end of ends.reverse()) await end();
  });

  for (const [name, width, height, colorScheme] of [
    ['desktop', 1200, 900, 'light'],
    ['phone', 360, 740, 'dark'],
  ] as const) {
    it(`${name}, ${colorScheme}: no violation of axe, no error, no other host, nothing wider than the screen`, async () => {
      const context = await browser.newContext({ viewport: { width, height }, colorScheme });
      const page = await context.newPage();
      const wrong = watch(page, url);
      for (const [i, path] of paths.entries()) {
        await page.goto(url + path);
        const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        if (Number(overflow) > 0) wrong.push(`${path}: ${overflow} px wider than the screen`);
        await page.evaluate(AXE);
        const { violations } = (await page.evaluate('axe.run()')) as Findings;
        for (const { id, nodes } of violations) wrong.push(`${path}: ${id} at ${nodes[0]?.target.join(' ')}`);
        await page.screenshot({ path: join(PICTURES, `${name}-${colorScheme}-${i}.png`), fullPage: true });
      }
      await context.close();
      assert.deepEqual(wrong, []);
    });
  }

  it('without scripts every page has its heading and its answer', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    for (const path of paths) {
      await page.goto(url + path);
      assert.equal(await page.locator('h1').count(), 1, path);
      assert.ok(((await page.locator('main').textContent()) ?? '').trim().length > 60, path);
    }
    await context.close();
  });

  it('a page of a building shows what the API says, in its table and in its chart', async () => {
    const path = paths.find((one) => one.startsWith('/sunlight/building/'))!;
    const { data } = (await (await fetch(`${url}${path}index.json`)).json()) as Full;
    const page = await browser.newPage();
    await page.goto(url + path);
    for (const { face, floors } of data.faces) {
      for (const { floor, months } of Object.values(floors)) {
        const cell = page.locator(`td[data-face="${face}"][data-floor="${floor}"]`);
        assert.equal(Number(await cell.getAttribute('data-hours')), months[11]!.direct_sun_hours, `${face} ${floor}`);
        assert.match((await cell.textContent())!, new RegExp(`^${months[11]!.direct_sun_hours.toFixed(1)} `));
      }
    }
    const chosenFace = await page.locator('td.chosen').first().getAttribute('data-face');
    const { months } = data.faces.find(({ face }) => face === chosenFace)!.floors.top!;
    const drawn = page.locator('svg.chart g[data-month][data-windows]');
    assert.equal(await drawn.count(), 12);
    for (const [i, month] of months.entries()) {
      assert.equal(Number(await drawn.nth(i).getAttribute('data-hours')), month.direct_sun_hours);
      const windows = month.sunlit_windows.map((window) => window.join('-')).join(' ');
      assert.equal(await drawn.nth(i).getAttribute('data-windows'), windows);
    }
    await page.close();
  });

  it('the page of a building prints on two sheets at most', async () => {
    const page = await browser.newPage();
    await page.goto(url + paths.find((one) => one.startsWith('/sunlight/building/'))!);
    const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
    const sheets = pdf.match(/\/Type\s*\/Page\b/g)?.length ?? 0;
    assert.ok(sheets >= 1 && sheets <= 2, `${sheets} sheets`);
    await page.close();
  });
});

/** What goes wrong on a page: errors of the console and requests to other hosts. */
function watch(page: Page, url: string): string[] {
  const wrong: string[] = [];
  page.on('console', (message) => {
    const isExpected = page.url().includes('/nowhere/') && message.text().includes('404');
    if (message.type() === 'error' && !isExpected) wrong.push(`${page.url()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => wrong.push(`${page.url()}: ${error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(url)) wrong.push(`asked ${request.url()}`);
  });
  return wrong;
}

/** A page of every kind, in both languages, that works with the sample. */
async function pathsOf(url: string): Promise<string[]> {
  const home = await (await fetch(`${url}/`, { headers: { accept: 'text/html' } })).text();
  const first = (pattern: RegExp, text: string): string => pattern.exec(text)?.[0] ?? assert.fail(`${pattern}`);
  const building = first(/\/sunlight\/building\/[^"]+\//, home);
  const table = first(/\/kaigo\/\d{6}\/\d{3}\//, home);
  const facility = first(/\/kaigo\/facility\/[^"]+\//, await (await fetch(url + table)).text());
  const id = building.split('/')[3];
  const paths = [
    ...[
      '/',
      '/sunlight/',
      first(/\/sunlight\/\d{5}\//, await (await fetch(`${url}/sunlight/`)).text()),
      first(/\/sunlight\/town\/\d+\//, home),
      building,
    ],
    ...[`/compare/?b=${id},${id}:1`, '/kaigo/', table, facility, `/kaigo/compare/?f=${facility.split('/')[3]}`],
    ...['/search/?q=%E6%9C%9D%E9%9C%A7', '/docs/', '/method/', '/about/', '/terms/', '/pricing/', '/problems/'],
    ...['/problems/not-found/', '/nowhere/'],
  ];
  return paths.flatMap((path) => [path, `/en${path}`]);
}
