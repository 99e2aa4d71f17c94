/** Gaps shorter than this are closed and windows shorter than this dropped, minutes. */
const LEAST_MINUTES = 1;

/**
 * The windows in which at least half of a face's receptors are lit.
 *
 * `intervals` holds the lit intervals of all of them together, `[start, end, start, end, …]` in minutes after 00:00,
 * in any order; those of one receptor do not overlap. Gaps under a minute are closed first, then windows under a minute dropped, then the ends rounded to the nearest minute. Gives
 * `[start, end, …]` in order of time.
 */
export function sunlitWindows(intervals: ArrayLike<number>, receptors: number): number[] {
  const count = intervals.length / 2;
  const depth = Math.ceil(receptors / 2);
  const windows: number[] = [];
  if (count < depth) return windows;
  if (count === 1) {
    keep(windows, intervals[0], intervals[1]);
    return windows;
  }
  const starts: number[] = [];
  const ends: number[] = [];
  for (let i = 0; i < count; i++) {
    insert(starts, i, intervals[2 * i]);
    insert(ends, i, intervals[2 * i + 1]);
  }
  let from = -Infinity;
  let to = -Infinity;
  let open = 0;
  for (let s = 0, e = 0; e < count; ) {
    // A start at the very instant of an end comes first: what touches does not part.
    if (s < count && starts[s] <= ends[e]) {
      if (++open === depth && starts[s] - to >= LEAST_MINUTES) {
        keep(windows, from, to);
        from = starts[s];
      }
      s++;
    } else {
      if (open-- === depth) to = ends[e];
      e++;
    }
  }
  keep(windows, from, to);
  return windows;
}

/** Mean minutes of a receptor in the same list of intervals, unrounded. */
export function meanMinutes(intervals: ArrayLike<number>, receptors: number): number {
  let sum = 0;
  for (let i = 0; i < intervals.length; i += 2) sum += intervals[i + 1] - intervals[i];
  return sum / receptors;
}

/** Puts a value in its place among the first `count` of a sorted list; those of one receptor come in order already. */
function insert(sorted: number[], count: number, value: number): void {
  let at = count;
  for (; at > 0 && sorted[at - 1] > value; at--) sorted[at] = sorted[at - 1];
  sorted[at] = value;
}

function keep(windows: number[], from: number, to: number): void {
  if (to - from >= LEAST_MINUTES) windows.push(Math.round(from), Math.round(to));
}
