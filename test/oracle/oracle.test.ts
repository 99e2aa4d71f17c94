import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { pointInPolygon } from '../../src/geo/polygon.ts';
import { dayPaths } from '../../src/solar/day-path.ts';
import type { BuildingSunlight } from '../../src/sunlight/result.ts';
import type { Scene } from '../../src/sunlight/scene.ts';
import { box, sceneOf, type TestBuilding, TOKYO } from '../support/scenes.ts';
import { edgeGrid, enclosingBuilding } from './edge-grid.ts';
import { oracleSunlight } from './oracle.ts';
import { castRay, type Hidden } from './ray.ts';

const PATHS = dayPaths(TOKYO.lat, TOKYO.lon);

const length = (max: number) => fc.integer({ min: 2, max });
const obstacle = fc
  .tuple(
    fc.integer({ min: -90, max: 90 }),
    fc.integer({ min: -90, max: 90 }),
    length(30),
    length(30),
    length(60),
    length(20),
  )
  .map(([x, y, width, depth, height, base]) => box(x, y, width, depth, base + height, base));
/** A house of 12 by 8 m at the origin and what stands around and in it. */
const HOUSE = box(0, 0, 12, 8, 9);
const obstacles = fc.array(obstacle, { maxLength: 8 });

const sunOf = (scene: Scene): BuildingSunlight => oracleSunlight(edgeGrid(scene), 0, 3, PATHS);
const totals = ({ faces }: BuildingSunlight): number[] =>
  faces.map((face) => face.sunMinutes.reduce((a, b) => a + b, 0));

/** Every edge of the scene against the ray: nothing but the definition. */
function byTheDefinition(scene: Scene, x: number, y: number, ux: number, uy: number, z: number, sun: number) {
  let [building, slope] = [-1, sun];
  for (let b = 0; b < scene.base.length; b++) {
    for (
      let ring = scene.prismRings[scene.buildingPrisms[b]!]!;
      ring < scene.prismRings[scene.buildingPrisms[b + 1]!]!;
      ring++
    ) {
      const [start, end] = [scene.ringVertices[ring]!, scene.ringVertices[ring + 1]!];
      for (let v = start; v < end; v++) {
        const w = v + 1 < end ? v + 1 : start;
        const [ax, ay] = [scene.xy[2 * v]! - x, scene.xy[2 * v + 1]! - y];
        const [bx, by] = [scene.xy[2 * w]! - x, scene.xy[2 * w + 1]! - y];
        // (x, y) + distance · u = a + share · (b − a)
        const determinant = ux * (ay - by) - uy * (ax - bx);
        const distance = (ax * (ay - by) - ay * (ax - bx)) / determinant;
        const share = (ux * ay - uy * ax) / determinant;
        if (!(share >= 0 && share <= 1 && distance > 0 && distance <= 20_000)) continue;
        const rise = (scene.top[b]! - z) / distance;
        if (rise > slope) [building, slope] = [b, rise];
      }
    }
  }
  return { building, slope };
}

test('the index finds what a look at every edge finds', () => {
  const far = fc.integer({ min: -30, max: 30 }).map((km) => box(km * 700, km * km * 30, 80, 80, 300));
  const direction = fc.double({ min: 0, max: 2 * Math.PI, noNaN: true });
  fc.assert(
    fc.property(
      fc.array(fc.oneof(obstacle, far), { minLength: 1, maxLength: 12 }),
      fc.array(direction, { minLength: 8, maxLength: 8 }),
      (buildings, directions) => {
        const scene = sceneOf(buildings);
        const grid = edgeGrid(scene);
        const hidden: Hidden = { building: new Int32Array(2), slope: new Float64Array(2) };
        // Off every whole metre, near the first building.
        const [x, y] = [scene.xy[0]! - 0.317, scene.xy[1]! - 0.213];
        for (const angle of directions) {
          const [ux, uy] = [Math.sin(angle), Math.cos(angle)];
          castRay(grid, x, y, ux, uy, [1.5, 20], 0.02, hidden);
          for (const [eye, z] of [1.5, 20].entries()) {
            const expected = byTheDefinition(scene, x, y, ux, uy, z, 0.02);
            assert.ok(Math.abs(hidden.slope[eye]! - expected.slope) <= 1e-9 * expected.slope);
            if (hidden.building[eye] !== expected.building) {
              // Walls in one line or in one place rise alike.
              const tie = scene.top[hidden.building[eye]!] === scene.top[expected.building];
              assert.ok(tie, `building ${hidden.building[eye]} for ${expected.building}`);
            }
          }
        }
      },
    ),
    { numRuns: 300, seed: 81 },
  );
});

