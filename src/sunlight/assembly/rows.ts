/**
 * The innermost loops, over four bins at a time. Bins are numbered over all eyes: eye × BINS + bin. Each bin has the
 * slope of the skyline (table SLOPE) and the edge that it shows (table SHOWN_EDGE, in the same order).
 */

import { wins } from './edges';
import { BINS, BLOCK_SHIFT, SLOPE, STEPS, SUN, VALUES, SHOWN_EDGE } from './layout';
import { BLOCK, BLOCK_BYTES, leastOf, lowestOf, numbersFrom, rowOf, setLowest, settleLowest } from './lowest';

/** The slope of the skyline in a bin. */
// @ts-ignore: decorator
@inline export function slopeOf(bin: i32): f32 {
  return load<f32>(SLOPE + (bin << 2));
}
/** The edge that a bin shows, or OPEN or ENCLOSED. */
// @ts-ignore: decorator
@inline export function shownEdge(bin: i32): i32 {
  return load<i32>(SHOWN_EDGE + (bin << 2));
}
/** Bytes of a row of table SUN: the curve of one day. */
const CURVE_BYTES: i32 = 4 * BINS;
/** OPEN: nothing is higher than the lowest sun in this bin. ENCLOSED: the eye is inside a solid. */
export const OPEN: i32 = -1;
export const ENCLOSED: i32 = -2;

/**
 * Raises the skylines of all eyes by one edge, in the bins [edgeFirst, edgeLast]: a bin below the edge gets the edge's
 * slope and its number. Blocks whose lowest slope is above the edge are skipped. A block that the edge spans is drawn
 * by `raiseBlock`, the others by `raiseFours`; both read the edge's slopes from VALUES and STEPS.
 * @param values the slope of the edge in the first bin, one lane for each eye (−∞: the eye does not see it)
 * @param steps the change of the slope from bin to bin, one lane for each eye
 * @returns true when any bin was raised
 */
export function raise(edgeFirst: i32, edgeLast: i32, values: v128, steps: v128, edge: i32): bool {
  v128.store(VALUES, values);
  v128.store(STEPS, steps);
  // The slope changes evenly from bin to bin, so within a block it is highest in the first or in the last bin. It is
  // the same end for all eyes: an edge is drawn for eyes that are all below the solid's top, or all above it, so their
  // steps have one sign.
  const rises = v128.any_true(f32x4.gt(steps, f32x4.splat(0)));
  let raised = false;
  for (let block = edgeFirst >> BLOCK_SHIFT; block <= edgeLast >> BLOCK_SHIFT; block++) {
    const begin = block << BLOCK_SHIFT;
    const from = max(edgeFirst, begin);
    const to = min(edgeLast, begin + BLOCK - 1);
    const highest = f32x4.add(values, f32x4.mul(steps, f32x4.splat(<f32>((rises ? to : from) - edgeFirst))));
    let reached = i32x4.bitmask(f32x4.ge(highest, lowestOf(block)));
    // Each bit of `reached` is an eye. The loop takes the lowest bit and clears it.
    for (; reached != 0; reached &= reached - 1) {
      const eye = ctz(reached);
      // `raiseBlock` sees every bin of the block, so it stores the lowest slope itself. After `raiseFours` the block
      // must be searched again.
      if (to - from == BLOCK - 1) {
        if (raiseBlock(eye, edgeFirst, block, edge)) raised = true;
      } else if (raiseFours(eye, edgeFirst, from, to, edgeLast, edge)) {
        settleLowest(block, eye);
        raised = true;
      }
    }
  }
  return raised;
}

/** The address of the edges that four bins show, from the address of their slopes. */
// @ts-ignore: decorator
@inline function edgesBeside(slopes: i32): i32 {
  return slopes + (SHOWN_EDGE - SLOPE);
}
// The slope of the edge in its first bin, and its change from bin to bin, of one eye in all lanes.
// @ts-ignore: decorator
@inline function firstSlopeOf(eye: i32): v128 {
  return v128.load32_splat(VALUES + (eye << 2));
}
// @ts-ignore: decorator
@inline function slopeStepOf(eye: i32): v128 {
  return v128.load32_splat(STEPS + (eye << 2));
}

