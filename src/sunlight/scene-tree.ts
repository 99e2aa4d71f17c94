import type { Scene } from './scene.ts';

/**
 * A tree over the prisms of a scene: what the skyline kernel walks. Typed arrays only, so that it can lie on
 * shared memory beside its scene and be handed to a worker as it is; nothing is written after it is made.
 *
 * Every node holds one prism, the tallest of its subtree, and shares the others out to at most two children by place.
 * So a subtree is no taller than its node, and a tower makes no neighbour look tall. Nodes are stored in the order of a
 * walk that goes left first: the left child of a node is the next node, the right child the one after the left subtree.
 * The walls are a copy of the scene's rings in the order of the nodes, each ring closed by its first vertex, so that a
 * walk reads memory forwards.
 */
export interface SceneTree {
  /** Per node: bounds of its subtree: west, south, east, north, rounded outwards. */
  box: Float32Array;
  /** Per node: bounds of its own prism, likewise. */
  prismBox: Float32Array;
  /** Per node: the top of its prism, metres: the same number as the scene's. */
  top: Float64Array;
  /** Per node: the node after its subtree. */
  after: Uint32Array;
  /** Per node: the building that its prism belongs to. */
  building: Uint32Array;
  /** Per node: the first ring of its prism; length nodes + 1. */
  nodeRings: Uint32Array;
  /** Per ring in tree order: its first corner; length rings + 1. */
  ringCorners: Uint32Array;
  /** x, y of each corner; a wall is named by its first corner, and runs to the next. */
  corners: Float64Array;
  /** Per corner: the node of its prism. */
  cornerNode: Uint32Array;
}

/** The bounds of the prisms of a scene while the tree is made: west, south, east, north of each. */
type PrismBoxes = Float64Array;

/**
 * Builds the tree of a scene in O(n log n). `allocate` gives the memory of each array: pass one that makes
 * `SharedArrayBuffer`s to share the tree between threads. A prism without vertices is left out.
 */
export function buildSceneTree(
  scene: Scene,
  allocate: (bytes: number) => ArrayBufferLike = (bytes) => new ArrayBuffer(bytes),
): SceneTree {
  const prismCount = scene.prismRings.length - 1;
  const owners = prismOwners(scene, prismCount);
  const boxes = prismBoxes(scene, prismCount);
  const standing = Uint32Array.from({ length: prismCount }, (_, prism) => prism).filter(
    (prism) => boxes[4 * prism]! <= boxes[4 * prism + 2]!,
  );
  const order = treeOrder(standing, boxes, (prism) => scene.top[owners[prism]!]!);

  let ringCount = 0;
  let cornerCount = 0;
  for (const prism of standing) {
    for (let ring = scene.prismRings[prism]!; ring < scene.prismRings[prism + 1]!; ring++) {
      ringCount++;
      cornerCount += scene.ringVertices[ring + 1]! - scene.ringVertices[ring]! + 1;
    }
  }

  const nodeCount = standing.length;
  const tree: SceneTree = {
    box: new Float32Array(allocate(16 * nodeCount)),
    prismBox: new Float32Array(allocate(16 * nodeCount)),
    top: new Float64Array(allocate(8 * nodeCount)),
    after: new Uint32Array(allocate(4 * nodeCount)),
    building: new Uint32Array(allocate(4 * nodeCount)),
    nodeRings: new Uint32Array(allocate(4 * (nodeCount + 1))),
    ringCorners: new Uint32Array(allocate(4 * (ringCount + 1))),
    corners: new Float64Array(allocate(16 * cornerCount)),
    cornerNode: new Uint32Array(allocate(4 * cornerCount)),
  };
  tree.after.set(order.after);
  order.prisms.forEach((prism, node) => {
    tree.top[node] = scene.top[owners[prism]!]!;
    tree.building[node] = owners[prism]!;
  });
  setBoxes(tree, order.prisms, boxes);
  copyWalls(scene, order.prisms, tree);
  return tree;
}

/** Bytes that a tree holds. */
export function sceneTreeBytes(tree: SceneTree): number {
  return Object.values(tree).reduce((sum, array: ArrayBufferView) => sum + array.byteLength, 0);
}

function prismOwners(scene: Scene, prismCount: number): Uint32Array {
  const owners = new Uint32Array(prismCount);
  for (let building = 0; building < scene.base.length; building++) {
    owners.fill(building, scene.buildingPrisms[building], scene.buildingPrisms[building + 1]);
  }
  return owners;
}

function prismBoxes(scene: Scene, prismCount: number): PrismBoxes {
  const boxes = new Float64Array(4 * prismCount);
  for (let prism = 0; prism < prismCount; prism++) {
    let west = Infinity;
    let south = Infinity;
    let east = -Infinity;
    let north = -Infinity;
    // The outer ring bounds the prism; its holes lie inside.
    const ring = scene.prismRings[prism]!;
    const end = ring < scene.prismRings[prism + 1]! ? scene.ringVertices[ring + 1]! : 0;
    for (let vertex = scene.ringVertices[ring]!; vertex < end; vertex++) {
      const x = scene.xy[2 * vertex]!;
      const y = scene.xy[2 * vertex + 1]!;
      west = Math.min(west, x);
      south = Math.min(south, y);
      east = Math.max(east, x);
      north = Math.max(north, y);
    }
    boxes.set([west, south, east, north], 4 * prism);
  }
  return boxes;
}

