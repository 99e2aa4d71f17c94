import type { PbfWriter } from 'pbf';
import { type Tile, tileAt, worldX, worldY } from '../geo/web-tile.ts';

/** Units of tile coordinates along a side of a tile. */
export const EXTENT = 4096;

/** The data of a building on the map. */
export interface MapBuilding {
  buildingId: string;
  /** Representative point, degrees. Its tile is the building's own tile. */
  lat: number;
  lon: number;
  heightM: number;
  /** Outer ring and holes of each part, `[lat, lon, …]` in degrees. */
  footprints: readonly { rings: readonly ArrayLike<number>[] }[];
}

/** The part of a building in one tile. */
export interface TilePiece {
  tile: Tile;
  /** True in the building's own tile, where it is whole; elsewhere it is a piece. */
  isWhole: boolean;
  /** Of each polygon its outer ring, then holes: `[x, y, …]`, open, in whole units of the world. */
  polygons: number[][][];
}

/** How far pieces reach beyond their tile, as a share of its side, so that lines along the edge are hidden. */
const MARGIN = 1 / 128;

/** The pieces of a building at some zooms: whole in its own tile, cut in every other tile that it meets. */
export function tilePieces({ lat, lon, footprints }: MapBuilding, zooms: readonly number[]): TilePiece[] {
  const world = footprints.map(({ rings }) => rings.map(worldRing));
  const pieces: TilePiece[] = [];
  for (const z of zooms) {
    const ownTile = tileAt(z, lat, lon);
    const polygons = world.map((rings) => rings.map((ring) => unitRing(ring, z)));
    pieces.push({ tile: ownTile, isWhole: true, polygons });
    const { west, north, east, south } = boxAround(polygons);
    for (let y = Math.floor(north / EXTENT); y <= Math.floor(south / EXTENT); y++) {
      for (let x = Math.floor(west / EXTENT); x <= Math.floor(east / EXTENT); x++) {
        if (x === ownTile.x && y === ownTile.y) continue;
        const tile = { z, x, y };
        const cutPolygons = polygons.map((rings) => cutOut(rings, tile)).filter((rings) => rings.length > 0);
        if (cutPolygons.length > 0) pieces.push({ tile, isWhole: false, polygons: cutPolygons });
      }
    }
  }
  return pieces;
}

/** Converts a ring of degrees `[lat, lon, …]` to the Mercator world `[x, y, …]`. */
function worldRing(ring: ArrayLike<number>): Float64Array {
  const world = new Float64Array(ring.length);
  for (let i = 0; i < ring.length; i += 2) {
    world[i] = worldX(ring[i + 1]);
    world[i + 1] = worldY(ring[i]);
  }
  return world;
}

/**
 * Units of a step of coordinates at zoom 14, about 2 m: its tiles hold four times as many buildings as those of zoom
 * 15.
 */
const COARSE_STEP = 4;

/**
 * A ring of the Mercator world (x and y from 0 to 1, alternating) in the units of a zoom (`EXTENT` for each tile), open,
 * without repeated points. At zoom 14, the lowest one with buildings, the points are rounded to a coarse grid.
 */
function unitRing(world: Float64Array, z: number): number[] {
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

/** A box in whole units, edges included. */
interface UnitBox {
  west: number;
  north: number;
  east: number;
  south: number;
}

/** The box around the outer rings. In units of tiles, y grows to the south. */
function boxAround(polygons: readonly (readonly number[][])[]): UnitBox {
  let [west, north] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  let [east, south] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [outer = []] of polygons) {
    for (let i = 0; i < outer.length; i += 2) {
      west = Math.min(west, outer[i]);
      east = Math.max(east, outer[i]);
      north = Math.min(north, outer[i + 1]);
      south = Math.max(south, outer[i + 1]);
    }
  }
  return { west, north, east, south };
}

/** The parts of a polygon's rings inside a tile and its margin; empty when the outer ring does not reach the tile. */
function cutOut(rings: readonly number[][], { x, y }: Tile): number[][] {
  const margin = EXTENT * MARGIN;
  const box = {
    west: x * EXTENT - margin,
    east: (x + 1) * EXTENT + margin,
    north: y * EXTENT - margin,
    south: (y + 1) * EXTENT + margin,
  };
  const [outer, ...holes] = rings.map((ring) => clipRing(ring, box));
  return outer === undefined || outer.length === 0 ? [] : [outer, ...holes.filter((hole) => hole.length > 0)];
}

