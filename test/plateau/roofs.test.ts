import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { LOD2_FILES } from '../kernel/cities.ts';
import { sharedData, skipWithout } from '../support/shared-data.ts';
import { readAll } from './read-all.ts';

type Point = [x: number, y: number, z: number];
interface Surface {
  kind: 'GroundSurface' | 'RoofSurface' | 'WallSurface';
  points: Point[];
}

/** A house of 10 by 8 m with eaves at 5 m and its ridge, along x, at 8 m; closed, every surface seen from outside. */
const [SW, SE, NE, NW]: Point[] = [
  [0, 0, 0],
  [10, 0, 0],
  [10, 8, 0],
  [0, 8, 0],
];
const up = ([x, y]: Point, z: number): Point => [x, y, z];
const [RIDGE_W, RIDGE_E]: Point[] = [
  [0, 4, 8],
  [10, 4, 8],
];
const GABLE: Surface[] = [
  { kind: 'GroundSurface', points: [SW!, NW!, NE!, SE!] },
  { kind: 'RoofSurface', points: [up(SW!, 5), up(SE!, 5), RIDGE_E!, RIDGE_W!] },
  { kind: 'RoofSurface', points: [RIDGE_W!, RIDGE_E!, up(NE!, 5), up(NW!, 5)] },
  { kind: 'WallSurface', points: [SW!, SE!, up(SE!, 5), up(SW!, 5)] },
  { kind: 'WallSurface', points: [NE!, NW!, up(NW!, 5), up(NE!, 5)] },
  { kind: 'WallSurface', points: [SE!, NE!, up(NE!, 5), RIDGE_E!, up(SE!, 5)] },
  { kind: 'WallSurface', points: [NW!, SW!, up(SW!, 5), RIDGE_W!, up(NW!, 5)] },
];

const position = ([x, y, z]: Point): string => `${35 + y / 111_000} ${139 + x / 90_900} ${z}`;
const polygon = (points: readonly Point[]): string =>
  `<gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>${[...points, points[0]!].map(position).join(' ')}</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon>`;
const member = (points: readonly Point[]): string => `<gml:surfaceMember>${polygon(points)}</gml:surfaceMember>`;

/** A file of one building: a LOD1 prism over a footprint, and surfaces of a higher level of detail. */
function cityOf(surfaces: readonly Surface[], { lod = 2, footprint = [SW!, SE!, NE!, NW!] } = {}): string {
  const top = footprint.map((point) => up(point, 6.5));
  const boundary = surfaces.map(
    ({ kind, points }) =>
      `<bldg:boundedBy><bldg:${kind}><bldg:lod${lod}MultiSurface><gml:MultiSurface>${member(points)}</gml:MultiSurface></bldg:lod${lod}MultiSurface></bldg:${kind}></bldg:boundedBy>`,
  );
  return `<core:CityModel xmlns:core="http://www.opengis.net/citygml/2.0" xmlns:bldg="http://www.opengis.net/citygml/building/2.0" xmlns:gml="http://www.opengis.net/gml"><core:cityObjectMember><bldg:Building gml:id="a"><bldg:lod1Solid><gml:Solid><gml:exterior><gml:CompositeSurface>${member([...footprint].reverse())}${member(top)}</gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod1Solid>${boundary.join('')}</bldg:Building></core:cityObjectMember></core:CityModel>`;
}

/** How many roof surfaces are used, and what is said of the roof. */
function roofOf(document: string): { surfaces: number; issues: string[] } {
  const { buildings, issues } = readAll(document);
  const [building] = buildings;
  assert.equal(building!.roof, building!.roofSurfaces === undefined ? 'prism' : 'surfaces');
  const found = issues.map(({ kind }) => kind).filter((kind) => kind.startsWith('roof'));
  return { surfaces: building!.roofSurfaces?.length ?? 0, issues: found };
}

const changed = (surface: number, point: number, to: Point): Surface[] =>
  GABLE.map((one, i) => (i === surface ? { ...one, points: one.points.map((p, j) => (j === point ? to : p)) } : one));

test('a closed LOD2 gives its roof surfaces, with z, beside the prism of LOD1', () => {
  const [building] = readAll(cityOf(GABLE)).buildings;
  assert.equal(building!.lod, 1);
  assert.equal(building!.topM, 6.5);
  assert.deepEqual(
    building!.roofSurfaces!.map(({ rings }) => [...rings[0]!].filter((_, i) => i % 3 === 2)),
    [
      [5, 5, 8, 8],
      [8, 8, 5, 5],
    ],
  );
});

test('without LOD2, or with walls only, the building is a prism and nothing is said', () => {
  assert.deepEqual(roofOf(cityOf([])), { surfaces: 0, issues: [] });
  assert.deepEqual(roofOf(cityOf(GABLE.filter(({ kind }) => kind === 'WallSurface'))), { surfaces: 0, issues: [] });
});

test('LOD3 is taken as LOD2 where there is no LOD2', () => {
  assert.deepEqual(roofOf(cityOf(GABLE, { lod: 3 })), { surfaces: 2, issues: [] });
});

