import assert from 'node:assert/strict';
import { hash, randomBytes } from 'node:crypto';
import { appendFileSync, readdirSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pino } from 'pino';
import { startServer as startProcess } from '../../bench/serving/server.ts';
import { onlyDataset } from '../../bench/serving/soak.ts';
import { S3BulkOffers } from '../../src/api/bulk-files.ts';
import { type S3Keys, type S3Location, S3Store } from '../../src/http/s3-store.ts';
import { startServer } from '../support/api-server.ts';
import { ContractProxy } from '../support/contract-proxy.ts';
import { fakeBucket } from '../support/fake-bucket.ts';
import { KNOWN } from '../support/fake-dataset.ts';
import { hidamari } from '../support/run.ts';
import { generatedDataset } from '../support/start-sample.ts';
import { skipWithoutSwift, startSwift } from '../support/swift.ts';
import { tempFolder } from '../support/temp-folder.ts';

interface Offer {
  url: string;
  expires_at: string;
  sha256: string;
  bytes: number;
}

const CONTENT = randomBytes(5000);
const PATH = `/api/v1/sunlight/bulk/${KNOWN.ward}`;

/** A store that says of every object what the test wants, and the offers of its URLs. */
async function startStore(
  t: { after(end: () => unknown): unknown },
  clock: { now: number },
  answer: (response: ServerResponse) => void,
  key = (): string => 'an id',
) {
  const asked: string[] = [];
  const log: string[] = [];
  const place = await fakeBucket(t, (request, response) => {
    asked.push(`${request.method} ${request.url}`);
    answer(response);
    response.end();
  });
  const keys = (): S3Keys => ({ accessKey: key(), secretKey: 'a secret' });
  const store = new S3Store({ ...place, bucket: 'bulk', prefix: 'sun' }, keys);
  const logger = pino({ base: undefined }, { write: (line: string) => void log.push(line) });
  const { origin } = place.endpoint;
  return { asked, log, origin, offers: new S3BulkOffers(store, () => clock.now, logger) };
}

test('while the file of a key is being replaced there is no URL, and no failure of ours', async (t) => {
  let key = 'an id';
  const read = (): string => {
    if (key === '') throw new Error('the file of the key is empty');
    return key;
  };
  const clock = { now: Date.UTC(2026, 0, 1) };
  const whole = (response: ServerResponse) => response.setHeader('content-length', 5000);
  const { offers, log } = await startStore(t, clock, whole, read);
  const server = await startServer(t, { offers });
  server.dataset.addBulk(CONTENT);
  const status = async () => (await fetch(server.url + PATH)).status;
  assert.equal(await status(), 200);
  key = '';
  assert.equal(await status(), 503);
  assert.equal(log.length, 1);
  key = 'another';
  assert.equal(await status(), 200);
});

test('the URL is into the bucket, expires_at is its end, and the store is asked once in ten minutes', async (t) => {
  const clock = { now: Date.UTC(2026, 0, 1, 12, 0, 0, 999) };
  const {
    asked,
    origin: store,
    offers,
  } = await startStore(t, clock, (response) => response.setHeader('content-length', 5000));
  const server = await startServer(t, { offers });
  server.dataset.addBulk(CONTENT);
  const proxy = await ContractProxy.start(t, server.url);
  const offered = async () => ((await (await fetch(proxy.url + PATH)).json()) as { data: Offer }).data;
  const { url, expires_at, bytes } = await offered();
  const { origin, pathname, searchParams } = new URL(url);
  assert.equal(origin + pathname, `${store}/bulk/sun/fake-1/bulk.parquet`);
  assert.equal(searchParams.get('X-Amz-Date'), '20260101T120000Z');
  assert.equal(searchParams.get('X-Amz-Expires'), '3600');
  assert.equal(expires_at, '2026-01-01T13:00:00Z');
  assert.equal(bytes, 5000);
  clock.now += 9 * 60_000;
  assert.equal((await offered()).expires_at, '2026-01-01T13:09:00Z');
  assert.deepEqual(asked, ['HEAD /bulk/sun/fake-1/bulk.parquet']);
  clock.now += 60_000;
  await offered();
  assert.equal(asked.length, 2);
  assert.deepEqual(proxy.breaches, []);
});

const TROUBLE: [string, (response: ServerResponse) => void, RegExp][] = [
  ['is not there', (response) => (response.statusCode = 404), /bulk\.parquet is not there/],
  [
    'has another size',
    (response) => response.setHeader('content-length', 4999),
    /has 4999 bytes, the manifest says 5000/,
  ],
  [
    'has another hash',
    (response) => response.setHeader('content-length', 5000).setHeader('x-amz-meta-sha256', 'ab'),
    /has the SHA-256 ab, the manifest says [0-9a-f]{64}/,
  ],
  ['is refused to us', (response) => (response.statusCode = 403), /HEAD .* the store answers 403/],
  ['lies in a store that hangs up', (response) => response.destroy(), /no answer: /],
];
for (const [what, answer, reason] of TROUBLE) {
  test(`an object that ${what} is 503 and a line in the log; the store is asked again after five seconds`, async (t) => {
    let current = answer;
    const clock = { now: Date.UTC(2026, 0, 1) };
    const { asked, offers, log } = await startStore(t, clock, (response) => current(response));
    const server = await startServer(t, { offers });
    server.dataset.addBulk(CONTENT);
    for (let i = 0; i < 2; i++) {
      const response = await fetch(server.url + PATH);
      assert.equal(response.status, 503);
      assert.ok(Number(response.headers.get('retry-after')) > 0);
      assert.equal(response.headers.get('x-cost-units'), '0');
      assert.doesNotMatch(await response.text(), /bulk\.parquet|127\.0\.0\.1:\d+\/bulk/);
    }
    assert.equal(asked.length, 1);
    assert.equal(log.length, 1);
    assert.match((JSON.parse(log[0]!) as { reason: string }).reason, reason);
    current = (response) => response.setHeader('content-length', 5000);
    clock.now += 5000;
    assert.equal((await fetch(server.url + PATH)).status, 200);
  });
}

