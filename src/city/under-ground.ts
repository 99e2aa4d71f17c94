import { gridSquareCentre } from '../geo/grid-square.ts';
import { type Plane, planeOf, toDegrees } from '../geo/plane.ts';
import { boundsOf } from '../geo/polygon.ts';
import { zoneOf } from '../geo/zones.ts';
import { makeReceptors, placeReceptors } from '../sunlight/receptors.ts';
import { floorsOf } from '../sunlight/result.ts';
import { type Scene, SceneBuilder } from '../sunlight/scene.ts';
import { storeysOf } from '../sunlight/storeys.ts';
import type { GroundHeights } from './ground-heights.ts';
import { squareFrame } from './scene-store.ts';
import type { SquareBuilding } from './square-file.ts';

/** The attributes of a building that determine where its receptors are. */
type Standing = Pick<SquareBuilding, 'footprints' | 'baseM' | 'topM' | 'storeys' | 'usageCode'>;

/** Largest distance of receptors from a footprint, degrees: 0.1 m. */
const AROUND_DEG = 1e-6;

/** Counts the receptors of buildings below the ground of a grid square. Those outside the square do not count. */
export function receptorsUnderGround(square: string, buildings: Iterable<Standing>, ground: GroundHeights): number {
  const centre = gridSquareCentre(square);
  const frame = squareFrame(square, zoneOf(centre.lat, centre.lon));
  const plane = planeOf(frame.zone);
  const receptors = makeReceptors();
  let count = 0;
  for (const building of buildings) {
    const { footprints, baseM, topM, storeys, usageCode } = building;
    const heightM = topM - baseM;
    const floors = floorsOf(storeysOf(storeys, heightM, usageCode).storeys, heightM);
    // Most buildings stand above the ground around them, so their receptors need not be placed.
    if (highestAround(footprints, ground) <= baseM + floors[0].heightM) continue;
    const builder = new SceneBuilder(frame);
    if (builder.add(footprints, baseM, topM).building === null) continue;
    const scene = builder.finish();
    placeReceptors(scene, 0, receptors, plane);
    // A column has a receptor for each floor, one above the other.
    for (let column = 0; column < receptors.count; column++) {
      const height = groundAt(ground, scene, plane, receptors.x[column], receptors.y[column]);
      count += floors.filter((floor) => baseM + floor.heightM < height).length;
    }
  }
  return count;
}

/** An upper bound of the ground around footprints. */
function highestAround(footprints: Standing['footprints'], ground: GroundHeights): number {
  const [south, west, north, east] = boundsOf(footprints.map(({ rings }) => rings[0]));
  return ground.highestIn({
    south: south - AROUND_DEG,
    west: west - AROUND_DEG,
    north: north + AROUND_DEG,
    east: east + AROUND_DEG,
  });
}

/** The ground at a point of a scene (metres in its plane), metres; NaN when unknown. */
function groundAt(ground: GroundHeights, { originX, originY }: Scene, plane: Plane, x: number, y: number): number {
  const point: [lat: number, lon: number] = [0, 0];
  toDegrees(plane, originX + x, originY + y, point);
  return ground.at(point[0], point[1]);
}
