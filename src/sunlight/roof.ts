import { DEGREES } from '../geo/degree.ts';
import { azimuthDeg, convergenceDeg, type Plane, toDegrees } from '../geo/plane.ts';
import { boundsOf, pointInPolygon, polygonArea, representativePoint } from '../geo/polygon.ts';
import { placeReceptors, type Receptors } from './receptors.ts';
import { heightOver, type RoofSurface } from './roof-plane.ts';
import { prismsOf, roofSurfacesOf, type Scene } from './scene.ts';

/** A part of a roof that lies in one plane. */
export interface RoofPart {
  /** Area of the sloped surface, square metres. */
  areaM2: number;
  tiltDeg: number;
  /** Direction of the downward slope, clockwise from true north; null when it is level. */
  azimuthDeg: number | null;
  /** Points on it, x, y, z, x …, in the plane of the scene. */
  points: number[];
}

/** Height of the points above the roof, metres, so that it does not shade itself. */
const ABOVE_M = 0.05;
/** Approximate number of points of a roof. */
const MOST_POINTS = 200;
/** Shortest distance of two points, metres. */
const LEAST_STEP_M = 1;
/** A surface with a smaller slope counts as level. */
const LEVEL_DEG = 0.5;
/** Planes that differ by no more than this are one: in their gradient, and in their height over a point, metres. */
const SAME_GRADIENT = 0.01;
const SAME_M = 0.1;

/**
 * The parts of a building's roof with points on them: its surfaces if the model has them, otherwise the flat tops of
 * its prisms. Surfaces in one plane are one part.
 * @param mapPlane the plane of the scene's coordinates
 */
export function roofParts(scene: Scene, building: number, mapPlane: Plane): RoofPart[] {
  const surfaces = surfacesOf(scene, building);
  const area = planArea(surfaces);
  const spacingM = Math.max(LEAST_STEP_M, Math.sqrt(area / MOST_POINTS));
  const latLon: [number, number] = [0, 0];
  const [x = 0, y = 0] = surfaces[0]?.rings[0] ?? [];
  toDegrees(mapPlane, scene.originX + x, scene.originY + y, latLon);
  // The azimuth of grid north, the same for the whole building.
  const convergence = convergenceDeg(mapPlane, latLon[0], latLon[1]);
  return groupedByPlane(surfaces)
    .map((group): RoofPart => {
      const [, gx, gy] = group[0].plane;
      const tilt = Math.atan(Math.hypot(gx, gy)) * DEGREES;
      return {
        areaM2: planArea(group) * Math.sqrt(1 + gx * gx + gy * gy),
        tiltDeg: tilt,
        azimuthDeg: tilt < LEVEL_DEG ? null : (azimuthDeg(-gx, -gy) + convergence + 360) % 360,
        points: group.flatMap((surface) => pointsOn(surface, spacingM)),
      };
    })
    .sort((a, b) => b.areaM2 - a.areaM2);
}

/** The roof surfaces of a building. One without roof surfaces has the flat tops of its prisms. */
function surfacesOf(scene: Scene, building: number): RoofSurface[] {
  const surfaces = roofSurfacesOf(scene, building);
  if (surfaces.length > 0) return surfaces;
  return prismsOf(scene, building).map((rings) => ({ rings, plane: [scene.top[building], 0, 0] }));
}

/** Area of surfaces in plan, square metres. */
const planArea = (surfaces: readonly RoofSurface[]): number =>
  surfaces.reduce((sum, { rings }) => sum + polygonArea(rings), 0);

/** Groups surfaces by their plane. */
function groupedByPlane(surfaces: readonly RoofSurface[]): RoofSurface[][] {
  const groups: RoofSurface[][] = [];
  for (const surface of surfaces) {
    const group = groups.find(([first]) => areInOnePlane(first, surface));
    if (group === undefined) groups.push([surface]);
    else group.push(surface);
  }
  return groups;
}

/** True when two surfaces are in nearly the same plane. */
function areInOnePlane(one: RoofSurface, other: RoofSurface): boolean {
  const [x, y] = other.rings[0];
  const apart = heightOver(one.plane, x, y) - heightOver(other.plane, x, y);
  const turned = Math.hypot(one.plane[1] - other.plane[1], one.plane[2] - other.plane[2]);
  return turned <= SAME_GRADIENT && Math.abs(apart) <= SAME_M;
}

/**
 * Points of a square grid on a surface, [x, y, z, …]; if there are none, one in the middle. They are a little above the
 * surface, so that it does not shade them itself.
 */
function pointsOn({ rings, plane }: RoofSurface, step: number): number[] {
  const points: number[] = [];
  const add = (x: number, y: number): void => {
    points.push(x, y, heightOver(plane, x, y) + ABOVE_M);
  };
  const [west, south, east, north] = boundsOf(rings.slice(0, 1));
  for (let y = south + step / 2; y < north; y += step)
    for (let x = west + step / 2; x < east; x += step) if (pointInPolygon(x, y, rings)) add(x, y);
  if (points.length === 0) add(...representativePoint([rings]));
  return points;
}

/** Distance behind a receptor at which the height of the roof counts, metres: the wall has ended there. */
const BEHIND_M = 0.3;

/**
 * Number of columns of a building's receptors that are above its own roof: the wall of the prism is higher there than
 * the published roof (at eaves and setbacks). 0 for a building without roof surfaces.
 * @param heightM of the receptors above the base, metres
 * @param receptors are overwritten
 */
export function columnsAboveRoof(
  scene: Scene,
  building: number,
  heightM: number,
  receptors: Receptors,
  plane: Plane,
): number {
  const surfaces = roofSurfacesOf(scene, building);
  if (surfaces.length === 0) return 0;
  placeReceptors(scene, building, receptors, plane);
  const z = scene.base[building] + heightM;
  let above = 0;
  for (let column = 0; column < receptors.count; column++) {
    const x = receptors.x[column] - BEHIND_M * receptors.normalX[column];
    const y = receptors.y[column] - BEHIND_M * receptors.normalY[column];
    if (roofHeight(surfaces, x, y) < z) above++;
  }
  return above;
}

/** Height of a roof at a point of the plan, metres; −∞ where there is none. */
function roofHeight(surfaces: readonly RoofSurface[], x: number, y: number): number {
  const over = surfaces.filter(({ rings }) => pointInPolygon(x, y, rings));
  return Math.max(...over.map(({ plane }) => heightOver(plane, x, y)));
}
