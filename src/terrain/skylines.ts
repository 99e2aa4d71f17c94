import { LEAST_TANGENT } from '../geo/degree.ts';
import { riseOf } from './facets.ts';

/** A viewpoint, metres from the common centre, with the heights of its eyes. */
export interface Eye {
  x: number;
  y: number;
  /** In rising order. */
  z: readonly number[];
}

/** Triangles to draw: their corners, three for each, metres from the centre, and the edges that need not be drawn. */
interface Triangles {
  x: Float64Array;
  y: Float64Array;
  z: Float64Array;
  hidden: Uint8Array;
}

/** A circle in plan that contains something, metres from the centre. */
export interface Bounds {
  x: number;
  y: number;
  radius: number;
  /** Its greatest height. */
  top: number;
  /** Its smallest distance to any eye. */
  nearestM: number;
}

/** Number of directions of a skyline. */
const BINS = 4096;
/** For a sector of several bins only the lowest slope of all eyes is compared. */
const BINS_OF_SECTOR = 8;
const SECTORS = BINS / BINS_OF_SECTOR;
const BINS_PER_RADIAN = BINS / (2 * Math.PI);

/** The directions of the middles of the bins. */
const COS = Float64Array.from({ length: BINS }, (_, bin) => Math.cos((bin + 0.5) / BINS_PER_RADIAN));
const SIN = Float64Array.from({ length: BINS }, (_, bin) => Math.sin((bin + 0.5) / BINS_PER_RADIAN));

/** The skylines of some eyes, and the triangle on the horizon in each direction. */
export class Skylines {
  readonly #eyes: readonly Eye[];
  /** By row and bin: the highest slope, and its triangle. Each height of each eye has a row. */
  readonly #slope: Float64Array;
  readonly #triangle: Int32Array;
  readonly #rows: number;
  /** By sector: the lowest slope of all eyes. */
  readonly #lowestSlopes = new Float64Array(SECTORS).fill(LEAST_TANGENT);
  /** The lowest height of any eye. */
  readonly #lowestEyeM: number;
  /** Largest distance of an eye from the centre. */
  readonly #offsetM: number;
  /** The corners of the triangle that is drawn, metres from the eye, and their directions in bins. */
  readonly #corners = { px: new Float64Array(3), py: new Float64Array(3), angle: new Float64Array(3) };

  constructor(eyes: readonly Eye[]) {
    this.#eyes = eyes;
    this.#rows = eyes.reduce((sum, { z }) => sum + z.length, 0);
    this.#slope = new Float64Array(this.#rows * BINS).fill(LEAST_TANGENT);
    this.#triangle = new Int32Array(this.#rows * BINS).fill(-1);
    this.#lowestEyeM = Math.min(...eyes.flatMap(({ z }) => z));
    this.#offsetM = Math.max(...eyes.map(({ x, y }) => Math.hypot(x, y)));
  }

