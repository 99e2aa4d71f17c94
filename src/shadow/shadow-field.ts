import type { Grid } from '../geo/contours.ts';
import { type Casters, forEachStrip, type ShadowVector, WALL } from './casters.ts';

/** Limit of the grid cells visited in one computation: less than a second of processor time. */
const MOST_WORK = 300e6;
/** Possible numbers of instants for each minute, the largest first. */
const INSTANTS_PER_MINUTE = [10, 5, 2, 1, 0.5];
/** Cost of a strip in cells, in addition to its own. */
const WORK_OF_STRIP = 20;
/** Minutes between the instants by which the work is estimated. */
const PROBE_MINUTES = 16;

/** The duration of the shadow at each point of a grid. */
export interface ShadowField {
  grid: Grid;
  /** Minutes of shadow, row by row; not a number where a caster stands. */
  minutes: Float64Array;
  /** Seconds between the tested instants. */
  stepS: number;
}

/**
 * Minutes of shadow between two minutes of a day. At instants as close as the work allows (six seconds to two minutes)
 * the shadow is drawn on the grid, and the instants are counted. Points under casters have NaN.
 * @param shadowAt the shadow vector at a minute
 */
export function shadowField(
  casters: Casters,
  grid: Grid,
  from: number,
  to: number,
  shadowAt: (minute: number) => ShadowVector,
): ShadowField {
  const minutes = Math.round(to - from);
  const probe = new CoverCounter(grid);
  let probes = 0;
  for (let minute = from + PROBE_MINUTES / 2; minute < to; minute += PROBE_MINUTES, probes++) {
    probe.add(casters, shadowAt(minute));
  }
  const workOf = (perMinute: number): number => (probe.work / probes) * minutes * perMinute;
  const perMinute =
    INSTANTS_PER_MINUTE.find((instants) => workOf(instants) <= MOST_WORK) ??
    INSTANTS_PER_MINUTE[INSTANTS_PER_MINUTE.length - 1];
  const counter = new CoverCounter(grid);
  // One more, so that a full hour is no whole number of steps. Otherwise many points would have exactly 2 h, and the
  // line of 2 h would zigzag between them.
  const instants = Math.round(minutes * perMinute) + 1;
  const stepMinutes = (to - from) / instants;
  for (let i = 0; i < instants; i++) counter.add(casters, shadowAt(from + (i + 0.5) * stepMinutes));
  const ground = new CoverCounter(grid);
  ground.addFootprints(casters);
  const field = Float64Array.from(counter.counts, (count, i) =>
    ground.counts[i] > 0 ? Number.NaN : count * stepMinutes,
  );
  // The instants are a little closer than this: there is one more.
  return { grid, minutes: field, stepS: 60 / perMinute };
}

/** Counts the shadows that cover each point of a grid. */
class CoverCounter {
  readonly counts: Uint16Array;
  /** Number of tested cells and rows: a measure of the time that a shadow takes. */
  work = 0;
  readonly #grid: Grid;
  /** The last shadow that covered each point: overlapping strips count once. */
  readonly #lastShadow: Uint16Array;
  /** The number of the shadow that is added now. */
  #shadowNumber = 0;
  /** By row: the ends of the strip that is added now, in steps of the grid. */
  readonly #left: Float64Array;
  readonly #right: Float64Array;

  constructor(grid: Grid) {
    this.#grid = grid;
    this.counts = new Uint16Array(grid.columns * grid.rows);
    this.#lastShadow = new Uint16Array(grid.columns * grid.rows);
    this.#left = new Float64Array(grid.rows);
    this.#right = new Float64Array(grid.rows);
  }

  /** Adds a shadow; at most 65,535 in total. */
  add(casters: Casters, shadow: ShadowVector): void {
    this.#shadowNumber++;
    forEachStrip(casters, shadow, (x0, y0, x1, y1, x2, y2, x3, y3) => this.#addStrip(x0, y0, x1, y1, x2, y2, x3, y3));
  }

  /** Adds the ground under the casters as one shadow: where footprints overlap, it counts once. */
  addFootprints({ footprints }: Casters): void {
    this.#shadowNumber++;
    for (const rings of footprints) this.#addPolygon(rings);
  }

  /** Adds the convex quadrilateral with these corners to the shadow, row by row, and counts the work. */
  #addStrip(x0: number, y0: number, x1: number, y1: number, x2: number, y2: number, x3: number, y3: number): void {
    const { west, south, stepM, rows } = this.#grid;
    // The corners in steps of the grid: rows, and below columns.
    const [a, b, c, d] = [(y0 - south) / stepM, (y1 - south) / stepM, (y2 - south) / stepM, (y3 - south) / stepM];
    const first = Math.max(0, Math.ceil(Math.min(a, b, c, d)));
    const last = Math.min(rows - 1, Math.floor(Math.max(a, b, c, d)));
    if (first > last) return;
    this.work += WORK_OF_STRIP + last - first;
    this.#left.fill(Infinity, first, last + 1);
    this.#right.fill(-Infinity, first, last + 1);
    const [p, q, r, s] = [(x0 - west) / stepM, (x1 - west) / stepM, (x2 - west) / stepM, (x3 - west) / stepM];
    this.#addSide(p, a, q, b);
    this.#addSide(q, b, r, c);
    this.#addSide(r, c, s, d);
    this.#addSide(s, d, p, a);
    for (let row = first; row <= last; row++) this.#addRun(row, this.#left[row], this.#right[row]);
  }

