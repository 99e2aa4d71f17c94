/**
 * Plane geometry of rings as flat arrays `[x, y, x, y, …]`, open (the first point is not repeated).
 */
type Flat = ArrayLike<number>;

/** Area of a ring, square units: positive counter-clockwise (x right, y up), negative clockwise. */
export function signedArea(xy: Flat): number {
  let twice = 0;
  // Relative to the first point: this keeps digits when coordinates are large.
  const x0 = xy[0];
  const y0 = xy[1];
  for (let i = 2; i + 3 < xy.length; i += 2) {
    twice += (xy[i] - x0) * (xy[i + 3] - y0) - (xy[i + 2] - x0) * (xy[i + 1] - y0);
  }
  return twice / 2;
}

/** The length of a ring's outline. */
export function ringLength(xy: Flat): number {
  let length = 0;
  for (let i = xy.length - 2, j = 0; j < xy.length; i = j, j += 2)
    length += Math.hypot(xy[j] - xy[i], xy[j + 1] - xy[i + 1]);
  return length;
}

/**
 * True when a ring of latitude and longitude, in this order, runs counter-clockwise on a map. Latitude as x mirrors the
 * map, so the area changes its sign.
 */
export const isCounterClockwise = (ring: Flat): boolean => signedArea(ring) <= 0;

/**
 * True when the point is inside the ring (even–odd rule). Of rings that tile the plane, exactly one contains a point on
 * a common edge.
 */
export function pointInRing(x: number, y: number, xy: Flat): boolean {
  let inside = false;
  let px = xy[xy.length - 2];
  let py = xy[xy.length - 1];
  for (let i = 0; i < xy.length; i += 2) {
    const qx = xy[i];
    const qy = xy[i + 1];
    if (edgeCrosses(x, y, px, py, qx, qy)) inside = !inside;
    px = qx;
    py = qy;
  }
  return inside;
}

/**
 * True when the edge from p to q crosses the ray from the point towards larger x. A point is inside a ring when the
 * number of such edges is odd.
 */
export function edgeCrosses(x: number, y: number, px: number, py: number, qx: number, qy: number): boolean {
  if (py > y === qy > y) return false;
  // Crossed when the point is on the left of the edge, seen from its lower end. Always from the lower end, so that two
  // rings get the same answer for a common edge.
  return qy > py ? (qx - px) * (y - py) - (x - px) * (qy - py) > 0 : (px - qx) * (y - qy) - (x - qx) * (py - qy) > 0;
}

/** True when the point is inside the polygon (first ring outer, the others holes; orientation does not matter). */
export function pointInPolygon(x: number, y: number, rings: readonly Flat[]): boolean {
  let inside = false;
  for (const ring of rings) if (pointInRing(x, y, ring)) inside = !inside;
  return inside;
}

type Bounds = [leastX: number, leastY: number, mostX: number, mostY: number];

/** The bounds of rings; infinite when there is no point. */
export function boundsOf(rings: Iterable<Flat>): Bounds {
  let [leastX, leastY, mostX, mostY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i += 2) {
      leastX = Math.min(leastX, ring[i]);
      leastY = Math.min(leastY, ring[i + 1]);
      mostX = Math.max(mostX, ring[i]);
      mostY = Math.max(mostY, ring[i + 1]);
    }
  }
  return [leastX, leastY, mostX, mostY];
}

/** True when bounds of `boundsOf` contain a point. */
export const isWithin = ([leastX, leastY, mostX, mostY]: Bounds, x: number, y: number): boolean =>
  x >= leastX && x <= mostX && y >= leastY && y <= mostY;

/** Area of a polygon with holes, square units, never negative. */
export function polygonArea(rings: readonly Flat[]): number {
  let area = 0;
  for (let r = 0; r < rings.length; r++) area += (r === 0 ? 1 : -1) * Math.abs(signedArea(rings[r]));
  return Math.max(0, area);
}

/** A side of a ring, from corner to corner. */
export type Side = [ax: number, ay: number, bx: number, by: number];

/** The sides of an open ring, in its order. */
export const sidesOfRing = (ring: Flat): Side[] =>
  Array.from({ length: ring.length / 2 }, (_, i) => {
    const next = (2 * i + 2) % ring.length;
    return [ring[2 * i], ring[2 * i + 1], ring[next], ring[next + 1]];
  });

