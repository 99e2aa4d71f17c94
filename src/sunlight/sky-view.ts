import { angleBetween } from '../geo/compass.ts';
import { DEGREES } from '../geo/degree.ts';
import { azimuthDeg } from '../geo/plane.ts';
import type { Kernel } from './compute.ts';
import {
  axisOfBin,
  azimuthOfBin,
  binsOfPlanes,
  FIRST_AZIMUTH,
  LAST_AZIMUTH,
  PLANE_BINS,
  positionOfAzimuth,
} from './image-planes.ts';
import type { Moves } from './moves.ts';

/** The skyline in front of a wall, the half circle from left to right. */
export interface Horizon {
  /** By direction: the tangent of the highest altitude; 0 when nothing rises over the horizon. */
  slope: Float64Array;
  /** By direction: the highest building of the view; −1 for none. */
  building: Int32Array;
}

/** Steps of a horizon over 180°: four a degree. */
export const HORIZON_STEPS = 720;
/** Angle of a step, radians. */
const STEP = Math.PI / HORIZON_STEPS;

/** Angle of a step from the wall's normal, radians, from −π/2 (left of it) to π/2. */
export const angleOfDirection = (direction: number): number => (direction + 0.5) * STEP - Math.PI / 2;

/**
 * The skyline of a receptor over the horizon, in all directions before its wall, also where no sun passes. A receptor
 * inside another building sees no sky.
 * @param column of the kernel's receptors, which are those of the building
 * @param heightM above the building's base, metres
 * @param moves how the buildings are moved, for the errors of the model; null: nothing is moved
 */
export function horizonOf(
  kernel: Kernel,
  building: number,
  column: number,
  heightM: number,
  moves: Moves | null = null,
): Horizon {
  const { normalX, normalY } = kernel.receptors;
  const wall = azimuthDeg(normalX[column], normalY[column]);
  const azimuths = Float64Array.from(
    { length: HORIZON_STEPS },
    (_, direction) => (wall + angleOfDirection(direction) * DEGREES + 720) % 360,
  );
  return horizonAt(azimuths, kernel, building, column, heightM, moves);
}

/**
 * The altitudes of the skyline of a receptor all around, degrees, in equal steps of azimuth clockwise from true north.
 * Behind the wall they are 90.
 * @param column of the kernel's receptors, which are those of the building
 * @param heightM above the building's base, metres
 * @param moves how the buildings are moved, for the errors of the model; null: nothing is moved
 */
export function altitudesAround(
  steps: number,
  kernel: Kernel,
  building: number,
  column: number,
  heightM: number,
  moves: Moves | null,
): Float64Array {
  const { normalX, normalY, convergenceDeg } = kernel.receptors;
  const wall = azimuthDeg(normalX[column], normalY[column]);
  const gridAzimuth = (trueDeg: number): number => (trueDeg - convergenceDeg + 360) % 360;
  const azimuths = Float64Array.from({ length: steps }, (_, i) => gridAzimuth((360 * i) / steps));
  const { slope } = horizonAt(azimuths, kernel, building, column, heightM, moves);
  return slope.map((tangent, i) => (angleBetween(azimuths[i], wall) >= 90 ? 90 : Math.atan(tangent) * DEGREES));
}

/**
 * The skyline of a receptor in some directions. Where it shows the free sky, the slope is 0 and the building −1.
 * @param azimuths from grid north, degrees
 * @param building index of the receptor's building in its square; the result counts buildings in the view
 * @param moves how the buildings are moved, for the errors of the model; null: nothing is moved
 */
function horizonAt(
  azimuths: Float64Array,
  { engine, view, firstBuilding, scene, receptors }: Kernel,
  building: number,
  column: number,
  heightM: number,
  moves: Moves | null,
): Horizon {
  const horizon = { slope: new Float64Array(azimuths.length), building: new Int32Array(azimuths.length).fill(-1) };
  const [x, y] = [receptors.x[column], receptors.y[column]];
  const [normalX, normalY] = [receptors.normalX[column], receptors.normalY[column]];
  engine.look(view);
  // One eye, for one floor. Nothing turns it: the azimuths are from grid north, like the planes.
  const [heights, floors, turn] = [[scene.base[building] + heightM], [1], 0];
  // The image planes face east, south and west. To see the north (way −1), everything is turned by half a circle.
  for (const way of [1, -1] as const) {
    engine.startEyes(heights, floors, firstBuilding + building, turn, { way, moves });
    engine.seeSky(x, y, normalX, normalY);
    const inside = engine.inside(0);
    const { slope, wall: walls } = engine.seen(0);
    for (const [direction, azimuth] of azimuths.entries()) {
      const isInPlanes = azimuth >= FIRST_AZIMUTH && azimuth <= LAST_AZIMUTH;
      if (isInPlanes !== (way === 1)) continue;
      const bin = binOf(way === 1 ? azimuth : (azimuth + 180) % 360);
      if (inside >= 0) {
        horizon.slope[direction] = Infinity;
        horizon.building[direction] = inside;
      } else if (walls[bin] >= 0) {
        // The kernel's slope is height by depth along the axis of the bin's plane. The cosine makes it height by
        // distance.
        const fromAxis = (azimuthOfBin(bin, PLANE_BINS) - axisOfBin(bin, PLANE_BINS)) / DEGREES;
        horizon.slope[direction] = slope[bin] * Math.cos(fromAxis);
        horizon.building[direction] = engine.buildingOfWall(walls[bin]);
      }
    }
  }
  return horizon;
}

/** The bin whose centre is nearest to a grid azimuth from 45 to 315, degrees. */
const binOf = (azimuth: number): number =>
  Math.min(binsOfPlanes(PLANE_BINS) - 1, Math.max(0, Math.round(positionOfAzimuth(azimuth, PLANE_BINS))));

/**
 * The vertical sky component, percent: the light that falls on the wall from the visible part of a CIE standard
 * overcast sky, divided by the light on open flat ground. Over an open horizon it is 39.6. The light comes from the
 * half circle before the wall, by direction (`angleOfDirection`).
 * @param balconySlopes by direction: the tangent of the altitude from which a balcony hides the sky
 */
export function verticalSkyComponent({ slope }: Horizon, balconySlopes?: ArrayLike<number>): number {
  let light = 0;
  for (const [direction, tangent] of slope.entries()) {
    const until = balconySlopes === undefined ? Infinity : balconySlopes[direction];
    if (until <= tangent) continue;
    // The light between two altitudes is that above the lower one, less that above the higher one.
    const share = fromAltitudeUp(Math.atan(tangent)) - fromAltitudeUp(Math.atan(until));
    light += Math.cos(angleOfDirection(direction)) * STEP * share;
  }
  return (100 * light) / ON_OPEN_GROUND;
}

/**
 * The light from an altitude up to the zenith, ∫ (1 + 2 sin γ) cos² γ dγ: the sky is three times as bright at the
 * zenith as at the horizon.
 */
function fromAltitudeUp(altitude: number): number {
  const integral = (angle: number): number => angle / 2 + Math.sin(2 * angle) / 4 - (2 / 3) * Math.cos(angle) ** 3;
  return integral(Math.PI / 2) - integral(altitude);
}

/** The light on open flat ground, from the whole sky: 2π ∫ (1 + 2 sin γ) sin γ cos γ dγ. */
const ON_OPEN_GROUND = (7 / 3) * Math.PI;
