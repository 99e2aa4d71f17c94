import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import geodesic from 'geographiclib-geodesic';
import { cellsOf, encodeEntry } from '../../src/dataset/cell.ts';
import { CellCursor } from '../../src/dataset/cell-cursor.ts';
import { type Cells, type Nearby, NearSearch } from '../../src/dataset/near.ts';
import { packSummary, writeSummary } from '../../src/dataset/sunlight-json.ts';
import { JsonWriter } from '../../src/formats/json-bytes.ts';
import { LocalPlane } from '../../src/geo/plane.ts';
import { polygonDistance } from '../../src/geo/polygon.ts';
import { summaryAnswer } from '../../src/record/answers.ts';
import { type BuildingRecord, boxOf } from '../../src/record/building-record.ts';
import { decodeHead, encodeRecord } from '../../src/record/codec.ts';
import { records } from './support/records.ts';

const [LAT, LON] = [35.68, 139.76];
const [template] = fc.sample(records, { numRuns: 1, seed: 3 }) as [BuildingRecord];

/** A rectangle of so many metres, its south-west corner at a place. */
function rectangle(buildingId: string, lat: number, lon: number, northM: number, eastM: number): BuildingRecord {
  const [dLat, dLon] = [northM / 111_000, eastM / 90_500];
  const ring = Float64Array.of(lat, lon, lat, lon + dLon, lat + dLat, lon + dLon, lat + dLat, lon);
  return { ...template, buildingId, lat: lat + dLat / 2, lon: lon + dLon / 2, footprints: [{ rings: [ring] }] };
}

/** Puts records into cells as the writer does. */
function cellsFor(all: readonly BuildingRecord[]): Cells {
  const cells = new Map<string, Uint8Array[]>();
  for (const record of all) {
    const head = decodeHead(record.buildingId, encodeRecord(record));
    const summary = packSummary(summaryAnswer(head, () => null));
    const box = boxOf(head);
    for (const [row, column] of cellsOf(box)) {
      const entry = encodeEntry(row, column, box, summary, head.footprints);
      cells.set(`${row},${column}`, [...(cells.get(`${row},${column}`) ?? []), entry]);
    }
  }
  const bytesOf = (row: number, column: number): Uint8Array | undefined => {
    const entries = cells.get(`${row},${column}`);
    return entries && Buffer.concat(entries);
  };
  return {
    cell(row, column, look) {
      const bytes = bytesOf(row, column);
      return bytes && look(bytes);
    },
  };
}

const json = new JsonWriter();

function idOf({ bytes, start, end }: Nearby): string {
  json.begin();
  writeSummary(json, bytes, start, end);
  return JSON.parse(json.copy().toString()).building_id;
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

const city = fc.array(
  fc.record({
    north: fc.double({ min: -400, max: 400, noNaN: true }),
    east: fc.double({ min: -400, max: 400, noNaN: true }),
    height: fc.double({ min: 1, max: 250, noNaN: true }),
    width: fc.double({ min: 1, max: 250, noNaN: true }),
  }),
  { maxLength: 80 },
);

test('near gives what looking at every building gives', () => {
  fc.assert(
    fc.property(
      city,
      fc.double({ min: 1, max: 300, noNaN: true }),
      fc.integer({ min: 1, max: 50 }),
      (places, radiusM, limit) => {
        const all = places.map(({ north, east, height, width }, i) =>
          rectangle(`13101-bldg-${i}`, LAT + north / 111_000, LON + east / 90_500, height, width),
        );
        const expected = bruteForce(all, LAT, LON, radiusM);
        const { found, truncated } = new NearSearch(cellsFor(all)).find(LAT, LON, radiusM, limit);
        assert.deepEqual(
          found.map((nearby) => ({ id: idOf(nearby), distanceM: nearby.distanceM })),
          expected.slice(0, limit),
        );
        assert.equal(truncated, expected.length > limit);
      },
    ),
    { numRuns: 60 },
  );
});

test('inside a footprint the distance is 0, in a hole it is not; ties go by ID', () => {
  const around = rectangle('13101-bldg-10', LAT - 0.0005, LON - 0.0005, 111, 90.5);
  const also = { ...around, buildingId: '13101-bldg-2' };
  const holed = {
    ...around,
    buildingId: '13101-bldg-1',
    footprints: [
      {
        rings: [
          around.footprints[0]!.rings[0]!,
          rectangle('', LAT - 0.0001, LON - 0.0001, 22.2, 18.1).footprints[0]!.rings[0]!,
        ],
      },
    ],
  };
  const { found } = new NearSearch(cellsFor([around, also, holed])).find(LAT, LON, 300, 50);
  assert.deepEqual(
    found.map((nearby) => [idOf(nearby), Math.round(nearby.distanceM)]),
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

test('a building is listed in every cell that it meets', () => {
  const wide = rectangle('13101-bldg-1', 35.6795, 139.7585, 200, 250);
  const box = boxOf(wide);
  const cells = [...cellsOf(box)];
  assert.equal(cells.length, 3 * 4);
  const stored = cellsFor([wide]);
  for (const [row, column] of cells) {
    const bytes = stored.cell(row, column, (seen) => seen)!;
    const plane = new LocalPlane(wide.lat, wide.lon);
    const entries = new CellCursor(bytes, plane);
    entries.enter(row, column, 0, bytes.length);
    assert.ok(entries.next());
    assert.equal(idOf({ distanceM: 0, bytes, start: entries.summaryStart, end: entries.summaryEnd }), '13101-bldg-1');
    // Of the box, the part in the cell.
    const [south, west] = [row / 1000, column / 1000];
    const y = Math.max(south - wide.lat, wide.lat - south - 0.001, 0) * plane.perLat;
    const x = Math.max(west - wide.lon, wide.lon - west - 0.001, 0) * plane.leastPerLon(south, south + 0.001);
    assert.ok(Math.abs(entries.boxDistance() - Math.hypot(x, y)) < 0.02);
    assert.equal(entries.next(), false);
  }
});
