import { DEGREES } from '../geo/degree.ts';
import { type Plane, planeOf } from '../geo/plane.ts';
import { Engine } from './engine.ts';
import { rangesInFrontOf } from './image-planes.ts';
import type { Moves } from './moves.ts';
import { makeReceptors, placeReceptors, type Receptors } from './receptors.ts';
import { type BuildingSunlight, type FaceSunlight, floorsOf, MONTHS, ShadingTally } from './result.ts';
import type { Scene } from './scene.ts';
import type { SunCurves } from './sun-curves.ts';
import { buildTree, type Tree, treeInMemory } from './tree.ts';
import { terrainOf, type View, viewOf } from './view.ts';
import { meanMinutes, windowsInOrder } from './windows.ts';

/** Everything for the computation of the buildings of one scene: the thread's engine and the view. */
export interface Kernel {
  engine: Engine;
  /** The computed buildings, in the plane and with the origin of the view. */
  scene: Scene;
  plane: Plane;
  view: View;
  /** The number of the scene's first building in the view. Building b of the scene is `firstBuilding` + b there. */
  firstBuilding: number;
  receptors: Receptors;
  tally: ShadingTally;
}

/**
 * Prepares an engine to compute the buildings of a scene.
 * @param firstBuilding number of the scene's first building in the view
 */
export function createKernel(engine: Engine, scene: Scene, view: View, firstBuilding: number): Kernel {
  return {
    engine,
    scene,
    plane: planeOf(scene.zone),
    view,
    firstBuilding,
    receptors: makeReceptors(),
    // Of no building: `startBuilding` makes the tally of each.
    tally: new ShadingTally(-1),
  };
}

/** The kernel of a scene without surroundings. Its buildings have the same numbers in the view. */
export function kernelOf(scene: Scene, tree: Tree = buildTree(scene), engine: Engine = new Engine()): Kernel {
  const parts = [{ tree: treeInMemory(tree), above: -Infinity }];
  return createKernel(engine, scene, viewOf(scene.originX, scene.originY, parts), 0);
}

/**
 * Computes one building on twelve days. The result does not depend on earlier computations.
 * @param curves the sun of its grid square
 * @param building its index in the kernel's scene
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

/**
 * Computes a building, as `computeBuilding` does, from the columns of receptors that are already in `kernel.receptors`.
 */
export function computeReceptors(
  kernel: Kernel,
  curves: SunCurves,
  building: number,
  storeys: number,
): BuildingSunlight {
  const { scene, receptors, engine } = kernel;
  const floors = floorsOf(storeys, scene.top[building] - scene.base[building]);
  const heights = floors.map(({ heightM }) => heightM);
  const eyeOfFloor = startBuilding(kernel, curves, building, heights);
  const faces: FaceSunlight[] = [];
  for (let face = 0; face < receptors.wallLengthM.length; face++) {
    const [from, to] = [receptors.faceStart[face], receptors.faceStart[face + 1]];
    if (from === to) continue;
    engine.emptyLit();
    for (let column = from; column < to; column++) computeColumn(kernel, curves, column);
    const { sunMinutes, windows } = faceMinutes(engine, eyeOfFloor, to - from);
    faces.push({
      face,
      azimuthDeg: receptors.azimuthDeg[face],
      wallLengthM: receptors.wallLengthM[face],
      receptors: to - from,
      sunMinutes,
      unshadedMinutes: engine.unshaded(to - from),
      windows,
    });
  }
  return { faces, floors, ...finishBuilding(kernel) };
}

/**
 * Prepares the kernel for the walls of a building: sets the eyes (the different heights from which it looks), the sun
 * and the view, and an empty tally of what shades it.
 * @param heightsM heights of the eyes above its base in rising order, metres; at most three differ
 * @param moves how the buildings are moved, for the errors of the model; null: nothing is moved
 * @returns the number of the eye of each height
 */
export function startBuilding(
  kernel: Kernel,
  curves: SunCurves,
  building: number,
  heightsM: readonly number[],
  moves: Moves | null = null,
): number[] {
  const { engine, scene, receptors, view, firstBuilding } = kernel;
  // By eye: its height, metres, and the number of floors at this height.
  const z: number[] = [];
  const floors: number[] = [];
  const eyeOfHeight = heightsM.map((heightM) => {
    const height = scene.base[building] + heightM;
    if (height !== z.at(-1)) {
      z.push(height);
      floors.push(0);
    }
    floors[z.length - 1]++;
    return z.length - 1;
  });
  engine.look(view);
  engine.useCurves(curves);
  // The curves are for grid north at another place: the scene is turned by the difference.
  const turn = (receptors.convergenceDeg - curves.convergenceDeg) / DEGREES;
  engine.startEyes(z, floors, firstBuilding + building, turn, { moves });
  kernel.tally = new ShadingTally(firstBuilding + building, terrainOf(view), curves.convergenceDeg);
  return eyeOfHeight;
}

/**
 * Draws and reads the skyline of the receptors of one column.
 * @returns the ranges of bins in front of their wall, [from, to, …] (see `rangesInFrontOf`)
 */
export function computeColumn({ engine, receptors, tally }: Kernel, curves: SunCurves, column: number): number[] {
  const [normalX, normalY] = [receptors.normalX[column], receptors.normalY[column]];
  // From grid north at the building to grid north of the curves.
  const turnDeg = receptors.convergenceDeg - curves.convergenceDeg;
  const ranges = rangesInFrontOf(Math.atan2(normalX, normalY) * DEGREES + turnDeg, curves.planeBins);
  // The kernel's table of shading sources needs room for those of this column.
  if (engine.blockersFull) engine.takeBlocked(tally.add);
  engine.seeColumn(receptors.x[column], receptors.y[column], normalX, normalY, ranges);
  return ranges;
}

/** The shading sources and sums of the current building, by their numbers in the view. */
export function finishBuilding({ engine, tally }: Kernel): ReturnType<ShadingTally['result']> {
  engine.takeBlocked(tally.add);
  return tally.result();
}

/** Minutes and windows of a face's floors. Floors at the same height share an eye of the kernel, and so the windows. */
function faceMinutes(
  engine: Engine,
  eyeOfFloor: readonly number[],
  receptors: number,
): Pick<FaceSunlight, 'sunMinutes' | 'windows'> {
  // Plain lists: typed arrays of this size each allocate and free memory of their own.
  const sunMinutes: number[] = new Array(eyeOfFloor.length * MONTHS);
  const windows: number[][] = new Array(sunMinutes.length);
  // The place in both lists that `store` writes. The loops below set it for each floor and month. `withLit` calls `store`
  // once, with the intervals in which the receptors of a floor have sun.
  let index = 0;
  const store = (intervals: Uint16Array, from: number, to: number): void => {
    sunMinutes[index] = meanMinutes(intervals, receptors, from, to);
    windows[index] = windowsInOrder(intervals, receptors, from, to);
  };
  for (let floor = 0; floor < eyeOfFloor.length; floor++) {
    const hasEyeOfFloorBelow = floor > 0 && eyeOfFloor[floor] === eyeOfFloor[floor - 1];
    for (let month = 0; month < MONTHS; month++) {
      index = floor * MONTHS + month;
      if (hasEyeOfFloorBelow) {
        sunMinutes[index] = sunMinutes[index - MONTHS];
        windows[index] = windows[index - MONTHS];
      } else engine.withLit(eyeOfFloor[floor], month, store);
    }
  }
  return { sunMinutes, windows };
}
