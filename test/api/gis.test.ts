import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import type { BuildingFeature, MultiPolygon } from '../../src/contract/geojson.ts';
import type { BuildingFull } from '../../src/contract/operations/sunlight-building.ts';
import { SOURCE_COLUMNS, WINDOW_COLUMNS } from '../../src/export/tables.ts';
import { multiPolygonOf } from '../../src/record/answers.ts';
import { built } from '../pipeline/run-build.ts';
import { hidamari, ROOT, run } from '../support/run.ts';
import { type ServedCity, serveCity } from '../support/served-city.ts';
import { cityGml, rowsOfHouses, writeFiles } from '../support/small-city.ts';
import { tempFolder } from '../support/temp-folder.ts';

const HOUSES = 30;
const NEAR = 'near.geojson?lat=35.6812&lon=139.7671&r=300';

interface Collection {
  type: string;
  features: BuildingFeature[];
  meta: { schema_url: string; cost_units: number; attribution: string };
}

describe('buildings for geographic information systems', () => {
  const cleanups: (() => void)[] = [];
  const suite = { after: (cleanup: () => void) => void cleanups.push(cleanup) };
  let folder: string;
  let data: string;
  let served: ServedCity;

  before(async () => {
    folder = tempFolder(suite);
    data = join(folder, 'data');
    await writeFiles(join(folder, 'city'), { 'houses.gml': cityGml(rowsOfHouses(HOUSES, { east: 380, north: 660 })) });
    await built({ out: data, citygml: [join(folder, 'city')] });
    served = await serveCity(suite, ['--data', data], 'ignore');
  });
  after(() => {
    for (const cleanup of cleanups.reverse()) cleanup();
  });

  const ask = (path: string) => fetch(`${served.url}/api/v1/sunlight/${path}`);
  const collection = async (path: string) => (await (await ask(path)).json()) as Collection;

  it('GeoJSON of a building: its ring runs counter-clockwise and is closed, its properties are flat', async () => {
    const response = await ask('building/13101-bldg-7/footprint.geojson');
    assert.equal(response.headers.get('content-type'), 'application/geo+json');
    assert.equal(response.headers.get('x-cost-units'), '1');
    const { meta, ...feature } = (await response.json()) as BuildingFeature & Pick<Collection, 'meta'>;
    assert.equal(feature.id, '13101-bldg-7');
    assert.equal(meta.schema_url, `${served.url}/schemas/sunlight-building-geojson.json`);
    isRightHanded(feature.geometry);
    for (const value of Object.values(feature.properties)) assert.ok(typeof value !== 'object' || value === null);
    const full = (await (await ask('building/13101-bldg-7/full')).json()) as { data: BuildingFull };
    assert.deepEqual(full.data.footprint, feature.geometry);
    assert.equal(full.data.december_top_best!.face, feature.properties.december_top_best_face);
  });

  it('holes run clockwise, in whatever direction they were published', () => {
    const square = (a: number, b: number) => Float64Array.of(a, a, a, b, b, b, b, a);
    const turned = (ring: Float64Array) =>
      Float64Array.of(ring[0]!, ring[1]!, ...[3, 2, 1].flatMap((i) => [ring[2 * i]!, ring[2 * i + 1]!]));
    const [outer, hole] = [square(0, 9), square(3, 6)];
    for (const rings of [
      [outer, hole],
      [turned(outer), hole],
      [outer, turned(hole)],
    ]) {
      const [[shell = [], inner = []] = []] = multiPolygonOf([{ rings }]).coordinates;
      isRightHanded({ type: 'MultiPolygon', coordinates: [[shell]] });
      isRightHanded({ type: 'MultiPolygon', coordinates: [[inner.toReversed()]] });
    }
  });

  it('near as GeoJSON has the buildings of near, in its order', async () => {
    const { features, meta } = await collection(NEAR);
    const near = (await (await ask(NEAR.replace('.geojson', ''))).json()) as {
      data: { buildings: { building_id: string }[] };
    };
    assert.deepEqual(
      features.map(({ id }) => id),
      near.data.buildings.map(({ building_id }) => building_id),
    );
    assert.equal(features.length, HOUSES);
    assert.equal(meta.cost_units, 2);
    for (const { geometry } of features) isRightHanded(geometry);
  });

  it('problems are those of the neighbours', async () => {
    for (const [path, status] of [
      ['near.geojson?lat=1&lon=139.7', 400],
      ['building/13101-bldg-999/footprint.geojson', 404],
      ['building/nonsense/footprint.geojson', 400],
      ['town/13101001001/buildings.geojson?page=0', 400],
      ['town/13101001001/buildings.geojson', 404],
    ] as const) {
      const response = await ask(path);
      assert.equal(response.status, status, path);
      assert.equal(response.headers.get('content-type'), 'application/problem+json');
    }
  });

  it('ogrinfo opens what the server gives and what export writes', async (test) => {
    const sequence = join(folder, 'all.geojsonl');
    const separated = join(folder, 'all.geojsons');
    await exported('--out', sequence);
    await exported('--record-separators', '--out', separated);
    if ((await run('ogrinfo', ['--version']).catch(() => ({ code: 127 }))).code !== 0) {
      test.skip('ogrinfo (gdal-bin) is not installed');
      return;
    }
    const file = async (name: string, path: string) => {
      writeFileSync(join(folder, name), Buffer.from(await (await ask(path)).arrayBuffer()));
      return join(folder, name);
    };
    const one = await file('one.geojson', 'building/13101-bldg-7/footprint.geojson');
    const around = await file('near.geojson', NEAR);
    for (const [path, count] of [
      [one, 1],
      [around, HOUSES],
      [sequence, HOUSES],
      [separated, HOUSES],
    ] as const) {
      const { code, stdout, stderr } = await run('ogrinfo', ['-al', '-so', path]);
      assert.equal(code, 0, stderr);
      assert.match(stdout, new RegExp(`Feature Count: ${count}\n`), path);
      assert.match(stdout, /Geometry: Multi Polygon/);
      assert.match(stdout, /annual_mean_hours: Real/);
    }
  });

  it('export writes a part: by ward, by box', async () => {
    const lines = async (...flags: string[]) => (await exported(...flags)).stdout.trim().split('\n');
    assert.equal((await lines('--ward', '13101')).length, HOUSES);
    const [first = ''] = await lines();
    const { geometry } = JSON.parse(first) as BuildingFeature;
    const [[[lon, lat] = []] = []] = geometry.coordinates.flat();
    const one = await lines('--bbox', [lon! - 1e-6, lat! - 1e-6, lon! + 1e-6, lat! + 1e-6].join());
    assert.deepEqual(one, [first]);
    const sea = await exported('--bbox', '139.9,35.5,139.91,35.51');
    assert.deepEqual([sea.code, sea.stdout], [0, '']);
    assert.match(sea.stderr, /Nothing was found/);
    const none = await hidamari(['export', data, '--ward', '13102']);
    assert.deepEqual([none.code, none.stdout], [1, '']);
    assert.match(none.stderr, /no buildings of --ward 13102; it has those of 13101\n/);
  });

  it('windows and shading sources are those of the full answer', async () => {
    const [windows, sources] = [join(folder, 'windows.parquet'), join(folder, 'sources.parquet')];
    await exported('--as', 'windows', '--out', windows);
    await exported('--as', 'sources', '--out', sources);
    const connection = await (await DuckDBInstance.create()).connect();
    const rows = async (query: string) => (await connection.runAndReadAll(query)).getRowsJson();
    const { data: full } = (await (await ask('building/13101-bldg-7/full')).json()) as { data: BuildingFull };
    const expected = full.faces.flatMap(({ face, floors }) =>
      Object.entries(floors).flatMap(([name, { floor, months }]) =>
        months.flatMap(({ month, sunlit_windows }) =>
          sunlit_windows.map(([start, end]) => [face, name, floor, month, start, end]),
        ),
      ),
    );
    const only = `WHERE building_id = '13101-bldg-7'`;
    const columns = 'face, floor_class, floor, month, start, "end"';
    assert.deepEqual(await rows(`SELECT ${columns} FROM '${windows}' ${only}`), expected);
    assert.deepEqual(
      await rows(`SELECT source_building_id, share FROM '${sources}' ${only} ORDER BY rank`),
      full.shading_sources.map(({ building_id, share }) => [building_id, share]),
    );
  });

  it('docs/gis.md lists the columns', () => {
    const docs = readFileSync(join(ROOT, 'docs/gis.md'), 'utf8');
    for (const columns of [WINDOW_COLUMNS, SOURCE_COLUMNS]) {
      const names = columns.map(({ name }) => `\`${name}\``).join(' ');
      assert.ok(docs.includes(names), names);
    }
  });

  it('what cannot be written is said, and no half file stays', async () => {
    const nowhere = join(folder, 'no', 'such', 'file');
    const { code, stderr } = await hidamari(['export', data, '--out', nowhere]);
    assert.equal(code, 1);
    assert.match(stderr, /cannot be written: there is no folder \S+; make it first\n$/);
    const wrong = await hidamari(['export', data, '--bbox', '139,35,138,36']);
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /west,south,east,north/);
  });

  async function exported(...flags: string[]) {
    const ended = await hidamari(['export', data, ...flags]);
    assert.equal(ended.code, 0, ended.stderr);
    return ended;
  }
});

/** RFC 7946, 3.1.6: rings are closed; outer ones run counter-clockwise. */
function isRightHanded({ coordinates }: MultiPolygon): void {
  for (const [outer = []] of coordinates) {
    assert.deepEqual(outer[0], outer.at(-1));
    const [[west, south]] = outer as [[number, number]];
    let twice = 0;
    for (let i = 0; i + 1 < outer.length; i++) {
      const [[ax, ay], [bx, by]] = [outer[i]!, outer[i + 1]!];
      twice += (ax - west) * (by - south) - (bx - west) * (ay - south);
    }
    assert.ok(twice > 0);
  }
}
