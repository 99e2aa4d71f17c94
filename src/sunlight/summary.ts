import { type FaceSunlight, FLOOR_CLASSES, MONTHS } from './result.ts';

const DECEMBER = 11;
const SOUTH_DEG = 180;
const FIRST = FLOOR_CLASSES.indexOf('first');
const TOP = FLOOR_CLASSES.indexOf('top');

/** Hours of direct sun as every answer gives them: minutes to the nearest 0.01 h. */
export const roundedHours = (minutes: number): number => Math.round((minutes * 100) / 60) / 100;

/** An azimuth as every answer gives it: to the nearest 0.1°, in [0, 360). */
export const roundedAzimuth = (degrees: number): number => (Math.round(degrees * 10) % 3600) / 10;

/** Hours of direct sun of a face on the 15th of a month (0–11) in hundredths, as the full answer gives them. */
const hundredthsOf = ({ sunMinutes }: FaceSunlight, floor: number, month: number): number =>
  Math.round((sunMinutes[floor * MONTHS + month] * 100) / 60);

/** A face stands for its building from this length of walls on, metres, */
const LONG_M = 10;
/** or from this one, */
const LEAST_LENGTH_M = 2;
/** where it has this share of all walls. */
const LEAST_SHARE = 0.05;

/**
 * Which faces stand for their building, by the lengths of their walls: the corner that a jog leaves is no wall that anybody
 * lives behind. Where no face is long enough all do. Lengths count as every answer gives them, to a centimetre.
 */
export function headlineFaces(wallLengthsM: readonly number[]): boolean[] {
  const lengths = wallLengthsM.map((length) => Math.round(length * 100));
  const share = LEAST_SHARE * lengths.reduce((sum, length) => sum + length, 0);
  const least = Math.min(LONG_M * 100, Math.max(LEAST_LENGTH_M * 100, share));
  const long = lengths.map((length) => length >= least);
  return long.includes(true) ? long : long.map(() => true);
}

export interface FaceHours {
  /** Index into FACES. */
  face: number;
  azimuthDeg: number;
  directSunHours: number;
}

export interface SunlightSummary {
  /** Top floor, 15 December: of the headline faces the one with most hours; the first in face order of those that tie. */
  decemberTopBest: FaceHours;
  /** First floor, 15 December: of the headline faces the one whose azimuth is nearest to 180°; the first in face order of those that tie. */
  decemberFirstSouth: FaceHours;
  /** Top floor: of the headline faces the largest mean over the twelve months, to 0.01 h. */
  annualMeanHours: number;
}

/**
 * The summary of a building, made of nothing but the rounded values of its full answer, so that who has that
 * answer can make the summary again. `all`: at least one face, in face order.
 */
export function summarise(all: readonly FaceSunlight[]): SunlightSummary {
  const isHeadline = headlineFaces(all.map(({ wallLengthM }) => wallLengthM));
  const faces = all.filter((_, i) => isHeadline[i]);
  const hours = (face: FaceSunlight, floor: number): FaceHours => ({
    face: face.face,
    azimuthDeg: roundedAzimuth(face.azimuthDeg),
    directSunHours: hundredthsOf(face, floor, DECEMBER) / 100,
  });
  const best = first(faces, (face) => -hundredthsOf(face, TOP, DECEMBER));
  const south = first(faces, ({ azimuthDeg }) => Math.abs(roundedAzimuth(azimuthDeg) - SOUTH_DEG));
  return {
    decemberTopBest: hours(best, TOP),
    decemberFirstSouth: hours(south, FIRST),
    annualMeanHours: Math.max(...faces.map(annualTopHours)),
  };
}

/** Mean of the twelve rounded values, to 0.01 h. */
function annualTopHours(face: FaceSunlight): number {
  let sum = 0;
  for (let month = 0; month < MONTHS; month++) sum += hundredthsOf(face, TOP, month);
  return Math.round(sum / MONTHS) / 100;
}

/** The first of those with the least value. */
function first<T extends object>(items: readonly T[], value: (item: T) => number): T {
  let best = items[0];
  let least = Infinity;
  for (const item of items) {
    const found = value(item);
    if (found < least) [best, least] = [item, found];
  }
  return best;
}
