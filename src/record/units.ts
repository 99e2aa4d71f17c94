/**
 * The units in which a record stores its numbers, and the conversions. An answer has exactly these numbers, so `near`,
 * `full` and Parquet agree to the digit.
 */

/** Degrees of latitude and longitude: 10⁻⁸ (1.1 mm). */
export const degreeUnits = (degrees: number): number => Math.round(degrees * 1e8);
export const fromDegreeUnits = (units: number): number => units / 1e8;

/** Metres: whole centimetres. */
export const centimetres = (metres: number): number => Math.round(metres * 100);
export const fromCentimetres = (cm: number): number => cm / 100;

/** Azimuths: tenths of a degree, 0–3599, and the bits that these take. */
export const AZIMUTH_BITS = 12;
export const tenthDegrees = (degrees: number): number => (((Math.round(degrees * 10) % 3600) + 3600) % 3600) | 0;
export const fromTenthDegrees = (tenths: number): number => tenths / 10;

/** Hours and minutes of sun: hundredths of an hour (0.6 minutes), rounded as in sunlight/summary.ts. */
export const hundredths = (hours: number): number => Math.round(hours * 100);
export const hoursOf = (units: number): number => units / 100;
export const hundredthHours = (minutes: number): number => Math.round((minutes * 100) / 60);
export const minutesOf = (units: number): number => (units * 6) / 10;

/** Shares, 0 to 1: ten-thousandths, and the bits that these take. */
export const SHARE_BITS = 14;
export const shareUnits = (share: number): number => Math.round(share * 1e4);
export const fromShareUnits = (units: number): number => units / 1e4;
