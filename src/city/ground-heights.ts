import { type Box, gridSquareCentre } from '../geo/grid-square.ts';
import { type Plane, planeOf, toDegrees } from '../geo/plane.ts';
import { boundsOf } from '../geo/polygon.ts';
import { zoneOf } from '../geo/zones.ts';
import { makeReceptors, placeReceptors } from '../sunlight/receptors.ts';
import { floorsOf } from '../sunlight/result.ts';
import { type Scene, SceneBuilder } from '../sunlight/scene.ts';
import { storeysOf } from '../sunlight/storeys.ts';
import { type Facets, gradientOf, latitudeOf, longitudeOf } from '../terrain/facets.ts';
import { squareFrame } from './scene-store.ts';
import type { SquareBuilding } from './square-file.ts';

/** Number of buckets along a side of the square of a mesh. Each lists the triangles that meet it. */
const BUCKETS = 32;

/** The heights of the ground of a grid square. */
export class GroundHeights {
  readonly #facets: Facets;
  /** The triangles of bucket b: `#triangles` from `#starts[b]` to `#starts[b + 1]`. */
  readonly #starts = new Uint32Array(BUCKETS * BUCKETS + 1);
  readonly #triangles: Uint32Array;
  /** By bucket: the highest corner of its triangles, steps. */
  readonly #highest = new Uint16Array(BUCKETS * BUCKETS);

  constructor(facets: Facets) {
    this.#facets = facets;
    const triangles = facets.hidden.length;
    // First the number of triangles of each bucket, then the sums of these numbers, which are the starts.
    for (let triangle = 0; triangle < triangles; triangle++)
      this.#forEachBucketOf(triangle, (bucket) => this.#starts[bucket + 1]++);
    for (let bucket = 0; bucket < BUCKETS * BUCKETS; bucket++) this.#starts[bucket + 1] += this.#starts[bucket];
    this.#triangles = new Uint32Array(this.#starts[BUCKETS * BUCKETS]);
    // By bucket: where its next triangle goes.
    const next = this.#starts.slice();
    for (let triangle = 0; triangle < triangles; triangle++) {
      const top = Math.max(facets.z[3 * triangle], facets.z[3 * triangle + 1], facets.z[3 * triangle + 2]);
      this.#forEachBucketOf(triangle, (bucket) => {
        this.#triangles[next[bucket]++] = triangle;
        this.#highest[bucket] = Math.max(this.#highest[bucket], top);
      });
    }
  }

  /** The height of the ground at a position (degrees), metres; NaN when unknown. */
  at(lat: number, lon: number): number {
    const { x, y, z, lowM, stepM, perSquare } = this.#facets;
    const [px, py] = this.#latticePoint(lat, lon);
    if (!(px >= 0 && py >= 0 && px <= perSquare && py <= perSquare)) return Number.NaN;
    const bucket = this.#bucketAt(px, py);
    for (let i = this.#starts[bucket]; i < this.#starts[bucket + 1]; i++) {
      const triangle = this.#triangles[i];
      if (!isInside(x, y, triangle, px, py)) continue;
      const [riseEast, riseNorth] = gradientOf(x, y, z, triangle);
      const corner = 3 * triangle;
      return lowM + stepM * (z[corner] + riseEast * (px - x[corner]) + riseNorth * (py - y[corner]));
    }
    return Number.NaN;
  }

  /** An upper bound of the ground in a box (degrees); −∞ where none of it is known. */
  highestIn({ south, west, north, east }: Box): number {
    const { lowM, stepM, perSquare } = this.#facets;
    const [left, bottom] = this.#latticePoint(south, west);
    const [right, top] = this.#latticePoint(north, east);
    if (right < 0 || top < 0 || left > perSquare || bottom > perSquare) return -Infinity;
    const clamp = (value: number): number => Math.min(perSquare, Math.max(0, value));
    let highest = -Infinity;
    this.#forEachBucket(clamp(left), clamp(bottom), clamp(right), clamp(top), (bucket) => {
      const isEmpty = this.#starts[bucket] === this.#starts[bucket + 1];
      if (!isEmpty) highest = Math.max(highest, this.#highest[bucket]);
    });
    return lowM + stepM * highest;
  }

  /** A position (degrees) as a point of the lattice: its steps from the south-west corner. */
  #latticePoint(lat: number, lon: number): [x: number, y: number] {
    const [south, west] = [latitudeOf(this.#facets, 0), longitudeOf(this.#facets, 0)];
    const x = (lon - west) / (longitudeOf(this.#facets, 1) - west);
    return [x, (lat - south) / (latitudeOf(this.#facets, 1) - south)];
  }

  /** The index of the bucket that contains a position in grid steps. */
  #bucketAt(x: number, y: number): number {
    const index = (value: number): number =>
      Math.min(BUCKETS - 1, Math.floor((value * BUCKETS) / this.#facets.perSquare));
    return index(y) * BUCKETS + index(x);
  }

  /** Calls `use` for each bucket that the triangle's bounding box meets. */
  #forEachBucketOf(triangle: number, use: (bucket: number) => void): void {
    const { x, y } = this.#facets;
    const a = 3 * triangle;
    const [left, bottom] = [Math.min(x[a], x[a + 1], x[a + 2]), Math.min(y[a], y[a + 1], y[a + 2])];
    const [right, top] = [Math.max(x[a], x[a + 1], x[a + 2]), Math.max(y[a], y[a + 1], y[a + 2])];
    this.#forEachBucket(left, bottom, right, top, use);
  }

  /** Calls `use` for each bucket that meets a box, in grid steps. */
  #forEachBucket(left: number, bottom: number, right: number, top: number, use: (bucket: number) => void): void {
    const [southWest, northEast] = [this.#bucketAt(left, bottom), this.#bucketAt(right, top)];
    // Buckets are numbered row by row, so the remainder is the difference of the columns.
    const width = (northEast - southWest) % BUCKETS;
    for (let firstOfRow = southWest; firstOfRow <= northEast; firstOfRow += BUCKETS)
      for (let bucket = firstOfRow; bucket <= firstOfRow + width; bucket++) use(bucket);
  }
}

/** True when a point lies inside a triangle or on its edge. Triangles go counter-clockwise. */
function isInside(x: Uint16Array, y: Uint16Array, triangle: number, px: number, py: number): boolean {
  for (let corner = 0; corner < 3; corner++) {
    const a = 3 * triangle + corner;
    const b = 3 * triangle + ((corner + 1) % 3);
    if ((x[b] - x[a]) * (py - y[a]) - (y[b] - y[a]) * (px - x[a]) < 0) return false;
  }
  return true;
}

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
      // NaN outside the square: no floor is below it.
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
