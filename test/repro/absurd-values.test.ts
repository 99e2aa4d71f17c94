import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDataset } from '../../src/dataset/open.ts';
import { built } from '../pipeline/run-build.ts';
import { cityGml, type House, rowsOfHouses, writeFiles } from '../support/small-city.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** A house in its own city, far from the others. */
const house = (number: number, of: Partial<House> = {}): House => ({
  id: `13101-bldg-${number}`,
  east: 300 + 20 * number,
  north: 300,
  width: 10,
  depth: 10,
  height: 8,
  ...of,
});

/** A regular ring around a place with this number of corners. */
function round(corners: number, lat: number, lon: number): string {
  const points = Array.from({ length: corners + 1 }, (_, i) => {
    const angle = (2 * Math.PI * (i % corners)) / corners;
    return `${lat + 0.0004 * Math.sin(angle)} ${lon + 0.0004 * Math.cos(angle)} 0`;
  });
  return points.join(' ');
}

/** Published height and storeys, independent of the solid. */
const published = (gml: string, height: string, storeys?: string): string =>
  gml
    .replace(/(<bldg:measuredHeight[^>]*>)[^<]*/, `$1${height}`)
    .replace('<bldg:lod1Solid>', storeys ? `<bldg:storeysAboveGround>${storeys}</bldg:storeysAboveGround>$&` : '$&');

/** LOD0 with this number of corners. */
const roundHouse = (id: string, corners: number): string =>
  cityGml([house(1, { id })]).replace(
    /<bldg:lod1Solid>[\s\S]*<\/bldg:lod1Solid>/,
    `<bldg:lod0FootPrint><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>${round(corners, 35.68, 139.77)}</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember></gml:MultiSurface></bldg:lod0FootPrint>`,
  );

/** Each of these once stopped or hung a build. */
const ABSURD: Record<string, string> = {
  'top.gml': published(cityGml([house(11, { height: 1e308 })]), '8'),
  'base.gml': published(cityGml([house(12, { base: -9999, height: 10_000 })]), '8'),
  'height.gml': published(cityGml([house(13)]), '1e308'),
  'storeys.gml': published(cityGml([house(14)]), '8', '1000000000'),
  'tropics.gml': cityGml([house(15, { north: -110_950 * 14 })]),
  'corners.gml': roundHouse('13101-bldg-16', 10_000),
  'more-corners.gml': roundHouse('13101-bldg-17', 10_001),
};

test('absurd values cost a value or a building, never the build', async (t) => {
  const out = tempFolder(t);
  await writeFiles(join(out, 'city'), { 'sound.gml': cityGml(rowsOfHouses(4)), ...ABSURD });
  const { dataset, report } = await built({ out: join(out, 'data'), citygml: [join(out, 'city')] });
  const { sunlight } = report;
  assert.equal(sunlight!.buildings.read, 11);
  assert.equal(sunlight!.buildings.served, 9);
  assert.equal(sunlight!.findings.outside_japan!.count, 1, 'the house in the tropics');
  assert.match(sunlight!.findings.too_large!.examples.join(), /^13101-bldg-17 \(more-corners\.gml/);
  assert.equal(sunlight!.findings.impossible_z!.count, 2, 'the endless top and the unknown base');
  assert.equal(sunlight!.findings.bad_value!.count, 2, 'the endless height and the thousand million storeys');

  const opened = await openDataset(dataset);
  try {
    const summary = (number: number) => opened.sunlight!.summary(`13101-bldg-${number}`)?.toJSON();
    assert.equal(summary(11)!.height_m, 8);
    assert.equal(summary(11)!.quality.height_source, 'measured_height');
    assert.deepEqual([summary(13)!.height_m, summary(13)!.measured_height_m], [8, null]);
    assert.equal(summary(14)!.storeys_estimated, true);
    assert.equal(summary(15), undefined);
    assert.equal(opened.sunlight!.full('13101-bldg-16')!.toJSON().faces.length, 8);
    const { lat, lon } = summary(16)!;
    const { buildings } = opened.sunlight!.near(lat, lon, 100, 50).toJSON();
    assert.ok(buildings.some((near) => near.building_id === '13101-bldg-16'));
  } finally {
    await opened.close();
  }
});
