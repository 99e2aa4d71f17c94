import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { test } from 'node:test';
import { officeList } from '../../samples/kaigo.ts';
import { shapefile } from '../../samples/shapefile.ts';
import { buildTemporarily } from './support/build.ts';
import { withFiles } from './support/sample.ts';
import { facility, office } from './support/small-lists.ts';
import { type Ring, square, zoneLayer } from './support/zones.ts';

test('a facility has the flood and landslide zones at its position', async () => {
  const [deep, inHole, outside, elsewhere, osaka, nowhere] = Array.from({ length: 6 }, (_, i) => `13701000${i}8`);
  const places: [id: string, lat: string, lon: string, more?: Record<string, string>][] = [
    [deep!, '35.69', '139.75'],
    [inHole!, '35.6951', '139.7551'],
    [outside!, '35.60', '139.70'],
    [elsewhere!, '35.705', '139.765'],
    [
      osaka!,
      '34.7',
      '135.5',
      { 都道府県コード又は市町村コード: '271276', 都道府県名: '大阪府', 市区町村名: '大阪市北区' },
    ],
    [nowhere!, '', ''],
  ];
  const floods = zoneLayer([
    [
      { A31a_201: '8303050001', A31a_202: '荒川', A31a_205: 2 },
      [square(139.74, 35.68, 0.02), square(139.755, 35.695, 0.001)],
    ],
    [{ A31a_202: '神田川', A31a_205: '4' }, [square(139.745, 35.685, 0.008)]],
    // Of a plan: it is deeper, and yet the largest flood counts.
    [{ A31a_105: 6 }, [square(139.745, 35.685, 0.008)]],
    [{ A31a_205: 99 }, [square(139, 35, 1)]],
  ]);
  const old = zoneLayer([[{ A31_001: 14 }, [square(139.76, 35.7, 0.01)]]]);
  const slopes = zoneLayer([
    [{ A33_001: 1, A33_002: 1 }, [square(139.74, 35.68, 0.02)]],
    [{ A33_001: '2', A33_002: '4' }, [square(139.745, 35.685, 0.008)]],
  ]);
  const files = new Map<string, string | Uint8Array>([
    ['lists/jigyosho_510.csv', officeList(places.map(([id, 緯度, 経度, more]) => office(id, { 緯度, 経度, ...more })))],
    // The code of a river bureau is no prefecture: the box of its zones counts.
    ['layers/A31a-22_83_10_GEOJSON.geojson', floods],
    ['layers/A31-12_13.geojson', old],
    ['layers/A33-22_13.geojson', slopes],
    ['empty/readme.txt', ''],
  ]);
  await withFiles(files, async (folder) => {
    const options = { offices: [join(folder, 'lists')] };
    await buildTemporarily({ ...options, hazards: [join(folder, 'layers')] }, (built) => {
      const at = (id: string | undefined) => facility(built, id!).hazards;
      assert.deepEqual(at(deep)!.flood, { rank: 4, from_m: 5, to_m: 10, river: '神田川', scenario: 'largest' });
      assert.deepEqual(at(deep)!.landslide, [
        { zone: 'warning', phenomenon: 'steep_slope', designated: true },
        { zone: 'special', phenomenon: 'debris_flow', designated: false },
      ]);
      const none = { rank: 0, from_m: null, to_m: null, river: null, scenario: null };
      assert.deepEqual(at(inHole)!.flood, none);
      assert.deepEqual(at(outside), { flood: none, landslide: [] });
      // 2 to 5 m of the older five steps.
      assert.deepEqual(at(elsewhere)!.flood, { rank: 3, from_m: 2, to_m: 5, river: null, scenario: 'planned' });
      assert.equal(at(osaka), null);
      assert.equal(at(nowhere), null);
      const { files: read, same_data, ...counts } = built.half.report.hazards!;
      assert.equal(read.length, 3);
      assert.deepEqual(counts, {
        flood_zones: 4,
        landslide_zones: 2,
        passed_over: 1,
        in_flood_zone: 2,
        flood_covered: 4,
        in_landslide_zone: 2,
        landslide_covered: 4,
        without_position: 1,
      });
      assert.deepEqual(same_data, []);
    });
    await assert.rejects(
      buildTemporarily({ ...options, hazards: [join(folder, 'empty')] }, () => {}),
      /no hazard layers; expected GeoJSON or shapefiles of 国土数値情報 A31 or A33/,
    );
  });
});

// Where areas overlapped, the home was in no zone.
test('a home where the areas of a zone overlap is in the zone', async () => {
  const home = '1370100208';
  const coordinates = [square(139.74, 35.68, 0.02), square(139.745, 35.685, 0.02)].map((ring) => [ring]);
  const layer = {
    type: 'FeatureCollection',
    // A feature that is null was an error of the program.
    features: [null, { properties: { A33_001: 1, A33_002: 2 }, geometry: { type: 'MultiPolygon', coordinates } }],
  };
  const files = new Map<string, string | Uint8Array>([
    ['lists/jigyosho_510.csv', officeList([office(home, { 緯度: '35.69', 経度: '139.75' })])],
    ['layers/A33-22_13.geojson', JSON.stringify(layer)],
  ]);
  await withFiles(files, async (folder) => {
    const options = { offices: [join(folder, 'lists')], hazards: [join(folder, 'layers')] };
    await buildTemporarily(options, (built) => {
      assert.equal(facility(built, home).hazards?.landslide?.length, 1);
      assert.equal(built.half.report.hazards!.passed_over, 1);
    });
  });
});

