import assert from 'node:assert/strict';
import { test } from 'node:test';
import { siteRoutes } from '../../src/site/pages.ts';
import { startServer } from '../support/api-server.ts';
import { FakeDataset } from '../support/fake-dataset.ts';
import { hidamari } from '../support/run.ts';
import { tempFolder } from '../support/temp-folder.ts';

const HOST = 'https://maps.example';

test('another map below ours: the pages of the map may load its tiles, and no other page may', () => {
  const pages = siteRoutes({ tiles: `${HOST}/{z}/{x}/{y}.png`, credit: 'Somebody', maxzoom: 18 });
  const allowed = pages.filter(({ headers }) => headers.some((header) => header.includes(HOST)));
  assert.deepEqual(
    allowed.map(({ id }) => id),
    ['map-page-ja', 'map-page-en'],
  );
  const policy = allowed[0]!.headers[1]!;
  for (const rule of ['img-src', 'connect-src']) assert.match(policy, new RegExp(`${rule} 'self' ${HOST}[ ;]`));
  assert.ok(!siteRoutes(null).some(({ headers }) => headers.some((header) => header.includes(HOST))));
});

test('its credit is a link where an address stands behind it', async (t) => {
  const credits = {
    '地理院タイル https://maps.gsi.go.jp/development/ichiran.html':
      ' | <a href="https://maps.gsi.go.jp/development/ichiran.html">地理院タイル</a></details>',
    'Somebody <b>': ' | Somebody &lt;b&gt;</details>',
  };
  for (const [credit, expected] of Object.entries(credits)) {
    const baseMap = { tiles: `${HOST}/{z}/{x}/{y}.png`, credit, maxzoom: 18 };
    const { url } = await startServer(t, { baseMap });
    assert.ok((await (await fetch(`${url}/map/`)).text()).includes(expected), credit);
    assert.match(await (await fetch(`${url}/en/terms/`)).text(), /loads a background map from maps\.example,/);
  }
});

test('the map begins where something is drawn: without towns at the zoom of buildings', async (t) => {
  for (const [leastZoom, zoom] of [
    [8, 13.3],
    [14, 14],
  ]) {
    const dataset = new FakeDataset('a', tempFolder(t));
    dataset.map = {
      bounds: [135.43, 34.61, 135.46, 34.64],
      leastZoom: leastZoom!,
      mostZoom: 15,
      about: {},
      tile: () => null,
      whole: () => null,
    };
    const { url } = await startServer(t, { dataset });
    const text = await (await fetch(`${url}/map/`)).text();
    assert.equal(/"view":\{[^}]*"zoom":([\d.]+)/.exec(text)?.[1], String(zoom));
  }
});

test('its address has places for zoom, column and row, and it has a credit', async () => {
  const wrong = await hidamari(['serve', '--base-map', `${HOST}/tiles.png`]);
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /\{z\}\/\{x\}\/\{y\}/);
});
