import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convergenceDeg, planeOf } from '../../src/geo/plane.ts';
import { dayPaths } from '../../src/solar/day-path.ts';
import { kernelOf } from '../../src/sunlight/compute.ts';
import { computeFloor } from '../../src/sunlight/floor.ts';
import { DRAWS, drawnMinutes, floorIntervals } from '../../src/sunlight/interval.ts';
import { MODEL_ERROR, movesOf } from '../../src/sunlight/model-error.ts';
import { displacement, fieldsOfMove, type Moves, moveOf, NO_ERROR } from '../../src/sunlight/moves.ts';
import { floorHeight } from '../../src/sunlight/result.ts';
import { sunCurves } from '../../src/sunlight/sun-curves.ts';
import { buildTree } from '../../src/sunlight/tree.ts';
import { meanMinutes } from '../../src/sunlight/windows.ts';
import { box, sceneOf, type TestBuilding, TOKYO } from '../support/scenes.ts';

const ERROR = { positionsM: [1.75, 0.25], heightsM: [0.66, 0.25, 1] };
/**
 * A house with a recess among others of several heights, a tower, and a row of houses that touch; classes of errors go
 * round.
 */
const CITY: TestBuilding[] = [
  { rings: [[[0, 0], [4, 0], [4, 3], [8, 3], [8, -2], [13, -2], [13, 9], [0, 9]]], base: 2, top: 12 }, // biome-ignore format: one line
  ...Array.from({ length: 48 }, (_, i) =>
    box(-90 + 22 * (i % 8), -80 + 24 * Math.floor(i / 8), 14, 10, 6 + (i % 7) * 4),
  ).filter(({ rings }) => Math.hypot(rings[0]![0]![0] - 6, rings[0]![0]![1] - 4) > 16),
  box(40, -90, 20, 20, 90),
  ...Array.from({ length: 4 }, (_, i) => box(-60 + 8 * i, -110, 8, 12, 8)),
];

const scene = sceneOf(CITY);
const curves = sunCurves(dayPaths(TOKYO.lat, TOKYO.lon), convergenceDeg(planeOf(scene.zone), TOKYO.lat, TOKYO.lon));
const clusters = movesOf(scene, () => ({}));
const moves = clusters.map((cluster, i) => moveOf(cluster, cluster % 2, i % 3));
const tree = buildTree(scene, { moves });
const asked = { floor: 2, storeys: 3, solidHeightM: 10, ownRiseM: 0, move: moves[0]! };

/** The city built again where a draw puts its buildings. */
function rebuilt(of: Moves): TestBuilding[] {
  return CITY.map((building, i) => {
    const { east, north, up } = displacement(
      { ...of, ownRiseM: i === 0 ? of.ownRiseM : 0 },
      scene.originX,
      scene.originY,
      i,
      moves[i]!,
    );
    const rings = building.rings.map((ring) => ring.map(([x, y]): [number, number] => [x + east, y + north]));
    return { ...building, rings, top: building.top + up };
  });
}

test('a draw gives what the city gives when it is built again with every building moved', () => {
  const kernel = kernelOf(scene, tree);
  for (const one of [1, 2, 3, 77].map((draw): Moves => ({ draw, error: ERROR, ownRiseM: draw === 3 ? 4 : 0 }))) {
    const moved = kernelOf(sceneOf(rebuilt(one)));
    const height = moved.scene.top[0]! - moved.scene.base[0]! - one.ownRiseM;
    const alone = computeFloor(moved, curves, 0, floorHeight(2, 3, height));
    const drawn = drawnMinutes(kernel, curves, 0, asked, one);
    assert.deepEqual(
      drawn.map(([face]) => face),
      alone.faces.map(({ face }) => face),
    );
    for (const [i, [face, minutes]] of drawn.entries()) {
      const { receptors } = alone.faces[i]!;
      for (let day = 0; day < 12; day++) {
        const believed = meanMinutes(
          receptors.flatMap(({ lit }) => lit[day]!),
          receptors.length,
        );
        assert.ok(
          Math.abs(minutes[day]! - believed) <= 1,
          `draw ${one.draw}, face ${face}, day ${day}: ${minutes[day]}, ${believed}`,
        );
      }
    }
  }
});

test('displacements are those of the distribution, independent of each other, and the same each time', () => {
  const all = Array.from({ length: 4000 }, (_, i) =>
    displacement({ draw: i % 40, error: ERROR, ownRiseM: 0 }, -7000, -35_000, Math.floor(i / 40), Math.floor(i / 40)),
  );
  const mean = (of: (i: number) => number): number => all.reduce((sum, _, i) => sum + of(i), 0) / all.length;
  for (const [axis, deviation] of [
    ['east', 1.75],
    ['north', 1.75],
    ['up', 0.66],
  ] as const) {
    // biome-ignore format: one line
    assert.ok(Math.abs(mean((i) => all[i]![axis])) < 0.05 * deviation, axis);
    assert.ok(Math.abs(Math.sqrt(mean((i) => all[i]![axis] ** 2)) - deviation) < 0.05 * deviation, axis);
    // Of the same building in the next draw, and of the next building in the same draw.
    for (const step of [1, 40]) {
      const product = mean((i) => all[i]![axis] * all[(i + step) % all.length]![axis]);
      assert.ok(Math.abs(product) < 0.06 * deviation ** 2, `${axis}, ${step}: ${product}`);
    }
  }
  assert.ok(Math.abs(mean((i) => all[i]!.east * all[i]!.up)) < 0.06 * 1.75 * 0.66);
});

