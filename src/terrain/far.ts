import { LastUsed } from '../formats/last-used.ts';
import {
  type Box,
  distanceBound,
  gridSquareBounds,
  rowAndColumn,
  SQUARES_PER_LAT,
  SQUARES_PER_LON,
} from '../geo/grid-square.ts';
import { type Plane, planeOf, toPlane } from '../geo/plane.ts';
import type { Elevation } from './elevation.ts';
import { type Facets, hiddenEdges, latitudeOf, longitudeOf, stepsOf } from './facets.ts';
import { meshOf } from './mesh.ts';
import { isKnownIn, NEAR_M } from './near.ts';
import { type Bounds, type Eye, Skylines } from './skylines.ts';

/** Ground farther away is ignored, metres. */
const FAR_M = 110_000;
/** Mean radius of the Earth, metres, and the share of its curvature that refraction compensates. */
const EARTH_M = 6_371_000;
const REFRACTION = 0.13;
/** The ground at a distance of d metres appears lower by this times d². */
const DROP_PER_M2 = (1 - REFRACTION) / (2 * EARTH_M);

/** Parts of a grid square along a side. The corners of all far meshes are on this lattice. */
const PER_SQUARE = 64;

/** Side of an area that one block of a far level fills, or several of the nearest level, grid squares. */
const BLOCK_SQUARES = 10;

/**
 * The fineness of the mesh by distance: blocks of a number of grid squares along a side, each with a number of cells.
 */
interface Level {
  squares: number;
  cells: number;
  toleranceM: number;
  /** Distance from which blocks have this level, metres. */
  fromM: number;
}
const LEVELS: readonly Level[] = [
  { squares: 1, cells: 16, toleranceM: 1.5, fromM: NEAR_M },
  { squares: BLOCK_SQUARES, cells: 128, toleranceM: 4, fromM: 8000 },
  { squares: BLOCK_SQUARES, cells: 64, toleranceM: 8, fromM: 20_000 },
  { squares: BLOCK_SQUARES, cells: 32, toleranceM: 15, fromM: 45_000 },
];
/** A side of a grid square is longer than this in Japan, metres. */
const LEAST_SQUARE_M = 800;

/** A mesh over a block, its corners in the plane of a zone. */
interface BlockMesh {
  box: Box;
  /**
   * The corners, three for each triangle: parts from the equator and from Greenwich, metres in the plane, and heights.
   */
  row: Int32Array;
  column: Int32Array;
  x: Float64Array;
  y: Float64Array;
  z: Float64Array;
  /** For each triangle, which of its edges are not drawn (`hiddenEdges`). */
  hidden: Uint8Array;
  /** The highest corner, and a circle around all corners in plan, metres. */
  top: number;
  middle: readonly [x: number, y: number];
  radius: number;
}

/** Memory for meshes of blocks that the next square probably needs again, bytes. */
const HELD_BYTES = 48 * 2 ** 20;

/** The viewpoint of a grid square for the far terrain: the heights of its lowest and highest receptors, metres. */
export interface FarView {
  square: string;
  zone: number;
  lowestM: number;
  highestM: number;
}

/** The ground far from grid squares. Meshes of blocks are made once and used for all squares around. */
export class FarTerrain {
  readonly #elevation: Elevation;
  readonly #blocks = new LastUsed<string, BlockMesh>(HELD_BYTES, bytesOf);

  constructor(elevation: Elevation) {
    this.#elevation = elevation;
  }

  /**
   * The triangles from 3 to 110 km that are on the horizon of a grid square at any of nine places of the square, 500 m
   * apart, at three heights each. They are lowered by the Earth's curvature less refraction, as seen from the square's
   * centre. Null when nothing is known.
   */
  horizonOf(view: FarView): Facets | null {
    const centre = centreOf(view.square, planeOf(view.zone));
    const blocks = this.#blocksAround(view);
    if (blocks.length === 0) return null;
    const skylines = new Skylines(viewpointsOf(view));
    const boundsOf = (block: BlockMesh): Bounds => {
      const nearestM = distanceBound(block.box, gridSquareBounds(view.square));
      const [x, y] = [block.middle[0] - centre[0], block.middle[1] - centre[1]];
      return { x, y, radius: block.radius, top: block.top - DROP_PER_M2 * nearestM * nearestM, nearestM };
    };
    // The steepest first: they hide most of the others.
    const steepestFirst = blocks
      .map((block) => ({ block, bounds: boundsOf(block) }))
      .map(({ block, bounds }) => ({ block, bounds, slope: skylines.slopeOf(bounds) }))
      .sort((a, b) => b.slope - a.slope);
    const drawnMeshes: BlockMesh[] = [];
    const firstTriangles: number[] = [];
    let triangleCount = 0;
    for (const { block, bounds } of steepestFirst) {
      if (!skylines.canShow(bounds)) continue;
      const mesh = lowered(block, centre);
      skylines.draw(mesh, triangleCount, bounds);
      drawnMeshes.push(mesh);
      firstTriangles.push(triangleCount);
      triangleCount += trianglesOf(mesh);
    }
    const shownByMesh = drawnMeshes.map((mesh) => ({ mesh, triangles: [] as number[] }));
    for (const triangle of skylines.shown()) {
      const mesh = firstTriangles.findLastIndex((start) => start <= triangle);
      shownByMesh[mesh].triangles.push(triangle - firstTriangles[mesh]);
    }
    return facetsOf(shownByMesh);
  }