test('rays along the grid find their wall', () => {
  const scene = sceneOf([box(0, 0, 10, 10, 30), box(0, -500, 10, 10, 90)]);
  const grid = edgeGrid(scene);
  const hidden: Hidden = { building: new Int32Array(1), slope: new Float64Array(1) };
  castRay(grid, scene.xy[0]! + 5, scene.xy[1]! - 1, 0, -1, [10], 0.01, hidden);
  assert.equal(hidden.building[0], 1);
  castRay(grid, scene.xy[8]! + 5, scene.xy[9]! + 11, 0, 1, [10], 0.01, hidden);
  assert.equal(hidden.building[0], 0);
  castRay(grid, scene.xy[0]! - 2000, scene.xy[1]! + 5, 1, 0, [10], 0.001, hidden);
  assert.equal(hidden.building[0], 0);
});

test('what stands farther away than 20 km does not count', () => {
  const hidden: Hidden = { building: new Int32Array(1), slope: new Float64Array(1) };
  for (const [distance, building] of [
    [19_900, 1],
    [20_100, -1],
  ] as const) {
    const scene = sceneOf([box(0, 0, 10, 10, 3), box(-500, distance, 1000, 1000, 15_000)]);
    castRay(edgeGrid(scene), scene.xy[0]! + 5, scene.xy[1]!, 0, 1, [5], 0.1, hidden);
    assert.equal(hidden.building[0], building);
  }
});

test('of the buildings around a point the tallest that rises above it encloses it', () => {
  const scene = sceneOf([
    box(0, 0, 10, 10, 5),
    box(-5, -5, 30, 30, 20),
    box(-50, -50, 100, 100, 12),
    box(2, 2, 4, 4, 20),
  ]);
  const grid = edgeGrid(scene);
  const [x, y] = [scene.xy[0]! + 4, scene.xy[1]! + 4];
  const inside = [0, 1, 2, 3].filter((b) => pointInPolygon(x, y, [scene.xy.subarray(8 * b, 8 * b + 8)]));
  assert.deepEqual(inside, [0, 1, 2, 3]);
  assert.equal(enclosingBuilding(grid, x, y, 4), 1, 'of two equal ones the first');
  assert.equal(enclosingBuilding(grid, x, y, 20), -1);
  assert.equal(enclosingBuilding(grid, x + 500, y, 4), -1);
});

test('never more sun than with nothing in the way, and never more with more obstacles', () => {
  fc.assert(
    fc.property(obstacles, obstacle, (around, added) => {
      const before = sunOf(sceneOf([HOUSE, ...around]));
      const after = sunOf(sceneOf([HOUSE, ...around, added]));
      for (const [i, face] of before.faces.entries()) {
        for (const [at, minutes] of face.sunMinutes.entries()) {
          assert.ok(minutes <= face.unshadedMinutes[at % 12]! + 1e-9);
          assert.ok(after.faces[i]!.sunMinutes[at]! <= minutes + 1e-9);
        }
      }
      // Every minute is lit or blocked, and every blocked one has a source.
      for (const sun of [before, after]) {
        const front = sun.faces.reduce(
          (sum, f) => sum + 3 * f.receptors * f.unshadedMinutes.reduce((a, b) => a + b),
          0,
        );
        const lit = sun.faces.reduce((sum, f) => sum + f.receptors * f.sunMinutes.reduce((a, b) => a + b), 0);
        assert.ok(Math.abs(front - lit - sun.blockedMinutes) < 1e-6);
      }
    }),
    { numRuns: 25, seed: 82 },
  );
});

test('higher floors never get less sun', () => {
  fc.assert(
    fc.property(obstacles, (around) => {
      for (const face of sunOf(sceneOf([HOUSE, ...around])).faces) {
        for (let month = 0; month < 12; month++) {
          const [first, middle, top] = [0, 12, 24].map((floor) => face.sunMinutes[floor + month]!);
          assert.ok(first! <= middle! && middle! <= top!);
        }
      }
    }),
    { numRuns: 25, seed: 83 },
  );
});

test('neither the place on the plane nor the zone of the plane matters', () => {
  const moved = (buildings: TestBuilding[], dx: number, dy: number): TestBuilding[] =>
    buildings.map(({ rings, ...rest }) => ({
      ...rest,
      rings: rings.map((ring) => ring.map(([x, y]): [number, number] => [x + dx, y + dy])),
    }));
  fc.assert(
    fc.property(obstacles, fc.integer({ min: -400, max: 400 }), (around, shift) => {
      const here = sunOf(sceneOf([HOUSE, ...around]));
      const there = sunOf(sceneOf(moved([HOUSE, ...around], shift, -shift)));
      // Zone 7: 2.6° west of Tokyo, where grid north stands 1.5° off. Distances differ by 0.05 %.
      const otherZone = sunOf(sceneOf([HOUSE, ...around], TOKYO, 7));
      for (const other of [there, otherZone]) {
        for (const [i, total] of totals(other).entries()) {
          // Of 36 days at most a minute or so each, of one receptor.
          assert.ok(Math.abs(total - totals(here)[i]!) <= 12, `${total} for ${totals(here)[i]}`);
        }
      }
    }),
    { numRuns: 15, seed: 84 },
  );
});
