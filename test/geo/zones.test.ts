import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { planeOrigin, zoneOf } from '../../src/geo/zones.ts';
import { sharedData, skipWithout } from '../support/shared-data.ts';

test('origins as the ministry set them', () => {
  assert.deepEqual(planeOrigin(9), { lat: 36, lon: 139 + 50 / 60 });
  assert.deepEqual(planeOrigin(14), { lat: 26, lon: 142 });
  assert.deepEqual(planeOrigin(19), { lat: 26, lon: 154 });
});

/** A place and the zone that the ministry's notice gives to its prefecture (or islands). */
const PLACES: [name: string, lat: number, lon: number, zone: number][] = [
  ['Nagasaki', 32.7503, 129.8777, 1],
  ['Amami', 28.3769, 129.4937, 1],
  ['Fukuoka', 33.5902, 130.4017, 2],
  ['Yakushima', 30.39, 130.65, 2],
  ['Hiroshima', 34.3853, 132.4553, 3],
  ['Kochi', 33.5589, 133.5311, 4],
  ['Okayama', 34.6551, 133.9195, 5],
  ['Osaka', 34.6937, 135.5023, 6],
  ['Nagoya', 35.1815, 136.9066, 7],
  ['Niigata', 37.9161, 139.0364, 8],
  ['Tokyo', 35.6812, 139.7671, 9],
  ['Sagamihara', 35.5714, 139.3733, 9],
  ['Hachijojima', 33.11, 139.79, 9],
  ['Sendai', 38.2682, 140.8694, 10],
  ['Hakodate', 41.7687, 140.7288, 11],
  ['Sapporo', 43.0618, 141.3545, 12],
  ['Kushiro', 42.9849, 144.3814, 13],
  ['Chichijima', 27.0945, 142.1918, 14],
  ['Naha', 26.2124, 127.6809, 15],
  ['Ishigaki', 24.3448, 124.1572, 16],
  ['Minamidaito', 25.83, 131.23, 17],
  ['Okinotorishima', 20.4231, 136.0806, 18],
  ['Minamitorishima', 24.2867, 153.98, 19],
];

test('zones of places all over Japan', () => {
  for (const [name, lat, lon, zone] of PLACES) assert.equal(zoneOf(lat, lon), zone, name);
});

/** Zone of each prefecture in order of code (2–45): all but those that the notice divides (Hokkaido, Kagoshima, Okinawa). */
const PREFECTURE_ZONES = [
  10, 10, 10, 10, 10, 9, 9, 9, 9, 9, 9, 9, 9, 8, 7, 7, 6, 8, 8, 7, 8, 7, 6, 6, 6, 6, 5, 6, 6, 5, 3, 5, 3, 3, 4, 4, 4, 4,
  2, 2, 1, 2, 2, 2,
];

const LISTS = [170, 331, 520, 540, 550].map((service) => `kaigo/offices/jigyosho_${service}.csv`);

test('published offices fall in the zone of their prefecture, but for a few at its border', {
  skip: skipWithout(...LISTS),
}, (t) => {
  let known = 0;
  let agree = 0;
  for (const list of LISTS) {
    const rows: Record<string, string>[] = parse(readFileSync(sharedData(list)!), { bom: true, columns: true });
    for (const row of rows) {
      const [lat, lon] = [Number(row.緯度), Number(row.経度)];
      const prefecture = Number(
        Object.entries(row)
          .find(([column]) => column.startsWith('都道府県コード'))![1]
          .slice(0, 2),
      );
      const zone = PREFECTURE_ZONES[prefecture - 2];
      // Tokyo's southern islands have zones of their own; positions out of the country mean 'unknown'.
      if (zone === undefined || !(lat > 30 && lat < 46)) continue;
      known++;
      if (zoneOf(lat, lon) === zone) agree++;
    }
  }
  t.diagnostic(`${agree} of ${known} offices (${((100 * agree) / known).toFixed(1)} %)`);
  assert.ok(known > 10_000 && agree / known > 0.985, `${agree} of ${known}`);
});