  /** All triangles around a square, lowered as seen from its centre: the input of `horizonOf`. */
  allAround(view: Pick<FarView, 'square' | 'zone'>): Facets {
    const centre = centreOf(view.square, planeOf(view.zone));
    const meshes = this.#blocksAround(view).map((mesh) => lowered(mesh, centre));
    return facetsOf(
      meshes.map((mesh) => ({ mesh, triangles: Array.from({ length: trianglesOf(mesh) }, (_, i) => i) })),
    );
  }

  /** The known blocks around a square, the nearest first. */
  #blocksAround({ square, zone }: Pick<FarView, 'square' | 'zone'>): BlockMesh[] {
    return blocksAround(square)
      .map(({ level, row, column }) => this.#block(level, row, column, zone))
      .filter(({ z }) => z.length > 0);
  }

  /** The mesh of a block, made if it is not in memory. */
  #block(level: Level, row: number, column: number, zone: number): BlockMesh {
    return this.#blocks.get(`${level.fromM} ${row} ${column} ${zone}`, () =>
      blockMesh(this.#elevation, level, row, column, planeOf(zone)),
    );
  }
}

/** The memory of a block's mesh, bytes: of each corner three doubles and two integers, and of the objects. */
const bytesOf = ({ x }: BlockMesh): number => 200 + x.length * (3 * 8 + 2 * 4 + 1);

/**
 * The blocks of grid squares from 3 to 110 km around a square, nearest first. The area is cut into blocks of
 * BLOCK_SQUARES × BLOCK_SQUARES grid squares. Each has one mesh of the coarsest level for its distance (LEVELS), or,
 * near the square, a mesh for each of its grid squares.
 */
function blocksAround(square: string): { level: Level; row: number; column: number }[] {
  const squareBox = gridSquareBounds(square);
  const [squareRow, squareColumn] = rowAndColumn(square);
  // In squares. Blocks begin at multiples of their size, so the search begins two blocks before the farthest square.
  const reach = 2 * BLOCK_SQUARES + Math.ceil(FAR_M / LEAST_SQUARE_M);
  type Block = { level: Level; row: number; column: number; distance: number };
  const blocks: Block[] = [];
  const blockOf = (level: Level, row: number, column: number): Block => {
    const distance = distanceBound(squareBox, blockBox(row, column, level.squares));
    return { level, row, column, distance };
  };
  /** True when a block is far enough away for its level, and not beyond the far terrain. */
  const isUsed = ({ level, distance }: Block): boolean => distance >= level.fromM && distance <= FAR_M;
  const [near, ...far] = LEVELS;
  const firstOf = (index: number): number => Math.floor((index - reach) / BLOCK_SQUARES) * BLOCK_SQUARES;
  for (let row = firstOf(squareRow); row <= squareRow + reach; row += BLOCK_SQUARES) {
    for (let column = firstOf(squareColumn); column <= squareColumn + reach; column += BLOCK_SQUARES) {
      // One block of the coarsest level that may be used here; else smaller blocks of the nearest level.
      const coarsest = far.map((level) => blockOf(level, row, column)).findLast(isUsed);
      if (coarsest !== undefined) {
        blocks.push(coarsest);
        continue;
      }
      if (distanceBound(squareBox, blockBox(row, column, BLOCK_SQUARES)) > FAR_M) continue;
      // Its grid squares, row by row.
      for (let i = 0; i < BLOCK_SQUARES ** 2; i++) {
        const block = blockOf(near, row + Math.floor(i / BLOCK_SQUARES), column + (i % BLOCK_SQUARES));
        if (isUsed(block)) blocks.push(block);
      }
    }
  }
  return blocks.sort((a, b) => a.distance - b.distance || a.row - b.row || a.column - b.column);
}

/** The extent of the block that begins in this row and column of grid squares, degrees. */
const blockBox = (row: number, column: number, squares: number): Box => ({
  south: row / SQUARES_PER_LAT,
  west: column / SQUARES_PER_LON,
  north: (row + squares) / SQUARES_PER_LAT,
  east: (column + squares) / SQUARES_PER_LON,
});

/**
 * The mesh of a block of the far terrain: a triangulation of heights on a lattice of `level.cells` cells along a side,
 * with the edges that a skyline need not draw (`hidden`).
 * It is empty when the elevation does not cover the block.
 * @param row and `column`: the block's first grid square
 */
