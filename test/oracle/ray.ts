import { CELL, type EdgeGrid, topAt } from './edge-grid.ts';

/** Farther away nothing shades, metres. */
const REACH_M = 20_000;

/** What hides the sun on one ray, per floor: the building that stands highest, or -1, and its slope (rise over run). */
export interface Hidden {
  building: Int32Array;
  slope: Float64Array;
}

/**
 * Sends a ray over the plan from (x, y) in the direction (ux, uy), a unit vector, and finds for every height z[k] the
 * building that rises highest above the sun's own slope. Wherever the ray crosses an edge of a solid, the solid rises
 * (its top there − z) / distance; in between it rises no higher. Edges marked in the grid's `skip` are not there. Of two that
 * rise alike the one of lower index counts.
 */
export function castRay(
  grid: EdgeGrid,
  x: number,
  y: number,
  ux: number,
  uy: number,
  z: ArrayLike<number>,
  sunSlope: number,
  out: Hidden,
): void {
  const { ends, solids, solidOf } = grid;
  out.building.fill(-1);
  out.slope.fill(sunSlope);

  // Walk the cells along the ray. The receptor may stand just outside the grid.
  const east = ux > 0 ? 1 : -1;
  const north = uy > 0 ? 1 : -1;
  let column = Math.floor((x - grid.minX) / CELL);
  let row = Math.floor((y - grid.minY) / CELL);
  let nextX = ux === 0 ? Infinity : (grid.minX + (column + (ux > 0 ? 1 : 0)) * CELL - x) / ux;
  let nextY = uy === 0 ? Infinity : (grid.minY + (row + (uy > 0 ? 1 : 0)) * CELL - y) / uy;
  const stepX = Math.abs(CELL / ux);
  const stepY = Math.abs(CELL / uy);
  let entered = 0;
  while (entered <= REACH_M && canRise(grid.sceneTop, z, entered, out.slope)) {
    if (column >= 0 && column < grid.columns && row >= 0 && row < grid.rows) {
      const cell = row * grid.columns + column;
      if (canRise(grid.cellTop[cell]!, z, entered, out.slope)) {
        for (let i = grid.edgeStart[cell]!; i < grid.edgeStart[cell + 1]!; i++) {
          const edge = grid.edges[i]!;
          const ax = ends[4 * edge]! - x;
          const ay = ends[4 * edge + 1]! - y;
          const bx = ends[4 * edge + 2]! - x;
          const by = ends[4 * edge + 3]! - y;
          // On which side of the ray's line do the ends lie? A vertex on the line belongs to one side.
          const sideA = ux * ay - uy * ax;
          const sideB = ux * by - uy * bx;
          if (sideA > 0 === sideB > 0 || grid.skip[edge] === 1) continue;
          const share = sideA / (sideA - sideB);
          const distance = ux * (ax + share * (bx - ax)) + uy * (ay + share * (by - ay));
          if (distance <= 0 || distance > REACH_M) continue;
          const solid = solids[solidOf[edge]!]!;
          const { building } = solid;
          const top = topAt(solid, x + distance * ux, y + distance * uy);
          for (let k = 0; k < z.length; k++) {
            const slope = (top - z[k]!) / distance;
            if (slope > out.slope[k]! || (slope === out.slope[k]! && building < out.building[k]!)) {
              out.slope[k] = slope;
              out.building[k] = building;
            }
          }
        }
      }
    } else if (leaving(column, grid.columns, east) || leaving(row, grid.rows, north)) return;
    if (nextX < nextY) {
      entered = nextX;
      nextX += stepX;
      column += east;
    } else {
      entered = nextY;
      nextY += stepY;
      row += north;
    }
  }
}

/** Could something so tall, no nearer than `distance`, rise above what is highest so far on any floor? */
function canRise(top: number, z: ArrayLike<number>, distance: number, slope: Float64Array): boolean {
  for (let k = 0; k < z.length; k++) if (top - z[k]! > distance * slope[k]!) return true;
  return false;
}

const leaving = (at: number, count: number, step: number): boolean => (step > 0 ? at >= count : at < 0);
