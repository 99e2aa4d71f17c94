export type Vector = [x: number, y: number, z: number];

/** The plane nearest to the points of a ring. */
export interface RingPlane {
  /** A normal of the plane: twice the area of the ring on each of the three planes of coordinates (Newell's method). */
  normal: Vector;
  /** The mean of the points. It lies in the plane. */
  middle: Vector;
}

/** A surface with a smaller vertical part of its unit normal is a wall: it covers nothing in plan. */
export const COVERING_NORMAL = 0.02;

/**
 * The plane of a ring, by Newell's method: its normal is the sum of a product for each side, so that points need not be
 * exactly in one plane. The length of the normal is twice the area of the ring.
 * @param values three coordinates of each point; those of the ring are from index `from` up to, but without, `to`
 */
export function ringPlane(values: ArrayLike<number>, from = 0, to = values.length): RingPlane {
  let [normalX, normalY, normalZ, sumX, sumY, sumZ] = [0, 0, 0, 0, 0, 0];
  // Relative to the first point, so that no digits are lost.
  const x0 = values[from];
  const y0 = values[from + 1];
  const z0 = values[from + 2];
  // The point before the current one; before the first, the last.
  let px = values[to - 3] - x0;
  let py = values[to - 2] - y0;
  let pz = values[to - 1] - z0;
  for (let i = from; i < to; i += 3) {
    const x = values[i] - x0;
    const y = values[i + 1] - y0;
    const z = values[i + 2] - z0;
    normalX += (py - y) * (pz + z);
    normalY += (pz - z) * (px + x);
    normalZ += (px - x) * (py + y);
    sumX += x;
    sumY += y;
    sumZ += z;
    px = x;
    py = y;
    pz = z;
  }
  const points = (to - from) / 3;
  return {
    normal: [normalX, normalY, normalZ],
    middle: [x0 + sumX / points, y0 + sumY / points, z0 + sumZ / points],
  };
}

/**
 * True for a plane that covers an area in plan, unlike a wall: the vertical part of its unit normal is at least
 * `least`. False for a ring without area.
 */
export const coversPlan = ({ normal }: RingPlane, least: number): boolean =>
  normal[2] !== 0 && normal[2] ** 2 >= least ** 2 * (normal[0] ** 2 + normal[1] ** 2 + normal[2] ** 2);
