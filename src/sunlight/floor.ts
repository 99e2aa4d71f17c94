import { computeColumn, finishBuilding, type Kernel, startBuilding } from './compute.ts';
import type { Engine } from './engine.ts';
import { SECTOR_BINS } from './image-planes.ts';
import type { Moves } from './moves.ts';
import { placeReceptors, wallAzimuthDeg } from './receptors.ts';
import { MONTHS, type Shade } from './result.ts';
import type { SunCurves } from './sun-curves.ts';
import { terrainOf } from './view.ts';

/** The sun of the receptors of one building at one height: numbers only, minutes of JST days. */
export interface FloorSunlight extends Shade {
  /** The faces that exist, in face order; each has at least one receptor. */
  faces: { face: number; azimuthDeg: number; wallLengthM: number; receptors: ReceptorSunlight[] }[];
}

/** The sun of one receptor. Lists are by month, January first. */
export interface ReceptorSunlight {
  /** Position in the scene's plane, metres. */
  x: number;
  y: number;
  /** Direction in which its wall faces, clockwise from true north. */
  azimuthDeg: number;
  /** Whole minutes with no obstacle but the wall itself. */
  unshadedMinutes: number[];
  /**
   * Whole minutes of direct sun as intervals [start, end, start, end …] after 00:00 JST, in order of time, without
   * overlap.
   */
  lit: number[][];
  /** The shading buildings on each of the requested days. */
  shade: readonly ReceptorShade[];
}

/**
 * Computes every receptor of a building at one height. At the height of one of the three floors they equal those of
 * `computeBuilding`.
 * @param heightM above the base of the building, metres
 * @param shadeDays the days for which the shading buildings are computed, by their numbers (0–11) among those of the
 * curves
 * @param moves moves of the buildings from their published places; the receptors stay
 */
export function computeFloor(
  kernel: Kernel,
  curves: SunCurves,
  building: number,
  heightM: number,
  { shadeDays = [], moves = null }: { shadeDays?: readonly number[]; moves?: Moves | null } = {},
): FloorSunlight {
  const { receptors, engine } = kernel;
  placeReceptors(kernel.scene, building, receptors, kernel.plane);
  startBuilding(kernel, curves, building, [heightM], moves);
  const faces: FloorSunlight['faces'] = [];
  for (let face = 0; face < receptors.wallLengthM.length; face++) {
    const faceReceptors: ReceptorSunlight[] = [];
    for (let column = receptors.faceStart[face]; column < receptors.faceStart[face + 1]; column++) {
      // In the kernel, receptors above one another are the eyes of a column. Here each column has one, at this height.
      engine.emptyLit();
      const ranges = computeColumn(kernel, curves, column);
      const lit = Array.from({ length: MONTHS }, (_, day) => engine.litOfOnlyEye(day));
      faceReceptors.push({
        x: receptors.x[column],
        y: receptors.y[column],
        azimuthDeg: wallAzimuthDeg(receptors, column),
        unshadedMinutes: engine.unshaded(),
        lit,
        shade: shadeDays.map((day) => receptorShade(kernel, curves, ranges, day, lit[day])),
      });
    }
    if (faceReceptors.length === 0) continue;
    const azimuth = receptors.azimuthDeg[face];
    faces.push({ face, azimuthDeg: azimuth, wallLengthM: receptors.wallLengthM[face], receptors: faceReceptors });
  }
  return { faces, ...finishBuilding(kernel) };
}

/**
 * The share of receptors in the sun at each minute of a day, as steps [minute, share, minute, share …]: a share holds
 * until the next step. It is 0 before the first step and after the last. Minutes are whole.
 * @param intervalsOfReceptors the sunlit intervals of each receptor: [start, end, start, end …]
 */
export function litShares(intervalsOfReceptors: readonly (readonly number[])[]): number[] {
  /** By minute: how many intervals begin, less how many end. */
  const changes = new Map<number, number>();
  for (const intervals of intervalsOfReceptors) {
    for (let i = 0; i < intervals.length; i += 2) {
      const [from, to] = [Math.round(intervals[i] ?? 0), Math.round(intervals[i + 1] ?? 0)];
      if (from === to) continue;
      changes.set(from, (changes.get(from) ?? 0) + 1);
      changes.set(to, (changes.get(to) ?? 0) - 1);
    }
  }
  const steps: number[] = [];
  let count = 0;
  for (const [minute, change] of [...changes].sort(([a], [b]) => a - b)) {
    if (change === 0) continue;
    count += change;
    steps.push(minute, count / intervalsOfReceptors.length);
  }
  return steps;
}

