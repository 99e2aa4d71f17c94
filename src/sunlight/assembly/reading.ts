/**
 * Reads a finished skyline: the lit intervals of every day, and the minutes that each building hides. The rank of a day
 * is its place in the order of the sun's height, from 0 for the lowest.
 */

import { edgeBuilding, edgeNode, edgePart } from './edges';
import {
  BINS,
  BY_SURFACE,
  DAYS,
  ELAPSED,
  FLOORS,
  FRONT_END,
  FRONT_START,
  LIT,
  LIT_LENGTH,
  LIT_NUMBERS,
  LIT_SINCE,
  MINUTE,
  RANK_MONTH,
  SECTOR_BINS,
  SUN,
  SUNRISE,
  SUNSET,
  UNSHADED,
} from './layout';
import { addBlocked } from './blockers';
import { enclosingBuilding } from './eyes';
import { endOfShade, lookBetween, startOfShade } from './instants';
import { ENCLOSED, nextChange, shownEdge, slopeOf } from './rows';
import { isSloped, isTerrain } from './tree';
import { keepSeen } from './walk';

// Access to tables by rank of a day (UNSHADED: by month), and by row and bin.
// @ts-ignore: decorator
@inline function ofRank(array: i32, rank: i32): f64 {
  return load<f64>(array + (rank << 3));
}
// @ts-ignore: decorator
@inline function setOfRank(array: i32, rank: i32, value: f64): void {
  store<f64>(array + (rank << 3), value);
}
// @ts-ignore: decorator
@inline function ofBin(table: i32, row: i32, bin: i32): f64 {
  return <f64>load<f32>(table + ((row * BINS + bin) << 2));
}
// @ts-ignore: decorator
@inline function sunAt(row: i32, bin: i32): f32 {
  return load<f32>(SUN + ((row * BINS + bin) << 2));
}

/** The sector of the sky in which a bin lies. */
// @ts-ignore: decorator
@inline function sectorOf(bin: i32): i32 {
  return bin / SECTOR_BINS;
}

/** The value of a row of a table at a position between two bin centres. */
function interpolated(table: i32, row: i32, position: f64): f64 {
  const bin = min(BINS - 2, max(0, <i32>floor(position)));
  const value = ofBin(table, row, bin);
  return value + (position - <f64>bin) * (ofBin(table, row, bin + 1) - value);
}

/**
 * Computes when each day's sun is between the positions `from` and `to`, which are in front of the wall. Adds these
 * minutes to those without obstacles.
 */
export function addTimesInFront(from: f64, to: f64): void {
  for (let rank = 0; rank < DAYS; rank++) {
    const start = max(ofRank(SUNRISE, rank), interpolated(MINUTE, rank, from));
    const end = min(ofRank(SUNSET, rank), interpolated(MINUTE, rank, to));
    setOfRank(FRONT_START, rank, start);
    setOfRank(FRONT_END, rank, end);
    const minutes = Math.round(end) - Math.round(start);
    const month = <i32>load<u8>(RANK_MONTH + rank);
    // UNSHADED is by month.
    if (minutes > 0) setOfRank(UNSHADED, month, ofRank(UNSHADED, month) + minutes);
  }
}

/** The number of days (lowest sun first) whose sun is below the slope in a bin. The search starts at `guess`. */
function hiddenDays(slope: f32, bin: i32, guess: i32): i32 {
  let days = guess;
  // Row 0 of the suns is −∞ and the row after the last day is +∞, so both searches end.
  while (sunAt(days, bin) >= slope) days--;
  while (sunAt(days + 1, bin) < slope) days++;
  return days;
}

/**
 * The owner of a bin: the building whose edge the bin shows (with BY_SURFACE for a roof surface), or −1 for the free
 * sky. Marks the node of the edge as visible. The ground counts as one building for each sector of the sky, with the
 * numbers after those of all buildings. An eye that is inside a building sees that building in every bin.
 */
function ownerOf(eye: i32, bin: i32): i32 {
  const edge = shownEdge(eye * BINS + bin);
  if (edge >= 0) {
    const node = edgeNode(edge);
    const building = edgeBuilding(edge);
    keepSeen(edgePart(edge), node);
    if (isTerrain(node)) return building + sectorOf(bin);
    return isSloped(node) ? building | BY_SURFACE : building;
  }
  return edge == ENCLOSED ? enclosingBuilding(eye) : -1;
}

/** Adds minutes that a building blocks, once for each floor of the eye. Without a building (−1) or minutes, nothing. */
// @ts-ignore: decorator
@inline function addShade(eye: i32, building: i32, minutes: f64): void {
  if (building >= 0 && minutes > 0) addBlocked(building, minutes * <f64>load<i32>(FLOORS + (eye << 2)));
}

/**
 * Adds a lit interval to the list of an eye and month. (A day of the computation stands for its month.) A list has
 * numbers of two bytes: start, end, start, end and so on. Starts and ends are each kept in ascending order, because its
 * reader only counts how many receptors are lit at a time: the starts before it less the ends before it. A minute is
 * lit when the sun shines at its middle, so the ends are rounded.
 * @param rank of the day, by the height of its sun
 */
function keepLit(eye: i32, rank: i32, start: f64, end: f64): void {
  const from = <i32>Math.round(start);
  const to = <i32>Math.round(end);
  if (to <= from) return;
  const month = <i32>load<u8>(RANK_MONTH + rank);
  const listNumber = eye * DAYS + month;
  const length = load<i32>(LIT_LENGTH + (listNumber << 2));
  const starts = LIT + 2 * listNumber * LIT_NUMBERS;
  const ends = starts + 2;
  insert(starts, length, from);
  insert(ends, length, to);
  store<i32>(LIT_LENGTH + (listNumber << 2), length + 2);
}

