import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GroundHeights } from '../../src/city/ground-heights.ts';
import { receptorsUnderGround } from '../../src/city/under-ground.ts';
import { gridSquareBounds } from '../../src/geo/grid-square.ts';
import { meshOf } from '../../src/terrain/mesh.ts';
import { nearFacets } from '../../src/terrain/near.ts';
import { sharedData, skipWithout } from '../support/shared-data.ts';
import { amongHills, HILLS, hills, OKAYAMA } from './hills.ts';

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
