import { readFileSync } from 'node:fs';
import { decodeColumns, encodeColumns } from '../formats/column-file.ts';
import { LastUsed } from '../formats/last-used.ts';
import { planeOf, toPlane } from '../geo/plane.ts';
import { FIXED } from '../sunlight/moves.ts';
import type { SceneFrame } from '../sunlight/scene.ts';
import {
  CORNER_BYTES,
  NODE_BYTES,
  NODES_OF_PAGE,
  PLANE_BYTES,
  RING_BYTES,
  setNode,
  type TreeSource,
  writePlane,
} from '../sunlight/tree.ts';
import { subtreeEnds, treeOrder } from '../sunlight/tree-order.ts';
import { type Facets, gradientOf, latitudeOf, longitudeOf } from '../terrain/facets.ts';

/** The members of facets that are single numbers. */
type FacetsMeta = Pick<Facets, 'perSquare' | 'row' | 'column' | 'lowM' | 'stepM'>;

/** The kind of a file of facets among column files. */
const KIND = 'terrain';

/** The bytes of a file of facets, in the order of a tree, so that it can be read as one. */
export function encodeTerrain({ x, y, z, hidden, ...meta }: Facets): Uint8Array {
  // `hidden` has one entry for each triangle: its edges that need not be drawn.
  const triangles = hidden.length;
  const boxes = new Float64Array(4 * triangles);
  for (let triangle = 0; triangle < triangles; triangle++) {
    // The first of its three corners, and the first of the four numbers of its box: west, south, east, north.
    const [corner, box] = [3 * triangle, 4 * triangle];
    boxes[box] = Math.min(x[corner], x[corner + 1], x[corner + 2]);
    boxes[box + 1] = Math.min(y[corner], y[corner + 1], y[corner + 2]);
    boxes[box + 2] = Math.max(x[corner], x[corner + 1], x[corner + 2]);
    boxes[box + 3] = Math.max(y[corner], y[corner + 1], y[corner + 2]);
  }
  const topOf = (triangle: number): number => Math.max(z[3 * triangle], z[3 * triangle + 1], z[3 * triangle + 2]);
  const { items } = treeOrder(
    Uint32Array.from({ length: triangles }, (_, i) => i),
    boxes,
    topOf,
  );
  // The corners of all triangles (three for each), in the order of the tree.
  const ordered = (list: Uint16Array): Uint16Array => {
    const to = new Uint16Array(list.length);
    for (let i = 0; i < items.length; i++) to.set(list.subarray(3 * items[i], 3 * items[i] + 3), 3 * i);
    return to;
  };
  const columns = {
    x: ordered(x),
    y: ordered(y),
    z: ordered(z),
    hidden: Uint8Array.from(items, (item) => hidden[item]),
  };
  return encodeColumns<FacetsMeta>(KIND, { meta, columns }, 'zstd');
}

/**
 * The facets of a file.
 * @param name of the file, for messages
 * @param isChecked true: the caller has checked the bytes, so their checksums are not compared again
 * @throws ColumnFileError when it is damaged
 */
export function decodeTerrain(bytes: Uint8Array, name: string, { isChecked = false } = {}): Facets {
  const { meta, columns } = decodeColumns<FacetsMeta>(KIND, bytes, name, { isChecked });
  const { x, y, z, hidden } = columns as unknown as Pick<Facets, 'x' | 'y' | 'z' | 'hidden'>;
  return { ...meta, x, y, z, hidden };
}

/** Corners of the ring of a triangle, which ends with its first corner. */
const RING_CORNERS = 4;
/** Bytes of a triangle in a page: its node, its plane, and its one ring. */
const TRIANGLE_BYTES = NODE_BYTES + PLANE_BYTES + RING_BYTES + RING_CORNERS * CORNER_BYTES;

/**
 * The tree over facets of a file, in a frame. The facets are in the order of the tree: each node has one triangle, which
 * is the highest of its subtree. Pages are made when they are read. A page has its nodes first, then for each node the
 * plane and the ring of its triangle.
 */
export function terrainTree(facets: Facets, { zone, originX, originY }: SceneFrame): TreeSource {
  // `hidden` has one entry for each triangle, so one for each node.
  const nodes = facets.hidden.length;
  const xy = inPlane(facets, zone, originX, originY);
  // For each node, the first node after its subtree.
  const after = subtreeEnds(nodes);
  const boxes = subtreeBoxes(xy, after);
  const pages = Math.ceil(nodes / NODES_OF_PAGE);
  const pageStart = Uint32Array.from(
    { length: pages + 1 },
    (_, page) => Math.min(nodes, page * NODES_OF_PAGE) * TRIANGLE_BYTES,
  );
  const height = (corner: number): number => facets.lowM + facets.stepM * facets.z[corner];
  // The top of a node's triangle is that of its subtree.
  const topOf = (node: number): number => Math.max(height(3 * node), height(3 * node + 1), height(3 * node + 2));
  const readPage = (page: number, to: Uint8Array): void => {
    const view = new DataView(to.buffer, to.byteOffset, to.byteLength);
    const firstNode = page * NODES_OF_PAGE;
    const count = Math.min(nodes - firstNode, NODES_OF_PAGE);
    for (let i = 0; i < count; i++) {
      const node = firstNode + i;
      const nodeStart = i * NODE_BYTES;
      const nodesEnd = count * NODE_BYTES;
      const planeStart = nodesEnd + i * (TRIANGLE_BYTES - NODE_BYTES);
      const ringStart = planeStart + PLANE_BYTES;
      setNode(view, nodeStart, {
        // Of the triangles in its subtree, and of its own triangle.
        box: boxes.subarray(4 * node, 4 * node + 4),
        solidBox: boxOf(xy, node),
        top: topOf(node),
        after: after[node],
        // The ground is no building and is never moved.
        building: 0,
        move: FIXED,
        ringsStart: ringStart - nodeStart,
        rings: 1,
        sloped: true,
      });
      writePlane(planeThrough(xy, node, height), view, planeStart);
      writeTriangle(view, ringStart, xy, node, facets.hidden[node]);
    }
  };
  const [west = Infinity, south = Infinity, east = -Infinity, north = -Infinity] = boxes.subarray(0, 4);
  const top = nodes === 0 ? -Infinity : topOf(0);
  return { originX, originY, nodes, buildings: 0, box: [west, south, east, north], top, pageStart, readPage };
}

