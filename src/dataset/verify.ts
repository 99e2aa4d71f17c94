import type { KeyObject } from 'node:crypto';
import { join, resolve } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { listFiles } from '../formats/files.ts';
import { DatasetFiles } from '../snapshot/dataset-files.ts';
import { MANIFEST_FILE, readManifest } from '../snapshot/manifest.ts';
import { checkFiles, type Verification } from '../snapshot/verification.ts';
import { ADDRESS_INDEX, verifyAddresses } from './address-index.ts';
import { GML_IDS, verifyGmlIds } from './gml-ids.ts';
import { verifyKaigo } from './kaigo-verify.ts';
import { SEARCH_INDEX, verifySearch } from './search-index.ts';
import { verifySunlight } from './sunlight-verify.ts';
import { SUNSHINE_INDEX, verifySunshine } from './sunshine-index.ts';

/**
 * Checks a whole dataset. Compares every file with its size and SHA-256 and finds files that the manifest does not
 * list. If there are no differences, checks the contents: decodes every record, looks it up in the indexes, and counts
 * the rows of every table.
 * @param trusted key of the signature of the manifest; null: no signature needed
 * @throws DatasetError when the manifest cannot be read
 */
export async function verifyDataset(folder: string, trusted: KeyObject | null = null): Promise<Verification> {
  const path = resolve(folder);
  const manifest = await readManifest(path, trusted);
  const found: Verification = { manifest, files: 0, bytes: 0, checked: {}, differences: [] };
  await verifyFiles(path, found);
  if (found.differences.length > 0) return found;
  const files = await DatasetFiles.open(path, manifest);
  try {
    if (manifest.halves.sunlight) await verifySunlight(files, found);
    if (manifest.halves.kaigo) await verifyKaigo(files, found);
    if (GML_IDS in manifest.files) verifyGmlIds(files, found);
    if (SEARCH_INDEX in manifest.files) await verifySearch(files, found);
    if (ADDRESS_INDEX in manifest.files) verifyAddresses(files, found);
    if (SUNSHINE_INDEX in manifest.files) verifySunshine(files, found);
    await verifyTables(path, found);
  } finally {
    files.close();
  }
  return found;
}

async function verifyFiles(folder: string, found: Verification): Promise<void> {
  const { manifest, differences } = found;
  for await (const { name, bytes, difference } of checkFiles(folder, manifest)) {
    if (difference !== null) differences.push(`${name}: ${difference}`);
    if (difference === 'is missing') continue;
    found.files++;
    found.bytes += bytes;
  }
  for (const name of await listFiles(folder)) {
    if (name !== MANIFEST_FILE && !(name in manifest.files)) differences.push(`${name}: is not in the manifest`);
  }
}

/** Compares the number of rows of every Parquet file with the manifest. */
async function verifyTables(folder: string, found: Verification): Promise<void> {
  const tables = Object.entries(found.manifest.files).filter(([name]) => name.endsWith('.parquet'));
  if (tables.length === 0) return;
  const database = await DuckDBInstance.create(':memory:');
  const connection = await database.connect();
  try {
    let rows = 0;
    for (const [name, { rows: expected }] of tables) {
      const path = join(folder, name).replaceAll("'", "''");
      const result = await connection.runAndReadAll(`SELECT num_rows FROM parquet_file_metadata('${path}')`);
      const count = Number(result.getRows()[0][0]);
      if (count !== expected) found.differences.push(`${name}: has ${count} rows, the manifest says ${expected}`);
      rows += count;
    }
    found.checked.rows = rows;
  } finally {
    connection.closeSync();
    database.closeSync();
  }
}
