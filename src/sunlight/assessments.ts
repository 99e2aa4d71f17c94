import { type DayPath, trueSolarTime } from '../solar/day-path.ts';
import { REFERENCE_YEAR, solarDay } from '../solar/solar-day.ts';

/** The winter solstice (冬至) of the reference year. */
export const WINTER_SOLSTICE = solarDay(REFERENCE_YEAR, 12, 22);

/** The days that EN 17037 allows, 1 February to 21 March, the last first: of equal days it is the one that is named. */
const ALL_EXPOSURE_DAYS = [
  ...Array.from({ length: 21 }, (_, i) => solarDay(REFERENCE_YEAR, 3, 21 - i)),
  ...Array.from({ length: 28 }, (_, i) => solarDay(REFERENCE_YEAR, 2, 28 - i)),
];

/**
 * True for the eleven days of EN 17037 that are always computed: the last day, every fifth day and the first. The
 * kernel computes at most twelve days at once, and the solstice is one of them.
 */
const isAlwaysComputed = (_: unknown, i: number): boolean =>
  i % 5 === 3 || i === 0 || i === ALL_EXPOSURE_DAYS.length - 1;

/** The days of the rules: the solstice, then eleven of EN 17037. */
export const RULE_DAYS = [WINTER_SOLSTICE, ...ALL_EXPOSURE_DAYS.filter(isAlwaysComputed)];

/** The other days of EN 17037. They are computed only if they may reach a higher level. */
export const OTHER_EXPOSURE_DAYS = ALL_EXPOSURE_DAYS.filter((day, i) => !isAlwaysComputed(day, i));

/**
 * Assumed limit of the hours by which the best of all days exceeds the best of the eleven. On 14,712 walls in three
 * cities it was at most 0.17.
 */
const MOST_GAIN_HOURS = 0.5;

/** Hours of true solar time that Japanese shadow rules count, and those for Hokkaido. */
const SHADOW_HOURS = { from: 8, to: 16 } as const;
const SHADOW_HOURS_HOKKAIDO = { from: 9, to: 15 } as const;

/** Prefix of building IDs in Hokkaido. */
const HOKKAIDO = '01';

/** The hours of the shadow rules for a building, by its ID. */
export const shadowHours = (buildingId: string | null): { readonly from: number; readonly to: number } =>
  buildingId?.startsWith(HOKKAIDO) ? SHADOW_HOURS_HOKKAIDO : SHADOW_HOURS;

/** Levels of sunlight exposure of EN 17037 with their minimum hours, the highest first. */
const EXPOSURE_LEVELS = [
  { level: 'high', hours: 4 },
  { level: 'medium', hours: 3 },
  { level: 'minimum', hours: 1.5 },
] as const;

type ExposureLevel = (typeof EXPOSURE_LEVELS)[number]['level'] | 'none';

/** The level of EN 17037 that these hours reach. */
export const exposureLevel = (hours: number): ExposureLevel =>
  EXPOSURE_LEVELS.find((step) => hours >= step.hours)?.level ?? 'none';

/** True when the other days may reach a higher level than these hours, the best of the eleven days. */
export const mayReachNextLevel = (hours: number): boolean =>
  hours > 0 && exposureLevel(hours + MOST_GAIN_HOURS) !== exposureLevel(hours);

/**
 * The minute (JST) at which true solar time has a given hour. It runs almost evenly, so some corrections are enough.
 */
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
