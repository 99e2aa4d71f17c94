import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { convergenceDeg, planeOf } from '../../src/geo/plane.ts';
import { dayPaths } from '../../src/solar/day-path.ts';
import { computeBuilding, kernelOf } from '../../src/sunlight/compute.ts';
import { Engine } from '../../src/sunlight/engine.ts';
import { frameAt, type Scene, SceneBuilder } from '../../src/sunlight/scene.ts';
import { sunCurves } from '../../src/sunlight/sun-curves.ts';
import { buildTree } from '../../src/sunlight/tree.ts';
import { edgeGrid } from '../oracle/edge-grid.ts';
import { oracleSunlight } from '../oracle/oracle.ts';
import { TOKYO } from '../support/scenes.ts';
import { Agreement } from './agreement.ts';

/** One building: prisms (each of rings `[x, y, …]`, metres, the outer one first), base and top. */
interface Solid {
  prisms: number[][][];
  base: number;
  top: number;
}

const SEED = 20260315;
const RUNS = 60;
const STOREYS = 3;
const ENGINE = new Engine();
const FRAME = frameAt(TOKYO.lat, TOKYO.lon);
const PATHS = dayPaths(TOKYO.lat, TOKYO.lon);
const CURVES = sunCurves(PATHS, convergenceDeg(planeOf(FRAME.zone), TOKYO.lat, TOKYO.lon));
/** The place of the sun curves lies here in the plane; scenes are built around it. */
const [X, Y] = [500, 500];

/** A rectangle about its centre, turned; counter-clockwise. */
function rectangle(x: number, y: number, width: number, depth: number, degrees: number): number[] {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const corners = [
    [-width / 2, -depth / 2],
    [width / 2, -depth / 2],
    [width / 2, depth / 2],
    [-width / 2, depth / 2],
  ];
  return corners.flatMap(([u, v]) => [X + x + u! * cos - v! * sin, Y + y + u! * sin + v! * cos]);
}

const metres = (min: number, max: number) => fc.double({ min, max, noNaN: true, noDefaultInfinity: true });
const place = fc.tuple(metres(-120, 120), metres(-120, 120));
const size = fc.tuple(metres(3, 30), metres(3, 30));
const height = metres(2, 60);
const angle = metres(0, 360);

const blocks: Record<string, fc.Arbitrary<Solid[]>> = {
  'random prisms': fc
    .tuple(place, size, angle, height)
    .map(([[x, y], [w, d], a, top]) => [{ prisms: [[rectangle(x, y, w, d, a)]], base: 0, top }]),
  'courtyards and holes': fc
    .tuple(place, metres(12, 40), angle, height)
    .map(([[x, y], w, a, top]) => [
      { prisms: [[rectangle(x, y, w, w, a), rectangle(x, y, w / 2, w / 3, a).reverse()]], base: 0, top },
    ]),
  'touching walls': fc.tuple(place, size, height, height).map(([[x, y], [w, d], one, other]) => [
    { prisms: [[rectangle(x, y, w, d, 0)]], base: 0, top: one },
    { prisms: [[rectangle(x + w, y, w, d, 0)]], base: 0, top: other },
  ]),
  'duplicate walls': fc.tuple(place, size, angle, height).map(([[x, y], [w, d], a, top]) => {
    const solid = { prisms: [[rectangle(x, y, w, d, a)]], base: 0, top };
    return [solid, { ...solid }];
  }),
  'towers at grazing angles': fc
    .tuple(metres(45, 315), metres(600, 4000), metres(20, 80), metres(150, 300))
    .map(([azimuth, far, w, top]) => {
      const [x, y] = [far * Math.sin((azimuth * Math.PI) / 180), far * Math.cos((azimuth * Math.PI) / 180)];
      return [{ prisms: [[rectangle(x, y, w, w, azimuth)]], base: 0, top }];
    }),
  slopes: fc
    .tuple(place, size, angle, height, metres(-20, 40))
    .map(([[x, y], [w, d], a, top, base]) => [{ prisms: [[rectangle(x, y, w, d, a)]], base, top: base + top }]),
  'buildings of two prisms': fc
    .tuple(place, size, height)
    .map(([[x, y], [w, d], top]) => [
      { prisms: [[rectangle(x, y, w, d, 0)], [rectangle(x + w / 2, y + d, w * 2, d, 0)]], base: 0, top },
    ]),
  'buildings around the eye': fc
    .tuple(metres(-8, 8), metres(-8, 8), size, height)
    .map(([x, y, [w, d], top]) => [{ prisms: [[rectangle(x, y, w, d, 20)]], base: 0, top }]),
};

