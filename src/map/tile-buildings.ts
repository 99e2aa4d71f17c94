import { clipRing } from './clip-ring.ts';
import { polygonCommands } from './polygon-commands.ts';
import { EXTENT, type Tile, tileAt, worldRing } from './tile-grid.ts';

/** A building as the map is made from it. */
export interface MapBuilding {
  buildingId: string;
  /** Representative point, degrees: its tile is the building's own. */
  lat: number;
  lon: number;
  heightM: number;
  /** Outer ring and holes of each part, `[lat, lon, …]` in degrees. */
  footprints: readonly { rings: readonly ArrayLike<number>[] }[];
}

/** What of a building is drawn in one tile. */
interface TilePiece {
  tile: Tile;
  /** In the building's own tile it is whole, in others that its footprint meets a piece. */
  whole: boolean;
  geometry: Uint8Array;
}

/** How far pieces reach beyond their tile, shares of its side: lines along the edge stay out of sight. */
const MARGIN = 1 / 128;

/** The pieces of a building at a zoom: whole in its own tile, cut out in each other one that it meets. */
export function tilePieces(building: MapBuilding, z: number): TilePiece[] {
  const own = tileAt(z, building.lat, building.lon);
  const polygons = building.footprints.map(({ rings }) => rings.map((ring) => worldRing(ring, z)));
  const pieces = [{ tile: own, whole: true, geometry: polygonCommands(moved(polygons, own)) }];
  for (const tile of tilesOf(polygons, z)) {
    if (tile.x === own.x && tile.y === own.y) continue;
    const cut = polygons.map((rings) => cutOut(rings, tile)).filter((rings) => rings.length > 0);
    if (cut.length > 0) pieces.push({ tile, whole: false, geometry: polygonCommands(moved(cut, tile)) });
  }
  return pieces;
}

/** The tiles that the box around the polygons meets. */
function* tilesOf(polygons: readonly number[][][], z: number): Generator<Tile> {
  const extent = EXTENT;
  const outers = polygons.map(([outer]) => outer ?? []);
  const [west, east] = bounds(outers, 0);
  const [north, south] = bounds(outers, 1);
  for (let y = Math.floor(north / extent); y <= Math.floor(south / extent); y++) {
    for (let x = Math.floor(west / extent); x <= Math.floor(east / extent); x++) yield { z, x, y };
  }
}

function bounds(rings: readonly number[][], axis: 0 | 1): [least: number, most: number] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const ring of rings) {
    for (let i = axis; i < ring.length; i += 2) {
      least = Math.min(least, ring[i]);
      most = Math.max(most, ring[i]);
    }
  }
  return [least, most];
}

/** The rings inside a tile and its margin; none where the outer one is not. */
function cutOut(rings: readonly number[][], { x, y }: Tile): number[][] {
  const extent = EXTENT;
  const margin = extent * MARGIN;
  const box = {
    west: x * extent - margin,
    east: (x + 1) * extent + margin,
    north: y * extent - margin,
    south: (y + 1) * extent + margin,
  };
  const [outer, ...holes] = rings.map((ring) => clipRing(ring, box));
  return outer === undefined || outer.length === 0 ? [] : [outer, ...holes.filter((hole) => hole.length > 0)];
}

/** In units from the tile's north-west corner. */
function moved(polygons: readonly number[][][], { x, y }: Tile): number[][][] {
  const corner = [x * EXTENT, y * EXTENT];
  return polygons.map((rings) => rings.map((ring) => ring.map((value, i) => value - corner[i % 2])));
}
