import type { Scene } from './scene.ts';
import { type Boxes, treeOrder } from './tree-order.ts';

/** Bytes of a node, and nodes of a page; `assembly/tree.ts` reads them. */
export const NODE_BYTES = 64;
export const NODES_OF_PAGE = 512;

/** A node of a tree as it lies in its page. */
interface Node {
  /** Bounds of its subtree and of its own prism: west, south, east, north, metres from the tree's origin. */
  box: ArrayLike<number>;
  prismBox: ArrayLike<number>;
  /** Top of its prism, the tallest of its subtree, metres. */
  top: number;
  /** The number of the node after its subtree. */
  after: number;
  /** The building of its prism. */
  building: number;
  /** Where the rings of its prism begin, bytes from the node; and how many there are. */
  walls: number;
  rings: number;
}

/** Writes a node. What is behind its rings is room for the kernel. */
export function setNode(view: DataView, at: number, node: Node): void {
  setBox(view, at, node.box);
  setBox(view, at + 16, node.prismBox);
  view.setFloat64(at + 32, node.top, true);
  view.setUint32(at + 40, node.after, true);
  view.setUint32(at + 44, node.building, true);
  view.setUint32(at + 48, node.walls, true);
  view.setUint32(at + 52, node.rings, true);
}

/** Writes bounds in single precision, rounded outwards. */
function setBox(view: DataView, at: number, box: ArrayLike<number>): void {
  for (let side = 0; side < 4; side++) {
    view.setFloat32(at + 4 * side, side < 2 ? -floatAbove(-box[side]) : floatAbove(box[side]), true);
  }
}

/** A single precision number that is not below `value`, and hardly above it. */
function floatAbove(value: number): number {
  const near = Math.fround(value);
  return near >= value ? near : Math.fround(near + Math.abs(near) * 2 ** -23 + 2 ** -149);
}

/**
 * A tree over the prisms of a scene: what the kernel walks. It lies in pages of 512 consecutive nodes with their walls,
 * each page contiguous, so that it can be read from a file as the walk meets it.
 *
 * A page is its nodes and behind them the rings of their prisms in turn: the number of corners (u32, and
 * as much room), then x, y of each corner (f64). A ring is closed by its first corner.
 */
export interface TreeHead {
  /** Grid coordinates of the tree's own origin, metres. */
  originX: number;
  originY: number;
  /** Number of nodes, and of buildings: those of its scene, by their index there. */
  nodes: number;
  buildings: number;
  /** Bounds of all: west, south, east, north, metres from the origin; the highest top. */
  box: [west: number, south: number, east: number, north: number];
  top: number;
  /** Per page: where it begins, bytes; length pages + 1. */
  pageStart: Uint32Array;
}

/** A tree whose pages can be read one by one, wherever they lie. */
export interface TreeSource extends TreeHead {
  /** Writes the bytes of a page to `to`, which is as long as the page. */
  readPage(page: number, to: Uint8Array): void;
}

/** A whole tree. */
export interface Tree extends TreeHead {
  bytes: Uint8Array;
}

/** The pages of a tree that lies in memory. */
export const treeInMemory = (tree: Tree): TreeSource => ({
  ...tree,
  readPage: (page, to) => to.set(tree.bytes.subarray(tree.pageStart[page], tree.pageStart[page + 1])),
});

/** Builds the tree of a scene in O(n log n), on shared memory if asked. A prism without vertices is left out. */
export function buildTree(scene: Scene, { shared = false } = {}): Tree {
  const prismCount = scene.prismRings.length - 1;
  const owners = prismOwners(scene, prismCount);
  const boxes = prismBoxes(scene, prismCount);
  const standing = Uint32Array.from({ length: prismCount }, (_, prism) => prism).filter(
    (prism) => boxes[4 * prism] <= boxes[4 * prism + 2],
  );
  const order = treeOrder(standing, boxes, (prism) => scene.top[owners[prism]]);
  const prisms = order.items;
  const pageStart = pagesOf(scene, prisms);
  const size = pageStart[pageStart.length - 1];
  const bytes = new Uint8Array(shared ? new SharedArrayBuffer(size) : new ArrayBuffer(size));
  const view = new DataView(bytes.buffer);
  for (let page = 0; page + 1 < pageStart.length; page++) {
    const nodes = prisms.subarray(page * NODES_OF_PAGE, (page + 1) * NODES_OF_PAGE);
    let walls = pageStart[page] + nodes.length * NODE_BYTES;
    nodes.forEach((prism, index) => {
      const at = pageStart[page] + index * NODE_BYTES;
      const node = page * NODES_OF_PAGE + index;
      const building = owners[prism];
      const rings = scene.prismRings[prism + 1] - scene.prismRings[prism];
      const own = boxes.subarray(4 * prism, 4 * prism + 4);
      const after = order.after[node];
      setNode(view, at, {
        box: own,
        prismBox: own,
        top: scene.top[building],
        after,
        building,
        walls: walls - at,
        rings,
      });
      walls = writeRings(scene, prism, view, walls);
    });
  }
  const box = setSubtrees(order.after, boxes, prisms, view, pageStart);
  const { originX, originY, base } = scene;
  const top = prisms.length === 0 ? -Infinity : scene.top[owners[prisms[0]]];
  return { originX, originY, nodes: prisms.length, buildings: base.length, box, top, pageStart, bytes };
}