  /**
   * Widens the runs (the columns inside the quadrilateral) of the rows that a side crosses; in steps of the grid. Of a
   * level side only one end counts: the next side has the other.
   */
  #addSide(ax: number, ay: number, bx: number, by: number): void {
    const [low, high] = ay < by ? [ay, by] : [by, ay];
    const first = Math.max(0, Math.ceil(low));
    const last = Math.min(this.#grid.rows - 1, Math.floor(high));
    const slope = ay === by ? 0 : (bx - ax) / (by - ay);
    for (let row = first; row <= last; row++) {
      const x = ax + (row - ay) * slope;
      if (x < this.#left[row]) this.#left[row] = x;
      if (x > this.#right[row]) this.#right[row] = x;
    }
  }

  /** Counts the points of a row between two positions (in steps of the grid) for this shadow; no point counts twice. */
  #addRun(row: number, left: number, right: number): void {
    const { columns } = this.#grid;
    const from = row * columns + Math.max(0, Math.ceil(left));
    const to = row * columns + Math.min(columns - 1, Math.floor(right));
    if (to < from) return;
    this.work += to - from + 1;
    const [last, counts, shadow] = [this.#lastShadow, this.counts, this.#shadowNumber];
    for (let i = from; i <= to; i++) {
      if (last[i] === shadow) continue;
      last[i] = shadow;
      counts[i]++;
    }
  }

  /** Fills a polygon with holes, row by row between the sides that the row crosses. */
  #addPolygon(rings: readonly (readonly number[])[]): void {
    const { west, south, stepM, rows } = this.#grid;
    const crossings = new Map<number, number[]>();
    for (const ring of rings) {
      for (let i = ring.length - 2, j = 0; j < ring.length; i = j, j += 2) {
        const [ay, by] = [(ring[i + 1] - south) / stepM, (ring[j + 1] - south) / stepM];
        const [ax, bx] = [(ring[i] - west) / stepM, (ring[j] - west) / stepM];
        // In steps of the grid. A row exactly at the height of a corner counts with the side above it: [first, last).
        const first = Math.max(0, Math.ceil(Math.min(ay, by)));
        const last = Math.min(rows, Math.ceil(Math.max(ay, by)));
        for (let row = first; row < last; row++) {
          const positions = crossings.get(row) ?? [];
          positions.push(ax + ((row - ay) / (by - ay)) * (bx - ax));
          crossings.set(row, positions);
        }
      }
    }
    for (const [row, positions] of crossings) {
      positions.sort((a, b) => a - b);
      for (let i = 0; i + 1 < positions.length; i += 2) this.#addRun(row, positions[i], positions[i + 1]);
    }
  }
}

/** Number of bisections of a minute for the instant at which a shadow begins or ends. */
const BISECTIONS = 8;

/**
 * Minutes of shadow at any point of the plane, by rays to the sun. Each minute is tested for a wall in between, and a
 * change is found to a quarter of a second. Use it for few points: its time grows with the number of walls.
 */
export function exactMinutes(
  { prismWalls, roofEdges }: Casters,
  from: number,
  to: number,
  shadowAt: (minute: number) => ShadowVector,
): (x: number, y: number) => number {
  const walls = Float64Array.from(prismWalls.concat(roofEdges));
  const steps = Math.ceil(to - from);
  const instants = Array.from({ length: steps + 1 }, (_, i) => from + ((to - from) * i) / steps);
  const shadows = instants.map(shadowAt);
  return (x, y) => {
    let minutes = 0;
    let startsShaded = isShaded(walls, x, y, shadows[0]);
    for (let i = 0; i < steps; i++) {
      const endsShaded = isShaded(walls, x, y, shadows[i + 1]);
      const [start, end] = [instants[i], instants[i + 1]];
      if (startsShaded && endsShaded) minutes += end - start;
      if (startsShaded !== endsShaded) {
        const isBefore = (minute: number): boolean => isShaded(walls, x, y, shadowAt(minute)) === startsShaded;
        const change = changeBetween(start, end, isBefore);
        minutes += startsShaded ? change - start : end - change;
      }
      startsShaded = endsShaded;
    }
    return minutes;
  };
}

/** The minute of a change between two minutes, by bisection. */
function changeBetween(start: number, end: number, isBefore: (minute: number) => boolean): number {
  let [low, high] = [start, end];
  for (let i = 0; i < BISECTIONS; i++) {
    const middle = (low + high) / 2;
    if (isBefore(middle)) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * True when the ray from a point of the plane to the sun meets a wall below its top.
 * @param walls `WALL` numbers each: both ends with their heights, ax, ay, ah, bx, by, bh
 * @param shadow of one metre of height: the ray goes against it, and rises by one metre in its length
 */
function isShaded(walls: Float64Array, x: number, y: number, shadow: ShadowVector): boolean {
  const { east, north } = shadow;
  for (let i = 0; i < walls.length; i += WALL) {
    const [ax, ay, ah, bx, by, bh] = [walls[i], walls[i + 1], walls[i + 2], walls[i + 3], walls[i + 4], walls[i + 5]];
    const [px, py] = [x - ax, y - ay];
    const [dx, dy] = [bx - ax, by - ay];
    // Solves place + height · (−shadow) = a + along · (b − a) by Cramer's rule. 0 for a wall along the ray: then
    // nothing below is true.
    const cross = east * dy - north * dx;
    // Position on the wall where the ray meets it, and the ray's height above the plane there.
    const along = (py * east - px * north) / cross;
    const height = (px * dy - py * dx) / cross;
    if (along >= 0 && along <= 1 && height >= 0 && height <= ah + along * (bh - ah)) return true;
  }
  return false;
}
