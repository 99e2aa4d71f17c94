import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTree, NODE_BYTES, NODES_OF_PAGE, type Tree, treeInMemory } from '../../src/sunlight/tree.ts';
import { inMortonOrder } from '../../src/sunlight/tree-order.ts';
import { box, pageOf, sceneOf } from '../support/scenes.ts';

/** 1,400 houses in rows, of all sorts of heights; some share a height. */
const scene = sceneOf(
  Array.from({ length: 1400 }, (_, i) =>
    box(15 * (i % 40), 18 * Math.floor(i / 40), 10, 8 + (i % 3), 3 + ((i * 37) % 50)),
  ),
);
const tree = buildTree(scene);

/** A node as it lies in its page, and the corners of its rings. */
function nodeOf(of: Tree, number: number) {
  const page = pageOf(treeInMemory(of), Math.floor(number / NODES_OF_PAGE));
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength);
  const at = (number % NODES_OF_PAGE) * NODE_BYTES;
  const rings: number[][] = [];
  let ring = at + view.getUint32(at + 48, true);
  for (let i = 0; i < view.getUint32(at + 52, true); i++) {
    const corners = view.getUint32(ring, true);
    rings.push(Array.from({ length: 2 * corners }, (_, value) => view.getFloat64(ring + 8 + 8 * value, true)));
    ring += 8 + 16 * corners;
  }
  return {
    box: [0, 4, 8, 12].map((side) => view.getFloat32(at + side, true)),
    top: view.getFloat64(at + 32, true),
    after: view.getUint32(at + 40, true),
    building: view.getUint32(at + 44, true),
    rings,
  };
}
const nodes = Array.from({ length: tree.nodes }, (_, number) => nodeOf(tree, number));

test('every prism stands in one node, with its walls and its height', () => {
  assert.deepEqual(
    nodes.map(({ building }) => building).sort((a, b) => a - b),
    [...scene.base.keys()],
  );
  for (const { building, rings, top } of nodes) {
    const walls = [...scene.xy.subarray(8 * building, 8 * building + 8)];
    assert.deepEqual(rings, [[...walls, ...walls.slice(0, 2)]]);
    assert.equal(top, scene.top[building]);
  }
});

test('a subtree is no taller and no wider than its node says', () => {
  nodes.forEach(({ box: [west, south, east, north], top, after }, number) => {
    for (const below of nodes.slice(number, after)) {
      assert.ok(below.top <= top);
      for (let i = 0; i < below.rings[0]!.length; i += 2) {
        const [x, y] = [below.rings[0]![i]!, below.rings[0]![i + 1]!];
        assert.ok(x >= west! && x <= east! && y >= south! && y <= north!);
      }
    }
  });
});

test('pages hold 512 nodes, follow each other and end with the last; the head bounds them all', () => {
  assert.equal(tree.pageStart.length - 1, Math.ceil(1400 / NODES_OF_PAGE));
  assert.equal(tree.pageStart.at(-1), tree.bytes.length);
  assert.ok(Math.abs(tree.box[0] - nodes[0]!.box[0]!) < 0.001);
  assert.equal(tree.top, Math.max(...scene.top));
  assert.equal(tree.buildings, 1400);
});

test('the same scene always gives the same bytes', () => {
  assert.deepEqual([...buildTree(scene).bytes], [...tree.bytes]);
});

test('scene and tree take less than 300 bytes a wall', () => {
  const arrays = Object.values(scene as unknown as Record<string, ArrayLike<number> | number>);
  const bytes = arrays.reduce((sum: number, part) => sum + (ArrayBuffer.isView(part) ? part.byteLength : 0), 0);
  assert.ok((bytes + tree.bytes.length) / (scene.xy.length / 2) < 300);
});

test('an empty scene has an empty tree', () => {
  const none = buildTree(sceneOf([]));
  assert.equal(none.nodes, 0);
  assert.deepEqual([...none.pageStart], [0]);
});

test('in the order of place every building comes once, and most after a neighbour', () => {
  const order = [...inMortonOrder(scene)];
  assert.deepEqual(
    order.toSorted((a, b) => a - b),
    [...scene.base.keys()],
  );
  const far = order.filter((building, i) => {
    const [x, y] = [0, 1].map((axis) =>
      Math.abs(scene.xy[8 * building + axis]! - scene.xy[8 * (order[i - 1] ?? 0) + axis]!),
    );
    return Math.hypot(x!, y!) > 40;
  });
  assert.ok(far.length < scene.base.length / 5, `${far.length} come from over 40 m`);
});
