import { segmentsCross, signedArea } from '../geo/polygon.ts';

/** What is wrong with published rings, and what is done about it. */
export type RepairKind =
  /** Points with a coordinate that is not a finite number were left out. */
  | 'not_a_number'
  /** Points within a millimetre of the one before were left out. */
  | 'repeated_point'
  /** Points at which the ring turns back on itself were left out. */
  | 'spike'
  /** The ring crosses itself; it was cut into simple rings. */
  | 'self_crossing'
  /** A ring with fewer than three points, or without area, was left out. */
  | 'no_area'
  /** A hole that does not lie in the footprint's outer ring was left out. */
  | 'hole_outside';

/** Metres. Published coordinates resolve about a millimetre (8 decimals of a degree). */
const TOLERANCE = 1e-3;

/** Hears of what is repaired; the count is of points, or of rings for `self_crossing` and `no_area`. */
type Report = (kind: RepairKind, count: number) => void;

/** One published ring (plane metres) → simple rings with area, each in published direction; none where it has no area. */
export function simpleRings(published: readonly number[], report: Report): number[][] {
  const finite = withoutNonNumbers(published, report);
  const ring = withoutSpikes(withoutRepeats(finite, report), report);
  const open = [ring];
  const loops: number[][] = [];
  for (let loop = open.pop(); loop !== undefined; loop = open.pop()) {
    // Every cut leaves two shorter rings, save for the crossing point that each gains: bounded to be safe.
    const parts = loops.length + open.length < published.length ? cut(loop) : null;
    if (parts) open.push(...parts.map((part) => withoutSpikes(withoutRepeats(part, ignore), ignore)));
    else if (hasArea(loop)) loops.push(loop);
  }
  if (loops.length === 0) report('no_area', 1);
  if (loops.length > 1) report('self_crossing', loops.length);
  return loops;
}

const ignore: Report = () => {};

function withoutNonNumbers(ring: readonly number[], report: Report): readonly number[] {
  let bad = 0;
  for (let i = 0; i < ring.length; i += 2) if (!Number.isFinite(ring[i] + ring[i + 1])) bad++;
  if (bad === 0) return ring;
  report('not_a_number', bad);
  const kept: number[] = [];
  for (let i = 0; i < ring.length; i += 2) {
    if (Number.isFinite(ring[i] + ring[i + 1])) kept.push(ring[i], ring[i + 1]);
  }
  return kept;
}

const near = (ax: number, ay: number, bx: number, by: number): boolean =>
  (ax - bx) ** 2 + (ay - by) ** 2 <= TOLERANCE * TOLERANCE;

function withoutRepeats(ring: readonly number[], report: Report): number[] {
  const kept: number[] = [];
  for (let i = 0; i < ring.length; i += 2) {
    const last = kept.length - 2;
    if (last < 0 || !near(ring[i], ring[i + 1], kept[last], kept[last + 1])) kept.push(ring[i], ring[i + 1]);
  }
  while (kept.length > 2 && near(kept[0], kept[1], kept[kept.length - 2], kept[kept.length - 1])) kept.length -= 2;
  if (kept.length < ring.length) report('repeated_point', (ring.length - kept.length) / 2);
  return kept;
}

/** Leaves out the tip b of every a–b–c in which c lies back along the line to a (and what then repeats). */
function withoutSpikes(ring: number[], report: Report): number[] {
  let removed = 0;
  for (let i = 0; i < ring.length && ring.length >= 6; ) {
    const a = (i + ring.length - 2) % ring.length;
    const c = (i + 2) % ring.length;
    const [ux, uy] = [ring[i] - ring[a], ring[i + 1] - ring[a + 1]];
    const [vx, vy] = [ring[c] - ring[i], ring[c + 1] - ring[i + 1]];
    const longer = Math.max(Math.hypot(ux, uy), Math.hypot(vx, vy));
    if (ux * vx + uy * vy < 0 && Math.abs(ux * vy - uy * vx) <= TOLERANCE * longer) {
      ring.splice(i, 2);
      removed++;
      const shorter = withoutRepeats(ring, ignore);
      removed += (ring.length - shorter.length) / 2;
      ring = shorter;
      i = Math.max(0, i - 4);
    } else i += 2;
  }
  if (removed > 0) report('spike', removed);
  return ring;
}

/** A ring narrower than the tolerance everywhere encloses nothing. */
function hasArea(ring: readonly number[]): boolean {
  if (ring.length < 6) return false;
  let length = 0;
  for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
    length += Math.hypot(ring[i] - ring[j], ring[i + 1] - ring[j + 1]);
  }
  return Math.abs(signedArea(ring)) > (TOLERANCE * length) / 2;
}

/**
 * Cuts a ring in two where it meets itself: where two edges cross, or at a point passed twice if the two loops turn
 * opposite ways (a figure of eight, or a hole joined to the outer ring). Null for a simple ring.
 */
function cut(ring: readonly number[]): [number[], number[]] | null {
  const size = ring.length;
  const west = (i: number): number => Math.min(ring[i], ring[(i + 2) % size]);
  const edges = Array.from({ length: size / 2 }, (_, i) => 2 * i).sort((i, j) => west(i) - west(j));
  // From west to east, each edge meets only those that begin before it ends.
  for (let p = 0; p < edges.length; p++) {
    const i = edges[p];
    const east = Math.max(ring[i], ring[(i + 2) % size]) + TOLERANCE;
    for (let q = p + 1; q < edges.length && west(edges[q]) <= east; q++) {
      const j = edges[q];
      const parts = i < j ? cutAt(ring, i, j) : cutAt(ring, j, i);
      if (parts) return parts;
    }
  }
  return null;
}

/** Cuts a ring at its edges that begin at i and j (i < j), where these meet in one of the two ways. */
function cutAt(ring: readonly number[], i: number, j: number): [number[], number[]] | null {
  const k = (j + 2) % ring.length;
  const [ax, ay, bx, by] = [ring[i], ring[i + 1], ring[i + 2], ring[i + 3]];
  const [cx, cy, dx, dy] = [ring[j], ring[j + 1], ring[k], ring[k + 1]];
  if (near(ax, ay, cx, cy)) {
    const inner = ring.slice(i, j);
    const outer = [...ring.slice(0, i), ...ring.slice(j)];
    if (signedArea(inner) > 0 !== signedArea(outer) > 0) return [outer, inner];
  }
  if (!segmentsCross(ax, ay, bx, by, cx, cy, dx, dy)) return null;
  const share = ((cx - ax) * (dy - cy) - (cy - ay) * (dx - cx)) / ((bx - ax) * (dy - cy) - (by - ay) * (dx - cx));
  const point = [ax + share * (bx - ax), ay + share * (by - ay)];
  return [
    [...ring.slice(0, i + 2), ...point, ...ring.slice(j + 2)],
    [...point, ...ring.slice(i + 2, j + 2)],
  ];
}
