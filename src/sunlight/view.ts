import { NODE_BYTES, setNode, type TreeSource } from './tree.ts';
import { type Boxes, halve } from './tree-order.ts';

/** A tree that is looked at, as far as its buildings are taller than `above`, metres. */
interface ViewPart {
  tree: TreeSource;
  above: number;
}

/**
 * All that can be seen from somewhere: trees in one plane, and a tree over these. A building of it is a number: its
 * index in its tree plus `firstBuilding` of the tree's part.
 */
export interface View {
  /** Grid coordinates of the origin from which positions are counted, metres. */
  originX: number;
  originY: number;
  parts: readonly ViewPart[];
  /** Per part: the number of its first building; length parts + 1. */
  firstBuilding: Uint32Array;
  /** The tree over the parts: nodes as `setNode` writes them, without rings; a leaf's building is its part, counted from 1. */
  upper: Uint8Array;
}

/** A view of parts whose trees all lie in the plane of one zone, from an origin there. */
export function viewOf(originX: number, originY: number, parts: readonly ViewPart[]): View {
  const firstBuilding = new Uint32Array(parts.length + 1);
  for (const [i, { tree }] of parts.entries()) firstBuilding[i + 1] = firstBuilding[i] + tree.buildings;
  return { originX, originY, parts, firstBuilding, upper: upperTree(originX, originY, parts) };
}

/** The part (from 0) and the building's index there of a building of the view. */
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

/** A binary tree whose leaves are the parts, halved by place; the tops are the highest of each subtree. */
function upperTree(originX: number, originY: number, parts: readonly ViewPart[]): Uint8Array {
  const boxes: Boxes = new Float64Array(4 * parts.length);
  for (const [i, { tree }] of parts.entries()) {
    const [dx, dy] = [tree.originX - originX, tree.originY - originY];
    boxes.set([tree.box[0] + dx, tree.box[1] + dy, tree.box[2] + dx, tree.box[3] + dy], 4 * i);
  }
  const standing = Uint32Array.from(parts.keys()).filter((i) => parts[i].tree.top > parts[i].above);
  const bytes = new Uint8Array(NODE_BYTES * Math.max(1, 2 * standing.length - 1));
  const view = new DataView(bytes.buffer);
  let node = 0;
  const write = (at: number, { box, top }: Bounds, building: number): void =>
    setNode(view, at, { box, prismBox: box, top, after: node, building, walls: 0, rings: 0 });
  const arrange = (items: Uint32Array): Bounds => {
    const at = NODE_BYTES * node++;
    const [first] = items;
    if (items.length === 1) {
      const leaf = { box: boxes.subarray(4 * first, 4 * first + 4), top: parts[first].tree.top };
      write(at, leaf, first + 1);
      return leaf;
    }
    const half = items.length >> 1;
    halve(items, boxes, half);
    const both = unionOf(arrange(items.subarray(0, half)), arrange(items.subarray(half)));
    write(at, both, 0);
    return both;
  };
  if (standing.length > 0) arrange(standing);
  else write(NODE_BYTES * node++, { box: [0, 0, 0, 0], top: -Infinity }, 0);
  return bytes;
}

/** What a node bounds: west, south, east, north, and the highest top. */
interface Bounds {
  box: ArrayLike<number>;
  top: number;
}

function unionOf({ box: a, top }: Bounds, { box: b, top: otherTop }: Bounds): Bounds {
  const box = [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])];
  return { box, top: Math.max(top, otherTop) };
}