test('shapefiles give the same zones as GeoJSON; a layer without its table is refused', async () => {
  const [inside, inHole, outside] = Array.from({ length: 3 }, (_, i) => `13701001${i}8`);
  const places = [
    [inside!, '35.69', '139.75'],
    [inHole!, '35.6951', '139.7551'],
    [outside!, '35.60', '139.70'],
  ] as const;
  const open = (ring: Ring): Ring => ring.slice(0, -1);
  const rings = [open(square(139.74, 35.68, 0.02)), open(square(139.755, 35.695, 0.001))];
  const flood = shapefile(
    [{ rings, attributes: { A31a_205: '3', A31a_202: '荒川' } }],
    [
      { name: 'A31a_205', type: 'N', width: 4 },
      { name: 'A31a_202', type: 'C', width: 20 },
    ],
  );
  const slope = shapefile(
    [{ rings, attributes: { A33_001: '1', A33_002: '2' } }],
    ['A33_001', 'A33_002'].map((name) => ({ name, type: 'C' as const, width: 4 })),
  );
  const files = new Map<string, string | Uint8Array>([
    ['lists/jigyosho_510.csv', officeList(places.map(([id, 緯度, 経度]) => office(id, { 緯度, 経度 })))],
    ['layers/A31a-22_13_10.shp', flood.shp],
    ['layers/A31a-22_13_10.dbf', flood.dbf],
    ['layers/A33-22_13.shp', slope.shp],
    ['layers/A33-22_13.dbf', slope.dbf],
    ['alone/A33-22_13.shp', slope.shp],
  ]);
  await withFiles(files, async (folder) => {
    const options = { offices: [join(folder, 'lists')] };
    await buildTemporarily({ ...options, hazards: [join(folder, 'layers')] }, (built) => {
      const at = (id: string | undefined) => facility(built, id!).hazards;
      assert.deepEqual(at(inside)!.flood, { rank: 3, from_m: 3, to_m: 5, river: '荒川', scenario: 'largest' });
      assert.deepEqual(at(inside)!.landslide, [{ zone: 'special', phenomenon: 'steep_slope', designated: true }]);
      for (const id of [inHole, outside]) {
        assert.equal(at(id)!.flood?.rank, 0);
        assert.deepEqual(at(id)!.landslide, []);
      }
      // The table of a layer has its attributes: another table makes another dataset.
      const layers = built.half.inputs.filter(({ label }) => label.startsWith('A31'));
      assert.deepEqual(
        layers.map(({ label, sha256 }) => [label, sha256]),
        [
          ['A31a-22_13_10.dbf', hash('sha256', flood.dbf)],
          ['A31a-22_13_10.shp', hash('sha256', flood.shp)],
        ],
      );
    });
    await assert.rejects(
      buildTemporarily({ ...options, hazards: [join(folder, 'alone')] }, () => {}),
      /A33-22_13\.shp: its table \(\.dbf\) is missing; keep the published files together/,
    );
    // One file of a folder, without the folder: its table lies beside it.
    await buildTemporarily({ ...options, hazards: [join(folder, 'layers/A33-22_13.shp')] }, (built) =>
      assert.equal(facility(built, inside!).hazards?.landslide?.length, 1),
    );
  });
});

test('a GeoJSON layer in another encoding, or cut off, is refused with its name', async () => {
  const layer = zoneLayer([[{ A31a_205: 3, A31a_202: '荒川' }, [square(139.74, 35.68, 0.02)]]]);
  const shiftJis = Buffer.from(layer.replace('荒川', '\x8dr\x90\xec'), 'latin1');
  const damaged: [string, Uint8Array, RegExp][] = [
    ['sjis', shiftJis, /A31a-22_13\.geojson: its text is not UTF-8, as GeoJSON is: convert it, or give the shapefile/],
    ['utf16', Buffer.from(`\ufeff${layer}`, 'utf16le'), /A31a-22_13\.geojson: its text is not UTF-8/],
    ['cut', Buffer.from(layer).subarray(0, -40), /A31a-22_13\.geojson: is not JSON/],
    ['empty', Buffer.alloc(0), /A31a-22_13\.geojson: is not JSON/],
  ];
  const files = new Map<string, string | Uint8Array>([
    ['lists/jigyosho_510.csv', officeList([office('1370100118', { 緯度: '35.69', 経度: '139.75' })])],
    ['bom/A31a-22_13.geojson', `\ufeff${layer}`],
    ...damaged.map(([name, bytes]) => [`${name}/A31a-22_13.geojson`, bytes] as const),
  ]);
  await withFiles(files, async (folder) => {
    const from = (name: string) => ({ offices: [join(folder, 'lists')], hazards: [join(folder, name)] });
    for (const [name, , message] of damaged)
      await assert.rejects(
        buildTemporarily(from(name), () => {}),
        message,
      );
    await buildTemporarily(from('bom'), (built) =>
      assert.equal(facility(built, '1370100118').hazards?.flood?.river, '荒川'),
    );
  });
});
