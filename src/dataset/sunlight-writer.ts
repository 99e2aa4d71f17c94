import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SUNLIGHT_STORE, sunlightBulkName } from './sunlight.ts';
import { type BulkCredit, writeSunlightBulk } from './sunlight-bulk.ts';
import { SunlightStore } from './sunlight-store.ts';
import { type EncodedBuilding, type SunlightStoreCounts, writeSunlightStore } from './sunlight-store-writer.ts';
import { type NamedTown, TOWNS_FILE, writeTowns } from './towns.ts';

/**
 * Writes the sunlight half of a dataset below its draft folder: towns, serving store, and a Parquet file for each
 * ward. Buildings come in ascending order of ID (as UTF-8 bytes) and are not kept. Returns counts, and the rows of
 * the files that are tables, for `publishDataset`. Throws as `writeSunlightStore` and `writeSunlightBulk`.
 */
export async function writeSunlight(
  draft: string,
  buildings: Iterable<EncodedBuilding>,
  towns: Iterable<NamedTown>,
  credit: BulkCredit,
): Promise<{ counts: SunlightStoreCounts; rows: Record<string, number> }> {
  const directory = await writeTowns(join(draft, TOWNS_FILE), towns);
  const path = join(draft, SUNLIGHT_STORE);
  const counts = await writeSunlightStore(path, buildings);
  const rows: Record<string, number> = {};
  const store = new SunlightStore(path);
  try {
    for (const [ward, { box }] of counts.wards) {
      const name = sunlightBulkName(ward);
      await mkdir(dirname(join(draft, name)), { recursive: true });
      const townName = (code: string): string | null => directory.name(code);
      rows[name] = await writeSunlightBulk(join(draft, name), store.records(ward), townName, box, credit);
    }
  } finally {
    await store.close();
  }
  return { counts, rows };
}
