import { type Plane, planeOf } from '../geo/plane.ts';
import { floorsOf } from './floors.ts';
import { makeReceptors, placeReceptors, type Receptors } from './receptors.ts';
import type { BuildingSunlight, FaceSunlight } from './result.ts';
import type { Scene } from './scene.ts';
import type { SceneTree } from './scene-tree.ts';
import { ShadingTally } from './shading.ts';
import { createSkyline, MAX_EYES, type Skyline, startSkyline } from './skyline.ts';
import { createReading, type FrontTimes, frontTimes, type Reading, readSkyline } from './skyline-reading.ts';
import { drawScene } from './skyline-walk.ts';
import { placeOfAzimuth, type SunCurves } from './sun-curves.ts';
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

/** Makes a thread ready to compute buildings of a scene with sun curves of so many bins a plane. */
export function createKernel(scene: Scene, tree: SceneTree, planeBins: number): Kernel {
  return {
    scene,
    plane: planeOf(scene.zone),
    skyline: createSkyline(tree, planeBins),
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
  const { scene, receptors, reading, skyline } = kernel;
  const base = scene.base[building]!;
  const floors = floorsOf(storeys, scene.top[building]! - base);
  const eyeOfFloor = setEyes(
    skyline,
    floors.map(({ heightM }) => base + heightM),
  );
  reading.floors.fill(0);
  for (const eye of eyeOfFloor) reading.floors[eye]!++;
  skyline.own = building;
  skyline.turn = (receptors.convergenceDeg - curves.convergenceDeg) / DEGREES;

  const faces: FaceSunlight[] = [];
  for (let face = 0; face < receptors.wallLengthM.length; face++) {
    const count = receptors.faceStart[face + 1]! - receptors.faceStart[face]!;
    if (count === 0) continue;
    for (const intervals of reading.lit) intervals.length = 0;
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

/** Sets the eyes at the different ones of three heights (in rising order, metres); gives the eye of each floor. */
function setEyes(skyline: Skyline, heights: readonly number[]): number[] {
  skyline.eyes = 0;
  return heights.map((height) => {
    if (skyline.eyes === 0 || height !== skyline.z[skyline.eyes - 1]) skyline.z[skyline.eyes++] = height;
    return skyline.eyes - 1;
  });
}

/** Places among the bins between which the sun stands in front of the wall: [from, to, from, to]. */
const stretches = new Float64Array(4);
const front: FrontTimes = { start: new Float64Array(DAYS), end: new Float64Array(DAYS) };

/** Draws and reads what the receptors of one column see; adds the minutes with the sun before the wall to `unshaded`. */
function computeColumn(kernel: Kernel, curves: SunCurves, column: number, unshaded: Float64Array): void {
  const { receptors, skyline, reading } = kernel;
  const normal = Math.atan2(receptors.normalX[column]!, receptors.normalY[column]!) + skyline.turn;
  const count = frontStretches(normal * DEGREES, skyline.planeBins, stretches);
  skyline.x = receptors.x[column]!;
  skyline.y = receptors.y[column]!;
  startSkyline(skyline, curves, stretches, count);
  drawScene(skyline);
  for (let i = 0; i < 2 * count; i += 2) {
    frontTimes(curves, stretches[i]!, stretches[i + 1]!, front);
    for (let rank = 0; rank < DAYS; rank++) {
      const minutes = Math.round(front.end[rank]!) - Math.round(front.start[rank]!);
      if (minutes > 0) unshaded[curves.rankMonth[rank]!]! += minutes;
    }
    for (let eye = 0; eye < skyline.eyes; eye++) {
      readSkyline(skyline, eye, curves, stretches[i]!, stretches[i + 1]!, front, reading);
    }
  }
}

/**
 * The stretches of the planes (grid azimuths 45–315) that lie in front of a wall with the outward normal `azimuth`
 * (degrees from grid north, any turn), written as places among the bins in the order of the sun; gives their number.
 */
function frontStretches(azimuth: number, planeBins: number, out: Float64Array): number {
  const normal = ((azimuth % 360) + 360) % 360;
  let count = 0;
  for (const turn of [-360, 0, 360]) {
    const from = Math.max(45, normal + turn - 90);
    const to = Math.min(315, normal + turn + 90);
    if (from >= to) continue;
    out[2 * count] = placeOfAzimuth(from, planeBins);
    out[2 * count + 1] = placeOfAzimuth(to, planeBins);
    count++;
  }
  return count;
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
      const intervals = reading.lit[eye * DAYS + month]!;
      sunMinutes[at] = shared ? sunMinutes[at - DAYS]! : meanMinutes(intervals, receptors);
      windows.push(shared ? windows[at - DAYS]! : sunlitWindows(intervals, receptors));
    }
  });
  return { sunMinutes, windows };
}

/** The sources and sums of the building at hand; empties the reading's account of them. */
function tallied(reading: Reading, own: number): ReturnType<ShadingTally['result']> {
  const tally = new ShadingTally(own);
  for (const blocker of reading.blockers) {
    tally.add(blocker, reading.blocked[blocker]!);
    reading.blocked[blocker] = 0;
  }
  reading.blockers.length = 0;
  return tally.result();
}
