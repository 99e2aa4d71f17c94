import assert from 'node:assert/strict';
import { test } from 'node:test';
import { polygonArea } from '../../src/geo/polygon.ts';
import { atPlace, closed, polygon } from '../support/hostile-geometry.ts';
import { cityGml } from '../support/small-city.ts';
import { readAll } from './read-all.ts';

/** A level square of 10 m, so many metres to the east. */
const level = (east: number, z: number): string =>
  polygon([
    closed(
      [
        [east, 0],
        [east + 10, 0],
        [east + 10, 10],
        [east, 10],
      ].map(([x, y]) => atPlace(x!, y!).replace(/ 0$/, ` ${z}`)),
    ),
  ]);
const height = (metres: number): string => `<bldg:measuredHeight uom="m">${metres}</bldg:measuredHeight>`;
const lod0 = (east: number): string =>
  `<bldg:lod0FootPrint><gml:MultiSurface>${level(east, 0)}</gml:MultiSurface></bldg:lod0FootPrint>`;
const lod1 = (east: number, top: number): string =>
  `<bldg:lod1Solid><gml:Solid><gml:exterior><gml:CompositeSurface>${level(east, 0)}${level(east, top)}</gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod1Solid>`;

/** What the reader makes of a building of these parts. */
function read(...parts: string[]) {
  const members = parts.map(
    (part) =>
      `<bldg:consistsOfBuildingPart><bldg:BuildingPart>${part}</bldg:BuildingPart></bldg:consistsOfBuildingPart>`,
  );
  const building = `<core:cityObjectMember><bldg:Building gml:id="a">${members.join('')}</bldg:Building></core:cityObjectMember>`;
  const { buildings, issues } = readAll(cityGml([]).replace('</core:CityModel>', `${building}</core:CityModel>`));
  const { lod, topM, heightSource, footprints } = buildings[0]!;
  const areas = footprints.map(({ rings }) => polygonArea(rings) > 0);
  return {
    lod,
    topM,
    heightSource,
    prisms: areas.length,
    issues: issues.map(({ kind, detail }) => `${kind}: ${detail}`),
  };
}

test('a part with LOD0 only stands beside the solids of the other parts, and is reported', () => {
  assert.deepEqual(read(lod1(0, 8), height(40) + lod0(20)), {
    lod: 1,
    topM: 40,
    heightSource: 'measured_height',
    prisms: 2,
    issues: ['lod0_part: part 2 of 2 has only LOD0, and a measured height of 40.00 m'],
  });
  assert.deepEqual(read(lod0(20), lod1(0, 8)), {
    lod: 1,
    topM: 8,
    heightSource: 'solid',
    prisms: 2,
    issues: ['lod0_part: part 1 of 2 has only LOD0, and no measured height'],
  });
});

test('parts of LOD0 with different heights are reported', () => {
  const tower = read(height(5) + lod0(0), height(40) + lod0(20));
  assert.equal(tower.topM, 40);
  assert.deepEqual(tower.issues, ['tops_differ: prisms end at 5.00, 40.00 m']);
  assert.deepEqual(read(height(5) + lod0(0), height(5) + lod0(20)).issues, []);
});
