import { parseSquareIndex, SQUARES_INDEX } from '../city/square-summary.ts';
import { areCurvesOf, unpackCurves } from '../city/square-sun.ts';
import { summaryAnswer } from '../record/answers.ts';
import { boxOf } from '../record/building-record.ts';
import { decodeBody, decodeHead } from '../record/codec.ts';
import type { DatasetFiles } from '../snapshot/dataset-files.ts';
import { addDifferences, type Verification } from '../snapshot/verification.ts';
import { cellsOf, encodeEntry } from './cell.ts';
import { sunlightBulkName } from './sunlight.ts';
import { packSummary } from './sunlight-json.ts';
import { SUNLIGHT_STORE, SunlightStore } from './sunlight-store.ts';
import { TOWNS_FILE, TownDirectory } from './town-directory.ts';

/**
 * Checks the sunlight store. Decodes every record. Makes the summaries, cells, town lists and sun curves again and
 * compares them. Compares the number of buildings of each ward with its bulk file. Adds differences to `found`.
 */
export async function verifySunlight(files: DatasetFiles, found: Verification): Promise<void> {
  const towns = TownDirectory.parse(await files.read(TOWNS_FILE));
  const store = new SunlightStore(files.open(SUNLIGHT_STORE));
  const differences: string[] = [];
  const byWard = new Map<string, number>();
  const byTown = new Map<string, string[]>();
  const cells = new CellCheck(store);
  let buildings = 0;
  for (const { buildingId, bytes, summary } of store.records('')) {
    buildings++;
    try {
      const head = decodeHead(buildingId, bytes);
      byWard.set(head.wardCode, (byWard.get(head.wardCode) ?? 0) + 1);
      decodeBody(bytes);
      const expected = packSummary(summaryAnswer(head, (code) => towns.name(code)));
      if (!same(summary, expected)) differences.push(`${buildingId}: its summary is not that of its record`);
      const box = boxOf(head);
      for (const [row, column] of cellsOf(box)) {
        cells.expect(row, column, buildingId, encodeEntry(row, column, box, expected, head.footprints));
      }
      if (head.townCode !== null) {
        listed(byTown, head.townCode).push(buildingId);
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
    const { ids: there } = store.townBuildings(town, 0, Number.MAX_SAFE_INTEGER);
    if (!same(there, ids)) differences.push(`town ${town}: lists ${there.length} buildings, ${ids.length} stand there`);
  }
  for (const [ward, count] of byWard) {
    const rows = found.manifest.files[sunlightBulkName(ward)]?.rows;
    if (rows !== count)
      differences.push(`${sunlightBulkName(ward)}: has ${rows ?? 'no'} rows, the store ${count} records`);
  }
  Object.assign(found.checked, { buildings, cells: cells.count, towns: towns.list.length });
  addDifferences(found, SUNLIGHT_STORE, differences);
}

/** The grid squares whose sun curves are missing or wrong. */
async function curveDifferences(files: DatasetFiles, store: SunlightStore): Promise<string[]> {
  if (!(SQUARES_INDEX in files.manifest.files)) return [];
  const served = parseSquareIndex(await files.read(SQUARES_INDEX)).filter(({ fingerprint }) => fingerprint !== null);
  return served.flatMap(({ square }) => {
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
  /** By cell: the number of its correct bytes so far, or the first building whose bytes are wrong. */
  readonly #seen = new Map<string, number | string>();

  constructor(store: SunlightStore) {
    this.#store = store;
  }

  get count(): number {
    return this.#seen.size;
  }

  /** Compares the next entry of a cell with the expected one. */
  expect(row: number, column: number, buildingId: string, entry: Uint8Array): void {
    const cell = `${row},${column}`;
    const at = this.#seen.get(cell) ?? 0;
    if (typeof at === 'string') return;
    const isThere = this.#store.cell(row, column, (bytes) => same(bytes.subarray(at, at + entry.length), entry));
    this.#seen.set(cell, isThere ? at + entry.length : buildingId);
  }

  *differences(): Generator<string> {
    for (const [cell, seen] of this.#seen) {
      const [row, column] = cell.split(',').map(Number) as [number, number];
      if (typeof seen === 'string') yield `cell ${cell}: does not agree with the record of ${seen}`;
      else if (this.#store.cell(row, column, ({ length }) => length > seen))
        yield `cell ${cell}: has more buildings than there are`;
    }
  }
}

function listed(map: Map<string, string[]>, key: string): string[] {
  let list = map.get(key);
  if (list === undefined) {
    list = [];
    map.set(key, list);
  }
  return list;
}

const same = <T>(a: ArrayLike<T>, b: ArrayLike<T>): boolean => {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
};
