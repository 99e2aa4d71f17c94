import type { Plane } from '../geo/plane.ts';
import { pointInRing } from '../geo/polygon.ts';
import { placeReceptors, type Receptors } from './receptors.ts';
import type { Scene } from './scene.ts';

/** Distance behind a receptor at which the roof is looked up, metres: the wall has ended there. */
const BEHIND_M = 0.3;

/**
 * Number of columns of a building's receptors that are above its own roof at a height over the base, metres: the wall
 * of the prism is higher there than the published roof (at eaves and setbacks). 0 for a building without roof surfaces.
 * @param receptors are placed again
 */
export function columnsAboveRoof(
  scene: Scene,
  building: number,
  heightM: number,
  receptors: Receptors,
  plane: Plane,
): number {
  const { buildingSurfaces } = scene.roofs;
  if (buildingSurfaces[building] === buildingSurfaces[building + 1]) return 0;
  placeReceptors(scene, building, receptors, plane);
  const z = scene.base[building] + heightM;
  let above = 0;
  for (let column = 0; column < receptors.count; column++) {
    const x = receptors.x[column] - BEHIND_M * receptors.normalX[column];
    const y = receptors.y[column] - BEHIND_M * receptors.normalY[column];
    if (roofAt(scene, building, x, y) < z) above++;
  }
  return above;
}

/** Height of a building's roof at a place; −∞ where it has none. */
function roofAt({ roofs }: Scene, building: number, x: number, y: number): number {
  const { buildingSurfaces, surfaceRings, ringVertices, planes, xy } = roofs;
  let height = -Infinity;
  for (let surface = buildingSurfaces[building]; surface < buildingSurfaces[building + 1]; surface++) {
    let inside = false;
    for (let ring = surfaceRings[surface]; ring < surfaceRings[surface + 1]; ring++) {
      if (pointInRing(x, y, xy, 2 * ringVertices[ring], 2 * ringVertices[ring + 1])) inside = !inside;
    }
    if (!inside) continue;
    const [h, gx, gy] = [planes[3 * surface], planes[3 * surface + 1], planes[3 * surface + 2]];
    height = Math.max(height, h + gx * x + gy * y);
  }
  return height;
}
