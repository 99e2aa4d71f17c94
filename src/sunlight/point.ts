import type { Engine } from './engine.ts';
import { wholeRange } from './image-planes.ts';
import { MONTHS } from './result.ts';
import type { SunCurves } from './sun-curves.ts';
import type { View } from './view.ts';
import { meanMinutes, sunlitWindows } from './windows.ts';

const RADIANS = Math.PI / 180;

/** The sun of a free receptor. It has no wall, so all directions count. By month, January first. */
export interface PointSunlight {
  /** Whole minutes of direct sun. */
  sunMinutes: number[];
  /** Whole minutes of sun without obstacles. */
  unshadedMinutes: number[];
  /** Windows [start, end, start, end …] in whole minutes after 00:00 JST. */
  windows: number[][];
}

/**
 * Computes one free receptor: x, y in the plane of the view, z above its datum, metres; grid north is `convergenceDeg`
 * clockwise of true north. Inside a building with a higher top there is no sun.
 */
export function computePoint(
  engine: Engine,
  view: View,
  curves: SunCurves,
  [x, y, z]: readonly [x: number, y: number, z: number],
  convergenceDeg: number,
): PointSunlight {
  engine.look(view);
  engine.shine(curves);
  engine.startEyes([z], [1], -1, (convergenceDeg - curves.convergenceDeg) * RADIANS);
  engine.seeColumn(x, y, 0, 0, wholeRange(curves.planeBins));
  const days = Array.from({ length: MONTHS }, (_, month) =>
    engine.withLit(0, month, (intervals, from, to) => intervals.slice(from, to)),
  );
  return {
    sunMinutes: days.map((lit) => meanMinutes(lit, 1)),
    unshadedMinutes: engine.unshaded(),
    windows: days.map((lit) => sunlitWindows(lit, 1)),
  };
}
