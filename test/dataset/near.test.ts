import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import geodesic from 'geographiclib-geodesic';
import { openDataset } from '../../src/dataset/open.ts';
import type { SunlightAnswers } from '../../src/dataset/sunlight.ts';
import { LocalPlane } from '../../src/geo/plane.ts';
import { polygonDistance } from '../../src/geo/polygon.ts';
import { type BuildingRecord, boxOf } from '../../src/record/building-record.ts';
import { decodeHead, encodeRecord } from '../../src/record/codec.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { publishRecords } from './support/dataset.ts';
import { records } from './support/records.ts';

const [LAT, LON] = [35.68, 139.76];
const [template] = fc.sample(records, { numRuns: 1, seed: 3 }) as [BuildingRecord];

/** A rectangle of so many metres, its south-west corner at a place. */
function rectangle(buildingId: string, lat: number, lon: number, northM: number, eastM: number): BuildingRecord {
  const [dLat, dLon] = [northM / 111_000, eastM / 90_500];
  const ring = Float64Array.of(lat, lon, lat, lon + dLon, lat + dLat, lon + dLon, lat + dLat, lon);
  return {
    ...template,
    townCode: null,
    buildingId,
    lat: lat + dLat / 2,
    lon: lon + dLon / 2,
    footprints: [{ rings: [ring] }],
  };
}

/** The sunlight half of a dataset of some records. */
async function publish(t: TestContext, all: readonly BuildingRecord[]): Promise<SunlightAnswers> {
  const dataset = await openDataset(await publishRecords(tempFolder(t), all, []));
  t.after(() => dataset.close());
  return dataset.sunlight!;
}

/** Metres from a point to the footprint of a record, 0 inside. */
function footprintDistance(plane: LocalPlane, record: BuildingRecord): number {
  const { footprints } = decodeHead(record.buildingId, encodeRecord(record));
  const polygons = footprints.map(({ rings }) =>
    rings.map((ring) => ring.map((_, i) => (i % 2 === 0 ? plane.x(ring[i]!, ring[i + 1]!) : plane.y(ring[i - 1]!)))),
  );
  return Math.min(...polygons.map((rings) => polygonDistance([[0, 0]], rings)));
}

/** Every building within the radius, nearest first, ties by ID. */
function bruteForce(all: readonly BuildingRecord[], lat: number, lon: number, radiusM: number) {
  const plane = new LocalPlane(lat, lon);
  return all
    .map((record) => ({ id: record.buildingId, distanceM: footprintDistance(plane, record) }))
    .filter(({ distanceM }) => distanceM <= radiusM)
    .sort((a, b) => a.distanceM - b.distanceM || (a.id < b.id ? -1 : 1));
}

const double = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const places = fc.array(
  fc.record({ north: double(-400, 400), east: double(-400, 400), height: double(1, 250), width: double(1, 250) }),
  { minLength: 10, maxLength: 150 },
);
const searches = fc.array(
  fc.record({
    north: double(-400, 400),
    east: double(-400, 400),
    radiusM: double(1, 300),
    limit: fc.integer({ min: 1, max: 50 }),
  }),
  { minLength: 40, maxLength: 40 },
);
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);

test(`near gives what looking at every building gives (SEED=${SEED})`, async (t) => {
  for (const [city, asked] of fc.sample(fc.tuple(places, searches), { numRuns: 5, seed: SEED })) {
    const all = city.map(({ north, east, height, width }, i) =>
      rectangle(`13101-bldg-${i}`, LAT + north / 111_000, LON + east / 90_500, height, width),
    );
    const sunlight = await publish(t, all);
    for (const { north, east, radiusM, limit } of asked) {
      const [lat, lon] = [LAT + north / 111_000, LON + east / 90_500];
      const expected = bruteForce(all, lat, lon, radiusM);
      const { buildings, count, truncated } = sunlight.near(lat, lon, radiusM, limit).toJSON();
      assert.deepEqual(
        buildings.map(({ building_id, distance_m }) => [building_id, distance_m]),
        expected.slice(0, limit).map(({ id, distanceM }) => [id, Math.round(distanceM * 100) / 100]),
      );
      assert.deepEqual([count, truncated], [buildings.length, expected.length > limit]);
    }
  }
});

test('inside a footprint the distance is 0, in a hole it is not; ties go by ID', async (t) => {
  const around = rectangle('13101-bldg-10', LAT - 0.0005, LON - 0.0005, 111, 90.5);
  const also = { ...around, buildingId: '13101-bldg-2' };
  const [outer] = around.footprints[0]!.rings;
  const [inner] = rectangle('', LAT - 0.0001, LON - 0.0001, 22.2, 18.1).footprints[0]!.rings;
  const holed = { ...around, buildingId: '13101-bldg-1', footprints: [{ rings: [outer!, inner!] }] };
  const sunlight = await publish(t, [around, also, holed]);
  assert.deepEqual(
    sunlight
      .near(LAT, LON, 300, 50)
      .toJSON()
      .buildings.map(({ building_id, distance_m }) => [building_id, Math.round(distance_m)]),
    [
      ['13101-bldg-10', 0],
      ['13101-bldg-2', 0],
      ['13101-bldg-1', 9],
    ],
  );
});

test('distances agree with the geodesic to a millimetre within 300 m', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 20, max: 46, noNaN: true }),
      fc.double({ min: 122, max: 154, noNaN: true }),
      fc.double({ min: 0, max: 360, noNaN: true }),
      fc.double({ min: 0, max: 300, noNaN: true }),
      (lat, lon, azimuth, distance) => {
        const there = geodesic.Geodesic.WGS84.Direct(lat, lon, azimuth, distance) as { lat2: number; lon2: number };
        const plane = new LocalPlane(lat, lon);
        const measured = Math.hypot(plane.x(there.lat2, there.lon2), plane.y(there.lat2));
        assert.ok(Math.abs(measured - distance) < 0.001, `${measured} for ${distance}`);
      },
    ),
  );
});

test('a building is found from every cell of the grid that it meets', async (t) => {
  const wide = rectangle('13101-bldg-1', 35.6795, 139.7585, 200, 250);
  const { south, west, north, east } = boxOf(wide);
  const sunlight = await publish(t, [wide]);
  const inside = (from: number, to: number): number[] => {
    const edges = Array.from({ length: 9 }, (_, i) => (Math.floor(from * 1000) + i) / 1000).filter((edge) => edge < to);
    return edges.map((edge) => (Math.max(edge, from) + Math.min(edge + 0.001, to)) / 2);
  };
  const points = inside(south, north).flatMap((lat) => inside(west, east).map((lon) => [lat, lon] as const));
  assert.equal(points.length, 3 * 4);
  for (const [lat, lon] of points) {
    const [found] = sunlight.near(lat, lon, 1, 1).toJSON().buildings;
    assert.deepEqual([found?.building_id, found?.distance_m], ['13101-bldg-1', 0]);
  }
});
