/**
 * The eight compass directions, clockwise from north, in the order used everywhere. Faces of buildings are named by
 * them.
 */
export const DIRECTIONS = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/**
 * The direction nearest to an azimuth; of two equally near ones, the next clockwise.
 * @param azimuthDeg degrees clockwise from true north, −360 or more
 */
export const directionOf = (azimuthDeg: number): Direction =>
  DIRECTIONS[Math.floor((azimuthDeg + 360) / 45 + 0.5) % DIRECTIONS.length] as Direction;

/** The azimuth of a direction, degrees clockwise from true north. */
const azimuthOf = (direction: Direction): number => 45 * DIRECTIONS.indexOf(direction);

/** The largest angle between a direction and a face that replaces it, degrees. */
const STAND_IN_DEG = 67.5;

/** Degrees from one azimuth clockwise to another, −180 to 180: how far `to` is to the right of `from`. */
export const turnBetween = (from: number, to: number): number => ((to - from + 540) % 360) - 180;

/** Degrees between two azimuths, 0 to 180. */
export const angleBetween = (a: number, b: number): number => Math.abs(turnBetween(a, b));

/**
 * The face nearest to a direction, within 67.5°; of two, the first in the list. Null when there is none.
 * @param faces clockwise from north
 */
export function faceTowards<F extends { azimuthDeg: number }>(direction: Direction, faces: readonly F[]): F | null {
  const away = ({ azimuthDeg }: F): number => angleBetween(azimuthDeg, azimuthOf(direction));
  const near = faces.filter((face) => away(face) <= STAND_IN_DEG);
  return near.sort((a, b) => away(a) - away(b))[0] ?? null;
}
