import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import type { Town } from '../../src/census/town.ts';
import { CityLandmarks } from '../../src/landmarks/citygml.ts';
import { readGeoJson } from '../../src/landmarks/geojson.ts';
import { stationsOnce } from '../../src/landmarks/landmark.ts';
import { readShapefile } from '../../src/landmarks/shapefile.ts';
import { landmarkTiles } from '../../src/map/landmark-tiles.ts';
import { readLandmarkPaths, stationsOf } from '../../src/pipeline/landmarks.ts';
import { latinName } from '../../src/search/romaji.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** As 国土数値情報 publishes N02: a station is a line for each railway. */
const station = (line: string, name: string, lon: number) => ({
  type: 'Feature',
  properties: { N02_001: '11', N02_002: '2', N02_003: line, N02_004: '東日本旅客鉄道', N02_005: name, N02_005c: '1' },
  geometry: {
    type: 'LineString',
    coordinates: [
      [lon, 35.6925],
      [lon + 0.0004, 35.6915],
    ],
  },
});
const collection = (features: unknown[]): string => JSON.stringify({ type: 'FeatureCollection', features });

test('a station of two railways is one point, one of the same name far away another', () => {
  const text = collection([
    station('中央線', '神田', 139.7705),
    station('山手線', '神田', 139.7707),
    station('鹿児島線', '神田', 139.9),
    { type: 'Feature', properties: { P05_001: 'x' }, geometry: { type: 'Point', coordinates: [139.7, 35.6] } },
  ]);
  const { landmarks, passedOver } = readGeoJson(text, 'N02-23_Station.geojson');
  assert.deepEqual([landmarks.length, passedOver], [3, 1]);
  const once = stationsOnce(landmarks);
  assert.deepEqual(
    once.map(({ layer, name, shape }) => [layer, name, shape]),
    Array.from({ length: 2 }, () => ['stations', '神田', 'point']),
  );
});

test('what is no landmark, or lies nowhere in Japan, is refused with its place in the file', () => {
  assert.throws(() => readGeoJson('{', 'a.geojson'), /a\.geojson: is not JSON/);
  assert.throws(() => readGeoJson('{}', 'a.geojson'), /expected a FeatureCollection/);
  const plane = collection([
    { ...station('中央線', '神田', 139.77), geometry: { type: 'Point', coordinates: [-5000, 9] } },
  ]);
  assert.throws(
    () => readGeoJson(plane, 'a.geojson'),
    /a\.geojson: feature 1: point -5000, 9 is not longitude and latitude/,
  );
});

test('coordinates in too few lists are refused with the feature; properties that are no object are no landmark', () => {
  const river = (type: string, coordinates: unknown) =>
    collection([{ properties: { W05_004: '川' }, geometry: { type, coordinates } }]);
  for (const [type, coordinates, found] of [
    ['Polygon', [139, 35], '139'],
    ['MultiPolygon', [null], 'null'],
    ['LineString', null, 'null'],
  ] as const)
    assert.throws(
      () => readGeoJson(river(type, coordinates), 'a.geojson'),
      new RegExp(`a\\.geojson: feature 1: has ${found} where a list of coordinates is expected`),
    );
  const strange = collection([{ properties: 'W05_004', geometry: { type: 'Point', coordinates: [139, 35] } }]);
  assert.deepEqual(readGeoJson(strange, 'a.geojson'), { landmarks: [], passedOver: 1 });
});

test('a station has the town that contains it, also where the middle of another one is nearer', () => {
  const town = (townCode: string, west: number, east: number) => ({
    townCode,
    rings: [Float64Array.of(35.69, west, 35.69, east, 35.7, east, 35.7, west)],
  });
  const towns = [town('131010010', 139.75, 139.77), town('131040010', 139.77, 139.772)] as unknown as Town[];
  const landmarks = readGeoJson(
    collection([station('中央線', '飯田橋', 139.7695)]),
    'N02-23_Station.geojson',
  ).landmarks;
  assert.deepEqual(
    stationsOf(stationsOnce(landmarks), towns).map(({ name, town_code }) => [name, town_code]),
    [['飯田橋', '131010010']],
  );
});

const gml = (positions: string): string => `<?xml version="1.0" encoding="UTF-8"?>
<core:CityModel xmlns:core="http://www.opengis.net/citygml/2.0" xmlns:gml="http://www.opengis.net/gml"
 xmlns:tran="http://www.opengis.net/citygml/transportation/2.0" xmlns:uro="https://www.geospatial.jp/iur/uro/3.0">
<core:cityObjectMember><tran:Road gml:id="tran_1"><gml:name>本郷通り</gml:name><tran:lod1MultiSurface><gml:MultiSurface>
<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>${positions}</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>
</gml:MultiSurface></tran:lod1MultiSurface><tran:lod2MultiSurface><gml:MultiSurface/></tran:lod2MultiSurface>
<uro:tranDataQualityAttribute/></tran:Road></core:cityObjectMember></core:CityModel>`;

function road(positions: string) {
  const city = new CityLandmarks('53394611_tran_6697_op.gml');
  const bytes = Buffer.from(gml(positions));
  // In pieces, as files come.
  for (let at = 0; at < bytes.length; at += 100) city.feed(bytes.subarray(at, at + 100));
  city.end();
  return city.landmarks;
}
const RING = '35.693 139.766 0 35.6932 139.766 0 35.6925 139.771 0 35.693 139.766 0';

