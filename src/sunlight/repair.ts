import { pointInRing, representativePoint, ringLength, segmentsCross, signedArea } from '../geo/polygon.ts';

/**
 * Published footprints have repeated points, spikes, crossing rings and other faults. Here they become valid rings: at
 * least three points, every edge longer than a millimetre, no crossing, an area, and the outside on the right. Repairs
 * are returned as values; nothing throws.
 */

/** A repair of a footprint, or a part that was left out. */
export interface Repair {
  kind: RepairKind;
  /** Number of the ring in its footprint; 0 is the outer one. */
  ring: number;
  /** Number of points; of rings for `self_crossing` (made), those for holes and `no_area` (left out). */
  count: number;
}

/** A valid ring. */
interface CleanRing {
  /** `[x, y, …]`, open, from the published start. Outer rings counter-clockwise, holes clockwise. */
  xy: number[];
  /** True when it runs against the published direction. */
  reversed: boolean;
}

/** A prism's floor plan: outer ring, then holes. */
export type CleanPrism = CleanRing[];

/**
 * Limit of the steps for the footprints of one building while rings are cut at their crossings: tested corners (again
 * after each cut and at each point passed twice) and compared pairs of edges. Of 186,204 published buildings (Tokyo's six wards, Osaka, Sagamihara)
 * none takes more than 4,000. A simple ring of 2,000 corners of any form stays below the limit.
 */
export const MOST_STEPS = 2_000_000;

/** The remaining steps of a building. */
interface Steps {
  left: number;
}

/**
 * One footprint as prisms: usually one; several when the outer ring crosses itself; none when it has no area, or when
 * the steps are used up before the end (`too_complex`).
 * @param rings `[x, y, …]`, metres; the outer one, then holes
 * @param steps the remaining steps of its building
 */
export function repairFootprint(
  rings: readonly number[][],
  steps: Steps = { left: MOST_STEPS },
): { prisms: CleanPrism[]; repairs: Repair[] } {
  const repairs: Repair[] = [];
  const prisms: CleanPrism[] = [];
  const holes: Hole[] = [];
  for (let ring = 0; ring < rings.length; ring++) {
    const loops = simpleRings(rings[ring], (kind, count) => repairs.push({ kind, ring, count }), steps);
    if (steps.left < 0) return { prisms: [], repairs: [{ kind: 'too_complex', ring, count: 1 }] };
    const [main, ...others] = largestFirst(loops);
    if (!main) {
      if (ring === 0) return { prisms, repairs };
      continue;
    }
    if (ring === 0) prisms.push([outerRing(main)]);
    else holes.push({ xy: main, ring });
    for (const loop of others) {
      const [x, y] = representativePoint([[loop]]);
      const isInMain = pointInRing(x, y, main);
      const turnsOtherWay = signedArea(loop) > 0 !== signedArea(main) > 0;
      if (!isInMain && ring === 0) prisms.push([outerRing(loop)]);
      else if (!isInMain) holes.push({ xy: loop, ring });
      // An outer ring that also runs round a hole, in the opposite direction.
      else if (ring === 0 && turnsOtherWay) holes.push({ xy: loop, ring });
      // Any other loop inside the main one covers nothing new.
    }
  }
  for (const { kind, ring } of addHoles(prisms, holes)) repairs.push({ kind, ring, count: 1 });
  return { prisms, repairs };
}

/** A hole of a footprint. */
interface Hole {
  xy: number[];
  ring: number;
}

/**
 * Adds each hole to the prism around it.
 * @returns the holes that no prism gets
 */
function addHoles(prisms: readonly CleanPrism[], holes: readonly Hole[]): { kind: RepairKind; ring: number }[] {
  const leftOut: { kind: RepairKind; ring: number }[] = [];
  const inside: (Hole & { x: number; y: number; area: number; owner: CleanPrism })[] = [];
  for (const hole of holes) {
    const [x, y] = representativePoint([[hole.xy]]);
    const area = Math.abs(signedArea(hole.xy));
    // A hole that leaves no more than a thin strip of the prism is the outer ring again.
    const strip = areaOfStrip(hole.xy);
    const owner = prisms.find(([{ xy }]) => pointInRing(x, y, xy) && signedArea(xy) - area > strip);
    if (owner) inside.push({ ...hole, x, y, area, owner });
    else leftOut.push({ kind: 'hole_outside', ring: hole.ring });
  }
  for (const [i, { xy, ring, x, y, area, owner }] of inside.entries()) {
    // Of equal holes the first counts.
    const isCovered = inside.some(
      (other, j) => (other.area > area || (other.area === area && j < i)) && pointInRing(x, y, other.xy),
    );
    if (isCovered) leftOut.push({ kind: 'hole_in_hole', ring });
    else owner.push(holeRing(xy));
  }
  return leftOut;
}

