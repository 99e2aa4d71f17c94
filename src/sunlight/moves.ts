import { boundsOf, polygonDistance } from '../geo/polygon.ts';
import type { Scene } from './scene.ts';

/** Limit of the classes of errors of positions, and of heights, in a city. */
export const ERROR_CLASSES = 8;

/** The error of a city model as standard deviations of normal distributions, by class of a building. */
export interface ModelError {
  /** Along each axis of the plan, metres. A class that is absent has no error. */
  positionsM: readonly number[];
  /** Of heights, metres. */
  heightsM: readonly number[];
}

/** A model without errors. */
export const NO_ERROR: ModelError = { positionsM: [0], heightsM: [0] };

/**
 * The moves of the buildings of a view before a computation. A draw is a number. With the same number a building of a
 * grid square always moves in the same way, in any view.
 */
export interface Moves {
  draw: number;
  error: ModelError;
  /** Difference between the height of the requested building and its published height, metres. */
  ownRiseM: number;
}

/**
 * The move of a building as one number: the cluster in its tree, and its classes of errors. Buildings of one cluster
 * share their position error, so that touching walls stay together; each has its own height error.
 */
export type Move = number;

/** The move of things that are not buildings, such as the ground: none. */
export const FIXED: Move = 0xffffffff;

const CLASS_BITS = 3;
const CLUSTER_BITS = 24;

/**
 * The move of a building.
 * @param cluster the first building of its cluster
 */
export const moveOf = (cluster: number, positionClass: number, heightClass: number): Move =>
  cluster + 2 ** CLUSTER_BITS * (positionClass + 2 ** CLASS_BITS * heightClass);

/** The cluster and the classes of errors of a move. */
export const fieldsOfMove = (move: Move): { cluster: number; positionClass: number; heightClass: number } => ({
  cluster: move & (2 ** CLUSTER_BITS - 1),
  positionClass: (move >>> CLUSTER_BITS) & (ERROR_CLASSES - 1),
  heightClass: (move >>> (CLUSTER_BITS + CLASS_BITS)) & (ERROR_CLASSES - 1),
});

/** The displacement of a building, metres. */
export interface Displacement {
  east: number;
  north: number;
  up: number;
}

const QUANTILE_BITS = 10;
const QUANTILE_COUNT = 2 ** QUANTILE_BITS;

/** Equally likely values of the standard normal distribution, in rising order. Their variance is 1. */
export const QUANTILES: Float64Array = normalQuantiles();

/** The largest of these values. */
export const MOST_QUANTILE = QUANTILES[QUANTILE_COUNT - 1];

/**
 * The values of `QUANTILES`. It sums the normal distribution in small steps; a quantile is where the sum reaches the
 * middle of its share.
 */
function normalQuantiles(): Float64Array {
  // Standard deviations. Beyond ±6 lies less of the distribution than the share of a quantile.
  const end = 6;
  const step = 1 / 1024;
  const quantiles = new Float64Array(QUANTILE_COUNT);
  let share = 0;
  let count = 0;
  for (let value = -end; value < end && count < QUANTILE_COUNT; value += step) {
    share += (step * Math.exp(-((value + step / 2) ** 2) / 2)) / Math.sqrt(2 * Math.PI);
    while (count < QUANTILE_COUNT && share * QUANTILE_COUNT >= count + 0.5) quantiles[count++] = value + step;
  }
  // The values in the middle of their shares vary a little less than the distribution: they are scaled to the variance
  // 1.
  const variance = quantiles.reduce((sum, value) => sum + value * value, 0) / QUANTILE_COUNT;
  return quantiles.map((value) => value / Math.sqrt(variance));
}

/** Mixes all bits of a number, so that near numbers give far ones: the hash lowbias32, as in `assembly/moves.ts`. */
function mixed(number: number): number {
  let bits = number;
  bits = Math.imul(bits ^ (bits >>> 16), 0x7feb352d);
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b);
  return bits ^ (bits >>> 16);
}

