import { type DayPath, sunAltitudeDeg } from '../solar/day-path.ts';
import { SunSteps } from '../solar/sun-steps.ts';
import { axisOfBin, azimuthOfBin, binsOfPlanes, PLANE_BINS } from './image-planes.ts';

/**
 * The twelve days' sun as the skyline kernel meets it: curves over the image planes. The days are ranked by the sun's
 * height, lowest first: over any bin their curves lie in that order.
 */
export interface SunCurves {
  /** Azimuth from true north of the grid north for which the planes are turned, degrees. */
  convergenceDeg: number;
  /** Bins of the east and west planes. */
  planeBins: number;
  /** Rank → month (0–11), and back. */
  rankMonth: Uint8Array;
  monthRank: Uint8Array;
  /**
   * Slope of the sun at each bin's centre: [(rank + 1) × bins + bin]; BELOW where its day is far from over the horizon.
   * A row of −Infinity before and one of Infinity after the days' spare the kernel the ends of the list.
   */
  slope: Float32Array;
  /** Minute of the day at which the sun passes the centre: [rank × bins + bin]. Goes on a little before sunrise and after sunset, then stays. */
  minute: Float32Array;
  /** Minutes of sun up to the centre of the days of lower rank together: [number of days × bins + bin]. */
  elapsed: Float32Array;
  /** The lowest curve of a day whose sun is up around the bin; Infinity where there is none. */
  lowest: Float32Array;
  /** The bins around which any sun is ever up: [first, end). */
  first: number;
  end: number;
  /** By rank: sunrise and sunset, minutes. */
  sunrise: Float64Array;
  sunset: Float64Array;
}

/** Slope of a sun that is not there: below every skyline. */
const BELOW = -1;
const BINS = binsOfPlanes(PLANE_BINS);
/** Minutes for which a curve is followed under the horizon, so that a rise between two centres is seen from both. */
const TWILIGHT = 12;
const RADIANS = Math.PI / 180;

/** The centres of the bins: grid azimuth in degrees, as a direction of length 1, and how far that reaches along the plane's axis. */
const CENTRES = centresOfBins();

/** The sun of one day where it passes the centres of bins, from a little before sunrise until a little after sunset. */
export interface DayCurve {
  /** The first of the bins. */
  first: number;
  /** Slope of the sun at the centre of each, and the minute of the day at which it passes there. */
  slope: Float32Array;
  minute: Float32Array;
}

/**
 * The curves of twelve day paths over planes turned by the grid's convergence (degrees, azimuth of grid north).
 * @param curveOf gives the curve of a day; by default it is made.
 * @throws RangeError where the sun would not go round clockwise through the south (south of the tropic).
 */
export function sunCurves(
  paths: readonly DayPath[],
  convergenceDeg: number,
  curveOf: (path: DayPath) => DayCurve = (path) => dayCurve(path, convergenceDeg),
): SunCurves {
  const days = paths.length;
  const noonAltitude = paths.map((path) => sunAltitudeDeg(path, path.noon));
  const order = paths.map((_, month) => month).sort((a, b) => noonAltitude[a] - noonAltitude[b]);
  const curves: SunCurves = {
    convergenceDeg,
    planeBins: PLANE_BINS,
    rankMonth: Uint8Array.from(order),
    monthRank: Uint8Array.from(order.keys(), (month) => order.indexOf(month)),
    slope: new Float32Array(BINS * (days + 2)).fill(BELOW),
    minute: new Float32Array(BINS * days),
    elapsed: new Float32Array(BINS * (days + 1)),
    lowest: new Float32Array(BINS).fill(Infinity),
    first: 0,
    end: BINS,
    sunrise: Float64Array.from(order, (month) => paths[month].sunrise),
    sunset: Float64Array.from(order, (month) => paths[month].sunset),
  };
  curves.slope.fill(-Infinity, 0, BINS);
  curves.slope.fill(Infinity, BINS * (days + 1));
  order.forEach((month, rank) => {
    if (rank > 0 && paths[month] === paths[order[rank - 1]]) repeatDay(curves, rank);
    else drawDay(paths[month], curveOf(paths[month]), curves, rank);
  });
  while (curves.lowest[curves.first] === Infinity) curves.first++;
  while (curves.lowest[curves.end - 1] === Infinity) curves.end--;
  for (let rank = 0; rank < days; rank++) sumUp(curves, rank);
  return curves;
}

