import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import type { Building } from '../../src/plateau/building.ts';
import { sharedData, skipWithout } from '../support/shared-data.ts';
import { readAll } from './read-all.ts';
import { saxesBuildings } from './saxes-reader.ts';

const root = sharedData('plateau');
const files = root === null ? [] : globSync('{osaka,sagamihara,versions}/*.gml', { cwd: root }).sort();

for (const file of files) {
  test(`${file}: every building as the saxes reader has it`, () => {
    const bytes = readFileSync(`${root}/${file}`);
    const { buildings, summary } = readAll(bytes, basename(file));
    const expected = saxesBuildings([bytes.toString('utf8').replace(/^\uFEFF/, '')]);
    assert.equal(buildings.length, expected.length);
    for (let i = 0; i < buildings.length; i++) {
      const { source, ...building } = buildings[i]!;
      assert.deepEqual(building, expected[i]);
      assert.match(bytes.toString('latin1', source.byte, source.byte + 20), /^<bldg:Building[ >]/);
    }
    assert.equal(summary.buildings + summary.leftOut, bytes.toString('latin1').match(/<bldg:Building[ >]/g)!.length);
  });
}

test('real files: counts and values seen by eye', { skip: skipWithout('plateau/osaka', 'plateau/sagamihara') }, () => {
  const all = new Map<string, Building[]>();
  for (const file of files) all.set(file, readAll(readFileSync(`${root}/${file}`), file).buildings);
  const count = (folder: string) => {
    const buildings = [...all].filter(([file]) => file.startsWith(folder)).flatMap(([, list]) => list);
    return {
      buildings: buildings.length,
      withoutId: buildings.filter(({ buildingId }) => buildingId === null).length,
      withoutHeight: buildings.filter(({ measuredHeightM }) => measuredHeightM === null).length,
      withHoles: buildings.filter(({ footprints }) => footprints.some(({ rings }) => rings.length > 1)).length,
      lod1: buildings.filter(({ lod }) => lod === 1).length,
    };
  };
  assert.deepEqual(count('osaka'), { buildings: 1470, withoutId: 0, withoutHeight: 310, withHoles: 2, lod1: 1470 });
  assert.deepEqual(count('sagamihara'), {
    buildings: 1581,
    withoutId: 0,
    withoutHeight: 206,
    withHoles: 3,
    lod1: 1581,
  });
});