test('an interval is the same each time, holds most draws, and leaves the next computation as it was', () => {
  const kernel = kernelOf(scene, tree);
  const before = computeFloor(kernel, curves, 0, 4);
  const published = computeFloor(kernel, curves, 0, floorHeight(2, 3, 10));
  const intervals = floorIntervals(kernel, curves, 0, asked, ERROR, published);
  assert.deepEqual(floorIntervals(kernelOf(scene, tree), curves, 0, asked, ERROR, published), intervals);
  assert.deepEqual(computeFloor(kernel, curves, 0, 4), before);
  let [inside, all] = [0, 0];
  for (let draw = 1; draw <= DRAWS; draw++) {
    for (const [face, minutes] of drawnMinutes(kernel, curves, 0, asked, { draw, error: ERROR, ownRiseM: 0 })) {
      for (const [day, [low, high]] of intervals.get(face)!.entries()) {
        assert.ok(low <= high);
        all++;
        if (minutes[day]! >= low && minutes[day]! <= high) inside++;
      }
    }
  }
  assert.ok(inside >= (all * (DRAWS - 2)) / DRAWS, `${inside} of ${all}`);
  for (const days of floorIntervals(kernel, curves, 0, asked, NO_ERROR, published).values()) {
    for (const [low, high] of days) assert.equal(low, high);
  }
});

test('the published city lies in every interval, and a wall between houses that touch stays dark', () => {
  const kernel = kernelOf(scene, tree);
  const row = scene.base.length - 3;
  assert.deepEqual(
    [...moves.slice(-4)].map((move) => fieldsOfMove(move).cluster),
    new Array(4).fill(row - 1),
  );
  const [east, west] = [2, 6];
  for (const building of [0, row]) {
    const height = scene.top[building]! - scene.base[building]!;
    const of = { floor: 1, storeys: 2, solidHeightM: height, ownRiseM: 0, move: moves[building]! };
    const published = computeFloor(kernel, curves, building, floorHeight(1, 2, height));
    const intervals = floorIntervals(kernel, curves, building, of, ERROR, published);
    for (const { face, receptors } of published.faces) {
      for (let day = 0; day < 12; day++) {
        const minutes = meanMinutes(
          receptors.flatMap(({ lit }) => lit[day]!),
          receptors.length,
        );
        const [low, high] = intervals.get(face)![day]!;
        assert.ok(low <= minutes + 1e-9 && minutes <= high + 1e-9, `building ${building}, face ${face}, day ${day}`);
        if (building === row && (face === east || face === west)) assert.equal(high, 0);
      }
    }
  }
});

test('blocks are buildings that touch, overlap or hold each other, and all that touch those', () => {
  const city = sceneOf([
    box(0, 0, 10, 10, 5),
    box(10.1, 5, 10, 10, 5),
    box(100, 0, 10, 10, 5),
    box(20, 14, 10, 10, 5),
    box(103, 3, 2, 2, 9),
    box(40, 0, 10, 10, 5),
    box(50.3, 0, 10, 10, 5),
    box(60.3, 10, 10, 10, 5),
  ]);
  assert.deepEqual([...movesOf(city, () => ({}))], [0, 0, 2, 0, 2, 5, 6, 6]);
  // Positions go by the map of the first of the cluster, heights by that of the building and its method.
  const published = [
    { mapLevel: '2' },
    { mapLevel: '3', heightMethod: '2' },
    { heightMethod: '2', hasRoof: true },
    undefined,
    undefined,
    { mapLevel: '0', heightMethod: '2' },
  ];
  const classes = [...movesOf(city, (building) => published[building] ?? { mapLevel: '9' })].map(fieldsOfMove);
  assert.deepEqual(classes.slice(0, 4), [
    { cluster: 0, positionClass: 1, heightClass: 1 },
    { cluster: 0, positionClass: 1, heightClass: 3 },
    { cluster: 2, positionClass: 0, heightClass: 0 },
    { cluster: 0, positionClass: 1, heightClass: 0 },
  ]);
  const { positionClass, heightClass } = classes[5]!;
  // A coarse map is worse than the median of a roof.
  assert.deepEqual([MODEL_ERROR.positionsM[positionClass], MODEL_ERROR.heightsM[heightClass]], [3.5, 1.66]);
});
