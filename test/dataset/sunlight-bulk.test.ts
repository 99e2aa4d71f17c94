import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { zstdDecompressSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { SUNLIGHT_COLUMNS, writeSunlightBulk } from '../../src/export/sunlight-bulk.ts';
import { DIRECTIONS } from '../../src/geo/compass.ts';
import type { Box } from '../../src/geo/grid-square.ts';
import { summaryAnswer } from '../../src/record/answers.ts';
import { boxOf } from '../../src/record/building-record.ts';
import { decodeHead } from '../../src/record/codec.ts';
import { FLOOR_CLASSES } from '../../src/sunlight/result.ts';
import { headlineFaces } from '../../src/sunlight/summary.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { CREDIT, encoded } from './support/dataset.ts';
import { geoParquetComplaints } from './support/geoparquet.ts';
import { records } from './support/records.ts';

const RECORDS = fc
  .sample(records, { numRuns: 60, seed: 5 })
  .map((record, i) => ({ ...record, buildingId: `13101-bldg-${1000 + i}` }));
const BUILDINGS = encoded(RECORDS);
const BOX = RECORDS.map(boxOf).reduce(
  (a, b): Box => ({
    south: Math.min(a.south, b.south),
    west: Math.min(a.west, b.west),
    north: Math.max(a.north, b.north),
    east: Math.max(a.east, b.east),
  }),
);
const townName = (code: string): string => `町${code}`;

async function written(t: Parameters<typeof tempFolder>[0], buildings = BUILDINGS): Promise<string> {
  const path = join(tempFolder(t), "it's.parquet");
  assert.equal(await writeSunlightBulk(path, buildings, townName, BOX, CREDIT), buildings.length);
  return path;
}

const buffer = (path: string): ArrayBuffer => new Uint8Array(readFileSync(path)).buffer;

/** `minutes` as the file keeps them. */
const float32 = (minutes: readonly number[]): number[] => Array.from(new Float32Array(minutes));

/** One row as both readers should give it, the geometry apart. */
function expectedRow(index: number): Record<string, unknown> {
  const record = RECORDS[index]!;
  const { building_id, december_top_best, december_first_south, annual_mean_hours, quality, ...summary } =
    summaryAnswer(decodeHead(record.buildingId, BUILDINGS[index]!.bytes), townName);
  const box = boxOf(record);
  const minutes: Record<string, number[] | null> = {};
  for (const [floor, name] of FLOOR_CLASSES.entries()) {
    for (const [face, direction] of DIRECTIONS.entries()) {
      const found = record.faces.find((one) => one.face === face);
      const months = found?.sunMinutes.slice(12 * floor, 12 * floor + 12);
      minutes[`direct_sun_minutes_${direction.toLowerCase()}_${name}`] = months ? float32(months) : null;
      minutes[`unshaded_minutes_${direction.toLowerCase()}`] = found ? float32(found.unshadedMinutes) : null;
    }
  }
  return {
    building_id,
    ...summary,
    december_top_best_face: december_top_best?.face ?? null,
    december_top_best_azimuth_deg: december_top_best?.azimuth_deg ?? null,
    december_top_best_direct_sun_hours: december_top_best?.direct_sun_hours ?? null,
    december_first_south_face: december_first_south?.face ?? null,
    december_first_south_azimuth_deg: december_first_south?.azimuth_deg ?? null,
    december_first_south_direct_sun_hours: december_first_south?.direct_sun_hours ?? null,
    annual_mean_hours,
    ...Object.fromEntries(Object.entries(quality).map(([name, value]) => [`quality_${name}`, value])),
    headline_faces: headlineFaces(record.faces.map(({ wallLengthM }) => wallLengthM))
      .flatMap((is, i) => (is ? DIRECTIONS[record.faces[i]!.face]! : []))
      .join(','),
    bbox: { xmin: box.west, ymin: box.south, xmax: box.east, ymax: box.north },
    ...minutes,
  };
}

test('hyparquet reads back every value', async (t) => {
  const rows = await parquetReadObjects({
    file: buffer(await written(t)),
    compressors: { ZSTD: (input) => new Uint8Array(zstdDecompressSync(input)) },
  });
  assert.equal(rows.length, RECORDS.length);
  for (const [index, { geometry, ...row }] of rows.entries()) {
    // It gives undefined for a list that is null.
    const nulls = Object.entries(row).map(([name, value]) => [name, value ?? null]);
    assert.deepEqual(Object.fromEntries(nulls), expectedRow(index));
    const { type, coordinates } = geometry as { type: string; coordinates: number[][][][] };
    assert.equal(type, 'MultiPolygon');
    const { footprints } = RECORDS[index]!;
    assert.deepEqual(
      coordinates.map((polygon) => polygon.map((ring) => ring.length)),
      footprints.map(({ rings }) => rings.map((ring) => ring.length / 2 + 1)),
    );
    for (const [p, polygon] of coordinates.entries()) {
      for (const [r, ring] of polygon.entries()) {
        assert.deepEqual(ring[0], ring.at(-1), 'rings are closed');
        assert.ok(shoelace(ring) * (r === 0 ? 1 : -1) >= 0, 'outer rings run counter-clockwise, holes clockwise');
        const published = footprints[p]!.rings[r]!;
        const points = new Set(ring.map(([lon, lat]) => `${lat} ${lon}`));
        for (let i = 0; i < published.length; i += 2) assert.ok(points.has(`${published[i]} ${published[i + 1]}`));
      }
    }
  }
});

test('DuckDB reads back every value', async (t) => {
  const path = await written(t);
  const database = await DuckDBInstance.create(':memory:');
  const connection = await database.connect();
  const result = await connection.runAndReadAll(
    `SELECT * REPLACE (octet_length(ST_AsWKB(geometry)) AS geometry) FROM '${path.replaceAll("'", "''")}'`,
  );
  const rows = result.getRowObjectsJS() as Record<string, unknown>[];
  connection.closeSync();
  database.closeSync();
  assert.equal(rows.length, RECORDS.length);
  for (const [index, { geometry, ...row }] of rows.entries()) {
    assert.deepEqual(row, expectedRow(index));
    const vertices = RECORDS[index]!.footprints.flatMap(({ rings }) => rings);
    const bytes =
      vertices.reduce((sum, ring) => sum + 4 + 8 * (ring.length + 2), 9) + 9 * RECORDS[index]!.footprints.length;
    assert.equal(Number(geometry), bytes);
  }
});

test('the metadata is GeoParquet 1.1, describes every column and gives credit', async (t) => {
  const { key_value_metadata, schema, row_groups } = parquetMetadata(buffer(await written(t)));
  const metadata = Object.fromEntries(key_value_metadata!.map(({ key, value }) => [key, JSON.parse(value!)]));
  assert.deepEqual(
    geoParquetComplaints(
      metadata.geo,
      schema.map(({ name }) => name),
    ),
    [],
  );
  assert.deepEqual(metadata.geo.columns.geometry.bbox, [BOX.west, BOX.south, BOX.east, BOX.north]);
  assert.deepEqual(metadata.geo.columns.geometry.crs.id, { authority: 'EPSG', code: 6668 });
  const { columns, ...credit } = metadata.hidamari;
  assert.deepEqual(credit, CREDIT);
  assert.deepEqual(
    Object.keys(columns),
    SUNLIGHT_COLUMNS.map(({ name }) => name),
  );
  for (const column of row_groups.flatMap(({ columns }) => columns)) assert.equal(column.meta_data!.codec, 'ZSTD');
});

test('the same rows give the same bytes', async (t) => {
  assert.ok(readFileSync(await written(t)).equals(readFileSync(await written(t))));
});

test('a damaged record fails the file by name', async (t) => {
  const broken = [
    ...BUILDINGS.slice(0, 3),
    { ...BUILDINGS[3]!, buildingId: 'x', bytes: BUILDINGS[3]!.bytes.subarray(0, 20) },
  ];
  await assert.rejects(written(t, broken), { name: 'DamageError' });
});

/** Twice the area of a closed ring of [x, y], positive counter-clockwise. */
function shoelace(ring: number[][]): number {
  const [x0, y0] = ring[0] as [number, number];
  let twice = 0;
  for (let i = 1; i < ring.length; i++) {
    const [[ax, ay], [bx, by]] = [ring[i - 1], ring[i]] as [[number, number], [number, number]];
    twice += (ax - x0) * (by - y0) - (bx - x0) * (ay - y0);
  }
  return twice;
}
