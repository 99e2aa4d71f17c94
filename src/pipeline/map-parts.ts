import { closeSync, openSync, readSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { PbfWriter } from 'pbf';
import { tileIdToZxy, zxyToTileId } from 'pmtiles';
import { decodeSquare, roofSurfacesAt } from '../city/square-file.ts';
import { textAt } from '../formats/column-file.ts';
import type { Tile } from '../geo/web-tile.ts';
import { buildingTile, readTileBuildings, roofText, writeTileBuilding } from '../map/building-tile.ts';
import { addBuilding, bestHours, bestText, emptySums, facesText, standInsOf, type TownSums } from '../map/hours.ts';
import { type MapBuilding, tilePieces } from '../map/tile-buildings.ts';
import { type MapSquare, squareAt } from '../map/town-tiles.ts';
import type { BuildingHead } from '../record/building-record.ts';
import { decodeHead } from '../record/codec.ts';
import { faceHours } from '../record/face-hours.ts';
import { degrees7 } from '../record/units.ts';
import { mergedResults, type ResultFile } from './result-file.ts';
import type { Task } from './worker-pool.ts';

/** The zooms at which buildings are drawn. */
export const BUILDING_ZOOMS = [14, 15] as const;

/** Cuts the buildings of a grid square into the pieces of each tile. */
export interface MapPartsTask extends Task {
  kind: 'map-parts';
  /** The square's result file. */
  results: ResultFile;
  /** Paths of the square's file, which may be moved from one to the next. */
  squareFiles: readonly string[];
  out: string;
}

/** The position of a tile's pieces in a file of parts. */
interface TilePart {
  /** ID of the tile in the archive. */
  id: number;
  from: number;
  to: number;
}

/** Sums of the buildings of a square of the map, outside towns. */
export type SquareSums = Pick<MapSquare, 'x' | 'y'> & { sums: TownSums };

export interface MapParts {
  /** In order of ID. */
  parts: TilePart[];
  towns: [townCode: string, sums: TownSums][];
  /** The sums of buildings outside towns. */
  squares: SquareSums[];
  buildings: number;
}

/** Writes the file of parts and returns its contents. Throws when the results cannot be read. */
export async function mapPartsOf({ results, squareFiles, out: path }: MapPartsTask): Promise<MapParts> {
  const roofs = await roofsIn(squareFiles);
  const tiles = new CutTiles();
  const towns = new Map<string, TownSums>();
  const squares = new Map<string, SquareSums>();
  let buildings = 0;
  for (const { buildingId, bytes, hours } of mergedResults([results])) {
    const record = decodeHead(buildingId, bytes);
    const building = mapBuilding(record);
    const faces = faceHours(hours).filter(({ headline }) => headline);
    const best = bestHours(faces);
    addPieces(building, [bestText(best), facesText(faces, standInsOf(faces))], roofs.get(buildingId) ?? '', tiles);
    buildings++;
    if (record.townCode !== null) {
      const sums = towns.get(record.townCode) ?? emptySums();
      towns.set(record.townCode, sums);
      addBuilding(sums, faces, best);
    } else {
      const { x, y } = squareAt(building.lat, building.lon);
      const square = squares.get(`${x} ${y}`) ?? { x, y, sums: emptySums() };
      squares.set(`${x} ${y}`, square);
      addBuilding(square.sums, faces, best);
    }
  }
  const parts: TilePart[] = [];
  const chunks: Uint8Array[] = [];
  let end = 0;
  for (const { id, out } of tiles.inOrder()) {
    const chunk = out.finish();
    parts.push({ id, from: end, to: end + chunk.length });
    chunks.push(chunk);
    end += chunk.length;
  }
  await writeFile(path, Buffer.concat(chunks));
  return { parts, towns: [...towns], squares: [...squares.values()], buildings };
}

/** The roofs of the buildings of a square that have surfaces, as texts by ID. */
async function roofsIn(squareFiles: readonly string[]): Promise<Map<string, string>> {
  const roofs = new Map<string, string>();
  const { square } = decodeSquare(await firstFile(squareFiles), squareFiles[0]);
  for (let row = 0; row < square.count; row++) {
    const id = textAt(square.ids, row);
    const surfaces = id === null ? [] : roofSurfacesAt(square, row);
    if (id !== null && surfaces.length > 0) roofs.set(id, roofText(surfaces, square.base[row]));
  }
  return roofs;
}

/** The bytes of a file that is moved from one path to the next while it is looked for. */
async function firstFile([path, ...others]: readonly string[]): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || others.length === 0) throw error;
    return firstFile(others);
  }
}