/** The prisms in the order of the nodes, and the end of each node's subtree. */
interface TreeOrder {
  prisms: Uint32Array;
  after: Uint32Array;
}

/**
 * Takes the tallest prism out for the node and halves the others (in place) at the median of the longer spread of
 * their centres, again and again. Ties go by prism, so that the same scene always gives the same tree.
 */
function treeOrder(prisms: Uint32Array, boxes: PrismBoxes, topOf: (prism: number) => number): TreeOrder {
  const after = new Uint32Array(prisms.length);
  const centre = (prism: number, axis: number): number => boxes[4 * prism + axis]! + boxes[4 * prism + 2 + axis]!;

  const arrange = (first: number, end: number): void => {
    after[first] = end;
    if (end - first === 1) return;
    let tallest = first;
    for (let i = first + 1; i < end; i++) if (topOf(prisms[i]!) > topOf(prisms[tallest]!)) tallest = i;
    [prisms[first], prisms[tallest]] = [prisms[tallest]!, prisms[first]!];
    const rest = prisms.subarray(first + 1, end);
    const low = [Infinity, Infinity];
    const high = [-Infinity, -Infinity];
    for (const prism of rest) {
      for (const axis of [0, 1]) {
        low[axis] = Math.min(low[axis]!, centre(prism, axis));
        high[axis] = Math.max(high[axis]!, centre(prism, axis));
      }
    }
    const axis = high[0]! - low[0]! >= high[1]! - low[1]! ? 0 : 1;
    const half = (end - first) >> 1;
    partition(rest, half, (a, b) => centre(a, axis) - centre(b, axis) || a - b);
    const middle = first + 1 + half;
    arrange(first + 1, middle);
    if (middle < end) arrange(middle, end);
  };
  if (prisms.length > 0) arrange(0, prisms.length);
  return { prisms, after };
}

/** Moves the `count` items that come first in an order before all others (C. A. R. Hoare's Find). */
function partition(items: Uint32Array, count: number, order: (a: number, b: number) => number): void {
  let low = 0;
  let high = items.length - 1;
  while (low < high) {
    const pivot = items[(low + high) >> 1]!;
    let i = low;
    let j = high;
    while (i <= j) {
      while (order(items[i]!, pivot) < 0) i++;
      while (order(items[j]!, pivot) > 0) j--;
      if (i > j) break;
      [items[i], items[j]] = [items[j]!, items[i]!];
      i++;
      j--;
    }
    if (count <= j) high = j;
    else if (count >= i) low = i;
    else return;
  }
}

/** Sets the bounds of every prism and, from the last node to the first, of every subtree. */
function setBoxes({ box, prismBox, after }: SceneTree, prisms: Uint32Array, boxes: PrismBoxes): void {
  for (let node = prisms.length - 1; node >= 0; node--) {
    const at = 4 * node;
    for (let side = 0; side < 4; side++) {
      const bound = boxes[4 * prisms[node]! + side]!;
      prismBox[at + side] = side < 2 ? floatBelow(bound) : floatAbove(bound);
      box[at + side] = prismBox[at + side]!;
    }
    for (let child = node + 1; child < after[node]!; child = after[child]!) {
      for (let side = 0; side < 4; side++) {
        const bound = box[4 * child + side]!;
        box[at + side] = side < 2 ? Math.min(box[at + side]!, bound) : Math.max(box[at + side]!, bound);
      }
    }
  }
}

function copyWalls(scene: Scene, prisms: Uint32Array, tree: SceneTree): void {
  let nextRing = 0;
  let corner = 0;
  prisms.forEach((prism, node) => {
    tree.nodeRings[node] = nextRing;
    const from = corner;
    for (let ring = scene.prismRings[prism]!; ring < scene.prismRings[prism + 1]!; ring++) {
      const first = scene.ringVertices[ring]!;
      const end = scene.ringVertices[ring + 1]!;
      tree.ringCorners[nextRing++] = corner;
      tree.corners.set(scene.xy.subarray(2 * first, 2 * end), 2 * corner);
      corner += end - first;
      tree.corners.set(scene.xy.subarray(2 * first, 2 * first + 2), 2 * corner);
      corner++;
    }
    tree.cornerNode.fill(node, from, corner);
  });
  tree.nodeRings[prisms.length] = nextRing;
  tree.ringCorners[nextRing] = corner;
}

const float = new Float32Array(1);
const floatBits = new Int32Array(float.buffer);

/** The nearest float32 that is not above `value`. */
function floatBelow(value: number): number {
  return -floatAbove(-value);
}

/** The nearest float32 that is not below `value`. */
function floatAbove(value: number): number {
  float[0] = value;
  if (float[0]! >= value) return float[0]!;
  floatBits[0]! += float[0]! >= 0 ? 1 : -1;
  return float[0]!;
}
