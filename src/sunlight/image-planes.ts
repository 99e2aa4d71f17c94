/**
 * The three image planes of the skyline kernel. They stand around the eye and face east, south and west of the grid:
 * the sun of Japan never leaves the three quarters they span. A direction with the depth 1 along a plane's axis has the
 * place t = tan(angle from the axis) across it, clockwise, and the slope s = tan(altitude) · √(1 + t²) above it: a
 * straight edge in space is straight in (t, s), and s is the edge's height over its depth.
 *
 * Every plane is cut into bins of equal t, n in the east and west, half as many in the south, where the sun goes twice as
 * fast. They are numbered clockwise through all three, the way the sun goes. A *place* is a number on that scale: a whole
 * number is the centre of a bin. It goes on round the north, where there are no bins, and starts again in the north-east.
 */

/**
 * Bins of the east and west planes: no direction is farther than 0.1° from a bin's centre. What is narrower than the
 * way from one centre to the next may be missed; edges and instants are not rounded to bins.
 */
export const PLANE_BINS = 1536;

/** Grid azimuths that the planes span, degrees. */
export const FIRST_AZIMUTH = 45;
export const LAST_AZIMUTH = 315;

const DEGREES = 180 / Math.PI;

/** Bins of all planes together. */
export const binsOfPlanes = (n: number): number => 2.5 * n;

/** The plane of a bin: 0 east, 1 south, 2 west; … */
export const planeOfBin = (bin: number, n: number): number => (bin < n ? 0 : bin < 1.5 * n ? 1 : 2);
/** … its first bin, … */
export const firstBinOf = (plane: number, n: number): number => (plane === 0 ? 0 : plane === 1 ? n : 1.5 * n);
/** … and the number of its bins. */
export const binsOf = (plane: number, n: number): number => (plane === 1 ? 0.5 * n : n);

/**
 * By octant (4: to the east, 2: to the north, 1: more to the east or west than to the north or south): where its plane's
 * axis lies among the places, and how far it is from there to the diagonal; both for n = 1.
 */
const AXIS = Float64Array.of(1.25, 2, 2.75, 2, 1.25, 0.5, 2.75, 0.5);
const TO_DIAGONAL = Float64Array.of(0.25, -0.5, -0.25, 0.5, -0.25, 0.5, 0.25, -0.5);

/** Place of the direction dx east, dy north, from −0.5 in the north-east clockwise to 3 n − 0.5. */
export function placeOf(dx: number, dy: number, n: number): number {
  const eastward = Math.abs(dx);
  const northward = Math.abs(dy);
  const octant = 4 * Number(dx > 0) + 2 * Number(dy > 0) + Number(eastward >= northward);
  const fromAxis = Math.min(eastward, northward) / Math.max(eastward, northward);
  return n * (AXIS[octant] + TO_DIAGONAL[octant] * fromAxis) - 0.5;
}

/**
 * Whether a wall that runs clockwise from one place to another passes through the north-east, where the bins begin and
 * end: no wall spans half the circle, 1.5 n, and of a wall seen edge-on rounding may swap the ends.
 */
export const passesNorthEast = (start: number, end: number, n: number): boolean => start - end > n;

/** Place of a grid azimuth, degrees from 45 to 315. */
export function placeOfAzimuth(azimuthDeg: number, n: number): number {
  const plane = Math.min(2, Math.max(0, Math.floor((azimuthDeg - FIRST_AZIMUTH) / 90)));
  const t = Math.tan((azimuthDeg - 90 * (plane + 1)) / DEGREES);
  return firstBinOf(plane, n) + ((t + 1) / 2) * binsOf(plane, n) - 0.5;
}

/** Across its plane, t, of a bin's centre. */
export function acrossOfBin(bin: number, n: number): number {
  const plane = planeOfBin(bin, n);
  return (2 * (bin - firstBinOf(plane, n)) + 1) / binsOf(plane, n) - 1;
}

/** Grid azimuth of the axis of a bin's plane, degrees. */
export const axisOfBin = (bin: number, n: number): number => 90 * (planeOfBin(bin, n) + 1);

/** Grid azimuth of a bin's centre, degrees. */
export const azimuthOfBin = (bin: number, n: number): number =>
  axisOfBin(bin, n) + Math.atan(acrossOfBin(bin, n)) * DEGREES;

/** The part of (mx east, my north) along a plane's axis: E (1, 0), S (0, −1), W (−1, 0); … */
export const along = (plane: number, mx: number, my: number): number => (plane === 0 ? mx : plane === 1 ? -my : -mx);
/** … and across it, clockwise: (0, −1), (−1, 0), (0, 1). */
export const across = (plane: number, mx: number, my: number): number => (plane === 0 ? -my : plane === 1 ? -mx : my);
