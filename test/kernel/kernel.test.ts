import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convergenceDeg, planeOf } from '../../src/geo/plane.ts';
import { dayPaths, sunAt } from '../../src/solar/day-path.ts';
import { computeBuilding, kernelOf } from '../../src/sunlight/compute.ts';
import { Engine } from '../../src/sunlight/engine.ts';
import { computeFloor } from '../../src/sunlight/floor.ts';
import { computePoint } from '../../src/sunlight/point.ts';
import { sunCurves } from '../../src/sunlight/sun-curves.ts';
import { buildTree } from '../../src/sunlight/tree.ts';
import { meanMinutes, sunlitWindows } from '../../src/sunlight/windows.ts';
import { edgeGrid, enclosingBuilding } from '../oracle/edge-grid.ts';
import { oracleSunlight } from '../oracle/oracle.ts';
import { castRay, type Hidden } from '../oracle/ray.ts';
import { box, sceneOf, type TestBuilding, TOKYO } from '../support/scenes.ts';

const RADIANS = Math.PI / 180;
const PATHS = dayPaths(TOKYO.lat, TOKYO.lon);
const HOUSE = box(0, 0, 12, 8, 9);
/** A fixed quarter of houses around the origin, and a tower. */
const QUARTER: TestBuilding[] = [
  ...Array.from({ length: 60 }, (_, i) =>
    box(-95 + 20 * (i % 10), -70 + 25 * Math.floor(i / 10), 13, 9, 6 + (i % 7) * 4),
  ),
  box(40, -80, 20, 20, 90),
].filter(({ rings }) => Math.hypot(rings[0]![0]![0], rings[0]![0]![1]) > 15);

function cityOf(buildings: readonly TestBuilding[]) {
  const scene = sceneOf(buildings);
  const convergence = convergenceDeg(planeOf(scene.zone), TOKYO.lat, TOKYO.lon);
  return {
    scene,
    convergence,
    kernel: kernelOf(scene),
    curves: sunCurves(PATHS, convergence),
  };
}

test('a tower of 300 m at 3 km takes its minutes: there is no search radius', () => {
  const alone = cityOf([HOUSE]);
  const december = PATHS[11]!;
  const { azimuthDeg } = sunAt(december, december.sunset - 30);
  const [x, y] = [3000 * Math.sin((azimuthDeg * Math.PI) / 180), 3000 * Math.cos((azimuthDeg * Math.PI) / 180)];
  const towered = cityOf([HOUSE, box(x - 30, y - 30, 60, 60, 300)]);
  const [free, shaded] = [alone, towered].map(({ kernel, curves }) => computeBuilding(kernel, curves, 0, 3));
  const south = (found: typeof free): number => found!.faces.find(({ face }) => face === 4)!.sunMinutes[2 * 12 + 11]!;
  const lost = south(free) - south(shaded);
  assert.ok(lost >= 2 && lost <= 20, `lost ${lost} minutes`);
  assert.equal(shaded!.sources[0]!.building, 1);
});

test('a building gets the same numbers whatever was computed before it', () => {
  const { kernel, curves } = cityOf([HOUSE, ...QUARTER]);
  const first = structuredClone(computeBuilding(kernel, curves, 0, 3));
  for (let building = 1; building < 20; building++) computeBuilding(kernel, curves, building, 1 + (building % 5));
  assert.deepEqual(computeBuilding(kernel, curves, 0, 3), first);
});

test('the order of the buildings in the scene changes nothing but their numbers', () => {
  const one = cityOf([HOUSE, ...QUARTER]);
  const other = cityOf([...QUARTER.toReversed(), HOUSE]);
  const found = computeBuilding(one.kernel, one.curves, 0, 3);
  const turned = computeBuilding(other.kernel, other.curves, QUARTER.length, 3);
  assert.deepEqual(turned.faces, found.faces);
  const renamed = turned.sources.map(({ building }) => QUARTER.length - building);
  assert.deepEqual(new Set(renamed), new Set(found.sources.map(({ building }) => building)));
});