test('a roof that cannot be trusted is refused as a whole, and said', () => {
  const refused = (document: string, issue: string): void =>
    assert.deepEqual(roofOf(document), { surfaces: 0, issues: [issue] });
  for (const missing of [1, 2, 3, 5]) refused(cityOf(GABLE.filter((_, i) => i !== missing)), 'roof_open');
  // With a corner of a square 40 cm too high no plane is nearer than 10 cm.
  refused(cityOf(changed(1, 0, up(SW!, 5.4))), 'roof_not_plane');
  // A porch: 0.6 m more over the whole length of 10 m.
  refused(cityOf(GABLE, { footprint: [SW!, SE!, [10, 8.6, 0], [0, 8.6, 0]] }), 'roof_plan_differs');
  assert.equal(roofOf(cityOf(GABLE, { footprint: [SW!, SE!, [10, 8.3, 0], [0, 8.3, 0]] })).surfaces, 2);
});

test('a roof in another height, upright, doubled, pierced or without numbers is refused, and said', () => {
  const refused = (surfaces: readonly Surface[], issues: string[]): void =>
    assert.deepEqual(roofOf(cityOf(surfaces)), { surfaces: 0, issues });
  const placed = (place: (point: Point) => Point): Surface[] =>
    GABLE.map((one) => ({ ...one, points: one.points.map(place) }));
  for (const rise of [-50, 9000])
    refused(
      placed(([x, y, z]) => [x, y, z + rise]),
      ['roof_apart'],
    );
  assert.equal(roofOf(cityOf(placed(([x, y, z]) => [x, y, z - 5]))).surfaces, 2);
  refused(
    placed(([x, y, z]) => [x, y, 250 * z]),
    ['roof_plan_differs'],
  );
  refused(
    placed(([x, y, z]) => [x + 500, y, z]),
    ['roof_plan_differs'],
  );
  refused([...GABLE, GABLE[1]!], ['roof_open']);
  refused(
    GABLE.map((one, i) => (i === 1 ? { ...one, points: one.points.toReversed() } : one)),
    ['roof_open'],
  );
  refused(changed(1, 0, up(SW!, Number.NaN)), ['roof_open']);
  // All rings reversed: which side is outside does not matter to a plane with a solid below it.
  assert.equal(roofOf(cityOf(GABLE.map((one) => ({ ...one, points: one.points.toReversed() })))).surfaces, 2);
  const side = 40;
  const tiny = Array.from({ length: side * side * 2 }, (_, i): Surface => {
    const [x, y] = [((i % side) * 10) / side, (Math.floor(i / side) * 4) / side];
    const corners = [
      [0, 0],
      [10 / side, 0],
      [10 / side, 4 / side],
      [0, 4 / side],
    ] as const;
    return { kind: 'RoofSurface', points: corners.map(([dx, dy]): Point => [x + dx, y + dy, 5]) };
  });
  refused([GABLE[0]!, ...tiny, ...GABLE.slice(3)], ['roof_too_large']);
});

test('a model without ground is closed enough; points on the edge of a neighbour part nothing', () => {
  assert.deepEqual(roofOf(cityOf(GABLE.filter(({ kind }) => kind !== 'GroundSurface'))), { surfaces: 2, issues: [] });
  const halves: Surface[] = [
    { kind: 'RoofSurface', points: [up(SW!, 5), [4, 0, 5], [4, 4, 8], RIDGE_W!] },
    { kind: 'RoofSurface', points: [[4, 0, 5], up(SE!, 5), RIDGE_E!, [4, 4, 8]] },
  ];
  assert.deepEqual(roofOf(cityOf([...GABLE.filter((_, i) => i !== 1), ...halves])), { surfaces: 3, issues: [] });
});

test('a deck above the roof is used and counted: what is between counts as solid', () => {
  const deck = (z: number, turned: boolean): Surface => {
    const points: Point[] = [
      [2, 2, z],
      [5, 2, z],
      [5, 6, z],
      [2, 6, z],
    ];
    return { kind: 'RoofSurface', points: turned ? points.reverse() : points };
  };
  const rim = [0, 1, 2, 3].map((side): Surface => {
    const [from, to] = [deck(9, false).points[side]!, deck(9, false).points[(side + 1) % 4]!];
    return { kind: 'WallSurface', points: [up(from, 9), up(to, 9), up(to, 9.3), up(from, 9.3)] };
  });
  const found = roofOf(cityOf([...GABLE, deck(9.3, false), deck(9, true), ...rim]));
  assert.deepEqual(found, { surfaces: 4, issues: ['roof_filled_down'] });
});

test('published files: how many roofs are used', { skip: skipWithout(...LOD2_FILES) }, () => {
  const counts = LOD2_FILES.map((file) => {
    const { buildings, issues } = readAll(readFileSync(sharedData(file)!));
    const refused = issues.filter(({ kind }) => kind.startsWith('roof') && kind !== 'roof_filled_down');
    return [buildings.length, buildings.filter(({ roof }) => roof === 'surfaces').length, refused.length];
  });
  assert.deepEqual(counts, [
    [242, 10, 0],
    [13, 2, 0],
    [1, 1, 0],
    [9, 9, 0],
    [192, 31, 0],
    [1, 1, 0],
  ]);
});