/** The house that is computed: a plain one, one with a courtyard, one of two wings. */
const house = fc.constantFrom<Solid>(
  { prisms: [[rectangle(0, 0, 12, 8, 17)]], base: 0, top: 9 },
  { prisms: [[rectangle(0, 0, 24, 20, 5), rectangle(0, 0, 12, 8, 5).reverse()]], base: 0, top: 12 },
  { prisms: [[rectangle(0, 0, 10, 8, 0)], [rectangle(10, 4, 10, 16, 0)]], base: 0, top: 9 },
);

function sceneOf(solids: readonly Solid[]): Scene {
  const builder = new SceneBuilder(FRAME);
  for (const { prisms, base, top } of solids) builder.addProjected(prisms, base, top);
  return builder.finish();
}

for (const [name, block] of Object.entries(blocks)) {
  test(`the kernel agrees with a ray a minute among ${name} (seed ${SEED})`, (t) => {
    const all = new Agreement();
    const city = fc.array(block, { minLength: 1, maxLength: 5 }).map((solids) => solids.flat());
    fc.assert(
      fc.property(house, city, (first, others) => {
        const scene = sceneOf([first, ...others]);
        const kernel = kernelOf(scene, buildTree(scene), ENGINE);
        const one = new Agreement();
        const believed = oracleSunlight(edgeGrid(scene), 0, STOREYS, PATHS);
        one.add(computeBuilding(kernel, CURVES, 0, STOREYS), believed);
        all.merge(one);
        assert.ok(one.worst <= 5, String(one));
      }),
      { seed: SEED, numRuns: RUNS, endOnFailure: true },
    );
    t.diagnostic(String(all));
    assert.ok(all.equalShare >= 0.99, String(all));
    assert.ok(Math.abs(all.bias) < 0.0005, String(all));
    assert.ok(all.sameFirstShare >= 0.97 && all.sourceOverlap >= 0.9, String(all));
  });
}

test(`bad geometry is repaired or left out, never an error (seed ${SEED})`, () => {
  const odd = fc.oneof(metres(-30, 30), fc.constantFrom(Number.NaN, Infinity, 0, 0, 5));
  const ring = fc.array(odd, { maxLength: 14 }).map((values) => values.slice(0, values.length & ~1));
  const solid = fc.record({
    prisms: fc.array(fc.array(ring, { maxLength: 2 }), { maxLength: 2 }),
    base: odd,
    top: fc.oneof(metres(0, 40), odd),
  });
  fc.assert(
    fc.property(fc.array(solid, { maxLength: 6 }), (solids) => {
      const scene = sceneOf([...solids, { prisms: [[rectangle(-X, -Y, 12, 8, 30)]], base: 0, top: 9 }]);
      const kernel = kernelOf(scene, buildTree(scene), ENGINE);
      for (let building = 0; building < scene.base.length; building++) {
        for (const { sunMinutes, unshadedMinutes } of computeBuilding(kernel, CURVES, building, 2).faces) {
          sunMinutes.forEach((minutes, day) => {
            assert.ok(
              minutes >= 0 && minutes <= unshadedMinutes[day % 12]!,
              `${minutes} of ${unshadedMinutes[day % 12]}`,
            );
          });
        }
      }
    }),
    { seed: SEED, numRuns: 150 },
  );
});
