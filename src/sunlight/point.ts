import { RADIANS } from '../geo/degree.ts';
import type { Engine } from './engine.ts';
import { wholeRange } from './image-planes.ts';
import { MONTHS } from './result.ts';
import type { SunCurves } from './sun-curves.ts';
import type { View } from './view.ts';
import { meanMinutes, sunlitWindows } from './windows.ts';

/** The sun of a free receptor. It has no wall, so all directions count. Lists are by month, January first. */
export interface PointSunlight {
  /** Whole minutes of direct sun. */
  sunMinutes: number[];
  /** Whole minutes of sun without obstacles. */
  unshadedMinutes: number[];
  /** Windows [start, end, start, end …] in whole minutes after 00:00 JST. */
  windows: number[][];
}

/**
 * Computes the sun of one free receptor, a point without a wall. Inside a building with a higher top there is no sun.
 * @param position x and y in the plane of the view, z above the datum of heights, metres
 * @param convergenceDeg azimuth of grid north from true north there
 */
export function computePoint(
  engine: Engine,
  view: View,
  curves: SunCurves,
  position: readonly [x: number, y: number, z: number],
  convergenceDeg: number,
): PointSunlight {
  const [x, y, z] = position;
  engine.look(view);
  engine.useCurves(curves);
  // From grid north at the point to grid north of the curves.
  const turn = (convergenceDeg - curves.convergenceDeg) * RADIANS;
  // One eye, for one floor; −1: no building is behind it.
  engine.startEyes([z], [1], -1, turn);
  // A normal (0, 0) stands for no wall.
  engine.seeColumn(x, y, 0, 0, wholeRange(curves.planeBins));
  const days = Array.from({ length: MONTHS }, (_, month) => engine.litOfOnlyEye(month));
  return {
    sunMinutes: days.map((lit) => meanMinutes(lit, 1)),
    unshadedMinutes: engine.unshaded(),
    windows: days.map((lit) => sunlitWindows(lit, 1)),
  };
}
