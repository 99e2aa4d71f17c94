import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { createAdmin } from '../../src/api/admin.ts';
import { addKey } from '../../src/api/keys.ts';
import { LastHour } from '../../src/api/last-hour.ts';
import { Metrics, NOTHING_COMPUTED } from '../../src/api/metrics.ts';
import { ServedDatasets } from '../../src/api/served-datasets.ts';
import { OPERATIONS } from '../../src/contract/operations.ts';
import { MemoryRateLimiter } from '../../src/http/rate-limiter.ts';
import { rawExchange, startServer } from '../support/api-server.ts';
import { FakeDataset, KNOWN } from '../support/fake-dataset.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { metered } from './metered.ts';

const PATH = `/api/v1/sunlight/building/${KNOWN.building}`;

/** A server with metrics; `value` looks one up by its name and labels. */
async function startMetered(t: TestContext, limit = 1000) {
  const folder = tempFolder(t);
  const { key } = await addKey(join(folder, 'keys.json'), { name: 'a', limit: null, expires: null }, new Date());
  const dataset = new FakeDataset('fake-1', folder);
  dataset.addBulk(Buffer.alloc(10_000_000));
  const { keys, metrics } = await metered(t, dataset, folder);
  const server = await startServer(t, { dataset, keys, metrics, limiters: { api: new MemoryRateLimiter(limit) } });
  const value = async (name: string, labels: Record<string, string | number> = {}): Promise<number | undefined> => {
    const { values } = await metrics.registry.getSingleMetric(name)!.get();
    const wanted = Object.entries(labels);
    const found = values.filter((one) =>
      wanted.every(([label, text]) => String((one.labels as never)[label]) === String(text)),
    );
    assert.ok(found.length <= 1, `${name} ${JSON.stringify(labels)} is not one`);
    return found[0]?.value;
  };
  return { ...server, metrics, key, value };
}

test('refusals and failures of the last hour are forgotten after 60 minutes, also when nothing comes for long', () => {
  const start = 1_790_000_000_000 - (1_790_000_000_000 % 60_000);
  let minute = 0;
  const hour = new LastHour(() => start + minute * 60_000);
  for (minute = 0; minute < 90; minute++) for (const status of [200, 304, 404, 429, 501, 503]) hour.add(status);
  minute = 89;
  assert.deepEqual([hour.refused, hour.failed], [180, 60]);
  minute = 90;
  assert.deepEqual([hour.refused, hour.failed], [177, 59]);
  minute = 148;
  assert.deepEqual([hour.refused, hour.failed], [3, 1]);
  minute = 149;
  assert.deepEqual([hour.refused, hour.failed], [0, 0]);
  hour.add(500);
  assert.deepEqual([hour.refused, hour.failed], [0, 1]);
});

test('requests, cost, refusals and time are counted by operation, status and class of client', async (t) => {
  const { url, port, key, value, metrics } = await startMetered(t, 6);
  const withKey = { headers: { authorization: `Bearer ${key}` } };
  for (let i = 0; i < 3; i++) assert.equal((await fetch(url + PATH)).status, 200);
  assert.equal((await fetch(url + PATH, { method: 'HEAD' })).status, 200);
  assert.equal((await fetch(`${url}/api/v1/sunlight/near`)).status, 400);
  assert.equal((await fetch(`${url}/api/v1/sunlight/bulk/${KNOWN.ward}`)).status, 200);
  assert.equal((await fetch(url + PATH)).status, 429);
  for (let i = 0; i < 2; i++) assert.equal((await fetch(url + PATH, withKey)).status, 200);
  await rawExchange(port, 'nonsense\r\n\r\n');
  const building = { operation: 'sunlight-building' };
  assert.equal(await value('hidamari_requests_total', { ...building, status: 200, client_class: 'anonymous' }), 4);
  assert.equal(await value('hidamari_requests_total', { ...building, status: 429, client_class: 'anonymous' }), 1);
  assert.equal(await value('hidamari_requests_total', { ...building, status: 200, client_class: 'key' }), 2);
  assert.equal(await value('hidamari_cost_units_total', { ...building, client_class: 'anonymous' }), 3);
  assert.equal(await value('hidamari_cost_units_total', { ...building, client_class: 'key' }), 2);
  assert.equal(await value('hidamari_cost_units_total', { operation: 'sunlight-bulk', client_class: 'anonymous' }), 20);
  assert.equal(await value('hidamari_rate_limited_total', { client_class: 'anonymous' }), 1);
  assert.equal(await value('hidamari_last_hour_refused'), 2);
  assert.equal(await value('hidamari_last_hour_failed'), 0);
  assert.equal(await value('hidamari_broken_requests_total'), 1);
  assert.equal(await value('hidamari_requests_in_flight'), 0);
  assert.equal(await value('hidamari_redis_up'), 0);
  assert.equal(await value('hidamari_api_keys'), 1);
  assert.equal(await value('hidamari_dataset_info', { dataset_id: 'fake-1', version: '1.2.3' }), 1);
  const text = await metrics.registry.metrics();
  assert.match(text, /^hidamari_request_duration_seconds_count\{operation="sunlight-building"\} 7$/m);
  assert.match(text, /^process_cpu_seconds_total /m);
});