/**
 * Writes the ring of a triangle: the number of corners, which edges are hidden (a bit each), then x and y of each
 * corner, with the first again at the end.
 * @param start of the ring, bytes
 * @param xy x and y of the three corners of each triangle
 * @param triangle its number in `xy`
 */
function writeTriangle(view: DataView, start: number, xy: Float64Array, triangle: number, hidden: number): void {
  view.setUint32(start, RING_CORNERS, true);
  view.setUint32(start + 4, hidden, true);
  for (let corner = 0; corner < RING_CORNERS; corner++) {
    const from = 6 * triangle + 2 * (corner % 3);
    const to = start + RING_BYTES + CORNER_BYTES * corner;
    view.setFloat64(to, xy[from], true);
    view.setFloat64(to + 8, xy[from + 1], true);
  }
}

/** x, y of all corners, metres from the origin. */
function inPlane(facets: Facets, zone: number, originX: number, originY: number): Float64Array {
  const { x, y } = facets;
  const plane = planeOf(zone);
  const xy = new Float64Array(2 * x.length);
  // Triangles share corners: for each point of the lattice, where its x stands in `xy`.
  const indexOf = new Map<number, number>();
  for (let corner = 0; corner < x.length; corner++) {
    // Both numbers have 16 bits.
    const point = y[corner] * 2 ** 16 + x[corner];
    const earlier = indexOf.get(point);
    if (earlier !== undefined) {
      xy[2 * corner] = xy[earlier];
      xy[2 * corner + 1] = xy[earlier + 1];
      continue;
    }
    indexOf.set(point, 2 * corner);
    toPlane(plane, latitudeOf(facets, y[corner]), longitudeOf(facets, x[corner]), xy, 2 * corner);
    xy[2 * corner] -= originX;
    xy[2 * corner + 1] -= originY;
  }
  return xy;
}

/** West, south, east and north of a triangle. `xy` has x and y of the three corners of each triangle. */
function boxOf(xy: Float64Array, triangle: number): [number, number, number, number] {
  const at = 6 * triangle;
  return [
    Math.min(xy[at], xy[at + 2], xy[at + 4]),
    Math.min(xy[at + 1], xy[at + 3], xy[at + 5]),
    Math.max(xy[at], xy[at + 2], xy[at + 4]),
    Math.max(xy[at + 1], xy[at + 3], xy[at + 5]),
  ];
}

/**
 * The box of every subtree: west, south, east and north by node. Children come after their parent.
 * @param after for each node, the first node after its subtree
 */
function subtreeBoxes(xy: Float64Array, after: Uint32Array): Float64Array {
  const boxes = new Float64Array(4 * after.length);
  for (let node = after.length - 1; node >= 0; node--) {
    const [at, triangleBox] = [4 * node, boxOf(xy, node)];
    for (let side = 0; side < 4; side++) boxes[at + side] = triangleBox[side];
    for (let child = node + 1; child < after[node]; child = after[child]) {
      for (let side = 0; side < 4; side++) {
        const other = boxes[4 * child + side];
        boxes[at + side] = side < 2 ? Math.min(boxes[at + side], other) : Math.max(boxes[at + side], other);
      }
    }
  }
  return boxes;
}

/**
 * The plane through a triangle: its height over the origin, and its rise to the east and north, metres per metre.
 * @param xy x and y of the three corners of each triangle
 * @param height of a corner, by its number among those of all triangles
 */
function planeThrough(
  xy: Float64Array,
  triangle: number,
  height: (corner: number) => number,
): [number, number, number] {
  const at = 6 * triangle;
  const x = [xy[at], xy[at + 2], xy[at + 4]];
  const y = [xy[at + 1], xy[at + 3], xy[at + 5]];
  const z = [height(3 * triangle), height(3 * triangle + 1), height(3 * triangle + 2)];
  const onlyTriangle = 0;
  const [gx, gy] = gradientOf(x, y, z, onlyTriangle);
  return [z[0] - gx * x[0] - gy * y[0], gx, gy];
}

/** Limit of the triangles of trees in memory, a hundred bytes each. */
const HELD_TRIANGLES = 300_000;

/** Trees of terrain files, the last used ones. The key is the digest of a file's bytes. */
export class TerrainTrees {
  readonly #read: (path: string) => Uint8Array;
  readonly #isChecked: boolean;
  readonly #held = new LastUsed<string, TreeSource>(HELD_TRIANGLES, ({ nodes }) => nodes + 1);

  /**
   * @param read returns the bytes of a file
   * @param isChecked true when they are already checked
   */
  constructor(read: (path: string) => Uint8Array = (path) => readFileSync(path), { isChecked = false } = {}) {
    this.#read = read;
    this.#isChecked = isChecked;
  }

  /** The tree of a file in a frame. */
  treeOf(path: string, digest: string, frame: SceneFrame): TreeSource {
    return this.#held.get(`${path} ${digest} ${frame.zone} ${frame.originX} ${frame.originY}`, () =>
      terrainTree(decodeTerrain(this.#read(path), path, { isChecked: this.#isChecked }), frame),
    );
  }
}
