import type { Kernel } from './compute.ts';
import { seeColumn, wholeStretch } from './skyline-column.ts';
import { emptyReading } from './skyline-reading.ts';
import type { SunCurves } from './sun-curves.ts';
import { meanMinutes, sunlitWindows } from './windows.ts';

const MONTHS = 12;
const RADIANS = Math.PI / 180;

/** What the sun does to a free receptor: no wall, so all directions count. By month, January first. */
export interface PointSunlight {
  /** Whole minutes of direct sun. */
  sunMinutes: Float64Array;
  /** The same with nothing in the way. */
  unshadedMinutes: Float64Array;
  /** Windows [start, end, start, end …] in whole minutes after 00:00 JST. */
  windows: number[][];
}

const stretch = new Float64Array(2);

/**
 * Computes one free receptor in the kernel's scene: x, y in the scene's plane, z above its datum, metres; grid north
 * there lies `convergenceDeg` clockwise of true north. Inside a building that rises over it there is no sun.
 */
export function computePoint(
  kernel: Kernel,
  curves: SunCurves,
  x: number,
  y: number,
  z: number,
  convergenceDeg: number,
): PointSunlight {
  const { skyline, reading } = kernel;
  skyline.x = x;
  skyline.y = y;
  skyline.z[0] = z;
  skyline.eyes = 1;
  skyline.own = -1;
  skyline.turn = (convergenceDeg - curves.convergenceDeg) * RADIANS;
  emptyReading(reading);
  const unshadedMinutes = new Float64Array(MONTHS);
  seeColumn(skyline, curves, stretch, wholeStretch(skyline.planeBins, stretch), reading, unshadedMinutes);
  const days = reading.lit.slice(0, MONTHS);
  return {
    sunMinutes: Float64Array.from(days, (lit, month) => meanMinutes(lit, 1, reading.litLength[month])),
    unshadedMinutes,
    windows: days.map((lit, month) => sunlitWindows(lit, 1, reading.litLength[month])),
  };
}
