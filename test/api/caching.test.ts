import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { Body, BodyCache, chooseCoding, PackedBody } from '../../src/http/body.ts';
import { entityTag, matchesTag } from '../../src/http/conditional.ts';
import { rawExchange, startServer } from '../support/api-server.ts';
import { FakeDataset, KNOWN } from '../support/fake-dataset.ts';

const FULL = `/api/v1/sunlight/building/${KNOWN.building}/full`;
const NEAR = '/api/v1/sunlight/near';

const LARGE = 10_000;
const ACCEPT: [string | undefined, number, string][] = [
  [undefined, LARGE, 'identity'],
  ['', LARGE, 'identity'],
  ['gzip', LARGE, 'gzip'],
  ['br', LARGE, 'br'],
  ['gzip, deflate, br, zstd', LARGE, 'br'],
  ['GZIP;Q=0.5, br;q=0.4', LARGE, 'gzip'],
  ['br;q=0, gzip', LARGE, 'gzip'],
  ['br;q=0, gzip;q=0', LARGE, 'identity'],
  ['*', LARGE, 'br'],
  ['*;q=0', LARGE, 'identity'],
  ['identity;q=0', LARGE, 'identity'],
  ['identity;q=1, br;q=0.5', LARGE, 'identity'],
  ['x-gzip', LARGE, 'gzip'],
  ['gzip;q=nonsense', LARGE, 'gzip'],
  ['br', 100, 'identity'],
];
for (const [accept, bytes, coding] of ACCEPT) {
  test(`Accept-Encoding ${accept} for ${bytes} bytes: ${coding}`, () => {
    assert.equal(chooseCoding(accept, bytes), coding);
  });
}

const STORED: [string | undefined, string][] = [
  [undefined, 'identity'],
  ['br', 'identity'],
  ['br, gzip;q=0.5', 'gzip'],
  ['br, gzip;q=0', 'identity'],
  ['gzip;q=0, *', 'identity'],
  ['*', 'gzip'],
];
for (const [accept, coding] of STORED) {
  test(`Accept-Encoding ${accept} for a body that is stored as gzip: ${coding}`, () => {
    const sent = new PackedBody(gzipSync('tile')).bytesFor(accept);
    assert.equal(sent.coding, coding);
    assert.equal(String(coding === 'gzip' ? gunzipSync(sent.bytes) : sent.bytes), 'tile');
  });
}

const MATCH: [string, boolean][] = [
  ['"a"', true],
  ['W/"a"', true],
  ['"b", "a"', true],
  ['"b",W/"c" ,  "a"', true],
  ['*', true],
  [' * ', true],
  ['"b"', false],
  ['a', false],
  ['"A"', false],
  ['', false],
  ['"', false],
  ['"b, a"', false],
  ['"b","a",', true],
  [', "a"', true],
  ['x"a"', false],
  ['"a"x', false],
  ['"b" "a"', false],
  ['*, "a"', false],
  ['w/"a"', false],
  [`"b"${' ,'.repeat(5000)}x`, false],
];
for (const [header, matches] of MATCH) {
  test(`If-None-Match ${header} ${matches ? 'matches' : 'does not match'} "a"`, () => {
    assert.equal(matchesTag(header, '"a"'), matches);
  });
}

test('different requests, datasets and codings have different tags', () => {
  const part = fc.stringMatching(/^[\w.-]+$/);
  fc.assert(
    fc.property(fc.tuple(part, part, part), fc.tuple(part, part, part), (a, b) => {
      const same = a.every((text, i) => text === b[i]);
      assert.equal(entityTag(...a) === entityTag(...b), same);
    }),
  );
});

test('a body is the same in every coding, and each has a tag of its own', async (t) => {
  const { port, url } = await startServer(t);
  const plain = await (await fetch(url + FULL, { headers: { 'accept-encoding': 'identity' } })).text();
  const tags = new Set<string>();
  for (const [accept, decode] of [
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
    ['identity', (body: Buffer) => body],
  ] as const) {
    const request = `GET ${FULL} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: ${accept}\r\nConnection: close\r\n\r\n`;
    const answer = Buffer.from(await rawExchange(port, request, 'latin1'), 'latin1');
    const end = answer.indexOf('\r\n\r\n');
    const head = answer.subarray(0, end).toString();
    assert.equal(decode(answer.subarray(end + 4)).toString(), plain);
    assert.match(head, /^Vary: Accept-Encoding\r$/m);
    tags.add(/^ETag: (".*")\r$/m.exec(head)![1]!);
  }
  assert.equal(tags.size, 3);
});