/**
 * The part of a ring `[x, y, …]` (open) inside a box: cut at one side after the other. Empty where nothing is inside.
 * Tiles count y from the north.
 */
function clipRing(ring: readonly number[], { west, north, east, south }: UnitBox): number[] {
  let out = cut(ring, 0, west, 1); // x ≥ west
  out = cut(out, 0, east, -1); // x ≤ east
  out = cut(out, 1, north, 1); // y ≥ north
  out = cut(out, 1, south, -1); // y ≤ south
  return out.length < 6 ? [] : out;
}

/** The part of a ring on one side of a line: where `sign · (coordinate − limit)` is not negative. */
function cut(ring: readonly number[], axis: 0 | 1, limit: number, sign: 1 | -1): number[] {
  const out: number[] = [];
  for (let i = 0; i < ring.length; i += 2) {
    const next = (i + 2) % ring.length;
    const [here, there] = [sign * (ring[i + axis] - limit), sign * (ring[next + axis] - limit)];
    if (here >= 0) out.push(ring[i], ring[i + 1]);
    const crossesLine = here < 0 !== there < 0;
    if (!crossesLine) continue;
    const share = here / (here - there);
    const other = 1 - axis;
    const crossing = Math.round(ring[i + other] + share * (ring[next + other] - ring[i + other]));
    out.push(...(axis === 0 ? [limit, crossing] : [crossing, limit]));
  }
  return out;
}

/** Commands of a vector tile's geometry (Mapbox Vector Tile 2.1, 4.3). */
const MOVE_TO = 1;
const LINE_TO = 2;
const CLOSE_PATH = 7;

/** The number of a command that is repeated `count` times. */
const command = (id: number, count: number): number => (id & 7) | (count << 3);
/** A signed number as an unsigned one: 0, −1, 1, −2, … become 0, 1, 2, 3, … */
const zigzag = (value: number): number => (value << 1) ^ (value >> 31);

/**
 * Writes the geometry of a piece as the packed numbers of a feature. Rings get the direction of the format. A ring
 * without area is dropped; an outer one becomes a triangle of one unit, so that no building is lost.
 */
export function writeGeometry({ polygons, tile }: TilePiece, out: PbfWriter): void {
  // Each point is relative to the previous one, the first to the tile's north-west corner.
  let x = tile.x * EXTENT;
  let y = tile.y * EXTENT;
  const write = (ring: readonly number[]): void => {
    const points = ring.length / 2;
    for (let i = 0; i < points; i++) {
      if (i === 0) out.writeVarint(command(MOVE_TO, 1));
      if (i === 1) out.writeVarint(command(LINE_TO, points - 1));
      out.writeVarint(zigzag(ring[2 * i] - x));
      out.writeVarint(zigzag(ring[2 * i + 1] - y));
      x = ring[2 * i];
      y = ring[2 * i + 1];
    }
    out.writeVarint(command(CLOSE_PATH, 1));
  };
  for (const [outer, ...holes] of polygons) {
    if (outer === undefined || outer.length === 0) continue;
    const area = doubleArea(outer);
    if (area === 0) {
      const [left, top] = outer;
      write([left, top, left + 1, top, left, top + 1]);
      continue;
    }
    write(area > 0 ? outer : reversed(outer));
    for (const hole of holes) {
      const holeArea = doubleArea(hole);
      if (holeArea !== 0) write(holeArea < 0 ? hole : reversed(hole));
    }
  }
}

/** Twice the area; positive for a ring that is clockwise when drawn (y to the south). */
function doubleArea(ring: readonly number[]): number {
  let sum = 0;
  const [ox, oy] = [ring[0], ring[1]];
  // Triangles of the first corner and each other side. The sides at the first corner make none.
  for (let i = 2; i + 3 < ring.length; i += 2) {
    const [x, y, nextX, nextY] = [ring[i] - ox, ring[i + 1] - oy, ring[i + 2] - ox, ring[i + 3] - oy];
    sum += x * nextY - nextX * y;
  }
  return sum;
}

/** A ring in the other direction. */
function reversed(ring: readonly number[]): number[] {
  const out: number[] = [];
  for (let i = ring.length - 2; i >= 0; i -= 2) out.push(ring[i], ring[i + 1]);
  return out;
}
