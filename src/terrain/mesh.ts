import { riseOf } from './facets.ts';

/**
 * A mesh of right-angled triangles over a square grid of heights (W. Evans, D. Kirkpatrick, G. Townsend:
 * Right-Triangulated Irregular Networks, 2001). Two triangles contain the grid. A triangle is halved at the middle of
 * its longest edge until it is near enough to the grid. Two triangles with a common longest edge are halved together,
 * so that the mesh has no cracks.
 */

/** A square grid of heights, with the tolerance at each of them. */
export interface HeightGrid {
  /** A power of 2. */
  cells: number;
  /** (cells + 1)² heights in metres, row by row from the south-west; NaN: unknown. */
  heights: Float64Array;
  /** By vertex, metres. */
  tolerances: Float64Array;
}

/**
 * The corners of the triangles of a mesh that differs from no height by more than its tolerance: three vertices for
 * each triangle, counter-clockwise. Vertex (column, row) has the number row · (cells + 1) + column. Triangles with an
 * unknown corner are left out.
 */
export function meshOf(grid: HeightGrid): Uint32Array {
  const { cells, heights } = grid;
  const hierarchy = hierarchyOf(cells);
  const halved = halvedAt(grid, hierarchy);
  const corners: number[] = [];
  const visit = (triangle: number): void => {
    if (triangle < hierarchy.halvableCount && halved[middleOf(hierarchy, triangle)] === 1) {
      visit(firstHalf(triangle));
      visit(firstHalf(triangle) + 1);
      return;
    }
    const [a, b, c] = cornersOf(hierarchy, triangle);
    if (!Number.isNaN(heights[a] + heights[b] + heights[c])) corners.push(a, b, c);
  };
  // The two halves of the whole grid.
  visit(0);
  visit(1);
  return Uint32Array.from(corners);
}

/** All possible triangles in a grid, level by level: the halves of triangle i are 2 i + 2 and 2 i + 3. */
interface Hierarchy {
  cells: number;
  /** For each: the ends of its longest edge and its right angle, counter-clockwise: ax, ay, bx, by, cx, cy. */
  triangles: Int16Array;
  /** The triangles before this number can be halved; the others are the smallest. */
  halvableCount: number;
}

const firstHalf = (triangle: number): number => 2 * triangle + 2;

/** The vertices at the corners of a triangle. */
function cornersOf({ triangles, cells }: Hierarchy, triangle: number): [number, number, number] {
  const start = 6 * triangle;
  const vertex = (corner: number): number => {
    const [x, y] = [triangles[start + 2 * corner], triangles[start + 2 * corner + 1]];
    return y * (cells + 1) + x;
  };
  return [vertex(0), vertex(1), vertex(2)];
}

/** The vertex in the middle of a triangle's longest edge. */
function middleOf({ triangles, cells }: Hierarchy, triangle: number): number {
  // The first two corners are the ends of the longest edge.
  const at = 6 * triangle;
  const x = (triangles[at] + triangles[at + 2]) >> 1;
  const y = (triangles[at + 1] + triangles[at + 3]) >> 1;
  return y * (cells + 1) + x;
}

/**
 * Makes all triangles of a grid: two for the whole square, then both halves of each triangle, down to half a cell. The
 * smallest triangles are 2 · cells² of all 4 · cells² − 2.
 * @param cells along a side, a power of 2
 */
function hierarchyOf(cells: number): Hierarchy {
  const halvableCount = 2 * cells * cells - 2;
  const triangleCount = 4 * cells * cells - 2;
  const triangles = new Int16Array(6 * triangleCount);
  triangles.set([0, 0, cells, cells, 0, cells]);
  triangles.set([cells, cells, 0, 0, cells, 0], 6);
  for (let triangle = 0; triangle < halvableCount; triangle++) {
    const at = 6 * triangle;
    const firstAt = 6 * firstHalf(triangle);
    const secondAt = firstAt + 6;
    // A triangle is ax, ay, bx, by, cx, cy, with the right angle at c. The first round sets x, the second y.
    for (let axis = 0; axis < 2; axis++) {
      const [a, b, c] = [triangles[at + axis], triangles[at + 2 + axis], triangles[at + 4 + axis]];
      const middle = (a + b) >> 1;
      setCorners(triangles, firstAt + axis, c, a, middle);
      setCorners(triangles, secondAt + axis, b, c, middle);
    }
  }
  return { cells, triangles, halvableCount };
}

/** Sets one coordinate of the three corners of a triangle; `at` is where that of the first is stored. */
function setCorners(triangles: Int16Array, at: number, a: number, b: number, c: number): void {
  triangles[at] = a;
  triangles[at + 2] = b;
  triangles[at + 4] = c;
}

/**
 * Decides which triangles are halved, from the smallest triangles up. Two triangles with a common longest edge are
 * halved together, so the decision belongs to the vertex in the middle of this edge.
 * @returns for each vertex: 1 when the triangles whose longest edge has its middle there are halved
 */
