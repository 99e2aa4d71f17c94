import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { DatasetScenes } from '../../src/city/scenes-on-demand.ts';
import { parseSquareIndex, SQUARES_INDEX } from '../../src/city/square-summary.ts';
import { openDataset } from '../../src/dataset/open.ts';
import { sharedData, skipWithout } from '../support/shared-data.ts';
import { cityGml, rowsOfHouses, writeFiles } from '../support/small-city.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { built } from './run-build.ts';

const VERSIONS = sharedData('plateau/versions');
const CENSUS = sharedData('census');

describe('real files', () => {
  it('of every version, from all over Japan, are built together', {
    skip: skipWithout('plateau/versions'),
  }, async (t) => {
    const out = tempFolder(t);
    const { report, dataset } = await built({ out, citygml: [VERSIONS!] });
    const files = readdirSync(VERSIONS!).map((name) => readFileSync(join(VERSIONS!, name), 'utf8'));
    const buildings = files.reduce((sum, text) => sum + text.match(/<bldg:Building[ >]/g)!.length, 0);
    const { read, merged, left_out, shading, served } = report.sunlight!.buildings;
    assert.equal(read, buildings);
    assert.equal(read, shading + merged + left_out);
    assert.equal(shading, served + (report.sunlight!.findings.without_id?.count ?? 0));

    const index = parseSquareIndex(await readFile(join(dataset, SQUARES_INDEX)));
    assert.ok(new Set(index.map(({ zone }) => zone)).size >= 4, 'each in the zone of its place');
    const scenes = DatasetScenes.open(dataset, (name) => readFileSync(join(dataset, name)));
    for (const square of index) {
      const scene = scenes.ofSquare(square.square);
      assert.equal(scene.zone, square.zone);
      assert.equal(scene.view.parts[scene.part]!.tree.buildings, square.buildings);
    }
    const opened = await openDataset(dataset);
    try {
      for (const id of ['17206-bldg-10723', '13421-bldg-1077', '13111-bldg-202'])
        assert.ok(opened.sunlight!.full(id), id);
    } finally {
      await opened.close();
    }
  });

  it('of the census give every building its town', {
    skip: skipWithout('census/r2ka13101.shp', 'census/13TOKYO.CSV'),
  }, async (t) => {
    const out = tempFolder(t);
    await writeFiles(out, { 'city.gml': cityGml(rowsOfHouses(6)) });
    const { report, dataset } = await built({
      out: join(out, 'data'),
      citygml: [join(out, 'city.gml')],
      towns: [join(CENSUS!, 'r2ka13101.shp')],
      readings: join(CENSUS!, '13TOKYO.CSV'),
    });
    assert.equal(report.sunlight!.findings.without_town, undefined);
    assert.equal(report.sunlight!.towns!.files, 1);
    const opened = await openDataset(dataset);
    try {
      const building = opened.sunlight!.summary('13101-bldg-1')!.toJSON();
      // The corner of the square 53394611 lies in the grounds of the Imperial Palace or beside them.
      assert.match(building.town_code!, /^13101\d{6}$|^13101\d{4}$/);
      const town = opened.sunlight!.town(building.town_code!, 1, 100)!.toJSON();
      assert.equal(town.buildings.length, town.total);
      assert.ok(town.total > 0);
    } finally {
      await opened.close();
    }
  });
});