/**
 * The polygons of some rings, each as its outer ring and its holes. A ring inside an odd number of others is a hole of
 * the smallest outer one around it. Rings may touch but not cross.
 */
export function nestedPolygons<Ring extends Flat>(rings: readonly Ring[]): [outer: Ring, ...holes: Ring[]][] {
  const known = rings.map((ring) => ({
    ring,
    area: Math.abs(signedArea(ring)),
    bounds: boundsOf([ring]),
    // It decides, because a corner may be on a common edge.
    inside: representativePoint([[ring]]),
  }));
  const around = known.map(({ area, inside }) =>
    known
      .filter((other) => area < other.area && isWithin(other.bounds, ...inside) && pointInRing(...inside, other.ring))
      .map(({ ring }) => ring),
  );
  return rings.flatMap((outer, i): [Ring, ...Ring[]][] => {
    const depth = around[i].length;
    // Around a hole of this ring there is one ring more than around this one: itself.
    const holes = rings.filter((_, j) => around[j].length === depth + 1 && around[j].includes(outer));
    return depth % 2 === 0 ? [[outer, ...holes]] : [];
  });
}

/**
 * A point inside the largest of several polygons (each: outer ring, then holes). It is the centroid if that is inside;
 * otherwise the middle of the widest part of the polygon on a horizontal line, first at half its height. For a polygon
 * without area it is the first vertex.
 */
export function representativePoint(polygons: readonly (readonly Flat[])[]): [x: number, y: number] {
  const largest = polygons.length === 1 ? polygons[0] : largestOf(polygons);
  const centre = centroid(largest);
  if (centre && pointInPolygon(centre[0], centre[1], largest)) return centre;
  return widestMiddle(largest) ?? [largest[0][0], largest[0][1]];
}

/** The polygon with the largest area. */
function largestOf(polygons: readonly (readonly Flat[])[]): readonly Flat[] {
  let largest = polygons[0];
  for (const polygon of polygons) if (polygonArea(polygon) > polygonArea(largest)) largest = polygon;
  return largest;
}

/** The centre of mass of a polygon with holes; null when it has no area. */
function centroid(rings: readonly Flat[]): [number, number] | null {
  const x0 = rings[0][0];
  const y0 = rings[0][1];
  let twiceArea = 0;
  let sumX = 0;
  let sumY = 0;
  for (let r = 0; r < rings.length; r++) {
    const ring = rings[r];
    // The outer ring adds and holes subtract, whichever way they run.
    const isClockwise = signedArea(ring) < 0;
    const isOuter = r === 0;
    const sign = isClockwise === isOuter ? -1 : 1;
    for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
      const px = ring[j] - x0;
      const py = ring[j + 1] - y0;
      const qx = ring[i] - x0;
      const qy = ring[i + 1] - y0;
      const cross = sign * (px * qy - qx * py);
      twiceArea += cross;
      sumX += (px + qx) * cross;
      sumY += (py + qy) * cross;
    }
  }
  return twiceArea > 0 ? [x0 + sumX / (3 * twiceArea), y0 + sumY / (3 * twiceArea)] : null;
}

/** Heights of the horizontal lines, as shares of the polygon's height: the first that works is used. */
const CUTS = [0.5, 0.382, 0.618, 0.25, 0.75, 0.1, 0.9];

/** A point inside a polygon: the middle of its widest part on a horizontal line; null when none is found. */
function widestMiddle(rings: readonly Flat[]): [number, number] | null {
  const [, low, , high] = boundsOf([rings[0]]);
  for (const cut of CUTS) {
    const y = low + (high - low) * cut;
    let [middle, width] = [0, 0];
    for (const [west, east] of intervalsAt(rings, y)) {
      if (east - west > width) [middle, width] = [(west + east) / 2, east - west];
    }
    if (width > 0 && pointInPolygon(middle, y, rings)) return [middle, y];
  }
  return null;
}

/** The intervals of the horizontal line at y that lie inside a polygon, from west to east. */
export function intervalsAt(rings: readonly Flat[], y: number): [west: number, east: number][] {
  const crossings: number[] = [];
  for (const ring of rings) {
    for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
      const [x1, y1, x2, y2] = [ring[j], ring[j + 1], ring[i], ring[i + 1]];
      if (y1 > y !== y2 > y) crossings.push(x1 + ((y - y1) / (y2 - y1)) * (x2 - x1));
    }
  }
  // The line enters the polygon at every first crossing and leaves it at every second.
  crossings.sort((a, b) => a - b);
  return Array.from({ length: crossings.length >> 1 }, (_, i) => [crossings[2 * i], crossings[2 * i + 1]]);
}

