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
  const arrange = (items: Uint32Array): void => {
    const at = NODE_BYTES * node++;
    const box = items.length === 0 ? [0, 0, 0, 0] : unionOf(items, boxes);
    const top = items.reduce((highest, i) => Math.max(highest, parts[i].tree.top), -Infinity);
    if (items.length > 1) {
      const half = items.length >> 1;
      halve(items, boxes, half);
      arrange(items.subarray(0, half));
      arrange(items.subarray(half));
    }
    const building = items.length === 1 ? items[0] + 1 : 0;
    setNode(view, at, { box, prismBox: box, top, after: node, building, walls: 0, rings: 0 });
  };
  arrange(standing);
  return bytes;
}

function unionOf(items: Uint32Array, boxes: Boxes): number[] {
  const box = [Infinity, Infinity, -Infinity, -Infinity];
  for (const item of items) {
    for (let side = 0; side < 4; side++) {
      const bound = boxes[4 * item + side];
      box[side] = side < 2 ? Math.min(box[side], bound) : Math.max(box[side], bound);
    }
  }
  return box;
}
