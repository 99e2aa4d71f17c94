/**
 * Hours of sun as short texts that a map style can read: one character for each floor and month, the whole hours as a
 * hexadecimal digit (`3` is 3 h or more and less than 4 h). The place of a value is `floor · 12 + month`, floors being
 * first, middle, top and months from 0.
 *
 * `faces` holds a letter for each face that exists and its 36 digits behind it: `A` is N, then clockwise by 45° to `H`,
 * NW. The letters are no digits, so `index-of` finds a face. `best` holds 36 digits: the most of any face.
 */
export const FACE_LETTERS = 'ABCDEFGH';
const HOUR_DIGITS = '0123456789abcdef';
export const VALUES = 36;

/** Of one face: its index (azimuth divided by 45°), and hours as every answer gives them, in the order of the text. */
export interface FaceHours {
  face: number;
  hours: ArrayLike<number>;
}

/** The digit of so many hours. Throws `RangeError` for what is no time of a day with sun. */
function hourDigit(hours: number): string {
  const digit = HOUR_DIGITS[Math.floor(hours)];
  if (digit === undefined) throw new RangeError(`${hours} h of sun: expected 0 or more and less than 16`);
  return digit;
}

export function digitsOf(hours: ArrayLike<number>): string {
  let digits = '';
  for (let i = 0; i < hours.length; i++) digits += hourDigit(hours[i]);
  return digits;
}

/** The text of a building's faces, in face order; empty for a building without walls. */
export const facesText = (faces: readonly FaceHours[]): string =>
  faces.map(({ face, hours }) => FACE_LETTERS[face] + digitsOf(hours)).join('');

/** The most hours of any face by place; null for a building without walls. */
export function bestHours(faces: readonly FaceHours[]): Float64Array | null {
  if (faces.length === 0) return null;
  const best = new Float64Array(VALUES);
  for (const { hours } of faces) for (let i = 0; i < VALUES; i++) best[i] = Math.max(best[i], hours[i]);
  return best;
}
