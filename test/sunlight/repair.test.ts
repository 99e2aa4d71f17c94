import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { pointInRing, polygonArea, segmentsCross, signedArea } from '../../src/geo/polygon.ts';
import { type CleanPrism, MOST_STEPS, repairFootprint } from '../../src/sunlight/repair.ts';
import { jaggedRing } from '../support/hostile-geometry.ts';

const reversed = (ring: readonly number[]): number[] => {
  const points: number[][] = [];
  for (let i = 0; i < ring.length; i += 2) points.unshift([ring[i]!, ring[i + 1]!]);
  return points.flat();
};
const SQUARE = [0, 0, 10, 0, 10, 10, 0, 10];
const HOLE = [3, 3, 3, 7, 7, 7, 7, 3];
const areaOf = (prism: CleanPrism): number => polygonArea(prism.map(({ xy }) => xy));
const kinds = (rings: number[][]) => repairFootprint(rings).repairs.map(({ kind, ring, count }) => [kind, ring, count]);

test('a sound footprint stays as it is', () => {
  const { prisms, repairs } = repairFootprint([SQUARE, HOLE]);
  assert.deepEqual(prisms, [
    [
      { xy: SQUARE, reversed: false },
      { xy: HOLE, reversed: false },
    ],
  ]);
  assert.deepEqual(repairs, []);
});

test('rings that run the wrong way are turned about their first point', () => {
  const { prisms, repairs } = repairFootprint([reversed(SQUARE), reversed(HOLE)]);
  assert.deepEqual(prisms[0]![0], { xy: [0, 10, 0, 0, 10, 0, 10, 10], reversed: true });
  assert.ok(signedArea(prisms[0]![1]!.xy) < 0);
  assert.deepEqual(repairs, [], 'the direction is a matter of taste, not a fault');
});

test('points on a straight wall stay: they are where the published walls begin', () => {
  const ring = [0, 0, 5, 0, 10, 0, 10, 10, 0, 10];
  assert.deepEqual(repairFootprint([ring]).prisms[0]![0]!.xy, ring);
});

/** A star of so many points, each joined to the one nearly opposite: nearly all its edges cross. */
const fan = (points: number): number[] =>
  Array.from({ length: points }, (_, i) => (2 * Math.PI * i * (points >> 1)) / points).flatMap((angle) => [
    100 * Math.cos(angle),
    100 * Math.sin(angle),
  ]);

