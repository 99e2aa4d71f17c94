/**
 * The lowest slope of each block of bins: one lane for each eye, the fourth unused. One comparison tells for all eyes
 * whether a block has a bin below a slope.
 */

import { BINS, BLOCK_SHIFT, LOWEST, SLOPE, VALUES } from './layout';

/** Bins of a block, and the bytes of their slopes. */
export const BLOCK: i32 = 1 << BLOCK_SHIFT;
export const BLOCK_BYTES: i32 = 4 * BLOCK;

/** The address of the slopes of an eye. */
// @ts-ignore: decorator
@inline export function rowOf(eye: i32): i32 {
  return SLOPE + ((eye * BINS) << 2);
}
/** `number` and the three numbers after it. */
// @ts-ignore: decorator
@inline export function numbersFrom(number: i32): v128 {
  return i32x4.add(i32x4.splat(number), i32x4(0, 1, 2, 3));
}

/** The lowest slopes of a block: one lane for each eye. */
// @ts-ignore: decorator
@inline export function lowestOf(block: i32): v128 {
  return v128.load(LOWEST + (block << 4));
}
// @ts-ignore: decorator
@inline export function setLowest(block: i32, eye: i32, slope: f32): void {
  store<f32>(LOWEST + (block << 4) + (eye << 2), slope);
}

/** The smallest of four numbers. */
// @ts-ignore: decorator
@inline export function leastOf(four: v128): f32 {
  const two = f32x4.pmin(four, i32x4.shuffle(four, four, 2, 3, 0, 1));
  return f32x4.extract_lane(f32x4.pmin(two, i32x4.shuffle(two, two, 1, 0, 3, 2)), 0);
}

/** Updates the lowest slope of a block for one eye. */
export function settleLowest(block: i32, eye: i32): void {
  setLowest(block, eye, lowestFrom(rowOf(eye) + block * BLOCK_BYTES));
}

/** Updates the lowest slope of a block in which all eyes have the same slopes. */
export function settleLowestOfAll(block: i32): void {
  v128.store(LOWEST + (block << 4), f32x4.splat(lowestFrom(SLOPE + block * BLOCK_BYTES)));
}

/** The lowest slope of one eye (a receptor at one height) in the block of bins that begins at an address. */
// @ts-ignore: decorator
@inline function lowestFrom(begin: i32): f32 {
  let least = v128.load(begin);
  for (let at = begin + 16; at < begin + BLOCK_BYTES; at += 16) least = f32x4.pmin(v128.load(at), least);
  return leastOf(least);
}

/** The lowest slope of each eye in the blocks that have bins of [first, end): at most the lowest in these bins. */
export function lowestBetween(first: i32, end: i32): v128 {
  let least = f32x4.splat(Infinity);
  for (let block = first >> BLOCK_SHIFT; block <= (end - 1) >> BLOCK_SHIFT; block++) {
    least = f32x4.pmin(lowestOf(block), least);
  }
  return least;
}

/**
 * The eyes (a bit each) whose skyline is below a slope in any bin of [first, last]. Each eye has its own slope: its
 * lane of `steepest`. Stops early when one of `wanted` is found; then other eyes may be missing.
 */
export function eyesBelow(first: i32, last: i32, steepest: v128, wanted: i32): i32 {
  let found = 0;
  if (first > last) return found;
  for (let block = first >> BLOCK_SHIFT; block <= last >> BLOCK_SHIFT; block++) {
    let eyes = i32x4.bitmask(f32x4.lt(lowestOf(block), steepest)) & ~found;
    if (eyes == 0) continue;
    const begin = block << BLOCK_SHIFT;
    // The lowest bin of a block that is only partly in [first, last] may be outside: its bins are compared.
    const isPartly = first > begin || last < begin + BLOCK - 1;
    if (isPartly) {
      eyes = eyesBelowIn(max(first, begin), min(last, begin + BLOCK - 1), steepest, eyes);
    }
    found |= eyes;
    if ((found & wanted) != 0) break;
  }
  return found;
}

/**
 * Of the given eyes (a bit each: bit i is eye i), those whose skyline is below a slope in any bin of [first, last]. Each
 * eye has its own slope: its lane of `steepest` (lane i is that of eye i).
 */
function eyesBelowIn(first: i32, last: i32, steepest: v128, eyes: i32): i32 {
  v128.store(VALUES, steepest);
  let found = 0;
  // Takes the lowest bit and clears it.
  for (; eyes != 0; eyes &= eyes - 1) {
    const eye = ctz(eyes);
    if (isBelowIn(first, last, rowOf(eye), v128.load32_splat(VALUES + (eye << 2)))) found |= 1 << eye;
  }
  return found;
}

/**
 * True when a bin in [first, last] of a row has a slope below `steepest`. Four bins are compared at a time; those of
 * them outside [first, last] do not count.
 * @param row address of the slope of bin 0
 * @param steepest the same number in each lane
 */
// @ts-ignore: decorator
@inline function isBelowIn(first: i32, last: i32, row: i32, steepest: v128): bool {
  const startOfFour = first & -4;
  for (let bin = startOfFour; bin <= last; bin += 4) {
    const number = numbersFrom(bin);
    const inside = v128.and(i32x4.ge_s(number, i32x4.splat(first)), i32x4.le_s(number, i32x4.splat(last)));
    const below = f32x4.lt(v128.load(row + (bin << 2)), steepest);
    if (v128.any_true(v128.and(below, inside))) return true;
  }
  return false;
}
