/** Gaps shorter than this are closed and windows shorter than this dropped, minutes. */
const LEAST_MINUTES = 1;

/**
 * The windows in which at least half of a face's receptors are lit.
 *
 * `intervals` holds the lit intervals of all of them together, `[start, end, start, end, …]` in minutes after 00:00,
 * in any order; those of one receptor do not overlap. Gaps under a minute are closed first, then windows under a
 * minute dropped, then the ends rounded to the nearest minute. Gives `[start, end, …]` in order of time.
 */
export function sunlitWindows(intervals: readonly number[], receptors: number): number[] {
  return rounded(withoutShort(atLeast(intervals, Math.ceil(receptors / 2))));
}

/** Mean minutes of a receptor in the same list of intervals, unrounded. */
export function meanMinutes(intervals: readonly number[], receptors: number): number {
  let sum = 0;
  for (let i = 0; i < intervals.length; i += 2) sum += intervals[i + 1]! - intervals[i]!;
  return sum / receptors;
}

/** The stretches in which at least `depth` of the intervals hold; stretches that touch are one. */
function atLeast(intervals: readonly number[], depth: number): number[] {
  const starts: number[] = [];
  const ends: number[] = [];
  for (let i = 0; i < intervals.length; i += 2) {
    starts.push(intervals[i]!);
    ends.push(intervals[i + 1]!);
  }
  starts.sort((a, b) => a - b);
  ends.sort((a, b) => a - b);
  const stretches: number[] = [];
  let open = 0;
  for (let s = 0, e = 0; e < ends.length; ) {
    // A start at the very instant of an end comes first: what touches does not part.
    if (s < starts.length && starts[s]! <= ends[e]!) {
      if (++open === depth) stretches.push(starts[s]!);
      s++;
    } else {
      if (open-- === depth) stretches.push(ends[e]!);
      e++;
    }
  }
  return stretches;
}

function withoutShort(stretches: readonly number[]): number[] {
  const joined: number[] = [];
  for (let i = 0; i < stretches.length; i += 2) {
    if (joined.length > 0 && stretches[i]! - joined.at(-1)! < LEAST_MINUTES)
      joined[joined.length - 1] = stretches[i + 1]!;
    else joined.push(stretches[i]!, stretches[i + 1]!);
  }
  return joined.filter((_, i) => joined[i | 1]! - joined[i & ~1]! >= LEAST_MINUTES);
}

const rounded = (minutes: readonly number[]): number[] => minutes.map(Math.round);
