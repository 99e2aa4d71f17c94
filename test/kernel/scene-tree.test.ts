import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Scene } from '../../src/sunlight/scene.ts';
import { buildSceneTree, type SceneTree, sceneTreeBytes } from '../../src/sunlight/scene-tree.ts';
import { box, sceneOf } from '../support/scenes.ts';

/** 400 houses in rows, of all sorts of heights; some share a height. */
const scene = sceneOf(
  Array.from({ length: 400 }, (_, i) =>
    box(15 * (i % 20), 18 * Math.floor(i / 20), 10, 8 + (i % 3), 3 + ((i * 37) % 50)),
  ),
);
const tree = buildSceneTree(scene);

test('every prism stands in one node', () => {
  assert.deepEqual(
    [...tree.building].sort((a, b) => a - b),
    [...scene.base.keys()],
  );
});

test('a subtree is no taller and no wider than its node says', () => {
  for (let node = 0; node < tree.after.length; node++) {
    for (let below = node; below < tree.after[node]!; below++) {
      assert.ok(tree.top[below]! <= tree.top[node]!);
      for (let ring = tree.nodeRings[below]!; ring < tree.nodeRings[below + 1]!; ring++) {
        for (let corner = tree.ringCorners[ring]!; corner < tree.ringCorners[ring + 1]!; corner++) {
          const [x, y] = [tree.corners[2 * corner]!, tree.corners[2 * corner + 1]!];
          const [west, south, east, north] = tree.box.subarray(4 * node, 4 * node + 4);
          assert.ok(x >= west! && x <= east! && y >= south! && y <= north!);
        }
      }
    }
  }
});

test('every ring is there, closed by its first corner', () => {
  assert.equal(tree.corners.length / 2, scene.xy.length / 2 + scene.ringVertices.length - 1);
  for (let ring = 0; ring + 1 < tree.ringCorners.length; ring++) {
    const [first, last] = [tree.ringCorners[ring]!, tree.ringCorners[ring + 1]! - 1];
    assert.deepEqual(tree.corners.slice(2 * first, 2 * first + 2), tree.corners.slice(2 * last, 2 * last + 2));
  }
});

test('the tree may lie on shared memory, and is the same there', () => {
  const shared = buildSceneTree(scene, (bytes) => new SharedArrayBuffer(bytes));
  for (const name of Object.keys(tree) as (keyof SceneTree)[]) {
    assert.ok(shared[name].buffer instanceof SharedArrayBuffer || shared[name].length === 0, name);
    assert.deepEqual([...shared[name]], [...tree[name]], name);
  }
});

test('scene and tree take less than 300 bytes a wall', () => {
  const arrays = Object.values(scene as unknown as Record<string, ArrayLike<number> | number>);
  const bytes = arrays.reduce((sum: number, part) => sum + (ArrayBuffer.isView(part) ? part.byteLength : 0), 0);
  assert.ok((bytes + sceneTreeBytes(tree)) / (scene.xy.length / 2) < 300);
});

test('an empty scene has an empty tree', () => {
  const none: Scene = sceneOf([]);
  assert.equal(buildSceneTree(none).after.length, 0);
});