/** Minutes of sun up to each centre, with those of the ranks below. */
function sumUp({ minute, elapsed, sunrise, sunset }: SunCurves, rank: number): void {
  const rise = sunrise[rank];
  const set = sunset[rank];
  for (let cell = rank * BINS; cell < (rank + 1) * BINS; cell++) {
    elapsed[cell + BINS] = elapsed[cell] + Math.min(Math.max(minute[cell], rise), set) - rise;
  }
}

/** A day that is that of the rank below once more. */
function repeatDay({ slope, minute }: SunCurves, rank: number): void {
  minute.copyWithin(rank * BINS, (rank - 1) * BINS, rank * BINS);
  slope.copyWithin((rank + 1) * BINS, rank * BINS, (rank + 1) * BINS);
}

/** Puts the curve of a day into its place among the others. */
function drawDay({ sunrise, sunset }: DayPath, day: DayCurve, curves: SunCurves, rank: number): void {
  const minutes = curves.minute.subarray(rank * BINS, (rank + 1) * BINS);
  const slopes = curves.slope.subarray((rank + 1) * BINS, (rank + 2) * BINS);
  const { lowest } = curves;
  minutes.fill(sunrise - TWILIGHT, 0, day.first);
  minutes.set(day.minute, day.first);
  minutes.fill(sunset + TWILIGHT, day.first + day.minute.length);
  slopes.set(day.slope, day.first);
  let previousUp = false;
  for (let bin = 0; bin < BINS; bin++) {
    // A bin is up when the sun is up anywhere between its neighbours' centres.
    const up = minutes[bin] > sunrise && minutes[bin] < sunset;
    if (up || previousUp) lowest[bin] = Math.min(lowest[bin], slopes[bin]);
    if (up && !previousUp && bin > 0) lowest[bin - 1] = Math.min(lowest[bin - 1], slopes[bin - 1]);
    previousUp = up;
  }
}

/**
 * The curve of a day path over planes turned by the grid's convergence, degrees.
 * @throws RangeError as `sunCurves`
 */
export function dayCurve(path: DayPath, convergenceDeg: number): DayCurve {
  const slope = new Float32Array(BINS);
  const minute = new Float32Array(BINS);
  const [sinTurn, cosTurn] = [Math.sin(convergenceDeg * RADIANS), Math.cos(convergenceDeg * RADIANS)];
  const last = path.sunset + TWILIGHT;
  const start = path.sunrise - TWILIGHT;
  const step = (last - start) / Math.ceil(last - start);
  const found = new Float64Array(2);

  // The azimuth grows through the day: walk it minute by minute and find each centre inside its minute.
  const steps = new SunSteps(path, start);
  steps.stepTo(start + step);
  let [first, end] = [0, 0];
  for (; end < BINS; end++) {
    const azimuth = CENTRES.azimuth[end] + convergenceDeg;
    while (azimuth > steps.toAzimuth && steps.to < last - step / 2) {
      steps.stepTo(steps.to + step);
      if (steps.toAzimuth <= steps.fromAzimuth) {
        throw new RangeError(`The sun runs back at ${path.lat}° N: the kernel needs a place north of the tropic.`);
      }
    }
    if (azimuth > steps.toAzimuth) break;
    if (azimuth < steps.fromAzimuth) {
      first = end + 1;
      continue;
    }
    const east = CENTRES.east[end];
    const north = CENTRES.north[end];
    steps.find(azimuth, east * cosTurn + north * sinTurn, north * cosTurn - east * sinTurn, found);
    minute[end] = found[0];
    slope[end] = Math.tan(found[1] * RADIANS) / CENTRES.depth[end];
  }
  return { first, slope: slope.slice(first, end), minute: minute.slice(first, end) };
}

function centresOfBins(): Record<'azimuth' | 'east' | 'north' | 'depth', Float64Array> {
  const azimuth = Float64Array.from({ length: BINS }, (_, bin) => azimuthOfBin(bin, PLANE_BINS));
  return {
    azimuth,
    east: azimuth.map((degrees) => Math.sin(degrees * RADIANS)),
    north: azimuth.map((degrees) => Math.cos(degrees * RADIANS)),
    depth: azimuth.map((degrees, bin) => Math.cos((degrees - axisOfBin(bin, PLANE_BINS)) * RADIANS)),
  };
}
