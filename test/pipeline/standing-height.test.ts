import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isDoubtfulShape, placeholdersNear, withChosenHeight } from '../../src/city/standing-height.ts';
import { openDataset } from '../../src/dataset/open.ts';
import { ONLY_LOD1 } from '../support/attributes.ts';
import { cityGml, writeFiles } from '../support/small-city.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { built } from './run-build.ts';

const box = { ...ONLY_LOD1, baseM: 10, topM: 13, heightMethod: '0', measuredHeightM: 3 };

test('a placeholder stands by its published storeys, else as its box; its measured height is none', () => {
  const stands = withChosenHeight({ ...box, storeys: 2 }, 'solid');
  assert.deepEqual([stands.topM, stands.heightSource, stands.measuredHeightM], [17.2, 'storeys', null]);
  for (const rule of ['solid', 'measured'] as const) {
    const { topM, heightSource, measuredHeightM } = withChosenHeight(box, rule);
    assert.deepEqual([topM, heightSource, measuredHeightM], [13, 'solid', null]);
  }
  assert.equal(withChosenHeight({ ...box, storeys: 2, roof: 'surfaces' }, 'solid').topM, 13);
});

test('a measured building stands as its solid does, or by its measured height where that is asked for', () => {
  const house = { ...box, heightMethod: '2', measuredHeightM: 4.5, storeys: 2 };
  assert.equal(withChosenHeight(house, 'solid'), house);
  const { topM, heightSource } = withChosenHeight(house, 'measured');
  assert.deepEqual([topM, heightSource], [14.5, 'measured_height']);
  assert.equal(withChosenHeight({ ...house, measuredHeightM: null }, 'measured').topM, 13);
});

test('placeholders count as neighbours up to 100 m, a placeholder itself not', () => {
  const metre = 1 / 110_940;
  const at = { lat: 35.68, lon: 139.76 };
  const points = [at.lat, at.lon, at.lat + 99 * metre, at.lon, at.lat + 101 * metre, at.lon];
  assert.equal(placeholdersNear({ ...at, heightMethod: '0' }, points), 1);
  assert.equal(placeholdersNear({ ...at, heightMethod: '2' }, points), 2);
});

test('masts and lattices have doubtful shapes, towers and pencil buildings not', () => {
  // Tokyo Tower, a chimney; the Metropolitan Government building, a house on 60 square metres.
  assert.deepEqual([isDoubtfulShape(332.9, 4858), isDoubtfulShape(60, 4.6)], [true, true]);
  assert.deepEqual([isDoubtfulShape(262, 4796), isDoubtfulShape(40, 60)], [false, false]);
});

test('a dataset tells of placeholders beyond the border of a grid square, and of the rule of its heights', async (t) => {
  const folder = tempFolder(t);
  const method = (code: string): string =>
    `<uro:buildingDataQualityAttribute><uro:BuildingDataQualityAttribute><uro:lod1HeightType>${code}</uro:lod1HeightType></uro:BuildingDataQualityAttribute></uro:buildingDataQualityAttribute>`;
  const house = (number: number, east: number) => ({
    id: `13101-bldg-${number}`,
    east,
    north: 0,
    width: 8,
    depth: 8,
    height: 3,
  });
  // The border of the grid square lies about 1,131 m to the east of its western one.
  const houses = [house(1, 1100), house(2, 1150), house(3, 1400)];
  const codes = ['2', '0', '0'];
  const gml = cityGml(houses).replace(/<bldg:lod1Solid>/g, (found) => `${method(codes.shift() ?? '')}${found}`);
  await writeFiles(join(folder, 'model'), { 'city.gml': gml });
  const { dataset } = await built({
    out: join(folder, 'data'),
    citygml: [join(folder, 'model')],
    heights: 'measured',
  });
  const opened = await openDataset(dataset);
  t.after(() => opened.close());
  const quality = (number: number) => opened.sunlight!.summary(`13101-bldg-${number}`)!.toJSON().quality;
  assert.deepEqual(
    [1, 2, 3].map((number) => quality(number).placeholder_neighbours),
    [1, 0, 0],
  );
  assert.deepEqual(
    [1, 2].map((number) => quality(number).height_method),
    ['point_cloud_median', 'placeholder'],
  );
  const { halves, report } = JSON.parse(readFileSync(join(dataset, 'manifest.json'), 'utf8'));
  assert.equal(halves.sunlight.heights, 'measured');
  assert.equal(report.sunlight.findings.placeholder.count, 2);
});
