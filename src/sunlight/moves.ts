/** How far positions and heights of a city model may be wrong, as standard deviations of a normal distribution. */
export interface ModelError {
  /** Along each axis of the plan, metres. */
  positionM: number;
  /** Metres. */
  heightM: number;
}

/**
 * How the buildings of a view are moved before something is computed. A draw is a number: with the same number a building
 * of a grid square is always moved alike, whatever is computed and in whichever view.
 */
export interface Moves {
  draw: number;
  error: ModelError;
  /** How much higher than published the building is that is asked about, metres. */
  ownRiseM: number;
}

/** How far a building is moved, metres. */
export interface Displacement {
  east: number;
  north: number;
  up: number;
}

const QUANTILE_BITS = 10;
const QUANTILE_COUNT = 2 ** QUANTILE_BITS;

/** Values of the standard normal distribution, each as likely as the others, in rising order; their variance is 1. */
export const QUANTILES: Float64Array = normalQuantiles();

/** No value of the distribution is larger. */
export const MOST_QUANTILE = QUANTILES[QUANTILE_COUNT - 1];

function normalQuantiles(): Float64Array {
  const [end, step] = [6, 1 / 1024];
  const quantiles = new Float64Array(QUANTILE_COUNT);
  let share = 0;
  let found = 0;
  for (let value = -end; value < end && found < QUANTILE_COUNT; value += step) {
    share += (step * Math.exp(-((value + step / 2) ** 2) / 2)) / Math.sqrt(2 * Math.PI);
    while (found < QUANTILE_COUNT && share * QUANTILE_COUNT >= found + 0.5) quantiles[found++] = value + step;
  }
  const variance = quantiles.reduce((sum, value) => sum + value * value, 0) / QUANTILE_COUNT;
  return quantiles.map((value) => value / Math.sqrt(variance));
}

/** Mixes all bits of a number into all others; as in `assembly/moves.ts`. */
function mixed(number: number): number {
  let bits = number;
  bits = Math.imul(bits ^ (bits >>> 16), 0x7feb352d);
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b);
  return bits ^ (bits >>> 16);
}

/**
 * The displacement of a building in a draw: the same that the kernel works out.
 * @param x grid coordinates of the origin of its tree, metres
 * @param building its number in that tree
 */
export function displacement({ draw, error, ownRiseM }: Moves, x: number, y: number, building: number): Displacement {
  const square = mixed((mixed(Math.round(x)) + Math.round(y)) | 0);
  const bits = mixed((mixed((square + building) | 0) + draw) | 0);
  const quantile = (axis: number): number => QUANTILES[(bits >>> (QUANTILE_BITS * axis)) & (QUANTILE_COUNT - 1)];
  return {
    east: error.positionM * quantile(0),
    north: error.positionM * quantile(1),
    up: error.heightM * quantile(2) + ownRiseM,
  };
}