/** Rings in order of their area, the largest first. */
function largestFirst(rings: readonly number[][]): number[][] {
  const withAreas = rings.map((ring) => ({ ring, area: Math.abs(signedArea(ring)) }));
  return withAreas.sort((a, b) => b.area - a.area).map(({ ring }) => ring);
}

/** A ring in counter-clockwise direction, from its first point. */
function outerRing(xy: number[]): CleanRing {
  return signedArea(xy) > 0 ? { xy, reversed: false } : { xy: backwards(xy), reversed: true };
}

/** A ring in clockwise direction, from its first point. */
function holeRing(xy: number[]): CleanRing {
  return signedArea(xy) > 0 ? { xy: backwards(xy), reversed: true } : { xy, reversed: false };
}

/** The points of a ring in the opposite direction, from its first point. */
function backwards(xy: readonly number[]): number[] {
  const reversed = [xy[0], xy[1]];
  for (let i = xy.length - 2; i > 0; i -= 2) reversed.push(xy[i], xy[i + 1]);
  return reversed;
}

/** The faults of published rings, and their repairs. */
type RepairKind =
  /** Points with a coordinate that is not a finite number were left out. */
  | 'not_a_number'
  /** Points within a millimetre of the previous one were left out. */
  | 'repeated_point'
  /** Points at which the ring runs back on itself were left out. */
  | 'spike'
  /** The ring crosses itself; it was cut into simple rings. */
  | 'self_crossing'
  /** A ring with fewer than three points, or without area, was left out. */
  | 'no_area'
  /** A hole outside the footprint's outer ring, or as large as it, was left out. */
  | 'hole_outside'
  /** A hole inside another hole, or equal to it, was left out. */
  | 'hole_in_hole'
  /**
   * The building's rings have too many crossing or neighbouring edges to compare them all. The building was left out.
   */
  | 'too_complex';

/** Points within this distance are one, metres. Published coordinates have about this step (8 decimals of a degree). */
const TOLERANCE = 1e-3;

/** Called for each repair with the number of points, or of rings for `self_crossing` and `no_area`. */
type Report = (kind: RepairKind, count: number) => void;

/** One published ring as simple rings with area, each in published direction; none when it has no area. */
function simpleRings(published: readonly number[], report: Report, steps: Steps): number[][] {
  const finite = withoutNonNumbers(published, report);
  const ring = withoutSpikes(withoutRepeats(finite, report), report);
  const unchecked = [ring];
  const loops: number[][] = [];
  for (let loop = unchecked.pop(); loop !== undefined; loop = unchecked.pop()) {
    // The limit of steps is passed: the caller leaves the building out and reports it.
    if (steps.left < 0) return [];
    // A cut adds a crossing point to both parts, so the parts need not get smaller. A limit ends the cutting: as many
    // loops as the ring has numbers.
    const mayBeCut = loops.length + unchecked.length < published.length;
    const parts = mayBeCut ? cut(loop, steps) : null;
    if (parts) unchecked.push(...parts.map((part) => withoutSpikes(withoutRepeats(part, ignore), ignore)));
    else if (hasArea(loop)) loops.push(loop);
  }
  if (loops.length === 0) report('no_area', 1);
  if (loops.length > 1) report('self_crossing', loops.length);
  return loops;
}

/** Reports nothing. */
const ignore: Report = () => {};

/** Removes points with a coordinate that is not a finite number. */
function withoutNonNumbers(ring: readonly number[], report: Report): readonly number[] {
  const finite: number[] = [];
  for (let i = 0; i < ring.length; i += 2) {
    if (Number.isFinite(ring[i] + ring[i + 1])) finite.push(ring[i], ring[i + 1]);
  }
  // The last point may have only one number.
  if (finite.length < ring.length) report('not_a_number', Math.ceil((ring.length - finite.length) / 2));
  return finite;
}