function prismOwners(scene: Scene, prismCount: number): Uint32Array {
  const owners = new Uint32Array(prismCount);
  for (let building = 0; building < scene.base.length; building++) {
    owners.fill(building, scene.buildingPrisms[building], scene.buildingPrisms[building + 1]);
  }
  return owners;
}

function prismBoxes(scene: Scene, prismCount: number): Boxes {
  const boxes = new Float64Array(4 * prismCount);
  for (let prism = 0; prism < prismCount; prism++) {
    let west = Infinity;
    let south = Infinity;
    let east = -Infinity;
    let north = -Infinity;
    // The outer ring bounds the prism; its holes lie inside.
    const ring = scene.prismRings[prism];
    const end = ring < scene.prismRings[prism + 1] ? scene.ringVertices[ring + 1] : 0;
    for (let vertex = scene.ringVertices[ring]; vertex < end; vertex++) {
      const x = scene.xy[2 * vertex];
      const y = scene.xy[2 * vertex + 1];
      west = Math.min(west, x);
      south = Math.min(south, y);
      east = Math.max(east, x);
      north = Math.max(north, y);
    }
    boxes.set([west, south, east, north], 4 * prism);
  }
  return boxes;
}

/** Bytes of a ring's count, and of one corner. */
const RING_BYTES = 8;
const CORNER_BYTES = 16;

/** Where each page of so ordered prisms begins. */
function pagesOf(scene: Scene, prisms: Uint32Array): Uint32Array {
  const starts = [0];
  let size = 0;
  prisms.forEach((prism, node) => {
    if (node > 0 && node % NODES_OF_PAGE === 0) starts.push(size);
    size += NODE_BYTES;
    for (let ring = scene.prismRings[prism]; ring < scene.prismRings[prism + 1]; ring++) {
      size += RING_BYTES + CORNER_BYTES * (scene.ringVertices[ring + 1] - scene.ringVertices[ring] + 1);
    }
  });
  if (size > 0) starts.push(size);
  return Uint32Array.from(starts);
}

/** Writes the rings of a prism, each closed, from `at` on; gives where they end. */
function writeRings(scene: Scene, prism: number, view: DataView, at: number): number {
  let next = at;
  for (let ring = scene.prismRings[prism]; ring < scene.prismRings[prism + 1]; ring++) {
    const first = scene.ringVertices[ring];
    const corners = scene.ringVertices[ring + 1] - first;
    view.setUint32(next, corners + 1, true);
    next += RING_BYTES;
    for (let i = 0; i <= corners; i++) {
      const vertex = first + (i % corners);
      view.setFloat64(next, scene.xy[2 * vertex], true);
      view.setFloat64(next + 8, scene.xy[2 * vertex + 1], true);
      next += CORNER_BYTES;
    }
  }
  return next;
}

/** Sets, from the last node to the first, the bounds of every subtree; gives those of the whole. */
function setSubtrees(
  after: Uint32Array,
  boxes: Boxes,
  prisms: Uint32Array,
  view: DataView,
  pageStart: Uint32Array,
): TreeHead['box'] {
  const bounds = new Float64Array(4 * prisms.length);
  for (let node = prisms.length - 1; node >= 0; node--) {
    bounds.set(boxes.subarray(4 * prisms[node], 4 * prisms[node] + 4), 4 * node);
    for (let child = node + 1; child < after[node]; child = after[child]) {
      for (let side = 0; side < 4; side++) {
        const one = bounds[4 * node + side];
        const other = bounds[4 * child + side];
        bounds[4 * node + side] = side < 2 ? Math.min(one, other) : Math.max(one, other);
      }
    }
    const at = pageStart[Math.floor(node / NODES_OF_PAGE)] + (node % NODES_OF_PAGE) * NODE_BYTES;
    setBox(view, at, bounds.subarray(4 * node, 4 * node + 4));
  }
  const [west = Infinity, south = Infinity, east = -Infinity, north = -Infinity] = bounds.subarray(0, 4);
  return [west, south, east, north];
}
