import { RADIANS } from '../geo/degree.ts';
import { type DayPath, sunAltitudeDeg } from '../solar/day-path.ts';
import { SunSteps } from '../solar/sun-steps.ts';
import { axisOfBin, azimuthOfBin, binsOfPlanes, PLANE_BINS } from './image-planes.ts';
import type { KernelExports } from './wasm.ts';

/**
 * The sun of the twelve days for the skyline kernel: curves over the image planes. The days are ranked by the sun's
 * height, lowest first: over any bin their curves are in that order.
 */
export interface SunCurves {
  /** Azimuth of grid north from true north, degrees; the planes are turned by it. */
  convergenceDeg: number;
  /** Bins of the east and west planes. */
  planeBins: number;
  /** By rank: month (0–11), curve, sunrise and sunset in minutes. */
  rankMonth: Uint8Array;
  days: readonly DayCurve[];
  sunrise: Float64Array;
  sunset: Float64Array;
}

/** The number of bins of all planes. */
const BINS = binsOfPlanes(PLANE_BINS);
/**
 * Minutes for which a curve continues below the horizon, so that a sunrise between two centres is visible from both; as
 * in `assembly/sun.ts`.
 */
const TWILIGHT = 12;

/**
 * The directions of the centres of bins: grid azimuth in degrees, the same as a vector of length 1 (east, north), and
 * the length of this vector along the plane's axis (depth).
 */
const CENTRES = centresOfBins();

/** The sun of one day at the centres of bins, from a little before sunrise until a little after sunset. */
export interface DayCurve {
  /** The first of the bins. */
  first: number;
  /** Slope of the sun at each centre, and the minute of the day at which it passes. */
  slope: Float32Array;
  minute: Float32Array;
}

/**
 * The sun of twelve days for the skyline kernel, from the day with the lowest noon to that with the highest. A path
 * that stands twice has one curve.
 * @param convergenceDeg azimuth of grid north, by which the kernel's image planes are turned
 * @param curveOf returns the curve of a day; by default it is computed
 * @throws RangeError when the sun does not move clockwise through the south, as south of the tropic
 */
export function sunCurves(
  paths: readonly DayPath[],
  convergenceDeg: number,
  curveOf: (path: DayPath) => DayCurve = (path) => dayCurve(path, convergenceDeg),
): SunCurves {
  const noonAltitudes = paths.map((path) => sunAltitudeDeg(path, path.noon));
  const order = paths.map((_, month) => month).sort((a, b) => noonAltitudes[a] - noonAltitudes[b]);
  const days: DayCurve[] = [];
  for (const [rank, month] of order.entries()) {
    const isRepeated = rank > 0 && paths[month] === paths[order[rank - 1]];
    days.push(isRepeated ? days[rank - 1] : curveOf(paths[month]));
  }
  return {
    convergenceDeg,
    planeBins: PLANE_BINS,
    rankMonth: Uint8Array.from(order),
    days,
    sunrise: Float64Array.from(order, (month) => paths[month].sunrise),
    sunset: Float64Array.from(order, (month) => paths[month].sunset),
  };
}

/**
 * Writes the sun of twelve days into the memory of a skyline kernel. The columns of receptors that it then computes use
 * this sun. The days are in order of rank: the lowest sun first.
 */
export function layCurves(kernel: KernelExports, { days, rankMonth, sunrise, sunset }: SunCurves): void {
  const { buffer } = kernel.memory;
  new Float64Array(buffer, kernel.SUNRISE.value, days.length).set(sunrise);
  new Float64Array(buffer, kernel.SUNSET.value, days.length).set(sunset);
  new Uint8Array(buffer, kernel.RANK_MONTH.value, days.length).set(rankMonth);
  const minutes = new Float32Array(buffer, kernel.MINUTE.value, BINS * days.length);
  // The slopes have a row more at either end: `startSun` fills them with −∞ and ∞, so that the kernel's search among
  // the days always ends.
  const slopes = new Float32Array(buffer, kernel.SUN.value, BINS * (days.length + 2));
  kernel.startSun();
  for (const [rank, { first: firstBin, minute, slope }] of days.entries()) {
    const slopeRow = rank + 1;
    minutes.set(minute, rank * BINS + firstBin);
    slopes.set(slope, slopeRow * BINS + firstBin);
    kernel.layDay(rank, firstBin, minute.length);
  }
}

