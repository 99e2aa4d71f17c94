import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { ColumnFileError, decodeColumns, encodeColumns } from '../formats/column-file.ts';
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

/** Writes a row at `start` and returns its end. */
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
 * Checks the result file of a grid square.
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

/** Bytes of a result file that are in memory while it is read. */
const WINDOW_BYTES = 64 * 1024;

/** Where the current row begins in the window, and the sizes of its parts. */
interface RowInWindow {
  from: number;
  recordBytes: number;
  hourCount: number;
  idBytes: number;
}

/** Reads consecutive rows of a result file. While it reads, a window of the file is in memory, not the whole file. */
class ResultCursor {
  readonly file: ResultFile;
  /** The ID in the current row. */
  buildingId: string;
  /** Where the current row begins, and where the last row ends, counted from `file.start`. */
  #rowStart: number;
  readonly #end: number;
  /** Bytes of the file, and where they begin, counted from `file.start`. */
  #window = NO_WINDOW;
  #windowStart = 0;

  /** @param rows of a ward, or of consecutive wards */
  constructor(file: ResultFile, rows: readonly WardRows[]) {
    this.file = file;
    this.buildingId = rows[0].firstId;
    this.#rowStart = rows[0].from;
    this.#end = rows[rows.length - 1].to;
  }

  /** The building of the current row. Its bytes are not overwritten later. */
  building(): ComputedBuilding {
    const { from, idBytes, hourCount, recordBytes } = this.#row();
    const window = this.#window;
    const recordAt = from + HEAD_BYTES + 2 * hourCount + idBytes;
    return {
      buildingId: this.buildingId,
      bytes: window.subarray(recordAt, recordAt + recordBytes),
      hours: new Uint16Array(window.buffer, window.byteOffset + from + HEAD_BYTES, hourCount),
    };
  }

  /** Moves to the next row; false after the last. */
  next(): boolean {
    const { recordBytes, hourCount, idBytes } = this.#row();
    this.#rowStart += rowBytes(recordBytes, hourCount, idBytes);
    if (this.#rowStart >= this.#end) {
      this.#window = NO_WINDOW;
      return false;
    }
    const next = this.#row();
    const idAt = next.from + HEAD_BYTES + 2 * next.hourCount;
    this.buildingId = this.#window.toString('utf8', idAt, idAt + next.idBytes);
    return true;
  }

  /** The position of the current row in the window, and the lengths of its parts. Loads the row first if necessary. */
  #row(): RowInWindow {
    if (this.#rowStart - this.#windowStart + HEAD_BYTES > this.#window.length) this.#load(WINDOW_BYTES);
    const row = this.#rowInWindow();
    const bytes = rowBytes(row.recordBytes, row.hourCount, row.idBytes);
    if (row.from + bytes <= this.#window.length) return row;
    this.#load(Math.max(WINDOW_BYTES, bytes));
    return this.#rowInWindow();
  }

  /** The position and the lengths of the current row, whose head is in the window. */
  #rowInWindow(): RowInWindow {
    const from = this.#rowStart - this.#windowStart;
    const window = this.#window;
    return {
      from,
      recordBytes: window.readUInt32LE(from),
      hourCount: window.readUInt16LE(from + 4),
      idBytes: window.readUInt16LE(from + 6),
    };
  }

  /** Reads this number of bytes from the current row on. Buildings that were returned keep the previous window. */
  #load(bytes: number): void {
    const { path, start } = this.file;
    const size = Math.min(bytes, this.#end - this.#rowStart);
    const window = Buffer.allocUnsafeSlow(size);
    const file = openSync(path, 'r');
    try {
      const bytesRead = readSync(file, window, 0, size, start + this.#rowStart);
      if (bytesRead < size) throw new ColumnFileError(`${path}: changed while it was read`);
    } finally {
      closeSync(file);
    }
    this.#window = window;
    this.#windowStart = this.#rowStart;
  }
}

const NO_WINDOW = Buffer.alloc(0);

/** The buildings of many result files in order of ID, whose ID begins with `prefix` (at most five digits). */
export function* mergedResults(files: readonly ResultFile[], prefix = ''): Generator<ComputedBuilding> {
  for (const cursor of mergedRows(files, prefix)) yield cursor.building();
}

/** The same buildings as `mergedResults`, each as a cursor that stands on its row; its record is not read yet. */
export function* mergedRows(files: readonly ResultFile[], prefix = ''): Generator<Readonly<ResultCursor>> {
  // A binary heap of the cursors; the first has the smallest ID.
  const heads = files.flatMap((file) => {
    const rows = file.wards.filter((ward) => ward.prefix.startsWith(prefix));
    return rows.length > 0 ? [new ResultCursor(file, rows)] : [];
  });
  heads.sort((a, b) => (a.buildingId < b.buildingId ? -1 : 1));
  while (heads.length > 0) {
    const head = heads[0];
    yield head;
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
