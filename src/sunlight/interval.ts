import type { BalconyClip } from './balcony.ts';
import { computeColumn, type Kernel, startBuilding } from './compute.ts';
import type { FloorSunlight, ReceptorSunlight } from './floor.ts';
import { type Displacement, displacement, type ModelError, type Move, type Moves } from './moves.ts';
import { placeReceptors, wallAzimuthDeg } from './receptors.ts';
import { floorHeight, MONTHS } from './result.ts';
import type { SunCurves } from './sun-curves.ts';
import { whereInView } from './view.ts';
import { meanMinutes } from './windows.ts';

/**
 * Number of draws of the model's error for an interval. Of 15 sorted values the second estimates the 10th percentile.
 */
export const DRAWS = 15;
/** Number of these values below the interval, and above it: the last but one estimates the 90th percentile. */
const OUTSIDE = 1;

/** A requested floor of a building. */
export interface RequestedFloor {
  floor: number;
  storeys: number;
  /** Height of the building, metres. */
  solidHeightM: number;
  /** How much this height is above the published one, metres. */
  ownRiseM: number;
  /** The error classes and cluster of the building. */
  move: Move;
}

/** The interval of each face (index into DIRECTIONS). */
type FaceIntervals = ReadonlyMap<number, FaceInterval>;
/** The smallest and largest minutes of the interval of one face, by day (0–11). */
export type FaceInterval = readonly (readonly [low: number, high: number])[];

/**
 * For each face of a floor and each day of the curves: the interval of its minutes of sun within the model's error. The
 * curves have one day for each month (`MONTHS`), or other days in their places. The floor is computed in DRAWS cities
 * whose buildings are moved at random by this error. The interval is from the 10th to the 90th percentile, widened to
 * include the published city. Otherwise a wall that no building shades would be outside its own interval: it can only
 * lose sun when buildings move.
 */
export function floorIntervals(
  kernel: Kernel,
  curves: SunCurves,
  building: number,
  requested: RequestedFloor,
  error: ModelError,
  published: Pick<FloorSunlight, 'faces'>,
  clip?: BalconyClip,
): FaceIntervals {
  /** By face and day: the minutes of each draw. */
  const drawn = new Map<number, number[][]>();
  for (let draw = 1; draw <= DRAWS; draw++) {
    const moves = { draw, error, ownRiseM: requested.ownRiseM };
    for (const [face, minutes] of drawnMinutes(kernel, curves, building, requested, moves, clip)) {
      const days = drawn.get(face) ?? Array.from({ length: MONTHS }, () => []);
      for (let day = 0; day < MONTHS; day++) days[day].push(minutes[day]);
      drawn.set(face, days);
    }
  }
  return new Map(
    published.faces.map(({ face, receptors }) => [
      face,
      (drawn.get(face) ?? []).map((minutes, day) => intervalOf(minutes, publishedMinutes(receptors, day))),
    ]),
  );
}

/** Mean minutes of sun of a face on a day in the published city. */
const publishedMinutes = (receptors: readonly ReceptorSunlight[], day: number): number =>
  meanMinutes(
    receptors.flatMap(({ lit }) => lit[day]),
    receptors.length,
  );

/** The interval of the minutes of all draws, widened to include the published minutes. */
function intervalOf(drawn: readonly number[], published: number): [low: number, high: number] {
  const sorted = drawn.toSorted((a, b) => a - b);
  return [Math.min(published, sorted[OUTSIDE]), Math.max(published, sorted[sorted.length - 1 - OUTSIDE])];
}

/**
 * Mean minutes of direct sun of each face of a floor by month (0–11: its computed day), in one draw of the model's
 * error.
 * @param clip takes away the sun that a balcony hides
 */
export function drawnMinutes(
  kernel: Kernel,
  curves: SunCurves,
  building: number,
  { floor, storeys, solidHeightM, move }: RequestedFloor,
  moves: Moves,
  clip?: BalconyClip,
): [face: number, minutes: number[]][] {
  const { receptors } = kernel;
  const shift = ownDisplacement(kernel, building, move, moves);
  placeReceptors(kernel.scene, building, receptors, kernel.plane);
  for (let column = 0; column < receptors.count; column++) {
    receptors.x[column] += shift.east;
    receptors.y[column] += shift.north;
  }
  // The height that was requested already contains `ownRiseM`, which `shift.up` adds again; it counts once.
  const height = Math.max(LEAST_HEIGHT_M, solidHeightM + shift.up - moves.ownRiseM);
  startBuilding(kernel, curves, building, [floorHeight(floor, storeys, height)], moves);
  const faces: [number, number[]][] = [];
  for (let face = 0; face < receptors.wallLengthM.length; face++) {
    const [from, to] = [receptors.faceStart[face], receptors.faceStart[face + 1]];
    if (from === to) continue;
    const minutes =
      clip === undefined ? faceMinutes(kernel, curves, from, to) : clippedFaceMinutes(kernel, curves, from, to, clip);
    faces.push([face, minutes]);
  }
  return faces;
}

/** Mean minutes of direct sun of the receptors of one face, columns [from, to), by day (0–11). */
function faceMinutes(kernel: Kernel, curves: SunCurves, from: number, to: number): number[] {
  const { engine } = kernel;
  engine.emptyLit();
  for (let column = from; column < to; column++) computeColumn(kernel, curves, column);
  const onlyEye = 0;
  return Array.from({ length: MONTHS }, (_, day) =>
    engine.withLit(onlyEye, day, (lit, start, end) => meanMinutes(lit, to - from, start, end)),
  );
}

/**
 * What `faceMinutes` gives, without the sun that a balcony hides. What it hides depends on the direction of a receptor's
 * own wall, so the lit intervals of each receptor are taken one by one.
 */
function clippedFaceMinutes(kernel: Kernel, curves: SunCurves, from: number, to: number, clip: BalconyClip): number[] {
  const { engine, receptors } = kernel;
  const minutes: number[] = new Array(MONTHS).fill(0);
  for (let column = from; column < to; column++) {
    engine.emptyLit();
    computeColumn(kernel, curves, column);
    const wallDeg = wallAzimuthDeg(receptors, column);
    for (let day = 0; day < MONTHS; day++) {
      minutes[day] += meanMinutes(clip(wallDeg, day, engine.litOfOnlyEye(day)), to - from);
    }
  }
  return minutes;
}

/** Minimum height of a drawn building, metres. */
const LEAST_HEIGHT_M = 0.1;

/** The displacement of a building of the kernel's scene in one draw (a random sample) of the model's error. */
function ownDisplacement({ view, firstBuilding }: Kernel, building: number, move: Move, moves: Moves): Displacement {
  const { part, index } = whereInView(view, firstBuilding + building);
  const { originX, originY } = view.parts[part].tree;
  return displacement(moves, originX, originY, index, move);
}
