import { type Plane, planeOf } from '../geo/plane.ts';
import { floorsOf } from './floors.ts';
import { PLANE_BINS } from './image-planes.ts';
import { makeReceptors, placeReceptors, type Receptors } from './receptors.ts';
import type { BuildingSunlight, FaceSunlight } from './result.ts';
import type { Scene } from './scene.ts';
import type { SceneTree } from './scene-tree.ts';
import { ShadingTally } from './shading.ts';
import { createSkyline, type Skyline } from './skyline.ts';
import { seeColumn, stretchesBefore } from './skyline-column.ts';
import { createReading, emptyLit, emptyReading, type Reading } from './skyline-reading.ts';
import { MAX_EYES, type SkylineRows } from './skyline-rows.ts';
import type { SunCurves } from './sun-curves.ts';
import { meanMinutes, sunlitWindows } from './windows.ts';

const DAYS = 12;
const DEGREES = 180 / Math.PI;

/** What a thread keeps between the buildings of one scene: its view of the city and room to add up. */
export interface Kernel {
  scene: Scene;
  plane: Plane;
  skyline: Skyline;
  reading: Reading;
  receptors: Receptors;
}

/**
 * Makes a thread ready to compute buildings of a scene with sun curves of so many bins a plane; the innermost loops are
 * those of `rows`, by default the fastest that there are.
 */
export function createKernel(scene: Scene, tree: SceneTree, planeBins = PLANE_BINS, rows?: SkylineRows): Kernel {
  return {
    scene,
    plane: planeOf(scene.zone),
    skyline: createSkyline(tree, planeBins, rows),
    reading: createReading(scene.base.length, MAX_EYES),
    receptors: makeReceptors(),
  };
}

/**
 * What the sun does to one building of the kernel's scene (by its index) on the twelve days of `curves`, the sun of
 * its grid square. The same numbers whatever was computed before.
 */
export function computeBuilding(
  kernel: Kernel,
  curves: SunCurves,
  building: number,
  storeys: number,
): BuildingSunlight {
  placeReceptors(kernel.scene, building, kernel.receptors, kernel.plane);
  return computeReceptors(kernel, curves, building, storeys);
}

/** The same for the columns of receptors that are in `kernel.receptors` already. */
export function computeReceptors(
  kernel: Kernel,
  curves: SunCurves,
  building: number,
  storeys: number,
): BuildingSunlight {
  const { scene, receptors, reading } = kernel;
  const floors = floorsOf(storeys, scene.top[building]! - scene.base[building]!);
  const eyeOfFloor = startBuilding(
    kernel,
    curves,
    building,
    floors.map(({ heightM }) => heightM),
  );
  const faces: FaceSunlight[] = [];
  for (let face = 0; face < receptors.wallLengthM.length; face++) {
    const count = receptors.faceStart[face + 1]! - receptors.faceStart[face]!;
    if (count === 0) continue;
    emptyLit(reading);
    const unshadedMinutes = new Float64Array(DAYS);
    for (let i = receptors.faceStart[face]!; i < receptors.faceStart[face + 1]!; i++) {
      computeColumn(kernel, curves, i, unshadedMinutes);
    }
    faces.push({
      face,
      azimuthDeg: receptors.azimuthDeg[face]!,
      wallLengthM: receptors.wallLengthM[face]!,
      receptors: count,
      ...faceMinutes(reading, eyeOfFloor, count),
      unshadedMinutes: unshadedMinutes.map((minutes) => minutes / count),
    });
  }
  return { faces, floors, ...tallied(reading, building) };
}

/**
 * Sets the kernel's eyes before a building, at most three different heights above its base in rising order (metres), and
 * forgets what was read before. Gives the eye of each height.
 */
export function startBuilding(
  kernel: Kernel,
  curves: SunCurves,
  building: number,
  heightsM: readonly number[],
): number[] {
  const { scene, receptors, reading, skyline } = kernel;
  const base = scene.base[building]!;
  const eyes = setEyes(
    skyline,
    heightsM.map((heightM) => base + heightM),
  );
  emptyReading(reading);
  reading.floors.fill(0);
  for (const eye of eyes) reading.floors[eye]!++;
  skyline.own = building;
  skyline.turn = (receptors.convergenceDeg - curves.convergenceDeg) / DEGREES;
  return eyes;
}

/** Sets the eyes at the different ones of three heights (in rising order, metres); gives the eye of each floor. */
function setEyes(skyline: Skyline, heights: readonly number[]): number[] {
  skyline.eyes = 0;
  return heights.map((height) => {
    if (skyline.eyes === 0 || height !== skyline.z[skyline.eyes - 1]) skyline.z[skyline.eyes++] = height;
    return skyline.eyes - 1;
  });
}

/** Stretches of the planes in front of a wall. */
const stretches = new Float64Array(4);

/** Draws and reads what the receptors of one column see; adds the minutes with the sun before the wall to `unshaded`. */
export function computeColumn(kernel: Kernel, curves: SunCurves, column: number, unshaded: Float64Array): void {
  const { receptors, skyline, reading } = kernel;
  const normal = Math.atan2(receptors.normalX[column]!, receptors.normalY[column]!) + skyline.turn;
  const count = stretchesBefore(normal * DEGREES, skyline.planeBins, stretches);
  skyline.x = receptors.x[column]!;
  skyline.y = receptors.y[column]!;
  skyline.normalX = receptors.normalX[column]!;
  skyline.normalY = receptors.normalY[column]!;
  seeColumn(skyline, curves, stretches, count, reading, unshaded);
}

/** Minutes and windows of a face's floors; floors that share an eye share the windows. */
function faceMinutes(
  reading: Reading,
  eyeOfFloor: readonly number[],
  receptors: number,
): Pick<FaceSunlight, 'sunMinutes' | 'windows'> {
  const sunMinutes = new Float64Array(eyeOfFloor.length * DAYS);
  const windows: number[][] = [];
  eyeOfFloor.forEach((eye, floor) => {
    for (let month = 0; month < DAYS; month++) {
      const at = floor * DAYS + month;
      const shared = floor > 0 && eye === eyeOfFloor[floor - 1];
      const day = eye * DAYS + month;
      const intervals = reading.lit[day]!;
      const length = reading.litLength[day]!;
      sunMinutes[at] = shared ? sunMinutes[at - DAYS]! : meanMinutes(intervals, receptors, length);
      windows.push(shared ? windows[at - DAYS]! : sunlitWindows(intervals, receptors, length));
    }
  });
  return { sunMinutes, windows };
}

/** The sources and sums of a building. */
export function tallied(reading: Reading, own: number): ReturnType<ShadingTally['result']> {
  const tally = new ShadingTally(own);
  for (const blocker of reading.blockers) tally.add(blocker, reading.blocked[blocker]!);
  return tally.result();
}
