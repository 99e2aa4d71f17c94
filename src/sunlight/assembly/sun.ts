/** The sun's curves of twelve days on the image planes, and the sums of their minutes. */

import { BINS, DAYS, ELAPSED, LOWEST_SUN, MINUTE, SUN, SUNRISE, SUNSET } from './layout';

const ROW_BYTES: i32 = 4 * BINS;
/** The slope where a day has no sun: below every skyline. */
const BELOW: f32 = -1;
/** Minutes for which a curve continues below the horizon. */
const TWILIGHT: f64 = 12;

/** The bins in which the sun of any day is up: [sunFirst, sunEnd). */
export let sunFirst: i32 = BINS;
export let sunEnd: i32 = 0;

/**
 * Starts a new set of days. Without a day, the lowest sun is infinitely high, and the range of bins with sun is empty.
 */
export function startSun(): void {
  // Row 0 of SUN is below every sun and the row after the last day above every sun, so that a search among the days
  // needs no check of bounds.
  fill(SUN, SUN + ROW_BYTES, -Infinity);
  fill(SUN + ROW_BYTES * (DAYS + 1), SUN + ROW_BYTES * (DAYS + 2), Infinity);
  fill(LOWEST_SUN, LOWEST_SUN + ROW_BYTES, Infinity);
  // Row n of ELAPSED sums the minutes of n days: none in row 0. `layDay` writes the other rows.
  fill(ELAPSED, ELAPSED + ROW_BYTES, 0);
  sunFirst = BINS;
  sunEnd = 0;
}

/**
 * Adds a day. The program has written to its rows the sun's slopes and minutes in the bins [first, first + length);
 * here the rows are filled up to all bins: in those before and after, the sun is below every skyline, and the minute is
 * before sunrise or after sunset. Then LOWEST_SUN, the lowest slope of all days, and ELAPSED, the sums of the minutes,
 * are updated.
 * @param rank of the day, from 0 for the lowest sun. It is row `rank` of MINUTE. In SUN it is row `rank` + 1: row 0 is
 * below every sun, see `startSun`
 */
export function layDay(rank: i32, first: i32, length: i32): void {
  const rise = load<f64>(SUNRISE + (rank << 3));
  const set = load<f64>(SUNSET + (rank << 3));
  const minutes = MINUTE + ROW_BYTES * rank;
  const slopes = SUN + ROW_BYTES * (rank + 1);
  const end = first + length;
  fill(minutes, minutes + (first << 2), <f32>(rise - TWILIGHT));
  fill(minutes + (end << 2), minutes + ROW_BYTES, <f32>(set + TWILIGHT));
  fill(slopes, slopes + (first << 2), BELOW);
  fill(slopes + (end << 2), slopes + ROW_BYTES, BELOW);
  lowerLowestSun(minutes, slopes, first, end, rise, set);
  addElapsed(minutes, ELAPSED + ROW_BYTES * rank, rise, set);
}

/**
 * Lowers LOWEST_SUN to the curve of a day in those bins of [first, end) whose sun is up, and in one bin on either side,
 * because the sun rises and sets between the centres of two bins.
 * @param minutes address of the curve's minutes of the day, one f32 for each bin
 * @param slopes address of its slopes, the same
 */
function lowerLowestSun(minutes: i32, slopes: i32, first: i32, end: i32, rise: f64, set: f64): void {
  // Minutes ascend from bin to bin, so the bins with the sun up are consecutive.
  let from = first;
  while (from < end && <f64>load<f32>(minutes + (from << 2)) <= rise) from++;
  let to = end;
  while (to > from && <f64>load<f32>(minutes + ((to - 1) << 2)) >= set) to--;
  if (from == to) return;
  from = max(0, from - 1);
  to = min(BINS, to + 1);
  sunFirst = min(sunFirst, from);
  sunEnd = max(sunEnd, to);
  // Offsets of the bins in a row, bytes: four bins at a time, then the rest.
  let at = from << 2;
  for (; at + 16 <= to << 2; at += 16) {
    v128.store(LOWEST_SUN + at, f32x4.pmin(v128.load(LOWEST_SUN + at), v128.load(slopes + at)));
  }
  for (; at < to << 2; at += 4) {
    store<f32>(LOWEST_SUN + at, min(load<f32>(LOWEST_SUN + at), load<f32>(slopes + at)));
  }
}

/**
 * Writes the next row of ELAPSED: the minutes of sun up to each bin centre, summed over this day and those before it. A
 * day adds the minute at which the sun is at the bin centre, but at least `rise` and at most `set`, less `rise`.
 * @param minutes address of the minute of each bin centre
 * @param elapsed address of the row of the day before; the new row is written behind it
 */
function addElapsed(minutes: i32, elapsed: i32, rise: f64, set: f64): void {
  const rises = f64x2.splat(rise);
  const sets = f64x2.splat(set);
  // Two bins at a time, in double precision.
  for (let at = 0; at < ROW_BYTES; at += 8) {
    const minute = f64x2.promote_low_f32x4(v128.load64_zero(minutes + at));
    const before = f64x2.promote_low_f32x4(v128.load64_zero(elapsed + at));
    const sum = f64x2.sub(f64x2.add(before, f64x2.pmin(f64x2.pmax(minute, rises), sets)), rises);
    v128.store64_lane(elapsed + ROW_BYTES + at, f32x4.demote_f64x2_zero(sum), 0);
  }
}

/** Fills an address range with a number. */
function fill(from: i32, to: i32, value: f32): void {
  const four = f32x4.splat(value);
  let at = from;
  for (; at + 16 <= to; at += 16) v128.store(at, four);
  for (; at < to; at += 4) store<f32>(at, value);
}
