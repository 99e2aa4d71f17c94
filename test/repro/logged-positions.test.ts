import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startServer } from '../support/api-server.ts';

/** Where somebody is, in no other text of a request. */
const POSITION = { lat: '35.68123', lon: '139.76712' };

/** Every way to say it: what is computed, refused, damaged or spelt wrongly is logged, too. */
const PATHS = [
  '/api/v1/sunlight/near?',
  '/api/v1/sunlight/near.geojson?',
  '/api/v1/kaigo/near?',
  '/api/v1/sunlight/point?height_m=10&',
  '/map/?',
  '/api/v1/sunlight/near?r=10000&',
  '/api/v1/sunlight/nearby?',
  '/api/v1/sunlight/near/?',
];

test('positions are not logged at any level, whatever becomes of the request', async (t) => {
  const { url, log, dataset } = await startServer(t, { offered: new Set(['sunlight-point']), logLevel: 'debug' });
  for (const path of PATHS) {
    await (await fetch(`${url}${path}lat=${POSITION.lat}&lon=${POSITION.lon}`)).text();
  }
  dataset.sunlight!.near = () => {
    throw new Error('the store is broken');
  };
  // Another radius: the answer from before is in memory.
  assert.equal((await fetch(`${url}${PATHS[0]}r=99&lat=${POSITION.lat}&lon=${POSITION.lon}`)).status, 500);
  await fetch(`${url}/sunlight/towns.json?seen=1`);
  const text = JSON.stringify(log);
  assert.ok(text.includes('/sunlight/towns.json'), 'the log is at level debug');
  for (const part of Object.values(POSITION)) assert.ok(!text.includes(part), text);
  assert.equal(log.filter(({ msg }) => msg === 'request').length, PATHS.length + 2);
});
