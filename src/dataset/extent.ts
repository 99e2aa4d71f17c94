import { type Extent, isTokyoWard, TOKYO } from '../contract/extent.ts';
import { gridSquareBounds } from '../geo/grid-square.ts';

/** Around the squares, degrees: some 5 km, as around the wards of Tokyo. */
const MARGIN = 0.05;

/**
 * What a dataset covers, or null when that lies within Tokyo's contract.
 * @param squares the third-order grid squares that hold its buildings
 * @param municipalities the codes its buildings have
 */
export function coveredBy(squares: readonly string[], municipalities: readonly string[]): Extent | null {
  if (squares.length === 0 || municipalities.length === 0) return null;
  const bounds = squares.map(gridSquareBounds);
  const lowest = (values: number[]): number => values.reduce((a, b) => Math.min(a, b));
  const highest = (values: number[]): number => values.reduce((a, b) => Math.max(a, b));
  const [south, west] = [lowest(bounds.map((one) => one.south)), lowest(bounds.map((one) => one.west))];
  const [north, east] = [highest(bounds.map((one) => one.north)), highest(bounds.map((one) => one.east))];
  const isWithin = south >= TOKYO.south && west >= TOKYO.west && north <= TOKYO.north && east <= TOKYO.east;
  if (isWithin && municipalities.every(isTokyoWard)) return null;
  return {
    bbox: {
      south: down(south - MARGIN),
      west: down(west - MARGIN),
      north: up(north + MARGIN),
      east: up(east + MARGIN),
    },
    municipalities: [...municipalities].sort(),
  };
}

const down = (degrees: number): number => Math.floor(degrees * 100) / 100;
const up = (degrees: number): number => Math.ceil(degrees * 100) / 100;
