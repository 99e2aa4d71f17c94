import { FIRST_AZIMUTH, LAST_AZIMUTH, placeOfAzimuth } from './image-planes.ts';
import { type Skyline, startSkyline } from './skyline.ts';
import { type FrontTimes, frontTimes, type Reading, readSkyline } from './skyline-reading.ts';
import { drawScene } from './skyline-walk.ts';
import type { SunCurves } from './sun-curves.ts';

const DAYS = 12;

/** Places among the bins of all that the planes span: the one stretch of an eye without a wall. */
export function wholeStretch(planeBins: number, out: Float64Array): number {
  out[0] = placeOfAzimuth(FIRST_AZIMUTH, planeBins);
  out[1] = placeOfAzimuth(LAST_AZIMUTH, planeBins);
  return 1;
}

/**
 * The stretches of the planes that lie in front of a wall with the outward normal `azimuth` (degrees from grid north,
 * any turn): [from, to, …], places among the bins in the order of the sun. Gives their number, 1 or 2.
 */
export function stretchesBefore(azimuth: number, planeBins: number, out: Float64Array): number {
  const normal = ((azimuth % 360) + 360) % 360;
  let count = 0;
  for (let turn = -360; turn <= 360; turn += 360) {
    const from = Math.max(FIRST_AZIMUTH, normal + turn - 90);
    const to = Math.min(LAST_AZIMUTH, normal + turn + 90);
    if (from >= to) continue;
    out[2 * count] = placeOfAzimuth(from, planeBins);
    out[2 * count + 1] = placeOfAzimuth(to, planeBins);
    count++;
  }
  return count;
}

const front: FrontTimes = { start: new Float64Array(DAYS), end: new Float64Array(DAYS) };

/**
 * Draws and reads what the eyes of a skyline (their place, heights, building and turn being set) see over `count`
 * stretches. Adds each month's whole minutes with the sun over the horizon there to `unshaded`.
 */
export function seeColumn(
  skyline: Skyline,
  curves: SunCurves,
  stretches: Float64Array,
  count: number,
  reading: Reading,
  unshaded: Float64Array,
): void {
  startSkyline(skyline, curves, stretches, count);
  drawScene(skyline);
  for (let i = 0; i < 2 * count; i += 2) {
    const from = stretches[i]!;
    const to = stretches[i + 1]!;
    frontTimes(curves, from, to, front);
    for (let rank = 0; rank < DAYS; rank++) {
      const minutes = Math.round(front.end[rank]!) - Math.round(front.start[rank]!);
      if (minutes > 0) unshaded[curves.rankMonth[rank]!]! += minutes;
    }
    for (let eye = 0; eye < skyline.eyes; eye++) readSkyline(skyline, eye, curves, from, to, front, reading);
  }
}
