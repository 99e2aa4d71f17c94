import { boundsOf, polygonDistance } from '../geo/polygon.ts';
import type { Scene } from './scene.ts';

/** Buildings within this distance touch, metres: published outlines of a common wall agree to about a decimetre. */
const TOUCH_M = 0.15;

/**
 * The blocks of a scene. Buildings that touch or overlap are in one block, together with all that touch those. Returns
 * for each building the first building of its block; a building that touches no other is its own block.
 */
export function touchingBlocks(scene: Scene): Uint32Array {
  const blocks = Uint32Array.from(scene.base.keys());
  const blockOf = (building: number): number => {
    let at = building;
    while (blocks[at] !== at) {
      blocks[at] = blocks[blocks[at]];
      at = blocks[at];
    }
    return at;
  };
  const prisms = prismsOf(scene).sort((a, b) => a.west - b.west || a.building - b.building);
  for (const [i, one] of prisms.entries()) {
    for (let k = i + 1; k < prisms.length && prisms[k].west <= one.east + TOUCH_M; k++) {
      const other = prisms[k];
      if (other.south > one.north + TOUCH_M || one.south > other.north + TOUCH_M) continue;
      const [a, b] = [blockOf(one.building), blockOf(other.building)];
      if (a !== b && polygonDistance(one.rings, other.rings) <= TOUCH_M) blocks[Math.max(a, b)] = Math.min(a, b);
    }
  }
  return blocks.map((_, building) => blockOf(building));
}

/** A prism's rings, the outer one first, and its bounds. */
interface Prism {
  building: number;
  rings: Float64Array[];
  west: number;
  south: number;
  east: number;
  north: number;
}

function prismsOf({ buildingPrisms, prismRings, ringVertices, xy, base }: Scene): Prism[] {
  const prisms: Prism[] = [];
  for (let building = 0; building < base.length; building++) {
    for (let prism = buildingPrisms[building]; prism < buildingPrisms[building + 1]; prism++) {
      const rings: Float64Array[] = [];
      for (let ring = prismRings[prism]; ring < prismRings[prism + 1]; ring++) {
        rings.push(xy.subarray(2 * ringVertices[ring], 2 * ringVertices[ring + 1]));
      }
      const [west, south, east, north] = boundsOf(rings.slice(0, 1));
      prisms.push({ building, rings, west, south, east, north });
    }
  }
  return prisms;
}
