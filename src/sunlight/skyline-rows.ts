/**
 * The innermost loops of the skyline kernel, over rows of bins: what it spends most of its time on. Here they are as
 * plain loops; `skyline-rows-simd.ts` has the same for four bins at a time. The two give the same bits: the arithmetic
 * is that of single precision, with one rounding after each operation.
 */

/** Bins of a block are 2 to this power; a plane is a whole number of blocks. */
export const BLOCK_SHIFT = 5;
export const BLOCK = 1 << BLOCK_SHIFT;

/** Eyes above one another that share a projection: at most the three floors. */
export const MAX_EYES = 3;

/** Rows of `SunCurves.slope`: the twelve days and the two that spare the ends. */
const SUN_ROWS = 14;

/** The arrays that the loops work on. A bin is numbered over all eyes: eye × bins + bin. */
export interface RowArrays {
  /** Slope of the highest edge, at least that of the lowest sun; Infinity where no sun matters. */
  slope: Float32Array;
  /** The wall that has it (its first corner in the tree); negative where there is none. */
  wall: Int32Array;
  /** Per block of 32 of these: no slope in it is lower; where `stale`, the lowest may be higher. */
  lowest: Float32Array;
  stale: Uint8Array;
  /** A copy of the slopes of the sun curves: [(rank + 1) × bins + bin]. */
  sun: Float32Array;
}

export interface SkylineRows extends RowArrays {
  /** The curves' slopes of which `sun` is a copy. */
  sunCopied: Float32Array | null;
  /**
   * Raises the bins from `from` to `last` of a row to the edge value + step · (bin − first), both single precision,
   * and marks them with its wall. Stops at a bin where another wall rises just as high, and gives it, or −1.
   */
  raise(first: number, from: number, last: number, value: number, step: number, wall: number): number;
  /** 1 if any slope in the bins [first, last] of a row is lower than `steepest` (single precision), else 0. */
  anyBelow(first: number, last: number, steepest: number): number;
  /**
   * The first bin after `bin` of the row that begins at `row` in which another wall stands or another number of days
   * than `level` is hidden; `last` + 1 if none.
   */
  nextChange(row: number, bin: number, last: number, level: number): number;
}

/** Where the arrays begin in one stretch of memory, bytes; multiples of 16, with room for a vector after each. */
export function rowLayout(bins: number): { [array in keyof RowArrays | 'end']: number } {
  const cells = MAX_EYES * bins;
  const slope = 16;
  const wall = slope + 4 * cells + 16;
  const lowest = wall + 4 * cells + 16;
  const stale = lowest + roundUp(4 * (cells >> BLOCK_SHIFT)) + 16;
  const sun = stale + roundUp(cells >> BLOCK_SHIFT) + 16;
  return { slope, wall, lowest, stale, sun, end: sun + 4 * SUN_ROWS * bins + 16 };
}

const roundUp = (bytes: number): number => (bytes + 15) & ~15;

/** The arrays on memory that is laid out so. */
export function rowArrays(buffer: ArrayBuffer, bins: number): RowArrays {
  const at = rowLayout(bins);
  const cells = MAX_EYES * bins;
  return {
    slope: new Float32Array(buffer, at.slope, cells),
    wall: new Int32Array(buffer, at.wall, cells),
    lowest: new Float32Array(buffer, at.lowest, cells >> BLOCK_SHIFT),
    stale: new Uint8Array(buffer, at.stale, cells >> BLOCK_SHIFT),
    sun: new Float32Array(buffer, at.sun, SUN_ROWS * bins),
  };
}

/** The plain loops, for planes of so many bins together. */
export function plainRows(bins: number): SkylineRows {
  const arrays = rowArrays(new ArrayBuffer(rowLayout(bins).end), bins);
  const { slope, wall: walls, lowest, stale, sun } = arrays;
  const { fround } = Math;

  function raise(first: number, from: number, last: number, value: number, step: number, wall: number): number {
    for (let at = from; at <= last; ) {
      const block = at >> BLOCK_SHIFT;
      const end = ((block + 1) << BLOCK_SHIFT) - 1;
      const stop = Math.min(end, last);
      // The edge is straight: it is highest at one of its ends.
      if (fround(value + fround(step * ((step > 0 ? stop : at) - first))) < lowest[block]!) {
        at = stop + 1;
        continue;
      }
      const whole = stop - at === BLOCK - 1;
      let least = Infinity;
      for (; at <= stop; at++) {
        const rise = fround(value + fround(step * (at - first)));
        if (rise > slope[at]!) {
          slope[at] = rise;
          walls[at] = wall;
          stale[block] = 1;
        } else if (rise === slope[at]! && walls[at]! >= 0 && walls[at] !== wall) return at;
        if (slope[at]! < least) least = slope[at]!;
      }
      if (whole) {
        lowest[block] = least;
        stale[block] = 0;
      }
    }
    return -1;
  }

  function anyBelow(first: number, last: number, steepest: number): number {
    for (let block = first >> BLOCK_SHIFT; block <= last >> BLOCK_SHIFT; block++) {
      // A stale lowest is too low: what it turns away can be turned away.
      if (lowest[block]! >= steepest || lowestOf(block) >= steepest) continue;
      const blockFirst = block << BLOCK_SHIFT;
      const blockLast = blockFirst + BLOCK - 1;
      if (first <= blockFirst && blockLast <= last) return 1;
      for (let at = Math.max(blockFirst, first); at <= Math.min(blockLast, last); at++) {
        if (slope[at]! < steepest) return 1;
      }
    }
    return 0;
  }

  function lowestOf(block: number): number {
    if (stale[block] === 1) {
      const end = (block + 1) << BLOCK_SHIFT;
      let least = Infinity;
      for (let at = block << BLOCK_SHIFT; at < end; at++) if (slope[at]! < least) least = slope[at]!;
      lowest[block] = least;
      stale[block] = 0;
    }
    return lowest[block]!;
  }

  function nextChange(row: number, bin: number, last: number, level: number): number {
    const same = walls[row + bin];
    const under = level * bins;
    const over = under + bins;
    let next = bin + 1;
    while (
      next <= last &&
      walls[row + next] === same &&
      slope[row + next]! > sun[under + next]! &&
      slope[row + next]! <= sun[over + next]!
    ) {
      next++;
    }
    return next;
  }

  return { ...arrays, sunCopied: null, raise, anyBelow, nextChange };
}
