import type { Scene } from '../../src/sunlight/scene.ts';

/** Metres below the lowest base to which walls reach. Prisms have no lower limit. */
const DEPTH_M = 500;

/**
 * The walls of a scene as triangles for ray casters: x, y, z of three corners each. Roofs are not needed: a ray that
 * rises from outside a prism hits a wall below its top or passes above it.
 */
export function wallTriangles(scene: Scene): Float32Array {
  const { xy, top, base, buildingPrisms, prismRings, ringVertices } = scene;
  const bottom = base.reduce((a, b) => Math.min(a, b), Infinity) - DEPTH_M;
  const triangles = new Float32Array((xy.length / 2) * 18);
  let at = 0;
  for (let building = 0; building < base.length; building++) {
    const high = top[building];
    for (let ring = prismRings[buildingPrisms[building]]; ring < prismRings[buildingPrisms[building + 1]]; ring++) {
      const [first, end] = [ringVertices[ring], ringVertices[ring + 1]];
      for (let a = first; a < end; a++) {
        const b = a + 1 < end ? a + 1 : first;
        const [ax, ay, bx, by] = [xy[2 * a], xy[2 * a + 1], xy[2 * b], xy[2 * b + 1]];
        triangles.set([ax, ay, bottom, bx, by, bottom, bx, by, high], at);
        triangles.set([ax, ay, bottom, bx, by, high, ax, ay, high], at + 9);
        at += 18;
      }
    }
  }
  return triangles;
}
