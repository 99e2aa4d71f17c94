import { KM_PER_DEGREE, type LatLon, LEAST_METRES_PER_LAT, LEAST_METRES_PER_LON, RADIANS } from './degree.ts';

/**
 * Third-order grid squares (基準地域メッシュ, JIS X 0410): 30″ of latitude by 45″ of longitude, about 1 km. The code's eight
 * digits are ppuuqvrw: p = ⌊lat · 1.5⌋, u = ⌊lon⌋ − 100, then eighths (q, v), then tenths (r, w). Two more digits name
 * the fifth-order square (4分の1地域メッシュ, about 250 m): which quarter of it, which quarter of that.
 */

/** Squares of the third order in a degree of latitude, and of longitude. */
export const SQUARES_PER_LAT = 120;
export const SQUARES_PER_LON = 80;

/** Sorts entries of grid squares by the code of their square. */
export const bySquareCode = (a: { square: string }, b: { square: string }): number => (a.square < b.square ? -1 : 1);

/** Bounds in degrees. */
export interface Box {
  south: number;
  west: number;
  north: number;
  east: number;
}

/** The country with its remotest islands. */
export const JAPAN: Box = { south: 20, west: 122, north: 46, east: 154 };

/** True for a place (degrees) in this box or on its edge. */
export const isInJapan = (lat: number, lon: number): boolean =>
  lat >= JAPAN.south && lat <= JAPAN.north && lon >= JAPAN.west && lon <= JAPAN.east;

/** A box without any place: it is neutral in `unitedBox`. */
export const NOWHERE: Box = { south: Infinity, west: Infinity, north: -Infinity, east: -Infinity };

/** The smallest box that contains both. */
export const unitedBox = (a: Box, b: Box): Box => ({
  south: Math.min(a.south, b.south),
  west: Math.min(a.west, b.west),
  north: Math.max(a.north, b.north),
  east: Math.max(a.east, b.east),
});

/** A lower bound of the distance between two boxes, metres; 0 when they meet. */
export function distanceBound(a: Box, b: Box): number {
  const dLat = Math.max(0, b.south - a.north, a.south - b.north);
  const dLon = Math.max(0, b.west - a.east, a.west - b.east);
  const farthest = Math.max(Math.abs(a.north), Math.abs(b.north));
  const metresPerLon = LEAST_METRES_PER_LON * Math.cos(farthest * RADIANS);
  return Math.hypot(dLat * LEAST_METRES_PER_LAT, dLon * metresPerLon);
}

/**
 * Code of the square that contains a place (degrees; its south and west edges belong to it).
 * @throws RangeError outside latitudes 0–66.66° or longitudes 100–200°
 */
export function gridSquareOf(lat: number, lon: number): string {
  return codeAt(Math.floor(snapped(lat * SQUARES_PER_LAT)), Math.floor(snapped(lon * SQUARES_PER_LON)));
}

/**
 * South, west, north and east edge in degrees.
 * @throws RangeError for any other code than of third or fifth order
 */
export function gridSquareBounds(code: string): Box {
  const [row, column, size] = cornerAndSize(code);
  return {
    south: row / SQUARES_PER_LAT,
    west: column / SQUARES_PER_LON,
    north: (row + size) / SQUARES_PER_LAT,
    east: (column + size) / SQUARES_PER_LON,
  };
}

/**
 * South, west, north and east edge of a square of first (4 digits), second (6) or third order (8).
 * @throws RangeError for any other code
 */
export function boxOfSquare(code: string): Box {
  // Its corners are those of the third-order squares in its corners. Squares of the second order have the digits 00 to
  // 77, those of the third order 00 to 99; a longer code has some of these digits already.
  const lastInFirstOrder = '7799';
  const { south, west } = gridSquareBounds(code.padEnd(8, '0'));
  const { north, east } = gridSquareBounds(code + lastInFirstOrder.slice(code.length - 4));
  return { south, west, north, east };
}

/**
 * Centre in degrees.
 * @throws RangeError for any other code than of third or fifth order
 */
export function gridSquareCentre(code: string): LatLon {
  const [row, column, size] = cornerAndSize(code);
  return { lat: (row + size / 2) / SQUARES_PER_LAT, lon: (column + size / 2) / SQUARES_PER_LON };
}

/** Codes of the 16 fifth-order squares of a third-order one, row by row from the south-west. */
export const fifthOrderSquares = (code: string): string[] => FIFTH_ORDER.map((digits) => code + digits);

/**
 * Returns a function that gives the index in `fifthOrderSquares` of the square that contains a place (degrees); -1
 * outside the third-order square.
 * @throws RangeError for any other code than of third order
 */
