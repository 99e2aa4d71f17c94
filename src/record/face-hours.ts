import { type FaceSunlight, FLOOR_CLASSES, MONTHS } from '../sunlight/result.ts';
import { headlineFaces } from '../sunlight/summary.ts';
import type { EncodedBuilding } from './codec.ts';
import { fromTenthDegrees, hundredthHours, tenthDegrees } from './units.ts';

/**
 * The numbers of a packed face: its index with a flag, its azimuth, its hours of sun by floor class and month, and its
 * hours without obstacles by month.
 */
const HEAD_NUMBERS = 2;
const SUN_NUMBERS = FLOOR_CLASSES.length * MONTHS;
const FACE_NUMBERS = HEAD_NUMBERS + SUN_NUMBERS + MONTHS;
/** The flag of a face that counts for the building (`headlineFaces`), added to its index. */
const HEADLINE = 8;

/** The hours of one face in hundredths, as in every answer. */
export interface FaceHundredths {
  /** Index into DIRECTIONS. */
  face: number;
  azimuthDeg: number;
  /** True for a face that counts for the building (`headlineFaces`). */
  headline: boolean;
  /** [floorClass × 12 + month]. */
  sun: Uint16Array;
  /** [month]. */
  unshaded: Uint16Array;
}

/**
 * The hours of a building's faces, in hundredths, in one list (see `FACE_NUMBERS`). Bulk files and map need only this
 * part of a record's body, so they need not decode it.
 */
export function packFaceHours(faces: readonly FaceSunlight[]): Uint16Array {
  const packed = new Uint16Array(FACE_NUMBERS * faces.length);
  const isHeadline = headlineFaces(faces.map(({ wallLengthM }) => wallLengthM));
  for (const [i, { face, azimuthDeg, sunMinutes, unshadedMinutes }] of faces.entries()) {
    const at = FACE_NUMBERS * i;
    packed[at] = face | (isHeadline[i] ? HEADLINE : 0);
    packed[at + 1] = tenthDegrees(azimuthDeg);
    const sunAt = at + HEAD_NUMBERS;
    const unshadedAt = sunAt + SUN_NUMBERS;
    for (let k = 0; k < SUN_NUMBERS; k++) packed[sunAt + k] = hundredthHours(sunMinutes[k]);
    for (let month = 0; month < MONTHS; month++) packed[unshadedAt + month] = hundredthHours(unshadedMinutes[month]);
  }
  return packed;
}

/** Decodes the faces that `packFaceHours` packed. Their hours are parts of `packed`, not copies. */
export function faceHours(packed: Uint16Array): FaceHundredths[] {
  return Array.from({ length: packed.length / FACE_NUMBERS }, (_, i) => {
    const at = FACE_NUMBERS * i;
    const sunAt = at + HEAD_NUMBERS;
    const unshadedAt = sunAt + SUN_NUMBERS;
    return {
      face: packed[at] & ~HEADLINE,
      azimuthDeg: fromTenthDegrees(packed[at + 1]),
      headline: (packed[at] & HEADLINE) !== 0,
      sun: packed.subarray(sunAt, unshadedAt),
      unshaded: packed.subarray(unshadedAt, unshadedAt + MONTHS),
    };
  });
}

/** A building with the hours of its faces from `packFaceHours`, so that only the head of its record is decoded. */
export interface ComputedBuilding extends EncodedBuilding {
  hours: Uint16Array;
}
