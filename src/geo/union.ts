import { boundsOf, isWithin, pointInPolygon, pointInRing, type Side, sidesOfRing, signedArea } from './polygon.ts';

/** A polygon: the outer ring, then the holes, each `[x, y, …]`, open. Metres. */
type Polygon = readonly (readonly number[])[];

/**
 * Corners nearer than this are one, and a corner nearer than this to a side is on it, metres. Footprints and roofs that
 * share a corner or a side have it with different roundings.
 */
const NEAR_M = 1e-3;
/** Computed points nearer than this are the same, metres. */
const SAME_M = 1e-5;
/** Distance from a side at which the cover is tested, metres: less than the gaps that remain between polygons. */
const BESIDE_M = 5 * SAME_M;

/**
 * The outline of several polygons that may overlap or share sides: their union, as polygons that neither overlap nor
 * share sides. Outer
 * rings run counter-clockwise, holes clockwise. Sides are cut where they cross. A side with cover on one side only is
 * part of the outline.
 */
export function unionOf(published: readonly Polygon[]): number[][][] {
  const polygons = withCommonCorners(published);
  const bounds = polygons.map(([outer]) => boundsOf([outer]));
  const isCovered = (x: number, y: number): boolean =>
    polygons.some((polygon, i) => isWithin(bounds[i], x, y) && pointInPolygon(x, y, polygon));
  const outline = new Map<string, Side>();
  for (const [ax, ay, bx, by] of cutSides(polygons)) {
    const length = Math.hypot(bx - ax, by - ay);
    if (length <= SAME_M) continue;
    // A small step to the left of the side.
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

type Point = readonly [x: number, y: number];

/** The polygons with each corner moved to the first one near it, and each side led through the corners near it. */
function withCommonCorners(polygons: readonly Polygon[]): Polygon[] {
  const corners: Point[] = [];
  const common = (x: number, y: number): Point => {
    const known = corners.find(([cx, cy]) => Math.abs(cx - x) < NEAR_M && Math.abs(cy - y) < NEAR_M);
    if (known === undefined) corners.push([x, y]);
    return known ?? [x, y];
  };
  const moved = polygons.map((rings) => rings.map((ring) => sidesOfRing(ring).map(([x, y]) => common(x, y))));
  const throughCorners = (ring: readonly Point[]): number[] =>
    ring.flatMap((from, i) => [...from, ...cornersOn(from, ring[(i + 1) % ring.length], corners).flat()]);
  return moved.map((rings) => rings.map(throughCorners));
}

/** The corners near a side, between its ends, in its order. */
function cornersOn([ax, ay]: Point, [bx, by]: Point, corners: readonly Point[]): Point[] {
  const [west, south, east, north] = boundsOf([[ax, ay, bx, by]]);
  const [dx, dy] = [bx - ax, by - ay];
  const shareOf = ([x, y]: Point): number => ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy);
  const isOn = (corner: Point): boolean => {
    const [x, y] = corner;
    if (x < west - NEAR_M || x > east + NEAR_M || y < south - NEAR_M || y > north + NEAR_M) return false;
    const share = shareOf(corner);
    return share > 0 && share < 1 && Math.hypot(ax + share * dx - x, ay + share * dy - y) < NEAR_M;
  };
  return corners.filter(isOn).sort((p, q) => shareOf(p) - shareOf(q));
}

/** A point rounded to {@link SAME_M}, as a key. */
const pointKey = (x: number, y: number): string => `${Math.round(x / SAME_M)},${Math.round(y / SAME_M)}`;

/** All sides, cut where another side crosses them. */
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
    // Where its pieces begin and end. The corners as they are: a computed one may round to another key.
    const at = (share: number): Point => [ax + share * (bx - ax), ay + share * (by - ay)];
    const ends: Point[] = [[ax, ay], ...cuts[i].sort((a, b) => a - b).map(at), [bx, by]];
    for (let piece = 0; piece + 1 < ends.length; piece++) yield [...ends[piece], ...ends[piece + 1]];
  }
}

/** Adds the point where two sides cross between their ends, as a share of the length of each. */
function addCuts(one: Side, other: Side, ofOne: number[], ofOther: number[]): void {
  const [ax, ay, bx, by] = one;
  const [cx, cy, dx, dy] = other;
  const cross = (bx - ax) * (dy - cy) - (by - ay) * (dx - cx);
  if (cross === 0) return;
  const s = ((cx - ax) * (dy - cy) - (cy - ay) * (dx - cx)) / cross;
  const t = ((cx - ax) * (by - ay) - (cy - ay) * (bx - ax)) / cross;
  if (!isBetweenEnds(s, one) || !isBetweenEnds(t, other)) return;
  ofOne.push(s);
  ofOther.push(t);
}

/** True for a point of a side, given as a share of its length, that is none of its ends. */
const isBetweenEnds = (share: number, [ax, ay, bx, by]: Side): boolean =>
  Math.min(share, 1 - share) * Math.hypot(bx - ax, by - ay) > SAME_M;

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
