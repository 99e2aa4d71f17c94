/**
 * Hours of sun as short texts that a map style can read: one character for each floor and month, the whole hours as a
 * hexadecimal digit (`3` is 3 h or more and less than 4 h). The place of a value is `floor · 12 + month`, floors being
 * first, middle, top and months from 0.
 *
 * `faces` holds a letter for each face that exists and its 36 digits behind it: `A` is N, then clockwise by 45° to `H`,
 * NW. The letters are no digits, so `index-of` finds a face. `best` holds 36 digits: the most of any face.
 */
const FACE_LETTERS = 'ABCDEFGH';
const HOUR_DIGITS = '0123456789abcdef';
const VALUES = 36;

/** Of one face: its index (azimuth divided by 45°), and hundredths of an hour as every answer gives them, in the order of the text. */
interface FaceHours {
  face: number;
  hundredths: ArrayLike<number>;
}

/** The digits of hundredths of an hour. Throws `RangeError` for what is no time of a day with sun. */
export function digitsOf(hundredths: ArrayLike<number>): string {
  let digits = '';
  for (let i = 0; i < hundredths.length; i++) {
    const digit = HOUR_DIGITS[Math.floor(hundredths[i] / 100)];
    if (digit === undefined)
      throw new RangeError(`${hundredths[i] / 100} h of sun: expected 0 or more and less than 16`);
    digits += digit;
  }
  return digits;
}

/** The text of a building's faces, in face order; empty for a building without walls. */
export const facesText = (faces: readonly FaceHours[]): string =>
  faces.map(({ face, hundredths }) => FACE_LETTERS[face] + digitsOf(hundredths)).join('');

/** The most of any face by place; null for a building without walls. */
export function bestHours(faces: readonly FaceHours[]): Uint16Array | null {
  if (faces.length === 0) return null;
  const best = new Uint16Array(VALUES);
  for (const { hundredths } of faces) for (let i = 0; i < VALUES; i++) best[i] = Math.max(best[i], hundredths[i]);
  return best;
}

/**
 * Sums of the buildings of one town, in hundredths of an hour so that no order of adding changes them: for each of the
 * eight faces and, last, for the best one.
 */
export interface TownSums {
  counts: number[];
  sums: number[][];
}

const FACES = FACE_LETTERS.length;
/** Where the best face stands behind the eight. */
const BEST = FACES;

export const emptySums = (): TownSums => ({
  counts: new Array(FACES + 1).fill(0),
  sums: Array.from({ length: FACES + 1 }, () => new Array(VALUES).fill(0)),
});

/** Adds a building; one without walls (`best` is null) counts nowhere. */
export function addBuilding(town: TownSums, faces: readonly FaceHours[], best: Uint16Array | null): void {
  if (best === null) return;
  for (const { face, hundredths } of [...faces, { face: BEST, hundredths: best }]) {
    town.counts[face]++;
    const sums = town.sums[face];
    for (let i = 0; i < VALUES; i++) sums[i] += hundredths[i];
  }
}

export function addSums(to: TownSums, more: TownSums): void {
  for (let face = 0; face <= FACES; face++) {
    to.counts[face] += more.counts[face];
    for (let i = 0; i < VALUES; i++) to.sums[face][i] += more.sums[face][i];
  }
}

/** What a town's area says in a tile: means over its buildings, as texts, and how many they are. */
export interface TownHours {
  /** Buildings with walls. */
  n: number;
  best?: string;
  faces?: string;
}

export function townHours({ counts, sums }: TownSums): TownHours {
  const digits = (face: number): string => digitsOf(sums[face].map((sum) => sum / counts[face]));
  const n = counts[BEST];
  if (n === 0) return { n };
  const known = Array.from(FACE_LETTERS, (letter, face) => (counts[face] > 0 ? letter + digits(face) : ''));
  return { n, best: digits(BEST), faces: known.join('') };
}