  /**
   * Draws triangles. Those that cannot rise above the present skyline are skipped.
   * @param first the number of the first triangle in {@link shown}
   * @param bounds of all of them
   */
  draw(triangles: Triangles, first: number, bounds: Bounds): void {
    const { x, y, z, hidden } = triangles;
    const { nearestM } = bounds;
    const lowestSlope = this.#lowestIn(bounds);
    // A triangle that is nowhere higher than this is below every skyline in its directions.
    const leastTop = this.#lowestEyeM + lowestSlope * nearestM;
    const triangleCount = hidden.length;
    let isRaised = false;
    for (let triangle = 0; triangle < triangleCount; triangle++) {
      const at = 3 * triangle;
      if (z[at] <= leastTop && z[at + 1] <= leastTop && z[at + 2] <= leastTop) continue;
      if (!this.canShow(boundsOf(x, y, z, at, nearestM))) continue;
      // The rows of an eye follow each other: one skyline for each of its heights.
      let row = 0;
      for (const eye of this.#eyes) {
        if (this.#drawTriangle(eye, row, triangles, triangle, first + triangle)) isRaised = true;
        row += eye.z.length;
      }
    }
    if (isRaised) this.#updateSectors();
  }

  /** The triangles that are on the horizon of at least one eye, in order. */
  shown(): number[] {
    const triangles = new Set(this.#triangle);
    // −1 stands for no triangle.
    triangles.delete(-1);
    return [...triangles].sort((a, b) => a - b);
  }

  /** True when something may rise above the lowest skyline in its directions. */
  canShow(bounds: Bounds): boolean {
    const slope = this.slopeOf(bounds);
    return slope > LEAST_TANGENT && slope > this.#lowestIn(bounds);
  }

  /** The greatest slope at which any eye may see something. */
  slopeOf({ x, y, radius, top, nearestM }: Bounds): number {
    return (top - this.#lowestEyeM) / Math.max(1, nearestM, Math.hypot(x, y) - radius - this.#offsetM);
  }

  /** The lowest slope of any skyline in the directions in which some eye may see the circle of the bounds. */
  #lowestIn({ x, y, radius }: Bounds): number {
    // As seen from the centre, a circle wider by the offset of the eyes covers the directions from every eye.
    const widerRadius = radius + this.#offsetM;
    const away = Math.hypot(x, y);
    const middle = Math.atan2(y, x);
    const halfAngle = away > widerRadius ? Math.asin(widerRadius / away) : Math.PI;
    const sectorAt = (angle: number): number => Math.floor((angle * BINS_PER_RADIAN) / BINS_OF_SECTOR);
    const from = sectorAt(middle - halfAngle);
    // At most the whole circle. `from` may be negative, down to −SECTORS.
    const to = Math.min(from + SECTORS - 1, sectorAt(middle + halfAngle));
    let least = Infinity;
    for (let sector = from; sector <= to; sector++)
      least = Math.min(least, this.#lowestSlopes[(sector + 2 * SECTORS) % SECTORS]);
    return least;
  }

  /**
   * Draws the edges of a triangle that an eye may see as a horizon: those on the far side where the eye looks down on
   * the plane of the triangle, those on the near side where it looks up to it.
   * @param eye a viewpoint, which has several heights
   * @param row the row of its lowest height; the others follow
   * @param number of the triangle in {@link shown}
   * @returns true when a skyline was raised
   */
  #drawTriangle(eye: Eye, row: number, { x, y, z, hidden }: Triangles, triangle: number, number: number): boolean {
    const at = 3 * triangle;
    const { px, py, angle } = this.#corners;
    for (let corner = 0; corner < 3; corner++) {
      px[corner] = x[at + corner] - eye.x;
      py[corner] = y[at + corner] - eye.y;
      // Not known yet: `#angleOf` computes it when it is needed.
      angle[corner] = Number.NaN;
    }
    const plane = heightAtOrigin(px, py, z, at);
    // The heights of an eye are in rising order: the highest looks down if any does, the lowest looks up.
    const looksDown = eye.z[eye.z.length - 1] >= plane;
    const looksUp = eye.z[0] <= plane;
    let raised = false;
    for (let from = 0; from < 3; from++) {
      // A bit for each edge, by the corner where it begins.
      if (hidden[triangle] & (1 << from)) continue;
      const to = (from + 1) % 3;
      // The corners are counter-clockwise, so an edge on the far side runs counter-clockwise around the eye, too.
      const isFar = px[from] * py[to] - py[from] * px[to] > 0;
      if (!(isFar ? looksDown : looksUp)) continue;
      const [left, right] = isFar ? [from, to] : [to, from];
      if (this.#drawEdge(eye, row, left, right, z[at + left], z[at + right], number)) raised = true;
    }
    return raised;
  }

  /**
   * Draws an edge of the triangle in `#corners` into the skylines of an eye, counter-clockwise from corner p to q.
   * @param row the first row of the eye
   * @param pz height of p; `qz`: of q
   * @param triangle its number in {@link shown}
   * @returns true when a skyline was raised
   */
  #drawEdge(eye: Eye, row: number, p: number, q: number, pz: number, qz: number, triangle: number): boolean {
    const { px: xs, py: ys } = this.#corners;
    const [px, py, qx, qy] = [xs[p], ys[p], xs[q], ys[q]];
    const start = this.#angleOf(p);
    let stop = this.#angleOf(q);
    if (stop < start) stop += BINS;
    let raised = false;
    // The rays in the middles of bins between the directions of p and q: each meets the edge. Bins may be counted from
    // below 0, and beyond a whole circle.
    for (let bin = Math.ceil(start - 0.5); bin + 0.5 <= stop; bin++) {
      const direction = (bin + 2 * BINS) % BINS;
      const [ux, uy] = [COS[direction], SIN[direction]];
      // The distances of p and q from the ray, of opposite signs; and the share of the edge from p to the ray.
      const toP = ux * py - uy * px;
      const toQ = ux * qy - uy * qx;
      const share = toP / (toP - toQ);
      const away = ux * (px + share * (qx - px)) + uy * (py + share * (qy - py));
      const top = pz + share * (qz - pz);
      for (let k = 0; k < eye.z.length; k++) {
        const at = (row + k) * BINS + direction;
        const slope = (top - eye.z[k]) / away;
        if (slope <= this.#slope[at]) continue;
        this.#slope[at] = slope;
        this.#triangle[at] = triangle;
        raised = true;
      }
    }
    return raised;
  }

  /** The direction of a corner from the eye, in bins. */
  #angleOf(corner: number): number {
    const { px, py, angle } = this.#corners;
    if (Number.isNaN(angle[corner])) angle[corner] = Math.atan2(py[corner], px[corner]) * BINS_PER_RADIAN;
    return angle[corner];
  }

  /** Computes again, for each sector, the lowest slope of any skyline in any of its bins. */
  #updateSectors(): void {
    this.#lowestSlopes.fill(Infinity);
    for (let row = 0; row < this.#rows; row++) {
      for (let bin = 0; bin < BINS; bin++) {
        const sector = Math.floor(bin / BINS_OF_SECTOR);
        this.#lowestSlopes[sector] = Math.min(this.#lowestSlopes[sector], this.#slope[row * BINS + bin]);
      }
    }
  }
}

/**
 * Bounds of a triangle.
 * @param at the position of its first corner in the lists
 * @param nearestM no eye is nearer to it than this
 */
function boundsOf(x: Float64Array, y: Float64Array, z: Float64Array, at: number, nearestM: number): Bounds {
  const cx = (x[at] + x[at + 1] + x[at + 2]) / 3;
  const cy = (y[at] + y[at + 1] + y[at + 2]) / 3;
  let radius = 0;
  for (let i = at; i < at + 3; i++) radius = Math.max(radius, Math.hypot(x[i] - cx, y[i] - cy));
  return { x: cx, y: cy, radius, top: Math.max(z[at], z[at + 1], z[at + 2]), nearestM };
}

/**
 * The height at the origin of the plane through a triangle.
 * @param x of its three corners; `y`, too
 * @param z the heights of many triangles; those of this one begin at `at`
 */
function heightAtOrigin(x: Float64Array, y: Float64Array, z: Float64Array, at: number): number {
  const [riseX, riseY] = riseOf(
    [x[1] - x[0], y[1] - y[0], z[at + 1] - z[at]],
    [x[2] - x[0], y[2] - y[0], z[at + 2] - z[at]],
  );
  return z[at] - riseX * x[0] - riseY * y[0];
}
