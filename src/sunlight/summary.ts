import { roundedAzimuth } from '../geo/rounding.ts';
import { type FaceSunlight, FLOOR_CLASSES, MONTHS } from './result.ts';

/** Month, 0–11. */
const DECEMBER = 11;
const SOUTH_DEG = 180;
const FIRST_FLOOR = FLOOR_CLASSES.indexOf('first');
const TOP_FLOOR = FLOOR_CLASSES.indexOf('top');

/** Hours of direct sun in every answer: minutes rounded to 0.01 h. */
export const hoursOfMinutes = (minutes: number): number => Math.round((minutes * 100) / 60) / 100;

/** Hours of direct sun of a face on the 15th of a month (0–11) in hundredths, as in the full answer. */
const hundredthsOf = ({ sunMinutes }: FaceSunlight, floor: number, month: number): number =>
  Math.round((sunMinutes[floor * MONTHS + month] * 100) / 60);

/** A face with this length of walls always counts for its building, metres. */
const LONG_M = 10;
/** A shorter face counts from this length on, metres, if it has also the share below. */
const LEAST_LENGTH_M = 2;
/** Share of the length of all walls from which on a shorter face counts. */
const LEAST_SHARE = 0.05;

/**
 * For each face: true when the figures of its whole building (best face, mean) use it. A face counts when it has
 * LEAST_SHARE of the length of all walls and at least LEAST_LENGTH_M, or LONG_M in any case. So faces of short walls at
 * corners do not count. If no face is long enough, all count. Lengths are compared in whole centimetres, as in answers.
 */
export function headlineFaces(wallLengthsM: readonly number[]): boolean[] {
  const lengthsCm = wallLengthsM.map((length) => Math.round(length * 100));
  const shareCm = LEAST_SHARE * lengthsCm.reduce((sum, length) => sum + length, 0);
  const leastCm = Math.min(LONG_M * 100, Math.max(LEAST_LENGTH_M * 100, shareCm));
  const areLong = lengthsCm.map((length) => length >= leastCm);
  return areLong.includes(true) ? areLong : areLong.map(() => true);
}

/** Hours of direct sun of one face. */
export interface FaceHours {
  /** Index into DIRECTIONS. */
  face: number;
  azimuthDeg: number;
  directSunHours: number;
}

/** What lists of buildings show of their sunlight. */
export interface SunlightSummary {
  /** Top floor, 15 December: the headline face with the most hours; of equal ones the first. */
  decemberTopBest: FaceHours;
  /** First floor, 15 December: the headline face whose azimuth is nearest to 180°; of equal ones the first. */
  decemberFirstSouth: FaceHours;
  /** Top floor: the largest mean of a headline face over the twelve months, to 0.01 h. */
  annualMeanHours: number;
}

/**
 * The summary of a building, of its headline faces: those with enough wall to count (`headlineFaces`). It is made of
 * the rounded values of its full answer only, so a client can make it again.
 * @param faces at least one face, in face order
 */
export function summarise(faces: readonly FaceSunlight[]): SunlightSummary {
  const isHeadline = headlineFaces(faces.map(({ wallLengthM }) => wallLengthM));
  const headlines = faces.filter((_, i) => isHeadline[i]);
  const hours = (face: FaceSunlight, floor: number): FaceHours => ({
    face: face.face,
    azimuthDeg: roundedAzimuth(face.azimuthDeg),
    directSunHours: hundredthsOf(face, floor, DECEMBER) / 100,
  });
  const best = leastBy(headlines, (face) => -hundredthsOf(face, TOP_FLOOR, DECEMBER));
  const south = leastBy(headlines, ({ azimuthDeg }) => Math.abs(roundedAzimuth(azimuthDeg) - SOUTH_DEG));
  const annualMeans = headlines.map(topFloorMeanHours);
  return {
    decemberTopBest: hours(best, TOP_FLOOR),
    decemberFirstSouth: hours(south, FIRST_FLOOR),
    annualMeanHours: Math.max(...annualMeans),
  };
}

/** Hours of a face on the top floor: the mean of the twelve rounded values, to 0.01 h. */
function topFloorMeanHours(face: FaceSunlight): number {
  let sum = 0;
  for (let month = 0; month < MONTHS; month++) sum += hundredthsOf(face, TOP_FLOOR, month);
  return Math.round(sum / MONTHS) / 100;
}

/** The item with the smallest value; of equal ones the first. */
function leastBy<T extends object>(items: readonly T[], measure: (item: T) => number): T {
  let result = items[0];
  let least = Infinity;
  for (const item of items) {
    const value = measure(item);
    if (value < least) [result, least] = [item, value];
  }
  return result;
}
