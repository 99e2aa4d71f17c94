import {
  Body,
  EquatorFromVector,
  GeoVector,
  MakeTime,
  RotateVector,
  Rotation_EQJ_EQD,
  SiderealTime,
} from 'astronomy-engine';
import { RADIANS } from '../geo/degree.ts';

/** The year whose days stand for every year. */
export const REFERENCE_YEAR = 2026;
/** The day of each month that stands for the month. */
const REFERENCE_DAY = 15;

/** c0 + c1·t + c2·t², t being the share of the day: 0 at 00:00, 1 at 24:00 JST. */
type Parabola = readonly [c0: number, c1: number, c2: number];

/**
 * The sun over one JST day, the same for every place: apparent coordinates of the true equator and equinox of
 * date, seen from the centre of the Earth, and the turn of the Earth. Angles in radians. Within a day the true
 * curves leave these parabolas by less than a thousandth of the 0.002° allowed to a position (held by a test).
 */
export interface SolarDay {
  year: number;
  /** 1–12. */
  month: number;
  day: number;
  rightAscension: Parabola;
  declination: Parabola;
  /** Greenwich apparent sidereal time as an angle, growing through the day. */
  sidereal: Parabola;
  /** Horizontal parallax of the sun. */
  parallax: number;
}

const DAY_MS = 86_400_000;
/** JST is UTC + 9 h, without summer time. */
const JST_OFFSET_MS = 9 * 3_600_000;
/** WGS 84 equatorial radius over the astronomical unit. */
const EARTH_RADIUS_AU = 6378.137 / 149_597_870.7;

/**
 * The sun over one JST day, from `astronomy-engine`.
 * @param month 1–12
 * @throws RangeError for a day that does not exist
 */
export function solarDay(year: number, month: number, day: number): SolarDay {
  const utc = new Date(Date.UTC(year, month - 1, day));
  // `Date.UTC` takes the 40th of a month for a day of the next one, and the year 26 for 1926.
  if (utc.getUTCFullYear() !== year || utc.getUTCMonth() !== month - 1 || utc.getUTCDate() !== day)
    throw new RangeError(`${year}-${month}-${day} (year, month, day) is no day`);
  const midnight = utc.getTime() - JST_OFFSET_MS;
  const samples = [0, 0.5, 1].map((share) => geocentricSun(new Date(midnight + share * DAY_MS)));
  return {
    year,
    month,
    day,
    rightAscension: parabola(unwrapped(samples.map(({ rightAscension }) => rightAscension))),
    declination: parabola(samples.map(({ declination }) => declination)),
    sidereal: parabola(unwrapped(samples.map(({ sidereal }) => sidereal))),
    parallax: Math.asin(EARTH_RADIUS_AU / samples[1].distance),
  };
}

/** The sun over the day of a date, `YYYY-MM-DD`. */
export function dayOf(date: string): SolarDay {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  return solarDay(year, month, day);
}

/** Months of a year. */
export const MONTHS = 12;

/** The 15th of each month of the reference year, January first. */
export const REFERENCE_DAYS: readonly SolarDay[] = Array.from({ length: MONTHS }, (_, month) =>
  solarDay(REFERENCE_YEAR, month + 1, REFERENCE_DAY),
);

/** The value of a parabola at a share of the day. */
export const valueAt = (p: Parabola, share: number): number => p[0] + share * (p[1] + share * p[2]);

/** The apparent coordinates of the sun, and the turn of the Earth, at an instant. Angles in radians, distance in AU. */
function geocentricSun(date: Date) {
  const time = MakeTime(date);
  const sun = EquatorFromVector(RotateVector(Rotation_EQJ_EQD(time), GeoVector(Body.Sun, time, true)));
  return {
    rightAscension: (sun.ra * Math.PI) / 12,
    declination: sun.dec * RADIANS,
    sidereal: (SiderealTime(time) * Math.PI) / 12,
    distance: sun.dist,
  };
}

/** The parabola through values at shares 0, ½ and 1. */
function parabola([start, middle, end]: number[]): Parabola {
  const c2 = 2 * (start - 2 * middle + end);
  return [start, end - start - c2, c2];
}

/**
 * The same angles, each raised by whole turns until it is not less than the one before.
 * @param angles radians in [0, 2π). Each is less than a turn after the one before
 */
function unwrapped(angles: number[]): number[] {
  const continuous: number[] = [];
  for (const angle of angles) {
    const last = continuous.at(-1);
    continuous.push(last === undefined ? angle : angle + 2 * Math.PI * Math.ceil((last - angle) / (2 * Math.PI)));
  }
  return continuous;
}