test('a ward without a file is 404, and the store is not asked', async (t) => {
  const { asked, offers } = await startStore(t, { now: 0 }, () => {});
  const { url } = await startServer(t, { offers });
  assert.equal((await fetch(url + PATH)).status, 404);
  assert.deepEqual(asked, []);
});

test('without a store described, --bulk s3, --data s3:// and publish-bulk are wrong usage', async () => {
  const cases = [
    [
      ['serve', '--bulk', 's3'],
      /HIDAMARI_S3_ENDPOINT, HIDAMARI_S3_BUCKET, HIDAMARI_S3_ACCESS_KEY, HIDAMARI_S3_SECRET_KEY/,
    ],
    [
      ['publish-bulk', 'data', '--s3-endpoint', 'http://127.0.0.1:1', '--s3-bucket', 'bulk'],
      /needs HIDAMARI_S3_ACCESS_KEY, /,
    ],
    [['publish-bulk', 'data', '--s3-bucket', 'a/b'], /name of a bucket/],
    [
      ['serve', '--data', 's3://bulk/sun'],
      /--data s3:\/\/bulk\/sun needs HIDAMARI_S3_ENDPOINT, HIDAMARI_S3_ACCESS_KEY, /,
    ],
    [['serve', '--bulk', 'ftp'], /one of local, s3/],
  ] as const;
  for (const [args, line] of cases) {
    const { code, stderr } = await hidamari([...args]);
    assert.equal(code, 2, stderr);
    assert.match(stderr, line);
    assert.equal(stderr.trim().split('\n').length, 1);
  }
});

describe('a dataset published into a store that checks signatures', { skip: skipWithoutSwift() }, () => {
  const folder = tempFolder({ after });
  const ends: (() => unknown)[] = [];
  after(async () => {
    for (const end of ends.reverse()) await end();
  });
  let data: string;
  let env: Record<string, string>;

  before(async () => {
    let place: S3Location;
    [data, place] = await Promise.all([
      generatedDataset(join(folder, 'built')),
      startSwift({ after: (end) => ends.push(end) }),
    ]);
    env = {
      HIDAMARI_S3_ENDPOINT: place.endpoint.href,
      HIDAMARI_S3_REGION: place.region,
      HIDAMARI_S3_BUCKET: place.bucket,
      HIDAMARI_S3_PREFIX: '/hidamari/',
      HIDAMARI_S3_ACCESS_KEY: place.accessKey,
      HIDAMARI_S3_SECRET_KEY: place.secretKey,
    };
  });

  test('publish-bulk sends every file once; serve gives URLs to them', async (t) => {
    const first = await hidamari(['publish-bulk', data], { env });
    assert.equal(first.code, 0, first.stderr);
    const [, files, sent] = /: (\d+) files, .*; (\d+) sent\n$/.exec(first.stdout)!;
    assert.ok(Number(files) >= 2);
    assert.equal(sent, files);
    const again = await hidamari(['publish-bulk', onlyDataset(data)], { env });
    assert.match(again.stdout, / 0 sent\n$/);

    Object.assign(process.env, env);
    t.after(() => {
      for (const name of Object.keys(env)) delete process.env[name];
    });
    const server = await startProcess(['--data', data, '--bulk', 's3', '--rate-limit', 'off']);
    t.after(() => server.stop());
    const offers = server.targets.filter((target) => target.includes('/bulk/'));
    assert.equal(offers.length, 2);
    for (const target of offers) {
      const { data: offer } = (await (await fetch(server.url + target)).json()) as { data: Offer };
      const response = await fetch(offer.url);
      assert.equal(response.status, 200);
      const body = Buffer.from(await response.arrayBuffer());
      assert.equal(hash('sha256', body), offer.sha256);
      assert.equal(response.headers.get('content-type'), 'application/vnd.apache.parquet');
      assert.match(
        response.headers.get('content-disposition')!,
        /^attachment; filename="(sunlight|kaigo)-\d+\.parquet"$/,
      );
      const part = await fetch(offer.url, { headers: { range: 'bytes=-4' } });
      assert.equal(await part.text(), 'PAR1');
      const signed = new URL(offer.url).searchParams.get('X-Amz-Date')!;
      const start = Date.parse(signed.replace(/(....)(..)(..)T(..)(..)(..)Z/, '$1-$2-$3T$4:$5:$6Z'));
      assert.equal(Date.parse(offer.expires_at) - start, 3600_000);
    }
  });

  test('a file that is not that of the manifest is not sent; a wrong key is said in one line', async () => {
    const wrong = await hidamari(['publish-bulk', data], { env: { ...env, HIDAMARI_S3_SECRET_KEY: 'another' } });
    assert.equal(wrong.code, 1);
    assert.match(wrong.stderr, /HEAD http.*: the store answers 403/);
    const bulk = join(onlyDataset(data), 'bulk', 'sunlight');
    appendFileSync(join(bulk, readdirSync(bulk)[0]!), 'x');
    const damaged = await hidamari(['publish-bulk', data], { env: { ...env, HIDAMARI_S3_PREFIX: 'other' } });
    assert.equal(damaged.code, 1);
    assert.match(damaged.stderr, /is not the file of the manifest; hidamari verify says more/);
  });
});
