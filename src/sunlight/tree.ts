import { type Move, touchingClusters } from './moves.ts';
import type { Scene } from './scene.ts';
import { type Boxes, treeOrder } from './tree-order.ts';

/** Bytes of a node, and nodes of a page; `assembly/tree.ts` reads them. */
export const NODE_BYTES = 64;
export const NODES_OF_PAGE = 512;

/** A node of a tree in its page. */
interface Node {
  /** Bounds of its subtree and of its own solid: west, south, east, north, metres from the tree's origin. */
  box: ArrayLike<number>;
  solidBox: ArrayLike<number>;
  /** The highest points of its solid and of its subtree, metres. */
  top: number;
  /** The number of the node after its subtree. */
  after: number;
  /** The building of its solid. */
  building: number;
  /** Start of the rings of its solid, bytes from the node; and their number. */
  ringsStart: number;
  rings: number;
  /** True when its top is a plane, which is stored before its rings, instead of level at `top`. */
  sloped: boolean;
  move: Move;
}

/** Added to the number of rings of a sloped solid. */
const SLOPED = 1 << 24;

/** Writes a node from a byte on, as `assembly/tree.ts` reads it. The four bytes before the move are for the kernel. */
export function setNode(view: DataView, start: number, node: Node): void {
  setBox(view, start, node.box);
  setBox(view, start + 16, node.solidBox);
  view.setFloat64(start + 32, node.top, true);
  view.setUint32(start + 40, node.after, true);
  view.setUint32(start + 44, node.building, true);
  view.setUint32(start + 48, node.ringsStart, true);
  view.setUint32(start + 52, node.rings + (node.sloped ? SLOPED : 0), true);
  view.setUint32(start + 60, node.move, true);
}

/** Writes bounds in single precision, rounded outwards: the sides 0 and 1 are west and south. */
function setBox(view: DataView, start: number, box: ArrayLike<number>): void {
  for (let side = 0; side < 4; side++) {
    view.setFloat32(start + 4 * side, side < 2 ? -floatAbove(-box[side]) : floatAbove(box[side]), true);
  }
}

/** A single precision number that is equal to `value` or a little above it. */
function floatAbove(value: number): number {
  const near = Math.fround(value);
  return near >= value ? near : Math.fround(near + Math.abs(near) * 2 ** -23 + 2 ** -149);
}

/**
 * A tree over everything that shades in a scene, with a node for each solid: a prism, or a roof surface with the space
 * below it.
 *
 * It consists of pages of 512 consecutive nodes with their walls; each page is contiguous, so that the kernel can read
 * it from a file when the walk needs it. A page has its nodes, then the rings of their solids: the number of corners
 * (u32), which of the first 32 walls need not be drawn (u32, one bit each; 0 in a prism), then x, y of each corner
 * (f64). The first corner closes a ring. The plane of a roof surface (h, gx, gy; f64) is before its rings.
 */
export interface TreeHead {
  /** Grid coordinates of the tree's own origin, metres. */
  originX: number;
  originY: number;
  /** Number of nodes, and of buildings: those of its scene, with the same indexes. */
  nodes: number;
  buildings: number;
  /** Bounds of the tree: west, south, east, north, metres from the origin; and its highest top. */
  box: [west: number, south: number, east: number, north: number];
  top: number;
  /** By page: its start, bytes; length pages + 1. */
  pageStart: Uint32Array;
}

/** A tree whose pages can be read one by one. */
export interface TreeSource extends TreeHead {
  /** Writes the bytes of a page to `to`, which has the length of the page. */
  readPage(page: number, to: Uint8Array): void;
}

/** A whole tree. */
export interface Tree extends TreeHead {
  bytes: Uint8Array;
}

/** The pages of a tree in memory. */
export const treeInMemory = (tree: Tree): TreeSource => ({
  ...tree,
  readPage: (page, to) => to.set(tree.bytes.subarray(tree.pageStart[page], tree.pageStart[page + 1])),
});

/**
 * Builds the tree of a scene in O(n log n). A solid without vertices is left out.
 * @param moves the cluster and the error classes of each building. Without it, touching buildings are a cluster, and
 *   all have the first class of position and height
 */
