import type { KeyObject } from 'node:crypto';
import { join, resolve } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { parseSquareIndex, SQUARES_INDEX } from '../city/square-summary.ts';
import { areCurvesOf, unpackCurves } from '../city/square-sun.ts';
import { SUN_SORTS } from '../contract/operations/sunlight-towns.ts';
import { listFiles } from '../formats/files.ts';
import { summaryAnswer } from '../record/answers.ts';
import { boxOf } from '../record/building-record.ts';
import { decodeBody, decodeHead } from '../record/codec.ts';
import { DatasetFiles } from '../snapshot/dataset-files.ts';
import { MANIFEST_FILE, readManifest } from '../snapshot/manifest.ts';
import { addDifferences, checkFiles, type Verification } from '../snapshot/verification.ts';
import { ADDRESS_INDEX, verifyAddresses } from './address-index.ts';
import { cellsOf, encodeEntry } from './cell.ts';
import { GML_IDS, verifyGmlIds } from './gml-ids.ts';
import { verifyKaigo } from './kaigo-verify.ts';
import { SEARCH_INDEX, verifySearch } from './search-index.ts';
import { sunlightBulkName } from './sunlight.ts';
import { packSummary } from './sunlight-json.ts';
import { SUNLIGHT_STORE, SunlightStore } from './sunlight-store.ts';
import { byMostSun, type SunRanked, sunRanked } from './sunlight-writer.ts';
import { SUNSHINE_INDEX, verifySunshine } from './sunshine-index.ts';
import { TOWNS_FILE, TownDirectory } from './town-directory.ts';

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
  const verification: Verification = { manifest, files: 0, bytes: 0, checked: {}, differences: [] };
  await verifyFiles(path, verification);
  if (verification.differences.length > 0) return verification;
  const files = await DatasetFiles.open(path, manifest);
  try {
    if (manifest.halves.sunlight) await verifySunlight(files, verification);
    if (manifest.halves.kaigo) await verifyKaigo(files, verification);
    if (GML_IDS in manifest.files) verifyGmlIds(files, verification);
    if (SEARCH_INDEX in manifest.files) await verifySearch(files, verification);
    if (ADDRESS_INDEX in manifest.files) verifyAddresses(files, verification);
    if (SUNSHINE_INDEX in manifest.files) verifySunshine(files, verification);
    await verifyTables(path, verification);
  } finally {
    files.close();
  }
  return verification;
}

/** Compares the files of the folder with the manifest. */
async function verifyFiles(folder: string, verification: Verification): Promise<void> {
  const { manifest, differences } = verification;
  for await (const { name, bytes, difference } of checkFiles(folder, manifest)) {
    if (difference !== null) differences.push(`${name}: ${difference}`);
    if (difference === 'is missing') continue;
    verification.files++;
    verification.bytes += bytes;
  }
  for (const name of await listFiles(folder)) {
    if (name !== MANIFEST_FILE && !(name in manifest.files)) differences.push(`${name}: is not in the manifest`);
  }
}

/** Compares the number of rows of every Parquet file with the manifest. */
async function verifyTables(folder: string, verification: Verification): Promise<void> {
  const tables = Object.entries(verification.manifest.files).filter(([name]) => name.endsWith('.parquet'));
  if (tables.length === 0) return;
  const database = await DuckDBInstance.create(':memory:');
  const connection = await database.connect();
  try {
    let rows = 0;
    for (const [name, { rows: expected }] of tables) {
      const path = join(folder, name).replaceAll("'", "''");
      const result = await connection.runAndReadAll(`SELECT num_rows FROM parquet_file_metadata('${path}')`);
      const count = Number(result.getRows()[0][0]);
      if (count !== expected)
        verification.differences.push(`${name}: has ${count} rows, the manifest says ${expected}`);
      rows += count;
    }
    verification.checked.rows = rows;
  } finally {
    connection.closeSync();
    database.closeSync();
  }
}

/**
 * Checks the sunlight store. Decodes every record. Makes the summaries, cells, town lists and sun curves again and
 * compares them. Compares the number of buildings of each ward with its bulk file. Adds differences to `verification`.
 */