/** True when two points are within the tolerance of each other. */
const areNear = (ax: number, ay: number, bx: number, by: number): boolean =>
  (ax - bx) ** 2 + (ay - by) ** 2 <= TOLERANCE * TOLERANCE;

/** Removes points that repeat the point before them, within the tolerance. */
function withoutRepeats(ring: readonly number[], report: Report): number[] {
  const distinct: number[] = [];
  for (let i = 0; i < ring.length; i += 2) {
    const last = distinct.length - 2;
    if (last < 0 || !areNear(ring[i], ring[i + 1], distinct[last], distinct[last + 1]))
      distinct.push(ring[i], ring[i + 1]);
  }
  while (
    distinct.length > 2 &&
    areNear(distinct[0], distinct[1], distinct[distinct.length - 2], distinct[distinct.length - 1])
  )
    distinct.length -= 2;
  if (distinct.length < ring.length) report('repeated_point', (ring.length - distinct.length) / 2);
  return distinct;
}

/**
 * Removes the tip b of every a–b–c in which c is back on the line to a, and points that are then repeated. After a
 * removal the points before b have new neighbours and may be tips too, so the search goes back by two points.
 * @param ring without repeated points
 */
function withoutSpikes(ring: number[], report: Report): number[] {
  const count = ring.length / 2;
  if (!hasTip(ring)) return ring;
  const list = new PointList(count);
  const { end } = list;
  const isNear = (p: number, q: number): boolean => areNear(ring[2 * p], ring[2 * p + 1], ring[2 * q], ring[2 * q + 1]);
  for (let b = list.first; b !== end && list.count >= 3; ) {
    // The neighbours of b on the ring: the last point of the list is before the first.
    const a = b === list.first ? list.last : list.before(b);
    const c = b === list.last ? list.first : list.after(b);
    if (!isTip(ring, a, b, c)) {
      b = list.after(b);
      continue;
    }
    // Goes back by two points of the list, at most to the first that remains.
    let resumeAt = list.before(a);
    if (b === list.first) resumeAt = c;
    else if (a === list.first) resumeAt = a;
    list.remove(b);
    // Without b, the next point follows a and may be in the same place; so may the first point and the last.
    while (list.after(a) !== end && isNear(list.after(a), a)) list.remove(list.after(a));
    while (list.count > 1 && isNear(list.first, list.last)) list.remove(list.last);
    // The second loop may have removed `resumeAt` and all after it. The points that are left come before: no tips.
    b = list.isRemoved(resumeAt) ? end : resumeAt;
  }
  report('spike', count - list.count);
  const points: number[] = [];
  for (let point = list.first; point !== end; point = list.after(point))
    points.push(ring[2 * point], ring[2 * point + 1]);
  return points;
}

/** The numbers of a ring's points, from the first to the last, of which some are removed. */
class PointList {
  /** Stands after the last point and before the first. */
  readonly end: number;
  /** How many points remain. */
  count: number;
  readonly #after: Int32Array;
  readonly #before: Int32Array;

  constructor(count: number) {
    this.end = count;
    this.count = count;
    this.#after = Int32Array.from({ length: count + 1 }, (_, point) => (point === count ? 0 : point + 1));
    this.#before = Int32Array.from({ length: count + 1 }, (_, point) => (point === 0 ? count : point - 1));
  }

  get first(): number {
    return this.#after[this.end];
  }
  get last(): number {
    return this.#before[this.end];
  }
  after(point: number): number {
    return this.#after[point];
  }
  before(point: number): number {
    return this.#before[point];
  }
  isRemoved(point: number): boolean {
    return this.#after[point] === REMOVED;
  }

  remove(point: number): void {
    this.#after[this.#before[point]] = this.#after[point];
    this.#before[this.#after[point]] = this.#before[point];
    this.#after[point] = REMOVED;
    this.count--;
  }
}

/** True when any point of a ring is the tip of a spike. */
function hasTip(ring: readonly number[]): boolean {
  const count = ring.length / 2;
  if (count < 3) return false;
  for (let b = 0, a = count - 1; b < count; a = b++) if (isTip(ring, a, b, b + 1 < count ? b + 1 : 0)) return true;
  return false;
}

/** Replaces the number of the next point for a removed one. */
const REMOVED = -1;

