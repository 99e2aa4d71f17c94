import { closeSync, openSync, readSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { tileIdToZxy } from 'pmtiles';
import { buildingTile, readTileBuildings } from '../map/building-tile.ts';
import type { Task } from './worker-pool.ts';

/** Tiles that follow each other in the archive, to be put together from their parts. */
export interface MapTilesTask extends Task {
  kind: 'map-tiles';
  tiles: { id: number; parts: { path: string; from: number; to: number }[] }[];
}

/** Level 9 takes twice the time for two per cent. */
const LEVEL = 6;

/** Runs it: the gzipped tiles in the order in which they were asked for. Throws when a file of parts cannot be read. */
export async function mapTilesOf({ tiles }: MapTilesTask): Promise<Uint8Array[]> {
  return tiles.map(({ id, parts }) => {
    const buildings = parts.flatMap((part) => readTileBuildings(readPart(part)));
    return packTile(buildingTile(tileIdToZxy(id)[0], buildings));
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
