import { computeColumn, finishBuilding, type Kernel, startBuilding } from './compute.ts';
import type { Moves } from './moves.ts';
import { placeReceptors, wallAzimuthDeg } from './receptors.ts';
import { MONTHS, type Shade } from './result.ts';
import { type ReceptorShade, receptorShade } from './shade.ts';
import type { SunCurves } from './sun-curves.ts';

/** The sun of the receptors of one building at one height: numbers only, minutes of JST days. */
export interface FloorSunlight extends Shade {
  /** The faces that exist, in face order; each has at least one receptor. */
  faces: { face: number; azimuthDeg: number; wallLengthM: number; receptors: ReceptorSunlight[] }[];
}

/** The sun of one receptor. Lists are by month, January first. */
export interface ReceptorSunlight {
  /** Position in the scene's plane, metres. */
  x: number;
  y: number;
  /** Direction in which its wall faces, clockwise from true north. */
  azimuthDeg: number;
  /** Whole minutes with no obstacle but the wall itself. */
  unshadedMinutes: number[];
  /**
   * Whole minutes of direct sun as intervals [start, end, start, end …] after 00:00 JST, in order of time, without
   * overlap.
   */
  lit: number[][];
  /** The shading buildings on each of the requested days. */
  shade: readonly ReceptorShade[];
}

/**
 * Computes every receptor of a building at one height. At the height of one of the three floors they equal those of
 * `computeBuilding`.
 * @param heightM above the base of the building, metres
 * @param shadeDays the days (0–11) for which the shading buildings are computed
 * @param moves moves of the buildings from their published places; the receptors stay
 */
export function computeFloor(
  kernel: Kernel,
  curves: SunCurves,
  building: number,
  heightM: number,
  { shadeDays = [], moves = null }: { shadeDays?: readonly number[]; moves?: Moves | null } = {},
): FloorSunlight {
  const { receptors, engine } = kernel;
  placeReceptors(kernel.scene, building, receptors, kernel.plane);
  startBuilding(kernel, curves, building, [heightM], moves);
  const faces: FloorSunlight['faces'] = [];
  for (let face = 0; face < receptors.wallLengthM.length; face++) {
    const faceReceptors: ReceptorSunlight[] = [];
    for (let column = receptors.faceStart[face]; column < receptors.faceStart[face + 1]; column++) {
      engine.emptyLit();
      const ranges = computeColumn(kernel, curves, column);
      const lit = Array.from({ length: MONTHS }, (_, month) => engine.litOfOnlyEye(month));
      faceReceptors.push({
        x: receptors.x[column],
        y: receptors.y[column],
        azimuthDeg: wallAzimuthDeg(receptors, column),
        unshadedMinutes: engine.unshaded(),
        lit,
        shade: shadeDays.map((day) => receptorShade(kernel, curves, ranges, day, lit[day])),
      });
    }
    if (faceReceptors.length === 0) continue;
    const azimuth = receptors.azimuthDeg[face];
    faces.push({ face, azimuthDeg: azimuth, wallLengthM: receptors.wallLengthM[face], receptors: faceReceptors });
  }
  return { faces, ...finishBuilding(kernel) };
}

/**
 * The share of receptors with an interval at each minute of a day, as steps [minute, share, minute, share …]: a share
 * holds until the next step. It is 0 before the first step and after the last. Minutes are whole.
 * @param intervalsOfReceptors [start, end, start, end …] of each receptor
 */
export function litShares(intervalsOfReceptors: readonly (readonly number[])[]): number[] {
  /** By minute: how many intervals begin, less how many end. */
  const changes = new Map<number, number>();
  for (const intervals of intervalsOfReceptors) {
    for (let i = 0; i < intervals.length; i += 2) {
      const [from, to] = [Math.round(intervals[i] ?? 0), Math.round(intervals[i + 1] ?? 0)];
      if (from === to) continue;
      changes.set(from, (changes.get(from) ?? 0) + 1);
      changes.set(to, (changes.get(to) ?? 0) - 1);
    }
  }
  const steps: number[] = [];
  let count = 0;
  for (const [minute, change] of [...changes].sort(([a], [b]) => a - b)) {
    if (change === 0) continue;
    count += change;
    steps.push(minute, count / intervalsOfReceptors.length);
  }
  return steps;
}
