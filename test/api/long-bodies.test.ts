import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { JsonBytes } from '../../src/formats/json-bytes.ts';
import { startServer } from '../support/api-server.ts';

const REQUESTS = 300;
const target = (i: number): string => `/api/v1/sunlight/near?lat=35.5&lon=139.7&r=${1 + i / 10}`;
/** 30 kB that name the request. */
const dataOf = (radiusM: number): string[] => Array(1500).fill(`日なた ${radiusM}`);

test('answers that wait for a slow client stay as they are while others are made', async (t) => {
  const { port, url, dataset } = await startServer(t);
  dataset.sunlight!.near = (_lat, _lon, radiusM) => new JsonBytes(Buffer.from(JSON.stringify(dataOf(radiusM))));
  const slow = connect({ port, host: '127.0.0.1' });
  t.after(() => slow.destroy());
  for (let i = 0; i < REQUESTS; i++) {
    const close = i === REQUESTS - 1 ? 'Connection: close\r\n' : '';
    slow.write(`GET ${target(i)} HTTP/1.1\r\nHost: x\r\n${close}\r\n`);
  }
  await delay(50);
  const codings = ['identity', 'gzip', 'br'];
  const quick = Array.from({ length: REQUESTS }, async (_, i) => {
    const answer = await fetch(url + target(i), { headers: { 'accept-encoding': codings[i % codings.length]! } });
    assert.deepEqual(((await answer.json()) as { data: string[] }).data, dataOf(1 + i / 10));
  });
  await Promise.all(quick);
  const text = Buffer.concat(await Array.fromAsync(slow)).toString();
  const bodies = text.split(/HTTP\/1\.1 200 OK\r\n.*?\r\n\r\n/s).slice(1);
  assert.equal(bodies.length, REQUESTS);
  for (const [i, body] of bodies.entries()) {
    assert.deepEqual((JSON.parse(body) as { data: string[] }).data, dataOf(1 + i / 10));
  }
});
