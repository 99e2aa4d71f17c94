import type { FaceSunlight } from '../sunlight/result.ts';
import { headlineFaces } from '../sunlight/summary.ts';
import type { EncodedBuilding } from './codec.ts';
import { fromTenthDegrees, hundredthHours, tenthDegrees } from './units.ts';

/**
 * For each face: its number with a mark, its direction, then the sun of 36 floors and months, and twelve months without
 * obstacles.
 */
const SUN = 36;
const UNSHADED = 12;
const HEAD = 2;
const EACH = HEAD + SUN + UNSHADED;
/** The mark of a headline face, added to its number. */
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
 * The hours of a building's faces in one list. Bulk files and map need only this part of a record's body, so they need
 * not decode it.
 */
export function packFaceHours(faces: readonly FaceSunlight[]): Uint16Array {
  const packed = new Uint16Array(EACH * faces.length);
  const isHeadline = headlineFaces(faces.map(({ wallLengthM }) => wallLengthM));
  for (const [i, { face, azimuthDeg, sunMinutes, unshadedMinutes }] of faces.entries()) {
    const at = EACH * i;
    packed[at] = face | (isHeadline[i] ? HEADLINE : 0);
    packed[at + 1] = tenthDegrees(azimuthDeg);
    for (let k = 0; k < SUN; k++) packed[at + HEAD + k] = hundredthHours(sunMinutes[k]);
    for (let k = 0; k < UNSHADED; k++) packed[at + HEAD + SUN + k] = hundredthHours(unshadedMinutes[k]);
  }
  return packed;
}

/** Decodes the faces that `packFaceHours` packed. Their hours are views of the bytes. */
export function faceHours(packed: Uint16Array): FaceHundredths[] {
  return Array.from({ length: packed.length / EACH }, (_, i) => {
    const at = EACH * i + HEAD;
    return {
      face: packed[at - HEAD] & ~HEADLINE,
      azimuthDeg: fromTenthDegrees(packed[at - 1]),
      headline: (packed[at - HEAD] & HEADLINE) !== 0,
      sun: packed.subarray(at, at + SUN),
      unshaded: packed.subarray(at + SUN, at + SUN + UNSHADED),
    };
  });
}

/** A building with the hours of its faces from `packFaceHours`, so that only the head of its record is decoded. */
export interface ComputedBuilding extends EncodedBuilding {
  hours: Uint16Array;
}
