import { bestHours, digitsOf, FACE_LETTERS, type FaceHours, VALUES } from './hours-text.ts';

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

/** Adds a building; one without walls counts nowhere. */
export function addBuilding(town: TownSums, faces: readonly FaceHours[]): void {
  const best = bestHours(faces);
  if (best === null) return;
  for (const { face, hours } of [...faces, { face: BEST, hours: best }]) {
    town.counts[face]++;
    const sums = town.sums[face];
    for (let i = 0; i < VALUES; i++) sums[i] += Math.round(hours[i] * 100);
  }
}

export function addSums(to: TownSums, more: TownSums): void {
  for (let face = 0; face <= FACES; face++) {
    to.counts[face] += more.counts[face];
    for (let i = 0; i < VALUES; i++) to.sums[face][i] += more.sums[face][i];
  }
}

/** What a town's area says in a tile: means over its buildings, as texts of `hours-text.ts`, and how many they are. */
export interface TownHours {
  /** Buildings with walls. */
  n: number;
  best?: string;
  faces?: string;
}

export function townHours({ counts, sums }: TownSums): TownHours {
  const digits = (face: number): string => digitsOf(sums[face].map((sum) => sum / 100 / counts[face]));
  const n = counts[BEST];
  if (n === 0) return { n };
  const known = Array.from(FACE_LETTERS, (letter, face) => (counts[face] > 0 ? letter + digits(face) : ''));
  return { n, best: digits(BEST), faces: known.join('') };
}
