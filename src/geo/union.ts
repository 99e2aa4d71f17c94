import { boundsOf, pointInPolygon, pointInRing, type Side, sidesOfRing, signedArea } from './polygon.ts';

/** A polygon: the outer ring, then the holes, each `[x, y, …]`, open. Metres. */
type Polygon = readonly (readonly number[])[];

/** Points nearer than this are the same, metres. */
const SAME_M = 1e-5;
/** Distance from a side at which the cover is tested, metres: less than any gap between published footprints. */
const BESIDE_M = 5 * SAME_M;

/**
 * The outline of several polygons that may overlap or share sides: their union, as polygons that do neither. Outer
 * rings run counter-clockwise, holes clockwise. Sides are cut where they cross. A side with cover on one side only is
 * part of the outline.
 */
export function unionOf(polygons: readonly Polygon[]): number[][][] {
  const boxes = polygons.map(([outer]) => boundsOf([outer]));
  const isCovered = (x: number, y: number): boolean =>
    polygons.some((polygon, i) => contains(boxes[i], x, y) && pointInPolygon(x, y, polygon));
  const outline = new Map<string, Side>();
  for (const [ax, ay, bx, by] of cutSides(polygons)) {
    const length = Math.hypot(bx - ax, by - ay);
    if (length <= SAME_M) continue;
    // To the left of the side.
    const [dx, dy] = [((ay - by) / length) * BESIDE_M, ((bx - ax) / length) * BESIDE_M];
    const [x, y] = [(ax + bx) / 2, (ay + by) / 2];
    const isLeft = isCovered(x + dx, y + dy);
    if (isLeft === isCovered(x - dx, y - dy)) continue;
    // The cover lies to the left of each side. A side that polygons share is kept once.
    const side: Side = isLeft ? [ax, ay, bx, by] : [bx, by, ax, ay];
    outline.set(`${pointKey(side[0], side[1])} ${pointKey(side[2], side[3])}`, side);
  }
  return nested(ringsOf([...outline.values()]));
}

type Box = [west: number, south: number, east: number, north: number];

/** A point rounded to {@link SAME_M}, as a key. */
const pointKey = (x: number, y: number): string => `${Math.round(x / SAME_M)},${Math.round(y / SAME_M)}`;

/** Whether a box contains a point. */
const contains = ([west, south, east, north]: Box, x: number, y: number): boolean =>
  x >= west && x <= east && y >= south && y <= north;

/** All sides, cut where another side crosses them or ends on them. */
function* cutSides(polygons: readonly Polygon[]): Generator<Side> {
  const sides = polygons.flatMap((rings) => rings.flatMap(sidesOfRing));
  // From west to east, so that the sides that may touch a side follow it, until one begins east of its end.
  const order = sides
    .map((side, i) => {
      const [west, south, east, north] = boundsOf([side]);
      return { i, west, south, east, north };
    })
    .sort((a, b) => a.west - b.west);
  /** By side: where it is cut, as shares of its length. */
  const cuts = sides.map((): number[] => []);
  for (const [position, one] of order.entries()) {
    for (let next = position + 1; next < order.length && order[next].west <= one.east + SAME_M; next++) {
      const other = order[next];
      if (other.south > one.north + SAME_M || other.north < one.south - SAME_M) continue;
      addCuts(sides[one.i], sides[other.i], cuts[one.i], cuts[other.i]);
    }
  }
  for (const [i, [ax, ay, bx, by]] of sides.entries()) {
    // Where its pieces begin and end.
    const shares = [0, ...cuts[i].sort((a, b) => a - b), 1];
    for (let piece = 0; piece + 1 < shares.length; piece++) {
      const [from, to] = [shares[piece], shares[piece + 1]];
      yield [ax + from * (bx - ax), ay + from * (by - ay), ax + to * (bx - ax), ay + to * (by - ay)];
    }
  }
}

