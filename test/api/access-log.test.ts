import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { addKey, KeyRing } from '../../src/api/keys.ts';
import { startServer } from '../support/api-server.ts';
import { KNOWN } from '../support/fake-dataset.ts';
import { tempFolder } from '../support/temp-folder.ts';

const PATH = `/api/v1/sunlight/building/${KNOWN.building}`;

test('one line for each request says what was asked, what came of it and what it cost', async (t) => {
  const { url, log } = await startServer(t);
  const answer = await fetch(url + PATH, { headers: { 'x-request-id': 'mine', 'accept-encoding': 'identity' } });
  const body = await answer.text();
  const { time, duration_ms, pid: _, hostname: __, ...line } = log.find(({ msg }) => msg === 'request')!;
  assert.deepEqual(line, {
    level: 30,
    msg: 'request',
    request_id: 'mine',
    method: 'GET',
    operation: 'sunlight-building',
    path: '/api/v1/sunlight/building/{building_id}',
    status: 200,
    cost_units: 1,
    bytes: Buffer.byteLength(body),
    client: '127.0.0.0/24',
    client_class: 'anonymous',
    dataset_id: 'fake-1',
  });
  assert.ok((duration_ms as number) > 0 && Math.abs((time as number) - Date.now()) < 60_000);
});

test('bytes are those of the body that was sent; HEAD, 304 and OPTIONS have none', async (t) => {
  const { url, log, dataset } = await startServer(t);
  dataset.addBulk(Buffer.alloc(5000));
  const etag = (await fetch(url + PATH)).headers.get('etag')!;
  await fetch(url + PATH, { method: 'HEAD' });
  await fetch(url + PATH, { method: 'OPTIONS' });
  await fetch(url + PATH, { headers: { 'if-none-match': etag } });
  const missing = await fetch(`${url}/api/nowhere`);
  const problem = Buffer.byteLength(await missing.text());
  const offer = (await (await fetch(`${url}/api/v1/sunlight/bulk/${KNOWN.ward}`)).json()) as { data: { url: string } };
  const file = (await (await fetch(offer.data.url)).arrayBuffer()).byteLength;
  const range = await fetch(offer.data.url, { headers: { range: 'bytes=1-3' } });
  assert.equal((await range.arrayBuffer()).byteLength, 3);
  const requests = () => log.filter(({ msg }) => msg === 'request');
  // A client may have the last byte of a download before the server has put it on record.
  while (requests().length < 8) await setImmediate();
  const lines = requests();
  assert.deepEqual(
    lines.slice(1, 5).map(({ status, bytes, cost_units }) => [status, bytes, cost_units]),
    [
      [200, 0, 0],
      [204, 0, 0],
      [304, 0, 0],
      [404, problem, 0],
    ],
  );
  assert.deepEqual(
    lines.slice(6).map(({ status, bytes }) => [status, bytes]),
    [
      [200, file],
      [206, 3],
    ],
  );
  assert.deepEqual([lines[4]!.operation, lines[4]!.path, lines[4]!.problem], [null, null, 'not-found']);
});

test('what people look for, signatures, keys and addresses stay out of it', async (t) => {
  const path = join(tempFolder(t), 'keys.json');
  const { key, record } = await addKey(path, { name: 'City office', limit: null, expires: null }, new Date());
  const keys = await KeyRing.open(path, Date.now, pino({ level: 'silent' }));
  t.after(() => keys.close());
  const { url, log, dataset } = await startServer(t, { keys, proxies: ['127.0.0.1'] });
  dataset.addBulk(Buffer.alloc(5000));
  const headers = { authorization: `Bearer ${key}`, 'x-forwarded-for': '198.51.100.77' };
  await fetch(`${url}/api/v1/sunlight/near?lat=35.6543&lon=139.7654`, { headers });
  await fetch(`${url}/api/v1/sunlight/near?lat=35.6543&lon=139.7654`, {
    headers: { 'x-forwarded-for': '198.51.100.77' },
  });
  await fetch(`${url}/api/v1/sunlight/near`, { headers: { authorization: 'Bearer a-wrong-secret' } });
  const offer = (await (await fetch(`${url}/api/v1/sunlight/bulk/${KNOWN.ward}`)).json()) as { data: { url: string } };
  await (await fetch(offer.data.url)).arrayBuffer();
  dataset.sunlight!.near = () => {
    throw new Error('the store is broken');
  };
  assert.equal((await fetch(`${url}/api/v1/sunlight/near?lat=35.6543&lon=139.7654&r=77`)).status, 500);
  assert.ok(log.some(({ msg, operation }) => msg === 'request failed' && operation === 'sunlight-near'));
  const text = JSON.stringify(log);
  for (const secret of [
    '35.6543',
    '198.51.100.77',
    key.slice(14),
    'a-wrong-secret',
    new URL(offer.data.url).searchParams.get('signature')!,
  ]) {
    assert.ok(!text.includes(secret), secret);
  }
  for (const address of ['2001:db8:5:77:1:2:3:4', '::1']) {
    await fetch(url + PATH, { headers: { 'x-forwarded-for': address } });
  }
  const clients = log.filter(({ msg }) => msg === 'request').map((line) => [line.client, line.client_class]);
  assert.deepEqual(clients.slice(0, 2), [
    [record.id, 'key'],
    ['198.51.100.0/24', 'anonymous'],
  ]);
  assert.deepEqual(clients.slice(-2), [
    ['2001:db8:5::/48', 'anonymous'],
    ['0:0:0::/48', 'anonymous'],
  ]);
});

test('at level debug the URL is there; without its query where the path or a parameter is unknown, since it may be a search', async (t) => {
  const { url, log, service } = await startServer(t);
  service.log.level = 'debug';
  await fetch(`${url}/nowhere?x=1`);
  assert.equal(log.find(({ msg }) => msg === 'request')!.url, '/nowhere');
  await fetch(`${url}${PATH}?x=1`);
  assert.equal(log.findLast(({ msg }) => msg === 'request')!.url, PATH);
  const town = `/api/v1/sunlight/town/${KNOWN.town}/buildings?page=2`;
  await fetch(url + town);
  assert.equal(log.findLast(({ msg }) => msg === 'request')!.url, town);
  service.log.level = 'warn';
  const before = log.length;
  await fetch(url + PATH);
  assert.equal(log.length, before);
});