export function fifthOrderIndex(code: string): (lat: number, lon: number) => number {
  const [row, column] = rowAndColumn(code);
  return (lat, lon) => {
    // `snapped`: a place on the line between two squares is not moved across it by rounding.
    const north = Math.floor(snapped((lat * SQUARES_PER_LAT - row) * 4));
    const east = Math.floor(snapped((lon * SQUARES_PER_LON - column) * 4));
    return north >= 0 && north < 4 && east >= 0 && east < 4 ? north * 4 + east : -1;
  };
}

/**
 * The eight squares around one, from the north-west, row by row.
 * @throws RangeError for any other code than of third order
 */
export function gridSquareNeighbours(code: string): string[] {
  const [row, column] = rowAndColumn(code);
  const neighbours: string[] = [];
  for (const north of [1, 0, -1]) {
    for (const east of [-1, 0, 1]) {
      if (north !== 0 || east !== 0) neighbours.push(codeAt(row + north, column + east));
    }
  }
  return neighbours;
}

/** The squares that touch a square area: `km` from a place to the north, south, east and west. In order of code. */
export function gridSquaresAround({ lat, lon, km }: { lat: number; lon: number; km: number }): string[] {
  const [dLat, dLon] = [km / KM_PER_DEGREE, km / (KM_PER_DEGREE * Math.cos(lat * RADIANS))];
  const [south, north] = [Math.floor((lat - dLat) * SQUARES_PER_LAT), Math.floor((lat + dLat) * SQUARES_PER_LAT)];
  const [west, east] = [Math.floor((lon - dLon) * SQUARES_PER_LON), Math.floor((lon + dLon) * SQUARES_PER_LON)];
  const codes: string[] = [];
  for (let row = south; row <= north; row++) {
    for (let column = west; column <= east; column++) codes.push(codeAt(row, column));
  }
  return codes.sort();
}

/**
 * A position among rows or columns; a whole number when it is nearly one. A published coordinate on an edge may be
 * rounded (35.7 is not a binary fraction) and still counts as on the edge.
 */
const snapped = (value: number): number => {
  const nearest = Math.round(value);
  return Math.abs(value - nearest) < 1e-9 ? nearest : value;
};

/** The code of the third-order square in a row (from the equator) and a column (from 0° E). */
function codeAt(row: number, column: number): string {
  // A first-order square has 8 × 8 of second order, and each of these 10 × 10 of third order.
  const first = Math.floor(row / ROWS_OF_FIRST_ORDER);
  const second = Math.floor((row % ROWS_OF_FIRST_ORDER) / 10);
  const east = Math.floor(column / SQUARES_PER_LON) - 100;
  if (!(row >= 0 && first <= 99 && east >= 0 && east <= 99)) {
    throw new RangeError(`No grid square has row ${row} and column ${column}.`);
  }
  const inner = column % SQUARES_PER_LON;
  return `${pad(first)}${pad(east)}${second}${Math.floor(inner / 10)}${row % 10}${inner % 10}`;
}

/** A number with two digits. */
const pad = (value: number): string => String(value).padStart(2, '0');

/**
 * The last two digits of fifth-order codes: the quarter of the third-order square, then the quarter of that (1
 * south-west, 2 south-east, 3 north-west, 4 north-east). Row by row from the south-west.
 */
const FIFTH_ORDER = ['11', '12', '21', '22', '13', '14', '23', '24', '31', '32', '41', '42', '33', '34', '43', '44'];

/** Rows of third-order squares in a first-order square. */
const ROWS_OF_FIRST_ORDER = 80;

/**
 * The row and column of the south-west corner of a third-order or fifth-order square, and the length of its side; all
 * in third-order squares.
 */
function cornerAndSize(code: string): [row: number, column: number, size: number] {
  const index = FIFTH_ORDER.indexOf(code.slice(8));
  const isThirdOrder = index < 0;
  if (isThirdOrder) return [...rowAndColumn(code), 1];
  const [row, column] = rowAndColumn(code.slice(0, 8));
  return [row + Math.floor(index / 4) / 4, column + (index % 4) / 4, 1 / 4];
}

/**
 * The row of a third-order square from the equator, and its column from 0° E. A code has the row of the first-order
 * square and its longitude less 100 (two digits each), then row and column of the second and of the third order (a digit
 * each). A first-order square has 8 × 8 of the second order; these have 10 × 10 of the third.
 * @throws RangeError for any other code
 */
export function rowAndColumn(code: string): [row: number, column: number] {
  if (!/^\d{4}[0-7]{2}\d{2}$/.test(code)) {
    throw new RangeError(`"${code}" is not a third-order grid square: expected 8 digits, the fifth and sixth 0 to 7.`);
  }
  const digit = (index: number): number => Number(code[index]);
  const row = Number(code.slice(0, 2)) * ROWS_OF_FIRST_ORDER + digit(4) * 10 + digit(6);
  const column = (Number(code.slice(2, 4)) + 100) * SQUARES_PER_LON + digit(5) * 10 + digit(7);
  return [row, column];
}
