import { SQUARES_PER_LAT, SQUARES_PER_LON } from '../geo/grid-square.ts';

/**
 * Triangles of the ground. Their corners are on a lattice that divides each grid square of the third order into equal
 * parts; heights are whole steps above the lowest one. So two adjacent meshes have the same corners, and a triangle
 * takes 19 bytes.
 */
export interface Facets {
  /** Parts of a grid square along a side. */
  perSquare: number;
  /** The lattice's origin: south and west, in parts from the equator and from Greenwich. */
  row: number;
  column: number;
  /** Metres: the height of step 0, and the size of a step. */
  lowM: number;
  stepM: number;
  /** Corners, three for each triangle, counter-clockwise: parts east and north of the origin, and steps of height. */
  x: Uint16Array;
  y: Uint16Array;
  z: Uint16Array;
  /** For each triangle, one bit for each edge that need not be drawn (see `hiddenEdges`). */
  hidden: Uint8Array;
}

/** Latitude or longitude of a position on the lattice, degrees. */
export const latitudeOf = ({ row, perSquare }: Pick<Facets, 'row' | 'perSquare'>, y: number): number =>
  (row + y) / (SQUARES_PER_LAT * perSquare);
export const longitudeOf = ({ column, perSquare }: Pick<Facets, 'column' | 'perSquare'>, x: number): number =>
  (column + x) / (SQUARES_PER_LON * perSquare);

/** Smallest step of height, metres. Steps are larger where the ground rises by more than 655 m. */
const LEAST_STEP_M = 0.01;
const MOST_STEPS = 65_535;

/** Heights in metres as whole steps above the lowest one. */
export function stepsOf(heights: ArrayLike<number>): Pick<Facets, 'lowM' | 'stepM' | 'z'> {
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < heights.length; i++) {
    low = Math.min(low, heights[i]);
    high = Math.max(high, heights[i]);
  }
  // A whole number of centimetres is short and exact in JSON.
  const lowM = heights.length === 0 ? 0 : Math.floor(low * 100) / 100;
  // To four decimals, rounded up, so that the highest point is within MOST_STEPS.
  const stepM = Math.max(LEAST_STEP_M, Math.ceil(((high - lowM) / MOST_STEPS) * 1e4) / 1e4);
  const z = new Uint16Array(heights.length);
  for (let i = 0; i < z.length; i++) z[i] = Math.round((heights[i] - lowM) / stepM);
  return { lowM, stepM, z };
}

/**
 * The edges of triangles that need not be drawn into a skyline, one bit for each of the three edges of a triangle.
 * Where two triangles share an edge, it is drawn once if it is a ridge. In a valley or within a plane it is not drawn:
 * seen from anywhere, another edge is as high or higher.
 */
export function hiddenEdges(x: ArrayLike<number>, y: ArrayLike<number>, z: ArrayLike<number>): Uint8Array<ArrayBuffer> {
  const triangles = x.length / 3;
  const hidden = new Uint8Array(triangles);
  /** Hides the edge that begins at a corner. */
  const hide = (corner: number): void => {
    hidden[Math.floor(corner / 3)] |= 1 << (corner % 3);
  };
  const vertices = vertexNumbers(x, y);
  /** By edge (its two vertices): the corner at which it begins in one triangle, until the neighbour is found. */
  const unpaired = new Map<number, number>();
  for (let corner = 0; corner < x.length; corner++) {
    const from = vertices[corner];
    const to = vertices[nextCorner(corner)];
    const key = Math.min(from, to) * x.length + Math.max(from, to);
    const other = unpaired.get(key);
    if (other === undefined) {
      unpaired.set(key, corner);
      continue;
    }
    unpaired.delete(key);
    // The neighbour has the edge in the other direction. At different heights the two edges are not the same.
    if (z[other] !== z[nextCorner(corner)] || z[nextCorner(other)] !== z[corner]) continue;
    const isRidge = bend(x, y, z, other, corner) < 0;
    hide(corner);
    if (!isRidge) hide(other);
  }
  return hidden;
}

/** The next corner of the same triangle. */
const nextCorner = (corner: number): number => (corner % 3 === 2 ? corner - 2 : corner + 1);

/** A number for each corner, by its position in plan: corners at the same position have the same number. */
function vertexNumbers(x: ArrayLike<number>, y: ArrayLike<number>): Uint32Array {
  const numbers = new Map<number, number>();
  return Uint32Array.from(x, (value, corner) => {
    // One number for both coordinates, which are whole and below 2²⁰.
    const position = y[corner] * 2 ** 20 + value;
    const number = numbers.get(position) ?? numbers.size;
    numbers.set(position, number);
    return number;
  });
}

/**
 * The change of slope across an edge from one triangle to its neighbour, times the length of the edge; positive when
 * the ground bends up.
 * @param corner at which the edge begins in the triangle
 * @param neighbourCorner at which the edge begins in the neighbour
 */
function bend(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  z: ArrayLike<number>,
  corner: number,
  neighbourCorner: number,
): number {
  // The ends of the edge, and the rise of both triangles by unit east and north.
  const [a, b] = [corner, nextCorner(corner)];
  const [gx, gy] = gradientOf(x, y, z, Math.floor(corner / 3));
  const [hx, hy] = gradientOf(x, y, z, Math.floor(neighbourCorner / 3));
  // The edge, turned right by 90°, points into the neighbour, because triangles run counter-clockwise. The slope in this
  // direction is the dot product with the rise.
  const [outwardX, outwardY] = [y[b] - y[a], -(x[b] - x[a])];
  return (hx - gx) * outwardX + (hy - gy) * outwardY;
}

/** The rise of a triangle for each unit east and north. */
export function gradientOf(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  z: ArrayLike<number>,
  triangle: number,
): [gx: number, gy: number] {
  const at = 3 * triangle;
  return riseOf(
    [x[at + 1] - x[at], y[at + 1] - y[at], z[at + 1] - z[at]],
    [x[at + 2] - x[at], y[at + 2] - y[at], z[at + 2] - z[at]],
  );
}

type Vector3 = readonly [x: number, y: number, z: number];

/**
 * The rise of a plane for each unit along x and along y; not finite for an upright plane.
 * @param b, c two vectors in the plane, such as two sides of a triangle: x, y and height
 */
export function riseOf([bx, by, bz]: Vector3, [cx, cy, cz]: Vector3): [alongX: number, alongY: number] {
  const area = bx * cy - cx * by;
  return [(bz * cy - cz * by) / area, (cz * bx - bz * cx) / area];
}
