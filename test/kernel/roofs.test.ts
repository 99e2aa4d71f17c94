import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { convergenceDeg, planeOf } from '../../src/geo/plane.ts';
import { zoneOf } from '../../src/geo/zones.ts';
import { dayPaths } from '../../src/solar/day-path.ts';
import { computeBuilding, kernelOf } from '../../src/sunlight/compute.ts';
import { Engine } from '../../src/sunlight/engine.ts';
import { placeReceptors } from '../../src/sunlight/receptors.ts';
import { frameAt, type Scene, SceneBuilder } from '../../src/sunlight/scene.ts';
import { HORIZON_STEPS, horizonOf } from '../../src/sunlight/sky-view.ts';
import { sunCurves } from '../../src/sunlight/sun-curves.ts';
import { buildTree } from '../../src/sunlight/tree.ts';
import { edgeGrid } from '../oracle/edge-grid.ts';
import { oracleSunlight } from '../oracle/oracle.ts';
import { TOKYO } from '../support/scenes.ts';
import { Agreement } from './agreement.ts';

/** A house: its footprint `[x, y, …]` and its roof surfaces `[x, y, z, …]`, metres in the plane of the scene. */
interface House {
  footprint: number[];
  base: number;
  top: number;
  surfaces: number[][];
}

const SEED = 20261124;
const RUNS = 10;
const STOREYS = 3;
const ENGINE = new Engine();

/** A place on the plane and the sun there: scenes are built around (x, y). */
function placeAt(lat: number, lon: number) {
  const zone = zoneOf(lat, lon);
  const paths = dayPaths(lat, lon);
  return { frame: frameAt(lat, lon), paths, curves: sunCurves(paths, convergenceDeg(planeOf(zone), lat, lon)) };
}
const PLACES = { Tokyo: placeAt(TOKYO.lat, TOKYO.lon), Ishigaki: placeAt(24.4, 124.2), Wakkanai: placeAt(45.4, 141.7) };
const [X, Y] = [500, 500];

/** Corners of a rectangle about (x, y), turned; counter-clockwise, and further points given in its own directions. */
function turnedPoints(x: number, y: number, degrees: number, points: readonly (readonly number[])[]): number[][] {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  return points.map(([u, v, ...z]) => [X + x + u! * cos - v! * sin, Y + y + u! * sin + v! * cos, ...z]);
}

interface Size {
  x: number;
  y: number;
  width: number;
  depth: number;
  degrees: number;
  base: number;
  eaves: number;
  rise: number;
}

/** A house of surfaces over a rectangle: each a list of [across, along, height], −1 to 1 and 0 (eaves) to 1 (ridge). */
function houseOf({ x, y, width, depth, degrees, base, eaves, rise }: Size, roof: readonly number[][][]): House {
  const place = (points: readonly (readonly number[])[]): number[] =>
    turnedPoints(
      x,
      y,
      degrees,
      points.map(([u, v, ...h]) => [(u! * width) / 2, (v! * depth) / 2, ...h.map((up) => base + eaves + up * rise)]),
    ).flat();
  const footprint = place([
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ]);
  return { footprint, base, top: base + eaves + rise / 2, surfaces: roof.map(place) };
}

const ROOFS: Record<string, readonly number[][][]> = {
  gables: [
    [
      [-1, -1, 0],
      [1, -1, 0],
      [1, 0, 1],
      [-1, 0, 1],
    ],
    [
      [-1, 0, 1],
      [1, 0, 1],
      [1, 1, 0],
      [-1, 1, 0],
    ],
  ],
  pyramids: [
    [
      [-1, -1, 0],
      [1, -1, 0],
      [0, 0, 1],
    ],
    [
      [1, -1, 0],
      [1, 1, 0],
      [0, 0, 1],
    ],
    [
      [1, 1, 0],
      [-1, 1, 0],
      [0, 0, 1],
    ],
    [
      [-1, 1, 0],
      [-1, -1, 0],
      [0, 0, 1],
    ],
  ],
  steps: [
    [
      [-1, -1, 0],
      [1, -1, 0],
      [1, 0, 0],
      [-1, 0, 0],
    ],
    [
      [-1, 0, 1],
      [1, 0, 1],
      [1, 1, 1],
      [-1, 1, 1],
    ],
  ],
  // Two slopes that fall towards each other, and a deck above a part of them.
  valleys: [
    [
      [-1, -1, 1],
      [1, -1, 1],
      [1, 0, 0],
      [-1, 0, 0],
    ],
    [
      [-1, 0, 0],
      [1, 0, 0],
      [1, 1, 1],
      [-1, 1, 1],
    ],
    [
      [-0.5, -0.5, 2],
      [0.5, -0.5, 2],
      [0.5, 0.5, 2],
      [-0.5, 0.5, 2],
    ],
  ],
  sheds: [
    [
      [-1, -1, 0],
      [1, -1, 0],
      [1, 1, 1],
      [-1, 1, 1],
    ],
  ],
};

