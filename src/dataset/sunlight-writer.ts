import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { idNamesCity, prefixOf } from './record/building-record.ts';
import { decodeHead } from './record/codec.ts';
import { sunlightBulkName } from './sunlight.ts';
import type { BulkCredit, ComputedBuilding } from './sunlight-bulk.ts';
import { SUNLIGHT_STORE } from './sunlight-store.ts';
import { type EncodedBuilding, type KeptSun, type WardBuildings, writeSunlightStore } from './sunlight-store-writer.ts';
import { type NamedTown, TOWN_SUN_FILE, TOWNS_FILE, TownDirectory, TownSunSums, writeTowns } from './town-directory.ts';

/** The bulk file of one ward, to be written: plain data, so that any thread may do it. */
export interface WardBulk extends WardBuildings {
  /** Folder of the dataset, with its towns. */
  draft: string;
  credit: BulkCredit;
}

/** Writes one bulk file; `buildings` are in order of ID, and others than those of the ward are passed over. Returns its rows. Throws as `writeSunlightBulk`. */
export async function writeWardBulk(
  { draft, wardCode, box, credit }: WardBulk,
  buildings: Iterable<ComputedBuilding>,
): Promise<number> {
  // DuckDB is loaded only by the thread that writes these files.
  const { writeSunlightBulk } = await import('./sunlight-bulk.ts');
  const towns = TownDirectory.parse(await readFile(join(draft, TOWNS_FILE)));
  const path = join(draft, sunlightBulkName(wardCode));
  await mkdir(dirname(path), { recursive: true });
  return writeSunlightBulk(path, ofWard(wardCode, buildings), (code) => towns.name(code), box, credit);
}

function* ofWard(wardCode: string, buildings: Iterable<ComputedBuilding>): Generator<ComputedBuilding> {
  for (const building of buildings) {
    const { buildingId, bytes } = building;
    // Only under a city's own code do the wards lie mixed.
    const ward = idNamesCity(buildingId) ? decodeHead(buildingId, bytes).wardCode : prefixOf(buildingId);
    if (ward === wardCode) yield building;
  }
}

/**
 * Writes the sunlight half of a dataset below its draft folder: towns, serving store, and a Parquet file for each
 * ward. Buildings come in ascending order of ID (as UTF-8 bytes), suns in order of grid square, and they are not kept. `writeBulk` has `writeWardBulk` write
 * a bulk file, on whatever thread, and gives its rows; it is asked as soon as the store has the last building of a ward.
 * Returns the rows of the bulk files by name, for `publishDataset`. Throws as `writeSunlightStore` and `writeBulk`, and
 * not before the bulk files that were begun are done with.
 */
export async function writeSunlight(
  draft: string,
  buildings: Iterable<EncodedBuilding>,
  towns: Iterable<NamedTown>,
  credit: BulkCredit,
  writeBulk: (bulk: WardBulk) => Promise<number>,
  suns: Iterable<KeptSun> = [],
): Promise<Record<string, number>> {
  const directory = await writeTowns(join(draft, TOWNS_FILE), towns);
  const bulks: Promise<[name: string, rows: number]>[] = [];
  const wardDone = (ward: WardBuildings): void => {
    const written = writeBulk({ draft, ...ward, credit });
    written.catch(() => {}); // Its failure is heard below, when the store is done.
    bulks.push(written.then((rows) => [sunlightBulkName(ward.wardCode), rows]));
  };
  const townSun = new TownSunSums();
  const townName = (code: string): string | null => directory.name(code);
  const store = writeSunlightStore(join(draft, SUNLIGHT_STORE), buildings, townName, wardDone, townSun, suns);
  await Promise.allSettled([store]);
  await Promise.allSettled(bulks);
  await store;
  await townSun.write(join(draft, TOWN_SUN_FILE));
  return Object.fromEntries(await Promise.all(bulks));
}
