import { binsOfPlanes } from './image-planes.ts';
import type { SceneTree } from './scene-tree.ts';
import { BLOCK, BLOCK_SHIFT, MAX_EYES, plainRows, type SkylineRows } from './skyline-rows.ts';
import { simdRows } from './skyline-rows-simd.ts';
import type { SunCurves } from './sun-curves.ts';

/** In `wall`: nothing rises over the lowest sun in this bin. */
export const OPEN = -1;
/** In `wall`: the eye stands inside a prism (see `inside`). */
export const INSIDE = -2;

/**
 * What up to three eyes above one another see: for every bin of the image planes the steepest top
 * edge and its wall. Made once per thread and used again and again.
 */
export interface Skyline {
  /** Bins of the east and west planes. */
  planeBins: number;
  /** Bins of all planes together. */
  bins: number;
  /** The scene that is seen. */
  tree: SceneTree;
  /** Position of the eyes in the plane of the scene, metres, and the building at whose wall they are (−1: none). */
  x: number;
  y: number;
  own: number;
  /** Outward normal of that wall, a unit vector; nothing where there is none. */
  normalX: number;
  normalY: number;
  /** By how much the scene is turned clockwise about the eyes, radians: grid north at the eyes less that of the planes. */
  turn: number;
  /** Heights of the eyes, lowest first, metres. */
  z: Float64Array;
  eyes: number;
  /** Bins of interest: [first, end). */
  first: number;
  end: number;
  /** What is seen, and the loops over it. */
  rows: SkylineRows;
  /** Of the rows, [eye × bins + bin]: slope of the highest edge; Infinity where no sun matters. */
  slope: Float32Array;
  /** Of the rows, [eye × bins + bin]: the wall that has it, OPEN or INSIDE. */
  wall: Int32Array;
  /** Per eye: the building inside which it stands (−1: none) and its top. */
  inside: Int32Array;
  insideTop: Float64Array;
}

/** The rows that all skylines of a thread share, by their bins. */
const rowsOfThread = new Map<number, SkylineRows>();

/**
 * The rows of this thread for so many bins: with vectors where there are any. Skylines share them, as each is started,
 * drawn and read at one go; so a thread needs one WebAssembly instance however many scenes pass through it, and its
 * calls stay calls of one function, which the JIT compiles into the caller.
 */
function sharedRows(bins: number): SkylineRows {
  let rows = rowsOfThread.get(bins);
  if (!rows) {
    rows = simdRows(bins) ?? plainRows(bins);
    rowsOfThread.set(bins, rows);
  }
  return rows;
}

/**
 * An empty skyline over a scene; what it sees stands in `rows` until another skyline is started there. Throws
 * `RangeError` unless every plane is a whole number of blocks.
 */
export function createSkyline(tree: SceneTree, planeBins: number, rows = sharedRows(binsOfPlanes(planeBins))): Skyline {
  if (!(planeBins > 0 && planeBins % (2 * BLOCK) === 0))
    throw new RangeError(`Bins of a plane: ${planeBins} is no multiple of ${2 * BLOCK}.`);
  const bins = binsOfPlanes(planeBins);
  return {
    planeBins,
    bins,
    tree,
    x: 0,
    y: 0,
    own: -1,
    normalX: 0,
    normalY: 0,
    turn: 0,
    z: new Float64Array(MAX_EYES),
    eyes: 0,
    first: 0,
    end: 0,
    rows,
    slope: rows.slope,
    wall: rows.wall,
    inside: new Int32Array(MAX_EYES),
    insideTop: new Float64Array(MAX_EYES),
  };
}

/**
 * Clears a skyline whose eyes are set to the lowest sun over the stretches [from, to, from, to …] of places among
 * the bins, so that only what can hide a sun will be drawn.
 */
export function startSkyline(skyline: Skyline, curves: SunCurves, stretches: ArrayLike<number>, count: number): void {
  const { bins, rows, slope, wall, eyes } = skyline;
  const { lowest, stale, sun } = rows;
  if (rows.sunCopied !== curves.slope) {
    sun.set(curves.slope);
    rows.sunCopied = curves.slope;
  }
  skyline.first = bins;
  skyline.end = 0;
  // From the first stretch to the last, in whole blocks, and the bin on either side with them.
  const low = count === 0 ? 0 : Math.max(0, Math.floor(stretches[0]!) - 1) & -BLOCK;
  const high = count === 0 ? 0 : (Math.min(bins, Math.ceil(stretches[2 * count - 1]!) + 2) + BLOCK - 1) & -BLOCK;
  slope.fill(Infinity, low, high);
  for (let i = 0; i < 2 * count; i += 2) {
    const from = Math.max(0, Math.floor(stretches[i]!), curves.first);
    const to = Math.min(bins, Math.ceil(stretches[i + 1]!) + 1, curves.end);
    if (from >= to) continue;
    slope.set(curves.lowest.subarray(from, to), from);
    skyline.first = Math.min(skyline.first, from);
    skyline.end = Math.max(skyline.end, to);
  }
  for (let eye = 0; eye < eyes; eye++) {
    const row = eye * bins;
    if (eye > 0) slope.copyWithin(row + low, low, high);
    wall.fill(OPEN, row + low, row + high);
    lowest.fill(-Infinity, (row + low) >> BLOCK_SHIFT, (row + high) >> BLOCK_SHIFT);
    stale.fill(1, (row + low) >> BLOCK_SHIFT, (row + high) >> BLOCK_SHIFT);
  }
  skyline.inside.fill(-1);
}
