import { INSIDE, OPEN, type Skyline } from './skyline.ts';
import { buildingOfWall } from './skyline-draw.ts';
import { endOfShade, lookBetween, startOfShade } from './skyline-instants.ts';
import type { SunCurves } from './sun-curves.ts';

const DAYS = 12;

/** What reading skylines adds up, for one face and one building. Made once per thread. */
export interface Reading {
  /** [eye × 12 + month]: lit intervals [start, end, …] of all columns read since they were emptied, minutes; … */
  lit: number[][];
  /** … how many of its numbers count: the lists keep their room. */
  litLength: Uint32Array;
  /** Per eye: the number of floors that it stands for. */
  floors: Uint8Array;
  /** Per building of the scene: receptor-minutes for which it stood highest in front of the sun. */
  blocked: Float64Array;
  /** The buildings with an entry in `blocked`, in the order in which they were met. */
  blockers: number[];
}

/** Nothing read yet, in a scene of so many buildings. */
export function createReading(buildings: number, eyes: number): Reading {
  return {
    lit: Array.from({ length: eyes * DAYS }, () => []),
    litLength: new Uint32Array(eyes * DAYS),
    floors: new Uint8Array(eyes),
    blocked: new Float64Array(buildings),
    blockers: [],
  };
}

/** Forgets the lit intervals and who blocked, before the next building. */
export function emptyReading(reading: Reading): void {
  emptyLit(reading);
  for (const building of reading.blockers) reading.blocked[building] = 0;
  reading.blockers.length = 0;
}

/** Forgets the lit intervals, before the next face. */
export function emptyLit(reading: Reading): void {
  reading.litLength.fill(0);
}

/** By rank of the day: the stretch with the sun up and in front of the wall, minutes; empty where the end is before the start. */
export interface FrontTimes {
  start: Float64Array;
  end: Float64Array;
}

/** By rank: since when the sun has been out; NaN while it is hidden. */
const litSince = new Float64Array(DAYS);

/** When each day's sun stands between the places `from` and `to` among the bins. */
export function frontTimes(curves: SunCurves, from: number, to: number, out: FrontTimes): void {
  const bins = curves.lowest.length;
  for (let rank = 0; rank < DAYS; rank++) {
    out.start[rank] = Math.max(curves.sunrise[rank]!, between(curves.minute, rank, bins, from));
    out.end[rank] = Math.min(curves.sunset[rank]!, between(curves.minute, rank, bins, to));
  }
}

/**
 * Reads one eye's finished skyline over the places [from, to] among the bins, where the sun stands in front of the
 * wall at the times `front`: the lit intervals of every day go to `reading.lit`, the hidden minutes to the buildings
 * that stand highest.
 *
 * At one azimuth the days' curves lie above one another, so one number, how many of them the skyline hides, says all
 * about a bin. Where it changes from one bin to the next, the instant is solved from the walls of both.
 */
export function readSkyline(
  skyline: Skyline,
  eye: number,
  curves: SunCurves,
  from: number,
  to: number,
  front: FrontTimes,
  reading: Reading,
): void {
  const { minute, elapsed } = curves;
  const { bins, rows } = skyline;
  const { slope, wall, sun } = rows;
  const row = eye * bins;
  const last = Math.min(bins - 1, Math.ceil(to));
  let bin = Math.max(0, Math.floor(from));
  let level = hiddenDays(slope[row + bin]!, sun, bins, bin, 0);
  let owner = ownerOf(skyline, eye, wall[row + bin]!);
  let counted = between(elapsed, level, bins, from);
  for (let rank = 0; rank < DAYS; rank++) litSince[rank] = rank < level ? Number.NaN : front.start[rank]!;

  while (bin < last) {
    const next = rows.nextChange(row, bin, last, level);
    if (next > last) break;
    bin = next - 1;
    const nextLevel = hiddenDays(slope[row + next]!, sun, bins, next, level);
    const nextOwner = wall[row + next] === wall[row + bin] ? owner : ownerOf(skyline, eye, wall[row + next]!);
    if (nextOwner === owner && nextLevel === level) {
      bin = next;
      continue;
    }

    // Of the days hidden in both bins, either owner gets half of the time between the centres.
    const common = Math.min(level, nextLevel);
    const half = (elapsed[common * bins + next]! - elapsed[common * bins + bin]!) / 2;
    block(reading, eye, owner, elapsed[level * bins + bin]! - counted + half);
    block(reading, eye, nextOwner, half);

    if (nextLevel !== level) {
      lookBetween(skyline, eye, bin);
      const opens = nextLevel < level;
      for (let rank = common; rank < Math.max(level, nextLevel); rank++) {
        const here = sun[(rank + 1) * bins + bin]!;
        const there = sun[(rank + 1) * bins + next]!;
        const share = opens ? endOfShade(here, there) : startOfShade(here, there);
        const since = minute[rank * bins + bin]!;
        const until = minute[rank * bins + next]!;
        const instant = since + share * (until - since);
        const start = front.start[rank]!;
        const end = front.end[rank]!;
        if (opens) {
          block(reading, eye, owner, Math.min(instant, end) - Math.max(since, start));
          litSince[rank] = Math.max(instant, start);
        } else {
          block(reading, eye, nextOwner, Math.min(until, end) - Math.max(instant, start));
          keepLit(reading, eye, curves.rankMonth[rank]!, litSince[rank]!, Math.min(instant, end));
          litSince[rank] = Number.NaN;
        }
      }
    }
    level = nextLevel;
    owner = nextOwner;
    counted = elapsed[level * bins + next]!;
    bin = next;
  }
  block(reading, eye, owner, between(elapsed, level, bins, to) - counted);
  for (let rank = level; rank < DAYS; rank++) {
    keepLit(reading, eye, curves.rankMonth[rank]!, litSince[rank]!, front.end[rank]!);
  }
}

/** Number of days (lowest sun first) whose curve lies under the slope in a bin; `guess` is where to start looking. */
function hiddenDays(slope: number, sun: Float32Array, bins: number, bin: number, guess: number): number {
  let days = guess;
  while (sun[days * bins + bin]! >= slope) days--;
  while (sun[(days + 1) * bins + bin]! < slope) days++;
  return days;
}

/** The value in a row of a table [row × bins + bin] at a place between two bins' centres. */
function between(table: Float32Array, row: number, bins: number, place: number): number {
  const bin = Math.min(bins - 2, Math.max(0, Math.floor(place)));
  const value = table[row * bins + bin]!;
  return value + (place - bin) * (table[row * bins + bin + 1]! - value);
}

function ownerOf(skyline: Skyline, eye: number, wall: number): number {
  if (wall >= 0) return buildingOfWall(skyline, wall);
  return wall === INSIDE ? skyline.inside[eye]! : OPEN;
}

function block(reading: Reading, eye: number, building: number, minutes: number): void {
  if (building < 0 || minutes <= 0) return;
  if (reading.blocked[building] === 0) reading.blockers.push(building);
  reading.blocked[building]! += minutes * reading.floors[eye]!;
}

/** A minute counts as lit when the sun shines at its half, so that an interval is its ends rounded. */
function keepLit(reading: Reading, eye: number, month: number, start: number, end: number): void {
  const from = Math.round(start);
  const to = Math.round(end);
  if (to <= from) return;
  const day = eye * DAYS + month;
  const intervals = reading.lit[day]!;
  const length = reading.litLength[day]!;
  intervals[length] = from;
  intervals[length + 1] = to;
  reading.litLength[day] = length + 2;
}
