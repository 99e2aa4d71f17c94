import { RADIANS } from './degree.ts';
import type { Box } from './grid-square.ts';

/** A square tile of web maps: 2^zoom on each side of the Mercator world, counted from the north-west. */
export interface Tile {
  z: number;
  x: number;
  y: number;
}

/** Radius of the sphere of Web Mercator, and the length of its equator, metres. */
export const MERCATOR_RADIUS = 6378137;
export const EQUATOR_M = 2 * Math.PI * MERCATOR_RADIUS;

/** The x of a longitude (degrees) on the Mercator world, from 0 in the west to 1 in the east. */
export const worldX = (lon: number): number => lon / 360 + 0.5;
/** The y of a latitude (degrees) on the Mercator world, from 0 in the north to 1 in the south. */
export function worldY(lat: number): number {
  const sine = Math.sin(lat * RADIANS);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

/** The tile of a zoom that contains a place (degrees). */
export function tileAt(z: number, lat: number, lon: number): Tile {
  const side = 2 ** z;
  return { z, x: Math.floor(worldX(lon) * side), y: Math.floor(worldY(lat) * side) };
}

/** The edges of a tile, degrees. */
export function tileBox({ z, x, y }: Tile): Box {
  const side = 2 ** z;
  const lat = (row: number): number => (Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / side))) * 180) / Math.PI;
  return { west: (x / side) * 360 - 180, east: ((x + 1) / side) * 360 - 180, north: lat(y), south: lat(y + 1) };
}

/** The tiles of a zoom that meet a box (degrees), from the north-west. */
export function* tilesIn({ west, south, east, north }: Box, z: number): Generator<Tile> {
  const [from, to] = [tileAt(z, north, west), tileAt(z, south, east)];
  for (let y = from.y; y <= to.y; y++) for (let x = from.x; x <= to.x; x++) yield { z, x, y };
}
