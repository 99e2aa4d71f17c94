/** Shorter gaps are closed and shorter windows are dropped, minutes. */
const LEAST_MINUTES = 1;

/**
 * The windows in which at least half of a face's receptors are lit. Gaps under a minute are closed first, then windows
 * under a minute are dropped, then the ends are rounded to the nearest minute.
 * @param intervals the lit intervals of all receptors, `[start, end, start, end, …]` in minutes after 00:00, in any
 * order; those of one receptor do not overlap
 * @param receptors number of receptors
 * @returns `[start, end, …]` in order of time
 */
export function sunlitWindows(intervals: ArrayLike<number>, receptors: number): number[] {
  const ordered = areInOrder(intervals) ? intervals : inOrder(intervals);
  return windowsInOrder(ordered, receptors, 0, ordered.length);
}

/**
 * The windows in which at least half of the receptors are lit, as `sunlitWindows` defines them. Reads the positions
 * `[from, to)` of `intervals` (`[start, end, …]`, minutes), whose starts ascend and whose ends ascend. Goes through
 * starts and ends in order of time, and counts how many receptors are lit.
 */
export function windowsInOrder(intervals: ArrayLike<number>, receptors: number, from: number, to: number): number[] {
  const half = Math.ceil(receptors / 2);
  if (to - from < 2 * half) return [];
  let windows: number[] = [];
  // No window yet. One that ends before it starts is too short, so it is dropped.
  let windowStart = 0;
  let windowEnd = -Infinity;
  let lit = 0;
  for (let start = from, end = from + 1; end < to; ) {
    // A start at the same instant as an end comes first, so that adjacent intervals join.
    if (start < to && intervals[start] <= intervals[end]) {
      // Half are lit from here on. A gap shorter than a window does not count: the window before it goes on.
      if (++lit === half && intervals[start] - windowEnd >= LEAST_MINUTES) {
        windows = withLongWindow(windows, windowStart, windowEnd);
        windowStart = intervals[start];
      }
      start += 2;
    } else {
      if (lit-- === half) windowEnd = intervals[end];
      end += 2;
    }
  }
  return withLongWindow(windows, windowStart, windowEnd);
}

/** True when the starts and the ends rise. */
function areInOrder(intervals: ArrayLike<number>): boolean {
  for (let i = 2; i < intervals.length; i++) if (intervals[i] < intervals[i - 2]) return false;
  return true;
}

/** The starts and the ends, each in rising order. Which start belongs to which end does not matter to the count. */
function inOrder(intervals: ArrayLike<number>): Float64Array {
  const sorted = new Float64Array(intervals.length);
  for (const side of [0, 1]) {
    const times = Float64Array.from({ length: sorted.length / 2 }, (_, i) => intervals[side + 2 * i]).sort();
    for (const [i, time] of times.entries()) sorted[side + 2 * i] = time;
  }
  return sorted;
}

/** Appends a window, unless it is too short. Reuses the list if it has windows. */
function withLongWindow(windows: number[], from: number, to: number): number[] {
  if (to - from < LEAST_MINUTES) return windows;
  // Most days have one window: a list of two numbers is made with its exact length.
  if (windows.length === 0) return [Math.round(from), Math.round(to)];
  windows.push(Math.round(from), Math.round(to));
  return windows;
}

/** The parts of windows `[start, end, …]`, in order of time, that are not in others. */
export function windowsWithout(windows: readonly number[], others: readonly number[]): number[] {
  const rest: number[] = [];
  for (let i = 0; i < windows.length; i += 2) {
    let from = windows[i];
    for (let k = 0; k < others.length; k += 2) {
      if (others[k + 1] <= from || others[k] >= windows[i + 1]) continue;
      if (others[k] > from) rest.push(from, others[k]);
      from = others[k + 1];
    }
    if (from < windows[i + 1]) rest.push(from, windows[i + 1]);
  }
  return rest;
}

/** The common parts of two lists of windows `[start, end, …]`, each in order of time. */
export function commonWindows(a: readonly number[], b: readonly number[]): number[] {
  const common: number[] = [];
  for (let i = 0, k = 0; i < a.length && k < b.length; ) {
    const [from, to] = [Math.max(a[i], b[k]), Math.min(a[i + 1], b[k + 1])];
    if (from < to) common.push(from, to);
    if (a[i + 1] < b[k + 1]) i += 2;
    else k += 2;
  }
  return common;
}

/**
 * Mean minutes of sun of a receptor, not rounded.
 * @param intervals the lit intervals of all receptors, `[start, end, start, end, …]`
 * @param receptors number of receptors
 */
export function meanMinutes(intervals: ArrayLike<number>, receptors: number, from = 0, to = intervals.length): number {
  let sum = 0;
  for (let i = from; i < to; i += 2) sum += intervals[i + 1] - intervals[i];
  return sum / receptors;
}
