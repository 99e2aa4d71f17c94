import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { hoursClass } from '../../../src/contract/sunlight-shapes.ts';
import { built } from '../../pipeline/run-build.ts';
import { serveCity } from '../../support/served-city.ts';
import { cityGml, LAT, LON, LON_M, rowsOfHouses, writeFiles } from '../../support/small-city.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { type SiteInBrowser, violations, withoutWebGl } from '../support/site-in-browser.ts';

const DRAWN_MS = 60_000;
/** Pictures in a row that are alike: nothing moves. */
const STILL = 3;

interface Full {
  data: { faces: { face: string; floors: { top: { months: { direct_sun_hours: number }[] } } }[] };
}

/** Counts the pixels of the blue of outlines in the left and the right half of a picture, in a page. */
const OUTLINED = `async (base64) => {
  const picture = await createImageBitmap(new Blob([Uint8Array.from(atob(base64), (one) => one.charCodeAt(0))]));
  const { width, height } = picture;
  const drawing = new OffscreenCanvas(width, height).getContext('2d');
  drawing.drawImage(picture, 0, 0);
  const { data } = drawing.getImageData(0, 0, width, height);
  const halves = [0, 0];
  for (let i = 0; i < data.length; i += 4)
    if (data[i] === 11 && data[i + 1] === 87 && data[i + 2] === 208) halves[(i / 4) % width < width / 2 ? 0 : 1]++;
  return halves;
}`;

/** Pixels of the blue of outlines in the left and the right half of the map. */
async function outlined(page: Page): Promise<[left: number, right: number]> {
  const png = (await page.locator('#map canvas').screenshot()).toString('base64');
  return page.evaluate(`(${OUTLINED})('${png}')`);
}

