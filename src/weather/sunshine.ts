import { type DayPath, dayPaths, minuteOfAltitude } from '../solar/day-path.ts';

/** The sunshine of a normal year at a place. */
export interface SunshineNormal {
  /** Hours of sunshine in each month, January first. */
  hours: readonly number[];
  /** The share of days with sunshine by month, then by clock hour (0: 00:00–01:00 JST). Null: not known by hour. */
  shares: readonly (readonly number[])[] | null;
}

const CLOCK_HOURS = 24;
/** February is a mean of common and leap years. */
const DAYS_OF_MONTH: readonly number[] = [31, 28.25, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Sunshine is direct irradiance of at least 120 W/m² (WMO-No. 8). A clear sky gives it when the sun is at least this
 * high: 1367 W/m² · 0.7^(AM^0.678) (Meinel 1976), with the air mass AM of Kasten and Young (1989), is 120 W/m² at 2.6°.
 */
export const LEAST_ALTITUDE_DEG = 2.6;

/** The chance of sunshine during one day that represents its month. */
export interface SunshineChances {
  /** The minutes of the day, after 00:00 JST, between which sunshine counts. */
  from: number;
  to: number;
  /** By clock hour: the share of its minutes with sunshine in a normal year. */
  chances: readonly number[];
}

/** The minutes of a day between which sunshine is possible. */
const possibleSunshine = (path: DayPath): [from: number, to: number] => [
  minuteOfAltitude(path, LEAST_ALTITUDE_DEG, 'morning'),
  minuteOfAltitude(path, LEAST_ALTITUDE_DEG, 'evening'),
];

/** The hours of possible sunshine of the twelve months at a place in Japan, January first. */
export const possibleHours = (lat: number, lon: number): number[] =>
  dayPaths(lat, lon).map((path, month) => {
    const [from, to] = possibleSunshine(path);
    return ((to - from) / 60) * DAYS_OF_MONTH[month];
  });

/**
 * The chances of the twelve months at a place. They follow the shares of sunny days by clock hour, scaled so that an
 * open place gets exactly the hours of the normal. Without shares they are constant through the day.
 * @param paths the twelve days that represent the months, January first
 */
export function sunshineChances(paths: readonly DayPath[], { hours, shares }: SunshineNormal): SunshineChances[] {
  return paths.map((path, month) => {
    const [from, to] = possibleSunshine(path);
    const minutes = Array.from({ length: CLOCK_HOURS }, (_, hour) => minutesWithin(from, to, hour));
    const profile = shares === null ? minutes.map(() => 1) : withTwilight(shares[month], minutes);
    const unscaledMinutes = minutes.reduce((sum, count, hour) => sum + count * profile[hour], 0);
    const normalMinutes = (hours[month] * 60) / DAYS_OF_MONTH[month];
    const scale = normalMinutes / unscaledMinutes;
    return { from, to, chances: profile.map((share) => share * scale) };
  });
}

/** The sunshine of a place in a normal year. */
interface ExpectedSunshine {
  /** Hours a day, by month, January first. */
  hours: number[];
  /** Hours of the whole year. */
  year: number;
}

/**
 * The expected hours of sun in the weather of a normal year, on a day of each month and in the whole year; a mean over
 * receptors.
 * @param lit the intervals of possible sun of all receptors by month, `[start, end, start, end, …]`, minutes after
 * 00:00 JST
 */
export function expectedSunshine(
  lit: readonly ArrayLike<number>[],
  receptors: number,
  months: readonly SunshineChances[],
): ExpectedSunshine {
  const hours = months.map((chances, month) => sunnyMinutes(lit[month], chances) / receptors / 60);
  return { hours, year: hours.reduce((sum, value, month) => sum + value * DAYS_OF_MONTH[month], 0) };
}

/** The expected minutes of sunshine in intervals of possible sun, each minute weighted by the chance of its hour. */
function sunnyMinutes(lit: ArrayLike<number>, { from, to, chances }: SunshineChances): number {
  let minutes = 0;
  for (let i = 0; i < lit.length; i += 2) {
    const [start, end] = [Math.max(lit[i], from), Math.min(lit[i + 1], to)];
    for (let hour = Math.floor(start / 60); hour * 60 < end; hour++) {
      minutes += minutesWithin(start, end, hour) * chances[hour];
    }
  }
  return minutes;
}

/** The length of the part of an interval in a clock hour, minutes. */
const minutesWithin = (start: number, end: number, hour: number): number =>
  Math.max(0, Math.min(end, 60 * hour + 60) - Math.max(start, 60 * hour));

/**
 * The shares by clock hour, corrected at the ends of the day. Hours before the first whole hour of daylight take the
 * share of that hour, and hours after the last whole hour the share of the last. The published share of the hour of
 * sunrise or sunset is too small: it counts the dark part.
 * @param minutes minutes of possible sunshine by clock hour
 */
function withTwilight(shares: readonly number[], minutes: readonly number[]): number[] {
  const firstWholeHour = minutes.indexOf(60);
  const lastWholeHour = minutes.lastIndexOf(60);
  return shares.map((_, hour) => shares[Math.min(Math.max(hour, firstWholeHour), lastWholeHour)]);
}
