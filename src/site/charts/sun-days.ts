import { type DayPath, dayPaths, type SunPosition, sunAt } from '../../solar/day-path.ts';

/** A part of a day, minutes after midnight JST. */
type DayPart = readonly [from: number, to: number];

/** The sun over one place on the 15th of one month. */
export interface SunDay {
  month: number;
  sunrise: number;
  sunset: number;
  /** The position of the sun at a minute after midnight JST: azimuth from true north and altitude, degrees. */
  at(minute: number): SunPosition;
  /** The times when the sun is up and in front of a wall with this azimuth. */
  before(azimuthDeg: number): DayPart[];
}

/** The twelve days of the sun over a place, January first. */
export function sunDays(lat: number, lon: number): SunDay[] {
  return dayPaths(lat, lon).map((path, index) => ({
    month: index + 1,
    sunrise: path.sunrise,
    sunset: path.sunset,
    at: (minute) => sunAt(path, minute),
    before: (azimuthDeg) => partsBefore(path, azimuthDeg),
  }));
}

const STEP = 5;
const RADIANS = Math.PI / 180;

function partsBefore(path: DayPath, azimuthDeg: number): DayPart[] {
  const isBefore = (minute: number): boolean => Math.cos((sunAt(path, minute).azimuthDeg - azimuthDeg) * RADIANS) > 0;
  const found: DayPart[] = [];
  let start = isBefore(path.sunrise) ? path.sunrise : null;
  for (let minute = path.sunrise; minute < path.sunset; minute += STEP) {
    const next = Math.min(minute + STEP, path.sunset);
    const then = isBefore(next);
    if (then === (start !== null)) continue;
    const turn = turningPoint(isBefore, minute, next);
    if (start === null) start = turn;
    else {
      found.push([start, turn]);
      start = null;
    }
  }
  if (start !== null) found.push([start, path.sunset]);
  return found;
}

/** The minute between `from` and `to` at which the answer changes, to a second. */
function turningPoint(isBefore: (minute: number) => boolean, from: number, to: number): number {
  const first = isBefore(from);
  let [low, high] = [from, to];
  while (high - low > 1 / 60) {
    const middle = (low + high) / 2;
    if (isBefore(middle) === first) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