test('one free receptor is what a ray a minute finds, in all directions', () => {
  const { kernel, curves, scene, convergence } = cityOf([HOUSE, ...QUARTER]);
  const grid = edgeGrid(scene);
  const hidden: Hidden = { building: new Int32Array(1), slope: new Float64Array(1) };
  const corner = scene.xy.subarray(0, 2);
  for (const [dx, dy, z] of [
    [-6, -5, 1.5],
    [20, 3, 4],
    [-3, 14, 12],
    [6, 4, 5],
  ] as const) {
    const [x, y] = [corner[0]! + dx, corner[1]! + dy];
    const found = computePoint(kernel.engine, kernel.view, curves, [x, y, z], convergence);
    const inside = enclosingBuilding(grid, x, y, z) >= 0;
    PATHS.forEach((path, month) => {
      let lit = 0;
      let up = 0;
      for (let minute = Math.floor(path.sunrise) + 0.5; minute < path.sunset; minute++) {
        const { azimuthDeg, altitudeDeg } = sunAt(path, minute);
        if (altitudeDeg <= 0) continue;
        up++;
        const azimuth = ((azimuthDeg - convergence) * Math.PI) / 180;
        const slope = Math.tan((altitudeDeg * Math.PI) / 180);
        castRay(grid, x, y, Math.sin(azimuth), Math.cos(azimuth), [z], slope, hidden);
        if (!inside && hidden.building[0] === -1) lit++;
      }
      assert.equal(found.unshadedMinutes[month], up);
      assert.ok(
        Math.abs(found.sunMinutes[month]! - lit) <= 1,
        `month ${month + 1}: ${found.sunMinutes[month]}, rays ${lit}`,
      );
      const windows = found.windows[month]!;
      assert.ok(windows.every((minute, i) => i === 0 || minute > windows[i - 1]!));
    });
  }
});

test('a scene without buildings leaves a free receptor all its sun', () => {
  const { kernel, curves, convergence } = cityOf([]);
  const { sunMinutes, unshadedMinutes } = computePoint(kernel.engine, kernel.view, curves, [0, 0, 1.5], convergence);
  assert.deepEqual(sunMinutes, unshadedMinutes);
});

/** A house whose only wall to the south is 12 cm long, west of a wing 10 m deep. */
const CORNERED: TestBuilding = {
  rings: [[[0, 0], [0.12, 0], [0.12, -10], [8, -2], [8, 6], [0, 6]]], // biome-ignore format: one line a ring
  base: 0,
  top: 9,
};

test('at an inner corner the wall beside it shades, six centimetres away', () => {
  const { kernel, curves, scene } = cityOf([CORNERED]);
  const found = computeBuilding(kernel, curves, 0, 3);
  const south = found.faces.find(({ face }) => face === 4)!;
  assert.equal(south.receptors, 1);
  PATHS.forEach((path, month) => {
    const [from] = south.windows[month]!;
    assert.ok(Math.abs(from! - path.noon) <= 4, `month ${month + 1}: ${from}, noon ${path.noon}`);
  });
  assert.deepEqual(found.faces, oracleSunlight(edgeGrid(scene), 0, 3, PATHS).faces);
  assert.equal(found.blockedMinutes, found.selfBlockedMinutes);
});

test('in a recess narrower than the receptors stand off there is no sun, and the building itself is the reason', () => {
  const recess: [number, number][] = [[4, 0], [4, 3], [4.03, 3], [4.03, 0]]; // biome-ignore format: one line
  const house: TestBuilding = { rings: [[[0, 0], ...recess, [4.03, -6], [12, 2], [12, 9], [0, 9]]], base: 0, top: 9 };
  const { kernel, curves, scene } = cityOf([house]);
  const found = computeBuilding(kernel, curves, 0, 3);
  const believed = oracleSunlight(edgeGrid(scene), 0, 3, PATHS);
  assert.deepEqual(found.faces, believed.faces);
  assert.ok(Math.abs(found.selfBlockedMinutes - believed.selfBlockedMinutes) < 1);
});

