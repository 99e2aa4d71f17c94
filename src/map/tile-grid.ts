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

/** Units of tile coordinates to a side of a tile. */
export const EXTENT = 4096;

/** Rings in the coordinates of a zoom's whole world, whole units: `[x, y, x, y, …]`, open. */
export function worldRing(ring: ArrayLike<number>, z: number): number[] {
  const scale = 2 ** z * EXTENT;
  const out: number[] = [];
  for (let i = 0; i < ring.length; i += 2) {
    const x = Math.round(worldX(ring[i + 1]) * scale);
    const y = Math.round(worldY(ring[i]) * scale);
    if (out.length === 0 || out.at(-2) !== x || out.at(-1) !== y) out.push(x, y);
  }
  if (out.length > 2 && out[0] === out.at(-2) && out[1] === out.at(-1)) out.length -= 2;
  return out;
}
