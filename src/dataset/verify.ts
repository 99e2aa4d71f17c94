import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { fileDigest, listFiles } from '../formats/files.ts';
import { verifyKaigo } from './kaigo-verify.ts';
import { MANIFEST_FILE, readManifest } from './manifest.ts';
import { verifySunlight } from './sunlight-verify.ts';
import type { Verification } from './verification.ts';

/**
 * Checks a dataset through and through: every file against its size and SHA-256, files that the manifest does not
 * list, and, when those are as they should be, what is in them: every record is decoded and found again in the
 * indexes, and every table has its rows. Throws `DatasetError` when the manifest cannot be read.
 */
export async function verifyDataset(folder: string): Promise<Verification> {
  const path = resolve(folder);
  const manifest = await readManifest(path);
  const found: Verification = { manifest, files: 0, bytes: 0, checked: {}, differences: [] };
  await verifyFiles(path, found);
  // A damaged file is not opened: its pages may lead anywhere.
  if (found.differences.length === 0) {
    if (manifest.halves.sunlight) await verifySunlight(path, found);
    if (manifest.halves.kaigo) await verifyKaigo(path, found);
    await verifyTables(path, found);
  }
  return found;
}

async function verifyFiles(folder: string, found: Verification): Promise<void> {
  const { files } = found.manifest;
  for (const [name, expected] of Object.entries(files)) {
    const path = join(folder, name);
    const entry = await stat(path).catch((error: NodeJS.ErrnoException) => error);
    if (entry instanceof Error) {
      found.differences.push(entry.code === 'ENOENT' ? `${name}: is missing` : `${name}: ${entry.message}`);
      continue;
    }
    const { bytes, sha256 } = await fileDigest(path);
    found.files++;
    found.bytes += bytes;
    if (bytes !== expected.bytes) {
      found.differences.push(`${name}: has ${bytes} bytes, the manifest says ${expected.bytes}`);
    } else if (sha256 !== expected.sha256) {
      found.differences.push(`${name}: its SHA-256 is ${sha256}, the manifest says ${expected.sha256}`);
    }
  }
  for (const name of await listFiles(folder)) {
    if (name !== MANIFEST_FILE && !(name in files)) found.differences.push(`${name}: is not in the manifest`);
  }
}

/** Compares the rows of every Parquet file with the manifest. */
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
      const count = Number(result.getRows()[0]![0]);
      if (count !== expected) found.differences.push(`${name}: has ${count} rows, the manifest says ${expected}`);
      rows += count;
    }
    found.checked.rows = rows;
  } finally {
    connection.closeSync();
    database.closeSync();
  }
}
