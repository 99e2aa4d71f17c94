import type { Kernel } from './compute.ts';
import type { Engine } from './engine.ts';
import { SECTOR_BINS } from './image-planes.ts';
import type { SunCurves } from './sun-curves.ts';
import { terrainOf } from './view.ts';

/**
 * The times at which each building is in front of the sun of one day, for one receptor: intervals [start, end, …] in
 * whole minutes, by building of the view. The ground has its number (`terrainOf`) plus that of a sector.
 */
export type ReceptorShade = ReadonlyMap<number, readonly number[]>;

/**
 * The shading buildings of the receptor of the last column (its only eye) on one day. A minute in which the sun is up
 * and before the wall but not lit belongs to the building that is highest in its direction at the middle of that
 * minute.
 * @param ranges places among the bins in front of the wall: [from, to, …], as they were drawn
 * @param day 0–11
 * @param lit the receptor's lit intervals on that day
 */
export function receptorShade(
  { engine, view }: Pick<Kernel, 'engine' | 'view'>,
  curves: SunCurves,
  ranges: readonly number[],
  day: number,
  lit: readonly number[],
): ReceptorShade {
  const shade = new Map<number, number[]>();
  const rank = curves.rankMonth.indexOf(day);
  const sky = new DrawnSky(engine, terrainOf(view), curves, rank);
  let litAt = 0;
  for (let i = 0; i < ranges.length; i += 2) {
    const from = Math.round(Math.max(curves.sunrise[rank], sky.minuteAt(ranges[i])));
    const to = Math.round(Math.min(curves.sunset[rank], sky.minuteAt(ranges[i + 1])));
    for (let minute = from; minute < to; minute++) {
      while (litAt < lit.length && lit[litAt + 1] <= minute) litAt += 2;
      if (litAt < lit.length && lit[litAt] <= minute) continue;
      const building = sky.highestAt(minute + 0.5);
      if (building < 0) continue;
      const intervals = shade.get(building) ?? [];
      if (intervals.at(-1) === minute) intervals[intervals.length - 1] = minute + 1;
      else intervals.push(minute, minute + 1);
      shade.set(building, intervals);
    }
  }
  return shade;
}

/** The picture of the last column, read by the minutes of one day. */
class DrawnSky {
  readonly #engine: Engine;
  readonly #wall: Int32Array;
  readonly #slope: Float32Array;
  readonly #terrain: number;
  readonly #first: number;
  readonly #minute: Float32Array;
  readonly #sun: Float32Array;

  constructor(engine: Engine, terrain: number, curves: SunCurves, rank: number) {
    const { first, minute, slope } = curves.days[rank];
    const seen = engine.seen(0);
    this.#engine = engine;
    this.#terrain = terrain;
    this.#wall = seen.wall;
    this.#slope = seen.slope;
    this.#first = first;
    this.#minute = minute;
    this.#sun = slope;
  }

  /**
   * The minute at which the sun is in a direction; −∞ before the first bin of the day's curve, ∞ after the last.
   * @param direction in bins, also between the centres of two
   */
  minuteAt(direction: number): number {
    const offset = direction - this.#first;
    if (offset < 0) return -Infinity;
    if (offset > this.#minute.length - 1) return Infinity;
    const bin = Math.min(Math.floor(offset), this.#minute.length - 2);
    return this.#minute[bin] + (offset - bin) * (this.#minute[bin + 1] - this.#minute[bin]);
  }

  /**
   * The building of the view that hides the sun at a minute: the highest in the sun's bin or in one of the two bins
   * beside it. −1 when nothing is drawn there.
   */
  highestAt(minute: number): number {
    // A receptor inside a building is shaded by that building.
    const inside = this.#engine.inside(0);
    if (inside >= 0) return inside;
    const bin = this.#binAt(minute);
    const near = [bin, bin + 1, bin - 1];
    // A wall that is higher than the sun comes before any other wall.
    const hidden = near.find((one) => this.#wall[one] >= 0 && this.#slope[one] > this.#sun[one - this.#first]);
    const shading = hidden ?? near.find((one) => this.#wall[one] >= 0);
    if (shading === undefined) return -1;
    const building = this.#engine.buildingOfWall(this.#wall[shading]);
    // The ground has a number of its own for each sector.
    return building < this.#terrain ? building : building + Math.floor(shading / SECTOR_BINS);
  }

  /** The bin whose centre the sun passes nearest to a minute. */
  #binAt(minute: number): number {
    let [low, high] = [0, this.#minute.length - 1];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#minute[middle] <= minute) low = middle;
      else high = middle;
    }
    const isLow = minute - this.#minute[low] < this.#minute[high] - minute;
    return this.#first + (isLow ? low : high);
  }
}
