import { type Flat, pointInPolygon } from './polygon.ts';

/** Squared distance from a point to the segment from (ax, ay) to (bx, by), square units. */
export function pointSegmentSquared(x: number, y: number, ax: number, ay: number, bx: number, by: number): number {
  const dx = bx - ax;
  const dy = by - ay;
  const length = dx * dx + dy * dy;
  const t = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / length));
  const ex = x - (ax + t * dx);
  const ey = y - (ay + t * dy);
  return ex * ex + ey * ey;
}

/** Least distance between two polygons with holes; 0 where they touch, overlap or one holds the other. */
export function polygonDistance(a: readonly Flat[], b: readonly Flat[]): number {
  if (pointInPolygon(a[0][0], a[0][1], b) || pointInPolygon(b[0][0], b[0][1], a)) return 0;
  let least = Infinity;
  for (const p of a) {
    for (const q of b) {
      least = Math.min(least, ringsSquared(p, q));
      if (least === 0) return 0;
    }
  }
  return Math.sqrt(least);
}

/** Squared distance between the lines of two rings. */
function ringsSquared(p: Flat, q: Flat): number {
  let least = Infinity;
  for (let i = 0, j = p.length - 2; i < p.length; j = i, i += 2) {
    const [ax, ay, bx, by] = [p[j], p[j + 1], p[i], p[i + 1]];
    for (let k = 0, l = q.length - 2; k < q.length; l = k, k += 2) {
      const [cx, cy, dx, dy] = [q[l], q[l + 1], q[k], q[k + 1]];
      if (segmentsCross(ax, ay, bx, by, cx, cy, dx, dy)) return 0;
      // Segments that do not cross are nearest at an end of one of them; every end is seen once as (b) or (d).
      least = Math.min(least, pointSegmentSquared(bx, by, cx, cy, dx, dy), pointSegmentSquared(dx, dy, ax, ay, bx, by));
    }
  }
  return least;
}

/** Do the segments ab and cd cross properly (at a point inside both)? */
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
