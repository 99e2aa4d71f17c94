import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { polygonDistance } from '../../src/geo/polygon.ts';
import type { Building, ReadIssue } from '../../src/plateau/building.ts';
import { BuildingReader } from '../../src/plateau/reader.ts';
import { built } from '../pipeline/run-build.ts';
import { atPlace, building, cityOf, closed, HOSTILE, polygon, square } from '../support/hostile-geometry.ts';
import { rowsOfHouses, writeFiles } from '../support/small-city.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** What a reader makes of a city model. */
function read(gml: string): { buildings: Building[]; issues: ReadIssue[] } {
  const [buildings, issues]: [Building[], ReadIssue[]] = [[], []];
  const sink = { building: (one: Building) => buildings.push(one), issue: (one: ReadIssue) => issues.push(one) };
  const reader = new BuildingReader('53394611_bldg.gml', sink);
  const bytes = Buffer.from(gml);
  for (let from = 0; from < bytes.length; from += 1 << 16) reader.feed(bytes.subarray(from, from + (1 << 16)));
  reader.end();
  return { buildings, issues };
}

/** Allows n log n from n to 4n with a margin; n² would be 16. */
const NEARLY_LINEAR = 6;

describe('hostile geometry', () => {
  it('costs a building, which is named with its file, and never the others of its file', async (t) => {
    const out = tempFolder(t);
    const models = Object.entries(HOSTILE).map(([name, { gml }], i) => {
      const houses = rowsOfHouses(3, { first: 1 + 10 * i, east: 20 + 60 * i, north: 20 });
      return [`53394611_${name}.gml`, cityOf(gml, houses)] as const;
    });
    await writeFiles(join(out, 'city'), Object.fromEntries(models));
    const { dataset, report } = await built({ out: join(out, 'data'), citygml: [join(out, 'city')] });
    const sunlight = report.sunlight!;
    const left = Object.values(HOSTILE).filter(({ reason }) => reason !== null);
    assert.equal(sunlight.files.left_out.length, 0);
    assert.equal(
      sunlight.buildings.left_out,
      left.reduce((sum, { count = 1 }) => sum + count, 0),
    );
    for (const [name, { reason, id }] of Object.entries(HOSTILE)) {
      if (reason === null) continue;
      const { examples } = sunlight.findings[reason]!;
      const found = examples.some((text) => text.startsWith(`${id} (53394611_${name}.gml, byte `));
      assert.ok(found, `${name}: ${reason} names ${examples}`);
    }
    const served = Object.values(HOSTILE).reduce((sum, { served = 0 }) => sum + served, 3 * models.length);
    assert.equal(sunlight.buildings.served, served);
    assert.match(readFileSync(join(dataset, 'manifest.json'), 'utf8'), /"too_large"/);
  });

  it('of two long walls beside each other is measured in nearly linear time', () => {
    const wall = (points: number, y: number): number[] => {
      const line = Array.from({ length: points }, (_, i) => [i, y + (i % 2)]).flat();
      return [...line, points, y + 5, 0, y + 5];
    };
    const took = (points: number): number => {
      const start = process.cpuUsage().user;
      for (let i = 0; i < 5; i++) assert.equal(polygonDistance([wall(points, 0)], [wall(points, -20)]), 15);
      return process.cpuUsage().user - start;
    };
    took(2000);
    const [few, many] = [took(20_000), took(80_000)];
    assert.ok(many <= 2 * NEARLY_LINEAR * few, `${few} and ${many} µs of processor time`);
  });

  it('of many parts is sorted into layers once', () => {
    const part = (i: number): string =>
      `<bldg:consistsOfBuildingPart><bldg:BuildingPart><bldg:lod1MultiSurface><gml:MultiSurface>${polygon([square(2 * i, 0, 1)])}</gml:MultiSurface></bldg:lod1MultiSurface></bldg:BuildingPart></bldg:consistsOfBuildingPart>`;
    const of = (count: number): string =>
      cityOf(building(1, '', Array.from({ length: count }, (_, i) => part(i)).join('')), []);
    const took = (gml: string): number => {
      const start = process.cpuUsage().user;
      assert.equal(read(gml).buildings.length, 1);
      return process.cpuUsage().user - start;
    };
    took(of(200));
    const [few, many] = [took(of(225)), took(of(900))];
    assert.ok(many <= 2 * NEARLY_LINEAR * few, `${few} and ${many} µs of processor time`);
  });

  it('beyond what a building may have is not kept in memory', () => {
    const face = polygon([square(0, 0, 1)]);
    const cases: [string, string, RegExp][] = [
      [
        '100,001 faces',
        building(
          1,
          '',
          `<bldg:lod1MultiSurface><gml:MultiSurface>${face.repeat(100_001)}</gml:MultiSurface></bldg:lod1MultiSurface>`,
        ),
        /more than 100000 faces/,
      ],
      [
        '10,001 parts',
        building(
          1,
          '',
          '<bldg:consistsOfBuildingPart><bldg:BuildingPart/></bldg:consistsOfBuildingPart>'.repeat(10_001),
        ),
        /more than 10000 parts/,
      ],
      [
        '1001 IDs',
        building(1, face).replace(
          '</uro:buildingID>',
          Array.from({ length: 1001 }, (_, i) => `</uro:buildingID><uro:buildingID>13101-bldg-${i + 5}`).join('') +
            '</uro:buildingID>',
        ),
        /more than 1000 IDs/,
      ],
      ['a list of 20 MB', building(1, polygon([`${atPlace(1, 1)} `.repeat(600_000)])), /a text of more than 8 MiB/],
    ];
    for (const [name, gml, detail] of cases) {
      const { buildings, issues } = read(cityOf(gml, rowsOfHouses(1, { first: 7 })));
      assert.deepEqual(
        buildings.map(({ buildingId }) => buildingId),
        ['13101-bldg-7'],
        name,
      );
      assert.deepEqual([issues.at(-1)!.kind, issues.at(-1)!.buildingId], ['too_large', '13101-bldg-1'], name);
      assert.match(issues.at(-1)!.detail, detail);
    }
  });

  it('with numbers that are none, or tags without end, is refused or left out by name', () => {
    for (const number of ['NaN', 'Infinity', '1e308', '-1e308', '1e999']) {
      const ring = closed([atPlace(0, 0), `35.675 ${number} 0`, atPlace(5, 5)]);
      const { buildings, issues } = read(cityOf(building(1, polygon([ring])), rowsOfHouses(1, { first: 7 })));
      assert.deepEqual(
        buildings.map(({ buildingId }) => buildingId),
        ['13101-bldg-7'],
        number,
      );
      assert.ok(
        issues.some(({ kind }) => kind === 'bad_ring' || kind === 'outside_japan'),
        number,
      );
    }
    const nested = `${'<gml:MultiSurface>'.repeat(2000)}${'</gml:MultiSurface>'.repeat(2000)}`;
    assert.throws(
      () => read(cityOf(building(1, '', `<bldg:lod1MultiSurface>${nested}</bldg:lod1MultiSurface>`), [])),
      /elements nested more than 1000 deep/,
    );
  });
});