/**
 * The times at which each building is in front of the sun of one day, for one receptor: intervals [start, end, …] in
 * whole minutes, by building of the view. The ground has its number (`terrainOf`) plus that of a sector.
 */
type ReceptorShade = ReadonlyMap<number, readonly number[]>;

/**
 * The buildings that shade a receptor on one day, with the minutes that each takes. Must follow `computeColumn` of the
 * column that has this receptor alone: it reads the skyline drawn there. A minute in which the sun is up and in front
 * of the wall but not lit belongs to the building that is highest in the sun's direction at the middle of that minute.
 * @param ranges the directions in front of the wall that were drawn: [from, to, …], positions among the kernel's bins
 * @param month 0–11; its computed day is meant
 * @param lit the receptor's lit intervals on that day
 */
function receptorShade(
  { engine, view }: Pick<Kernel, 'engine' | 'view'>,
  curves: SunCurves,
  ranges: readonly number[],
  month: number,
  lit: readonly number[],
): ReceptorShade {
  const shade = new Map<number, number[]>();
  // The curves are in the order of the sun's height; `rankMonth` has the month of each.
  const rank = curves.rankMonth.indexOf(month);
  const sky = new DrawnSky(engine, terrainOf(view), curves, rank);
  let nextLit = 0;
  for (let i = 0; i < ranges.length; i += 2) {
    // The minutes of the day in which the sun is between the two directions.
    const from = Math.round(Math.max(curves.sunrise[rank], sky.minuteAt(ranges[i])));
    const to = Math.round(Math.min(curves.sunset[rank], sky.minuteAt(ranges[i + 1])));
    for (let minute = from; minute < to; minute++) {
      while (nextLit < lit.length && lit[nextLit + 1] <= minute) nextLit += 2;
      const isLit = nextLit < lit.length && lit[nextLit] <= minute;
      if (isLit) continue;
      const building = sky.shaderAt(minute + 0.5);
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
  readonly #firstBin: number;
  readonly #sunMinute: Float32Array;
  readonly #sunSlope: Float32Array;

  constructor(engine: Engine, terrain: number, curves: SunCurves, rank: number) {
    const { first, minute, slope } = curves.days[rank];
    const seen = engine.seen(0);
    this.#engine = engine;
    this.#terrain = terrain;
    this.#wall = seen.wall;
    this.#slope = seen.slope;
    this.#firstBin = first;
    this.#sunMinute = minute;
    this.#sunSlope = slope;
  }

  /**
   * The minute at which the sun is at a position; −∞ before the first bin of the day's curve, ∞ after the last.
   * @param position among the kernel's bins of azimuth, also between the centres of two
   */
  minuteAt(position: number): number {
    const offset = position - this.#firstBin;
    if (offset < 0) return -Infinity;
    if (offset > this.#sunMinute.length - 1) return Infinity;
    // Between two bin centres; the last centre counts as the end of the segment before it.
    const before = Math.min(Math.floor(offset), this.#sunMinute.length - 2);
    return this.#sunMinute[before] + (offset - before) * (this.#sunMinute[before + 1] - this.#sunMinute[before]);
  }

  /**
   * What hides the sun at a minute that is not lit. It looks in the sun's bin, then in the next and in the previous one,
   * because the sun may be between two centres: the first wall that is higher than the sun counts. If none is at a
   * centre, the first wall counts: it is higher between the centres.
   * @returns a building of the view; −1 when none of the three bins shows a wall. The ground has the numbers after
   * those of all buildings, one for each sector of the sky
   */
  shaderAt(minute: number): number {
    // A receptor inside a building is shaded by that building.
    const inside = this.#engine.inside(0);
    if (inside >= 0) return inside;
    const bin = this.#binAt(minute);
    const withWalls = [bin, bin + 1, bin - 1].filter((near) => this.#wall[near] >= 0);
    const aboveSun = withWalls.find((near) => this.#slope[near] > this.#sunSlope[near - this.#firstBin]);
    const shadingBin = aboveSun ?? withWalls[0];
    if (shadingBin === undefined) return -1;
    const building = this.#engine.buildingOfWall(this.#wall[shadingBin]);
    const isGround = building === this.#terrain;
    return isGround ? building + Math.floor(shadingBin / SECTOR_BINS) : building;
  }

  /** The bin whose centre the sun passes at the time nearest to a minute. */
  #binAt(minute: number): number {
    let [low, high] = [0, this.#sunMinute.length - 1];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#sunMinute[middle] <= minute) low = middle;
      else high = middle;
    }
    const isLow = minute - this.#sunMinute[low] < this.#sunMinute[high] - minute;
    return this.#firstBin + (isLow ? low : high);
  }
}
