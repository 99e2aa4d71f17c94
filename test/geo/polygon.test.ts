import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  nestedPolygons,
  pointInPolygon,
  pointInRing,
  pointSegmentSquared,
  polygonArea,
  polygonDistance,
  representativePoint,
  segmentsCross,
  signedArea,
} from '../../src/geo/polygon.ts';

/** A square with its south-west corner at (x, y), counter-clockwise. */
const square = (x: number, y: number, side: number): number[] => [x, y, x + side, y, x + side, y + side, x, y + side];
const reversed = (ring: readonly number[]): number[] =>
  ring.map((_, i) => ring[ring.length - 2 - (i - (i % 2)) + (i % 2)]!);

/** 30 by 30 with a hole of 10 by 10 in the middle. */
const courtyard = [square(0, 0, 30), reversed(square(10, 10, 10))];
/** A U, open to the north: its centroid (5, 4.1) lies in the gap. */
const u = [[0, 0, 10, 0, 10, 10, 8, 10, 8, 2, 2, 2, 2, 10, 0, 10]];

test('area: positive counter-clockwise, far from the origin too', () => {
  assert.equal(signedArea(square(0, 0, 10)), 100);
  assert.equal(signedArea(reversed(square(0, 0, 10))), -100);
  assert.equal(signedArea(square(4e6, -3e6, 0.125)), 0.015625);
  assert.equal(polygonArea(courtyard), 800);
  assert.equal(polygonArea(courtyard.map(reversed)), 800);
});

test('a point in a hole is outside, whatever way the rings turn', () => {
  for (const rings of [courtyard, courtyard.map(reversed)]) {
    assert.equal(pointInPolygon(5, 5, rings), true);
    assert.equal(pointInPolygon(15, 15, rings), false);
    assert.equal(pointInPolygon(31, 15, rings), false);
  }
});

test('rings that tile the plane claim every point once, edges and corners included', () => {
  const tiles = [0, 1, 2].flatMap((x) => [0, 1, 2].map((y) => square(x, y, 1)));
  for (let x = 0; x < 3; x += 0.25) {
    for (let y = 0; y < 3; y += 0.25) {
      const claims = tiles.filter((tile) => pointInRing(x, y, tile)).length;
      assert.equal(claims, 1, `(${x}, ${y}) is claimed ${claims} times`);
    }
  }
});

test('representative point: the centroid where it is inside, else a point that is', () => {
  assert.deepEqual(representativePoint([[square(0, 0, 10)]]), [5, 5]);
  for (const polygon of [courtyard, u]) {
    const [x, y] = representativePoint([polygon]);
    assert.ok(pointInPolygon(x, y, polygon), `(${x}, ${y})`);
  }
  assert.deepEqual(representativePoint([[square(0, 0, 1)], [square(50, 50, 8)], [square(90, 0, 2)]]), [54, 54]);
});

test('representative point of any simple polygon is inside it', () => {
  // A star around the origin: one vertex per direction, so it never crosses itself.
  const star = fc.array(fc.double({ min: 0.5, max: 20, noNaN: true }), { minLength: 3, maxLength: 30 }).map((radii) =>
    radii.flatMap((r, i) => {
      const angle = (2 * Math.PI * i) / radii.length;
      return [r * Math.cos(angle) + 1000, r * Math.sin(angle) - 500];
    }),
  );
  fc.assert(
    fc.property(star, (ring) => {
      const [x, y] = representativePoint([[ring]]);
      assert.ok(pointInRing(x, y, ring));
    }),
    { numRuns: 500, seed: 41 },
  );
});

test('a polygon without area still has a representative point', () => {
  assert.deepEqual(representativePoint([[[3, 4, 5, 6]]]), [3, 4]);
});

test('rings become polygons: holes, islands in holes, and parts that touch', () => {
  const [outer, hole, island] = [square(0, 0, 30), square(5, 5, 20), square(10, 10, 5)];
  assert.deepEqual(nestedPolygons([island, hole, outer]), [[island], [outer, hole]]);
  // The first corner of the second part is on the common edge.
  const [west, east] = [square(0, 0, 10), square(10, 3, 4)];
  assert.deepEqual(nestedPolygons([west, east]), [[west], [east]]);
  const courtyardAtEdge = square(0, 3, 4);
  assert.deepEqual(
    nestedPolygons([west, courtyardAtEdge]),
    [[west, courtyardAtEdge]],
    'a hole that touches the outer ring',
  );
});

// A park of 4,000 islands took 12 s, because areas and points inside were computed anew for each pair.
test('many rings that lie apart are read a few times each', () => {
  let reads = 0;
  const counted = (ring: number[]): number[] =>
    new Proxy(ring, {
      get(corners, key) {
        reads++;
        return Reflect.get(corners, key);
      },
    });
  const islands = Array.from({ length: 300 }, (_, i) =>
    counted(square(20 * (i % 20), 20 * Math.floor(i / 20), 5 + (i % 7))),
  );
  assert.equal(nestedPolygons(islands).length, 300);
  assert.ok(reads < 300 * 300, `${reads} reads`);
});

test('distance from a point to a segment, its ends included', () => {
  assert.equal(pointSegmentSquared(5, 3, 0, 0, 10, 0), 9);
  assert.equal(pointSegmentSquared(-3, 4, 0, 0, 10, 0), 25);
  assert.equal(pointSegmentSquared(13, 4, 0, 0, 10, 0), 25);
  assert.equal(pointSegmentSquared(3, 4, 0, 0, 0, 0), 25);
});

test('distance between polygons', () => {
  const a = [square(0, 0, 10)];
  assert.equal(polygonDistance(a, [square(13, 14, 10)]), 5);
  assert.equal(polygonDistance(a, [square(10, 0, 5)]), 0, 'touching');
  assert.equal(polygonDistance(a, [square(8, 8, 5)]), 0, 'overlapping');
  assert.equal(polygonDistance(a, [square(3, 3, 2)]), 0, 'inside');
  assert.equal(polygonDistance([[4, -5, 6, -5, 6, 15, 4, 15]], a), 0, 'a bar right across');
  assert.equal(polygonDistance(courtyard, [square(14, 14, 2)]), 4, 'standing in the courtyard');
});

test('distance between boxes along the axes is that of their sides', () => {
  const coordinate = fc.integer({ min: -40, max: 40 });
  const box = fc.tuple(coordinate, coordinate, fc.integer({ min: 1, max: 20 }));
  fc.assert(
    fc.property(box, box, ([ax, ay, as], [bx, by, bs]) => {
      const gap = (a: number, lengthA: number, b: number, lengthB: number): number =>
        Math.max(0, b - (a + lengthA), a - (b + lengthB));
      const expected = Math.hypot(gap(ax, as, bx, bs), gap(ay, as, by, bs));
      const found = polygonDistance([square(ax, ay, as)], [square(bx, by, bs)]);
      assert.ok(Math.abs(found - expected) < 1e-9);
    }),
    { numRuns: 500, seed: 42 },
  );
});

test('segments cross only where each has points on both sides of the other', () => {
  assert.equal(segmentsCross(0, 0, 10, 10, 0, 10, 10, 0), true);
  assert.equal(segmentsCross(0, 0, 10, 0, 5, 0, 5, 5), false, 'touching');
  assert.equal(segmentsCross(0, 0, 10, 0, 5, 1, 5, 5), false);
});
