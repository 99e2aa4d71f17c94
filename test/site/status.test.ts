import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { it } from 'node:test';
import { SaxesParser } from 'saxes';
import { SUNLIGHT_HANDLERS } from '../../src/api/operations/sunlight.ts';
import { operationRoute } from '../../src/api/routes.ts';
import { openApiDocument } from '../../src/contract/openapi.ts';
import { OPERATIONS } from '../../src/contract/operations.ts';
import { changesFeed, versionEntries } from '../../src/site/frame/discovery.ts';
import { startServer } from '../support/api-server.ts';
import { FakeDataset } from '../support/fake-dataset.ts';
import { tempFolder } from '../support/temp-folder.ts';

it('the status page says in both languages how the service is, and is never kept', async (test) => {
  const { url, service } = await startServer(test);
  const page = async (path: string) => {
    const response = await fetch(url + path);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('cache-control'), 'no-store');
    return response.text();
  };
  assert.match(await page('/status/'), /正常に動いています/);
  assert.match(await page('/en/status/'), /Everything is in order/);
  assert.match(await page('/en/status/'), /fake-1/);
  service.slot.met(service.slot.current.dataset, 'a flipped byte');
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
  const feed = await changesFeed({ dataset, siteUrl: 'http://x' });
  assert.match(feed, /<updated>2026-01-01T00:00:00Z<\/updated>\n<link rel="self"/);
  writeFileSync(join(data, 'stray'), '');
  assert.equal(await changesFeed({ dataset, siteUrl: 'http://x' }), feed);
});

it('versions come from the changelog as soon as they have a day', () => {
  const entries = versionEntries('# C\n\n## 1.1.0, unreleased\n\n- a\n\n## 1.0.0, 2026-12-01\n\n- <b>\n', 'http://x');
  assert.deepEqual(entries, [
    {
      id: 'http://x/changes.atom#version-1.0.0',
      title: 'Program 1.0.0',
      updated: '2026-12-01T00:00:00Z',
      link: 'http://x/status/',
      summary: '- <b>',
    },
  ]);
});

it('a deprecated operation says so with every answer and in OpenAPI; no other does', () => {
  const deprecated = { since: '2027-01-01', until: '2027-07-01', link: 'http://x/status/' };
  const first = SUNLIGHT_HANDLERS['sunlight-building'];
  const route = operationRoute({ ...first, operation: { ...first.operation, deprecated } });
  assert.deepEqual(route.headers, [
    ...['Deprecation', '@1798761600', 'Sunset', 'Thu, 01 Jul 2027 00:00:00 GMT'],
    ...['Link', '<http://x/status/>; rel="deprecation"'],
  ]);
  assert.deepEqual(operationRoute(first).headers, []);
  const [row] = OPERATIONS;
  const paths = openApiDocument([{ ...row!, deprecated }, OPERATIONS[1]!], 'http://x').paths as Record<
    string,
    { get: { deprecated?: boolean } }
  >;
  assert.equal(paths[row!.path]!.get.deprecated, true);
  assert.equal(paths[OPERATIONS[1]!.path]!.get.deprecated, undefined);
});