test('304 has the tag and no body; a tag of another coding does not match; it costs nothing', async (t) => {
  const { url } = await startServer(t);
  const first = await fetch(url + FULL, { headers: { 'accept-encoding': 'gzip' } });
  const tag = first.headers.get('etag')!;
  const again = (coding: string, known: string) =>
    fetch(url + FULL, { headers: { 'accept-encoding': coding, 'if-none-match': known } });
  const unchanged = await again('gzip', `"x", W/${tag}`);
  assert.equal(unchanged.status, 304);
  assert.equal(unchanged.headers.get('etag'), tag);
  assert.equal(unchanged.headers.get('cache-control'), first.headers.get('cache-control'));
  assert.equal(unchanged.headers.get('x-cost-units'), '0');
  assert.equal((await again('br', tag)).status, 200);
  assert.equal((await again('gzip', '*')).status, 304);
});

test('If-None-Match does not make a resource that is not there unchanged', async (t) => {
  const { url } = await startServer(t);
  const response = await fetch(`${url}/api/v1/sunlight/building/13101-bldg-9`, { headers: { 'if-none-match': '*' } });
  assert.equal(response.status, 404);
  assert.equal(response.headers.get('etag'), null);
  assert.equal(response.headers.get('cache-control'), 'no-store');
});

test('the same request has the same tag however it is written; another dataset has another', async (t) => {
  const one = await startServer(t);
  const tagOf = async (url: string) => (await fetch(url)).headers.get('etag');
  const tag = await tagOf(`${one.url}${NEAR}?lat=35.5&lon=139.7`);
  assert.equal(await tagOf(`${one.url}${NEAR}?lon=139.70&lat=35.50&r=100`), tag);
  assert.notEqual(await tagOf(`${one.url}${NEAR}?lon=139.70&lat=35.50&r=101`), tag);
  const dataset = new FakeDataset('fake-2');
  const open = async () => ({ dataset, refused: [] });
  const { datasets } = one.service;
  const before = datasets.current;
  const other = await startServer(t, { open });
  assert.notEqual(other.service.datasets.current.tagSeed, before.tagSeed);
});

test('bodies are kept within the memory they are given: the newest, and those that are asked for again', () => {
  const cache = new BodyCache(16 << 20);
  const megabyte = 'x'.repeat(1 << 20);
  for (let i = 0; i < 40; i++) {
    cache.put(String(i), Body.of(megabyte));
    assert.ok(cache.get('0') !== undefined && cache.get(String(i)) !== undefined);
  }
  const kept = Array.from({ length: 40 }, (_, i) => 39 - i).filter((i) => cache.get(String(i)) !== undefined);
  assert.ok(kept.length >= 5 && kept.length <= 10, String(kept));
  assert.deepEqual(kept.slice(0, 4), [39, 38, 37, 36]);
  cache.put('huge', Body.of('x'.repeat(17 << 20)));
  assert.equal(cache.get('huge'), undefined);
});

test('a body that is kept, and its compressed forms, hold no more memory than their bytes', async () => {
  const body = Body.of('住所 '.repeat(1000));
  new BodyCache(1 << 20).put('a', body);
  for (const bytes of [body.content, await body.coded('br'), await body.coded('gzip')]) {
    assert.ok(typeof bytes !== 'string');
    assert.equal(bytes.buffer.byteLength, bytes.length);
  }
});

test('an answer from memory is the answer from the dataset, and nothing that is not there is remembered', async (t) => {
  const { url, dataset, service } = await startServer(t);
  const first = await (await fetch(url + FULL)).text();
  dataset.sunlight!.full = () => assert.fail('asked twice');
  assert.equal(await (await fetch(url + FULL)).text(), first);
  for (const n of [1, 2]) await fetch(`${url}/api/v1/sunlight/building/13101-bldg-${n}`);
  assert.equal(service.datasets.current.bodies.get('sunlight-building/13101-bldg-1'), undefined);
});
