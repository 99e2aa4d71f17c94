/** One column of eyes: draws what they see, and reads their skylines. */

import { blockerCount } from './blockers';
import { drawSeen, drawScene, nextColumn } from './walk';
import { startDrawing } from './draw';
import { eyes, placeEyes, setRange } from './eyes';
import {
  BINS,
  BLOCK_SHIFT,
  DAYS,
  EYES,
  INSIDE,
  LIT_LENGTH,
  LOWEST_SUN,
  SLOPE,
  RANGES,
  UNSHADED,
  WALL,
} from './layout';
import { BLOCK, settleAlike } from './lowest';
import { OPEN } from './rows';
import { frontTimes, readSkyline } from './reading';
import { sunEnd, sunFirst } from './sun';

/** Clears the lit intervals and the minutes without obstacles. Called before each face. */
export function emptyLit(): void {
  memory.fill(LIT_LENGTH, 0, 4 * EYES * DAYS);
  memory.fill(UNSHADED, 0, 8 * DAYS);
}

/**
 * Draws and reads what the eyes at (x, y), in front of a wall with this normal, see in the ranges at RANGES: positions
 * among the bins [from, to, …].
 * @param rangeCount how many they are
 * @returns the number of used slots in the table of blocking buildings
 */
export function seeColumn(x: f64, y: f64, normalX: f64, normalY: f64, rangeCount: i32): i32 {
  placeEyes(x, y, normalX, normalY);
  startSkyline(rangeCount);
  draw();
  for (let i = 0; i < rangeCount; i++) {
    const from = load<f64>(RANGES + (i << 4));
    const to = load<f64>(RANGES + (i << 4), 8);
    frontTimes(from, to);
    for (let eye = 0; eye < eyes; eye++) readSkyline(eye, from, to);
  }
  return blockerCount;
}

/** Draws everything above the horizon that the eyes at (x, y) see, in all bins. */
export function seeSky(x: f64, y: f64, normalX: f64, normalY: f64): void {
  placeEyes(x, y, normalX, normalY);
  setRange(0, BINS);
  memory.fill(SLOPE, 0, 4 * EYES * BINS);
  clearRows(0, BINS);
  draw();
}

/** Draws everything visible into the rows. */
function draw(): void {
  startDrawing();
  nextColumn();
  drawSeen();
  drawScene();
}

/**
 * Starts the skyline of each eye with the slope of the lowest sun of the year, so that only objects that can hide the
 * sun are drawn. Bins without sun start with Infinity: nothing is drawn there.
 * @param rangeCount the number of ranges at RANGES, the bins to be read
 */
function startSkyline(rangeCount: i32): void {
  let first = BINS;
  let end = 0;
  if (rangeCount > 0) {
    // Whole blocks from the first range to the last, with one more bin on either side.
    const stop = load<f64>(RANGES + ((rangeCount - 1) << 4), 8);
    const low = max(0, <i32>floor(load<f64>(RANGES)) - 1) & -BLOCK;
    const high = (min(BINS, <i32>ceil(stop) + 2) + BLOCK - 1) & -BLOCK;
    for (let bin = low; bin < high; bin += 4) v128.store(SLOPE + (bin << 2), f32x4.splat(Infinity));
    for (let i = 0; i < rangeCount; i++) {
      const from = max(max(0, <i32>floor(load<f64>(RANGES + (i << 4)))), sunFirst);
      const to = min(min(BINS, <i32>ceil(load<f64>(RANGES + (i << 4), 8)) + 1), sunEnd);
      if (from >= to) continue;
      memory.copy(SLOPE + (from << 2), LOWEST_SUN + (from << 2), (to - from) << 2);
      first = min(first, from);
      end = max(end, to);
    }
    for (let eye = 1; eye < eyes; eye++) {
      memory.copy(SLOPE + ((eye * BINS + low) << 2), SLOPE + (low << 2), (high - low) << 2);
    }
    clearRows(low, high);
  }
  setRange(first, end);
}

/**
 * Sets the bins [low, high) to show no wall. They are whole blocks, and their slopes, which stay, are equal for all eyes.
 * Also sets that no eye is inside a building.
 */
function clearRows(low: i32, high: i32): void {
  for (let block = low >> BLOCK_SHIFT; block < high >> BLOCK_SHIFT; block++) settleAlike(block);
  for (let eye = 0; eye < eyes; eye++) memory.fill(WALL + ((eye * BINS + low) << 2), <u8>OPEN, (high - low) << 2);
  memory.fill(INSIDE, 0xff, 4 * EYES);
}
