import { METRES_PER_DEGREE, RADIANS } from '../geo/degree.ts';
import { type RingPlane, ringPlane, type Vector } from '../geo/ring-plane.ts';
import type { Face } from './faces.ts';

/**
 * Coordinates of a building as metres east and north of the first point of a face. `values` holds latitude, longitude
 * and height of each point; a ring holds where its points begin in it.
 */
export class LocalMetres {
  readonly #values: Float64Array;
  readonly #lat: number;
  readonly #lon: number;
  readonly #metresPerLon: number;

  constructor(values: Float64Array, { rings: [[from]] }: Face) {
    this.#values = values;
    [this.#lat, this.#lon] = [values[from], values[from + 1]];
    this.#metresPerLon = METRES_PER_DEGREE * Math.cos(this.#lat * RADIANS);
  }

  /** The point whose latitude, longitude and height begin at index i of `values`, in metres. */
  pointAt(i: number): Vector {
    const values = this.#values;
    return [
      (values[i + 1] - this.#lon) * this.#metresPerLon,
      (values[i] - this.#lat) * METRES_PER_DEGREE,
      values[i + 2],
    ];
  }

  /** The plane of a face: of its outer ring. The normal may point up or down, and has the length of twice the area. */
  planeOf({ rings: [[from, to]] }: Face): RingPlane {
    const { normal, middle } = ringPlane(this.#values, from, to);
    // The published axes are latitude, longitude, height; here they are east, north, height. Each part of the normal is
    // an area: the sum of products of lengths along the two other axes. The east part has products of latitude and
    // height, so it becomes metres by the metres of a degree of latitude.
    const [latPart, lonPart, heightPart] = normal;
    return {
      normal: [
        lonPart * METRES_PER_DEGREE,
        latPart * this.#metresPerLon,
        heightPart * METRES_PER_DEGREE * this.#metresPerLon,
      ],
      middle: [(middle[1] - this.#lon) * this.#metresPerLon, (middle[0] - this.#lat) * METRES_PER_DEGREE, middle[2]],
    };
  }

  /** The largest distance of a point of a face from its plane, in metres. */
  farthestFromPlane(face: Face): number {
    const { normal, middle } = this.planeOf(face);
    const length = Math.hypot(...normal);
    let farthest = 0;
    for (const [from, to] of face.rings) {
      // Each point has three values.
      for (let i = from; i < to; i += 3) {
        const [x, y, z] = this.pointAt(i);
        const offset = (x - middle[0]) * normal[0] + (y - middle[1]) * normal[1] + (z - middle[2]) * normal[2];
        farthest = Math.max(farthest, Math.abs(offset) / length);
      }
    }
    return farthest;
  }

  /** The rings of a face as x, y. */
  planOf({ rings }: Face): number[][] {
    return rings.map(([from, to]) => {
      const plan: number[] = [];
      for (let i = from; i < to; i += 3) plan.push(...this.pointAt(i).slice(0, 2));
      return plan;
    });
  }

  /** A ring [lat, lon, …] as x, y. */
  planOfRing(ring: Float64Array): number[] {
    const plan: number[] = [];
    for (let i = 0; i < ring.length; i += 2) {
      plan.push((ring[i + 1] - this.#lon) * this.#metresPerLon, (ring[i] - this.#lat) * METRES_PER_DEGREE);
    }
    return plan;
  }
}

/** The highest z of a face. */
export function highestZ(values: Float64Array, { rings }: Face): number {
  let highest = -Infinity;
  for (const [from, to] of rings) for (let i = from + 2; i < to; i += 3) highest = Math.max(highest, values[i]);
  return highest;
}
