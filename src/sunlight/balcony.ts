import { type DayPath, sunAt } from '../solar/day-path.ts';
import type { FloorSunlight } from './floor.ts';
import { RECEPTOR_OFFSET_M } from './receptors.ts';
import { commonWindows } from './windows.ts';

/**
 * What is before a window on its own wall: the slab of the balcony above, walls at both sides, a recess. The slab has
 * no ends along the wall, like the balconies of neighbouring flats. The side walls are as high as the storey. Metres.
 */
export interface Balcony {
  /** How far the slab stands out from the wall. */
  overhangM: number;
  /** Height of its lower edge above the floor. */
  overhangHeightM: number;
  /** How far the side walls stand out from the wall. */
  sideM: number;
  /** From the middle of the window to each side wall. */
  sideDistanceM: number;
  /** How far the window is behind the wall. A recess counts as a slab and side walls of that depth. */
  setbackM: number;
}

const RADIANS = Math.PI / 180;
const RIGHT_ANGLE = 90;

/**
 * The sun of a floor behind a balcony, which is the same before every receptor. `eyeHeightM` is the height of the
 * receptors above the floor.
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

/** Removes from lit intervals of a day what the balcony takes; the wall faces an azimuth from true north. */
export type BalconyClip = (wallDeg: number, day: number, lit: readonly number[]) => number[];

export function balconyClip(paths: readonly DayPath[], balcony: Balcony, eyeHeightM: number): BalconyClip {
  const freeBefore = new Map<number, number[][]>();
  return (wallDeg, day, lit) => {
    const free = freeBefore.get(wallDeg) ?? paths.map((path) => freeMinutes(path, wallDeg, balcony, eyeHeightM));
    freeBefore.set(wallDeg, free);
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
  let was = false;
  for (let minute = Math.floor(path.sunrise); minute <= last; minute++) {
    const is = minute < last && isFree(path, minute + 0.5, wallDeg, balcony, eyeHeightM);
    if (is !== was) intervals.push(minute);
    was = is;
  }
  return intervals;
}

/** Whether a ray from the window to the sun leaves the balcony between slab and side walls. */
function isFree(path: DayPath, minute: number, wallDeg: number, balcony: Balcony, eyeHeightM: number): boolean {
  const { azimuthDeg, altitudeDeg } = sunAt(path, minute);
  const aside = ((azimuthDeg - wallDeg + 540) % 360) - 180;
  if (Math.abs(aside) >= RIGHT_ANGLE) return true;
  return Math.tan(altitudeDeg * RADIANS) < freeSlope(balcony, eyeHeightM, aside * RADIANS);
}

/**
 * The tangent of the altitude from which the balcony hides the sky before a window, in a direction before the wall
 * (radians from the wall's normal). −∞: a side wall hides all of it; ∞: nothing is hidden.
 */
export function freeSlope(balcony: Balcony, eyeHeightM: number, aside: number): number {
  const { overhangM, overhangHeightM, sideM, sideDistanceM, setbackM } = balcony;
  // Receptors are a little in front of the wall: this part of the depth is behind them.
  const [slab, side] = [overhangM, sideM].map((depth) => depth + setbackM - RECEPTOR_OFFSET_M);
  if (side > 0 && Math.abs(Math.tan(aside)) * side >= sideDistanceM) return -Infinity;
  return slab > 0 ? ((overhangHeightM - eyeHeightM) * Math.cos(aside)) / slab : Infinity;
}
