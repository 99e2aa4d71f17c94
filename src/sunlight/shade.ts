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
 * @param ranges positions among the bins in front of the wall: [from, to, …], as they were drawn
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
  let nextLit = 0;
  for (let i = 0; i < ranges.length; i += 2) {
    const from = Math.round(Math.max(curves.sunrise[rank], sky.minuteAt(ranges[i])));
    const to = Math.round(Math.min(curves.sunset[rank], sky.minuteAt(ranges[i + 1])));
    for (let minute = from; minute < to; minute++) {
      while (nextLit < lit.length && lit[nextLit + 1] <= minute) nextLit += 2;
      const isLit = nextLit < lit.length && lit[nextLit] <= minute;
      if (isLit) continue;
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

/** The skyline of the last column, read by the minutes of one day. */
class DrawnSky {
  readonly #engine: Engine;
  /** By bin: the edge of a wall (negative for none), and the slope of the skyline. */
  readonly #wall: Int32Array;
  readonly #slope: Float32Array;
  readonly #terrain: number;
  /** The first bin of the day's curve; from it on, by bin: the minute of the sun, and its slope. */
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
   * The minute at which the sun is at a position; −∞ before the first bin of the day's curve, ∞ after the last.
   * @param position among the bins, also between the centres of two
   */
  minuteAt(position: number): number {
    const offset = position - this.#first;
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
    const withWalls = [bin, bin + 1, bin - 1].filter((near) => this.#wall[near] >= 0);
    // A wall that is higher than the sun comes before any other wall.
    const hiding = withWalls.find((near) => this.#slope[near] > this.#sun[near - this.#first]);
    const shadingBin = hiding ?? withWalls[0];
    if (shadingBin === undefined) return -1;
    const building = this.#engine.buildingOfWall(this.#wall[shadingBin]);
    // The ground has another number in each sector.
    return building < this.#terrain ? building : building + Math.floor(shadingBin / SECTOR_BINS);
  }

  /** The bin whose centre the sun passes at the time nearest to a minute. */
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
