/** Radians in a degree, and degrees in a radian. */
export const RADIANS = Math.PI / 180;
export const DEGREES = 180 / Math.PI;

/**
 * Tangent of 0.1°. What stays below this altitude, seen from a grid square, is skipped: buildings and terrain. It is
 * the only tolerance of the method.
 */
export const LEAST_TANGENT = Math.tan(0.1 * RADIANS);

/** Kilometres in a degree of latitude, for distances that need no plane: less than 0.4 % off in Japan. */
export const KM_PER_DEGREE = 111.2;

/** Metres in a degree of latitude, rounded, for lengths of some kilometres at most: less than 0.3 % off in Japan. */
export const METRES_PER_DEGREE = 111_000;

/**
 * Metres in a degree of latitude, and of longitude at the equator. Both are the smallest values on the ellipsoid, so
 * that no distance is too long.
 */
export const LEAST_METRES_PER_LAT = 110_574;
export const LEAST_METRES_PER_LON = 111_319;

/**
 * Length of a degree of longitude divided by that of a degree of latitude, in the middle of Japan. For comparing
 * distances, not for stating them.
 */
export const LONGITUDE_SCALE = 0.82;

/** A position in degrees. */
export interface LatLon {
  lat: number;
  lon: number;
}

/** How far apart two positions are, in degrees of latitude, for comparing distances within Japan. */
export const degreesApart = (a: LatLon, b: LatLon): number =>
  Math.hypot(a.lat - b.lat, (a.lon - b.lon) * LONGITUDE_SCALE);

/** Cells in a degree of the grid for searches around a point: 0.001° by 0.001°, 111 m by 91 m at Tokyo. */
export const CELLS_PER_DEGREE = 1000;

/** The row of a latitude, or the column of a longitude, in this grid. */
export const cellIndex = (degrees: number): number => Math.floor(degrees * CELLS_PER_DEGREE);