/** To the centimetre: doubles of every size would all lie near 0. */
const metres = (min: number, max: number) => fc.integer({ min: 100 * min, max: 100 * max }).map((cm) => cm / 100);
const size: fc.Arbitrary<Size> = fc.record({
  x: metres(-60, 60),
  y: metres(-60, 60),
  width: metres(4, 25),
  depth: metres(4, 25),
  degrees: metres(0, 360),
  base: metres(-6, 12),
  eaves: metres(2, 20),
  rise: metres(1, 12),
});

function sceneOf(frame: (typeof PLACES)['Tokyo']['frame'], houses: readonly House[]): Scene {
  const builder = new SceneBuilder(frame);
  for (const { footprint, base, top, surfaces } of houses) {
    builder.addProjected(
      [[footprint]],
      base,
      top,
      surfaces.map((ring) => ({ rings: [ring] })),
    );
  }
  return builder.finish();
}

for (const [name, roof] of Object.entries(ROOFS)) {
  test(`the kernel agrees with a ray a minute among ${name} (seed ${SEED})`, (t) => {
    const all = new Agreement();
    for (const { frame, paths, curves } of Object.values(PLACES)) {
      fc.assert(
        fc.property(fc.array(size, { minLength: 2, maxLength: 7 }), ([own, ...others]) => {
          const houses = [houseOf({ ...own!, x: 0, y: 0, base: 0 }, roof), ...others.map((one) => houseOf(one, roof))];
          const scene = sceneOf(frame, houses);
          const one = new Agreement();
          const believed = oracleSunlight(edgeGrid(scene), 0, STOREYS, paths);
          one.add(computeBuilding(kernelOf(scene, buildTree(scene), ENGINE), curves, 0, STOREYS), believed);
          all.merge(one);
          assert.ok(one.worst <= 5, String(one));
        }),
        { seed: SEED, numRuns: RUNS, endOnFailure: true },
      );
    }
    t.diagnostic(String(all));
    assert.ok(all.equalShare >= 0.99, String(all));
    assert.ok(all.nearShare >= 0.999, String(all));
    assert.ok(Math.abs(all.bias) < 0.0005, String(all));
    assert.ok(all.sameFirstShare >= 0.97 && all.sourceOverlap >= 0.9, String(all));
  });
}

test('of a gable across the way the ridge stands before the sky where it rises steeper than the eaves, else the eaves do', () => {
  const { frame } = PLACES.Tokyo;
  const own: House = { footprint: [X, Y, X + 10, Y, X + 10, Y + 8, X, Y + 8], base: 0, top: 9, surfaces: [] };
  // 10 m to the south its eaves at 5 m, 16 m to the south its ridge.
  const across = (ridge: number): House => {
    const [west, east] = [X - 300, X + 310];
    const slope = (from: number, to: number, z: readonly [number, number]): number[] => [
      ...[west, Y - from, z[0], west, Y - to, z[1]],
      ...[east, Y - to, z[1], east, Y - from, z[0]],
    ];
    return {
      footprint: [west, Y - 22, east, Y - 22, east, Y - 10, west, Y - 10],
      base: 0,
      top: 7,
      surfaces: [slope(10, 16, [5, ridge]), slope(16, 22, [ridge, 5])],
    };
  };
  const [z, eaves, middle] = [1.5, 10 - 0.05, 16 - 0.05];
  for (const [ridge, expected] of [
    [11, (11 - z) / middle],
    [6, (5 - z) / eaves],
  ] as const) {
    const kernel = kernelOf(sceneOf(frame, [own, across(ridge)]), undefined, ENGINE);
    placeReceptors(kernel.scene, 0, kernel.receptors, kernel.plane);
    const south = kernel.receptors.face.indexOf(4);
    const { slope, building } = horizonOf(kernel, 0, south, z);
    const ahead = HORIZON_STEPS / 2;
    assert.ok(Math.abs(slope[ahead]! - expected) < 1e-4, `${slope[ahead]} for ${expected}`);
    assert.equal(building[ahead], 1);
  }
});
