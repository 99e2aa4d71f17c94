import { pointInRing } from '../../src/geo/polygon.ts';
import type { Scene } from '../../src/sunlight/scene.ts';

/** Side of a cell, metres. */
const CELL_M = 50;

/** What shades: a prism of a building, or one of its roof surfaces and all below it. */
interface Solid {
  building: number;
  /** Its plan: rings `[x, y, …]`. */
  rings: readonly Float64Array[];
  /** Height of its top at a place: h + gx · x + gy · y. */
  plane: readonly [h: number, gx: number, gy: number];
  top: number;
  isRoof: boolean;
}

/**
 * The plain index of the oracle: a uniform grid over the scene. Every cell lists the edges and the solids whose
 * bounding boxes touch it, and knows its highest top.
 */
export interface EdgeGrid {
  scene: Scene;
  minX: number;
  minY: number;
  columns: number;
  rows: number;
  /** Per cell: its edges are `edges[edgeStart[c]]` to `edges[edgeStart[c + 1] - 1]`; solids likewise. */
  edgeStart: Uint32Array;
  edges: Uint32Array;
  solidStart: Uint32Array;
  cellSolids: Uint32Array;
  /** Per cell: highest top of what it lists. */
  cellTop: Float64Array;
  sceneTop: number;
  solids: readonly Solid[];
  /** Per building: its first solid; length buildings + 1. */
  firstSolid: Uint32Array;
  /** Per solid: its first edge; length solids + 1. */
  firstEdge: Uint32Array;
  /** Per edge: x, y of both ends, and the solid it belongs to. */
  ends: Float64Array;
  solidOf: Uint32Array;
  /** Per edge: 1 while rays must pass through it. The only part that changes; all 0 between receptors. */
  skip: Uint8Array;
}

export const CELL = CELL_M;

/** Builds the index of a scene. */
export function edgeGrid(scene: Scene): EdgeGrid {
  const { solids, firstSolid } = solidsOf(scene);
  const { ends, solidOf, firstEdge } = edgesOf(solids);
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < ends.length; i += 2) {
    minX = Math.min(minX, ends[i]!);
    maxX = Math.max(maxX, ends[i]!);
    minY = Math.min(minY, ends[i + 1]!);
    maxY = Math.max(maxY, ends[i + 1]!);
  }
  const columns = Math.floor((maxX - minX) / CELL_M) + 1;
  const rows = Math.floor((maxY - minY) / CELL_M) + 1;
  const cellTop = new Float64Array(columns * rows).fill(-Infinity);

  const cellOf = (value: number, min: number): number => Math.floor((value - min) / CELL_M);
  /** Calls back with every cell that the box of some points touches. */
  const cells = (points: Float64Array, visit: (cell: number) => void): void => {
    const xs = points.filter((_, i) => i % 2 === 0);
    const ys = points.filter((_, i) => i % 2 === 1);
    const [c0, c1] = [cellOf(Math.min(...xs), minX), cellOf(Math.max(...xs), minX)];
    const [r0, r1] = [cellOf(Math.min(...ys), minY), cellOf(Math.max(...ys), minY)];
    for (let r = r0; r <= r1; r++) for (let c = c0; c <= c1; c++) visit(r * columns + c);
  };
  const edgeCells: [cell: number, edge: number][] = [];
  for (const [edge, solid] of solidOf.entries()) {
    cells(ends.subarray(4 * edge, 4 * edge + 4), (cell) => {
      edgeCells.push([cell, edge]);
      cellTop[cell] = Math.max(cellTop[cell]!, solids[solid]!.top);
    });
  }
  const solidCells: [cell: number, solid: number][] = [];
  for (const [solid, { rings }] of solids.entries()) cells(rings[0]!, (cell) => solidCells.push([cell, solid]));
  const [edgeStart, edges] = bucketed(edgeCells, columns * rows);
  const [solidStart, cellSolids] = bucketed(solidCells, columns * rows);
  const sceneTop = solids.reduce((top, solid) => Math.max(top, solid.top), -Infinity);
  const grid = { scene, minX, minY, columns, rows, edgeStart, edges, solidStart, cellSolids, cellTop, sceneTop };
  return { ...grid, solids, firstSolid, firstEdge, ends, solidOf, skip: new Uint8Array(solidOf.length) };
}