/**
 * The displacement of the requested building by a random error of the city model, as the kernel computes it. Touching
 * buildings are a cluster and share their error of position, so that they stay together; each has its own error of
 * height. The random numbers are hashes of the draw, the tree, and the cluster or the building, so they are the same in
 * every computation. A hash has three fields of QUANTILE_BITS, one for each axis.
 * @param moves their `ownRiseM` is added to the random error of height
 * @param x of the origin of its tree in the grid: metres east; `y`: metres north. They identify the tree
 * @param building its number in that tree
 */
export function displacement(
  { draw, error, ownRiseM }: Moves,
  x: number,
  y: number,
  building: number,
  move: Move,
): Displacement {
  const { cluster, positionClass, heightClass } = fieldsOfMove(move);
  const treeHash = mixed((mixed(Math.round(x)) + Math.round(y)) | 0);
  const hashOf = (number: number): number => mixed((mixed((treeHash + number) | 0) + draw) | 0);
  const quantile = (hash: number, field: number): number =>
    QUANTILES[(hash >>> (QUANTILE_BITS * field)) & (QUANTILE_COUNT - 1)];
  const positionM = error.positionsM[positionClass] ?? 0;
  return {
    east: positionM * quantile(hashOf(cluster), 0),
    north: positionM * quantile(hashOf(cluster), 1),
    up: (error.heightsM[heightClass] ?? 0) * quantile(hashOf(building), 2) + ownRiseM,
  };
}

/** Buildings within this distance touch, metres: published outlines of a common wall agree to about a decimetre. */
const TOUCH_M = 0.15;

/**
 * The clusters of a scene. Buildings that touch or overlap are in one cluster, together with all that touch those.
 * @returns for each building the first building of its cluster; a building that touches no other is its own cluster
 */
export function touchingClusters(scene: Scene): Uint32Array {
  // Union-find: each building refers to an earlier one of its cluster; the first refers to itself, as all do at first.
  const clusters = Uint32Array.from(scene.base.keys());
  const firstOfCluster = (building: number): number => {
    let first = building;
    while (clusters[first] !== first) {
      // Shortens the way for the next search.
      clusters[first] = clusters[clusters[first]];
      first = clusters[first];
    }
    return first;
  };
  const prisms = boxedPrisms(scene).sort((a, b) => a.west - b.west || a.building - b.building);
  for (const [i, one] of prisms.entries()) {
    for (let k = i + 1; k < prisms.length && prisms[k].west <= one.east + TOUCH_M; k++) {
      const other = prisms[k];
      if (other.south > one.north + TOUCH_M || one.south > other.north + TOUCH_M) continue;
      const [a, b] = [firstOfCluster(one.building), firstOfCluster(other.building)];
      if (a !== b && polygonDistance(one.rings, other.rings) <= TOUCH_M) clusters[Math.max(a, b)] = Math.min(a, b);
    }
  }
  return clusters.map((_, building) => firstOfCluster(building));
}

/** A prism's rings, the outer one first, and its bounds. */
interface Prism {
  building: number;
  rings: Float64Array[];
  west: number;
  south: number;
  east: number;
  north: number;
}

/** The prisms of all buildings of a scene, each with the bounding box of its outer ring. */
function boxedPrisms({ buildingPrisms, prismRings, ringVertices, xy, base }: Scene): Prism[] {
  const prisms: Prism[] = [];
  for (let building = 0; building < base.length; building++) {
    for (let prism = buildingPrisms[building]; prism < buildingPrisms[building + 1]; prism++) {
      const rings: Float64Array[] = [];
      for (let ring = prismRings[prism]; ring < prismRings[prism + 1]; ring++) {
        rings.push(xy.subarray(2 * ringVertices[ring], 2 * ringVertices[ring + 1]));
      }
      const [west, south, east, north] = boundsOf(rings.slice(0, 1));
      prisms.push({ building, rings, west, south, east, north });
    }
  }
  return prisms;
}
