import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { convergenceDeg, planeOf, toDegrees } from '../../src/geo/plane.ts';
import { faceOfAzimuth, makeReceptors, placeReceptors, receptorsForLength } from '../../src/sunlight/receptors.ts';
import { floorsOf } from '../../src/sunlight/result.ts';
import { frameAt, SceneBuilder } from '../../src/sunlight/scene.ts';
import { box, sceneOf } from '../support/scenes.ts';
import { byTheRule } from './receptor-rule.ts';

test('floors: first, middle and top, seen 1.5 m above the floor or at half a low storey', () => {
  assert.deepEqual(floorsOf(1, 3), [
    { floor: 1, heightM: 1.5 },
    { floor: 1, heightM: 1.5 },
    { floor: 1, heightM: 1.5 },
  ]);
  assert.deepEqual(floorsOf(10, 30), [
    { floor: 1, heightM: 1.5 },
    { floor: 5, heightM: 13.5 },
    { floor: 10, heightM: 28.5 },
  ]);
  // 2 m storeys: the middle of 5 is the third, at 4 m + 1 m.
  assert.deepEqual(floorsOf(5, 10), [
    { floor: 1, heightM: 1 },
    { floor: 3, heightM: 5 },
    { floor: 5, heightM: 9 },
  ]);
});

test('one receptor for every five metres begun, from one to eight', () => {
  assert.deepEqual([0.1, 5, 5.01, 10, 20, 20.01, 35.01, 40, 400].map(receptorsForLength), [1, 1, 2, 2, 4, 5, 8, 8, 8]);
});

test('faces are sectors of 45° around the eight directions', () => {
  assert.deepEqual([0, 22.4, 22.5, 90, 180, 337.4, 337.5, 359.9].map(faceOfAzimuth), [0, 0, 1, 2, 4, 7, 0, 0]);
});

const receptorsOf = (scene: Parameters<typeof placeReceptors>[0], building = 0) => {
  const receptors = makeReceptors();
  placeReceptors(scene, building, receptors);
  return receptors;
};

test('faces go by true north, not by the grid', () => {
  // 2.1° of longitude east of zone 12's meridian true north lies 1.5° left of the grid's.
  const place = { lat: 43.5, lon: 144.3 };
  const scene = sceneOf([box(0, 0, 30, 12, 9)], place);
  const receptors = receptorsOf(scene);
  const zone = planeOf(scene.zone);
  assert.ok(Math.abs(receptors.convergenceDeg - convergenceDeg(zone, place.lat, place.lon)) < 1e-3);
  for (const face of [0, 2, 4, 6]) {
    const azimuth = receptors.azimuthDeg[face]!;
    assert.ok(Math.abs(((azimuth - face * 45 + 180) % 360) - 180) < 1e-3, `face ${face} looks to ${azimuth}`);
  }
  assert.deepEqual([...receptors.faceStart], [0, 6, 6, 9, 9, 15, 15, 18, 18]);
});

test('receptors stand where the rule puts them, whatever way the published rings run', () => {
  /** A star around a point: simple, with walls of all directions. */
  const star = (x: number, y: number, scale: number) =>
    fc
      .tuple(fc.array(fc.double({ min: 3, max: 20, noNaN: true }), { minLength: 3, maxLength: 12 }), fc.boolean())
      .map(([radii, turnRight]) => {
        const points = radii.map((r, i) => {
          const angle = ((turnRight ? -1 : 1) * 2 * Math.PI * i) / radii.length + 0.1;
          return [x + scale * r * Math.cos(angle), y + scale * r * Math.sin(angle)];
        });
        return points.flat();
      });
  const footprint = (x: number) => fc.tuple(star(x, 0, 2), fc.option(star(x, 0, 0.1), { nil: null }));
  fc.assert(
    fc.property(footprint(0), fc.option(footprint(200), { nil: null }), (first, second) => {
      const rings = ([outer, hole]: [number[], number[] | null]): number[][] => (hole ? [outer, hole] : [outer]);
      const footprints = second ? [rings(first), rings(second)] : [rings(first)];
      const builder = new SceneBuilder(frameAt(35.7, 139.7));
      const { repairs } = builder.addProjected(footprints, 0, 10);
      // A hole may cut through its star's waist; such a footprint is not the matter here.
      fc.pre(repairs.length === 0);
      const receptors = receptorsOf(builder.finish());
      const expected = byTheRule(footprints, receptors.convergenceDeg);
      assert.equal(receptors.count, expected.length);
      expected.forEach(({ face, x, y }, i) => {
        assert.equal(receptors.face[i], face);
        const apart = Math.hypot(receptors.x[i]! - x, receptors.y[i]! - y);
        assert.ok(apart < 1e-6, `receptor ${i} is ${apart} m from where the rule puts it`);
      });
    }),
    { numRuns: 500, seed: 61 },
  );
});