test('a floor asked for alone has the receptors, minutes and windows of the whole building', () => {
  const { kernel, curves } = cityOf([HOUSE, CORNERED, ...QUARTER]);
  const whole = structuredClone(computeBuilding(kernel, curves, 0, 5));
  whole.floors.forEach(({ heightM }, floor) => {
    const alone = computeFloor(kernel, curves, 0, heightM);
    assert.deepEqual(
      alone.faces.map(({ face, receptors }) => [face, receptors.length]),
      whole.faces.map(({ face, receptors }) => [face, receptors]),
    );
    whole.faces.forEach(({ sunMinutes, windows, receptors }, i) => {
      for (let month = 0; month < 12; month++) {
        const lit = alone.faces[i]!.receptors.flatMap((receptor) => receptor.lit[month]!);
        assert.equal(meanMinutes(lit, receptors), sunMinutes[floor * 12 + month]);
        assert.deepEqual(sunlitWindows(lit, receptors), windows[floor * 12 + month]);
      }
    });
  });
});

test('each minute of shade belongs to the building that a ray to the sun meets highest', () => {
  const { kernel, curves, scene, convergence } = cityOf([HOUSE, ...QUARTER]);
  const grid = edgeGrid(scene);
  const months = PATHS.map((_, month) => month);
  const hidden: Hidden = { building: new Int32Array(1), slope: new Float64Array(1) };
  let [minutes, others] = [0, 0];
  for (const { receptors } of computeFloor(kernel, curves, 0, 4, { shadeDays: months }).faces) {
    for (const { x, y, lit, unshadedMinutes, shade } of receptors) {
      for (const month of months) {
        let shaded = 0;
        for (const [building, intervals] of shade[month]!) {
          for (let i = 0; i < intervals.length; i += 2) {
            for (let minute = intervals[i]!; minute < intervals[i + 1]!; minute++) {
              const { azimuthDeg, altitudeDeg } = sunAt(PATHS[month]!, minute + 0.5);
              const [azimuth, slope] = [(azimuthDeg - convergence) * RADIANS, Math.tan(altitudeDeg * RADIANS)];
              castRay(grid, x, y, Math.sin(azimuth), Math.cos(azimuth), [4], slope, hidden);
              shaded++;
              if (hidden.building[0] !== building) others++;
            }
          }
        }
        assert.equal(shaded, unshadedMinutes[month]! - meanMinutes(lit[month]!, 1), `month ${month + 1}`);
        minutes += shaded;
      }
    }
  }
  assert.ok(minutes > 5000 && others < 0.01 * minutes, `${others} of ${minutes} minutes belong to another building`);
});

test('two kernels that take turns on one engine, and one alone, agree', () => {
  const scenes = [sceneOf([HOUSE, ...QUARTER]), sceneOf([CORNERED, ...QUARTER])];
  const { curves } = cityOf([HOUSE]);
  const engine = new Engine();
  const [one, other] = scenes.map((scene) => kernelOf(scene, buildTree(scene), engine));
  const alone = scenes.map((scene) => kernelOf(scene));
  for (let building = 0; building < 5; building++) {
    for (const [i, kernel] of [one!, other!].entries()) {
      assert.deepEqual(
        computeBuilding(kernel, curves, building, 3),
        computeBuilding(alone[i]!, curves, building, 3),
        `building ${building}`,
      );
    }
  }
});

test('an engine that must let go of its pages after every column gives the same', () => {
  const { kernel, curves, scene } = cityOf([HOUSE, ...QUARTER]);
  const forgetful = kernelOf(scene, buildTree(scene), new Engine(0));
  for (let building = 0; building < 12; building++) {
    assert.deepEqual(computeBuilding(forgetful, curves, building, 3), computeBuilding(kernel, curves, building, 3));
  }
});
