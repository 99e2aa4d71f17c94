import { DIRECTIONS, type Direction } from '../../src/geo/compass.ts';
import { convergenceDeg, planeOf } from '../../src/geo/plane.ts';
import { type DayPath, dayPaths, sunAt } from '../../src/solar/day-path.ts';
import { computeBuilding, kernelOf } from '../../src/sunlight/compute.ts';
import { type BuildingSunlight, type FaceSunlight, FLOOR_CLASSES, type FloorClass } from '../../src/sunlight/result.ts';
import { sunCurves } from '../../src/sunlight/sun-curves.ts';
import { edgeGrid } from '../oracle/edge-grid.ts';
import { oracleSunlight } from '../oracle/oracle.ts';
import { sceneOf, type TestBuilding, TOKYO } from '../support/scenes.ts';

/** The twelve days over the scenes computed by hand. */
export const PATHS = dayPaths(TOKYO.lat, TOKYO.lon);
export const [MARCH, APRIL, JUNE, DECEMBER] = [2, 3, 5, 11];

/** What is found for the first building of a scene. */
export type Finder = (storeys: number, ...buildings: TestBuilding[]) => BuildingSunlight;

/** The oracle and the kernel: what is computed by hand holds for both. */
export const ENGINES: Record<string, Finder> = {
  oracle: (storeys, ...buildings) => oracleSunlight(edgeGrid(sceneOf(buildings)), 0, storeys, PATHS),
  kernel(storeys, ...buildings) {
    const scene = sceneOf(buildings);
    const curves = sunCurves(PATHS, convergenceDeg(planeOf(scene.zone), TOKYO.lat, TOKYO.lon));
    return computeBuilding(kernelOf(scene), curves, 0, storeys);
  },
};

/** The face of that name; throws where there is none. */
export function faceOf({ faces }: { faces: readonly FaceSunlight[] }, name: Direction): FaceSunlight {
  const found = faces.find(({ face }) => DIRECTIONS[face] === name);
  if (!found) throw new Error(`no face ${name}`);
  return found;
}

export const minutesOf = (face: FaceSunlight, floor: FloorClass, month: number): number =>
  face.sunMinutes[FLOOR_CLASSES.indexOf(floor) * 12 + month]!;
export const windowsOf = (face: FaceSunlight, floor: FloorClass, month: number): number[] =>
  face.windows[FLOOR_CLASSES.indexOf(floor) * 12 + month]!;

/** The minute between two others at which a quantity of the sun passes 0 (it must change sign once between them). */
export function instant(
  path: DayPath,
  from: number,
  to: number,
  of: (azimuth: number, slope: number) => number,
): number {
  const value = (minute: number): number => {
    const { azimuthDeg, altitudeDeg } = sunAt(path, minute);
    return of(azimuthDeg, Math.tan((altitudeDeg * Math.PI) / 180));
  };
  const rising = value(to) > 0;
  if (value(from) > 0 === rising) throw new Error('no change between the two minutes');
  while (to - from > 1e-6) {
    const middle = (from + to) / 2;
    if (value(middle) > 0 === rising) to = middle;
    else from = middle;
  }
  return to;
}

/** The minute at which the sun stands at an azimuth, degrees. */
export const atAzimuth = (path: DayPath, azimuth: number): number =>
  instant(path, path.noon - 600, path.noon + 600, (sun) => sun - azimuth);

/** Whole minutes lit between two instants, as the oracle counts them. */
export const wholeMinutes = (from: number, to: number): number => Math.round(to) - Math.round(from);

export const degrees = (slope: number): number => (Math.atan(slope) * 180) / Math.PI;
