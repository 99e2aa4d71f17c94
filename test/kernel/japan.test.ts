import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { convergenceDeg, planeOf } from '../../src/geo/plane.ts';
import { dayPaths } from '../../src/solar/day-path.ts';
import { computeBuilding, kernelOf } from '../../src/sunlight/compute.ts';
import { Engine } from '../../src/sunlight/engine.ts';
import { frameAt, SceneBuilder } from '../../src/sunlight/scene.ts';
import { sunCurves } from '../../src/sunlight/sun-curves.ts';
import { buildTree } from '../../src/sunlight/tree.ts';
import { edgeGrid } from '../oracle/edge-grid.ts';
import { oracleSunlight } from '../oracle/oracle.ts';
import { Agreement } from './agreement.ts';

const SEED = process.env.SEED ? Number(process.env.SEED) : 20260621;
const RUNS = 12;
const STOREYS = 2;
const ENGINE = new Engine();

/**
 * Where people live farthest south, west, east and north, and between them; just north of 23.5° the sun passes the
 * zenith.
 */
const PLACES: [name: string, lat: number, lon: number][] = [
  ['23.51° N', 23.51, 123.8],
  ['Hateruma', 24.05, 123.78],
  ['Naha', 26.212, 127.679],
  ['Chichijima', 27.094, 142.192],
  ['Kagoshima', 31.596, 130.557],
  ['Sapporo', 43.062, 141.354],
  ['Nemuro', 43.33, 145.583],
  ['Wakkanai', 45.416, 141.673],
];

const metres = (min: number, max: number) => fc.double({ min, max, noNaN: true, noDefaultInfinity: true });
/** West and south edge, width, depth and height of a block around a house of 12 by 8 m. */
const block = fc.tuple(metres(-90, 90), metres(-90, 90), metres(4, 30), metres(4, 30), metres(3, 60));

const rectangle = (x: number, y: number, width: number, depth: number): number[] => [
  ...[x, y],
  ...[x + width, y],
  ...[x + width, y + depth],
  ...[x, y + depth],
];

for (const [name, lat, lon] of PLACES) {
  test(`${name}: the kernel agrees with a ray a minute, all year (seed ${SEED})`, (t) => {
    const frame = frameAt(lat, lon);
    const paths = dayPaths(lat, lon);
    const curves = sunCurves(paths, convergenceDeg(planeOf(frame.zone), lat, lon));
    const all = new Agreement();
    fc.assert(
      fc.property(fc.array(block, { minLength: 1, maxLength: 6 }), (blocks) => {
        const builder = new SceneBuilder(frame);
        builder.addProjected([[rectangle(0, 0, 12, 8)]], 0, 7);
        for (const [x, y, width, depth, top] of blocks) builder.addProjected([[rectangle(x, y, width, depth)]], 0, top);
        const scene = builder.finish();
        const one = new Agreement();
        const believed = oracleSunlight(edgeGrid(scene), 0, STOREYS, paths);
        one.add(computeBuilding(kernelOf(scene, buildTree(scene), ENGINE), curves, 0, STOREYS), believed);
        all.merge(one);
        assert.ok(one.worst <= 5, String(one));
      }),
      { seed: SEED, numRuns: RUNS, endOnFailure: true },
    );
    t.diagnostic(String(all));
    assert.ok(all.equalShare >= 0.98, String(all));
    assert.ok(Math.abs(all.bias) < 0.001, String(all));
  });
}
