/** Lengths of a degree of latitude, for distances that need no plane. Both are less than 0.3 % off in Japan. */

/** Kilometres, by a sphere. */
export const KM_PER_DEGREE = 111.2;
/** Metres, by the ellipsoid at 45°. */
export const DEGREE_M = 111_132;
