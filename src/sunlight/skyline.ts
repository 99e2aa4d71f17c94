import type { SceneTree } from './scene-tree.ts';
import type { SunCurves } from './sun-curves.ts';

/** In `wall`: nothing rises over the lowest sun in this bin. */
export const OPEN = -1;
/** In `wall`: the eye stands inside a prism (see `inside`). */
export const INSIDE = -2;

/** Bins of a block are 2 to this power; a plane is a whole number of blocks. */
export const BLOCK_SHIFT = 5;
const BLOCK = 1 << BLOCK_SHIFT;

/** Eyes above one another that share a projection: at most the three floors. */
export const MAX_EYES = 3;

/**
 * What up to three eyes above one another see: for every bin of the image planes (see `SunCurves`) the steepest top
 * edge and its wall. Made once per thread and used again and again.
 */
export interface Skyline {
  planeBins: number;
  /** The scene that is seen. */
  tree: SceneTree;
  /** Position of the eyes in the plane of the scene, metres, and the building at whose wall they are (−1: none). */
  x: number;
  y: number;
  own: number;
  /** By how much the scene is turned clockwise about the eyes, radians: grid north at the eyes less that of the planes. */
  turn: number;
  /** Heights of the eyes, lowest first, metres. */
  z: Float64Array;
  eyes: number;
  /** Bins of interest: [first, end). */
  first: number;
  end: number;
  /** Per eye and bin: slope of the highest edge, at least that of the lowest sun; Infinity where no sun matters. */
  slope: Float32Array[];
  /** Per eye and bin: the wall that has it (its first corner in the tree), OPEN or INSIDE. */
  wall: Int32Array[];
  /** Per eye and block of bins: no slope in it is lower; where `stale`, the lowest may be higher. */
  lowest: Float32Array[];
  stale: Uint8Array[];
  /** Per eye: the building inside which it stands (−1: none) and its top. */
  inside: Int32Array;
  insideTop: Float64Array;
}

/** An empty skyline over a scene. Throws `RangeError` unless the bins of a plane are a multiple of 32. */
export function createSkyline(tree: SceneTree, planeBins: number): Skyline {
  if (!(planeBins > 0 && planeBins % BLOCK === 0))
    throw new RangeError(`Bins of a plane: ${planeBins} is no multiple of ${BLOCK}.`);
  const each = <T>(make: () => T): T[] => Array.from({ length: MAX_EYES }, make);
  return {
    planeBins,
    tree,
    x: 0,
    y: 0,
    own: -1,
    turn: 0,
    z: new Float64Array(MAX_EYES),
    eyes: 0,
    first: 0,
    end: 0,
    slope: each(() => new Float32Array(3 * planeBins)),
    wall: each(() => new Int32Array(3 * planeBins)),
    lowest: each(() => new Float32Array((3 * planeBins) / BLOCK)),
    stale: each(() => new Uint8Array((3 * planeBins) / BLOCK)),
    inside: new Int32Array(MAX_EYES),
    insideTop: new Float64Array(MAX_EYES),
  };
}

/**
 * Clears a skyline whose eyes are set to the lowest sun over the stretches [from, to, from, to …] of places among
 * the bins, so that only what can hide a sun will be drawn.
 */
export function startSkyline(skyline: Skyline, curves: SunCurves, stretches: ArrayLike<number>, count: number): void {
  const bins = 3 * skyline.planeBins;
  const slope = skyline.slope[0]!;
  slope.fill(Infinity);
  for (let i = 0; i < 2 * count; i += 2) {
    const from = Math.max(0, Math.floor(stretches[i]!));
    const to = Math.min(bins, Math.ceil(stretches[i + 1]!) + 1);
    for (let bin = from; bin < to; bin++) slope[bin] = curves.lowest[bin]!;
  }
  skyline.first = 0;
  skyline.end = bins;
  while (skyline.first < bins && slope[skyline.first] === Infinity) skyline.first++;
  while (skyline.end > skyline.first && slope[skyline.end - 1] === Infinity) skyline.end--;
  for (let eye = 0; eye < skyline.eyes; eye++) {
    if (eye > 0) skyline.slope[eye]!.set(slope);
    skyline.wall[eye]!.fill(OPEN);
    skyline.lowest[eye]!.fill(-Infinity);
    skyline.stale[eye]!.fill(1);
  }
  skyline.inside.fill(-1);
}

/** The lowest slope in a block. */
export function lowestOfBlock(skyline: Skyline, eye: number, block: number): number {
  const lowest = skyline.lowest[eye]!;
  const stale = skyline.stale[eye]!;
  if (stale[block] === 1) {
    const slope = skyline.slope[eye]!;
    let least = Infinity;
    for (let bin = block << BLOCK_SHIFT; bin < (block + 1) << BLOCK_SHIFT; bin++) {
      if (slope[bin]! < least) least = slope[bin]!;
    }
    lowest[block] = least;
    stale[block] = 0;
  }
  return lowest[block]!;
}