/** What is wrong; the ring; its repairs; the area that is left. */
const FAULTS: [fault: string, rings: number[][], repairs: unknown[], areas: number[]][] = [
  ['a repeated point', [[0, 0, 10, 0, 10, 0, 10, 10, 0, 10]], [['repeated_point', 0, 1]], [100]],
  ['a point half a millimetre on', [[0, 0, 10, 0, 10, 0.0005, 10, 10, 0, 10]], [['repeated_point', 0, 1]], [100]],
  ['a closed ring', [[...SQUARE, 0, 0]], [['repeated_point', 0, 1]], [100]],
  ['NaN and infinity', [[0, 0, Number.NaN, 3, 10, 0, 10, 10, 4, Infinity, 0, 10]], [['not_a_number', 0, 2]], [100]],
  ['a spike', [[0, 0, 10, 0, 25, 0, 10, 0, 10, 10, 0, 10]], [['spike', 0, 2]], [100]],
  ['a spike inwards from a wall', [[0, 0, 5, 0, 5, 5, 5, 0, 10, 0, 10, 10, 0, 10]], [['spike', 0, 2]], [100]],
  ['a wall that runs back on itself', [[0, 0, 12, 0, 10, 0, 10, 10, 0, 10]], [['spike', 0, 1]], [100]],
  ['a bow tie', [[0, 0, 10, 10, 10, 0, 0, 10]], [['self_crossing', 0, 2]], [25, 25]],
  ['a bow tie through a point', [[0, 0, 5, 5, 10, 10, 10, 0, 5, 5, 0, 10]], [['self_crossing', 0, 2]], [25, 25]],
  ['two parts that touch in a point', [[0, 0, 5, 5, 10, 0, 10, 10, 5, 5, 0, 10]], [], [50]],
  [
    'a curl, whose inside is covered already',
    [[0, 0, 20, 0, 20, 20, 8, 20, 8, 6, 12, 6, 12, 12, 0, 12]],
    [['self_crossing', 0, 2]],
    [336],
  ],
  [
    'a hole joined to the outer ring',
    [[0, 0, 10, 0, 10, 10, 0, 10, 0, 0, 3, 3, 3, 7, 7, 7, 7, 3, 3, 3]],
    [['self_crossing', 0, 2]],
    [84],
  ],
  ['two points', [[0, 0, 10, 0]], [['no_area', 0, 1]], []],
  [
    'one point three times',
    [[1, 1, 1, 1, 1, 1]],
    [
      ['repeated_point', 0, 2],
      ['no_area', 0, 1],
    ],
    [],
  ],
  [
    'a line there and back',
    [[0, 0, 5, 0, 10, 0]],
    [
      ['spike', 0, 1],
      ['no_area', 0, 1],
    ],
    [],
  ],
  ['a hole without area', [SQUARE, [3, 3, 7, 7]], [['no_area', 1, 1]], [100]],
  ['a hole somewhere else', [SQUARE, HOLE.map((v) => v + 50)], [['hole_outside', 1, 1]], [100]],
  ['a hole as large as its ring', [SQUARE, [5, 0, 10, 0, 10, 10, 0, 10, 0, 0]], [['hole_outside', 1, 1]], [100]],
  ['a hole larger than its ring', [SQUARE, [-1, -1, -1, 11, 11, 11, 11, -1]], [['hole_outside', 1, 1]], [100]],
  ['a hole published twice', [SQUARE, HOLE, HOLE], [['hole_in_hole', 2, 1]], [84]],
  ['a hole inside a hole', [SQUARE, [4, 4, 4, 6, 6, 6, 6, 4], HOLE], [['hole_in_hole', 1, 1]], [84]],
  ['a courtyard beside a hole as large as its ring', [SQUARE, SQUARE, HOLE], [['hole_outside', 1, 1]], [84]],
  ['a ring that runs round twice', [[...SQUARE, ...SQUARE]], [['self_crossing', 0, 2]], [100]],
  [
    'a ring that runs round twice, the second time inside',
    [[...SQUARE, 0, 0, 6, 0, 6, 6, 0, 6]],
    [['self_crossing', 0, 2]],
    [100],
  ],
  ['a ring that crosses itself more often than any', [fan(4001)], [['too_complex', 0, 1]], []],
  ['nothing', [[]], [['no_area', 0, 1]], []],
  ['no rings', [], [], []],
];

for (const [fault, rings, repairs, areas] of FAULTS) {
  test(`${fault} is repaired and reported`, () => {
    assert.deepEqual(kinds(rings), repairs);
    const found = repairFootprint(rings)
      .prisms.map(areaOf)
      .sort((a, b) => b - a);
    assert.equal(found.length, areas.length, `areas ${found}`);
    for (let i = 0; i < areas.length; i++) assert.ok(Math.abs(found[i]! - areas[i]!) < 0.01, `areas ${found}`);
  });
}

test('whatever is published, what comes out can be trusted', () => {
  // Few different values: points repeat, edges cross, overlap and run back.
  const coordinate = fc.oneof(fc.integer({ min: 0, max: 6 }), fc.constantFrom(Number.NaN, 2.0004, 1e9));
  const ring = fc.array(fc.tuple(coordinate, coordinate), { maxLength: 9 }).map((points) => points.flat());
  fc.assert(
    fc.property(fc.array(ring, { maxLength: 3 }), (rings) => {
      for (const prism of repairFootprint(rings).prisms) {
        for (const [index, { xy }] of prism.entries()) {
          assert.ok(xy.length >= 6 && xy.every(Number.isFinite));
          assert.equal(signedArea(xy) > 0, index === 0, 'outer rings run counter-clockwise, holes clockwise');
          for (let i = 0, j = xy.length - 2; i < xy.length; j = i, i += 2) {
            assert.ok(Math.hypot(xy[i]! - xy[j]!, xy[i + 1]! - xy[j + 1]!) > 1e-3, 'an edge without length');
            for (let k = 0, l = xy.length - 2; k < xy.length; l = k, k += 2) {
              const [p, q, r, s] = [j, i, l, k].map((at) => [xy[at]!, xy[at + 1]!] as const);
              assert.ok(!segmentsCross(...p!, ...q!, ...r!, ...s!), 'edges cross');
            }
          }
        }
      }
    }),
    { numRuns: 3000, seed: 51 },
  );
});

