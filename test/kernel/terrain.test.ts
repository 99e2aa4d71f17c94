import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GroundHeights, receptorsUnderGround } from '../../src/city/ground-heights.ts';
import { squareFrame } from '../../src/city/scene-store.ts';
import { terrainTree } from '../../src/city/terrain-file.ts';
import { gridSquareBounds, gridSquareCentre } from '../../src/geo/grid-square.ts';
import { convergenceDeg, planeOf, toPlane } from '../../src/geo/plane.ts';
import { zoneOf } from '../../src/geo/zones.ts';
import { dayPaths, sunAt } from '../../src/solar/day-path.ts';
import { Engine } from '../../src/sunlight/engine.ts';
import { computePoint } from '../../src/sunlight/point.ts';
import { sunCurves } from '../../src/sunlight/sun-curves.ts';
import { viewOf } from '../../src/sunlight/view.ts';
import { Elevation } from '../../src/terrain/elevation.ts';
import { FarTerrain } from '../../src/terrain/far.ts';
import { meshOf } from '../../src/terrain/mesh.ts';
import { nearFacets } from '../../src/terrain/near.ts';
import { sharedData, skipWithout } from '../support/shared-data.ts';
import { amongHills, asFile, HILLS, hills, OKAYAMA } from './hills.ts';

test('the kernel agrees with a ray a minute among hills', { skip: skipWithout(OKAYAMA) }, (t) => {
  const all = amongHills(hills(sharedData(OKAYAMA)!), HILLS, 12);
  t.diagnostic(String(all));
  assert.ok(all.equalShare >= 0.99, String(all));
  assert.ok(all.worst <= 1, String(all));
});

test('a mesh lies within its tolerance of every height, covers the grid once and has no cracks', () => {
  const cells = 32;
  const side = cells + 1;
  const heights = Float64Array.from({ length: side * side }, (_, i) => {
    const [x, y] = [i % side, Math.floor(i / side)];
    return 8 * Math.sin(x / 5) * Math.cos(y / 7) + (x > 20 ? 3 : 0);
  });
  // Finer in one corner.
  const tolerances = heights.map((_, i) => (i % side < 8 && i < 8 * side ? 0.1 : 0.5));
  const corners = meshOf({ cells, heights, tolerances });
  let area = 0;
  const edges = new Map<string, number>();
  for (let t = 0; t < corners.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((i) => corners[t + i]!);
    const [ax, ay, bx, by, cx, cy] = [a!, b!, c!].flatMap((v) => [v % side, Math.floor(v / side)]);
    const twice = (bx! - ax!) * (cy! - ay!) - (cx! - ax!) * (by! - ay!);
    assert.ok(twice > 0, 'counter-clockwise');
    area += twice / 2;
    for (const [p, q] of [
      [a, b],
      [b, c],
      [c, a],
    ])
      edges.set(`${p} ${q}`, (edges.get(`${p} ${q}`) ?? 0) + 1);
    for (let y = Math.min(ay!, by!, cy!); y <= Math.max(ay!, by!, cy!); y++) {
      for (let x = Math.min(ax!, bx!, cx!); x <= Math.max(ax!, bx!, cx!); x++) {
        const u = ((bx! - ax!) * (y - ay!) - (x - ax!) * (by! - ay!)) / twice;
        const v = ((x - ax!) * (cy! - ay!) - (cx! - ax!) * (y - ay!)) / twice;
        if (u < 0 || v < 0 || u + v > 1) continue;
        const height = heights[a!]! + v * (heights[b!]! - heights[a!]!) + u * (heights[c!]! - heights[a!]!);
        assert.ok(Math.abs(height - heights[y * side + x]!) <= tolerances[y * side + x]! + 1e-9);
      }
    }
  }
  assert.equal(area, cells * cells);
  const isOnBorder = (v: number): boolean => [0, cells].includes(v % side) || [0, cells].includes(Math.floor(v / side));
  for (const [edge, count] of edges) {
    const [p, q] = edge.split(' ').map(Number);
    assert.equal(count, 1, edge);
    assert.ok(edges.has(`${q} ${p}`) || (isOnBorder(p!) && isOnBorder(q!)), `crack at ${edge}`);
  }
});

