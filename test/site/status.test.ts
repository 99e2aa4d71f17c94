import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { it } from 'node:test';
import { SaxesParser } from 'saxes';
import { TOKYO_CONTRACT } from '../../src/contract/contract.ts';
import { openApiDocument } from '../../src/contract/openapi.ts';
import { DamagedFileError } from '../../src/formats/checked-file.ts';
import { MemoryRateLimiter } from '../../src/http/rate-limiter.ts';
import { versionEntries } from '../../src/site/frame/discovery.ts';
import { startServer } from '../support/api-server.ts';
import { FakeDataset, KNOWN } from '../support/fake-dataset.ts';
import { tempFolder } from '../support/temp-folder.ts';

const { operations: OPERATIONS } = TOKYO_CONTRACT;

it('the status page says in both languages how the service is, and is never kept', async (test) => {
  const { url, service } = await startServer(test);
  const page = async (path: string) => {
    const response = await fetch(url + path);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('cache-control'), 'no-store');
    return response.text();
  };
  assert.match(await page('/status/'), /正常に動いています/);
  assert.match(await page('/en/status/'), /is working normally/);
  assert.match(await page('/en/status/'), /fake-1/);
  const { dataset } = service.datasets.current;
  const elsewhere = new DamagedFileError('/data/older/bulk/13101.parquet', 'of a dataset that is not served');
  service.datasets.foundDamage(dataset, elsewhere);
  assert.match(await page('/en/status/'), /is working normally/);
  service.datasets.foundDamage(dataset, new DamagedFileError(join(dataset.folder, 'sunlight.store'), 'a flipped byte'));
  assert.match(await page('/en/status/'), /part of the data is damaged/);
  service.draining = true;
  assert.match(await page('/en/status/'), /about to stop/);
});

it('the feed of changes is well-formed Atom with the dataset that is served', async (test) => {
  const { url } = await startServer(test);
  const response = await fetch(`${url}/changes.atom`);
  assert.equal(response.headers.get('content-type'), 'application/atom+xml');
  const names: string[] = [];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name }) => names.push(name));
  const text = await response.text();
  parser.write(text).close();
  assert.equal(names[0], 'feed');
  assert.ok(names.filter((name) => name === 'entry').length >= 1);
  assert.match(text, new RegExp(`<id>${url}/changes.atom#dataset-fake-1</id>`));
});

it('the feed lists older datasets of the data folder, and none that is newer than the one served', async (test) => {
  const data = tempFolder(test);
  const dataset = new FakeDataset('now', join(data, 'now'));
  mkdirSync(dirname(dataset.folder), { recursive: true });
  const { url } = await startServer(test, { dataset });
  const feed = async () => (await fetch(`${url}/changes.atom`)).text();
  const before = await feed();
  assert.match(before, /<updated>2026-01-01T00:00:00Z<\/updated>\n<link rel="self"/);
  writeFileSync(join(data, 'stray'), '');
  assert.equal(await feed(), before);
});

it('versions come from the changelog as soon as they have a day', () => {
  const entries = versionEntries('# C\n\n## 1.1.0, unreleased\n\n- a\n\n## 1.0.0, 2026-12-01\n\n- <b>\n', 'http://x');
  assert.deepEqual(entries, [
    {
      id: 'http://x/changes.atom#version-1.0.0',
      title: 'Program 1.0.0',
      updated: '2026-12-01T00:00:00Z',
      link: 'http://x/changes/',
      summary: '- <b>',
    },
  ]);
});

/** From the first day to the last, and where to read of it; the headers that say so. */
const DEPRECATED = { since: '2027-01-01', until: '2027-06-30', link: 'http://x/status/' };
const ANNOUNCED = ['@1798761600', 'Thu, 01 Jul 2027 00:00:00 GMT', '<http://x/status/>; rel="deprecation"'];

it('a deprecated operation says so with every answer: pages of a list, unchanged ones, refusals', async (test) => {
  const { url, service } = await startServer(test, { limiters: { api: new MemoryRateLimiter(6) } });
  const { findRoute } = service;
  service.findRoute = (path) => {
    const found = findRoute(path);
    if (found === null || found.route.id !== 'sunlight-town-buildings') return found;
    return { ...found, route: { ...found.route, deprecated: DEPRECATED } };
  };
  const path = `/api/v1/sunlight/town/${KNOWN.town}/buildings`;
  const announced = async (asked: string, status: number, init: RequestInit = {}) => {
    const { status: given, headers } = await fetch(url + asked, init);
    assert.equal(given, status, asked);
    const links = headers.get('link')?.split(/, (?=<)/) ?? [];
    const ending = links.find((link) => link.includes('deprecation'));
    assert.deepEqual([headers.get('deprecation'), headers.get('sunset'), ending], ANNOUNCED, `${status} ${asked}`);
    return { etag: headers.get('etag') ?? '', links };
  };
  const { etag, links } = await announced(path, 200);
  assert.ok(
    links.some((link) => link.endsWith('rel="next"')),
    String(links),
  );
  await announced(path, 304, { headers: { 'If-None-Match': etag } });
  await announced(path, 200, { method: 'HEAD' });
  await announced(`${path}?page=99`, 404);
  await announced(`${path}?page=no`, 400);
  await announced(path, 405, { method: 'DELETE' });
  await announced(path, 429);
  const other = await fetch(`${url}/openapi.json`);
  assert.deepEqual([other.headers.get('deprecation'), other.headers.get('sunset')], [null, null]);
});

it('a deprecated operation is marked in OpenAPI; no other is', () => {
  const [row, other] = OPERATIONS;
  assert.ok(row !== undefined && other !== undefined);
  const document = openApiDocument(
    { ...TOKYO_CONTRACT, operations: [{ ...row, deprecated: DEPRECATED }, other] },
    'http://x',
  );
  const paths = document.paths as Record<string, { get: { deprecated?: boolean } }>;
  assert.deepEqual([paths[row.path]?.get.deprecated, paths[other.path]?.get.deprecated], [true, undefined]);
});