export function buildTree(scene: Scene, { moves = touchingClusters(scene) }: { moves?: ArrayLike<Move> } = {}): Tree {
  const solids = solidsOf(scene);
  const boxes = boxesOf(solids);
  const withVertices = Uint32Array.from(solids.keys()).filter((solid) => boxes[4 * solid] <= boxes[4 * solid + 2]);
  // `items`: the solid of each node; `after`: the number of the node that follows its subtree.
  const { items, after } = treeOrder(withVertices, boxes, (solid) => solids[solid].top);
  const pageStart = pageStarts(solids, items);
  const size = pageStart[pageStart.length - 1];
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  for (let page = 0; page + 1 < pageStart.length; page++) {
    const nodes = items.subarray(page * NODES_OF_PAGE, (page + 1) * NODES_OF_PAGE);
    // The rings follow the nodes of the page.
    let ringsStart = pageStart[page] + nodes.length * NODE_BYTES;
    nodes.forEach((item, index) => {
      const nodeStart = pageStart[page] + index * NODE_BYTES;
      const solid = solids[item];
      if (solid.plane !== null) ringsStart = writePlane(solid.plane, view, ringsStart);
      const box = boxes.subarray(4 * item, 4 * item + 4);
      setNode(view, nodeStart, {
        box,
        // The box of its solid alone: `setSubtrees` widens `box` over the nodes below.
        solidBox: box,
        top: solid.top,
        after: after[page * NODES_OF_PAGE + index],
        building: solid.building,
        ringsStart: ringsStart - nodeStart,
        rings: solid.endRing - solid.firstRing,
        sloped: solid.plane !== null,
        move: moves[solid.building],
      });
      ringsStart = writeRings(solid, view, ringsStart);
    });
  }
  const box = setSubtrees(after, boxes, items, view, pageStart);
  const { originX, originY, base } = scene;
  // The root has the tallest solid.
  const top = items.length === 0 ? -Infinity : solids[items[0]].top;
  return { originX, originY, nodes: items.length, buildings: base.length, box, top, pageStart, bytes };
}

/** The solid of a node: rings of a scene's prisms or of its roofs. */
interface Solid {
  building: number;
  top: number;
  /** The plane of a roof surface; null for a prism. */
  plane: Float64Array | null;
  firstRing: number;
  endRing: number;
  /** The scene or its roofs, which have these rings. */
  source: Pick<Scene, 'ringVertices' | 'xy'> & { hiddenEdges?: Uint32Array };
}

/** The solids that shade: the roof surfaces of each building, or its prisms if it has none. */
function solidsOf(scene: Scene): Solid[] {
  const { buildingPrisms, prismRings, roofs } = scene;
  const solids: Solid[] = [];
  for (let building = 0; building < scene.base.length; building++) {
    const [first, end] = [roofs.buildingSurfaces[building], roofs.buildingSurfaces[building + 1]];
    for (let surface = first; surface < end; surface++) {
      const [firstRing, endRing] = [roofs.surfaceRings[surface], roofs.surfaceRings[surface + 1]];
      const plane = roofs.planes.subarray(3 * surface, 3 * surface + 3);
      // The first ring is the outer one. No hole is higher.
      const top = highestOf(plane, roofs.xy, roofs.ringVertices[firstRing], roofs.ringVertices[firstRing + 1]);
      solids.push({ building, top, plane, firstRing, endRing, source: roofs });
    }
    if (first < end) continue;
    for (let prism = buildingPrisms[building]; prism < buildingPrisms[building + 1]; prism++) {
      const [firstRing, endRing] = [prismRings[prism], prismRings[prism + 1]];
      solids.push({ building, top: scene.top[building], plane: null, firstRing, endRing, source: scene });
    }
  }
  return solids;
}

/**
 * The greatest height of a plane over the corners [first, end): `h` at the origin, rising by `gx` east and `gy` north.
 */
function highestOf(
  [h, gx, gy]: ArrayLike<number> & Iterable<number>,
  xy: Float64Array,
  first: number,
  end: number,
): number {
  let top = -Infinity;
  for (let vertex = first; vertex < end; vertex++) {
    top = Math.max(top, h + gx * xy[2 * vertex] + gy * xy[2 * vertex + 1]);
  }
  return top;
}

