import { DIRECTIONS, faceTowards } from '../geo/compass.ts';

/**
 * Hours of sun as short texts that a map style can read: for each floor and month one character, the whole hours as a
 * hexadecimal digit (`3` is 3 h or more and less than 4 h). The position of a value is `floor · 12 + month`; floors are
 * first, middle, top; months count from 0.
 * `faces` has a letter for each headline face (sunlight/summary.ts), followed by its 36 digits: `A` is N, then
 * clockwise by 45° to `H`, NW. The letters are not digits, so `index-of` finds a face. For each direction without a
 * face, a letter from `I` (N) to `P` (NW) follows with that of the nearest face within 67.5°.
 * `best` has 36 digits: the largest of any face.
 */
const FACE_LETTERS = 'ABCDEFGH';
const MISSING_LETTERS = 'IJKLMNOP';
const HOUR_DIGITS = '0123456789abcdef';
/** Values of a face: three floors by twelve months. */
const VALUES_OF_FACE = 36;

/**
 * One face: its index (azimuth divided by 45°), and hundredths of an hour as in every answer, in the order of the text.
 */
interface FaceHours {
  face: number;
  sun: ArrayLike<number>;
}

/** A direction without a face, and the face that replaces it: indexes into DIRECTIONS. */
interface StandIn {
  missing: number;
  face: number;
}

/** For each direction without a face, the face that replaces it; nothing when none is near enough. */
export function standInsOf(faces: readonly { face: number; azimuthDeg: number }[]): StandIn[] {
  return DIRECTIONS.flatMap((direction, index) => {
    if (faces.some(({ face }) => face === index)) return [];
    const nearest = faceTowards(direction, faces);
    return nearest === null ? [] : [{ missing: index, face: nearest.face }];
  });
}

/** For each number of hundredths of an hour, 0 to 1599, the character of its whole hours. */
const DIGIT_OF_HUNDREDTHS = Uint8Array.from({ length: 100 * HOUR_DIGITS.length }, (_, hundredths) =>
  HOUR_DIGITS.charCodeAt(Math.floor(hundredths / 100)),
);

/**
 * Writes each number of hours as one character, its whole hours: 1250 hundredths (12.5 h) as `c`.
 * @param values hundredths of an hour; means have fractions
 * @throws RangeError for an impossible number of hours
 */
function writeDigits(values: ArrayLike<number>, out: Uint8Array, at: number): void {
  for (let i = 0; i < values.length; i++) {
    const digit = DIGIT_OF_HUNDREDTHS[Math.floor(values[i])];
    if (digit === undefined) throw new RangeError(`${values[i] / 100} h of sun: expected 0 or more and less than 16`);
    out[at + i] = digit;
  }
}

/**
 * The property `best` of a tile in ASCII: the largest hours of any face, a digit for each of three floors and twelve
 * months; empty for a building without walls.
 */
export function bestText(best: ArrayLike<number> | null): Buffer {
  const text = Buffer.allocUnsafe(best?.length ?? 0);
  if (best !== null) writeDigits(best, text, 0);
  return text;
}

/**
 * The text of a building's faces, in face order and in ASCII; empty for a building without walls.
 * @param standIns for each direction without a face, the face whose hours are shown instead
 */
export function facesText(faces: readonly FaceHours[], standIns: readonly StandIn[] = []): Buffer {
  const size = (1 + VALUES_OF_FACE) * faces.length;
  const text = Buffer.allocUnsafe(size + 2 * standIns.length);
  for (const [i, { face, sun }] of faces.entries()) {
    const at = (1 + VALUES_OF_FACE) * i;
    text[at] = FACE_LETTERS.charCodeAt(face);
    writeDigits(sun, text, at + 1);
  }
  for (const [i, { missing, face }] of standIns.entries()) {
    text[size + 2 * i] = MISSING_LETTERS.charCodeAt(missing);
    text[size + 2 * i + 1] = FACE_LETTERS.charCodeAt(face);
  }
  return text;
}

/** The largest hours of any face for each floor and month; null for a building without walls. */
export function bestHours(faces: readonly FaceHours[]): Uint16Array | null {
  if (faces.length === 0) return null;
  const best = new Uint16Array(VALUES_OF_FACE);
  for (const { sun } of faces) for (let i = 0; i < VALUES_OF_FACE; i++) best[i] = Math.max(best[i], sun[i]);
  return best;
}

/**
 * Sums of the buildings of one town, in hundredths of an hour, so that the order of adding does not matter: for each of
 * the eight faces and, last, for the best one.
 */
export interface TownSums {
  counts: number[];
  sums: number[][];
}

/** Index of the best face, after the eight. */
const BEST = FACE_LETTERS.length;

/** The sums of a town without buildings. */
export const emptySums = (): TownSums => ({
  counts: new Array(BEST + 1).fill(0),
  sums: Array.from({ length: BEST + 1 }, () => new Array(VALUES_OF_FACE).fill(0)),
});

/** Adds the hours of a building to the sums of its town. A building without walls (`best` is null) does not count. */
export function addBuilding(town: TownSums, faces: readonly FaceHours[], best: Uint16Array | null): void {
  if (best === null) return;
  for (const { face, sun } of [...faces, { face: BEST, sun: best }]) {
    town.counts[face]++;
    const sums = town.sums[face];
    for (let i = 0; i < VALUES_OF_FACE; i++) sums[i] += sun[i];
  }
}

/** Adds the sums of another part of the town: of the eight faces and of the best one. */
export function addSums(to: TownSums, more: TownSums): void {
  for (let face = 0; face <= BEST; face++) {
    to.counts[face] += more.counts[face];
    for (let i = 0; i < VALUES_OF_FACE; i++) to.sums[face][i] += more.sums[face][i];
  }
}

/** The values of a town's area in a tile: means over its buildings, as texts, and their number. */
export interface TownHours {
  /** Buildings with walls. */
  n: number;
  best?: string;
  faces?: string;
}

/** The mean hours of sun of a town's buildings, as texts by face. Without buildings there is only their number. */
export function townHours({ counts, sums }: TownSums): TownHours {
  const means = (face: number): number[] => sums[face].map((sum) => sum / counts[face]);
  // Every building that was added has a best face.
  const n = counts[BEST];
  if (n === 0) return { n };
  const present = Array.from(FACE_LETTERS, (_, face) => face).filter((face) => counts[face] > 0);
  const faces = present.map((face) => ({ face, sun: means(face) }));
  return { n, best: bestText(means(BEST)).toString('latin1'), faces: facesText(faces).toString('latin1') };
}
