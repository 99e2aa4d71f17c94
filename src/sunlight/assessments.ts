import { type DayPath, trueSolarTime } from '../solar/day-path.ts';
import { REFERENCE_YEAR, solarDay } from '../solar/solar-day.ts';

/** The days of the rules, in the reference year: 冬至, and the last day that EN 17037 allows. */
export const RULE_DAYS = [solarDay(REFERENCE_YEAR, 12, 22), solarDay(REFERENCE_YEAR, 3, 21)] as const;

/** Hours of true solar time between which Japanese rules on shadows count, and those of Hokkaido. */
export const SHADOW_HOURS = { from: 8, to: 16 } as const;
export const SHADOW_HOURS_HOKKAIDO = { from: 9, to: 15 } as const;

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
