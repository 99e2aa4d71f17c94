import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFiles } from '../../src/dataset/dataset-files.ts';
import { decodeBody, decodeHead } from '../../src/dataset/record/codec.ts';
import { packFaceHours } from '../../src/dataset/record/face-hours.ts';
import type { ComputedBuilding } from '../../src/dataset/sunlight-bulk.ts';
import { SUNLIGHT_STORE, SunlightStore } from '../../src/dataset/sunlight-store.ts';
import { gridSquareOf } from '../../src/geo/grid-square.ts';
import { writeMap } from '../../src/pipeline/map-stage.ts';
import { encodeResults } from '../../src/pipeline/result-file.ts';
import { readTownPaths } from '../../src/pipeline/towns.ts';
import { WorkerPool } from '../../src/pipeline/worker-pool.ts';

const CREDIT = {
  dataset_id: '0000000000000000',
  generated_at: '2026-01-01T00:00:00Z',
  license: 'CC-BY-4.0',
  attribution: 'measured, not published',
  reference_year: 2026,
};

/** What drawing a dataset's map took: wall-clock and processor seconds, largest resident memory in MB. */
export interface MapCost {
  buildings: number;
  seconds: number;
  processorSeconds: number;
  mapPath: string;
}

/**
 * Draws the map of a finished dataset again below `folder`, as a build does after its computing: from the results of
 * each grid square, taken out of the store.
 */
export async function drawMap(
  dataset: string,
  towns: string[],
  folder: string,
  workers: number,
  copies = 1,
): Promise<MapCost> {
  mkdirSync(folder, { recursive: true });
  const { results, bounds, buildings } = await resultFiles(dataset, folder);
  const read = towns.length === 0 ? [] : (await readTownPaths(towns, null)).towns;
  const mapPath = join(folder, 'map.pmtiles');
  const pool = new WorkerPool(new URL('../../src/pipeline/worker.ts', import.meta.url), workers, { towns: [] });
  const [start, processor] = [performance.now(), process.cpuUsage()];
  const repeated = Array.from({ length: copies }, () => results).flat();
  await writeMap({ results: repeated, towns: read, bounds }, mapPath, CREDIT, pool, () => {});
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(processor);
  await pool.stop();
  return { buildings: buildings * copies, seconds, processorSeconds: (user + system) / 1e6, mapPath };
}

/** Writes the result file of every grid square of a dataset. */
async function resultFiles(dataset: string, folder: string) {
  const files = await openFiles(dataset);
  const store = new SunlightStore(files.open(SUNLIGHT_STORE));
  const squares = new Map<string, ComputedBuilding[]>();
  const bounds = { west: 180, south: 90, east: -180, north: -90 };
  let buildings = 0;
  for (const { buildingId, bytes } of store.records('')) {
    const { lat, lon } = decodeHead(buildingId, bytes);
    bounds.west = Math.min(bounds.west, lon);
    bounds.east = Math.max(bounds.east, lon);
    bounds.south = Math.min(bounds.south, lat);
    bounds.north = Math.max(bounds.north, lat);
    const square = gridSquareOf(lat, lon);
    const list = squares.get(square) ?? [];
    squares.set(square, list);
    list.push({ buildingId, bytes, hours: packFaceHours(decodeBody(bytes).faces) });
    buildings++;
  }
  files.close();
  const results = [...squares].map(([square, list]) => {
    const path = join(folder, `${square}.results`);
    writeFileSync(path, encodeResults({ square, fingerprint: '' }, list));
    return path;
  });
  return { results, bounds, buildings };
}
