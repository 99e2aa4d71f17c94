/**
 * Where the sample town lies: around the corner of four third-order grid squares in the east of Tokyo. The town
 * is invented; nothing of it stands there.
 */
const ORIGIN = { lat: 35.7, lon: 139.8625 };

/** Metres of a degree at 35.7° N on GRS 80, near enough for a town of 500 m. */
const LAT_M = 110_955;
const LON_M = 90_506;

export type Point = [east: number, north: number];

/** Metres east and north of the origin as degrees. */
export const toLatLon = ([east, north]: Point): [lat: number, lon: number] => [
  ORIGIN.lat + north / LAT_M,
  ORIGIN.lon + east / LON_M,
];

/** Height of the ground, metres: flat in the west, a hill in the north-east. */
export const groundAt = ([east, north]: Point): number =>
  2 + 14 * Math.exp(-((east - 150) ** 2 + (north - 110) ** 2) / (2 * 90 ** 2));

/** The border between the two wards runs east and west, away from the border of the squares. Metres north. */
export const WARD_BORDER = 23;
export const WARDS = {
  north: { code: '13122', name: '葛飾区', kana: 'ｶﾂｼｶｸ' },
  south: { code: '13123', name: '江戸川区', kana: 'ｴﾄﾞｶﾞﾜｸ' },
};