/**
 * Draws the edge into all bins of a block of one eye, four at a time, and stores the block's lowest slope. True when
 * any bin was raised or a tie was settled for the edge.
 * @param edgeFirst the edge's first bin: there its slope is `firstSlopeOf`, and `slopeStepOf` more in each bin after it
 */
// @ts-ignore: decorator
@inline function raiseBlock(eye: i32, edgeFirst: i32, block: i32, edge: i32): bool {
  const begin = rowOf(eye) + block * BLOCK_BYTES;
  const firstSlope = firstSlopeOf(eye);
  const slopeStep = slopeStepOf(eye);
  const newEdges = i32x4.splat(edge);
  let binsFromFirst = f32x4.convert_i32x4_s(numbersFrom((block << BLOCK_SHIFT) - edgeFirst));
  let raised = i32x4.splat(0);
  let ties = i32x4.splat(0);
  let least = f32x4.splat(Infinity);
  for (let at = begin; at < begin + BLOCK_BYTES; at += 16) {
    const oldSlopes = v128.load(at);
    const edgeSlopes = f32x4.add(firstSlope, f32x4.mul(slopeStep, binsFromFirst));
    binsFromFirst = f32x4.add(binsFromFirst, f32x4.splat(4));
    const higher = f32x4.gt(edgeSlopes, oldSlopes);
    const slopes = f32x4.pmax(oldSlopes, edgeSlopes);
    const edgesAt = edgesBeside(at);
    v128.store(at, slopes);
    v128.store(edgesAt, v128.bitselect(newEdges, v128.load(edgesAt), higher));
    raised = v128.or(raised, higher);
    ties = v128.or(ties, f32x4.eq(edgeSlopes, oldSlopes));
    least = f32x4.pmin(slopes, least);
  }
  if (v128.any_true(ties) && settleBlockTies(eye, edgeFirst, block, edge)) raised = i32x4.splat(-1);
  setLowest(block, eye, leastOf(least));
  return v128.any_true(raised);
}

/**
 * Settles the ties of one eye in a block that the edge spans: computes the edge's slopes again, four bins at a time,
 * and looks for bins in which the edge is exactly as high as the skyline. True when any of them now shows the edge.
 */
function settleBlockTies(eye: i32, edgeFirst: i32, block: i32, edge: i32): bool {
  const begin = rowOf(eye) + block * BLOCK_BYTES;
  const firstSlope = firstSlopeOf(eye);
  const slopeStep = slopeStepOf(eye);
  let binsFromFirst = f32x4.convert_i32x4_s(numbersFrom((block << BLOCK_SHIFT) - edgeFirst));
  let taken = false;
  for (let at = begin; at < begin + BLOCK_BYTES; at += 16) {
    const edgeSlopes = f32x4.add(firstSlope, f32x4.mul(slopeStep, binsFromFirst));
    binsFromFirst = f32x4.add(binsFromFirst, f32x4.splat(4));
    const equal = i32x4.bitmask(f32x4.eq(edgeSlopes, v128.load(at)));
    if (equal != 0 && settleTies(edgesBeside(at), equal, edge)) taken = true;
  }
  return taken;
}

/**
 * Draws the edge, which has the bins [edgeFirst, edgeLast], into those of them that are in one block: [from, to]. Four
 * bins are drawn at a time, from a multiple of four on; bins of them outside the edge are masked. The block's lowest
 * slope is left to the caller. True when any bin was raised or a tie was settled for the edge.
 */