/**
 * Inserts a minute into a list of pairs (start, end), among its starts or among its ends, which are in ascending order.
 * @param side address of the first start, or of the first end
 * @param numbers length of the list so far: two for each pair
 */
// @ts-ignore: decorator
@inline function insert(side: i32, numbers: i32, minute: i32): void {
  let address = side + 2 * numbers;
  while (address > side && <i32>load<u16>(address - 4) > minute) {
    store<u16>(address, load<u16>(address - 4));
    address -= 4;
  }
  store<u16>(address, <u16>minute);
}

/**
 * Reads one eye's skyline over the positions [from, to] among the bins: adds the lit intervals of each day, and the
 * minutes that each building hides. FRONT_START and FRONT_END have when each day's sun is between `from` and `to`
 * (`addTimesInFront`).
 *
 * At one azimuth the suns of the days lie above one another, so a bin is described by one number: how many of them the
 * skyline hides. These are the days of the lowest ranks. Row n of ELAPSED has, for each bin centre, the minutes since
 * sunrise, summed over the n lowest days. So a difference within a row gives the minutes of all hidden days.
 *
 * Neighbouring bins with one owner and one number of hidden days are a run, read in one step. The owner gets the
 * minutes from the first centre of the run to the last. The way from there to the first centre of the next run is
 * shared. Say A hides 3 days in its run and B hides 5 in the next: on this way each gets half of the minutes of the 3
 * days that both hide; for the other 2 days, `changeDays` solves the instant at which B takes the sun.
 */
export function readSkyline(eye: i32, from: f64, to: f64): void {
  const row = eye * BINS;
  const last = min(BINS - 1, <i32>ceil(to));
  let bin = max(0, <i32>floor(from));
  let hidden = hiddenDays(slopeOf(row + bin), bin, 0);
  let owner = ownerOf(eye, bin);
  // ELAPSED of the hidden days where the run begins.
  let runStart = interpolated(ELAPSED, hidden, from);
  // Since when each day's sun has shone; NaN while it is hidden.
  for (let rank = 0; rank < DAYS; rank++) setOfRank(LIT_SINCE, rank, rank < hidden ? NaN : ofRank(FRONT_START, rank));

  while (bin < last) {
    // The bin shows another edge, or hides other days. Another edge of the same owner belongs to the same run.
    const next = nextChange(row, bin, last, hidden);
    if (next > last) break;
    bin = next - 1;
    const nextHidden = hiddenDays(slopeOf(row + next), next, hidden);
    const nextOwner = shownEdge(row + next) == shownEdge(row + bin) ? owner : ownerOf(eye, next);
    if (nextOwner != owner || nextHidden != hidden) {
      // `bin` is the last of the run. Half of the minutes from its centre to the next, of the days that both bins hide.
      const hiddenInBoth = min(hidden, nextHidden);
      const half = (ofBin(ELAPSED, hiddenInBoth, next) - ofBin(ELAPSED, hiddenInBoth, bin)) / 2;
      addShade(eye, owner, ofBin(ELAPSED, hidden, bin) - runStart + half);
      addShade(eye, nextOwner, half);
      if (nextHidden != hidden) changeDays(eye, bin, hidden, nextHidden, owner, nextOwner);
      hidden = nextHidden;
      owner = nextOwner;
      runStart = ofBin(ELAPSED, hidden, next);
    }
    bin = next;
  }
  addShade(eye, owner, interpolated(ELAPSED, hidden, to) - runStart);
  for (let rank = hidden; rank < DAYS; rank++) keepLit(eye, rank, ofRank(LIT_SINCE, rank), ofRank(FRONT_END, rank));
}

/**
 * Handles the days that only one of two neighbouring bins hides. A bin hides the days of the lowest ranks, so these
 * days have the ranks from the smaller number of hidden days up to the larger. For each it solves, from the walls of
 * both bins, the instant at which the sun appears or disappears between the centres. It adds the minutes that are
 * hidden between the centres, and the lit interval that ends there.
 * @param hidden how many days the first bin hides, lowest sun first; `nextHidden`: the next bin
 * @param owner the building that the first bin shows; `nextOwner`: the next bin
 */
function changeDays(eye: i32, bin: i32, hidden: i32, nextHidden: i32, owner: i32, nextOwner: i32): void {
  // Lists the walls for `endOfShade` and `startOfShade`.
  lookBetween(eye, bin);
  const appears = nextHidden < hidden;
  for (let rank = min(hidden, nextHidden); rank < max(hidden, nextHidden); rank++) {
    // Row 0 of the suns is below every sun; the day of a rank has the row after.
    const sunAtFirst = <f64>sunAt(rank + 1, bin);
    const sunAtNext = <f64>sunAt(rank + 1, bin + 1);
    const share = appears ? endOfShade(sunAtFirst, sunAtNext) : startOfShade(sunAtFirst, sunAtNext);
    const atFirst = ofBin(MINUTE, rank, bin);
    const atNext = ofBin(MINUTE, rank, bin + 1);
    const instant = atFirst + share * (atNext - atFirst);
    // When the day's sun comes in front of the wall, and when it leaves: only minutes between them count. If a
    // difference below is negative, `addShade` adds nothing.
    const start = ofRank(FRONT_START, rank);
    const end = ofRank(FRONT_END, rank);
    if (appears) {
      addShade(eye, owner, min(instant, end) - max(atFirst, start));
      setOfRank(LIT_SINCE, rank, max(instant, start));
    } else {
      addShade(eye, nextOwner, min(atNext, end) - max(instant, start));
      keepLit(eye, rank, ofRank(LIT_SINCE, rank), min(instant, end));
      setOfRank(LIT_SINCE, rank, NaN);
    }
  }
}
