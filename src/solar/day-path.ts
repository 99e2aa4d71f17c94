import { Refraction } from 'astronomy-engine';
import { DEGREES } from '../geo/degree.ts';
import { gridSquareCentre, JAPAN } from '../geo/grid-square.ts';
import { azimuthDeg } from '../geo/plane.ts';
import { REFERENCE_DAYS, type SolarDay, valueAt } from './solar-day.ts';

/**
 * The path of the sun over one place on one day, in closed formulas: `sunAt` is exact at any instant. Only the slow
 * motion of the sun among the stars is interpolated. All times are minutes after 00:00 JST, unrounded.
 */
export interface DayPath {
  solarDay: SolarDay;
  lat: number;
  lon: number;
  /** The instants at which the apparent altitude of the sun's centre is 0. */
  sunrise: number;
  sunset: number;
  /** The sun's passage through the meridian: 12:00 true solar time. */
  noon: number;
  /** Whole turns of the hour angle before this day, radians. */
  turnsBefore: number;
}

/** A position of the sun, degrees. */
export interface SunPosition {
  /** From true north, clockwise, [0, 360). */
  azimuthDeg: number;
  /** Altitude of the centre, refracted. */
  altitudeDeg: number;
}

/** Minutes of a day. */
const DAY = 1440;
/** Largest difference of latitude or longitude between the centre of a grid square and its contents, degrees. */
const MARGIN = 1 / 80;

/**
 * The day path of a place.
 * @param lat latitude, degrees
 * @param lon longitude, degrees
 * @throws {RangeError} When the place is outside 20–46° N or 122–154° E. Inside, the sun rises and sets on every JST
 * day.
 */
export function dayPath(solarDay: SolarDay, lat: number, lon: number): DayPath {
  const { south, north, west, east } = JAPAN;
  if (!(lat >= south - MARGIN && lat <= north + MARGIN && lon >= west - MARGIN && lon <= east + MARGIN)) {
    throw new RangeError(`No sun path for ${lat}, ${lon}: expected a place in Japan, 20–46° N and 122–154° E.`);
  }
  // The hour angle grows by one turn in a day. At 12:00 JST it must be within half a turn of 0: the whole turns in it
  // belong to the days before.
  const angleAtMidday = valueAt(solarDay.sidereal, 0.5) + lon / DEGREES - valueAt(solarDay.rightAscension, 0.5);
  const turnsBefore = 2 * Math.PI * Math.round(angleAtMidday / (2 * Math.PI));
  // Noon needs only the turns; sunrise and sunset need noon.
  const path = { solarDay, lat, lon, sunrise: Number.NaN, sunset: Number.NaN, noon: Number.NaN, turnsBefore };
  path.noon = transit(path);
  path.sunrise = minuteOfAltitude(path, 0, 'morning');
  path.sunset = minuteOfAltitude(path, 0, 'evening');
  return path;
}

/** The twelve day paths of the reference year at a latitude and longitude (degrees), January first. */
export const dayPaths = (lat: number, lon: number): DayPath[] => REFERENCE_DAYS.map((day) => dayPath(day, lat, lon));

/** The sun table of a third-order grid square: the twelve day paths at its centre. */
export function sunTable(gridSquare: string): DayPath[] {
  const { lat, lon } = gridSquareCentre(gridSquare);
  return dayPaths(lat, lon);
}

/**
 * The position of the sun at a minute after 00:00 JST (any real number).
 * @throws RangeError for another value, for which `astronomy-engine` would throw a text
 */
export function sunAt(path: DayPath, minute: number): SunPosition {
  if (!Number.isFinite(minute)) throw new RangeError(`${minute} is no minute of a day`);
  return { azimuthDeg: sunAzimuthDeg(path, minute), altitudeDeg: sunAltitudeDeg(path, minute) };
}

/** The azimuth of the sun, degrees. */
function sunAzimuthDeg(path: DayPath, minute: number): number {
  const declination = valueAt(path.solarDay.declination, minute / DAY);
  const angle = hourAngle(path, minute);
  const lat = path.lat / DEGREES;
  const cosDec = Math.cos(declination);
  const east = -cosDec * Math.sin(angle);
  const north = Math.sin(declination) * Math.cos(lat) - cosDec * Math.cos(angle) * Math.sin(lat);
  return azimuthDeg(east, north);
}

/** The altitude of the sun's centre as seen from the ground, with refraction, degrees. */
export function sunAltitudeDeg(path: DayPath, minute: number): number {
  const declination = valueAt(path.solarDay.declination, minute / DAY);
  const cosAngle = Math.cos(hourAngle(path, minute));
  const lat = path.lat / DEGREES;
  const sineOfAltitude = Math.sin(lat) * Math.sin(declination) + Math.cos(lat) * Math.cos(declination) * cosAngle;
  return apparentAltitudeDeg(path, sineOfAltitude);
}

/**
 * The refracted altitude of the sun, seen from the surface of the Earth, degrees.
 * @param sine of its altitude, seen from the centre of the Earth
 */
export function apparentAltitudeDeg({ solarDay }: DayPath, sine: number): number {
  const geocentric = Math.asin(sine);
  const altitude = (geocentric - solarDay.parallax * Math.sqrt(1 - sine * sine)) * DEGREES;
  return altitude + Refraction('normal', altitude);
}

/** True solar time, minutes: 720 when the sun passes the meridian. */
export const trueSolarTime = (path: DayPath, minute: number): number =>
  DAY / 2 + (hourAngle(path, minute) * DAY) / (2 * Math.PI);

/** Hour angle of the sun, radians: 0 at the meridian, positive in the afternoon, continuous through the JST day. */
export function hourAngle({ solarDay, lon, turnsBefore }: DayPath, minute: number): number {
  const share = minute / DAY;
  return valueAt(solarDay.sidereal, share) + lon / DEGREES - valueAt(solarDay.rightAscension, share) - turnsBefore;
}

/**
 * The minute at which the hour angle is 0. The hour angle grows evenly, so a first estimate and two corrections are
 * enough.
 */
function transit(path: DayPath): number {
  let minute = DAY / 2;
  for (let i = 0; i < 3; i++) minute -= (hourAngle(path, minute) * DAY) / (2 * Math.PI);
  return minute;
}

/**
 * The minute at which the apparent altitude of the sun's centre has this value, to 10⁻⁷ minutes. The sun must reach it
 * by noon.
 */
export function minuteOfAltitude(path: DayPath, altitudeDeg: number, half: 'morning' | 'evening'): number {
  // Minutes at which the sun is lower and higher than this altitude.
  let lower = path.noon + (half === 'morning' ? -DAY : DAY) / 2;
  let higher = path.noon;
  while (Math.abs(higher - lower) > 1e-7) {
    const middle = (lower + higher) / 2;
    if (sunAltitudeDeg(path, middle) > altitudeDeg) higher = middle;
    else lower = middle;
  }
  return (lower + higher) / 2;
}

/** A number with at least two digits. */
const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** `HH:MM` of minutes after midnight, to the nearest minute. */
export function timeOfDay(minutes: number): string {
  const rounded = Math.round(minutes);
  return `${twoDigits(Math.floor(rounded / 60))}:${twoDigits(rounded % 60)}`;
}

/** `HH:MM:SS` of minutes after midnight, to the nearest second. */
export function timeOfDayWithSeconds(minutes: number): string {
  const seconds = Math.round(minutes * 60);
  return `${twoDigits(Math.floor(seconds / 3600))}:${twoDigits(Math.floor(seconds / 60) % 60)}:${twoDigits(seconds % 60)}`;
}