/** The bounding box of each solid: west, south, east, north. */
function boxesOf(solids: readonly Solid[]): Boxes {
  const boxes = new Float64Array(4 * solids.length);
  for (const [solid, { source, firstRing, endRing }] of solids.entries()) {
    let west = Infinity;
    let south = Infinity;
    let east = -Infinity;
    let north = -Infinity;
    // The outer ring bounds the solid; its holes are inside.
    const end = firstRing < endRing ? source.ringVertices[firstRing + 1] : 0;
    for (let vertex = source.ringVertices[firstRing]; vertex < end; vertex++) {
      const x = source.xy[2 * vertex];
      const y = source.xy[2 * vertex + 1];
      west = Math.min(west, x);
      south = Math.min(south, y);
      east = Math.max(east, x);
      north = Math.max(north, y);
    }
    boxes.set([west, south, east, north], 4 * solid);
  }
  return boxes;
}

/** Bytes of a plane, of a ring's head, and of one corner. */
export const PLANE_BYTES = 24;
export const RING_BYTES = 8;
export const CORNER_BYTES = 16;

/** The start of each page of the ordered solids, bytes; then the end of the last page. */
function pageStarts(solids: readonly Solid[], items: Uint32Array): Uint32Array {
  const starts = [0];
  let size = 0;
  items.forEach((item, node) => {
    if (node > 0 && node % NODES_OF_PAGE === 0) starts.push(size);
    const { source, firstRing, endRing, plane } = solids[item];
    size += NODE_BYTES + (plane === null ? 0 : PLANE_BYTES);
    for (let ring = firstRing; ring < endRing; ring++) {
      // A ring is stored closed: its first corner again at the end.
      size += RING_BYTES + CORNER_BYTES * (source.ringVertices[ring + 1] - source.ringVertices[ring] + 1);
    }
  });
  if (items.length > 0) starts.push(size);
  return Uint32Array.from(starts);
}

/** Writes a plane from a byte on and returns its end. */
export function writePlane(plane: ArrayLike<number>, view: DataView, start: number): number {
  for (let i = 0; i < 3; i++) view.setFloat64(start + 8 * i, plane[i], true);
  return start + PLANE_BYTES;
}

/**
 * Writes the closed rings of a solid from a byte on and returns their end. A ring is the number of its corners, the bits
 * of its edges that need not be drawn (`Roofs.hiddenEdges`; none for a prism), and x and y of each corner. Its first
 * corner stands again at the end, and is counted.
 */
function writeRings({ source, firstRing, endRing }: Solid, view: DataView, start: number): number {
  let next = start;
  for (let ring = firstRing; ring < endRing; ring++) {
    const first = source.ringVertices[ring];
    const corners = source.ringVertices[ring + 1] - first;
    view.setUint32(next, corners + 1, true);
    view.setUint32(next + 4, source.hiddenEdges?.[ring] ?? 0, true);
    next += RING_BYTES;
    for (let i = 0; i <= corners; i++) {
      const vertex = first + (i % corners);
      view.setFloat64(next, source.xy[2 * vertex], true);
      view.setFloat64(next + 8, source.xy[2 * vertex + 1], true);
      next += CORNER_BYTES;
    }
  }
  return next;
}

/**
 * Sets the bounds of every subtree, from the last node to the first.
 * @param after of each node: the number of the node that follows its subtree
 * @returns the bounds of the whole tree
 */
function setSubtrees(
  after: Uint32Array,
  boxes: Boxes,
  items: Uint32Array,
  view: DataView,
  pageStart: Uint32Array,
): TreeHead['box'] {
  const bounds = new Float64Array(4 * items.length);
  for (let node = items.length - 1; node >= 0; node--) {
    bounds.set(boxes.subarray(4 * items[node], 4 * items[node] + 4), 4 * node);
    // The first child follows its node; the next child follows the subtree of the first.
    for (let child = node + 1; child < after[node]; child = after[child]) {
      for (let side = 0; side < 4; side++) {
        const widen = side < 2 ? Math.min : Math.max;
        bounds[4 * node + side] = widen(bounds[4 * node + side], bounds[4 * child + side]);
      }
    }
    const start = pageStart[Math.floor(node / NODES_OF_PAGE)] + (node % NODES_OF_PAGE) * NODE_BYTES;
    setBox(view, start, bounds.subarray(4 * node, 4 * node + 4));
  }
  const [west = Infinity, south = Infinity, east = -Infinity, north = -Infinity] = bounds.subarray(0, 4);
  return [west, south, east, north];
}
