import type { Scene } from './scene.ts';

/** Bounds of things in a plane: west, south, east, north of each, metres. */
export type Boxes = Float64Array;

/** Things in the order of a tree's nodes, and for each node the number of the node after its subtree. */
interface TreeOrder {
  items: Uint32Array;
  after: Uint32Array;
}

/**
 * The order of a tree in which every node has one thing, the tallest of its subtree. The other things go to at most two
 * children: they are halved at the median of the longer spread of their centres. So a subtree is no taller than its
 * node, and a tower does not make its neighbours look tall.
 *
 * Nodes are in the order of a walk that goes left first: the left child of a node is the next node, the right child is
 * the one after the left subtree. Ties go by number, so the same things always give the same tree.
 * @param items numbers of the things; they are reordered in place
 */
export function treeOrder(items: Uint32Array, boxes: Boxes, topOf: (item: number) => number): TreeOrder {
  const arrange = (first: number, end: number): void => {
    if (end - first === 1) return;
    let tallest = first;
    for (let i = first + 1; i < end; i++) if (topOf(items[i]) > topOf(items[tallest])) tallest = i;
    [items[first], items[tallest]] = [items[tallest], items[first]];
    const leftNodes = (end - first) >> 1;
    halve(items.subarray(first + 1, end), boxes, leftNodes);
    const right = first + 1 + leftNodes;
    arrange(first + 1, right);
    if (right < end) arrange(right, end);
  };
  if (items.length > 0) arrange(0, items.length);
  return { items, after: subtreeEnds(items.length) };
}

/**
 * For each node of a tree that `treeOrder` made, the number of the node after its subtree. It depends only on the
 * number of nodes.
 */
export function subtreeEnds(nodes: number): Uint32Array {
  const after = new Uint32Array(nodes);
  const arrange = (first: number, end: number): void => {
    after[first] = end;
    if (end - first === 1) return;
    // The left child has half of the other nodes, rounded up. The right child has the rest, if there is any.
    const leftNodes = (end - first) >> 1;
    const right = first + 1 + leftNodes;
    arrange(first + 1, right);
    if (right < end) arrange(right, end);
  };
  if (nodes > 0) arrange(0, nodes);
  return after;
}

/**
 * Moves the westernmost `count` things before all others; the southernmost where their centres spread wider from south
 * to north than from west to east.
 */
export function halve(items: Uint32Array, boxes: Boxes, count: number): void {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < items.length; i++) {
    const [x, y] = [centre(boxes, items[i], 0), centre(boxes, items[i], 1)];
    west = Math.min(west, x);
    east = Math.max(east, x);
    south = Math.min(south, y);
    north = Math.max(north, y);
  }
  partition(items, count, boxes, east - west >= north - south ? 0 : 1);
}

/** Twice the middle of a box along an axis (0: x). */
const centre = (boxes: Boxes, item: number, axis: number): number =>
  boxes[4 * item + axis] + boxes[4 * item + 2 + axis];

/** True when a thing comes before another along an axis; ties go by number. */
function isBefore(boxes: Boxes, axis: number, a: number, b: number): boolean {
  const distance = centre(boxes, a, axis) - centre(boxes, b, axis);
  return distance < 0 || (distance === 0 && a < b);
}

/** Moves the `count` items that come first along an axis before all others (C. A. R. Hoare's Find). */
function partition(items: Uint32Array, count: number, boxes: Boxes, axis: number): void {
  let low = 0;
  let high = items.length - 1;
  while (low < high) {
    const pivot = items[(low + high) >> 1];
    let i = low;
    let j = high;
    while (i <= j) {
      while (isBefore(boxes, axis, items[i], pivot)) i++;
      while (isBefore(boxes, axis, pivot, items[j])) j--;
      if (i > j) break;
      const moved = items[i];
      items[i++] = items[j];
      items[j--] = moved;
    }
    // No item up to j comes after the pivot, none from i on before it. The search goes on in the range in which `count`
    // lies. Between the two, the items are in order.
    if (count <= j) high = j;
    else if (count >= i) low = i;
    else return;
  }
}

/** Side of a cell of the Morton order, metres. */
const CELL_M = 4;

/**
 * The buildings of a scene in Morton order, in which most follow a neighbour, so that the kernel's pages for one
 * building serve the next. Ties go by number.
 */
export function inMortonOrder({ buildingPrisms, prismRings, ringVertices, xy, base }: Scene): Uint32Array {
  /** By building: its first vertex. */
  const vertices = Array.from(base, (_, building) => ringVertices[prismRings[buildingPrisms[building]]]);
  const least = (axis: number): number =>
    vertices.reduce((low, vertex) => Math.min(low, xy[2 * vertex + axis]), Infinity);
  const [west, south] = [least(0), least(1)];
  const spreadCell = (metres: number): number => spread(Math.min(0xffff, metres / CELL_M));
  const codes = vertices.map(
    (vertex) => spreadCell(xy[2 * vertex] - west) + 2 * spreadCell(xy[2 * vertex + 1] - south),
  );
  return Uint32Array.from(codes.keys()).sort((a, b) => codes[a] - codes[b] || a - b);
}

/** The lowest 16 bits of a number, with an empty bit after each. */
function spread(number: number): number {
  let bits = number & 0xffff;
  bits = (bits | (bits << 8)) & 0x00ff00ff;
  bits = (bits | (bits << 4)) & 0x0f0f0f0f;
  bits = (bits | (bits << 2)) & 0x33333333;
  return (bits | (bits << 1)) & 0x55555555;
}