/** The pieces of a square's buildings, by tile. */
class CutTiles {
  /** By zoom and place. Computing the ID of a tile for every piece would take longer. */
  readonly #tiles = new Map<number, { id: number; out: PbfWriter }>();

  of({ z, x, y }: Tile): PbfWriter {
    const place = (2 ** z + y) * 2 ** z + x;
    let tile = this.#tiles.get(place);
    if (tile === undefined) {
      tile = { id: zxyToTileId(z, x, y), out: new PbfWriter() };
      this.#tiles.set(place, tile);
    }
    return tile.out;
  }

  /** In order of ID. */
  inOrder(): { id: number; out: PbfWriter }[] {
    return [...this.#tiles.values()].sort((a, b) => a.id - b.id);
  }
}

/**
 * Adds the pieces of a building to their tiles.
 * @param hours texts of its hours for each zoom: the best face only, then all faces
 */
function addPieces(building: MapBuilding, hours: readonly Uint8Array[], roof: string, tiles: CutTiles): void {
  const { buildingId, heightM } = building;
  const heightDm = Math.round(heightM * 10);
  for (const piece of tilePieces(building, BUILDING_ZOOMS)) {
    const text = hours[piece.tile.z - BUILDING_ZOOMS[0]];
    const isDetailed = piece.whole && piece.tile.z === BUILDING_ZOOMS[1];
    const about = { buildingId, heightDm, hours: text, roof: isDetailed ? roof : '', piece };
    writeTileBuilding(about, tiles.of(piece.tile));
  }
}

/** A building for the map, with the position and height of all answers. */
const mapBuilding = (record: BuildingHead): MapBuilding => ({
  buildingId: record.buildingId,
  lat: degrees7(record.lat),
  lon: degrees7(record.lon),
  heightM: Math.round((record.topM - record.baseM) * 100) / 100,
  footprints: record.footprints,
});

/** Assembles consecutive tiles of the archive from their parts. */
export interface MapTilesTask extends Task {
  kind: 'map-tiles';
  /** `more`: further layers of the tile. */
  tiles: { id: number; parts: { path: string; from: number; to: number }[]; more?: Uint8Array }[];
}

/**
 * Level 5 takes half the time for two per cent more bytes, but dense tiles then exceed 250 kB. Level 7 takes a third
 * more time for one per cent less.
 */
const LEVEL = 6;

const NOTHING = new Uint8Array(0);

/** Returns the gzipped tiles in order. Throws when a file of parts cannot be read. */
export async function mapTilesOf({ tiles }: MapTilesTask): Promise<Uint8Array[]> {
  return tiles.map(({ id, parts, more = NOTHING }) => {
    const buildings = parts.flatMap((part) => readTileBuildings(readPart(part)));
    return packTile(Buffer.concat([buildingTile(tileIdToZxy(id)[0], buildings), more]));
  });
}

export const packTile = (tile: Uint8Array): Uint8Array => gzipSync(tile, { level: LEVEL });

function readPart({ path, from, to }: { path: string; from: number; to: number }): Uint8Array {
  const file = openSync(path, 'r');
  try {
    const bytes = new Uint8Array(to - from);
    if (readSync(file, bytes, 0, bytes.length, from) < bytes.length) throw new Error(`${path}: is cut short`);
    return bytes;
  } finally {
    closeSync(file);
  }
}