function halvedAt(grid: HeightGrid, hierarchy: Hierarchy): Uint8Array {
  const { heights, tolerances } = grid;
  const { halvableCount, triangles } = hierarchy;
  const halved = new Uint8Array(heights.length);
  // For each triangle: its distance from the grid as a share of the tolerance, infinite when it must be halved; and the
  // smallest tolerance in it. Halves come after their triangle, so backwards they are known before it.
  const distances = new Float64Array(triangles.length / 6);
  const leastTolerances = new Float64Array(distances.length);
  for (let triangle = halvableCount; triangle < distances.length; triangle++) {
    // The smallest triangles have no vertices besides their corners.
    const [a, b, c] = cornersOf(hierarchy, triangle);
    const areAllKnown = !Number.isNaN(heights[a] + heights[b] + heights[c]);
    const areAllUnknown = Number.isNaN(heights[a]) && Number.isNaN(heights[b]) && Number.isNaN(heights[c]);
    const isPartlyKnown = !areAllKnown && !areAllUnknown;
    // A partly known triangle must not lie in a larger one of the mesh. So the triangles above it are halved down to
    // it, and the mesh leaves it out.
    distances[triangle] = isPartlyKnown ? Infinity : 0;
    leastTolerances[triangle] = Math.min(tolerances[a], tolerances[b], tolerances[c]);
  }
  for (let triangle = halvableCount - 1; triangle >= 0; triangle--) {
    const middle = middleOf(hierarchy, triangle);
    const half = firstHalf(triangle);
    leastTolerances[triangle] = Math.min(leastTolerances[half], leastTolerances[half + 1]);
    const isHalfHalved =
      half < halvableCount && halved[middleOf(hierarchy, half)] + halved[middleOf(hierarchy, half + 1)] > 0;
    // A half of this triangle is halved, so the triangle is halved, too.
    if (isHalfHalved) halved[middle] = 1;
    // The triangle on the other side of the longest edge, which has the same middle, may have set it before.
    if (halved[middle] === 1) {
      distances[triangle] = Infinity;
      continue;
    }
    const [a, b] = cornersOf(hierarchy, triangle);
    const bend = Math.abs(heights[middle] - (heights[a] + heights[b]) / 2);
    // An upper bound: the halves differ from their triangle by at most the bend of its longest edge. It is quick, and
    // usually sufficient. With unknown heights it is NaN.
    distances[triangle] = Math.max(distances[half], distances[half + 1]) + bend / leastTolerances[triangle];
    if (!(distances[triangle] <= 1)) distances[triangle] = distanceOf(grid, hierarchy, triangle);
    if (distances[triangle] > 1) halved[middle] = 1;
  }
  return halved;
}

/**
 * The largest distance between the plane of a triangle and the grid vertices in it, as a share of the tolerance there.
 * Infinite when it is over 1, and for a partly known triangle. An unknown triangle has the distance 0.
 */
function distanceOf({ heights, cells, tolerances }: HeightGrid, { triangles }: Hierarchy, triangle: number): number {
  const at = 6 * triangle;
  const side = cells + 1;
  // The plane of the triangle: its height at the first corner, and its rise by column and by row.
  const [ax, ay, bx, by] = [triangles[at], triangles[at + 1], triangles[at + 2], triangles[at + 3]];
  const [cx, cy] = [triangles[at + 4], triangles[at + 5]];
  const firstRow = Math.min(ay, by, cy);
  const lastRow = Math.max(ay, by, cy);
  const a = heights[ay * side + ax];
  const [gx, gy] = riseOf(
    [bx - ax, by - ay, heights[by * side + bx] - a],
    [cx - ax, cy - ay, heights[cy * side + cx] - a],
  );
  const isKnown = !Number.isNaN(gx + gy);
  let farthest = 0;
  for (let y = firstRow; y <= lastRow; y++) {
    let west = cells;
    let east = 0;
    for (let edge = 0; edge < 6; edge += 2) {
      const [px, py] = [triangles[at + edge], triangles[at + edge + 1]];
      const next = (edge + 2) % 6;
      const [qx, qy] = [triangles[at + next], triangles[at + next + 1]];
      if (y < Math.min(py, qy) || y > Math.max(py, qy)) continue;
      // Edges are along the grid or its diagonals, so they pass through a vertex in every row.
      const x = py === qy ? qx : px + ((y - py) * (qx - px)) / (qy - py);
      west = Math.min(west, x);
      east = Math.max(east, x);
    }
    for (let x = west; x <= east; x++) {
      const height = heights[y * side + x];
      if (!isKnown && Number.isNaN(height)) continue;
      if (!isKnown) return Infinity;
      const distance = Math.abs(height - (a + gx * (x - ax) + gy * (y - ay))) / tolerances[y * side + x];
      if (!(distance <= 1)) return Infinity;
      farthest = Math.max(farthest, distance);
    }
  }
  return farthest;
}
