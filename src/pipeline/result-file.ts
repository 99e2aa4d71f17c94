import { readFileSync } from 'node:fs';
import { ColumnFileError, decodeColumns, encodeColumns } from '../formats/column-file.ts';
import { FileWindow } from '../formats/file-window.ts';
import { prefixOf } from '../record/building-record.ts';
import type { ComputedBuilding } from '../record/face-hours.ts';
import type { PlannedUnit } from './plan.ts';

/**
 * The results of one grid square on disk: one row for each served building, in order of ID.
 *
 * u32 bytes of the record · u16 hours · u16 bytes of the ID · hours (u16 each) · ID · record · padding to 8
 *
 * Numbers are little-endian. The head of the file has the position of each ward's rows. So the rows of many files can
 * be read in turn with little memory.
 */
interface ResultMeta {
  square: string;
  fingerprint: string;
  wards: WardRows[];
}

/** The rows of the buildings with the same first five digits of the ID. */
interface WardRows {
  prefix: string;
  /** ID of the first building. */
  firstId: string;
  /** The beginning and the end of the rows, bytes. */
  from: number;
  to: number;
}

/** A checked result file and the positions in it. It is plain data, so any thread can read the file. */
export interface ResultFile {
  path: string;
  /** Where the rows begin in the file, bytes. */
  start: number;
  /** In order of prefix. */
  wards: WardRows[];
}

const KIND = 'results';
/**
 * A row begins with the lengths of its parts: record (4 bytes), hours (2) and ID (2). The hours, the ID and the record
 * follow. The row is filled up to a multiple of 8 bytes, so that the hours, 16 bits each, lie at an even address.
 */
const HEAD_BYTES = 8;

/**
 * The bytes of a result file.
 * @param buildings in order of ID
 */
export function encodeResults(
  about: Pick<ResultMeta, 'square' | 'fingerprint'>,
  buildings: readonly ComputedBuilding[],
): Uint8Array {
  const wards: WardRows[] = [];
  let size = 0;
  for (const building of buildings) {
    const prefix = prefixOf(building.buildingId);
    let ward = wards.at(-1);
    if (ward?.prefix !== prefix) {
      ward = { prefix, firstId: building.buildingId, from: size, to: size };
      wards.push(ward);
    }
    size += rowBytes(building.bytes.length, building.hours.length, Buffer.byteLength(building.buildingId));
    ward.to = size;
  }
  const rows = Buffer.alloc(size);
  let start = 0;
  for (const building of buildings) start = writeRow(rows, start, building);
  return encodeColumns<ResultMeta>(KIND, { meta: { ...about, wards }, columns: { rows } });
}

/** The bytes of a row, filled up to a multiple of 8. */
const rowBytes = (recordBytes: number, hourCount: number, idBytes: number): number =>
  (HEAD_BYTES + 2 * hourCount + idBytes + recordBytes + 7) & ~7;

/** Writes a row at `start` and returns its end: the lengths of its parts (HEAD_BYTES), hours, ID and record. */
function writeRow(rows: Buffer, start: number, { buildingId, bytes, hours }: ComputedBuilding): number {
  const idStart = start + HEAD_BYTES + 2 * hours.length;
  const idBytes = rows.write(buildingId, idStart);
  rows.writeUInt32LE(bytes.length, start);
  rows.writeUInt16LE(hours.length, start + 4);
  rows.writeUInt16LE(idBytes, start + 6);
  rows.set(new Uint8Array(hours.buffer, hours.byteOffset, hours.byteLength), start + HEAD_BYTES);
  rows.set(bytes, idStart + idBytes);
  return start + rowBytes(bytes.length, hours.length, idBytes);
}

/**
 * Checks the result file of a grid square. Returns where its rows are.
 * @throws ColumnFileError when it is damaged, or is of another square or of other inputs (`fingerprint`)
 */
export function checkedResults(path: string, unit: Pick<PlannedUnit, 'square' | 'fingerprint'>): ResultFile {
  const bytes = readFileSync(path);
  const { meta, columns } = decodeColumns<ResultMeta>(KIND, bytes, path);
  if (meta.square !== unit.square || meta.fingerprint !== unit.fingerprint) {
    throw new ColumnFileError(`${path}: is the result of grid square ${meta.square}, fingerprint ${meta.fingerprint}`);
  }
  return { path, start: columns.rows.byteOffset - bytes.byteOffset, wards: meta.wards };
}

/** True when a file has buildings whose ID begins with these five digits. */
export const hasBuildings = ({ wards }: ResultFile, prefix: string): boolean =>
  wards.some((ward) => ward.prefix === prefix);

/** A building of a result file. */
interface ResultRow extends ComputedBuilding {
  file: ResultFile;
}

/** Reads consecutive rows of a result file. The first row is read only when it is needed. */
class ResultCursor {
  /** The ID in the current row. */
  buildingId: string;
  readonly #file: ResultFile;
  readonly #rows: FileWindow;
  #row: ResultRow | null = null;

  /** @param wards consecutive wards of the file */
  constructor(file: ResultFile, wards: readonly WardRows[]) {
    this.buildingId = wards[0].firstId;
    this.#file = file;
    this.#rows = new FileWindow(file.path, file.start + wards[0].from, file.start + wards[wards.length - 1].to);
  }

  /** The building of the current row. */
  building(): ResultRow {
    this.#row ??= this.#read();
    return this.#row;
  }

  /** Moves to the next row; false after the last. */
  next(): boolean {
    if (this.#rows.isAtEnd) return false;
    this.#row = this.#read();
    this.buildingId = this.#row.buildingId;
    return true;
  }

  /** Reads the next row: its head has the lengths of the record, the hours and the ID; then come hours, ID and record. */
  #read(): ResultRow {
    const head = this.#rows.take(HEAD_BYTES);
    const [recordBytes, hourCount, idBytes] = [head.readUInt32LE(0), head.readUInt16LE(4), head.readUInt16LE(6)];
    const row = this.#rows.take(rowBytes(recordBytes, hourCount, idBytes) - HEAD_BYTES);
    const idStart = 2 * hourCount;
    const recordStart = idStart + idBytes;
    return {
      file: this.#file,
      buildingId: row.toString('utf8', idStart, recordStart),
      bytes: row.subarray(recordStart, recordStart + recordBytes),
      hours: new Uint16Array(row.buffer, row.byteOffset, hourCount),
    };
  }
}

/**
 * The buildings of many result files whose ID begins with `prefix` (at most five digits), in order of ID. A caller may keep
 * them: later ones do not overwrite their bytes.
 */
export function* mergedResults(files: readonly ResultFile[], prefix = ''): Generator<ResultRow> {
  // A binary heap of the cursors; the first has the smallest ID.
  const heads = files.flatMap((file) => {
    const wards = file.wards.filter((ward) => ward.prefix.startsWith(prefix));
    return wards.length > 0 ? [new ResultCursor(file, wards)] : [];
  });
  heads.sort((a, b) => (a.buildingId < b.buildingId ? -1 : 1));
  while (heads.length > 0) {
    const head = heads[0];
    yield head.building();
    if (!head.next()) {
      heads[0] = heads[heads.length - 1];
      heads.pop();
    }
    sink(heads);
  }
}

/** Restores the order of a binary heap after a change of its root: moves the root down to its place. */
function sink(heap: { buildingId: string }[]): void {
  const item = heap[0];
  if (!item) return;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && heap[child + 1].buildingId < heap[child].buildingId) child++;
    if (item.buildingId <= heap[child].buildingId) break;
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = item;
}
