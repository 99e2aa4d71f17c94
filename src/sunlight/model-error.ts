import { type ModelError, type Move, moveOf } from './moves.ts';
import type { Scene } from './scene.ts';
import { touchingBlocks } from './touching.ts';

/** Levels of maps by the code under which they are published: 2500, 1000 and 500. A building without one counts as of the first. */
const MAP_LEVELS = ['1', '2', '3'];
/** Behind the levels of maps: the class of heights of solids that end at the median of the points on a roof. */
const MEDIAN_ROOF = MAP_LEVELS.length;
/** The code of this method. */
const MEDIAN = '2';

/**
 * Standard deviations. Those of maps are assumed: the limits of the operating rules of public surveys (作業規程の準則) for these levels
 * (docs/sun.md). That of median roofs is measured against LOD2 (docs/method.md).
 */
export const MODEL_ERROR: ModelError = { positionsM: [1.75, 0.7, 0.25], heightsM: [0.66, 0.33, 0.25, 1] };

/** What is published of a building that tells how far it may be wrong; absent: nothing. */
export interface ErrorSource {
  mapLevel?: string | null;
  heightMethod?: string | null;
  /** Whether it shades with roof surfaces. */
  hasRoof?: boolean;
}

/**
 * How each building of a scene is moved by the model's error. Those of a block have the position and its class of the first
 * among them.
 */
export function movesOf(scene: Scene, sourceOf: (building: number) => ErrorSource): Uint32Array {
  return touchingBlocks(scene).map((block, building): Move => {
    const { heightMethod, hasRoof, ...own } = sourceOf(building);
    const isMedian = heightMethod === MEDIAN && !hasRoof;
    return moveOf(block, levelOf(sourceOf(block)), isMedian ? MEDIAN_ROOF : levelOf(own));
  });
}

const levelOf = ({ mapLevel }: ErrorSource): number => Math.max(0, MAP_LEVELS.indexOf(mapLevel ?? ''));