test('a ring of very many points is looked through in time', () => {
  const round = Array.from({ length: 20_000 }, (_, i) => {
    const angle = (2 * Math.PI * i) / 20_000;
    return [500 * Math.cos(angle), 500 * Math.sin(angle)];
  }).flat();
  const { prisms, repairs } = repairFootprint([round]);
  assert.deepEqual([prisms.length, prisms[0]![0]!.xy.length, repairs], [1, 40_000, []]);
});

test('a crossing ring covers what it winds around once', () => {
  const point = fc.tuple(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 100 }));
  fc.assert(
    fc.property(
      fc.array(point, { minLength: 4, maxLength: 4 }),
      fc.array(point, { maxLength: 20 }),
      (corners, probes) => {
        const ring = corners.flat();
        const { prisms } = repairFootprint([ring]);
        for (const [x, y] of probes) {
          // Off the grid, so that no probe lies on an edge. Four corners wind around nothing twice.
          const [px, py] = [x + 0.137, y + 0.291];
          const inside = prisms.some(([outer]) => pointInRing(px, py, outer!.xy));
          assert.equal(inside, pointInRing(px, py, ring));
        }
      },
    ),
    { numRuns: 500, seed: 52 },
  );
});

/** A number array that counts how often it is looked into, from one size to four times as much. */
function readsOf(points: number[], use: (counted: readonly number[]) => void): number {
  let reads = 0;
  const counted = new Proxy(points, {
    get(target, name, receiver) {
      reads++;
      return Reflect.get(target, name, receiver);
    },
  });
  use(counted);
  return reads;
}

test('no building takes more than its steps, whatever crosses', () => {
  for (const points of [5_000, 20_000]) {
    const steps = { left: MOST_STEPS };
    const { prisms, repairs } = repairFootprint([jaggedRing(points)], steps);
    assert.deepEqual([prisms.length, repairs.map(({ kind }) => kind)], [0, ['too_complex']]);
    // The corners of a cut are counted when it begins.
    assert.ok(steps.left < 0 && steps.left >= -2 * points, `${steps.left}`);
  }
});

test('a ring that passes one point very often takes no more than its steps', () => {
  const petals = 2000;
  const ring = Array.from({ length: petals }, (_, i) => {
    const [a, b] = [i, i + 0.5].map((petal) => (2 * Math.PI * petal) / petals);
    return [0, 0, 500 * Math.cos(a!), 500 * Math.sin(a!), 500 * Math.cos(b!), 500 * Math.sin(b!)];
  }).flat();
  const start = performance.now();
  const { repairs } = repairFootprint([ring]);
  assert.deepEqual(
    repairs.map(({ kind }) => kind),
    ['too_complex'],
  );
  assert.ok(performance.now() - start < 5000, 'seconds, not minutes');
});

test('spikes and repeated points are repaired in time in proportion to the points', () => {
  const spikes = (count: number): number[] =>
    Array.from({ length: count }, (_, i) => [i, 0, i, 50, i, 0])
      .flat()
      .concat(count, -10, 0, -10);
  const [few, many] = [500, 2000].map((count) =>
    readsOf(spikes(count), (ring) => assert.equal(repairFootprint([ring as number[]]).prisms.length, 1)),
  );
  // n log n from n to 4n, with room; n² would be 16.
  assert.ok(many! <= 6 * few!, `${few} and ${many}`);
  assert.equal(repairFootprint([new Array(20_000).fill(7)]).prisms.length, 0, 'all points equal');
});
