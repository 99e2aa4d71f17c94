import assert from 'node:assert/strict';
import { hash, randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { BulkUrlSigner } from '../../src/api/bulk-files.ts';
import { byteRange } from '../../src/http/conditional.ts';
import { type ApiServer, startServer } from '../support/api-server.ts';
import { ContractProxy } from '../support/contract-proxy.ts';
import { KNOWN } from '../support/fake-dataset.ts';

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const CONTENT = randomBytes(5000);

async function offered(server: ApiServer): Promise<{ url: string; expires_at: string; sha256: string; bytes: number }> {
  const response = await fetch(`${server.url}/api/v1/sunlight/bulk/${KNOWN.ward}`);
  assert.equal(response.headers.get('cache-control'), 'no-store');
  assert.equal(response.headers.get('etag'), null);
  return ((await response.json()) as { data: Awaited<ReturnType<typeof offered>> }).data;
}

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

test('the file comes whole, with its length, hash and name', async (t) => {
  const server = await startServer(t);
  server.dataset.addBulk(CONTENT);
  const { url, sha256, bytes } = await offered(server);
  const response = await fetch(url);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('accept-ranges'), 'bytes');
  assert.equal(response.headers.get('content-disposition'), 'attachment; filename="sunlight-13101.parquet"');
  const body = await bytesOf(response);
  assert.equal(body.length, bytes);
  assert.equal(hash('sha256', body), sha256);
  const head = await fetch(url, { method: 'HEAD' });
  assert.equal(head.headers.get('content-length'), '5000');
  assert.equal(head.headers.get('etag'), `"${sha256}"`);
  const known = await fetch(url, { headers: { 'if-none-match': `"${sha256}"` } });
  assert.equal(known.status, 304);
});

test('ranges over a socket', async (t) => {
  const server = await startServer(t);
  server.dataset.addBulk(CONTENT);
  const { url, sha256 } = await offered(server);
  const ask = (range: string, more: Record<string, string> = {}) => fetch(url, { headers: { range, ...more } });
  const part = await ask('bytes=10-19');
  assert.equal(part.status, 206);
  assert.equal(part.headers.get('content-range'), 'bytes 10-19/5000');
  assert.deepEqual(await bytesOf(part), CONTENT.subarray(10, 20));
  assert.deepEqual(await bytesOf(await ask('bytes=-7')), CONTENT.subarray(-7));
  assert.deepEqual(await bytesOf(await ask('bytes=4990-')), CONTENT.subarray(4990));
  const beyond = await ask('bytes=5000-');
  assert.equal(beyond.status, 416);
  assert.match(((await beyond.json()) as { type: string }).type, /\/problems\/range-not-satisfiable\/$/);
  assert.equal(beyond.headers.get('content-range'), 'bytes */5000');
  assert.equal(beyond.headers.get('x-cost-units'), '0');
  assert.equal((await ask('Bytes=0-1')).status, 206);
  assert.equal((await ask('bytes=0-1,3-4')).status, 200);
  for (const range of ['bytes=10-19', 'bytes=5000-']) {
    const head = await fetch(url, { method: 'HEAD', headers: { range } });
    assert.deepEqual([head.status, head.headers.get('content-length')], [200, '5000'], 'ranges are of GET alone');
  }
  const exposed = part.headers.get('access-control-expose-headers')!.split(', ');
  for (const name of ['Content-Range', 'Accept-Ranges', 'ETag']) assert.ok(exposed.includes(name), name);
  assert.equal((await ask('bytes=0-1', { 'if-range': `"${sha256}"` })).status, 206);
  assert.equal((await ask('bytes=0-1', { 'if-range': '"other"' })).status, 200);
  assert.equal((await ask('bytes=0-1', { 'if-range': `W/"${sha256}"` })).status, 200);
});

test('any range is a slice of the file, everything, or nothing', () => {
  const header = fc.oneof(
    fc.tuple(fc.nat(30), fc.nat(30)).map(([a, b]) => `bytes=${a}-${b}`),
    fc.nat(30).map((a) => `bytes=${a}-`),
    fc.nat(30).map((a) => `bytes=-${a}`),
    fc.string(),
  );
  fc.assert(
    fc.property(header, fc.integer({ min: 0, max: 20 }), (text, size) => {
      const range = byteRange(text, size);
      if (range === null || range === 'unsatisfiable') return;
      assert.ok(range.start >= 0 && range.start <= range.end && range.end < size);
    }),
  );
  assert.equal(byteRange('bytes=5-2', 10), null);
  assert.equal(byteRange('bytes=-0', 10), 'unsatisfiable');
  assert.equal(byteRange('bytes=99999999999999999999-', 10), 'unsatisfiable');
  assert.deepEqual(byteRange('bytes=0-99999999999999999999', 10), { start: 0, end: 9 });
});

