import type { Plane } from '../geo/plane.ts';
import { pointInPolygon } from '../geo/polygon.ts';
import { placeReceptors, type Receptors } from './receptors.ts';
import { heightOver, type RoofSurface } from './roof-plane.ts';
import { roofSurfacesOf, type Scene } from './scene.ts';

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