async function verifySunlight(files: DatasetFiles, verification: Verification): Promise<void> {
  const towns = TownDirectory.parse(await files.read(TOWNS_FILE));
  const store = new SunlightStore(files.open(SUNLIGHT_STORE));
  const differences: string[] = [];
  const byWard = new Map<string, SunRanked[]>();
  const byTown = new Map<string, string[]>();
  const cells = new CellCheck(store);
  let buildings = 0;
  for (const { buildingId, bytes, summary } of store.records('')) {
    buildings++;
    try {
      const head = decodeHead(buildingId, bytes);
      listOf(byWard, head.wardCode).push(sunRanked(head));
      decodeBody(bytes);
      const expected = packSummary(summaryAnswer(head, (code) => towns.name(code)));
      if (!areEqual(summary, expected)) differences.push(`${buildingId}: its summary is not that of its record`);
      const box = boxOf(head);
      for (const [row, column] of cellsOf(box)) {
        cells.expect(row, column, buildingId, encodeEntry(row, column, box, expected, head.footprints));
      }
      if (head.townCode !== null) {
        listOf(byTown, head.townCode).push(buildingId);
        if (towns.get(head.townCode) === null) {
          differences.push(`${buildingId}: stands in town ${head.townCode}, which ${TOWNS_FILE} does not list`);
        }
      }
    } catch (error) {
      differences.push(`${buildingId}: its record cannot be decoded: ${(error as Error).message}`);
    }
  }
  differences.push(...cells.differences(), ...(await curveDifferences(files, store)));
  for (const [town, ids] of byTown) {
    const { ids: listed } = store.townBuildings(town, 0, Number.MAX_SAFE_INTEGER);
    if (!areEqual(listed, ids))
      differences.push(`town ${town}: lists ${listed.length} buildings, ${ids.length} stand there`);
  }
  for (const [ward, ranked] of byWard) {
    const count = ranked.length;
    for (const sort of SUN_SORTS) {
      const { ids } = store.wardBuildings(ward, sort, 0, Number.MAX_SAFE_INTEGER);
      if (!areEqual(ids, byMostSun(ranked, sort)))
        differences.push(`ward ${ward}: its list by ${sort} is not that of the hours of its buildings`);
    }
    const rows = verification.manifest.files[sunlightBulkName(ward)]?.rows;
    if (rows !== count)
      differences.push(`${sunlightBulkName(ward)}: has ${rows ?? 'no'} rows, the store ${count} records`);
  }
  Object.assign(verification.checked, { buildings, cells: cells.count, towns: towns.list.length });
  addDifferences(verification, SUNLIGHT_STORE, differences);
}

/** The grid squares whose sun curves are missing or wrong. */
async function curveDifferences(files: DatasetFiles, store: SunlightStore): Promise<string[]> {
  if (!(SQUARES_INDEX in files.manifest.files)) return [];
  // A square without a fingerprint has no building with an ID, and so no results.
  const withResults = parseSquareIndex(await files.read(SQUARES_INDEX)).filter(
    ({ fingerprint }) => fingerprint !== null,
  );
  return withResults.flatMap(({ square }) => {
    const curves = store.curves(square);
    if (curves === undefined) return `grid square ${square}: has no curves of the sun`;
    try {
      if (areCurvesOf(square, unpackCurves(curves))) return [];
    } catch (error) {
      return `grid square ${square}: its curves of the sun cannot be read: ${(error as Error).message}`;
    }
    return `grid square ${square}: its curves of the sun are not those of its place`;
  });
}

/** Compares the content of the cells, building by building in order of ID. */
class CellCheck {
  readonly #store: SunlightStore;
  /** By cell: the number of its correct bytes so far. */
  readonly #equalBytes = new Map<string, number>();
  /** By cell with wrong bytes: the first building whose bytes are wrong. */
  readonly #wrong = new Map<string, string>();

  constructor(store: SunlightStore) {
    this.#store = store;
  }

  get count(): number {
    return this.#equalBytes.size;
  }

  /** Compares the next entry of a cell with the expected one, unless an earlier entry of the cell was wrong. */
  expect(row: number, column: number, buildingId: string, entry: Uint8Array): void {
    const cell = `${row},${column}`;
    if (this.#wrong.has(cell)) return;
    const start = this.#equalBytes.get(cell) ?? 0;
    const end = start + entry.length;
    const isEqual = this.#store.cell(row, column, (bytes) => areEqual(bytes.subarray(start, end), entry));
    this.#equalBytes.set(cell, isEqual ? end : start);
    if (!isEqual) this.#wrong.set(cell, buildingId);
  }

  /** A line for each cell that differs from the records. */
  *differences(): Generator<string> {
    for (const [cell, equalBytes] of this.#equalBytes) {
      const [row, column] = cell.split(',').map(Number) as [number, number];
      const building = this.#wrong.get(cell);
      if (building !== undefined) yield `cell ${cell}: does not agree with the record of ${building}`;
      // The cell goes on behind the buildings of the records.
      else if (this.#store.cell(row, column, ({ length }) => length > equalBytes))
        yield `cell ${cell}: has more buildings than there are`;
    }
  }
}

/** The list of a key; a key without one gets an empty list. */
function listOf<Item>(map: Map<string, Item[]>, key: string): Item[] {
  let list = map.get(key);
  if (list === undefined) {
    list = [];
    map.set(key, list);
  }
  return list;
}

const areEqual = <T>(a: ArrayLike<T>, b: ArrayLike<T>): boolean => {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
};
