import { worldX, worldY } from '../geo/web-tile.ts';

/** Units of tile coordinates along a side of a tile. */
export const EXTENT = 4096;

/** Converts a ring of degrees `[lat, lon, …]` to the Mercator world `[x, y, …]`. */
export function worldRing(ring: ArrayLike<number>): Float64Array {
  const world = new Float64Array(ring.length);
  for (let i = 0; i < ring.length; i += 2) {
    world[i] = worldX(ring[i + 1]);
    world[i + 1] = worldY(ring[i]);
  }
  return world;
}

/** Units of a step of coordinates at zoom 14, about 2 m: its tiles hold four times as many buildings as those of zoom 15. */
const COARSE_STEP = 4;

/** A ring of the Mercator world in whole steps of a zoom, open, without repeated points. */
export function unitRing(world: Float64Array, z: number): number[] {
  const step = z < 15 ? COARSE_STEP : 1;
  const scale = (2 ** z * EXTENT) / step;
  const out: number[] = [];
  let end = 0;
  for (let i = 0; i < world.length; i += 2) {
    const x = Math.round(world[i] * scale) * step;
    const y = Math.round(world[i + 1] * scale) * step;
    if (end > 0 && out[end - 2] === x && out[end - 1] === y) continue;
    out.push(x, y);
    end += 2;
  }
  if (end > 2 && out[0] === out[end - 2] && out[1] === out[end - 1]) out.length -= 2;
  return out;
}
