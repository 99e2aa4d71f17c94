import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Box } from './cell.ts';
import { SUNLIGHT_STORE, sunlightBulkName } from './sunlight.ts';
import { type BulkCredit, writeSunlightBulk } from './sunlight-bulk.ts';
import { SunlightStore } from './sunlight-store.ts';
import { type EncodedBuilding, type SunlightStoreCounts, writeSunlightStore } from './sunlight-store-writer.ts';
import { type NamedTown, TOWNS_FILE, TownDirectory, writeTowns } from './towns.ts';

/** The bulk file of one ward, to be written: plain data, so that any thread may do it. */
export interface WardBulk {
  /** Folder of the dataset, with its store and its towns. */
  draft: string;
  wardCode: string;
  /** Holds the footprints of its buildings. */
  box: Box;
  credit: BulkCredit;
}

/** Writes one bulk file from the store. Returns its rows. Throws as `writeSunlightBulk`. */
export async function writeWardBulk({ draft, wardCode, box, credit }: WardBulk): Promise<number> {
  const towns = await TownDirectory.read(join(draft, TOWNS_FILE));
  const path = join(draft, sunlightBulkName(wardCode));
  await mkdir(dirname(path), { recursive: true });
  const store = new SunlightStore(join(draft, SUNLIGHT_STORE));
  try {
    return await writeSunlightBulk(path, store.records(wardCode), (code) => towns.name(code), box, credit);
  } finally {
    await store.close();
  }
}

/**
 * Writes the sunlight half of a dataset below its draft folder: towns, serving store, and a Parquet file for each
 * ward. Buildings come in ascending order of ID (as UTF-8 bytes) and are not kept. `writeBulks` may share the bulk
 * files out among threads; it gives their rows. Returns counts, and the rows of the files that are tables, for
 * `publishDataset`. Throws as `writeSunlightStore` and `writeSunlightBulk`.
 */
export async function writeSunlight(
  draft: string,
  buildings: Iterable<EncodedBuilding>,
  towns: Iterable<NamedTown>,
  credit: BulkCredit,
  writeBulks: (bulks: WardBulk[]) => Promise<number[]> = oneByOne,
): Promise<{ counts: SunlightStoreCounts; rows: Record<string, number> }> {
  const directory = await writeTowns(join(draft, TOWNS_FILE), towns);
  const counts = await writeSunlightStore(join(draft, SUNLIGHT_STORE), buildings, (code) => directory.name(code));
  const bulks = [...counts.wards].map(([wardCode, { box }]): WardBulk => ({ draft, wardCode, box, credit }));
  const written = await writeBulks(bulks);
  const rows = Object.fromEntries(bulks.map(({ wardCode }, i) => [sunlightBulkName(wardCode), written[i]!]));
  return { counts, rows };
}

async function oneByOne(bulks: WardBulk[]): Promise<number[]> {
  const rows: number[] = [];
  for (const bulk of bulks) rows.push(await writeWardBulk(bulk));
  return rows;
}
