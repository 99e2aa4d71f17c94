import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startServer } from '../support/api-server.ts';

/** The position of a person, which occurs nowhere else in a request. */
const POSITION = { lat: '35.68123', lon: '139.76712' };

/** Every form of such a request. Computed, refused, damaged and misspelt ones are logged, too. */
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

/** Buildings that somebody compares, at the proper paths and at a wrong one. */
const COMPARED = [
  '/api/v1/sunlight/buildings?ids=13101-bldg-904,13101-bldg-77',
  '/compare/?b=13101-bldg-904,13101-bldg-77',
  '/sunlight/compare/?b=13101-bldg-904,13101-bldg-77',
  '/sunlight/13101/?b=13101-bldg-904,13101-bldg-77',
  '/openapi.json?ids=13101-bldg-904,13101-bldg-77',
];

test('what is compared is not logged at any level, nor are words at a path that does not know them', async (t) => {
  const { url, log } = await startServer(t, { logLevel: 'debug' });
  for (const path of [...COMPARED, '/sunlight/13101/?q=Kanda']) await (await fetch(url + path)).text();
  const town = '/sunlight/town/13101001001/?page=1';
  await (await fetch(url + town)).text();
  const text = JSON.stringify(log);
  assert.ok(text.includes(town), 'the log is at level debug');
  for (const part of ['bldg-904', 'bldg-77', 'Kanda']) assert.ok(!text.includes(part), text);
});

test('positions are not logged at any level, whatever becomes of the request', async (t) => {
  const { url, log, dataset } = await startServer(t, { offered: new Set(['sunlight-point']), logLevel: 'debug' });
  for (const path of PATHS) {
    await (await fetch(`${url}${path}lat=${POSITION.lat}&lon=${POSITION.lon}`)).text();
  }
  dataset.sunlight!.near = () => {
    throw new Error('the store is broken');
  };
  // Another radius, because the earlier answer is in memory.
  assert.equal((await fetch(`${url}${PATHS[0]}r=99&lat=${POSITION.lat}&lon=${POSITION.lon}`)).status, 500);
  await fetch(`${url}/sunlight/towns.json?seen=1`);
  const text = JSON.stringify(log);
  assert.ok(text.includes('/sunlight/towns.json'), 'the log is at level debug');
  for (const part of Object.values(POSITION)) assert.ok(!text.includes(part), text);
  assert.equal(log.filter(({ msg }) => msg === 'request').length, PATHS.length + 2);
});
