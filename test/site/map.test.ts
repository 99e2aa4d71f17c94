import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Browser, chromium, type Page } from 'playwright-core';
import { generatedDataset, startSample } from '../support/start-sample.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { browserPath } from './support/browser.ts';

const found = browserPath();
/** Draws in software, so that a machine without a graphics card has WebGL too. */
const WITH_WEBGL = ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
const WITHOUT_WEBGL = ['--no-sandbox', '--disable-gpu', '--disable-3d-apis'];
const DRAWN_MS = 60_000;

interface Summary {
  data: { building_id: string; lat: number; lon: number };
}
interface Full {
  data: { faces: { face: string; floors: { top: { months: { direct_sun_hours: number }[] } } }[] };
}

describe('the map in a browser', { skip: found === null && 'no Chromium on this machine' }, () => {
  const data = join(tempFolder({ after }), 'data');
  const ends: (() => void)[] = [];
  after(() => {
    for (const end of ends) end();
  });
  let url = '';
  let building: Summary['data'];
  before(async () => {
    const more = { HIDAMARI_PAGE_LIMIT: 'off' };
    const sample = await startSample({ after: (end) => ends.push(end) }, await generatedDataset(data), more);
    url = sample.url;
    const example = sample.lines.find((line) => /\/building\/\S+$/.test(line))!.trim();
    building = ((await (await fetch(example)).json()) as Summary).data;
  });

  const place = (): string => `lat=${building.lat}&lon=${building.lon}`;

  /** Runs with a page that reports what goes wrong and whom it asks. */
  async function withPage(args: string[], use: (page: Page) => Promise<void>, size = { width: 1100, height: 800 }) {
    const wrong: string[] = [];
    let browser: Browser | null = null;
    try {
      browser = await chromium.launch({ executablePath: found!, args });
      const page = await browser.newPage({ viewport: size });
      page.on('pageerror', (error) => wrong.push(String(error)));
      page.on('console', (line) => line.type() === 'error' && wrong.push(line.text()));
      page.context().on('request', (request) => {
        const asked = request.url();
        if (!asked.startsWith(url) && !asked.startsWith('data:') && !asked.startsWith('blob:')) wrong.push(asked);
      });
      await use(page);
    } finally {
      await browser?.close();
    }
    assert.deepEqual(wrong, []);
  }

  it('the keyboard alone picks the building in the middle; its hours are those of the API; the choices are in the address', async () => {
    const full = (await (await fetch(`${url}/api/v1/sunlight/building/${building.building_id}/full`)).json()) as Full;
    await withPage(WITH_WEBGL, async (page) => {
      await page.goto(`${url}/en/map/?${place()}`);
      await page.waitForSelector('body.map-ready', { timeout: DRAWN_MS });
      await page.locator('#map canvas').focus();
      await page.keyboard.press('Enter');
      await page.waitForSelector('#map-picked table');
      assert.match((await page.locator('#map-picked h3').textContent())!, new RegExp(building.building_id));
      const rows = await page.locator('#map-picked td').allTextContents();
      const hours = full.data.faces.map(({ floors }) => Math.floor(floors.top.months[11]!.direct_sun_hours));
      assert.deepEqual(
        rows,
        hours.map((from) => `${from}–${from + 1} h`),
      );
      await page.locator('#map-choices select[name=floor]').selectOption('first');
      assert.match(page.url(), /[?&]floor=first/);
      assert.equal((await page.locator('#map-near li').count()) > 5, true);
      const link = (await page.locator('#map-picked a').getAttribute('href'))!;
      assert.equal((await fetch(new URL(link, url))).status, 200);
    });
  });

  it('month, floor and face change the colours without a request', async () => {
    await withPage(WITH_WEBGL, async (page) => {
      await page.goto(`${url}/map/?${place()}`);
      await page.waitForSelector('body.map-ready', { timeout: DRAWN_MS });
      const before = await page.locator('#map').screenshot();
      const asked: string[] = [];
      page.on('request', (request) => request.url().includes('/tiles/') && asked.push(request.url()));
      await page.locator('input[name=month]').fill('6');
      await page.waitForTimeout(1500);
      assert.ok(!before.equals(await page.locator('#map').screenshot()), 'nothing has changed');
      assert.deepEqual(asked, []);
    });
  });

  it('without WebGL there is a line that says so, and the list', async () => {
    await withPage(WITHOUT_WEBGL, async (page) => {
      await page.goto(`${url}/map/?${place()}`);
      await page.waitForSelector('#map-without:not([hidden])');
      assert.ok((await page.locator('#map-near li a').count()) > 5);
    });
  });

  it('fits a phone', async () => {
    const size = { width: 360, height: 740 };
    await withPage(
      WITHOUT_WEBGL,
      async (page) => {
        await page.goto(`${url}/map/?${place()}`);
        assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360);
      },
      size,
    );
  });

  it('tiles are served as they are stored, for ever; scripts of workers have a policy of their own', async () => {
    const told = JSON.parse(/id="map-told">([^<]*)</.exec(await (await fetch(`${url}/map/`)).text())![1]!);
    const [west, south, east, north] = told.bounds as number[];
    const x = Math.floor(((west! + east!) / 2 / 360 + 0.5) * 2 ** 14);
    const sine = Math.sin((((south! + north!) / 2) * Math.PI) / 180);
    const y = Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * 2 ** 14);
    const address = told.tiles.replace('{z}', '14').replace('{x}', x).replace('{y}', y);
    const tile = await fetch(address);
    assert.deepEqual(
      [tile.status, tile.headers.get('content-encoding'), tile.headers.get('content-type')],
      [200, 'gzip', 'application/vnd.mapbox-vector-tile'],
    );
    assert.match(tile.headers.get('cache-control')!, /immutable/);
    assert.ok((await tile.arrayBuffer()).byteLength > 1000);
    assert.equal((await fetch(address.replace(/tiles\/[0-9a-f]{16}/, 'tiles/0000000000000000'))).status, 404);
    assert.equal((await (await fetch(address.replace(/\/\d+\/\d+\.mvt/, '/0/0.mvt'))).arrayBuffer()).byteLength, 0);
    const worker = await fetch(url + told.worker);
    assert.match(worker.headers.get('content-security-policy')!, /default-src 'none'/);
  });
});
