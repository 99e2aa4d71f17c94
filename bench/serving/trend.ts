/** A straight line fitted to repeated measurements of a figure. */
export interface Trend {
  /** Mean of the figure over all points. */
  mean: number;
  /** Rise per minute. */
  slope: number;
  /** Standard error of the slope, from the random scatter of the points. */
  error: number;
}

/** The least-squares line through at least three points. */
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

/** Growth per minute below this share of the mean counts as none: doubling would take ten hours. */
const LEVEL_SHARE = 0.0015;

/** True when the rise is larger than chance explains and large enough to matter. */
export function isRising({ mean, slope, error }: Trend): boolean {
  return slope - 2 * error > LEVEL_SHARE * mean;
}
