import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { closeSync, openSync, readFileSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { flipBytes } from '../../bench/faults/flips.ts';
import { openDataset, openNewest } from '../../src/dataset/open.ts';
import { writeSunlight } from '../../src/dataset/sunlight-writer.ts';
import { DatasetError, readManifest } from '../../src/snapshot/manifest.ts';
import { publishDataset, startDraft } from '../../src/snapshot/publish.ts';
import { bulkWriter, draftManifest, encoded, publishRecords, town } from '../dataset/support/dataset.ts';
import { records } from '../dataset/support/records.ts';
import { startServer } from '../support/api-server.ts';
import { tempFolder } from '../support/temp-folder.ts';

const TOWNS = [town('13101001001', '丸の内一丁目', null)];
const RECORDS = fc
  .sample(records, { numRuns: 60, seed: 5 })
  .map((record, i) => ({ ...record, buildingId: `13101-bldg-${i}`, townCode: '13101001001' }));
const [OLD, NEW] = ['2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'];

test('a flipped byte anywhere gives the right answer or none', async (t) => {
  const flips = await flipBytes(await publishRecords(tempFolder(t), RECORDS, TOWNS), 120, 1);
  assert.deepEqual(flips.wrong, []);
  assert.ok(flips.refused > 20 && flips.answersRefused > 20, JSON.stringify(flips));
});

test('every flipped bit of a manifest is found', async (t) => {
  const folder = await publishRecords(tempFolder(t), RECORDS.slice(0, 2), TOWNS);
  const path = join(folder, 'manifest.json');
  const bytes = readFileSync(path);
  for (let bit = 0; bit < 8 * bytes.length; bit += 7) {
    const flipped = Buffer.from(bytes);
    flipped[bit >> 3]! ^= 1 << (bit & 7);
    writeFileSync(path, flipped);
    await assert.rejects(readManifest(folder), DatasetError, `bit ${bit}`);
  }
});

test('a manifest is opened with the key that signed it, and with no other', async (t) => {
  const data = tempFolder(t);
  const [own, other] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];
  const draft = await startDraft(data);
  const rows = await writeSunlight(draft, encoded(RECORDS), TOWNS, bulkWriter(draft, RECORDS));
  const folder = await publishDataset(data, draft, draftManifest('aaaa'), { rows, signKey: own.privateKey });
  await (await openDataset(folder, { trusted: own.publicKey })).close();
  await (await openDataset(folder)).close();
  await assert.rejects(openDataset(folder, { trusted: other.publicKey }), /is not that of the trusted key/);
  const unsigned = await publishRecords(data, RECORDS, TOWNS, draftManifest('bbbb', NEW));
  await assert.rejects(openDataset(unsigned, { trusted: own.publicKey }), /not signed; expected the signature of key/);
  const { dataset } = await openNewest(data, { trusted: own.publicKey });
  assert.equal(dataset?.manifest.dataset_id, 'aaaa');
  await dataset.close();
});

/** A server on a data folder with two datasets. */
async function serveTwo(t: TestContext, datasets = [OLD, NEW]) {
  const data = tempFolder(t);
  const folders: string[] = [];
  for (const [i, at] of datasets.entries())
    folders.push(await publishRecords(data, RECORDS, TOWNS, draftManifest(`d${i}`, at)));
  const open = (unless?: string, damaged?: ReadonlySet<string>) =>
    openNewest(data, { unless, ...(damaged ? { damaged } : {}) });
  const server = await startServer(t, { open });
  const ask = async (): Promise<[status: number, dataset: string | undefined]> => {
    const response = await fetch(`${server.url}/api/v1/sunlight/building/13101-bldg-7`);
    const body = (await response.json()) as { meta?: { dataset_id: string } };
    return [response.status, body.meta?.dataset_id];
  };
  return { server, ask, newest: folders.at(-1)! };
}

test('a damaged record is a 503, and the dataset before it answers the next', async (t) => {
  const { server, ask, newest } = await serveTwo(t);
  assert.deepEqual(await ask(), [200, 'd1']);
  const { datasets } = server.service;
  const file = openSync(join(newest, 'sunlight.store'), 'r+');
  // The bytes that contain the records; the directory after them is in memory.
  for (let at = 0; at < 60_000; at += 1000) writeSync(file, 'x', at);
  closeSync(file);
  const asked = await fetch(`${server.url}/api/v1/sunlight/building/13101-bldg-8/full`);
  assert.ok([200, 503].includes(asked.status));
  await datasets.stepBack(datasets.current.dataset, 'found by the test');
  assert.deepEqual(await ask(), [200, 'd0']);
  assert.equal(datasets.stepBacks, 1);
});

test('with no dataset to step back to, what is whole is answered and what is damaged is 503', async (t) => {
  const { server, ask, newest } = await serveTwo(t, [NEW]);
  const path = join(newest, 'sunlight.store');
  truncateSync(path, 5000);
  const statuses = new Set<number>();
  for (let i = 0; i < 60; i++) {
    const response = await fetch(`${server.url}/api/v1/sunlight/building/13101-bldg-${i}`);
    const body = (await response.json()) as { data?: { building_id: string }; detail?: string };
    statuses.add(response.status);
    if (response.status === 200) assert.equal(body.data!.building_id, `13101-bldg-${i}`);
    else assert.match(body.detail!, /A file for this answer is damaged on this server/);
  }
  assert.ok(statuses.has(503), [...statuses].join());
  assert.equal((await fetch(`${server.url}/healthz`)).status, 200);
  const { datasets } = server.service;
  assert.ok(datasets.damagedReads > 0 && datasets.isDamaged && datasets.stepBacks === 0);
  assert.ok(server.log.some(({ msg }) => msg === 'the dataset is damaged'));
  await ask();
});

test('damage that nobody asks for is found in the background, and the dataset before takes its place', async (t) => {
  const { server, ask, newest } = await serveTwo(t);
  const path = join(newest, 'bulk', 'sunlight', '13101.parquet');
  const bytes = readFileSync(path);
  bytes[bytes.length >> 1]! ^= 1;
  writeFileSync(path, bytes);
  const { datasets } = server.service;
  datasets.guard(1e9);
  for (let i = 0; i < 500 && datasets.stepBacks === 0; i++) await delay(10);
  assert.deepEqual(await ask(), [200, 'd0']);
});

test('a file that is cut after the reading in the background is found without a request', async (t) => {
  const { server, ask, newest } = await serveTwo(t);
  const { datasets } = server.service;
  datasets.guard(1e9);
  const isRead = () => server.log.some(({ msg }) => msg === 'every file of the dataset is as it was built');
  while (!isRead()) await delay(10);
  truncateSync(join(newest, 'sunlight.store'), 5000);
  for (let i = 0; i < 500 && datasets.stepBacks === 0; i++) await delay(10);
  assert.deepEqual(await ask(), [200, 'd0']);
});
