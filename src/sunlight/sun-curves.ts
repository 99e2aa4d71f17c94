import { type DayPath, sunAltitudeDeg, sunAzimuthDeg } from '../solar/day-path.ts';
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
/** Minutes for which a curve is followed under the horizon, so that a rise between two centres is seen from both. */
const TWILIGHT = 12;
const RADIANS = Math.PI / 180;
/**
 * The curves of twelve day paths over planes turned by the grid's convergence (degrees, azimuth of grid north).
 * Throws `RangeError` where the sun would not go round clockwise through the south (south of the tropic).
 */
export function sunCurves(paths: readonly DayPath[], convergenceDeg: number, planeBins = PLANE_BINS): SunCurves {
  const days = paths.length;
  const bins = binsOfPlanes(planeBins);
  const noonAltitude = paths.map((path) => sunAltitudeDeg(path, path.noon));
  const order = paths.map((_, month) => month).sort((a, b) => noonAltitude[a] - noonAltitude[b]);
  const curves: SunCurves = {
    convergenceDeg,
    planeBins,
    rankMonth: Uint8Array.from(order),
    monthRank: Uint8Array.from(order.keys(), (month) => order.indexOf(month)),
    slope: new Float32Array(bins * (days + 2)).fill(BELOW),
    minute: new Float32Array(bins * days),
    elapsed: new Float32Array(bins * (days + 1)),
    lowest: new Float32Array(bins).fill(Infinity),
    first: 0,
    end: bins,
    sunrise: Float64Array.from(order, (month) => paths[month].sunrise),
    sunset: Float64Array.from(order, (month) => paths[month].sunset),
  };
  curves.slope.fill(-Infinity, 0, bins);
  curves.slope.fill(Infinity, bins * (days + 1));
  order.forEach((month, rank) => {
    if (rank > 0 && paths[month] === paths[order[rank - 1]]) repeatDay(curves, rank);
    else followDay(paths[month], convergenceDeg, curves, rank);
  });
  while (curves.lowest[curves.first] === Infinity) curves.first++;
  while (curves.lowest[curves.end - 1] === Infinity) curves.end--;
  for (let bin = 0; bin < bins; bin++) {
    for (let rank = 0; rank < days; rank++) {
      const minute = curves.minute[rank * bins + bin];
      const up = Math.min(Math.max(minute, curves.sunrise[rank]), curves.sunset[rank]) - curves.sunrise[rank];
      curves.elapsed[(rank + 1) * bins + bin] = curves.elapsed[rank * bins + bin] + up;
    }
  }
  return curves;
}

/** A day that is that of the rank below once more. */
function repeatDay({ planeBins, slope, minute }: SunCurves, rank: number): void {
  const bins = binsOfPlanes(planeBins);
  minute.copyWithin(rank * bins, (rank - 1) * bins, rank * bins);
  slope.copyWithin((rank + 1) * bins, rank * bins, (rank + 1) * bins);
}

function followDay(path: DayPath, convergenceDeg: number, curves: SunCurves, rank: number): void {
  const { planeBins, slope, minute: minutes, lowest } = curves;
  const bins = binsOfPlanes(planeBins);
  const gridAzimuth = (minute: number): number => sunAzimuthDeg(path, minute) - convergenceDeg;
  const first = path.sunrise - TWILIGHT;
  const last = path.sunset + TWILIGHT;
  const step = (last - first) / Math.ceil(last - first);

  // The azimuth grows through the day: walk it minute by minute and find each centre inside its minute.
  let from = first;
  let fromAzimuth = gridAzimuth(from);
  let to = from + step;
  let toAzimuth = gridAzimuth(to);
  let previousUp = false;
  for (let bin = 0; bin < bins; bin++) {
    const cell = rank * bins + bin;
    const azimuth = azimuthOfBin(bin, planeBins);
    while (azimuth > toAzimuth && to < last - step / 2) {
      [from, fromAzimuth] = [to, toAzimuth];
      to += step;
      toAzimuth = gridAzimuth(to);
      if (toAzimuth <= fromAzimuth) {
        throw new RangeError(`The sun runs back at ${path.lat}° N: the kernel needs a place north of the tropic.`);
      }
    }
    if (azimuth < fromAzimuth || azimuth > toAzimuth) {
      minutes[cell] = azimuth < fromAzimuth ? first : last;
    } else {
      const minute = minuteOfAzimuth(azimuth, from, fromAzimuth, to, toAzimuth, gridAzimuth);
      minutes[cell] = minute;
      slope[cell + bins] =
        Math.tan(sunAltitudeDeg(path, minute) * RADIANS) / Math.cos((azimuth - axisOfBin(bin, planeBins)) * RADIANS);
    }
    // A bin is up when the sun is up anywhere between its neighbours' centres.
    const up = minutes[cell] > path.sunrise && minutes[cell] < path.sunset;
    if (up || previousUp) lowest[bin] = Math.min(lowest[bin], slope[cell + bins]);
    if (up && !previousUp && bin > 0) lowest[bin - 1] = Math.min(lowest[bin - 1], slope[cell + bins - 1]);
    previousUp = up;
  }
}

/** Secant steps inside a minute, to 10⁻⁷ degrees: the azimuth is all but straight there. */
function minuteOfAzimuth(
  azimuth: number,
  from: number,
  fromAzimuth: number,
  to: number,
  toAzimuth: number,
  azimuthAt: (minute: number) => number,
): number {
  let minute = from + ((to - from) * (azimuth - fromAzimuth)) / (toAzimuth - fromAzimuth);
  for (let i = 0; i < 8; i++) {
    const error = azimuthAt(minute) - azimuth;
    if (Math.abs(error) < 1e-7) break;
    if (error > 0) [to, toAzimuth] = [minute, azimuth + error];
    else [from, fromAzimuth] = [minute, azimuth + error];
    minute = from + ((to - from) * (azimuth - fromAzimuth)) / (toAzimuth - fromAzimuth);
  }
  return minute;
}
