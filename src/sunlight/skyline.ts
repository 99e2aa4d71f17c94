import type { SceneTree } from './scene-tree.ts';
import type { SunCurves } from './sun-curves.ts';

/** In `wall`: nothing rises over the lowest sun in this bin. */
export const OPEN = -1;
/** In `wall`: the eye stands inside a prism (see `inside`). */
export const INSIDE = -2;

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
  /** Per eye: the building inside which it stands (−1: none) and its top. */
  inside: Int32Array;
  insideTop: Float64Array;
}

/** An empty skyline over a scene. */
export function createSkyline(tree: SceneTree, planeBins: number): Skyline {
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
  }
  skyline.inside.fill(-1);
}
