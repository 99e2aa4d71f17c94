import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startServer } from '../support/api-server.ts';
import { FakeDataset, KNOWN } from '../support/fake-dataset.ts';

const PATH = `/api/v1/sunlight/building/${KNOWN.building}`;
const POINT = '/api/v1/sunlight/point?lat=35.6&lon=139.7&height_m=3';

test('a newer dataset takes over; requests in flight end on the old one, which is closed after them', async (t) => {
  const [old, fresh] = [new FakeDataset('old'), new FakeDataset('fresh')];
  let let_go = () => {};
  old.pointReady = new Promise((resolve) => (let_go = resolve));
  const datasets = [old, fresh];
  const open = async () => ({ dataset: datasets.shift() ?? null, refused: [] });
  const { url, service } = await startServer(t, { open, offered: new Set(['sunlight-point']) });
  const tag = (await fetch(url + PATH)).headers.get('etag');
  const slow = fetch(url + POINT);
  while (old.pointsAsked === 0) await new Promise((resolve) => setImmediate(resolve));
  const swapped = service.datasets.swap();
  while (service.datasets.current.dataset !== fresh) await new Promise((resolve) => setImmediate(resolve));
  const now = await fetch(url + PATH);
  assert.equal(((await now.json()) as { meta: { dataset_id: string } }).meta.dataset_id, 'fresh');
  assert.notEqual(now.headers.get('etag'), tag);
  assert.equal(old.closed, false);
  let_go();
  assert.equal(((await (await slow).json()) as { meta: { dataset_id: string } }).meta.dataset_id, 'old');
  await swapped;
  assert.equal(old.closed, true);
  assert.equal(fresh.closed, false);
});

test('nothing newer, a damaged one, an unreadable folder: the old one stays and the log says why', async (t) => {
  const old = new FakeDataset('old');
  const results = [
    async () => ({ dataset: old, refused: [] }),
    async () => ({ dataset: null, refused: [] }),
    async () => ({ dataset: null, refused: ['x/manifest.json: is cut off'] }),
    async () => {
      throw new Error('x: cannot be read');
    },
  ];
  const { url, service, log } = await startServer(t, { open: () => results.shift()!() });
  for (let i = 0; i < 3; i++) await service.datasets.swap();
  assert.equal((await fetch(url + PATH)).status, 200);
  assert.equal(old.closed, false);
  const reasons = log.filter(({ msg }) => msg === 'dataset refused').map(({ reason }) => reason);
  assert.deepEqual(reasons, ['x/manifest.json: is cut off', 'x: cannot be read']);
});

test('a damaged dataset that cannot be opened again stays, and is damaged still', async (t) => {
  const old = new FakeDataset('old');
  const results = [{ dataset: old, refused: [] }];
  const open = async () => results.shift() ?? { dataset: null, refused: ['old: is cut off'] };
  const { service } = await startServer(t, { open });
  await service.datasets.stepBack(old, 'is cut off');
  assert.equal(service.datasets.isDamaged, true);
  await service.datasets.swap();
  assert.equal(service.datasets.isDamaged, true);
  const mended = new FakeDataset('old');
  results.push({ dataset: mended, refused: [] });
  await service.datasets.swap();
  assert.deepEqual([service.datasets.current.dataset, service.datasets.isDamaged], [mended, false]);
});

test('without a single complete dataset there is nothing to serve', async (t) => {
  const open = async () => ({ dataset: null, refused: ['a: has no manifest', 'b: is cut off'] });
  await assert.rejects(
    startServer(t, { open }),
    /there is no complete dataset to serve; a: has no manifest; b: is cut off/,
  );
});

test('a download URL goes on working after the swap', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'hidamari-swap-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const old = new FakeDataset('old', folder);
  old.addBulk(Buffer.from('old content'));
  const datasets = [old, new FakeDataset('fresh')];
  const { url, service } = await startServer(t, {
    open: async () => ({ dataset: datasets.shift()!, refused: [] }),
    findBulk: async (id, half, code) => (id === 'old' ? old[half]!.bulk(code) : null),
  });
  const offer = (await (await fetch(`${url}/api/v1/sunlight/bulk/${KNOWN.ward}`)).json()) as { data: { url: string } };
  await service.datasets.swap();
  assert.equal(await (await fetch(offer.data.url)).text(), 'old content');
});

test('no request fails while datasets change', async (t) => {
  let id = 0;
  const open = async () => ({ dataset: new FakeDataset(`dataset-${id++}`), refused: [] });
  const { url, service } = await startServer(t, { open });
  let running = true;
  const client = async () => {
    const seen = new Set<string>();
    while (running) {
      const response = await fetch(url + PATH);
      assert.equal(response.status, 200);
      seen.add(((await response.json()) as { meta: { dataset_id: string } }).meta.dataset_id);
    }
    return seen.size;
  };
  const clients = Array.from({ length: 4 }, client);
  for (let i = 0; i < 20; i++) {
    await service.datasets.swap();
    await fetch(url + PATH);
  }
  running = false;
  for (const seen of await Promise.all(clients)) assert.ok(seen > 1);
});

test('while shutting down, readyz says so and requests are still answered', async (t) => {
  const { url, service } = await startServer(t);
  assert.equal((await fetch(`${url}/readyz`)).status, 200);
  service.draining = true;
  const ready = await fetch(`${url}/readyz`);
  assert.equal(ready.status, 503);
  assert.ok(Number(ready.headers.get('retry-after')) > 0);
  const answer = await fetch(url + PATH);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('connection'), 'close');
  assert.equal((await fetch(`${url}/healthz`)).status, 200);
});
