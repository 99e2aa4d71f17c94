import { azimuthDeg, convergenceDeg, type Plane, toDegrees } from '../geo/plane.ts';
import { pointInPolygon, polygonArea, representativePoint } from '../geo/polygon.ts';
import { prismsOf, type Scene } from './scene.ts';

const DEGREES = 180 / Math.PI;

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
/** Planes that differ by no more than this are one: gradient, and metres at their common edge. */
const SAME_GRADIENT = 0.01;
const SAME_M = 0.1;

interface Surface {
  polygon: number[][];
  plane: readonly [h: number, gx: number, gy: number];
}

/**
 * The parts of a building's roof with points on them: its surfaces if the model has them, otherwise the flat tops of
 * its prisms.
 */
export function roofParts(scene: Scene, building: number, plane: Plane): RoofPart[] {
  const surfaces = surfacesOf(scene, building);
  const area = surfaces.reduce((sum, { polygon }) => sum + polygonArea(polygon), 0);
  const step = Math.max(LEAST_STEP_M, Math.sqrt(area / MOST_POINTS));
  const at: [number, number] = [0, 0];
  const [x = 0, y = 0] = surfaces[0]?.polygon[0] ?? [];
  toDegrees(plane, scene.originX + x, scene.originY + y, at);
  const convergence = convergenceDeg(plane, at[0], at[1]);
  return grouped(surfaces)
    .map((group): RoofPart => {
      const [, gx, gy] = group[0].plane;
      const tilt = Math.atan(Math.hypot(gx, gy)) * DEGREES;
      const plan = group.reduce((sum, { polygon }) => sum + polygonArea(polygon), 0);
      return {
        areaM2: plan * Math.sqrt(1 + gx * gx + gy * gy),
        tiltDeg: tilt,
        azimuthDeg: tilt < LEVEL_DEG ? null : (azimuthDeg(-gx, -gy) + convergence + 360) % 360,
        points: group.flatMap((surface) => pointsOn(surface, step)),
      };
    })
    .sort((a, b) => b.areaM2 - a.areaM2);
}

/** The roof surfaces of a building. One without roof surfaces has the flat tops of its prisms. */
function surfacesOf(scene: Scene, building: number): Surface[] {
  const { buildingSurfaces, surfaceRings, ringVertices, planes, xy } = scene.roofs;
  const [first, end] = [buildingSurfaces[building], buildingSurfaces[building + 1]];
  if (first === end)
    return prismsOf(scene, building, scene).map((polygon) => ({ polygon, plane: [scene.top[building], 0, 0] }));
  return Array.from({ length: end - first }, (_, i): Surface => {
    const surface = first + i;
    const polygon: number[][] = [];
    for (let ring = surfaceRings[surface]; ring < surfaceRings[surface + 1]; ring++)
      polygon.push([...xy.subarray(2 * ringVertices[ring], 2 * ringVertices[ring + 1])]);
    return { polygon, plane: [planes[3 * surface], planes[3 * surface + 1], planes[3 * surface + 2]] };
  });
}

/** Groups surfaces by their plane. */
function grouped(surfaces: readonly Surface[]): Surface[][] {
  const groups: Surface[][] = [];
  for (const surface of surfaces) {
    const group = groups.find(([first]) => areInOnePlane(first, surface));
    if (group === undefined) groups.push([surface]);
    else group.push(surface);
  }
  return groups;
}

function areInOnePlane({ plane: [h, gx, gy] }: Surface, { polygon, plane: [k, kx, ky] }: Surface): boolean {
  const [x, y] = polygon[0];
  const apart = h + gx * x + gy * y - (k + kx * x + ky * y);
  return Math.hypot(gx - kx, gy - ky) <= SAME_GRADIENT && Math.abs(apart) <= SAME_M;
}

/** Points of a square grid on a surface; if there are none, one in the middle. */
function pointsOn({ polygon, plane: [h, gx, gy] }: Surface, step: number): number[] {
  const points: number[] = [];
  const add = (x: number, y: number): void => void points.push(x, y, h + gx * x + gy * y + ABOVE_M);
  const [outer] = polygon;
  const bound = (axis: 0 | 1, of: (...values: number[]) => number): number =>
    outer.reduce((best, value, i) => (i % 2 === axis ? of(best, value) : best), outer[axis]);
  const [west, south, east, north] = [bound(0, Math.min), bound(1, Math.min), bound(0, Math.max), bound(1, Math.max)];
  for (let y = south + step / 2; y < north; y += step)
    for (let x = west + step / 2; x < east; x += step) if (pointInPolygon(x, y, polygon)) add(x, y);
  if (points.length === 0) add(...representativePoint([polygon]));
  return points;
}
