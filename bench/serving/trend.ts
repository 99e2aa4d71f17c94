/** A straight line through a figure that was taken again and again. */
export interface Trend {
  /** Of the figure, over all points. */
  mean: number;
  /** Rise in a minute. */
  slope: number;
  /** Standard error of the slope: what it is uncertain by, where the points scatter by chance. */
  error: number;
}

/** The line of least squares through at least three points. */
export function trendOf(points: readonly { seconds: number; value: number }[]): Trend {
  const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const minutes = points.map(({ seconds }) => seconds / 60);
  const values = points.map(({ value }) => value);
  const [x, y] = [meanOf(minutes), meanOf(values)];
  const spread = minutes.reduce((sum, minute) => sum + (minute - x) ** 2, 0);
  const slope = minutes.reduce((sum, minute, i) => sum + (minute - x) * (values[i] - y), 0) / spread;
  const residue = minutes.reduce((sum, minute, i) => sum + (values[i] - y - slope * (minute - x)) ** 2, 0);
  return { mean: y, slope, error: Math.sqrt(residue / (points.length - 2) / spread) };
}

/** Growth of less than this share of the whole in a minute is none: it would take ten hours to double. */
const LEVEL_SHARE = 0.0015;

/** Whether it rises by more than chance explains and by more than is worth speaking of. */
export function isRising({ mean, slope, error }: Trend): boolean {
  return slope - 2 * error > LEVEL_SHARE * mean;
}
