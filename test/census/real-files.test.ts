import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import * as oracle from 'shapefile';
import { TownIndex } from '../../src/census/town.ts';
import { readTownPaths } from '../../src/pipeline/towns.ts';
import { sharedData, skipWithout } from '../support/shared-data.ts';

const WARDS = ['13101', '13102', '13103', '13104', '13105', '13106'];
const census = sharedData('census');

describe('the published small areas of six wards', { skip: skipWithout('census') }, async () => {
  if (census === null) return;
  const { towns, report, inputs } = await readTownPaths([census], `${census}/13TOKYO.CSV`);

  it('every record is a town, a part of one, or water', () => {
    assert.equal(inputs.length, 25);
    assert.equal(report.records, report.towns + report.merged_parts + report.water);
    assert.equal(report.records, 687);
    assert.equal(report.towns, 659);
    assert.equal(report.water, 23);
  });

  it('has readings for all but the two towns that the postal file calls otherwise', () => {
    assert.deepEqual(
      report.without_reading.examples.map((example) => example.replace(/^\d+ |[一二三]丁目$/g, '')),
      ['三崎町', '三崎町', '三崎町', '猿楽町', '猿楽町'],
    );
    const byCode = new Map(towns.map((town) => [town.townCode, town]));
    assert.equal(byCode.get('13101001001')!.reading, 'まるのうち1ちょうめ');
    assert.equal(byCode.get('131040140')!.reading, 'かすみがおかまち');
    assert.match(towns.map(({ reading }) => reading ?? '').join(''), /^[\u3041-\u3096ー0-9]+$/);
  });

  it('every representative point lies in its town, and names come as published', () => {
    const index = new TownIndex(towns);
    for (const town of towns) assert.equal(index.townAt(town.lat, town.lon)?.townCode, town.townCode);
    assert.ok(towns.every(({ name, wardName }) => name !== null && wardName.endsWith('区')));
  });

  for (const ward of WARDS) {
    it(`${ward}: the same records and rings as the shapefile library reads`, async () => {
      const base = `${census}/r2ka${ward}`;
      const expected = await oracle.read(readFileSync(`${base}.shp`), readFileSync(`${base}.dbf`), {
        encoding: 'shift_jis',
      });
      const rings = new Map<string, number[][]>();
      for (const { geometry, properties } of expected.features) {
        if (properties?.HCODE === 8154) continue;
        assert.ok(geometry.type === 'Polygon' || geometry.type === 'MultiPolygon');
        const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
        const flat = polygons.flat().map((ring) => ring.slice(0, -1).flatMap(([lon, lat]) => [lat!, lon!]));
        rings.set(properties!.KEY_CODE, [...(rings.get(properties!.KEY_CODE) ?? []), ...flat]);
        const town = towns.find(({ townCode }) => townCode === properties!.KEY_CODE);
        assert.equal(town?.name, properties!.S_NAME);
      }
      const ours = towns.filter(({ wardCode }) => wardCode === ward);
      assert.equal(ours.length, rings.size);
      for (const town of ours) {
        const sorted = (list: Iterable<number>[]) => list.map((ring) => [...ring].join()).sort();
        assert.deepEqual(sorted(town.rings), sorted(rings.get(town.townCode)!));
      }
    });
  }
});
