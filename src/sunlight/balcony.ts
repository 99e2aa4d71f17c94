import { turnBetween } from '../geo/compass.ts';
import { RADIANS } from '../geo/degree.ts';
import { type DayPath, sunAt } from '../solar/day-path.ts';
import type { FloorSunlight } from './floor.ts';
import { RECEPTOR_OFFSET_M } from './receptors.ts';
import { commonWindows } from './windows.ts';

/**
 * What hides the sky before a window on its own wall: the slab of the balcony above, walls at both sides, a recess. The
 * slab has no ends along the wall, like the balconies of neighbouring flats. The side walls are as high as the storey.
 */
export interface Balcony {
  /** How far the slab stands out from the wall, metres. */
  overhangM: number;
  /** Height of the lower edge of the slab above the floor, metres. */
  overhangHeightM: number;
  /** How far the side walls stand out from the wall, metres. */
  sideM: number;
  /** Distance from the middle of the window to each side wall, metres. */
  sideDistanceM: number;
  /** How far the window is behind the wall, metres. A recess counts as a slab and side walls of that depth. */
  setbackM: number;
}

const RIGHT_ANGLE = 90;

/**
 * The sun of a floor behind a balcony, which is the same before every receptor.
 * @param paths the sun of the days of `sunlight`
 * @param eyeHeightM height of the receptors above the floor, metres
 */
export function behindBalcony(
  sunlight: FloorSunlight,
  paths: readonly DayPath[],
  balcony: Balcony,
  eyeHeightM: number,
): FloorSunlight {
  const clip = balconyClip(paths, balcony, eyeHeightM);
  const faces = sunlight.faces.map((face) => ({
    ...face,
    receptors: face.receptors.map((receptor) => ({
      ...receptor,
      lit: receptor.lit.map((lit, day) => clip(receptor.azimuthDeg, day, lit)),
    })),
  }));
  return { ...sunlight, faces };
}

/**
 * The part of lit intervals of a day that a balcony leaves.
 * @param wallDeg direction of the wall, clockwise from true north
 * @param day index of its path
 */
export type BalconyClip = (wallDeg: number, day: number, lit: readonly number[]) => number[];

/**
 * A function that takes from the lit windows of a wall the minutes in which a balcony hides the sun. The minutes in
 * which it does not hide the sun are computed once for each direction of a wall.
 */
export function balconyClip(paths: readonly DayPath[], balcony: Balcony, eyeHeightM: number): BalconyClip {
  const freeByWall = new Map<number, number[][]>();
  return (wallDeg, day, lit) => {
    const free = freeByWall.get(wallDeg) ?? paths.map((path) => freeMinutes(path, wallDeg, balcony, eyeHeightM));
    freeByWall.set(wallDeg, free);
    return commonWindows(lit, free[day]);
  };
}

/**
 * The intervals [start, end, …] of a day, whole minutes after 00:00 JST, in which the balcony does not hide the sun.
 * They include times with the sun behind the wall. The middle of a minute decides for the minute.
 */
function freeMinutes(path: DayPath, wallDeg: number, balcony: Balcony, eyeHeightM: number): number[] {
  const intervals: number[] = [];
  const last = Math.ceil(path.sunset);
  let wasFree = false;
  for (let minute = Math.floor(path.sunrise); minute <= last; minute++) {
    // At the last minute an open interval ends.
    const isNowFree = minute < last && isFree(path, minute + 0.5, wallDeg, balcony, eyeHeightM);
    if (isNowFree !== wasFree) intervals.push(minute);
    wasFree = isNowFree;
  }
  return intervals;
}

/**
 * True when the balcony does not hide the sun: a ray from the window to the sun leaves it between slab and side walls.
 * A sun behind the wall is hidden by the wall, not by the balcony.
 */
function isFree(path: DayPath, minute: number, wallDeg: number, balcony: Balcony, eyeHeightM: number): boolean {
  const { azimuthDeg, altitudeDeg } = sunAt(path, minute);
  const aside = turnBetween(wallDeg, azimuthDeg);
  if (Math.abs(aside) >= RIGHT_ANGLE) return true;
  return Math.tan(altitudeDeg * RADIANS) < balconySlope(balcony, eyeHeightM, aside * RADIANS);
}

/**
 * The tangent of the altitude from which the balcony hides the sky before a window. −∞: a side wall hides all of it; ∞:
 * nothing is hidden.
 * @param aside the direction, radians from the wall's normal
 */
export function balconySlope(balcony: Balcony, eyeHeightM: number, aside: number): number {
  const { overhangM, overhangHeightM, sideM, sideDistanceM, setbackM } = balcony;
  // A window that is set back lies in a recess, which continues slab and side walls to the window. Receptors are a
  // little in front of the wall: this part of the depth is behind them.
  const slab = overhangM + setbackM - RECEPTOR_OFFSET_M;
  const side = sideM + setbackM - RECEPTOR_OFFSET_M;
  if (side > 0 && Math.abs(Math.tan(aside)) * side >= sideDistanceM) return -Infinity;
  // A ray in this direction passes under the edge of the slab after slab / cos(aside).
  return slab > 0 ? ((overhangHeightM - eyeHeightM) * Math.cos(aside)) / slab : Infinity;
}
