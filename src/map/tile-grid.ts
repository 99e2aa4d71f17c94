/** The square tiles of web maps: 2^zoom to a side of the Mercator world, counted from the north-west. */
export interface Tile {
  z: number;
  x: number;
  y: number;
}

/** Positions between 0 and 1 on the Mercator world: x from west to east, y from north to south. */
const worldX = (lon: number): number => lon / 360 + 0.5;
function worldY(lat: number): number {
  const sine = Math.sin((lat * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

/** The tile of a zoom that holds a place (degrees). */
export function tileAt(z: number, lat: number, lon: number): Tile {
  const side = 2 ** z;
  return { z, x: Math.floor(worldX(lon) * side), y: Math.floor(worldY(lat) * side) };
}

/** The edges of a tile, degrees. */
export function tileBox({ z, x, y }: Tile): { west: number; south: number; east: number; north: number } {
  const side = 2 ** z;
  const lat = (row: number): number => (Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / side))) * 180) / Math.PI;
  return { west: (x / side) * 360 - 180, east: ((x + 1) / side) * 360 - 180, north: lat(y), south: lat(y + 1) };
}

/** Units of tile coordinates to a side of a tile. */
export const EXTENT = 4096;

/** A ring of degrees `[lat, lon, …]` on the Mercator world `[x, y, …]`. */
export function worldRing(ring: ArrayLike<number>): Float64Array {
  const world = new Float64Array(ring.length);
  for (let i = 0; i < ring.length; i += 2) {
    world[i] = worldX(ring[i + 1]);
    world[i + 1] = worldY(ring[i]);
  }
  return world;
}

/** A ring on the Mercator world in whole units of a zoom, open; a point like the one before is left out. */
export function unitRing(world: Float64Array, z: number): number[] {
  const scale = 2 ** z * EXTENT;
  const out: number[] = [];
  let end = 0;
  for (let i = 0; i < world.length; i += 2) {
    const x = Math.round(world[i] * scale);
    const y = Math.round(world[i + 1] * scale);
    if (end > 0 && out[end - 2] === x && out[end - 1] === y) continue;
    out.push(x, y);
    end += 2;
  }
  if (end > 2 && out[0] === out[end - 2] && out[1] === out[end - 1]) out.length -= 2;
  return out;
}
