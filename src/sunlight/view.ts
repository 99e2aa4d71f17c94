import { FIXED } from './moves.ts';
import { NODE_BYTES, setNode, type TreeSource } from './tree.ts';
import { type Boxes, halve } from './tree-order.ts';

/** A tree of a view. */
export interface ViewPart {
  tree: TreeSource;
  /** Only its buildings whose top is higher than this count, metres. */
  above: number;
}

/**
 * Everything that eyes may see: trees in one plane, and a tree over these. A building of the view is a number: its
 * index in its tree plus `firstBuilding` of the tree's part. Trees of the ground come last (see `terrainOf`).
 */
export interface View {
  /** Grid coordinates of the view's origin, metres. */
  originX: number;
  originY: number;
  parts: readonly ViewPart[];
  /** By part: the number of its first building; length parts + 1. */
  firstBuilding: Uint32Array;
  /**
   * The tree over the parts: nodes as `setNode` writes them, without rings. A leaf's building is its part, counted from
   * 1.
   */
  upperNodes: Uint8Array;
}

/** A view of parts whose trees are all in the plane of one zone, with an origin there. */
export function viewOf(originX: number, originY: number, parts: readonly ViewPart[]): View {
  const firstBuilding = new Uint32Array(parts.length + 1);
  for (const [i, { tree }] of parts.entries()) firstBuilding[i + 1] = firstBuilding[i] + tree.buildings;
  return { originX, originY, parts, firstBuilding, upperNodes: upperTree(originX, originY, parts) };
}

/**
 * The number of the ground in a view. It comes after all buildings, because only the trees of the ground have no
 * buildings.
 */
export const terrainOf = ({ firstBuilding }: View): number => firstBuilding[firstBuilding.length - 1];

/** The part (from 0) of a building of the view, and its index in that part. */
export function whereInView({ firstBuilding }: View, building: number): { part: number; index: number } {
  let low = 0;
  let high = firstBuilding.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (firstBuilding[middle] <= building) low = middle;
    else high = middle;
  }
  return { part: low, index: building - firstBuilding[low] };
}

/** Number of values that bound a part or a node: west, south, east, north, and the highest top. */
const BOUNDS = 5;

/** A node over parts has no solid of its own. */
const NO_SOLID = { ringsStart: 0, rings: 0, sloped: false, move: FIXED };

/** Stands for the building of a node over parts whose second child is always visited last. */
const IN_ORDER = 1;
/** A tree of the ground that is wider than this is far terrain, metres. */
const WIDE_M = 10_000;

/**
 * The rank of a part in the order of visits: 0 buildings, 1 near terrain, 2 far terrain. Buildings hide most of the
 * ground. The box of the ground contains the eye, so by distance it would be visited first.
 */
function visitRank({ tree: { buildings, box } }: ViewPart): 0 | 1 | 2 {
  if (buildings > 0) return 0;
  return Math.max(box[2] - box[0], box[3] - box[1]) > WIDE_M ? 2 : 1;
}

/**
 * Orders parts so that those of the first child of a node come before those of the second. Parts of the
 * highest `visitRank`, which are visited last, become the second child. If all have one rank, they are halved by place.
 * @returns where the second child begins, and whether it must always be visited last
 */
function splitParts(
  items: Uint32Array,
  parts: readonly ViewPart[],
  boxes: Boxes,
): { middle: number; isInOrder: boolean } {
  const lastRank = items.reduce((most, item) => Math.max(most, visitRank(parts[item])), 0);
  const lastItems = items.filter((item) => visitRank(parts[item]) === lastRank);
  const earlierItems = items.filter((item) => visitRank(parts[item]) < lastRank);
  if (earlierItems.length === 0) {
    const middle = items.length >> 1;
    halve(items, boxes, middle);
    return { middle, isInOrder: false };
  }
  items.set(earlierItems);
  items.set(lastItems, earlierItems.length);
  return { middle: earlierItems.length, isInOrder: true };
}

/**
 * A binary tree whose leaves are the parts of a view that are high enough to count, halved by place. The top of a node
 * is the highest of its subtree. Parts that must be visited later (`visitRank`) are in later subtrees.
 */
function upperTree(originX: number, originY: number, parts: readonly ViewPart[]): Uint8Array {
  const boxes: Boxes = new Float64Array(4 * parts.length);
  /** The parts that are high enough to count. */
  const highParts = new Uint32Array(parts.length);
  let count = 0;
  for (const [i, { tree, above }] of parts.entries()) {
    const [dx, dy] = [tree.originX - originX, tree.originY - originY];
    for (let side = 0; side < 4; side++) boxes[4 * i + side] = tree.box[side] + (side % 2 === 0 ? dx : dy);
    if (tree.top > above) highParts[count++] = i;
  }
  const nodes = Math.max(1, 2 * count - 1);
  const bytes = new Uint8Array(NODE_BYTES * nodes);
  const view = new DataView(bytes.buffer);
  const bounds = new Float64Array(BOUNDS * nodes);
  let nodeCount = 0;
  /** Writes a node over some parts with the nodes below it, and returns its number. */
  const arrange = (items: Uint32Array): number => {
    const node = nodeCount++;
    const box = bounds.subarray(BOUNDS * node, BOUNDS * (node + 1));
    let building = 0;
    if (items.length > 1) {
      const { middle, isInOrder } = splitParts(items, parts, boxes);
      // An inner node has no building: there it tells the kernel which child to visit first.
      if (isInOrder) building = IN_ORDER;
      const [left, right] = [arrange(items.subarray(0, middle)), arrange(items.subarray(middle))];
      setUnion(box, bounds, BOUNDS * left, BOUNDS * right);
    } else {
      for (let side = 0; side < 4; side++) box[side] = boxes[4 * items[0] + side];
      box[4] = parts[items[0]].tree.top;
      // A leaf has its part, counted from 1, in place of a building.
      building = items[0] + 1;
    }
    // All nodes below are written, so the next number is that after the subtree.
    const after = nodeCount;
    setNode(view, NODE_BYTES * node, { box, solidBox: box, top: box[4], after, building, ...NO_SOLID });
    return node;
  };
  const box = new Float64Array(4);
  if (count > 0) arrange(highParts.subarray(0, count));
  else setNode(view, 0, { box, solidBox: box, top: -Infinity, after: 1, building: 0, ...NO_SOLID });
  return bytes;
}

/** Sets bounds (west, south, east, north, top) to the union of two others, which begin at `a` and `b` of a list. */
function setUnion(to: Float64Array, bounds: Float64Array, a: number, b: number): void {
  for (let i = 0; i < BOUNDS; i++) {
    const isLowerBound = i < 2;
    to[i] = isLowerBound ? Math.min(bounds[a + i], bounds[b + i]) : Math.max(bounds[a + i], bounds[b + i]);
  }
}
