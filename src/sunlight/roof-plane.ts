import { COVERING_NORMAL, coversPlan, ringPlane } from '../geo/ring-plane.ts';

/** A roof surface: its rings [x, y, …] in plan, the outer one first, and the plane above them. */
export interface RoofSurface {
  rings: readonly number[][];
  plane: RoofPlane;
}

/** z = h + gx · x + gy · y, metres. */
type RoofPlane = readonly [h: number, gx: number, gy: number];

/** The plane of a ring of points [x, y, z, …]; null for a wall, and for a ring without area. */
export function planeThrough(ring: ArrayLike<number>): RoofPlane | null {
  const plane = ringPlane(ring);
  if (!coversPlan(plane, COVERING_NORMAL)) return null;
  const { normal, middle } = plane;
  // `0 -`: a level surface has the gradient 0, not −0.
  const [gx, gy] = [0 - normal[0] / normal[2], 0 - normal[1] / normal[2]];
  const h = middle[2] - gx * middle[0] - gy * middle[1];
  return [h, gx, gy];
}

/** Height of a plane over a point of the plan, metres. */
export const heightOver = ([h, gx, gy]: RoofPlane, x: number, y: number): number => h + gx * x + gy * y;

/** Two surfaces meet along an edge when their heights differ by no more than this at both ends, metres. */
const MEETS_M = 1e-3;
/** Only this many edges of a ring can be hidden: each has one bit of a number. */
const MOST_HIDDEN = 32;

/** An edge of a ring of a surface, by their numbers, and its ends a and b. */
interface Edge {
  surface: number;
  ring: number;
  edge: number;
  ax: number;
  ay: number;
  bx: number;
  by: number;
}

/**
 * The edges of a building's surfaces that need not be drawn, among the first 32 of each ring, one bit each: edges at
 * which two surfaces meet without a step. Each of the two surfaces has a copy of such an edge. At a ridge one copy is
 * drawn. In a valley or within a plane neither is, because it is never the highest point of the roof along a ray.
 */
export function hiddenEdges(surfaces: readonly RoofSurface[]): number[][] {
  const hidden = surfaces.map(({ rings }) => rings.map(() => 0));
  const hide = ({ surface, ring, edge }: Edge): void => {
    hidden[surface][ring] = (hidden[surface][ring] | (1 << edge)) >>> 0;
  };
  for (const edges of edgesByEnds(surfaces).values()) {
    const [one, other] = edges;
    if (edges.length !== 2 || one.ax !== other.bx || one.ay !== other.by || one.surface === other.surface) continue;
    const [left, right] = [surfaces[one.surface].plane, surfaces[other.surface].plane];
    const step = (x: number, y: number): number => Math.abs(heightOver(left, x, y) - heightOver(right, x, y));
    if (step(one.ax, one.ay) > MEETS_M || step(one.bx, one.by) > MEETS_M) continue;
    // How much steeper the right plane rises away from the edge than the left plane rises towards it, times the length
    // of the edge. Negative where the roof bends down across the edge.
    const bend = (right[1] - left[1]) * (one.by - one.ay) - (right[2] - left[2]) * (one.bx - one.ax);
    const isRidge = bend < 0;
    hide(other);
    if (!isRidge) hide(one);
  }
  return hidden;
}

/**
 * The edges of all rings by their two ends, in either direction. Of each ring only the first `MOST_HIDDEN`: others
 * have no bit in the ring's mask of hidden edges.
 */
function edgesByEnds(surfaces: readonly RoofSurface[]): Map<string, Edge[]> {
  const byEnds = new Map<string, Edge[]>();
  for (const [surface, { rings }] of surfaces.entries()) {
    for (const [ring, xy] of rings.entries()) {
      for (let edge = 0; edge < Math.min(MOST_HIDDEN, xy.length / 2); edge++) {
        const [a, b] = [2 * edge, (2 * edge + 2) % xy.length];
        const [ax, ay, bx, by] = [xy[a], xy[a + 1], xy[b], xy[b + 1]];
        const key = ax < bx || (ax === bx && ay < by) ? `${ax} ${ay} ${bx} ${by}` : `${bx} ${by} ${ax} ${ay}`;
        const edges = byEnds.get(key) ?? [];
        edges.push({ surface, ring, edge, ax, ay, bx, by });
        byEnds.set(key, edges);
      }
    }
  }
  return byEnds;
}
