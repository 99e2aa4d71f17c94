import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { tileIdToZxy, zxyToTileId } from 'pmtiles';
import type { Town } from '../census/town.ts';
import { type IndexedSquare, squareFileName } from '../city/square-summary.ts';
import { MAP_FILE } from '../dataset/map.ts';
import type { BulkCredit } from '../export/sunlight-bulk.ts';
import { type PmtilesAbout, PmtilesWriter } from '../formats/pmtiles-writer.ts';
import { type Box, unitedBox } from '../geo/grid-square.ts';
import type { Landmark } from '../landmarks/landmark.ts';
import { addSums, emptySums, type TownSums, townHours } from '../map/hours.ts';
import { landmarkTiles } from '../map/landmark-tiles.ts';
import { mapMetadata } from '../map/metadata.ts';
import { TOWN_ZOOMS, TownTiles } from '../map/town-tiles.ts';
import { latinMunicipality, latinName } from '../search/romaji.ts';
import { type BuildFolder, squareOfResult } from './build-folder.ts';
import {
  BUILDING_ZOOMS,
  type MapParts,
  type MapPartsTask,
  type MapTilesTask,
  packTile,
  type SquareSums,
} from './map-parts.ts';
import type { Progress } from './progress.ts';
import type { ResultFile } from './result-file.ts';
import type { SunlightHalf } from './sunlight.ts';
import type { Runner } from './worker-pool.ts';

/** Bytes of parts for one task. */
const BATCH_BYTES = 4 << 20;

type TileParts = MapTilesTask['tiles'][number];

/** The data of a map. */
interface MapSources {
  /** The result files of the grid squares. */
  results: readonly ResultFile[];
  /** Path of the square file of each. The file may not exist yet. */
  squareFilesOf(results: ResultFile): readonly string[];
  towns: readonly Town[];
  landmarks: readonly Landmark[];
  /** The box of all buildings, degrees. */
  bounds: PmtilesAbout['bounds'];
}

/** Writes the map of the sunlight half into a draft dataset. */
export async function mapStage(
  { report, squares, results, towns }: SunlightHalf,
  { draft, folder, pool, progress }: { draft: string; folder: BuildFolder; pool: Runner; progress: Progress },
  credit: BulkCredit,
  landmarks: readonly Landmark[],
): Promise<void> {
  const bounds = mapBounds(squares);
  const squareFilesOf = ({ path }: ResultFile): string[] => {
    const code = squareOfResult(path);
    return [folder.square(code), join(draft, squareFileName(code))];
  };
  const sources = { results, squareFilesOf, towns, landmarks, bounds };
  await progress.stage('map', report.buildings.served, 'buildings', (advance) =>
    writeMap(sources, join(draft, MAP_FILE), credit, pool, advance),
  );
}

/**
 * Writes a map. Every square is cut into the parts of its tiles; the parts are files beside the map until the tiles are
 * assembled, a batch at a time. Throws the system's errors.
 * @param advance called with the number of buildings cut
 */
async function writeMap(
  { results, squareFilesOf, towns, landmarks, bounds }: MapSources,
  path: string,
  credit: BulkCredit,
  pool: Pick<Runner, 'run' | 'size'>,
  advance: (buildings: number) => void,
): Promise<void> {
  const folder = `${path}-parts`;
  await mkdir(folder);
  const { tiles, sums, squares } = await cutParts({ results, squareFilesOf }, folder, pool, advance);
  const writer = await PmtilesWriter.create(path);
  try {
    const more = new Map<number, Uint8Array>();
    for (const { tile, bytes } of landmarkTiles(landmarks)) more.set(zxyToTileId(tile.z, tile.x, tile.y), bytes);
    await writeTowns(towns, sums, squares, more, writer);
    await writeBuildings(withMore(tiles, more), writer, pool);
    await writer.finish({
      minZoom: TOWN_ZOOMS.least,
      maxZoom: BUILDING_ZOOMS[1],
      bounds,
      metadata: mapMetadata(credit, new Set(landmarks.map(({ layer }) => layer))),
    });
  } finally {
    await writer.close();
  }
  await rm(folder, { recursive: true });
}

/**
 * Cuts every square into parts. Returns the parts of each tile in order of tile, and the sums of towns and of squares
 * without towns.
 */
