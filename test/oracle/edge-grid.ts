import { pointInRing } from '../../src/geo/polygon.ts';
import type { Scene } from '../../src/sunlight/scene.ts';

/** Side of a cell, metres. */
const CELL_M = 50;

/**
 * The plain index of the oracle: a uniform grid over the scene. Every cell lists the edges and the prisms whose
 * bounding boxes touch it, and knows its tallest top. An edge is numbered by the vertex it begins at.
 */
export interface EdgeGrid {
  scene: Scene;
  minX: number;
  minY: number;
  columns: number;
  rows: number;
  /** Per cell: its edges are `edges[edgeStart[c]]` to `edges[edgeStart[c + 1] - 1]`; prisms likewise. */
  edgeStart: Uint32Array;
  edges: Uint32Array;
  prismStart: Uint32Array;
  prisms: Uint32Array;
  /** Per cell: highest top of what it lists. */
  cellTop: Float64Array;
  sceneTop: number;
  /** Per vertex: the vertex at which its edge ends, and the building it belongs to. */
  next: Uint32Array;
  buildingOf: Uint32Array;
  /** Per edge: 1 while rays must pass through it. The only part that changes; all 0 between receptors. */
  skip: Uint8Array;
  /** Per prism: its building. */
  prismBuilding: Uint32Array;
}

export const CELL = CELL_M;

/** Builds the index of a scene. */
export function edgeGrid(scene: Scene): EdgeGrid {
  const { xy } = scene;
  const vertices = xy.length / 2;
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let v = 0; v < vertices; v++) {
    minX = Math.min(minX, xy[2 * v]!);
    maxX = Math.max(maxX, xy[2 * v]!);
    minY = Math.min(minY, xy[2 * v + 1]!);
    maxY = Math.max(maxY, xy[2 * v + 1]!);
  }
  const columns = Math.floor((maxX - minX) / CELL_M) + 1;
  const rows = Math.floor((maxY - minY) / CELL_M) + 1;
  const owners = ownersOf(scene);
  const cellTop = new Float64Array(columns * rows).fill(-Infinity);

  const cellOf = (value: number, min: number): number => Math.floor((value - min) / CELL_M);
  /** Calls back with every cell that the box of the vertices from a to b (inclusive) touches. */
  const cells = (list: readonly number[], visit: (cell: number) => void): void => {
    const xs = list.map((v) => xy[2 * v]!);
    const ys = list.map((v) => xy[2 * v + 1]!);
    const [c0, c1] = [cellOf(Math.min(...xs), minX), cellOf(Math.max(...xs), minX)];
    const [r0, r1] = [cellOf(Math.min(...ys), minY), cellOf(Math.max(...ys), minY)];
    for (let r = r0; r <= r1; r++) for (let c = c0; c <= c1; c++) visit(r * columns + c);
  };
  const edgeCells: [cell: number, edge: number][] = [];
  for (let v = 0; v < vertices; v++) {
    const top = scene.top[owners.buildingOf[v]!]!;
    cells([v, owners.next[v]!], (cell) => {
      edgeCells.push([cell, v]);
      cellTop[cell] = Math.max(cellTop[cell]!, top);
    });
  }
  const prismCells: [cell: number, prism: number][] = [];
  for (let p = 0; p < owners.prismBuilding.length; p++) {
    const outer = scene.prismRings[p]!;
    const [start, end] = [scene.ringVertices[outer]!, scene.ringVertices[outer + 1]!];
    cells(
      Array.from({ length: end - start }, (_, i) => start + i),
      (cell) => prismCells.push([cell, p]),
    );
  }
  const [edgeStart, edges] = bucketed(edgeCells, columns * rows);
  const [prismStart, prisms] = bucketed(prismCells, columns * rows);
  const skip = new Uint8Array(vertices);
  const sceneTop = scene.top.reduce((a, b) => Math.max(a, b), -Infinity);
  return { scene, minX, minY, columns, rows, edgeStart, edges, prismStart, prisms, cellTop, sceneTop, skip, ...owners };
}

function ownersOf(scene: Scene): Pick<EdgeGrid, 'next' | 'buildingOf' | 'prismBuilding'> {
  const next = new Uint32Array(scene.xy.length / 2);
  const buildingOf = new Uint32Array(scene.xy.length / 2);
  const prismBuilding = new Uint32Array(scene.prismRings.length - 1);
  for (let building = 0; building < scene.base.length; building++) {
    for (let prism = scene.buildingPrisms[building]!; prism < scene.buildingPrisms[building + 1]!; prism++) {
      prismBuilding[prism] = building;
      for (let ring = scene.prismRings[prism]!; ring < scene.prismRings[prism + 1]!; ring++) {
        const [start, end] = [scene.ringVertices[ring]!, scene.ringVertices[ring + 1]!];
        for (let v = start; v < end; v++) {
          next[v] = v + 1 < end ? v + 1 : start;
          buildingOf[v] = building;
        }
      }
    }
  }
  return { next, buildingOf, prismBuilding };
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

/** The tallest of the buildings that stand around the point and rise above z (the first of equal ones); -1 if none does. */
export function enclosingBuilding(grid: EdgeGrid, x: number, y: number, z: number): number {
  const { scene } = grid;
  const column = Math.floor((x - grid.minX) / CELL_M);
  const row = Math.floor((y - grid.minY) / CELL_M);
  if (column < 0 || row < 0 || column >= grid.columns || row >= grid.rows) return -1;
  const cell = row * grid.columns + column;
  let tallest = -1;
  for (let i = grid.prismStart[cell]!; i < grid.prismStart[cell + 1]!; i++) {
    const prism = grid.prisms[i]!;
    const building = grid.prismBuilding[prism]!;
    const top = scene.top[building]!;
    if (top <= z) continue;
    if (tallest >= 0 && (top < scene.top[tallest]! || (top === scene.top[tallest]! && building >= tallest))) continue;
    let inside = false;
    for (let ring = scene.prismRings[prism]!; ring < scene.prismRings[prism + 1]!; ring++) {
      const [from, to] = [scene.ringVertices[ring]! * 2, scene.ringVertices[ring + 1]! * 2];
      if (pointInRing(x, y, scene.xy, from, to)) inside = !inside;
    }
    if (inside) tallest = building;
  }
  return tallest;
}
