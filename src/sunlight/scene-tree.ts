import type { Scene } from './scene.ts';

/**
 * A tree over the prisms of a scene: what the skyline kernel walks. Typed arrays only, so that it can lie on
 * shared memory beside its scene and be handed to a worker as it is; nothing is written after it is made.
 *
 * Nodes are stored in the order of a walk that goes left first: the left child of an inner node is the next node,
 * `link` names its right child. The walls are a copy of the scene's rings in the order of the leaves, each ring
 * closed by its first vertex, so that a walk reads memory forwards.
 */
export interface SceneTree {
  /** Per node: west, south, east, north, rounded outwards. */
  box: Float32Array;
  /** Per node: the tallest top below it, rounded up. */
  tallest: Float32Array;
  /** Per node: the right child of an inner node, the first slot of a leaf. */
  link: Uint32Array;
  /** Per node: 0 for an inner node, the number of prisms of a leaf. */
  leafPrisms: Uint8Array;
  /** Per slot (prism in tree order): its first ring; length prisms + 1. */
  slotRings: Uint32Array;
  /** Per slot: the building it belongs to. */
  slotBuilding: Uint32Array;
  /** Per slot: its top, metres: the same number as the scene's. */
  slotTop: Float64Array;
  /** Per ring in tree order: its first corner; length rings + 1. */
  ringCorners: Uint32Array;
  /** x, y of each corner; a wall is named by its first corner, and runs to the next. */
  corners: Float64Array;
  /** Per corner: the slot of its prism. */
  cornerSlot: Uint32Array;
}

/** Prisms in a leaf: few, because a test of a box costs less than the walls of a prism. */
const LEAF_PRISMS = 2;

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
  const order = Uint32Array.from({ length: prismCount }, (_, prism) => prism).filter(
    (prism) => boxes[4 * prism]! <= boxes[4 * prism + 2]!,
  );
  const nodes = splitNodes(order, boxes, (prism) => scene.top[owners[prism]!]!);

  let ringCount = 0;
  let cornerCount = 0;
  for (const prism of order) {
    for (let ring = scene.prismRings[prism]!; ring < scene.prismRings[prism + 1]!; ring++) {
      ringCount++;
      cornerCount += scene.ringVertices[ring + 1]! - scene.ringVertices[ring]! + 1;
    }
  }

  const nodeCount = nodes.link.length;
  const tree: SceneTree = {
    box: new Float32Array(allocate(16 * nodeCount)),
    tallest: new Float32Array(allocate(4 * nodeCount)),
    link: new Uint32Array(allocate(4 * nodeCount)),
    leafPrisms: new Uint8Array(allocate(nodeCount)),
    slotRings: new Uint32Array(allocate(4 * (order.length + 1))),
    slotBuilding: new Uint32Array(allocate(4 * order.length)),
    slotTop: new Float64Array(allocate(8 * order.length)),
    ringCorners: new Uint32Array(allocate(4 * (ringCount + 1))),
    corners: new Float64Array(allocate(16 * cornerCount)),
    cornerSlot: new Uint32Array(allocate(4 * cornerCount)),
  };
  tree.box.set(nodes.box);
  tree.tallest.set(nodes.tallest);
  tree.link.set(nodes.link);
  tree.leafPrisms.set(nodes.leafPrisms);
  copyWalls(scene, order, owners, tree);
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

interface Nodes {
  box: number[];
  tallest: number[];
  link: number[];
  leafPrisms: number[];
}

/** Halves `order` (in place) at the median of the longer side of its centres, again and again. */
function splitNodes(order: Uint32Array, boxes: PrismBoxes, topOf: (prism: number) => number): Nodes {
  const nodes: Nodes = { box: [], tallest: [], link: [], leafPrisms: [] };
  const centre = (prism: number, axis: number): number => boxes[4 * prism + axis]! + boxes[4 * prism + 2 + axis]!;

  const split = (first: number, end: number): void => {
    const node = nodes.link.length;
    const bounds = [Infinity, Infinity, -Infinity, -Infinity];
    const spread = [Infinity, Infinity, -Infinity, -Infinity];
    let tallest = -Infinity;
    for (let i = first; i < end; i++) {
      const prism = order[i]!;
      tallest = Math.max(tallest, topOf(prism));
      for (const axis of [0, 1]) {
        bounds[axis] = Math.min(bounds[axis]!, boxes[4 * prism + axis]!);
        bounds[2 + axis] = Math.max(bounds[2 + axis]!, boxes[4 * prism + 2 + axis]!);
        spread[axis] = Math.min(spread[axis]!, centre(prism, axis));
        spread[2 + axis] = Math.max(spread[2 + axis]!, centre(prism, axis));
      }
    }
    nodes.box.push(floatBelow(bounds[0]!), floatBelow(bounds[1]!), floatAbove(bounds[2]!), floatAbove(bounds[3]!));
    nodes.tallest.push(floatAbove(tallest));
    nodes.link.push(first);
    nodes.leafPrisms.push(end - first <= LEAF_PRISMS ? end - first : 0);
    if (end - first <= LEAF_PRISMS) return;
    const axis = spread[2]! - spread[0]! >= spread[3]! - spread[1]! ? 0 : 1;
    // Ties go by prism, so that the same scene always gives the same tree.
    order.subarray(first, end).sort((a, b) => centre(a, axis) - centre(b, axis) || a - b);
    const middle = (first + end) >> 1;
    split(first, middle);
    nodes.link[node] = nodes.link.length;
    split(middle, end);
  };
  if (order.length > 0) split(0, order.length);
  return nodes;
}

function copyWalls(scene: Scene, order: Uint32Array, owners: Uint32Array, tree: SceneTree): void {
  let nextRing = 0;
  let corner = 0;
  order.forEach((prism, slot) => {
    tree.slotRings[slot] = nextRing;
    tree.slotBuilding[slot] = owners[prism]!;
    tree.slotTop[slot] = scene.top[owners[prism]!]!;
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
    tree.cornerSlot.fill(slot, from, corner);
  });
  tree.slotRings[order.length] = nextRing;
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
