import { join } from 'node:path';
import type { EncodedBuilding } from '../record/codec.ts';
import { sunlightBulkName } from './sunlight.ts';
import { SUNLIGHT_STORE } from './sunlight-store.ts';
import { type KeptSun, type WardBuildings, writeSunlightStore } from './sunlight-store-writer.ts';
import { type NamedTown, TOWN_SUN_FILE, TOWNS_FILE, TownSunSums, writeTowns } from './town-directory.ts';

export type { KeptSun, WardBuildings };

/**
 * Writes the sunlight half of a dataset below its draft folder: towns, serving store, and a Parquet file for each ward.
 * @param buildings in ascending order of ID (as UTF-8 bytes); they are not kept in memory
 * @param writeBulk writes the bulk file of a ward and returns its number of rows. It is called when the store has the
 * last building of the ward.
 * @param suns in order of grid square; they are not kept in memory
 * @returns the rows of the bulk files by name, for `publishDataset`
 * @throws like `writeSunlightStore` and `writeBulk`, after all started bulk files have ended
 */
export async function writeSunlight(
  draft: string,
  buildings: Iterable<EncodedBuilding>,
  towns: Iterable<NamedTown>,
  writeBulk: (ward: WardBuildings) => Promise<number>,
  suns: Iterable<KeptSun> = [],
  stored: () => Promise<void> = async () => {},
): Promise<Record<string, number>> {
  const directory = await writeTowns(join(draft, TOWNS_FILE), towns);
  const bulks: Promise<[name: string, rows: number]>[] = [];
  const wardDone = (ward: WardBuildings): void => {
    const written = writeBulk(ward).then((rows): [string, number] => [sunlightBulkName(ward.wardCode), rows]);
    written.catch(() => {}); // Its failure is thrown below, after the store is complete.
    bulks.push(written);
  };
  const townSun = new TownSunSums();
  const townName = (code: string): string | null => directory.name(code);
  const store = writeSunlightStore(join(draft, SUNLIGHT_STORE), buildings, townName, wardDone, townSun, suns).then(
    stored,
  );
  await Promise.allSettled([store]);
  await Promise.allSettled(bulks);
  await store;
  await townSun.write(join(draft, TOWN_SUN_FILE));
  return Object.fromEntries(await Promise.all(bulks));
}
