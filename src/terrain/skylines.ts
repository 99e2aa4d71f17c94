/** A viewpoint, metres from the common centre, with the heights of its eyes. */
export interface Eye {
  x: number;
  y: number;
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
interface Bounds {
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
/** Number of bins of a sector. For a sector only the lowest slope of all eyes is compared. */
const SECTOR = 8;
const SECTORS = BINS / SECTOR;
/** Terrain that rises no higher than this over the horizon is ignored: 0.05°. */
const LEAST_SLOPE = Math.tan((0.05 * Math.PI) / 180);
const PER_RADIAN = BINS / (2 * Math.PI);

const COS = Float64Array.from({ length: BINS }, (_, bin) => Math.cos((bin + 0.5) / PER_RADIAN));
const SIN = Float64Array.from({ length: BINS }, (_, bin) => Math.sin((bin + 0.5) / PER_RADIAN));

/** The skylines of some eyes, and the triangle on the horizon in each direction. */
export class Skylines {
  readonly #eyes: readonly Eye[];
  /** By eye, height and bin: the highest slope, and its triangle. */
  readonly #slope: Float64Array;
  readonly #triangle: Int32Array;
  readonly #rows: number;
  /** By sector: the lowest slope of all eyes. */
  readonly #least = new Float64Array(SECTORS).fill(LEAST_SLOPE);
  readonly #lowestM: number;
  /** Largest distance of an eye from the centre. */
  readonly #offsetM: number;

  constructor(eyes: readonly Eye[]) {
    this.#eyes = eyes;
    this.#rows = eyes.reduce((sum, { z }) => sum + z.length, 0);
    this.#slope = new Float64Array(this.#rows * BINS).fill(LEAST_SLOPE);
    this.#triangle = new Int32Array(this.#rows * BINS).fill(-1);
    this.#lowestM = Math.min(...eyes.flatMap(({ z }) => z));
    this.#offsetM = Math.max(...eyes.map(({ x, y }) => Math.hypot(x, y)));
  }

  /**
   * Draws triangles; `first` is the number of the first one. Triangles that cannot rise above the present skyline are
   * skipped.
   * @param nearestM smallest distance of the triangles to any eye
   */
  draw({ x, y, z, hidden }: Triangles, first: number, nearestM: number): void {
    let changed = false;
    for (let triangle = 0; triangle < hidden.length; triangle++) {
      const at = 3 * triangle;
      if (!this.canShow(boundsOf(x, y, z, at, nearestM))) continue;
      let row = 0;
      for (const eye of this.#eyes) {
        for (let edge = 0; edge < 3; edge++) {
          if (hidden[triangle] & (1 << edge)) continue;
          const [a, b] = [at + edge, at + ((edge + 1) % 3)];
          if (this.#drawEdge(eye, row, x[a], y[a], z[a], x[b], y[b], z[b], first + triangle)) changed = true;
        }
        row += eye.z.length;
      }
    }
    if (changed) this.#settle();
  }

  /** The triangles that are on the horizon of at least one eye, in order. */
  shown(): number[] {
    const shown = new Set(this.#triangle);
    shown.delete(-1);
    return [...shown].sort((a, b) => a - b);
  }

  /** True when something may rise above the lowest skyline in its directions. */
  canShow({ x, y, radius, top, nearestM }: Bounds): boolean {
    const rise = top - this.#lowestM;
    const around = radius + this.#offsetM;
    const away = Math.hypot(x, y);
    const slope = rise / Math.max(1, nearestM, away - around);
    if (slope <= LEAST_SLOPE) return false;
    const middle = Math.atan2(y, x);
    const half = away > around ? Math.asin(around / away) : Math.PI;
    const from = Math.floor(((middle - half) * PER_RADIAN) / SECTOR);
    const to = Math.min(from + SECTORS - 1, Math.floor(((middle + half) * PER_RADIAN) / SECTOR));
    for (let sector = from; sector <= to; sector++) {
      if (slope > this.#least[(sector + 2 * SECTORS) % SECTORS]) return true;
    }
    return false;
  }

  #drawEdge(
    eye: Eye,
    row: number,
    ax: number,
    ay: number,
    az: number,
    bx: number,
    by: number,
    bz: number,
    triangle: number,
  ): boolean {
    let [px, py, pz] = [ax - eye.x, ay - eye.y, az];
    let [qx, qy, qz] = [bx - eye.x, by - eye.y, bz];
    // Counter-clockwise from p to q.
    if (px * qy - py * qx < 0) [px, py, pz, qx, qy, qz] = [qx, qy, qz, px, py, pz];
    const start = Math.atan2(py, px) * PER_RADIAN;
    let stop = Math.atan2(qy, qx) * PER_RADIAN;
    if (stop < start) stop += BINS;
    let raised = false;
    for (let bin = Math.ceil(start - 0.5); bin + 0.5 <= stop; bin++) {
      const direction = (bin + 2 * BINS) % BINS;
      const [ux, uy] = [COS[direction], SIN[direction]];
      // The ray meets the edge when its ends are on different sides.
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

  #settle(): void {
    this.#least.fill(Infinity);
    for (let row = 0; row < this.#rows; row++) {
      for (let bin = 0; bin < BINS; bin++) {
        const sector = Math.floor(bin / SECTOR);
        this.#least[sector] = Math.min(this.#least[sector], this.#slope[row * BINS + bin]);
      }
    }
  }
}

/** Bounds of the triangle whose corners begin at a position of the lists. */
function boundsOf(x: Float64Array, y: Float64Array, z: Float64Array, at: number, nearestM: number): Bounds {
  const cx = (x[at] + x[at + 1] + x[at + 2]) / 3;
  const cy = (y[at] + y[at + 1] + y[at + 2]) / 3;
  let radius = 0;
  for (let i = at; i < at + 3; i++) radius = Math.max(radius, Math.hypot(x[i] - cx, y[i] - cy));
  return { x: cx, y: cy, radius, top: Math.max(z[at], z[at + 1], z[at + 2]), nearestM };
}