test('roads of a city model are areas, longitude first; a list that is none is refused', () => {
  const [one] = road(RING);
  assert.deepEqual([one?.layer, one?.name, one?.shape], ['roads', '本郷通り', 'area']);
  assert.deepEqual([...one!.parts[0]!].slice(0, 4), [139.766, 35.693, 139.766, 35.6932]);
  assert.throws(() => road('35.6 139.7 0 35.7'), /posList of 4 numbers/);
  assert.throws(() => road('35.6 x 0'), /posList of 3 numbers/);
});

const [LINE, AREA] = [3, 5];
const STREAM = [[139.75, 35.7, 139.78, 35.6965]];

/** A shapefile of one record with some parts, and its table of one text column. */
function river(
  name: string,
  type = LINE,
  parts: readonly (readonly number[])[] = STREAM,
): [shapes: Buffer, table: Buffer] {
  const content = 44 + 4 * parts.length + 8 * parts.flat().length;
  const shapes = Buffer.alloc(100 + 8 + content);
  shapes.writeInt32BE(9994, 0);
  shapes.writeInt32BE(shapes.length / 2, 24);
  shapes.writeInt32LE(type, 32);
  shapes.writeInt32BE(1, 100);
  shapes.writeInt32BE(content / 2, 104);
  shapes.writeInt32LE(type, 108);
  shapes.writeInt32LE(parts.length, 144);
  shapes.writeInt32LE(parts.flat().length / 2, 148);
  let points = 0;
  for (const [i, part] of parts.entries()) {
    shapes.writeInt32LE(points, 152 + 4 * i);
    points += part.length / 2;
  }
  for (const [i, value] of parts.flat().entries()) shapes.writeDoubleLE(value, 152 + 4 * parts.length + 8 * i);
  const text = Buffer.alloc(30, ' ');
  text.write(name);
  const table = Buffer.alloc(32 + 32 + 1);
  table[0] = 3;
  table.writeUInt32LE(1, 4);
  table.writeUInt16LE(65, 8);
  table.writeUInt16LE(31, 10);
  table.write('W05_004', 32);
  table.write('C', 43);
  table[48] = 30;
  table[64] = 0x0d;
  return [shapes, Buffer.concat([table, Buffer.from(' '), text, Buffer.from([0x1a])])];
}

test('rivers of a shapefile are lines with their names; a file that is cut off is refused', () => {
  const [shapes, table] = river('神田川');
  const { landmarks } = readShapefile(shapes, table, 'W05-08_13-g_Stream.shp');
  assert.deepEqual(
    landmarks.map(({ layer, name, shape, parts }) => [layer, name, shape, [...parts[0]!]]),
    [['water', '神田川', 'line', [139.75, 35.7, 139.78, 35.6965]]],
  );
  assert.equal(readShapefile(...river('名称不明'), 'x.shp').landmarks[0]?.name, null);
  assert.throws(() => readShapefile(shapes.subarray(0, 150), table, 'x.shp'), /x\.shp: cut off after 150 bytes/);
});

test('an area of several outer rings in a shapefile is as many landmarks, each with its holes', () => {
  const square = (west: number, south: number, side: number): number[] => [
    west,
    south,
    west,
    south + side,
    west + side,
    south + side,
    west + side,
    south,
    west,
    south,
  ];
  const [lake, island, other] = [square(139.7, 35.6, 0.01), square(139.702, 35.602, 0.002), square(139.72, 35.6, 0.01)];
  const { landmarks } = readShapefile(...river('湖', AREA, [lake, other, island]), 'W09.shp');
  assert.deepEqual(
    landmarks.map(({ shape, parts }) => [shape, parts.map(([west]) => west)]),
    [
      ['area', [139.7, 139.702]],
      ['area', [139.72]],
    ],
  );
});

test('the inputs of landmarks have the tables of shapefiles', async (t) => {
  const folder = tempFolder(t);
  const [shapes, table] = river('神田川');
  writeFileSync(join(folder, 'W05-08_13-g_Stream.shp'), shapes);
  writeFileSync(join(folder, 'W05-08_13-g_Stream.dbf'), table);
  const { inputs, report } = await readLandmarkPaths([folder]);
  assert.deepEqual(
    inputs.map(({ path }) => basename(path)),
    ['W05-08_13-g_Stream.shp', 'W05-08_13-g_Stream.dbf'],
  );
  assert.equal(report.files.length, 1);
});

test('a station with a reading has its name in Latin letters too', () => {
  const { landmarks } = readGeoJson(collection([station('中央線', '神田', 139.7705)]), 'N02-23_Station.geojson');
  const [one] = stationsOnce(landmarks);
  const [tile] = [...landmarkTiles([{ ...one!, reading: 'かんだ' }], latinName)];
  const { properties } = new VectorTile(new PbfReader(tile!.bytes)).layers.stations!.feature(0);
  assert.deepEqual({ ...properties }, { name: '神田', name_latin: 'Kanda' });
});

test('tiles hold railways and water from zoom 8, roads from zoom 13, each tile once', () => {
  const landmarks = [...road(RING), ...readShapefile(...river('神田川'), 'x.shp').landmarks];
  const seen = new Map<string, string[]>();
  for (const { tile, bytes } of landmarkTiles(landmarks, latinName)) {
    const key = `${tile.z}/${tile.x}/${tile.y}`;
    assert.ok(!seen.has(key), key);
    seen.set(key, Object.keys(new VectorTile(new PbfReader(bytes)).layers).sort());
  }
  const layersAt = (z: number): string[] => [
    ...new Set([...seen].flatMap(([key, layers]) => (key.startsWith(`${z}/`) ? layers : []))),
  ];
  assert.deepEqual(layersAt(8), ['water']);
  assert.deepEqual(layersAt(12), ['water']);
  for (const z of [13, 14, 15]) assert.deepEqual(layersAt(z).sort(), ['roads', 'water']);
});