/** Squared distance from a point to the segment from (ax, ay) to (bx, by), square units. */
export function pointSegmentSquared(x: number, y: number, ax: number, ay: number, bx: number, by: number): number {
  const dx = bx - ax;
  const dy = by - ay;
  const lengthSquared = dx * dx + dy * dy;
  const t = lengthSquared === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / lengthSquared));
  const ex = x - (ax + t * dx);
  const ey = y - (ay + t * dy);
  return ex * ex + ey * ey;
}

/** Smallest distance between two polygons with holes; 0 when they touch or overlap, or one contains the other. */
export function polygonDistance(a: readonly Flat[], b: readonly Flat[]): number {
  if (pointInPolygon(a[0][0], a[0][1], b) || pointInPolygon(b[0][0], b[0][1], a)) return 0;
  return Math.sqrt(nearestSquared(sidesOf(a), ROOT, sidesOf(b), ROOT, Infinity));
}

/** The top node of a tree of sides. */
const ROOT = 1;
/** How many numbers a side has: two for each end. How many a leaf of the tree has: those of 16 sides. */
const NUMBERS_OF_SIDE = 4;
const NUMBERS_OF_LEAF = 16 * NUMBERS_OF_SIDE;

/**
 * The sides of a polygon, ring by ring, in leaves of 16 under a binary tree: node i is the parent of nodes 2i and 2i +
 * 1. Plain arrays are cheapest, because most polygons have few sides.
 */
interface Sides {
  /** Both ends of each side: ax, ay, bx, by. */
  ends: number[];
  /**
   * Nodes from this number on are leaves; the number of leaves, too. Leaf by leaf they have the next `NUMBERS_OF_LEAF`
   * of `ends`; the last leaves may have none.
   */
  leaves: number;
  /** The box of each node: west, south, east, north. The box of a node without sides is infinitely far. */
  boxes: number[];
}

/** Builds the tree over the sides of a polygon, from the leaves up: a node's box is that of its sides or children. */
function sidesOf(rings: readonly Flat[]): Sides {
  const ends: number[] = [];
  for (const ring of rings) {
    for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
      ends.push(ring[j], ring[j + 1], ring[i], ring[i + 1]);
    }
  }
  let leaves = 1;
  while (NUMBERS_OF_LEAF * leaves < ends.length) leaves *= 2;
  // Nodes 1 to 2 × leaves − 1, with four numbers each; node 0 is not used.
  const boxes: number[] = new Array(8 * leaves).fill(0);
  for (let node = 2 * leaves - 1; node >= 1; node--) {
    let west = Infinity;
    let south = Infinity;
    let east = -Infinity;
    let north = -Infinity;
    if (node >= leaves) {
      const start = NUMBERS_OF_LEAF * (node - leaves);
      const end = Math.min(ends.length, start + NUMBERS_OF_LEAF);
      for (let i = start; i < end; i += 2) {
        west = Math.min(west, ends[i]);
        south = Math.min(south, ends[i + 1]);
        east = Math.max(east, ends[i]);
        north = Math.max(north, ends[i + 1]);
      }
    } else {
      for (const child of [2 * node, 2 * node + 1]) {
        west = Math.min(west, boxes[4 * child]);
        south = Math.min(south, boxes[4 * child + 1]);
        east = Math.max(east, boxes[4 * child + 2]);
        north = Math.max(north, boxes[4 * child + 3]);
      }
    }
    boxes[4 * node] = west;
    boxes[4 * node + 1] = south;
    boxes[4 * node + 2] = east;
    boxes[4 * node + 3] = north;
  }
  return { ends, leaves, boxes };
}

/**
 * The smaller of `least` and the squared distance between the sides under two nodes. Pairs that are farther apart are
 * skipped.
 */
