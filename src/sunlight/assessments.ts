import { type DayPath, trueSolarTime } from '../solar/day-path.ts';
import { REFERENCE_YEAR, solarDay } from '../solar/solar-day.ts';

/** 冬至 of the reference year. */
export const WINTER_SOLSTICE = solarDay(REFERENCE_YEAR, 12, 22);

/**
 * Days of those that EN 17037 allows, 1 February to 21 March, of which the best counts: every fifth, and the last. With the
 * solstice they are twelve, as many as the kernel takes at once. The last comes first: where days are alike it is the one that is named.
 */
const EXPOSURE_DAYS = [
  ...[21, 18, 13, 8, 3].map((day) => solarDay(REFERENCE_YEAR, 3, day)),
  ...[26, 21, 16, 11, 6, 1].map((day) => solarDay(REFERENCE_YEAR, 2, day)),
];

/** The days of the rules: the solstice, then those of EN 17037. */
export const RULE_DAYS = [WINTER_SOLSTICE, ...EXPOSURE_DAYS];

/** Hours of true solar time between which Japanese rules on shadows count, and those of Hokkaido. */
const SHADOW_HOURS = { from: 8, to: 16 } as const;
const SHADOW_HOURS_HOKKAIDO = { from: 9, to: 15 } as const;

/** The prefecture of Hokkaido, with which its building IDs begin. */
const HOKKAIDO = '01';

/** The hours of the rules on shadows where a building stands, by its ID. */
export const shadowHours = (buildingId: string | null): { readonly from: number; readonly to: number } =>
  buildingId?.startsWith(HOKKAIDO) ? SHADOW_HOURS_HOKKAIDO : SHADOW_HOURS;

/** Levels of sunlight exposure of EN 17037, the highest first: the least hours of a day. */
const EXPOSURE_LEVELS = [
  { level: 'high', hours: 4 },
  { level: 'medium', hours: 3 },
  { level: 'minimum', hours: 1.5 },
] as const;

type ExposureLevel = (typeof EXPOSURE_LEVELS)[number]['level'] | 'none';

/** The level of EN 17037 that a number of hours of sun reaches. */
export const exposureLevel = (hours: number): ExposureLevel =>
  EXPOSURE_LEVELS.find((step) => hours >= step.hours)?.level ?? 'none';

/** The minute (JST) at which true solar time shows an hour. It runs all but evenly, so some corrections settle it. */
export function minuteOfSolarHour(path: DayPath, hour: number): number {
  let minute = path.noon + (hour - 12) * 60;
  for (let i = 0; i < 3; i++) minute += hour * 60 - trueSolarTime(path, minute);
  return minute;
}

/** The parts of intervals [start, end, start, end …] between two minutes. */
export function within(intervals: readonly number[], from: number, to: number): number[] {
  const inside: number[] = [];
  for (let i = 0; i < intervals.length; i += 2) {
    const [start, end] = [Math.max(from, intervals[i] ?? 0), Math.min(to, intervals[i + 1] ?? 0)];
    if (end > start) inside.push(start, end);
  }
  return inside;
}
