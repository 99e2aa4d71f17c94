import { DEGREES } from '../geo/degree.ts';

/**
 * The three image planes of the skyline kernel. They are around the eye and face east, south and west of the grid: the
 * sun of Japan never leaves these three quarters.
 *
 * In a plane, a direction is the point (t, s): t = tan(angle from the plane's axis, clockwise), and the slope
 * s = tan(altitude) · √(1 + t²). So a straight edge in space is straight in (t, s), and s is the edge's height divided
 * by its depth along the axis.
 *
 * Every plane is cut into bins of equal width in t: n in the east and west, half as many in the south, where the sun is
 * twice as fast. Bins are numbered clockwise through all three planes, as the sun moves. A *position* is a number on
 * this scale; a whole number is the centre of a bin. The scale continues around the north, where there are no bins, to
 * the north-east.
 */

/**
 * Bins of the east and west planes: no direction is farther than 0.1° from the centre of a bin. Things narrower than
 * the distance of two centres may be missed. Edges and instants are not rounded to bins.
 */
export const PLANE_BINS = 1536;

/** Grid azimuths covered by the planes, degrees. */
export const FIRST_AZIMUTH = 45;
export const LAST_AZIMUTH = 315;

/** The number of bins of all planes together, for `n` in the east plane. */
export const binsOfPlanes = (n: number): number => 2.5 * n;

/** The plane of a bin: 0 east, 1 south, 2 west. */
const planeOfBin = (bin: number, n: number): number => (bin < n ? 0 : bin < 1.5 * n ? 1 : 2);
/** The first bin of a plane. */
const firstBinOf = (plane: number, n: number): number => (plane === 0 ? 0 : plane === 1 ? n : 1.5 * n);
/** The number of bins of a plane. */
const binsOf = (plane: number, n: number): number => (plane === 1 ? 0.5 * n : n);

/**
 * The position of an azimuth from grid north, in bins: a whole number is the centre of a bin.
 * @param azimuthDeg 45 to 315: the other quarter, in the north, has no image plane
 * @param n number of bins of the east plane
 */
export function positionOfAzimuth(azimuthDeg: number, n: number): number {
  // 0 east, 1 south, 2 west. `t` is −1 at the plane's left edge and 1 at its right.
  const plane = Math.min(2, Math.max(0, Math.floor((azimuthDeg - FIRST_AZIMUTH) / 90)));
  const t = Math.tan((azimuthDeg - 90 * (plane + 1)) / DEGREES);
  return firstBinOf(plane, n) + ((t + 1) / 2) * binsOf(plane, n) - 0.5;
}

/** The coordinate t of a bin's centre. */
function tOfBin(bin: number, n: number): number {
  const plane = planeOfBin(bin, n);
  return (2 * (bin - firstBinOf(plane, n)) + 1) / binsOf(plane, n) - 1;
}

/** Grid azimuth of the axis of a bin's plane, degrees. */
export const axisOfBin = (bin: number, n: number): number => 90 * (planeOfBin(bin, n) + 1);

/** Grid azimuth of a bin's centre, degrees. */
export const azimuthOfBin = (bin: number, n: number): number => axisOfBin(bin, n) + Math.atan(tOfBin(bin, n)) * DEGREES;

/** The number of bins of a sector of the sky. */
export const SECTOR_BINS = 160;

/** Grid azimuth of the middle of a sector, degrees. */
export const azimuthOfSector = (sector: number): number => azimuthOfBin(SECTOR_BINS * (sector + 0.5) - 0.5, PLANE_BINS);

/** The range of all planes, as the positions of its two ends: what an eye without a wall sees. */
export const wholeRange = (planeBins: number): number[] => [
  positionOfAzimuth(FIRST_AZIMUTH, planeBins),
  positionOfAzimuth(LAST_AZIMUTH, planeBins),
];

/**
 * The directions in front of a wall, as ranges [from, to, …] of positions among the bins of the image planes, in the
 * order of the sun; none, one or two ranges.
 * @param azimuth of the wall's outward normal, degrees from grid north, with any number of whole turns
 */
export function rangesInFrontOf(azimuth: number, planeBins: number): number[] {
  const normal = ((azimuth % 360) + 360) % 360;
  const ranges: number[] = [];
  for (let turn = -360; turn <= 360; turn += 360) {
    const from = Math.max(FIRST_AZIMUTH, normal + turn - 90);
    const to = Math.min(LAST_AZIMUTH, normal + turn + 90);
    if (from < to) ranges.push(positionOfAzimuth(from, planeBins), positionOfAzimuth(to, planeBins));
  }
  return ranges;
}
