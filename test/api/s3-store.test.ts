import assert from 'node:assert/strict';
import { hash, randomBytes } from 'node:crypto';
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { partBytesFor, putFile, type S3Error, type S3Keys, type S3Location, S3Store } from '../../src/http/s3-store.ts';
import { S3Objects } from '../../src/store/s3-objects.ts';
import { fakeBucket } from '../support/fake-bucket.ts';
import { skipWithoutSwift, startSwift } from '../support/swift.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** The example of https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html. */
const EXAMPLE: S3Location = {
  endpoint: new URL('https://s3.amazonaws.com'),
  region: 'us-east-1',
  bucket: 'examplebucket',
  prefix: '',
  urlStyle: 'virtual',
  accessKey: 'AKIAIOSFODNN7EXAMPLE',
  secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};

test('the URL is that of the example in the documentation of Amazon S3', async () => {
  const url = new URL(await new S3Store(EXAMPLE).presign('test.txt', new Date('2013-05-24T00:00:00Z'), 86400));
  assert.equal(url.origin + url.pathname, 'https://examplebucket.s3.amazonaws.com/test.txt');
  assert.deepEqual(Object.fromEntries(url.searchParams), {
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': 'AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request',
    'X-Amz-Date': '20130524T000000Z',
    'X-Amz-Expires': '86400',
    'X-Amz-SignedHeaders': 'host',
    'X-Amz-Signature': 'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
  });
});

test('a temporary key signs with its session token, and the next request with the key that has taken its place', async (t) => {
  const seen: (string | undefined)[] = [];
  const place = await fakeBucket(t, ({ headers }, response) => {
    const [, id] = /Credential=([^/]+)/.exec(headers.authorization ?? '') ?? [];
    assert.match(headers.authorization ?? '', /SignedHeaders=[^,]*x-amz-security-token/);
    seen.push(`${id} ${headers['x-amz-security-token']}`);
    response.end();
  });
  let keys: S3Keys = { accessKey: 'one', secretKey: 'secret', sessionToken: 'first' };
  const store = new S3Store(place, () => keys);
  await store.head('a', 1000);
  keys = { accessKey: 'two', secretKey: 'other', sessionToken: 'second' };
  await store.head('a', 1000);
  assert.deepEqual(seen, ['one first', 'two second']);
  assert.equal(new URL(await store.presign('a', new Date(), 60)).searchParams.get('X-Amz-Security-Token'), 'second');
});

test('between the two files of a key that is replaced, what is forbidden is asked for once more with what they hold then', async (t) => {
  const seen: string[] = [];
  const place = await fakeBucket(t, ({ headers, url }, response) => {
    const [, id = ''] = /Credential=([^/]+)/.exec(headers.authorization ?? '') ?? [];
    seen.push(id);
    response.statusCode = id === 'new' && url?.endsWith('/a') ? 200 : 403;
    response.end();
    keys = { accessKey: 'new', secretKey: 'new' };
  });
  let keys: S3Keys = { accessKey: 'old', secretKey: 'new' };
  const objects = new S3Objects(new S3Store(place, () => keys));
  assert.equal(await objects.has('a'), true);
  assert.deepEqual(seen, ['old', 'new']);
  await assert.rejects(objects.has('forbidden'), /403/);
  assert.equal(seen.length, 4, 'a refusal that stays is no reason to go on');
});

const PLACES: [Partial<S3Location>, string][] = [
  [{ urlStyle: 'path' }, 'https://s3.amazonaws.com/examplebucket/id/a.parquet'],
  [{ urlStyle: 'virtual' }, 'https://examplebucket.s3.amazonaws.com/id/a.parquet'],
  [{ prefix: 'sun/2026' }, 'https://examplebucket.s3.amazonaws.com/sun/2026/id/a.parquet'],
  [{ prefix: '日 (1)' }, 'https://examplebucket.s3.amazonaws.com/%E6%97%A5%20%281%29/id/a.parquet'],
  [
    { endpoint: new URL('http://127.0.0.1:9000/store/'), urlStyle: 'path' },
    'http://127.0.0.1:9000/store/examplebucket/id/a.parquet',
  ],
];
for (const [more, url] of PLACES) {
  test(`an object at ${url}`, () => assert.equal(new S3Store({ ...EXAMPLE, ...more }).url('id/a.parquet'), url));
}