/** Adds the points where two sides meet, as shares of the length of each. */
function addCuts(one: Side, other: Side, ofOne: number[], ofOther: number[]): void {
  const [ax, ay, bx, by] = one;
  const [cx, cy, dx, dy] = other;
  // Ends of one side on the other; then where the sides cross between their ends.
  addCut(one, cx, cy, ofOne);
  addCut(one, dx, dy, ofOne);
  addCut(other, ax, ay, ofOther);
  addCut(other, bx, by, ofOther);
  const cross = (bx - ax) * (dy - cy) - (by - ay) * (dx - cx);
  if (cross === 0) return;
  const s = ((cx - ax) * (dy - cy) - (cy - ay) * (dx - cx)) / cross;
  const t = ((cx - ax) * (by - ay) - (cy - ay) * (bx - ax)) / cross;
  if (s > 0 && s < 1 && t > 0 && t < 1) {
    ofOne.push(s);
    ofOther.push(t);
  }
}

/** Adds the position of a point on a side, between its ends, as a share of the length. */
function addCut([ax, ay, bx, by]: Side, x: number, y: number, cuts: number[]): void {
  const [dx, dy] = [bx - ax, by - ay];
  const squared = dx * dx + dy * dy;
  const share = ((x - ax) * dx + (y - ay) * dy) / squared;
  if (share > 0 && share < 1 && Math.hypot(ax + share * dx - x, ay + share * dy - y) <= SAME_M) cuts.push(share);
}

/** True for a ring of three points or more. */
const hasArea = (ring: readonly number[]): boolean => ring.length >= 6;

/**
 * Joins sides to rings. Where several sides continue from a point, the one that turns most to the right is taken: rings
 * touch but do not cross.
 */
function ringsOf(sides: readonly Side[]): number[][] {
  const sidesFrom = Map.groupBy(sides, ([ax, ay]) => pointKey(ax, ay));
  const rings: number[][] = [];
  const unused = new Set(sides);
  for (const start of sides) {
    if (!unused.has(start)) continue;
    const ring: number[] = [];
    for (let side: Side | undefined = start; side !== undefined && unused.has(side); ) {
      unused.delete(side);
      ring.push(side[0], side[1]);
      const [ax, ay, bx, by]: Side = side;
      const next: Side[] = (sidesFrom.get(pointKey(bx, by)) ?? []).filter((candidate) => unused.has(candidate));
      const [ux, uy] = [bx - ax, by - ay];
      const turn = ([cx, cy, dx, dy]: Side): number => {
        const [vx, vy] = [dx - cx, dy - cy];
        return Math.atan2(ux * vy - uy * vx, ux * vx + uy * vy);
      };
      side = next.sort((p, q) => turn(p) - turn(q))[0];
    }
    rings.push(withoutStraights(ring));
  }
  // Of a flat ring no three corners remain.
  return rings.filter(hasArea);
}

/** A ring without the corners at which it does not turn. */
function withoutStraights(ring: readonly number[]): number[] {
  const corners: number[] = [];
  for (let i = 0; i < ring.length; i += 2) {
    const before = (i + ring.length - 2) % ring.length;
    const after = (i + 2) % ring.length;
    const [ux, uy] = [ring[i] - ring[before], ring[i + 1] - ring[before + 1]];
    const [vx, vy] = [ring[after] - ring[i], ring[after + 1] - ring[i + 1]];
    // How far the corner is from the line between its neighbours, times the length of that line.
    const area = Math.abs(ux * vy - uy * vx);
    if (area > SAME_M * Math.hypot(ux + vx, uy + vy)) corners.push(ring[i], ring[i + 1]);
  }
  return corners;
}

/** Puts each hole into the smallest outer ring that contains it. Outer rings run counter-clockwise, holes clockwise. */
function nested(rings: readonly number[][]): number[][][] {
  const outer = rings.filter((ring) => signedArea(ring) > 0).map((ring) => [ring]);
  for (const hole of rings.filter((ring) => signedArea(ring) < 0)) {
    // The middle of its first side: a corner may touch the outer ring.
    const [x, y] = [(hole[0] + hole[2]) / 2, (hole[1] + hole[3]) / 2];
    const around = outer.filter(([ring]) => pointInRing(x, y, ring));
    around
      .sort(([a], [b]) => signedArea(a) - signedArea(b))
      .at(0)
      ?.push(hole);
  }
  return outer;
}
