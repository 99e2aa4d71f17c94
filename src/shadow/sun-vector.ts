import { type DayPath, sunAt } from '../solar/day-path.ts';
import type { ShadowVector } from './casters.ts';

const RADIANS = Math.PI / 180;

/**
 * Length of the shadow of one metre of height while the sun is up. Grid north is `convergenceDeg` clockwise of true
 * north.
 */
export function sunVector(path: DayPath, convergenceDeg: number, minute: number): ShadowVector {
  const { azimuthDeg, altitudeDeg } = sunAt(path, minute);
  const reach = 1 / Math.tan(altitudeDeg * RADIANS);
  const azimuth = (azimuthDeg - convergenceDeg) * RADIANS;
  return { east: -reach * Math.sin(azimuth), north: -reach * Math.cos(azimuth) };
}
