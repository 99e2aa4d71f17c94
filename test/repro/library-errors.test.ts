import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { StaticClient } from '../../src/client/static-client.ts';
import { type Case, openFees } from '../../src/library/fees.ts';
import { City, dayPath, solarDay, sunAt } from '../../src/library/sun.ts';

// Before, another form of a day chose some price list, and the error of an unreachable host was "fetch failed".
test('the library refuses a day that does not exist, and names the address that it cannot reach', async () => {
  const fees = await openFees();
  const home = { serviceCode: '510', municipalityCode: '131016' };
  assert.ok(fees.estimate(home, { careLevel: 3 }, '2026-11-01').monthly_yen);
  for (const day of ['2026-13-41', '2026-02-30', '2026/11/01', '2026-11-01T00:00:00Z', '2026-11', 'soon', '']) {
    assert.throws(() => fees.estimate(home, { careLevel: 3 }, day), /is no day: expected YYYY-MM-DD/, day);
    assert.throws(() => fees.rooms('510', day), RangeError, day);
  }
  // Before, the message named a flag of the commands.
  assert.throws(() => fees.rooms('510', '2000-01-01'), /begins on 2024-06-01; choose another day for the price list$/);
  await assert.rejects(
    StaticClient.open('http://127.0.0.1:1/files'),
    /^Error: http:\/\/127\.0\.0\.1:1\/files\/packs\.json: cannot be reached$/,
  );
});

// Before, the error was "terminated".
test('the client names the file of which only a part comes', async (t) => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{', () => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  await assert.rejects(
    StaticClient.open(`http://127.0.0.1:${port}`),
    /^Error: http:.*\/packs\.json: cannot be reached$/,
  );
});

// Before, `rooms: undefined` was a TypeError, and an impossible household got the costs of another one, or null.
test('an estimate takes undefined members as absent, and refuses impossible households', async () => {
  const fees = await openFees();
  const home = { serviceCode: '510', municipalityCode: '131016' };
  const absent = fees.estimate({ ...home, rooms: undefined }, { careLevel: undefined, room: undefined }, '2026-11-01');
  assert.deepEqual(absent, fees.estimate(home, {}, '2026-11-01'));
  const impossible = [{ copaymentPercent: 15 }, { income: '9' }, { careLevel: 9 }, { careLevel: '3' }, { room: 'x' }];
  for (const household of impossible) {
    const name = Object.keys(household)[0];
    const estimate = () => fees.estimate(home, household as Partial<Case>, '2026-11-01');
    assert.throws(estimate, new RegExp(`^RangeError: ${name} is .*: expected one of `));
  }
});

// Before, the 40th of a 13th month was a day of the next year, and a city in the Atlantic was empty.
test('a city outside Japan and a day that does not exist are refused', () => {
  assert.throws(() => new City(0, 0), /^RangeError: 0, 0 \(latitude, longitude\) is not in Japan$/);
  for (const [month, day] of [
    [13, 40],
    [2, 30],
    [0, 1],
    [1, 0],
  ] as const)
    assert.throws(() => solarDay(2026, month, day), /^RangeError: 2026-.* is no day$/);
  assert.equal(solarDay(2024, 2, 29).day, 29);
});

// Before, a point at the height NaN had all the sun, 1.5 storeys had a floor above the roof, the year 26 was 1926, and
// for a minute that is no number a text was thrown.
test('heights, storeys, years and minutes that are no such numbers are refused', () => {
  const city = new City(35.69, 139.76);
  assert.throws(() => city.sunAtPoint(35.69, 139.76, Number.NaN), /^RangeError: z is NaN/);
  assert.throws(() => city.sunAtPoint(0, 0, 1), /^RangeError: 0, 0 \(latitude, longitude\) is not in Japan$/);
  assert.throws(() => city.sunOn(0), /^RangeError: There is no building 0: there is none\.$/);
  const footprints = [{ rings: [[35.69, 139.76, 35.69, 139.7601, 35.6901, 139.7601]] }];
  assert.throws(() => city.add({ footprints, baseM: 0, topM: 9, storeys: 1.5 }), /^RangeError: storeys is 1\.5/);
  assert.throws(() => solarDay(26, 1, 1), /^RangeError: 26-1-1 .* is no day$/);
  const path = dayPath(solarDay(2026, 6, 21), 35.69, 139.76);
  assert.throws(() => sunAt(path, Number.NaN), /^RangeError: NaN is no minute of a day$/);
});
