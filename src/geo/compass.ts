/** The eight compass directions, clockwise from north, in the order used everywhere. Faces of buildings are named by them. */
export const DIRECTIONS = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** The direction nearest to an azimuth; of two that are as near, the next clockwise. @param azimuthDeg degrees clockwise from true north, −360 or more */
export const directionOf = (azimuthDeg: number): Direction =>
  DIRECTIONS[Math.floor((azimuthDeg + 360) / 45 + 0.5) % DIRECTIONS.length] as Direction;
