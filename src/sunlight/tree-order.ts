/**
 * Bounds of things in a plane: west, south, east, north of each in turn, metres.
 */
export type Boxes = Float64Array;

/** Things in the order of a tree's nodes, and the end of each node's subtree. */
interface TreeOrder {
  items: Uint32Array;
  after: Uint32Array;
}

/**
 * The order of a tree in which every node holds one thing, the tallest of its subtree, and shares the others out to at
 * most two children by place: halved (in place) at the median of the longer spread of their centres, again and again.
 * So a subtree is no taller than its node, and a tower makes no neighbour look tall. Nodes come in the order of a walk
 * that goes left first: the left child of a node is the next node, the right child the one after the left subtree. Ties
 * go by number, so that the same things always give the same tree.
 */
export function treeOrder(items: Uint32Array, boxes: Boxes, topOf: (item: number) => number): TreeOrder {
  const after = new Uint32Array(items.length);
  const arrange = (first: number, end: number): void => {
    after[first] = end;
    if (end - first === 1) return;
    let tallest = first;
    for (let i = first + 1; i < end; i++) if (topOf(items[i]) > topOf(items[tallest])) tallest = i;
    [items[first], items[tallest]] = [items[tallest], items[first]];
    const half = (end - first) >> 1;
    halve(items.subarray(first + 1, end), boxes, half);
    const middle = first + 1 + half;
    arrange(first + 1, middle);
    if (middle < end) arrange(middle, end);
  };
  if (items.length > 0) arrange(0, items.length);
  return { items, after };
}

/** Moves the first `count` by place, along the longer spread of their centres, before all others. */
export function halve(items: Uint32Array, boxes: Boxes, count: number): void {
  const centre = (item: number, axis: number): number => boxes[4 * item + axis] + boxes[4 * item + 2 + axis];
  const low = [Infinity, Infinity];
  const high = [-Infinity, -Infinity];
  for (const item of items) {
    for (const axis of [0, 1]) {
      low[axis] = Math.min(low[axis], centre(item, axis));
      high[axis] = Math.max(high[axis], centre(item, axis));
    }
  }
  const axis = high[0] - low[0] >= high[1] - low[1] ? 0 : 1;
  partition(items, count, (a, b) => centre(a, axis) - centre(b, axis) || a - b);
}

/** Moves the `count` items that come first in an order before all others (C. A. R. Hoare's Find). */
function partition(items: Uint32Array, count: number, order: (a: number, b: number) => number): void {
  let low = 0;
  let high = items.length - 1;
  while (low < high) {
    const pivot = items[(low + high) >> 1];
    let i = low;
    let j = high;
    while (i <= j) {
      while (order(items[i], pivot) < 0) i++;
      while (order(items[j], pivot) > 0) j--;
      if (i > j) break;
      [items[i], items[j]] = [items[j], items[i]];
      i++;
      j--;
    }
    if (count <= j) high = j;
    else if (count >= i) low = i;
    else return;
  }
}