test('a ridge 40 km away hides the sun as its height, the curvature of the Earth and refraction tell', () => {
  const square = '53394611';
  const { lat, lon } = gridSquareCentre(square);
  const zone = zoneOf(lat, lon);
  const [lonM, metres] = [111_320 * Math.cos((lat * Math.PI) / 180), { away: 40_000, high: 1500 }];
  // It runs from north to south and falls by a tenth to both sides; the cells of 200 m are finer than the mesh.
  const [columns, rows] = [700, 500];
  const box = { west: lon - 0.9, east: lon + 0.4, south: lat - 0.6, north: lat + 0.6 };
  const heights = Float32Array.from({ length: columns * rows }, (_, i) => {
    const east = (box.west + (((i % columns) + 0.5) / columns) * 1.3 - lon) * lonM;
    return Math.max(0, metres.high - 0.1 * Math.abs(east + metres.away));
  });
  const elevation = new Elevation([{ ...box, columns, rows, heights, spacing: 200 }]);
  const facets = new FarTerrain(elevation).horizonOf({ square, zone, lowestM: 0, highestM: 30 })!;
  const frame = squareFrame(square, zone);
  const tree = terrainTree(asFile(facets), frame);
  const view = viewOf(frame.originX, frame.originY, [{ tree, above: -Infinity }]);
  const plane = planeOf(zone);
  const at: [number, number] = [0, 0];
  toPlane(plane, lat, lon, at);
  const convergence = convergenceDeg(plane, lat, lon);
  const paths = dayPaths(lat, lon);
  const place = [at[0] - frame.originX, at[1] - frame.originY] as const;
  const engine = new Engine();
  for (const z of [2, 25]) {
    const { windows } = computePoint(engine, view, sunCurves(paths, convergence), [...place, z], convergence);
    for (const [month, path] of paths.entries()) {
      // The ray that leaves at an azimuth meets the ridge at away / −sin(azimuth).
      const spare = (minute: number): number => {
        const { azimuthDeg, altitudeDeg } = sunAt(path, minute);
        const distance = metres.away / -Math.sin((azimuthDeg * Math.PI) / 180);
        const drop = (distance ** 2 * (1 - 0.13)) / (2 * 6_371_000);
        return Math.tan((altitudeDeg * Math.PI) / 180) - (metres.high - drop - z) / distance;
      };
      let set = 13 * 60;
      while (spare(set) > 0) set += 0.1;
      const end = windows[month]!.at(-1)!;
      assert.ok(Math.abs(end - set) <= 1, `month ${month + 1} at ${z} m: ${end}, by the formula ${set.toFixed(1)}`);
      // The ridge takes minutes of the evening, so the comparison is about it and not about the horizon.
      assert.ok(path.sunset - end > 5, `${path.sunset} ${end}`);
    }
  }
});

test('receptors below the ground are counted', () => {
  const { south, west } = gridSquareBounds(HILLS);
  const ring = [0, 0, 0, 1, 1, 1, 1, 0].map((side, i) => (i % 2 === 0 ? south : west) + 0.004 + 1e-4 * side);
  const house = {
    footprints: [{ rings: [Float64Array.from(ring)] }],
    baseM: 10,
    topM: 16,
    storeys: 2,
    usageCode: null,
  };
  const countAt = (groundM: number): number => {
    const heights = new Float64Array(257 ** 2).fill(groundM);
    const ground = { cells: 256, heights, tolerances: heights.map(() => 0.5) };
    return receptorsUnderGround(HILLS, [house], new GroundHeights(nearFacets(HILLS, ground)));
  };
  assert.equal(countAt(10), 0);
  const first = countAt(12.5);
  assert.ok(first > 0);
  // All three floors of each column.
  assert.ok(countAt(16) > first);
});