function nearestSquared(p: Sides, i: number, q: Sides, j: number, least: number): number {
  if (squaredDistanceOfBoxes(p, i, q, j) > least) return least;
  const pIsLeaf = i >= p.leaves;
  const qIsLeaf = j >= q.leaves;
  if (pIsLeaf && qIsLeaf) return nearestOfLeaves(p, i, q, j, least);
  // Opens the node that is nearer to the root of its tree, which has the smaller number; the nearer child first. The
  // children of node i are 2i and 2i + 1, so `first ^ 1` is the other child.
  if (qIsLeaf || (!pIsLeaf && i <= j)) {
    const first =
      squaredDistanceOfBoxes(p, 2 * i, q, j) <= squaredDistanceOfBoxes(p, 2 * i + 1, q, j) ? 2 * i : 2 * i + 1;
    return nearestSquared(p, first ^ 1, q, j, nearestSquared(p, first, q, j, least));
  }
  const first =
    squaredDistanceOfBoxes(p, i, q, 2 * j) <= squaredDistanceOfBoxes(p, i, q, 2 * j + 1) ? 2 * j : 2 * j + 1;
  return nearestSquared(p, i, q, first ^ 1, nearestSquared(p, i, q, first, least));
}

/** The squared distance between the boxes of two nodes. */
function squaredDistanceOfBoxes({ boxes: a }: Sides, i: number, { boxes: b }: Sides, j: number): number {
  const p = 4 * i;
  const q = 4 * j;
  const x = Math.max(0, a[p] - b[q + 2], b[q] - a[p + 2]);
  const y = Math.max(0, a[p + 1] - b[q + 3], b[q + 1] - a[p + 3]);
  return x * x + y * y;
}

/**
 * The smaller of `least` and a squared distance between the sides of two leaves: leaf `i` of one polygon (sides from
 * corner a to corner b), leaf `j` of the other (sides from corner c to corner d). Of each side only the end is compared.
 * Its start is the end of another side, perhaps in another leaf. So the least of all pairs of leaves is the distance.
 */
function nearestOfLeaves(p: Sides, i: number, q: Sides, j: number, least: number): number {
  const west = q.boxes[4 * j];
  const south = q.boxes[4 * j + 1];
  const east = q.boxes[4 * j + 2];
  const north = q.boxes[4 * j + 3];
  // Node `leaves` is the first leaf, with the first numbers of `ends`.
  const pStart = NUMBERS_OF_LEAF * (i - p.leaves);
  const pEnd = Math.min(p.ends.length, pStart + NUMBERS_OF_LEAF);
  const qStart = NUMBERS_OF_LEAF * (j - q.leaves);
  const qEnd = Math.min(q.ends.length, qStart + NUMBERS_OF_LEAF);
  for (let k = pStart; k < pEnd; k += NUMBERS_OF_SIDE) {
    const ax = p.ends[k];
    const ay = p.ends[k + 1];
    const bx = p.ends[k + 2];
    const by = p.ends[k + 3];
    // The side is too far from all sides of the other leaf.
    if (gapBetween(ax, bx, west, east) ** 2 + gapBetween(ay, by, south, north) ** 2 > least) continue;
    for (let l = qStart; l < qEnd; l += NUMBERS_OF_SIDE) {
      const cx = q.ends[l];
      const cy = q.ends[l + 1];
      const dx = q.ends[l + 2];
      const dy = q.ends[l + 3];
      const gapX = gapBetween(ax, bx, cx, dx);
      const gapY = gapBetween(ay, by, cy, dy);
      if (gapX * gapX + gapY * gapY > least) continue;
      if (gapX === 0 && gapY === 0 && segmentsCross(ax, ay, bx, by, cx, cy, dx, dy)) return 0;
      // Segments that do not cross are nearest at a corner.
      least = Math.min(least, pointSegmentSquared(bx, by, cx, cy, dx, dy), pointSegmentSquared(dx, dy, ax, ay, bx, by));
    }
  }
  return least;
}

/** The gap between the intervals ab and cd of a line; 0 when they meet. */
const gapBetween = (a: number, b: number, c: number, d: number): number =>
  Math.max(0, Math.min(a, b) - Math.max(c, d), Math.min(c, d) - Math.max(a, b));

/** True when the segments ab and cd cross at a point inside both. */
export function segmentsCross(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
  dx: number,
  dy: number,
): boolean {
  const side = (px: number, py: number, qx: number, qy: number, x: number, y: number): number =>
    (qx - px) * (y - py) - (qy - py) * (x - px);
  return (
    side(ax, ay, bx, by, cx, cy) * side(ax, ay, bx, by, dx, dy) < 0 &&
    side(cx, cy, dx, dy, ax, ay) * side(cx, cy, dx, dy, bx, by) < 0
  );
}