test('the URL works until the second it names, and says when that is', async (t) => {
  const server = await startServer(t);
  server.dataset.addBulk(CONTENT);
  server.clock.now = Date.UTC(2026, 0, 1, 12, 0, 0, 999);
  const { url, expires_at } = await offered(server);
  assert.equal(expires_at, '2026-01-01T13:00:00Z');
  server.clock.now = Date.parse(expires_at) - 1;
  assert.equal((await fetch(url)).status, 200);
  server.clock.now = Date.parse(expires_at);
  const late = await fetch(url);
  assert.equal(late.status, 401);
  assert.match(((await late.json()) as { detail: string }).detail, /expired/);
});

test('whatever is changed, the URL does not verify', () => {
  const signer = new BulkUrlSigner(['a secret of the server']);
  const { target } = signer.sign('/bulk/1/sunlight/13101.parquet', 0);
  const [path, query] = target.split('?') as [string, string];
  assert.equal(signer.verify(path, query, 0), 'valid');
  fc.assert(
    fc.property(fc.nat(target.length - 1), fc.stringMatching(/^[\w%&=./?-]$/), (at, character) => {
      fc.pre(target[at] !== character);
      const changed = target.slice(0, at) + character + target.slice(at + 1);
      const question = changed.indexOf('?');
      fc.pre(question > 0);
      const verdict = signer.verify(changed.slice(0, question), changed.slice(question + 1), 0);
      assert.equal(verdict, 'forged', changed);
    }),
  );
  for (const more of [
    `${query}&`,
    `${query}&x=1`,
    `${query}&expires=99999999999`,
    query.replace('expires=', 'expires=0'),
  ]) {
    assert.equal(signer.verify(path, more, 0), more.endsWith('&') ? 'valid' : 'forged', more);
  }
  assert.equal(signer.verify(path, '', 0), 'forged');
  // Texts that decode to the bytes of the signature are not the signature.
  const at = query.indexOf('signature=') + 'signature='.length;
  const others = [...BASE64URL].map((last) => query.slice(0, -1) + last).filter((other) => other !== query);
  for (const junk of ['!', '=', '%20', '.', '%00']) {
    others.push(query + junk, query.slice(0, at) + junk + query.slice(at));
  }
  for (const other of others) assert.equal(signer.verify(path, other, 0), 'forged', other);
});

test('with two keys, URLs of the former still work; with the former gone they do not', () => {
  const path = '/bulk/1/sunlight/13101.parquet';
  const [, query] = new BulkUrlSigner(['old secret of 2025']).sign(path, 0).target.split('?') as [string, string];
  assert.equal(new BulkUrlSigner(['new secret of 2026', 'old secret of 2025']).verify(path, query, 0), 'valid');
  assert.equal(new BulkUrlSigner(['new secret of 2026']).verify(path, query, 0), 'forged');
  const [, fresh] = new BulkUrlSigner(['new secret of 2026', 'old secret of 2025']).sign(path, 0).target.split('?');
  assert.equal(new BulkUrlSigner(['new secret of 2026']).verify(path, fresh!, 0), 'valid');
});

test('no path leaves the dataset, even when it is signed', async (t) => {
  const server = await startServer(t);
  server.dataset.addBulk(CONTENT);
  const signer = server.service.bulk.signer;
  const paths = [
    '/bulk/fake-1/sunlight/../../../etc/passwd.parquet',
    '/bulk/fake-1/sunlight/..%2f..%2fetc%2fpasswd.parquet',
    '/bulk/../sunlight/13101.parquet',
    '/bulk/fake-1/__proto__/13101.parquet',
    '/bulk/fake-1/sunlight/13102.parquet',
    '/bulk/fake-0/sunlight/13101.parquet',
  ];
  for (const path of paths) {
    const { target } = signer.sign(path, server.clock.now);
    const response = await fetch(server.url + target);
    assert.ok([400, 401, 404].includes(response.status), `${path}: ${response.status}`);
  }
});

test('a file that has gone from the disk is 404', async (t) => {
  const server = await startServer(t);
  server.dataset.addBulk(CONTENT);
  const { url } = await offered(server);
  rmSync(server.dataset.sunlight!.bulk(KNOWN.ward)!.path);
  for (const method of ['GET', 'HEAD']) assert.equal((await fetch(url, { method })).status, 404);
});

test('downloads keep the contract', async (t) => {
  const server = await startServer(t);
  server.dataset.addBulk(CONTENT);
  const proxy = await ContractProxy.start(t, server.url);
  const { url } = await offered(server);
  const through = proxy.url + url.slice(server.url.length);
  await fetch(through);
  await fetch(through, { method: 'HEAD' });
  await fetch(through, { headers: { range: 'bytes=1-2' } });
  await fetch(through, { headers: { range: 'bytes=9999-' } });
  await fetch(`${through}x`);
  assert.deepEqual(proxy.breaches, []);
  assert.deepEqual(
    [...proxy.seen].sort(),
    [200, 206, 401, 416].map((status) => `bulkFile ${status}`),
  );
});