function blockMesh(elevation: Elevation, level: Level, row: number, column: number, plane: Plane): BlockMesh {
  const { squares, cells, toleranceM } = level;
  const side = cells + 1;
  // Rows and columns count the parts of grid squares; from one point of the lattice to the next there are `step` of
  // them.
  const step = (squares * PER_SQUARE) / cells;
  const rowOf = (point: number): number => Math.floor(point / side) * step;
  const columnOf = (point: number): number => (point % side) * step;
  const lattice = { row: row * PER_SQUARE, column: column * PER_SQUARE, perSquare: PER_SQUARE };
  const isKnown = isKnownIn(elevation, blockBox(row, column, squares));
  // The points of the lattice, row by row from the south-west corner of the block.
  const heights = Float64Array.from({ length: isKnown ? side * side : 0 }, (_, i) =>
    elevation.heightAt(latitudeOf(lattice, rowOf(i)), longitudeOf(lattice, columnOf(i))),
  );
  const tolerances = new Float64Array(heights.length).fill(toleranceM);
  // The corners of the triangles, three for each, as numbers of points.
  const corners = isKnown ? meshOf({ cells, heights, tolerances }) : new Uint32Array(0);
  // From the equator and from Greenwich.
  const rows = Int32Array.from(corners, (corner) => lattice.row + rowOf(corner));
  const columns = Int32Array.from(corners, (corner) => lattice.column + columnOf(corner));
  const z = Float64Array.from(corners, (corner) => heights[corner]);
  // The same corners in metres in the plane.
  const [x, y] = [new Float64Array(z.length), new Float64Array(z.length)];
  const point: [number, number] = [0, 0];
  for (const [i, corner] of corners.entries()) {
    toPlane(plane, latitudeOf(lattice, rowOf(corner)), longitudeOf(lattice, columnOf(corner)), point);
    [x[i], y[i]] = point;
  }
  const top = z.reduce((high, height) => Math.max(high, height), -Infinity);
  const box = blockBox(row, column, squares);
  toPlane(plane, (box.south + box.north) / 2, (box.west + box.east) / 2, point);
  const middle = [point[0], point[1]] as const;
  const radius = x.reduce((far, value, i) => Math.max(far, Math.hypot(value - middle[0], y[i] - middle[1])), 0);
  return { box, row: rows, column: columns, x, y, z, hidden: hiddenEdges(columns, rows, z), top, middle, radius };
}

/** A mesh as seen from a place: in metres from there, and lowered by the Earth's curvature. */
function lowered(mesh: BlockMesh, [cx, cy]: readonly [number, number]): BlockMesh {
  const [x, y, z] = [mesh.x.slice(), mesh.y.slice(), mesh.z.slice()];
  for (let i = 0; i < z.length; i++) {
    x[i] -= cx;
    y[i] -= cy;
    z[i] -= DROP_PER_M2 * (x[i] * x[i] + y[i] * y[i]);
  }
  return { ...mesh, x, y, z };
}

/** The centre of a grid square, metres in the plane. */
function centreOf(square: string, plane: Plane): [number, number] {
  const { south, west, north, east } = gridSquareBounds(square);
  const centre: [number, number] = [0, 0];
  toPlane(plane, (south + north) / 2, (west + east) / 2, centre);
  return centre;
}

/** Places of a square, half its side apart, each at three heights; metres from its centre. */
function viewpointsOf({ square, zone, lowestM, highestM }: FarView): Eye[] {
  const plane = planeOf(zone);
  const [cx, cy] = centreOf(square, plane);
  const { south, west, north, east } = gridSquareBounds(square);
  const point: [number, number] = [0, 0];
  const z = [lowestM, (lowestM + highestM) / 2, highestM];
  return [south, (south + north) / 2, north].flatMap((lat) =>
    [west, (west + east) / 2, east].map((lon) => {
      toPlane(plane, lat, lon, point);
      return { x: point[0] - cx, y: point[1] - cy, z };
    }),
  );
}

/** The number of triangles of a mesh: each has three corners. */
const trianglesOf = ({ z }: BlockMesh): number => z.length / 3;

/** The chosen triangles of meshes as one list. */
function facetsOf(chosen: readonly { mesh: BlockMesh; triangles: readonly number[] }[]): Facets {
  const corners = chosen.flatMap(({ mesh, triangles }) =>
    triangles.flatMap((triangle) =>
      [0, 1, 2].map((i) => ({
        row: mesh.row[3 * triangle + i],
        column: mesh.column[3 * triangle + i],
        z: mesh.z[3 * triangle + i],
      })),
    ),
  );
  const leastRow = corners.reduce((least, { row }) => Math.min(least, row), Infinity);
  const leastColumn = corners.reduce((least, { column }) => Math.min(least, column), Infinity);
  const { z, lowM, stepM } = stepsOf(corners.map(({ z }) => z));
  const x = Uint16Array.from(corners, ({ column }) => column - leastColumn);
  const y = Uint16Array.from(corners, ({ row }) => row - leastRow);
  const origin = corners.length === 0 ? { row: 0, column: 0 } : { row: leastRow, column: leastColumn };
  return { perSquare: PER_SQUARE, ...origin, x, y, z, lowM, stepM, hidden: hiddenEdges(x, y, z) };
}
