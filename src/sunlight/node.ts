/** A node of a tree as it lies in its page; `assembly/tree.ts` reads it. */

/** Bytes of a node, and nodes of a page. */
export const NODE_BYTES = 64;
export const NODES_OF_PAGE = 512;

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
export function setBox(view: DataView, at: number, box: ArrayLike<number>): void {
  for (let side = 0; side < 4; side++) {
    view.setFloat32(at + 4 * side, side < 2 ? -floatAbove(-box[side]) : floatAbove(box[side]), true);
  }
}

/** A single precision number that is not below `value`, and hardly above it. */
function floatAbove(value: number): number {
  const near = Math.fround(value);
  return near >= value ? near : Math.fround(near + Math.abs(near) * 2 ** -23 + 2 ** -149);
}