test('a store that is not there is an error that names it, passing', async () => {
  const store = new S3Store({ ...EXAMPLE, endpoint: new URL('http://127.0.0.1:1'), urlStyle: 'path' });
  await assert.rejects(store.head('a', 1000), (error: S3Error) => {
    assert.match(error.message, /^HEAD http:\/\/127\.0\.0\.1:1\/examplebucket\/a: no answer: /);
    return error.isTemporary;
  });
});

test('a file of up to 5 TiB goes up in no more parts than stores take, none smaller or larger than they take', () => {
  const [MIB, GIB, TIB] = [2 ** 20, 2 ** 30, 2 ** 40];
  for (const bytes of [GIB + 1, 6 * GIB, 625 * GIB, 625 * GIB + 1, 640e9, TIB, 5e12, 5 * TIB - 1, 5 * TIB]) {
    const part = partBytesFor(bytes);
    const parts = Math.ceil(bytes / part);
    assert.ok(parts <= 10_000 && part >= 5 * MIB && part <= 5 * GIB, `${bytes}: ${parts} parts of ${part}`);
    if (bytes <= 625 * GIB) assert.equal(part, 64 * MIB);
  }
});

test('what lies beyond 4 GiB of a file goes up, with its length', async (t) => {
  const arrived: unknown[] = [];
  const place = await fakeBucket(t, async (request, response) => {
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
    arrived.push([length, coding, await text(request)]);
    response.end();
  });
  const store = new S3Store(place);
  const path = join(tempFolder(t), 'sparse');
  const file = openSync(path, 'w');
  const start = 5 * 2 ** 30;
  writeSync(file, 'far away', start);
  closeSync(file);
  for (const end of [start + 8, start]) await store.ask('PUT', 'a', { body: { path, start, end } });
  assert.deepEqual(arrived, [
    ['8', undefined, 'far away'],
    ['0', undefined, ''],
  ]);
});

test('a part that a store refuses in passing goes up again after a pause', async (t) => {
  const asked: [what: string, at: number][] = [];
  let refusals = 1;
  const place = await fakeBucket(t, (request, response) => {
    const isPart = request.url!.includes('partNumber=1&');
    asked.push([`${request.method} ${isPart ? 'first part' : ''}`, performance.now()]);
    request.resume().once('end', () => {
      response.writeHead(isPart && refusals-- > 0 ? 503 : 200, { etag: '"x"' });
      response.end(request.method === 'POST' ? '<x><UploadId>1</UploadId></x>' : '');
    });
  });
  const store = new S3Store(place);
  const path = join(tempFolder(t), 'two-parts');
  writeFileSync(path, Buffer.alloc(1500));
  assert.equal(await putFile(store, 'a', path, '0'.repeat(64), {}, 1000), true);
  const tries = asked.filter(([what]) => what === 'PUT first part').map(([, at]) => at);
  assert.equal(tries.length, 2);
  assert.ok(tries[1]! - tries[0]! > 200, 'no pause before the second try');
});