test('every receptor stands 5 cm in front of its wall', () => {
  const scene = sceneOf([box(0, 0, 30, 12, 9), box(50, 7, 11, 6, 4)]);
  for (const building of [0, 1]) {
    const receptors = receptorsOf(scene, building);
    for (let i = 0; i < receptors.count; i++) {
      const a = receptors.edge[i]!;
      const away =
        (receptors.x[i]! - scene.xy[2 * a]!) * receptors.normalX[i]! +
        (receptors.y[i]! - scene.xy[2 * a + 1]!) * receptors.normalY[i]!;
      assert.ok(Math.abs(away - 0.05) < 1e-9);
    }
  }
});

test('a building with more walls than any before gets its receptors too', () => {
  const round = Array.from({ length: 900 }, (_, i): [number, number] => {
    const angle = (2 * Math.PI * i) / 900;
    return [60 * Math.cos(angle), 60 * Math.sin(angle)];
  });
  const receptors = receptorsOf(sceneOf([{ rings: [round], base: 0, top: 9 }]));
  assert.equal(receptors.count, 64);
  assert.deepEqual([...receptors.faceStart], [0, 8, 16, 24, 32, 40, 48, 56, 64]);
});

test('buildings are numbered as they are added; what cannot stand is left out and said so', () => {
  const builder = new SceneBuilder(frameAt(35.7, 139.7));
  const square = [[0, 0, 10, 0, 10, 10, 0, 10]];
  assert.deepEqual(builder.addProjected([square], 0, 10), { building: 0, repairs: [] });
  assert.deepEqual(builder.addProjected([square], 5, 5), { building: null, repairs: [{ kind: 'no_height' }] });
  assert.deepEqual(builder.addProjected([square], 0, Number.NaN), { building: null, repairs: [{ kind: 'no_height' }] });
  assert.deepEqual(builder.addProjected([square, [[0, 0, 1, 0]]], 1, 2), {
    building: 1,
    repairs: [{ kind: 'no_area', ring: 0, count: 1, footprint: 1 }],
  });
  assert.deepEqual(builder.addProjected([[[0, 0, 1, 0]]], 1, 2).building, null);
  const scene = builder.finish();
  assert.deepEqual([...scene.base, ...scene.top], [0, 1, 10, 2]);
  assert.deepEqual([...scene.buildingPrisms, ...scene.prismRings, ...scene.ringVertices], [0, 1, 2, 0, 1, 2, 0, 4, 8]);
});

test('degrees become metres from the frame’s origin, and lead back', () => {
  const frame = frameAt(35.7, 139.7);
  const builder = new SceneBuilder(frame);
  const ring = [35.7, 139.7, 35.7, 139.7002, 35.7002, 139.7002];
  builder.add([{ rings: [ring] }], 0, 3);
  const { xy } = builder.finish();
  const back: [number, number] = [0, 0];
  for (let i = 0; i < 6; i += 2) {
    toDegrees(planeOf(frame.zone), frame.originX + xy[i]!, frame.originY + xy[i + 1]!, back);
    assert.ok(Math.abs(back[0] - ring[i]!) < 1e-10 && Math.abs(back[1] - ring[i + 1]!) < 1e-10);
  }
});