/**
 * The curve of the sun on one day over the kernel's image planes (see `image-planes.ts`): its minute and slope at the
 * centre of each bin. In an image plane a slope is height by depth, the distance along the plane's axis. The curve
 * begins and ends with a twilight of TWILIGHT minutes.
 * @param convergenceDeg azimuth of grid north, by which the planes are turned
 * @throws RangeError when the sun does not move clockwise through the south, as south of the tropic
 */
export function dayCurve(path: DayPath, convergenceDeg: number): DayCurve {
  const slope = new Float32Array(BINS);
  const minute = new Float32Array(BINS);
  // They turn a vector from grid north to true north.
  const [sinTurn, cosTurn] = [Math.sin(convergenceDeg * RADIANS), Math.cos(convergenceDeg * RADIANS)];
  const start = path.sunrise - TWILIGHT;
  const stop = path.sunset + TWILIGHT;
  const step = (stop - start) / Math.ceil(stop - start);
  // The minutes of the steps are rounded sums: the last may be a little less or more than `stop`.
  const nearlyStop = stop - step / 2;
  // The minute and the altitude in degrees at which the sun passes a centre.
  const passage = new Float64Array(2);

  // The azimuth grows through the day: the steps follow it minute by minute, and each centre is found within its step.
  const steps = new SunSteps(path, start);
  steps.stepTo(start + step);
  // The bins [first, end) have the sun of the day.
  let [first, end] = [0, 0];
  for (let bin = 0; bin < BINS; bin++) {
    const azimuth = CENTRES.azimuth[bin] + convergenceDeg;
    while (azimuth > steps.toAzimuth && steps.to < nearlyStop) {
      steps.stepTo(steps.to + step);
      if (steps.toAzimuth <= steps.fromAzimuth) {
        throw new RangeError(`The sun runs back at ${path.lat}° N: the kernel needs a place north of the tropic.`);
      }
    }
    const isAfterCurve = azimuth > steps.toAzimuth;
    if (isAfterCurve) break;
    end = bin + 1;
    const isBeforeCurve = azimuth < steps.fromAzimuth;
    if (isBeforeCurve) {
      first = end;
      continue;
    }
    const east = CENTRES.east[bin];
    const north = CENTRES.north[bin];
    const trueEast = east * cosTurn + north * sinTurn;
    const trueNorth = north * cosTurn - east * sinTurn;
    steps.find(azimuth, trueEast, trueNorth, passage);
    minute[bin] = passage[0];
    slope[bin] = Math.tan(passage[1] * RADIANS) / CENTRES.depth[bin];
  }
  return { first, slope: slope.slice(first, end), minute: minute.slice(first, end) };
}

/**
 * Computes {@link CENTRES}: for the centre of each bin its azimuth, its vector of length 1, and the depth of this
 * vector, which is its component along the axis of the bin's image plane (see `image-planes.ts`).
 */
function centresOfBins(): Record<'azimuth' | 'east' | 'north' | 'depth', Float64Array> {
  const azimuth = Float64Array.from({ length: BINS }, (_, bin) => azimuthOfBin(bin, PLANE_BINS));
  return {
    azimuth,
    east: azimuth.map((degrees) => Math.sin(degrees * RADIANS)),
    north: azimuth.map((degrees) => Math.cos(degrees * RADIANS)),
    depth: azimuth.map((degrees, bin) => Math.cos((degrees - axisOfBin(bin, PLANE_BINS)) * RADIANS)),
  };
}