/** The map. */
export function mapSuite(site: SiteInBrowser): void {
  const place = (): string => `lat=${site.building.lat}&lon=${site.building.lon}`;

  describe('the map', () => {
    /** Drawn once, for those that look at it in turn. */
    let drawn: Awaited<ReturnType<SiteInBrowser['open']>>;
    before(async () => {
      drawn = await site.open({ reducedMotion: 'reduce' });
      await drawn.page.goto(`${site.url}/en/map/?${place()}`);
      await drawn.page.waitForSelector('body.map-ready', { timeout: DRAWN_MS });
    });
    after(() => drawn.close());

    const picture = (): Promise<Buffer> => drawn.page.locator('#map canvas').screenshot();

    /** A picture of the map when nothing moves any more. */
    async function still(): Promise<Buffer> {
      let last = await picture();
      for (let same = 0; same < STILL; ) {
        const next = await picture();
        same = next.equals(last) ? same + 1 : 0;
        last = next;
      }
      return last;
    }

    /** Waits until the map looks different from a picture of it. */
    async function differs(from: Buffer, otherwise: string): Promise<void> {
      for (const start = Date.now(); Date.now() - start < DRAWN_MS; ) if (!from.equals(await picture())) return;
      assert.fail(otherwise);
    }

    it('the keyboard alone picks the building in the middle; its hours are those of the API; the choices are in the address', async () => {
      const full = (await (
        await fetch(`${site.url}/api/v1/sunlight/building/${site.building.building_id}/full`)
      ).json()) as Full;
      const { page } = drawn;
      await page.locator('#map canvas').focus();
      await page.keyboard.press('Enter');
      await page.waitForSelector('#map-picked table');
      assert.match((await page.locator('#map-picked').textContent())!, new RegExp(site.building.building_id));
      const rows = await page.locator('#map-picked td').allTextContents();
      const hours = full.data.faces.map(({ floors }) => Math.floor(floors.top.months[11]!.direct_sun_hours));
      assert.deepEqual(
        rows,
        hours.map((from) => `${from}–${from + 1} h`),
      );
      assert.match(
        (await page.locator('#map-picked').textContent())!,
        /^A building in .*chome[\d.]+ m high.*15 Dec, top floor/,
      );
      await page.locator('#map-choices select[name=floor]').selectOption('first');
      assert.match((await page.locator('#map-picked caption').textContent())!, /15 Dec, first floor/);
      assert.match(page.url(), /[?&]floor=first/);
      const other = (await page.locator('header nav a[hreflang=ja]').getAttribute('href'))!;
      assert.match(other, /\/map\/\?floor=first/);
      assert.equal((await page.locator('#map-near li').count()) > 5, true);
      assert.equal(
        await page.locator('#map-near li:not(:has(button svg.outline-mark path))').count(),
        0,
        'each has its outline',
      );
      // With a building picked, so that all of it is there; the second time in the other scheme, for what depends on it.
      assert.deepEqual(await violations(page, null), []);
      await page.emulateMedia({ colorScheme: 'dark' });
      assert.deepEqual(await violations(page, ['color-contrast']), []);
      const buttons = page.locator('#map .maplibregl-ctrl-group').first();
      assert.notEqual(
        await buttons.evaluate('(one) => getComputedStyle(one).backgroundColor'),
        'rgb(255, 255, 255)',
        'white buttons in the dark',
      );
      await page.emulateMedia({ colorScheme: 'light' });
      const link = (await page.locator('#map-picked a').getAttribute('href'))!;
      assert.equal((await fetch(new URL(link, site.url))).status, 200);
    });

    it('month, floor and face change the colours without a request', async () => {
      const { page } = drawn;
      const asked: string[] = [];
      page.on('request', (request) => request.url().includes('/tiles/') && asked.push(request.url()));
      const december = await still();
      await page.locator('input[name=month]').fill('6');
      await differs(december, 'June looks like December');
      assert.deepEqual(asked, []);
    });

    it('with one face chosen, no zoom is without its colours', async () => {
      const { page } = drawn;
      const near = await still();
      await page.evaluate(`location.hash = '#14.2/${site.building.lat}/${site.building.lon}'`);
      await differs(near, 'the map does not follow its address');
      await page.locator('select[name=face]').selectOption('S');
      const south = await still();
      await page.locator('select[name=face]').selectOption('N');
      await differs(south, 'both faces look the same');
    });

    it('where its dataset is no longer served, the map says so', async () => {
      const { page } = drawn;
      // The page asks by itself whether tiles are served; workers load them.
      await page.evaluate('window.fetch = async () => new Response(null, { status: 404 })');
      await page.evaluate('Date.now = (now => () => now() + 61_000)(Date.now)');
      assert.equal(await page.locator('#map-renewed').isVisible(), false);
      await page.evaluate(`location.hash = '#15.4/${site.building.lat}/${site.building.lon}'`);
      await page.waitForSelector('#map-renewed:not([hidden])');
    });

    it('the scale is in the legend and notices are in the panel: neither covers a building', async () => {
      const { page } = drawn;
      assert.match((await page.locator('.map-legend .maplibregl-ctrl-scale').textContent())!, /^\d+\sm$/);
      assert.equal(await page.locator('#map .maplibregl-ctrl-scale').count(), 0);
      await page.context().setOffline(true);
      await page.waitForSelector('.map-panel #map-offline:not([hidden])');
      await page.context().setOffline(false);
    });

    it('without towns: wards have names; a square or a building that is picked is outlined, whole across tiles, and nothing else', async (t) => {
      const folder = tempFolder(t);
      const edge = (29106 / 2 ** 15 - 0.5) * 360;
      const east = (edge - LON) * LON_M - 20;
      // No wall of the second house faces about east.
      const houses = [
        ...rowsOfHouses(20),
        { id: '13101-bldg-99', east, north: 10, width: 40, depth: 20, height: 10 },
        { id: '13101-bldg-98', east: 0, north: 60, width: 40, depth: 1, height: 10 },
      ];
      await writeFiles(join(folder, 'city'), { 'houses.gml': cityGml(houses) });
      await built({ out: join(folder, 'data'), citygml: [join(folder, 'city')] });
      const { url } = await serveCity(t, ['--data', join(folder, 'data')], 'ignore');
      const far = await (await fetch(`${url}/map/?lat=${LAT}&lon=${LON}&zoom=10`)).text();
      assert.match(far, /class="pic-name ward_labels"[^>]*>千代田区</);
      const { page, close } = await site.open({ reducedMotion: 'reduce' }, url);
      await page.goto(`${url}/map/#13.5/${LAT}/${LON + 0.0005}`);
      await page.waitForSelector('body.map-ready', { timeout: DRAWN_MS });
      assert.match((await page.locator('#map-picked').textContent())!, /^建物か区画を/);
      assert.deepEqual(await outlined(page), [0, 0]);
      await page.locator('#map canvas').focus();
      await page.keyboard.press('Enter');
      assert.match((await page.locator('#map-picked').textContent())!, /^この区画の建物\d+棟の平均12月15日・最上階/);
      assert.notDeepEqual(await outlined(page), [0, 0]);
      await page.goto(`${url}/map/?pick=13101-bldg-99#18/${LAT + 0.0002}/${edge}`);
      await page.waitForSelector('body.map-ready', { timeout: DRAWN_MS });
      await page.waitForSelector('#map-picked table');
      const [left, right] = await outlined(page);
      assert.ok(left > 100 && right > 100 && Math.abs(left - right) < 100, `${left} and ${right} pixels`);
      // A listener that adds the missing hatch comes too late for the tile that needs it, and the browser warns.
      const warnings: string[] = [];
      page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()));
      await page.goto(`${url}/map/?face=E&pick=13101-bldg-98#18/${LAT + 0.0005}/${LON + 0.0002}`);
      await page.waitForSelector('body.map-ready', { timeout: DRAWN_MS });
      await page.waitForSelector('#map-picked table');
      assert.match((await page.locator('#map-picked').textContent())!, /その方角に近い面はありません/);
      assert.deepEqual(
        warnings.filter((text) => text.includes('Image')),
        [],
      );
      await close();
    });

    it('without WebGL there is a line that says so, and the list', async () => {
      await site.withPage({}, async (page) => {
        await withoutWebGl(page);
        await page.goto(`${site.url}/map/?${place()}`);
        await page.waitForSelector('#map-without:not([hidden])');
        assert.ok((await page.locator('#map-near li a').count()) > 5);
      });
    });

    it('fits a phone', async () => {
      await site.withPage({ viewport: { width: 360, height: 740 } }, async (page) => {
        await withoutWebGl(page);
        await page.goto(`${site.url}/map/?${place()}`);
        assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360);
      });
    });

    it('on a phone the picture is the map: it is zoomed, drawn again and picked from; a drag brings MapLibre to the same view', async () => {
      const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
      await site.withPage(phone, async (page) => {
        // MapLibre waits until the picture is seen: on a fast machine it would take its place first.
        const seen = Promise.withResolvers<void>();
        await page.route(/maplibre/, async (route) => {
          await seen.promise;
          await route.continue();
        });
        await page.goto(`${site.url}/en/map/?${place()}`);
        const before = await page.locator('#map-picture > svg').getAttribute('viewBox');
        const redrawn = page.waitForResponse(/zoom=19\.00/);
        await page.locator('.map-zoom button').first().click();
        assert.equal((await redrawn).status(), 200);
        assert.equal(await page.locator('#map-picture > svg').getAttribute('viewBox'), before);
        const view = page.url().split('#')[1];
        seen.resolve();
        await page.waitForSelector('body.map-ready', { timeout: DRAWN_MS });
        assert.equal(page.url().split('#')[1]?.split('/')[1]?.slice(0, 7), view?.split('/')[1]?.slice(0, 7));
        assert.equal(await page.locator('#map-picture').count(), 0);
      });
      await site.withPage(phone, async (page) => {
        const asked: string[] = [];
        page.on('request', (request) => asked.push(request.url()));
        await page.goto(`${site.url}/en/map/?${place()}`, { waitUntil: 'networkidle' });
        const box = (await page.locator('#map-picture').boundingBox()) ?? assert.fail('no picture');
        assert.match((await page.locator('#map-scale').textContent())!, /^\d+ m$/);
        await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
        // The map stays, and what is pressed is picked as on MapLibre's map.
        await page.waitForURL(/\/en\/map\/\?pick=/);
        assert.ok(page.url().includes(`pick=${site.building.building_id}`), page.url());
        await page.locator('#map-picked p', { hasText: site.building.building_id }).waitFor();
        assert.equal(await page.locator('#map-picture .picked').count(), 1);
        for (const control of ['[name=month]', '[name=floor]', '[name=face]', '#map-picked a.button']) {
          const shown = (await page.locator(`#map-choices ${control}`).boundingBox()) ?? assert.fail(control);
          assert.ok(
            shown.y > box.y + 200 && shown.y + shown.height <= 844,
            `${control} ends at ${shown.y + shown.height}`,
          );
        }
        assert.deepEqual(
          asked.filter((one) => one.includes('maplibre')),
          [],
        );
      });
    });

    it('on a phone the picture tells what lies outside the data and that the device is offline; address and language keep the choices', async () => {
      const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
      await site.withPage(phone, async (page) => {
        await withoutWebGl(page);
        const other = async (): Promise<string> =>
          (await page.locator('header nav a[hreflang]').getAttribute('href')) ?? '';
        await page.goto(`${site.url}/map/?month=3#12/43/141`, { waitUntil: 'networkidle' });
        assert.equal(await page.locator('#map-outside').isVisible(), true);
        assert.match(await other(), /\/en\/map\/\?month=3#12\/43\/141$/);
        await page.context().setOffline(true);
        await page.waitForSelector('#map-offline:not([hidden])');
        await page.context().setOffline(false);
        await page.locator('#map-back').click();
        await page.waitForSelector('#map-outside', { state: 'hidden' });
        const { building_id, lat, lon } = site.building;
        await page.goto(`${site.url}/map/?pick=${building_id}&floor=middle&storey=2&lat=${lat}&lon=${lon}`);
        assert.match((await page.locator('#map-picked a').getAttribute('href'))!, /month=12&floor=2$/);
        await page.locator('input[name=month]').fill('6');
        await page.waitForURL(/\?month=6&floor=middle&pick=[^&]+&storey=2#18\.00\//);
        assert.ok((await other()).endsWith(page.url().slice(page.url().indexOf('?'))));
        await page.locator('select[name=floor]').selectOption('top');
        await page.waitForURL(/\?month=6&pick=[^&]+#18/);
      });
    });

    it('on a phone held across, the hours of the picked building are on the first screen; without scripts the note can be read', async () => {
      const across = { viewport: { width: 740, height: 360 }, isMobile: true, hasTouch: true };
      await site.withPage(across, async (page) => {
        await page.goto(`${site.url}/map/?pick=${site.building.building_id}`);
        const box = (await page.locator('#map-picked p', { hasText: '時間' }).boundingBox()) ?? assert.fail('none');
        assert.ok(box.y + box.height <= 360, `hours end at ${box.y + box.height}`);
      });
      await site.withPage({ viewport: { width: 360, height: 740 }, javaScriptEnabled: false }, async (page) => {
        await page.goto(`${site.url}/map/`);
        const note = page.locator('noscript .map-note');
        // A press at its middle fails where something else covers it.
        await note.click({ trial: true });
        assert.match((await note.textContent())!, /JavaScript/);
      });
    });

    it('what the address picks is said and outlined before any script', async () => {
      const id = site.building.building_id;
      const page = await site.text(`/map/?pick=${id}`);
      assert.match(page, new RegExp(`<h2>.+の建物</h2><p>.* · ${id}</p>`));
      assert.match(page, /class="pic-building \w+ picked"/);
      assert.match(await site.text('/map/?pick=99999-bldg-1'), /今のデータにありません/);
      assert.match(
        await site.text(`/en/map/?${place()}&month=6&floor=first`),
        /<li><a href="\/en\/sunlight\/building\/[^"]+\/\?month=6&(amp;)?level=first">/,
      );
    });

    it('tiles are served as they are stored, for ever; scripts of workers have a policy of their own', async () => {
      const settings = JSON.parse(/id="map-data">([^<]*)</.exec(await (await fetch(`${site.url}/map/`)).text())![1]!);
      const [west, south, east, north] = settings.bounds as number[];
      const x = Math.floor(((west! + east!) / 2 / 360 + 0.5) * 2 ** 14);
      const sine = Math.sin((((south! + north!) / 2) * Math.PI) / 180);
      const y = Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * 2 ** 14);
      const address = site.url + settings.tiles.replace('{z}', '14').replace('{x}', x).replace('{y}', y);
      const tile = await fetch(address);
      assert.deepEqual(
        [tile.status, tile.headers.get('content-encoding'), tile.headers.get('content-type')],
        [200, 'gzip', 'application/vnd.mapbox-vector-tile'],
      );
      assert.match(tile.headers.get('cache-control')!, /immutable/);
      assert.ok((await tile.arrayBuffer()).byteLength > 1000);
      assert.equal((await fetch(address.replace(/tiles\/[0-9a-f]{16}/, 'tiles/0000000000000000'))).status, 404);
      assert.equal((await (await fetch(address.replace(/\/\d+\/\d+\.mvt/, '/0/0.mvt'))).arrayBuffer()).byteLength, 0);
      const worker = await fetch(site.url + settings.worker);
      assert.match(worker.headers.get('content-security-policy')!, /default-src 'none'/);
    });

    it('before any script the page has the view as a picture: its buildings lead on, in the colours of the API', async () => {
      const id = site.building.building_id;
      const { data } = await site.json<{ data: { december_top_best: { direct_sun_hours: number } } }>(
        `/api/v1/sunlight/building/${id}`,
      );
      const page = await site.text(`/map/?pick=${id}`);
      const drawn = new RegExp(
        `/sunlight/building/${id}/[^"]*" tabindex="-1"><path class="pic-building h(\\d)( picked)?"`,
      ).exec(page);
      assert.equal(Number(drawn?.[1]), hoursClass(data.december_top_best.direct_sun_hours));
      assert.match(await site.text('/map/'), /class="pic-town /);
      assert.doesNotMatch(page, /rel="stylesheet"/, 'its style is in the page: a file would cost a round trip');
    });

    it('the picture has names of wards below zoom 12, and outlines that a browser can draw', async () => {
      const { lat, lon } = site.building;
      for (const [zoom, kind] of [
        [8, 'ward_labels'],
        [11, 'ward_labels'],
        [13, 'town_labels'],
      ] as const) {
        const page = await site.text(`/map/?lat=${lat}&lon=${lon}&zoom=${zoom}`);
        assert.ok(page.includes(`class="pic-name ${kind}"`), `${zoom}`);
        assert.doesNotMatch(page, / d="[^"]*l[zM"]/, 'a line without a point');
      }
    });

    it('homes come by tiles with what a month costs; each stands in one tile; other places have none', async () => {
      const near = await site.json<{ data: { facilities: { facility_id: string; lat: number; lon: number }[] } }>(
        `/kaigo/near/index.json?lat=${site.building.lat}&lon=${site.building.lon}&r=3000&service=510`,
      );
      const { tiles, zoom } = JSON.parse(/id="map-data">([^<]*)</.exec(await site.text('/map/'))![1]!).homes;
      const tileOf = (x: number, y: number): string => tiles.replace('{x}', `${x}`).replace('{y}', `${y}`);
      const ids = new Map<string, string[]>();
      for (const { facility_id, lat, lon } of near.data.facilities) {
        const address = tileOf(...tileAt(lat, lon, zoom));
        const { features } = await site.json<{ features: { properties: { id: string; yen: number | null } }[] }>(
          address,
        );
        ids.set(
          address,
          features.map(({ properties }) => properties.id),
        );
        assert.ok(ids.get(address)?.includes(facility_id), facility_id);
        assert.ok(features.some(({ properties: { yen } }) => yen !== null && yen > 10_000));
      }
      assert.ok(ids.size > 0);
      assert.equal(new Set([...ids.values()].flat()).size, [...ids.values()].flat().length);
      assert.deepEqual((await site.json<{ features: object[] }>(tileOf(0, 0))).features, []);
    });

    it('homes have the costs of the chosen case, and the map says which case it is', async () => {
      const { lat, lon } = site.building;
      const pinsIn = async (query: string, language = '') => {
        const page = await site.text(`${language}/map/?homes=1&lat=${lat}&lon=${lon}${query}`);
        const { homes, words } = JSON.parse(/id="map-data">([^<]*)</.exec(page)![1]!);
        const [x, y] = tileAt(lat, lon, homes.zoom);
        const tile = homes.tiles.replace('{x}', `${x}`).replace('{y}', `${y}`);
        const { features } = await site.json<{ features: { properties: { id: string; yen: number | null } }[] }>(tile);
        return { page, cost: words.homeCost, yen: new Map(features.map(({ properties: { id, yen } }) => [id, yen])) };
      };
      const own = await pinsIn('&care_level=5&copayment=20');
      const near = await site.json<{
        data: { facilities: { facility_id: string; cost_estimate: { after_refund: { typical: number } | null } }[] };
      }>(`/kaigo/near/index.json?lat=${lat}&lon=${lon}&r=3000&service=510&care_level=5&copayment=20`);
      const compared = near.data.facilities.filter(({ facility_id: id }) => own.yen.has(id));
      assert.ok(compared.length > 0);
      for (const { facility_id: id, cost_estimate } of compared)
        assert.equal(own.yen.get(id), cost_estimate.after_refund?.typical);
      assert.match(own.page, /月額は推計です。要介護5・自己負担2割/);
      assert.equal(own.cost, '月額 約{}円（選んだ条件）');
      const standard = await pinsIn('', '/en');
      assert.match(standard.page, /standard case \(care level 3/);
      assert.notDeepEqual(own.yen, standard.yen);
      // Income stage 1 has no co-payment of 30 %.
      const impossible = await pinsIn('&copayment=30&income=1');
      assert.match(impossible.page, /標準のケース/);
      assert.deepEqual(impossible.yen, standard.yen);
    });

    it('a pressed pin keeps the case on the way to its home, and the header from there to the map', async () => {
      const near = await site.json<{ data: { facilities: { facility_id: string; lat: number; lon: number }[] } }>(
        `/kaigo/near/index.json?lat=${site.building.lat}&lon=${site.building.lon}&r=3000&service=510`,
      );
      const { facility_id, lat, lon } = near.data.facilities[0] ?? assert.fail('no home');
      await site.withPage({ reducedMotion: 'reduce' }, async (page) => {
        await page.goto(`${site.url}/map/?homes=1&care_level=4&month=3&lat=${lat}&lon=${lon}`);
        await page.waitForSelector('body.map-ready', { timeout: DRAWN_MS });
        const home = page.locator(`#map-picked a[href*="/kaigo/facility/${facility_id}/"]`);
        // The pins come after the map: until then a press picks a building.
        for (const start = Date.now(); (await home.count()) === 0; ) {
          assert.ok(Date.now() - start < DRAWN_MS, 'the pin is not there');
          await page.locator('#map canvas').click();
          await page.waitForTimeout(200);
        }
        assert.match(page.url(), /care_level=4/);
        await home.click();
        await page.waitForURL(/\/kaigo\/facility\/.*care_level=4/);
        await page.locator('header nav a', { hasText: '地図' }).click();
        await page.waitForURL(/\/map\/\?.*care_level=4/);
      });
    });

    it('where one is: asked only when the button is pressed, and never sent', async () => {
      const geolocation = { latitude: site.building.lat, longitude: site.building.lon };
      await site.withPage({ geolocation, permissions: ['geolocation'] }, async (page) => {
        const asked: string[] = [];
        page.on('request', (request) => asked.push(request.url()));
        await page.goto(`${site.url}/en/`);
        await page.locator('#here').click();
        await page.waitForURL(/\/en\/map\/#16\.5\//);
        assert.ok(page.url().includes(`/${geolocation.latitude.toFixed(5)}/${geolocation.longitude.toFixed(5)}`));
        const digits = geolocation.latitude.toFixed(3);
        assert.deepEqual(
          asked.filter((one) => one.includes(digits)),
          [],
        );
      });
    });

    it('in a browser that blocks storage the map works, shows the position of the device, and does not send it', async () => {
      const geolocation = { latitude: site.building.lat, longitude: site.building.lon };
      await site.withPage({ geolocation, permissions: ['geolocation'], viewport: PHONE }, async (page) => {
        await page.addInitScript(WITHOUT_STORAGE);
        const asked: string[] = [];
        page.on('request', (request) => asked.push(request.url()));
        await page.goto(`${site.url}/en/`);
        await page.locator('#here').click();
        await page.waitForURL(/\/en\/map\/#18\//);
        await page.waitForSelector('body.map-ready', { timeout: DRAWN_MS });
        const [lat, lon] = [geolocation.latitude, geolocation.longitude].map((one) => one.toFixed(5));
        assert.equal(new URL(page.url()).hash, `#18/${lat}/${lon}`);
        // No picture of the place is asked for: its query would have the position.
        assert.deepEqual(
          asked.filter((one) => /[?&]lat=/.test(one)),
          [],
        );
        await page.goto(`${site.url}/en/sunlight/building/${site.building.building_id}/`);
        await page.selectOption('select[name=floor]', '1');
        await page.locator('form.picker button').click();
        await page.waitForURL(/floor=1&/);
      });
    });
  });
}

const PHONE = { width: 390, height: 844 };

/** Makes a browser one that blocks storage. */
const WITHOUT_STORAGE = `for (const name of ['sessionStorage', 'localStorage'])
  Object.defineProperty(window, name, { get() { throw new DOMException('Access is denied', 'SecurityError'); } });`;

/** The tile at a place. */
function tileAt(lat: number, lon: number, zoom: number): [x: number, y: number] {
  const sine = Math.sin((lat * Math.PI) / 180);
  const y = (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * 2 ** zoom;
  return [Math.floor((lon / 360 + 0.5) * 2 ** zoom), Math.floor(y)];
}