test('failures are counted from 0, so that the first of them shows as a rise', async (t) => {
  const { url, value, dataset } = await startMetered(t);
  const failed = { operation: 'sunlight-building', status: 500, client_class: 'anonymous' };
  assert.equal(await value('hidamari_requests_total', failed), 0);
  const unknown = { operation: 'unknown', status: 503, client_class: 'key' };
  assert.equal(await value('hidamari_requests_total', unknown), 0);
  dataset.sunlight!.summary = () => {
    throw new Error('the store is broken');
  };
  assert.equal((await fetch(url + PATH)).status, 500);
  assert.equal(await value('hidamari_requests_total', failed), 1);
});

test('what alerts watch of datasets, the machine and the process moves with it', async () => {
  const [newer, older] = [new FakeDataset('newer', 'a'), new FakeDataset('older', 'b')];
  const left = [newer, older];
  const log = pino({ level: 'silent' });
  const datasets = await ServedDatasets.open(
    async () => ({ dataset: left.shift() ?? null, refused: [] }),
    'http://x',
    'test',
    log,
  );
  const endedAt = '2027-05-05T03:00:00Z';
  const machine = { freeBytes: 5e9, memoryBytes: 3e9, lastRefresh: { hasFailed: true, datasetId: 'newer', endedAt } };
  const { registry } = new Metrics({
    datasets,
    redis: null,
    keys: null,
    log: { dropped: 0 },
    unexpected: { count: 0 },
    computer: NOTHING_COMPUTED,
    machine: { ...machine, freeBytes: () => machine.freeBytes, lastRefresh: () => machine.lastRefresh },
    version: '1',
  });
  const told = async (name: string): Promise<number> =>
    Number(new RegExp(`^${name}(?:\\{.*\\})? (.*)$`, 'm').exec(await registry.metrics())?.[1]);
  const bytes = Object.values(newer.manifest.files).reduce((sum, file) => sum + file.bytes, 0);
  assert.equal(await told('hidamari_dataset_bytes'), bytes);
  assert.deepEqual([await told('hidamari_data_free_bytes'), await told('hidamari_memory_limit_bytes')], [5e9, 3e9]);
  assert.equal(await told('hidamari_refresh_failed'), 1);
  assert.equal(
    await told('hidamari_dataset_generated_timestamp_seconds'),
    Date.parse(newer.manifest.generated_at) / 1000,
  );
  const builtS = Date.parse(newer.manifest.generated_at) / 1000;
  assert.equal(await told('hidamari_dataset_current_timestamp_seconds'), builtS, 'the refresh failed');
  machine.lastRefresh.hasFailed = false;
  assert.equal(await told('hidamari_refresh_failed'), 0);
  assert.equal(await told('hidamari_dataset_current_timestamp_seconds'), Date.parse(endedAt) / 1000);
  machine.lastRefresh.datasetId = 'not served yet';
  assert.equal(await told('hidamari_dataset_current_timestamp_seconds'), builtS);
  machine.freeBytes = 1e6;
  assert.equal(await told('hidamari_data_free_bytes'), 1e6);
  assert.deepEqual([await told('hidamari_dataset_step_backs_total'), await told('hidamari_dataset_damaged')], [0, 0]);
  await datasets.stepBack(newer, 'a test');
  assert.match(await registry.metrics(), /^hidamari_dataset_info\{dataset_id="older",/m);
  assert.deepEqual([await told('hidamari_dataset_step_backs_total'), await told('hidamari_dataset_damaged')], [1, 0]);
  await datasets.stepBack(older, 'a test');
  assert.deepEqual([await told('hidamari_dataset_step_backs_total'), await told('hidamari_dataset_damaged')], [1, 1]);
  await new Promise((resolve) => setTimeout(resolve, 50));
  for (const until = performance.now() + 150; performance.now() < until; );
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.ok((await told('nodejs_eventloop_lag_p99_seconds')) > 0.1, 'a loop that was busy for 150 ms');
  await datasets.close();
});

test('nothing that clients make up becomes a label', async (t) => {
  const { url, metrics } = await startMetered(t);
  for (let i = 0; i < 30; i++) {
    await fetch(`${url}/api/made-up-${i}?x=${i}`, {
      method: i % 2 ? 'PUT' : 'GET',
      headers: { authorization: `Bearer ${i}` },
    });
    await fetch(`${url}/made-up-${i}`);
    await fetch(`${url}/api/v1/sunlight/building/made-up-${i}`);
  }
  const { values: all } = await metrics.registry.getSingleMetric('hidamari_requests_total')!.get();
  const values = all.filter(({ value }) => value > 0);
  const operations = new Set(values.map(({ labels }) => String(labels.operation)));
  assert.deepEqual([...operations].sort(), ['sunlight-building', 'unknown']);
  const known = new Set<string>(['unknown', ...OPERATIONS.map(({ id }) => id)]);
  for (const operation of operations) assert.ok(known.has(operation));
  assert.ok(values.length <= 3);
  assert.ok(!(await metrics.registry.metrics()).includes('made-up'));
});

test('a client that goes away in a download leaves nothing in flight', async (t) => {
  const { url, value } = await startMetered(t);
  const offer = (await (await fetch(`${url}/api/v1/sunlight/bulk/${KNOWN.ward}`)).json()) as { data: { url: string } };
  await new Promise<void>((resolve) => {
    const sent = httpRequest(offer.data.url, (response) => {
      response.destroy();
      resolve();
    });
    sent.on('error', () => {}).end();
  });
  while ((await value('hidamari_requests_in_flight')) !== 0) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.equal(await value('hidamari_requests_total', { operation: 'bulk-file', status: 200 }), 1);
});

test('the admin port has metrics and health, and nothing else; the public port has no metrics', async (t) => {
  const { url, metrics } = await startMetered(t);
  const admin = createAdmin(metrics.registry).listen(0, '127.0.0.1');
  t.after(() => void admin.close().closeAllConnections());
  await once(admin, 'listening');
  const base = `http://127.0.0.1:${(admin.address() as AddressInfo).port}`;
  await fetch(url + PATH);
  const scraped = await fetch(`${base}/metrics`);
  assert.equal(scraped.status, 200);
  assert.match(scraped.headers.get('content-type')!, /^text\/plain; version=0\.0\.4/);
  const text = await scraped.text();
  assert.match(
    text,
    /^hidamari_requests_total\{operation="sunlight-building",status="200",client_class="anonymous"\} 1$/m,
  );
  // Every sample has its HELP and TYPE, as promtool would ask.
  for (const [, name] of text.matchAll(/^(hidamari_\w+?)(?:_bucket|_sum|_count)?[{ ]/gm)) {
    assert.ok(text.includes(`# HELP ${name} `) && text.includes(`# TYPE ${name} `), name);
  }
  assert.equal(await (await fetch(`${base}/healthz`)).text(), 'ok\n');
  for (const path of ['/', '/metrics/', '/api/v1/sunlight/near']) assert.equal((await fetch(base + path)).status, 404);
  const posted = await fetch(`${base}/metrics`, { method: 'POST', body: 'x' });
  assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET, HEAD']);
  assert.equal(await (await fetch(`${base}/metrics`, { method: 'HEAD' })).text(), '');
  assert.equal((await fetch(`${url}/metrics`)).status, 404);
});
