/** One column of eyes: draws what they see, and reads their skylines. */

import { blockerCount } from './blockers';
import { drawSeen, drawScene, startColumn } from './walk';
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
  SHOWN_EDGE,
} from './layout';
import { BLOCK, rowOf, settleLowestOfAll } from './lowest';
import { OPEN } from './rows';
import { addTimesInFront, readSkyline } from './reading';
import { sunEnd, sunFirst } from './sun';

// The ends of a range at RANGES: positions among the bins.
// @ts-ignore: decorator
@inline function rangeFrom(range: i32): f64 {
  return load<f64>(RANGES + (range << 4));
}
// @ts-ignore: decorator
@inline function rangeTo(range: i32): f64 {
  return load<f64>(RANGES + (range << 4), 8);
}

/** Clears the lit intervals and the minutes without obstacles. Called before each face. */
export function emptyLit(): void {
  memory.fill(LIT_LENGTH, 0, 4 * EYES * DAYS);
  memory.fill(UNSHADED, 0, 8 * DAYS);
}

/**
 * Draws the skylines of the eyes, one above the other at (x, y) in front of a wall with this normal. Then reads them in
 * each range of RANGES, [from, to]: positions among the bins. The lit intervals, the times without obstacles and the
 * blocking buildings are added to their tables.
 * @param rangeCount number of the ranges
 * @returns the number of used slots in the table of blocking buildings
 */
export function seeColumn(x: f64, y: f64, normalX: f64, normalY: f64, rangeCount: i32): i32 {
  placeEyes(x, y, normalX, normalY);
  startSkyline(rangeCount);
  draw();
  for (let i = 0; i < rangeCount; i++) {
    const from = rangeFrom(i);
    const to = rangeTo(i);
    addTimesInFront(from, to);
    for (let eye = 0; eye < eyes; eye++) readSkyline(eye, from, to);
  }
  return blockerCount;
}

/** Draws the skylines of eyes, one above the other at (x, y), in all bins. They begin at the horizon, slope 0. */
export function seeSky(x: f64, y: f64, normalX: f64, normalY: f64): void {
  placeEyes(x, y, normalX, normalY);
  setRange(0, BINS);
  memory.fill(SLOPE, 0, 4 * EYES * BINS);
  startBins(0, BINS);
  draw();
}

/** Draws everything visible into the rows: first what the previous column saw, then the rest of the scene. */
function draw(): void {
  startDrawing();
  startColumn();
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
    // `readSkyline` reads the bins from the one below a range's start to the one above its end. Cleared are whole
    // blocks with those of all ranges and one more bin on either side, so that also their neighbours have no old slopes
    // and edges. `high` is the bin after the last block.
    const low = max(0, <i32>floor(rangeFrom(0)) - 1) & -BLOCK;
    const high = (min(BINS, <i32>ceil(rangeTo(rangeCount - 1)) + 2) + BLOCK - 1) & -BLOCK;
    for (let bin = low; bin < high; bin += 4) v128.store(SLOPE + (bin << 2), f32x4.splat(Infinity));
    // The bins that are read and have sun, [from, to), get the slope of the lowest sun. The others keep Infinity.
    for (let i = 0; i < rangeCount; i++) {
      const from = max(max(0, <i32>floor(rangeFrom(i))), sunFirst);
      const to = min(min(BINS, <i32>ceil(rangeTo(i)) + 1), sunEnd);
      if (from >= to) continue;
      memory.copy(SLOPE + (from << 2), LOWEST_SUN + (from << 2), (to - from) << 2);
      first = min(first, from);
      end = max(end, to);
    }
    for (let eye = 1; eye < eyes; eye++) {
      memory.copy(rowOf(eye) + (low << 2), rowOf(0) + (low << 2), (high - low) << 2);
    }
    startBins(low, high);
  }
  // Without such bins (`first` stays BINS and `end` 0) the range is empty: nothing is drawn.
  setRange(first, end);
}

/**
 * Prepares whole blocks of bins, [low, high), for a drawing: they show no edge, and no eye is inside a building. Their
 * slopes were set before, and are the same for all eyes.
 */
function startBins(low: i32, high: i32): void {
  for (let block = low >> BLOCK_SHIFT; block < high >> BLOCK_SHIFT; block++) settleLowestOfAll(block);
  // Each byte of OPEN (−1) is the same, so bytes may be filled.
  for (let eye = 0; eye < eyes; eye++) memory.fill(SHOWN_EDGE + ((eye * BINS + low) << 2), <u8>OPEN, (high - low) << 2);
  // −1 in each number: no building encloses the eye.
  memory.fill(INSIDE, 0xff, 4 * EYES);
}
