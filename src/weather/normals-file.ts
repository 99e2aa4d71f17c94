/** A file of normals that cannot be read. The message says which file, where, and what was expected. */
export class NormalsFileError extends Error {
  override name = 'NormalsFileError';
}

/** Hours of sunshine in each month at a place, degrees. */
export interface PlacedNormal {
  lat: number;
  lon: number;
  hours: readonly number[];
}

export const MONTHS = 12;
/** A month has at most 31 days of 15 hours. */
export const MOST_MONTH = 465;
/** A year of sunshine in Japan, hours: stations have 1,300 to 2,300. A value outside is another column or unit. */
const LEAST_YEAR = 800;
const MOST_YEAR = 3000;
/** The sum of twelve months differs by rounding from the published year; that of a wrong column differs by more. */
const SUM_TOLERANCE = 0.05;

/**
 * The hours of twelve months and the year in tenths of an hour, as JMA publishes them; null where one of them is missing or
 * stands for a missing value (such as 999999 or −9999).
 * @param at file and line or record, for messages
 * @throws NormalsFileError when the months do not add up to the year, or the year is not one of Japan
 */
export function hoursOfTenths(months: readonly number[], year: number, at: string): number[] | null {
  const isKnown =
    months.every((value) => value >= 0 && value < MOST_MONTH * 10) && year >= 0 && year < MOST_MONTH * 120;
  if (!isKnown) return null;
  const sum = months.reduce((total, value) => total + value, 0);
  if (Math.abs(sum - year) > SUM_TOLERANCE * year)
    throw new NormalsFileError(
      `${at}: the months add up to ${sum}, the year is ${year}; expected tenths of an hour of sunshine and their sum`,
    );
  const hours = months.map((value) => value / 10);
  checkYear(hours, at);
  return hours;
}

export function checkYear(hours: readonly number[], at: string): void {
  const year = hours.reduce((sum, value) => sum + value, 0);
  if (year >= LEAST_YEAR && year <= MOST_YEAR) return;
  throw new NormalsFileError(
    `${at}: the year has ${year.toFixed(1)} hours of sunshine; expected ${LEAST_YEAR} to ${MOST_YEAR}, the sum of twelve months`,
  );
}

/** A decimal number; NaN for anything else. */
export const numberOf = (text: string): number => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN);