// @ts-ignore: decorator
@inline function raiseFours(eye: i32, edgeFirst: i32, from: i32, to: i32, edgeLast: i32, edge: i32): bool {
  const row = rowOf(eye);
  const firstSlope = firstSlopeOf(eye);
  const slopeStep = slopeStepOf(eye);
  const lastOfEdge = f32x4.splat(<f32>(edgeLast - edgeFirst));
  const firstFour = from & -4;
  let binsFromFirst = f32x4.convert_i32x4_s(numbersFrom(firstFour - edgeFirst));
  let raised = i32x4.splat(0);
  const end = row + (to << 2);
  for (let at = row + (firstFour << 2); at <= end; at += 16) {
    const oldSlopes = v128.load(at);
    const edgeSlopes = f32x4.add(firstSlope, f32x4.mul(slopeStep, binsFromFirst));
    const inside = v128.and(f32x4.ge(binsFromFirst, f32x4.splat(0)), f32x4.le(binsFromFirst, lastOfEdge));
    const reached = v128.and(f32x4.ge(edgeSlopes, oldSlopes), inside);
    binsFromFirst = f32x4.add(binsFromFirst, f32x4.splat(4));
    if (!v128.any_true(reached)) continue;
    const edgesAt = edgesBeside(at);
    const higher = v128.and(f32x4.gt(edgeSlopes, oldSlopes), inside);
    v128.store(at, v128.bitselect(edgeSlopes, oldSlopes, higher));
    v128.store(edgesAt, v128.bitselect(i32x4.splat(edge), v128.load(edgesAt), higher));
    raised = v128.or(raised, higher);
    const equal = v128.andnot(reached, higher);
    if (v128.any_true(equal) && settleTies(edgesAt, i32x4.bitmask(equal), edge)) raised = i32x4.splat(-1);
  }
  return v128.any_true(raised);
}

/**
 * Settles ties among four bins: bits of `equal` mark those in which `edge` is as high as the edge that they show.
 * `wins` decides: the edge of the building with the lower number wins. A bin that shows no edge stays as it is. True
 * when any of them now shows `edge`.
 * @param edgesAt address of the four edges that the bins show
 */
function settleTies(edgesAt: i32, equal: i32, edge: i32): bool {
  let taken = false;
  for (let lane = 0; lane < 4; lane++) {
    if (((equal >> lane) & 1) == 0) continue;
    const at = edgesAt + (lane << 2);
    const other = load<i32>(at);
    const showsNone = other < 0;
    if (showsNone || other == edge || !wins(edge, other)) continue;
    store<i32>(at, edge);
    taken = true;
  }
  return taken;
}

/**
 * The first bin after `bin` that shows another edge, or hides another number of days than `hidden`; `last` + 1 when
 * there is none. Table SUN has a row of slopes for each day, the lowest sun first, after a row of −∞: a skyline that
 * hides n days is above row n and not above row n + 1.
 * @param row number of the eye's first bin
 */
export function nextChange(row: i32, bin: i32, last: i32, hidden: i32): i32 {
  const edge = i32x4.splat(shownEdge(row + bin));
  let next = bin + 1;
  let at = (row + next) << 2;
  let sun = SUN + ((hidden * BINS + next) << 2);
  while (next <= last) {
    // Eight bins at a time: most show no change. Bins after `last` do not count.
    const firstFour = areUnchanged(at, sun, edge);
    const nextFour = areUnchanged(at + 16, sun + 16, edge);
    if (!i32x4.all_true(v128.and(firstFour, nextFour))) {
      const changed = (i32x4.bitmask(firstFour) | (i32x4.bitmask(nextFour) << 4)) ^ 255;
      return min(last + 1, next + ctz(changed));
    }
    next += 8;
    at += 32;
    sun += 32;
  }
  return last + 1;
}

/**
 * A mask of those of four bins in a row that go on like the bin before them: they show the same edge and hide the same
 * days. Their skyline is above the curve of the highest hidden sun, and not above the next curve.
 * @param at offset of the first bin in tables SLOPE and SHOWN_EDGE, bytes
 * @param sun address of the curve of the highest hidden sun in the first bin, in table SUN
 * @param edge the number of the edge that the bin before shows, in each lane
 */
// @ts-ignore: decorator
@inline function areUnchanged(at: i32, sun: i32, edge: v128): v128 {
  const slope = v128.load(SLOPE + at);
  const highestHidden = v128.load(sun);
  const lowestVisible = v128.load(sun, CURVE_BYTES);
  const hidesSame = v128.and(f32x4.gt(slope, highestHidden), f32x4.le(slope, lowestVisible));
  return v128.and(hidesSame, i32x4.eq(v128.load(SHOWN_EDGE + at), edge));
}