/** True when point b is the tip of a spike between a and c. */
const isTip = (ring: readonly number[], a: number, b: number, c: number): boolean =>
  turnsBack(
    ring[2 * b] - ring[2 * a],
    ring[2 * b + 1] - ring[2 * a + 1],
    ring[2 * c] - ring[2 * b],
    ring[2 * c + 1] - ring[2 * b + 1],
  );

/** True when the second of two successive edges runs back along the first. */
const turnsBack = (ux: number, uy: number, vx: number, vy: number): boolean =>
  ux * vx + uy * vy < 0 && Math.abs(ux * vy - uy * vx) <= TOLERANCE * Math.max(Math.hypot(ux, uy), Math.hypot(vx, vy));

/** True unless the ring is narrower than the tolerance everywhere. */
const hasArea = (ring: readonly number[]): boolean =>
  ring.length >= 6 && Math.abs(signedArea(ring)) > areaOfStrip(ring);

/** The area of a strip as wide as the tolerance and about as long as half of a ring's outline. */
const areaOfStrip = (ring: readonly number[]): number => (TOLERANCE * ringLength(ring)) / 2;

/**
 * Cuts a ring in two where it meets itself: where two edges cross, or at a point that is passed twice, if the two loops
 * have opposite directions (a figure of eight, or a hole joined to the outer ring) or one lies in the other (a ring that
 * runs round twice). Null for a simple ring, and when no steps are left. Each comparison of two edges is a step; where
 * they begin at the same point, so is each corner of the ring.
 */
function cut(ring: readonly number[], steps: Steps): [number[], number[]] | null {
  const size = ring.length;
  const west = (i: number): number => Math.min(ring[i], ring[(i + 2) % size]);
  const edges: number[] = [];
  for (let i = 0; i < size; i += 2) edges.push(i);
  edges.sort((i, j) => west(i) - west(j));
  steps.left -= edges.length;
  // From west to east: each edge meets only edges that begin before it ends.
  for (let p = 0; p < edges.length; p++) {
    const i = edges[p];
    const east = Math.max(ring[i], ring[(i + 2) % size]) + TOLERANCE;
    for (let q = p + 1; q < edges.length && west(edges[q]) <= east; q++) {
      const j = edges[q];
      if (--steps.left < 0) return null;
      const parts = i < j ? cutAt(ring, i, j, steps) : cutAt(ring, j, i, steps);
      if (parts) return parts;
    }
  }
  return null;
}

/**
 * Cuts a ring in two at its edges that begin at the positions i and j (i < j): where both begin at the same point and
 * the two loops have opposite directions or one lies in the other, or where the edges cross. Null when neither is so.
 */
function cutAt(ring: readonly number[], i: number, j: number, steps: Steps): [number[], number[]] | null {
  // Only the second edge may be the last, which ends at the first point of the ring.
  const endOfSecond = (j + 2) % ring.length;
  // The first edge goes from a to b, the second from c to d.
  const ax = ring[i];
  const ay = ring[i + 1];
  const bx = ring[i + 2];
  const by = ring[i + 3];
  const cx = ring[j];
  const cy = ring[j + 1];
  const dx = ring[endOfSecond];
  const dy = ring[endOfSecond + 1];
  if (areNear(ax, ay, cx, cy)) {
    steps.left -= ring.length / 2;
    const inner = ring.slice(i, j);
    const outer = [...ring.slice(0, i), ...ring.slice(j)];
    const [areaInner, areaOuter] = [signedArea(inner), signedArea(outer)];
    if (areaInner > 0 !== areaOuter > 0) return [outer, inner];
    const [small, large] = Math.abs(areaInner) < Math.abs(areaOuter) ? [inner, outer] : [outer, inner];
    if (small.length >= 6 && pointInRing(...representativePoint([[small]]), large)) return [outer, inner];
  }
  if (!segmentsCross(ax, ay, bx, by, cx, cy, dx, dy)) return null;
  // Where they cross, as a share of the first edge.
  const share = ((cx - ax) * (dy - cy) - (cy - ay) * (dx - cx)) / ((bx - ax) * (dy - cy) - (by - ay) * (dx - cx));
  const crossing = [ax + share * (bx - ax), ay + share * (by - ay)];
  // One loop leaves out b … c, the other has only b … c.
  return [
    [...ring.slice(0, i + 2), ...crossing, ...ring.slice(j + 2)],
    [...crossing, ...ring.slice(i + 2, j + 2)],
  ];
}