describe('against a store that checks signatures', { skip: skipWithoutSwift() }, () => {
  const CONTENT = randomBytes(5000);
  const sha256 = hash('sha256', CONTENT);
  const folder = tempFolder({ after });
  const file = join(folder, 'a.parquet');
  let place: S3Location;
  let store: S3Store;
  /** With every kind of character that is written another way in a URL. */
  const NAME = "id/bulk/日当たり (1)+&=~!*'.parquet";

  const ends: (() => unknown)[] = [];
  after(async () => {
    for (const end of ends.reverse()) await end();
  });
  before(async () => {
    writeFileSync(file, CONTENT);
    place = await startSwift({ after: (end) => ends.push(end) });
    store = new S3Store({ ...place, prefix: 'some/where' });
    const headers = { 'content-type': 'application/x-test', 'content-disposition': 'attachment; filename="a"' };
    await store.put(NAME, file, sha256, headers);
  });

  const presign = (secondsAgo = 0, from = store) => from.presign(NAME, new Date(Date.now() - secondsAgo * 1000), 3600);
  const codeOf = async (response: Response) => /<Code>(\w+)</.exec(await response.text())?.[1];

  test('what was put is there with its size and hash, and comes by its URL with the headers given', async () => {
    assert.deepEqual(await store.head(NAME, 5000), { bytes: 5000, sha256 });
    const response = await fetch(await presign());
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'application/x-test');
    assert.equal(response.headers.get('content-disposition'), 'attachment; filename="a"');
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), CONTENT);
  });

  test('a file that is too large to go up at once goes up in parts, and is there as a whole or not at all', async () => {
    const most = 5 * 2 ** 20;
    const bytes = randomBytes(2 * most + 12_345);
    const large = join(folder, 'large');
    writeFileSync(large, bytes);
    const digest = hash('sha256', bytes);
    assert.equal(await putFile(store, 'large', large, digest, { 'if-none-match': '*' }, most), true);
    assert.deepEqual(await store.head('large', 5000), { bytes: bytes.length, sha256: digest });
    const found = await store.get('large', 5000);
    assert.ok(bytes.equals(Buffer.from(await found!.response.arrayBuffer())));
    assert.equal(await putFile(store, 'large', large, digest, { 'if-none-match': '*' }, most), false);
    // Parts of less than 5 MiB are refused when they are to be put together.
    await assert.rejects(putFile(store, 'small', large, digest, {}, 2 ** 20), /EntityTooSmall/);
    assert.equal(await store.head('small', 5000), null);
    await store.remove('large');
    assert.equal(await store.head('large', 5000), null);
    await store.remove('large');
  });

  test('one range, and If-Range', async () => {
    const url = await presign();
    const part = await fetch(url, { headers: { range: 'bytes=10-19' } });
    assert.equal(part.status, 206);
    assert.equal(part.headers.get('content-range'), 'bytes 10-19/5000');
    assert.deepEqual(Buffer.from(await part.arrayBuffer()), CONTENT.subarray(10, 20));
    assert.equal((await fetch(url, { headers: { range: 'bytes=9999-' } })).status, 416);
  });

  test('a URL is signed for GET: HEAD, PUT and DELETE with it are refused', async () => {
    const url = await presign();
    for (const method of ['HEAD', 'PUT', 'DELETE']) assert.equal((await fetch(url, { method })).status, 403, method);
    assert.deepEqual(await store.head(NAME, 5000), { bytes: 5000, sha256 });
  });

  test('a URL works for its hour and no longer', async () => {
    assert.equal((await fetch(await presign(3500))).status, 200);
    const late = await fetch(await presign(3601));
    assert.equal(late.status, 403);
    assert.equal(await codeOf(late), 'AccessDenied');
  });

  test('whatever is changed in a URL, it is refused', async (t) => {
    const url = await presign();
    const signed = new URL(url);
    await fc.assert(
      fc.asyncProperty(fc.nat(url.length - signed.origin.length - 2), fc.constantFrom(...'0az9Z'), async (at, sign) => {
        const index = signed.origin.length + 1 + at;
        const changed = url.slice(0, index) + sign + url.slice(index + 1);
        // Escapes may be written with small or capital letters, and mean the same.
        fc.pre(URL.canParse(changed) && !sameUrl(changed, url));
        const response = await fetch(changed);
        await response.arrayBuffer();
        assert.ok(response.status >= 400, `${response.status} ${changed}`);
      }),
      { numRuns: 60 },
    );
    const date = signed.searchParams.get('X-Amz-Date') ?? '';
    for (const [name, value] of [
      ['X-Amz-Expires', '7200'],
      ['X-Amz-Date', date.replace(/..Z$/, date.endsWith('59Z') ? '58Z' : '59Z')],
      ['X-Amz-SignedHeaders', 'host;range'],
    ] as const) {
      const changed = new URL(url);
      changed.searchParams.set(name, value);
      assert.equal((await fetch(changed)).status, 403, name);
    }
    t.diagnostic('60 changes of one character');
  });

  test('another key signs nothing here', async () => {
    const wrong = new S3Store({ ...store.location, secretKey: 'another-secret' });
    const response = await fetch(await presign(0, wrong));
    assert.equal(response.status, 403);
    assert.equal(await codeOf(response), 'SignatureDoesNotMatch');
    await assert.rejects(wrong.head(NAME, 5000), /the store answers 403/);
    const stranger = new S3Store({ ...store.location, accessKey: 'test:stranger' });
    assert.equal((await fetch(await presign(0, stranger))).status, 403);
  });

  test('the store refuses a file that is not what its hash says; what is not there is null', async () => {
    await assert.rejects(store.put('other', file, hash('sha256', 'x'), {}), (error: S3Error) => {
      assert.match(error.message, /^PUT http.*other: the store answers 400 (BadDigest|XAmzContentSHA256Mismatch)/);
      return !error.isTemporary;
    });
    assert.equal(await store.head('other', 5000), null);
  });
});

function sameUrl(a: string, b: string): boolean {
  try {
    return decodeURIComponent(a) === decodeURIComponent(b);
  } catch {
    return false;
  }
}