/** Of each building its roof surfaces, or its prisms where it has none. */
function solidsOf({ base, top, buildingPrisms, prismRings, ringVertices, xy, roofs }: Scene) {
  const solids: Solid[] = [];
  const firstSolid = new Uint32Array(base.length + 1);
  const ringsOf = (vertices: Uint32Array, points: Float64Array, from: number, to: number): Float64Array[] =>
    Array.from({ length: to - from }, (_, i) => points.subarray(2 * vertices[from + i]!, 2 * vertices[from + i + 1]!));
  for (let building = 0; building < base.length; building++) {
    const surfaces = roofs.buildingSurfaces.subarray(building, building + 2);
    for (let surface = surfaces[0]!; surface < surfaces[1]!; surface++) {
      const [from, to] = [roofs.surfaceRings[surface]!, roofs.surfaceRings[surface + 1]!];
      const rings = ringsOf(roofs.ringVertices, roofs.xy, from, to);
      const [h, gx, gy] = roofs.planes.subarray(3 * surface, 3 * surface + 3) as unknown as [number, number, number];
      let highest = -Infinity;
      for (let i = 0; i < rings[0]!.length; i += 2) {
        highest = Math.max(highest, h + gx * rings[0]![i]! + gy * rings[0]![i + 1]!);
      }
      solids.push({ building, rings, plane: [h, gx, gy], top: highest, isRoof: true });
    }
    if (surfaces[0] === surfaces[1]) {
      for (let prism = buildingPrisms[building]!; prism < buildingPrisms[building + 1]!; prism++) {
        const rings = ringsOf(ringVertices, xy, prismRings[prism]!, prismRings[prism + 1]!);
        solids.push({ building, rings, plane: [top[building]!, 0, 0], top: top[building]!, isRoof: false });
      }
    }
    firstSolid[building + 1] = solids.length;
  }
  return { solids, firstSolid };
}

function edgesOf(solids: readonly Solid[]): Pick<EdgeGrid, 'ends' | 'solidOf' | 'firstEdge'> {
  const firstEdge = new Uint32Array(solids.length + 1);
  for (const [solid, { rings }] of solids.entries()) {
    firstEdge[solid + 1] = firstEdge[solid]! + rings.reduce((sum, ring) => sum + ring.length / 2, 0);
  }
  const ends = new Float64Array(4 * firstEdge[solids.length]!);
  const solidOf = new Uint32Array(firstEdge[solids.length]!);
  let edge = 0;
  for (const [solid, { rings }] of solids.entries()) {
    for (const ring of rings) {
      for (let a = 0; a < ring.length; a += 2) {
        const b = (a + 2) % ring.length;
        ends.set([ring[a]!, ring[a + 1]!, ring[b]!, ring[b + 1]!], 4 * edge);
        solidOf[edge++] = solid;
      }
    }
  }
  return { ends, solidOf, firstEdge };
}

/** Pairs (cell, item) → start of each cell's stretch, and the items cell by cell. */
function bucketed(pairs: readonly [number, number][], cells: number): [start: Uint32Array, items: Uint32Array] {
  const start = new Uint32Array(cells + 1);
  for (const [cell] of pairs) start[cell + 1]!++;
  for (let cell = 0; cell < cells; cell++) start[cell + 1]! += start[cell]!;
  const at = start.slice();
  const items = new Uint32Array(pairs.length);
  for (const [cell, item] of pairs) items[at[cell]!++] = item;
  return [start, items];
}

/** Height of a solid's top at a place. */
export const topAt = ({ plane: [h, gx, gy] }: Solid, x: number, y: number): number => h + gx * x + gy * y;

/** Whether a solid's plan holds a place. */
export function isOver({ rings }: Solid, x: number, y: number): boolean {
  let inside = false;
  for (const ring of rings) if (pointInRing(x, y, ring)) inside = !inside;
  return inside;
}

/**
 * The tallest of the buildings that stand around the point and rise above z (the first of equal ones); -1 if none does.
 * `own`: the building whose roofs do not count, since the point hangs on its wall.
 */
export function enclosingBuilding(grid: EdgeGrid, x: number, y: number, z: number, own = -1): number {
  const column = Math.floor((x - grid.minX) / CELL_M);
  const row = Math.floor((y - grid.minY) / CELL_M);
  if (column < 0 || row < 0 || column >= grid.columns || row >= grid.rows) return -1;
  const cell = row * grid.columns + column;
  let tallest = -1;
  let tallestTop = -Infinity;
  for (let i = grid.solidStart[cell]!; i < grid.solidStart[cell + 1]!; i++) {
    const solid = grid.solids[grid.cellSolids[i]!]!;
    const { building } = solid;
    const top = topAt(solid, x, y);
    if (top <= z || (solid.isRoof && building === own)) continue;
    if (top < tallestTop || (top === tallestTop && building >= tallest)) continue;
    if (!isOver(solid, x, y)) continue;
    tallest = building;
    tallestTop = top;
  }
  return tallest;
}