async function cutParts(
  { results, squareFilesOf }: Pick<MapSources, 'results' | 'squareFilesOf'>,
  folder: string,
  pool: Pick<Runner, 'run'>,
  advance: (buildings: number) => void,
): Promise<{ tiles: TileParts[]; sums: Map<string, TownSums>; squares: SquareSums[] }> {
  const tiles = new Map<number, TileParts>();
  const sums = new Map<string, TownSums>();
  const squares = new Map<string, SquareSums>();
  await Promise.all(
    results.map(async (file, i) => {
      const out = join(folder, String(i));
      const squareFiles = squareFilesOf(file);
      const task: MapPartsTask = {
        kind: 'map-parts',
        name: `the map of ${file.path}`,
        results: file,
        squareFiles,
        out,
      };
      const { parts, towns, squares: own, buildings } = await pool.run<MapParts>(task);
      for (const { id, from, to } of parts) {
        const tile = tiles.get(id) ?? { id, parts: [] };
        tiles.set(id, tile);
        tile.parts.push({ path: out, from, to });
      }
      for (const [code, more] of towns) {
        const town = sums.get(code) ?? emptySums();
        sums.set(code, town);
        addSums(town, more);
      }
      // A square of the map may be in several grid squares.
      for (const { x, y, sums: more } of own) {
        const square = squares.get(`${x} ${y}`) ?? { x, y, sums: emptySums() };
        squares.set(`${x} ${y}`, square);
        addSums(square.sums, more);
      }
      advance(buildings);
    }),
  );
  const inOrder = [...squares.values()].sort((a, b) => a.y - b.y || a.x - b.x);
  return { tiles: [...tiles.values()].sort((a, b) => a.id - b.id), sums, squares: inOrder };
}

/** Adds further layers to the tiles of buildings, and adds tiles that have only these layers. */
function withMore(tiles: readonly TileParts[], more: ReadonlyMap<number, Uint8Array>): TileParts[] {
  const first = zxyToTileId(BUILDING_ZOOMS[0], 0, 0);
  const there = new Set(tiles.map(({ id }) => id));
  const others = [...more.keys()].filter((id) => id >= first && !there.has(id)).map((id) => ({ id, parts: [] }));
  const added = (tile: TileParts): TileParts => {
    const layers = more.get(tile.id);
    return layers === undefined ? tile : { ...tile, more: layers };
  };
  return [...tiles, ...others].sort((a, b) => a.id - b.id).map(added);
}

async function writeTowns(
  towns: readonly Town[],
  sums: ReadonlyMap<string, TownSums>,
  squares: readonly SquareSums[],
  more: ReadonlyMap<number, Uint8Array>,
  writer: PmtilesWriter,
): Promise<void> {
  const drawn = new TownTiles(
    towns.map((town) => ({
      ...town,
      latin: town.reading === null ? null : latinName(town.reading),
      wardLatin: town.wardReading === null ? null : latinMunicipality(town.wardReading),
      hours: townHours(sums.get(town.townCode) ?? emptySums()),
    })),
    squares.map(({ x, y, sums: own }) => ({ x, y, hours: townHours(own) })),
  );
  const ids = new Set([...drawn.tiles()].map(({ z, x, y }) => zxyToTileId(z, x, y)));
  const first = zxyToTileId(BUILDING_ZOOMS[0], 0, 0);
  for (const id of more.keys()) if (id < first) ids.add(id);
  for (const id of [...ids].sort((a, b) => a - b)) {
    const [z, x, y] = tileIdToZxy(id);
    const layers = [drawn.tile({ z, x, y }), more.get(id) ?? null].filter((bytes) => bytes !== null);
    if (layers.length > 0) await writer.add(id, packTile(Buffer.concat(layers)));
  }
}

/** Assembles the tiles, a few batches ahead of the one being written. */
async function writeBuildings(
  tiles: readonly TileParts[],
  writer: PmtilesWriter,
  pool: Pick<Runner, 'run' | 'size'>,
): Promise<void> {
  const batches = batchesOf(tiles);
  const underWay: { batch: TileParts[]; packed: Promise<Uint8Array[]> }[] = [];
  const begin = (): void => {
    const batch = batches.shift();
    if (batch === undefined) return;
    const task: MapTilesTask = { kind: 'map-tiles', name: 'tiles of the map', tiles: batch };
    const packed = pool.run<Uint8Array[]>(task);
    packed.catch(() => {}); // The error is thrown by `await` below.
    underWay.push({ batch, packed });
  };
  for (let i = 0; i <= pool.size; i++) begin();
  for (let next = underWay.shift(); next !== undefined; next = underWay.shift()) {
    const packed = await next.packed;
    begin();
    for (const [i, { id }] of next.batch.entries()) await writer.add(id, packed[i]);
  }
}

function batchesOf(tiles: readonly TileParts[]): TileParts[][] {
  const batches: TileParts[][] = [];
  let batch: TileParts[] = [];
  let room = 0;
  for (const tile of tiles) {
    if (room <= 0) {
      batch = [];
      batches.push(batch);
      room = BATCH_BYTES;
    }
    batch.push(tile);
    room -= tile.parts.reduce((sum, { from, to }) => sum + to - from, 0);
  }
  return batches;
}

/** The box of all drawn buildings. */
export function mapBounds(squares: readonly IndexedSquare[]): PmtilesAbout['bounds'] {
  const nowhere: Box = { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity };
  return squares.filter(({ served }) => served > 0).reduce(unitedBox, nowhere);
}
