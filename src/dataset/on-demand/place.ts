import { toDegrees } from '../../geo/plane.ts';
import type { Kernel } from '../../sunlight/compute.ts';

/** Latitude and longitude of a point of the kernel's scene, to 9 decimals (0.1 mm). */
export function placeOf({ scene, plane }: Kernel, x: number, y: number): { lat: number; lon: number } {
  const at: [number, number] = [0, 0];
  toDegrees(plane, scene.originX + x, scene.originY + y, at);
  return { lat: Number(at[0].toFixed(9)), lon: Number(at[1].toFixed(9)) };
}
