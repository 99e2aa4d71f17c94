import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import type { Building } from '../../src/plateau/building.ts';
import { sharedData, skipWithout } from '../support/shared-data.ts';
import { readAll } from './read-all.ts';
import { saxesBuildings } from './saxes-reader.ts';

const root = sharedData('plateau');
const files = root === null ? [] : globSync('{osaka,sagamihara,versions,lod2}/*.gml', { cwd: root }).sort();

for (const file of files) {
  test(`${file}: every building as the saxes reader has it`, () => {
    const bytes = readFileSync(`${root}/${file}`);
    const { buildings, summary } = readAll(bytes, basename(file));
    const expected = saxesBuildings([bytes.toString('utf8').replace(/^\uFEFF/, '')]);
    assert.equal(buildings.length, expected.length);
    for (let i = 0; i < buildings.length; i++) {
      const { source, roof: _, roofSurfaces: __, ...building } = buildings[i]!;
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
      placeholders: buildings.filter(({ heightMethod }) => heightMethod === '0').length,
    };
  };
  assert.deepEqual(count('osaka'), {
    buildings: 1470,
    withoutId: 0,
    withoutHeight: 310,
    withHoles: 2,
    lod1: 1470,
    placeholders: 193,
  });
  assert.equal(count('versions/uro31_51311568').placeholders, 39);
  assert.deepEqual(count('sagamihara'), {
    buildings: 1581,
    withoutId: 0,
    withoutHeight: 206,
    withHoles: 3,
    lod1: 1581,
    placeholders: 0,
  });
});

/** Real files made to have less: every property of these levels of detail gets a name that nobody knows. */
const LESS: [file: string, hidden: RegExp, lod: number][] = [
  ['versions/uro20_lod2_53392633_bldg_6697_2_op.gml', /(:lod)(?=1)/g, 2],
  ['versions/citygml3_uro15_53394611.gml', /(:lod)(?=1)/g, 2],
  ['versions/uro31_lod2_54363371_bldg_6697.gml', /(:lod)(?=1)/g, 2],
  ['versions/uro20_lod2_53392633_bldg_6697_2_op.gml', /(:lod)(?=[12])/g, 0],
  ['versions/uro31_lod2_54363371_bldg_6697.gml', /(:lod)(?=[12])/g, 0],
  ['versions/uro32_40425105.gml', /(:lod)(?=1)/g, 0],
  ['sagamihara/53393125_bldg_6697_op.gml', /(:lod)(?=1)/g, 0],
];

for (const [file, hidden, lod] of LESS) {
  test(`${file} with LOD${lod} as its best`, { skip: skipWithout(`plateau/${file}`) }, () => {
    const text = readFileSync(`${root}/${file}`, 'utf8')
      .replace(/^\uFEFF/, '')
      .replace(hidden, '$1X');
    const { buildings, issues, summary } = readAll(text, basename(file));
    const expected = saxesBuildings([text]);
    assert.deepEqual(
      buildings.map(({ source: _, roof: __, roofSurfaces: ___, ...building }) => building),
      expected,
    );
    assert.ok(buildings.some((building) => building.lod === lod));
    assert.equal(summary.leftOut, issues.filter(({ kind }) => kind === 'no_geometry' || kind === 'no_height').length);
  });
}
