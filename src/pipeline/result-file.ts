import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import type { EncodedBuilding } from '../dataset/sunlight-store-writer.ts';
import {
  ColumnFileError,
  decodeColumns,
  encodeColumns,
  type TextColumn,
  textAt,
  textColumn,
} from '../formats/column-file.ts';

/** The results of one grid square on disk: its served buildings in order of ID, each with its encoded record. */
interface ResultMeta {
  square: string;
  fingerprint: string;
}

const KIND = 'results';

/** The bytes of a result file. `buildings` are in order of ID. */
export function encodeResults(meta: ResultMeta, buildings: readonly EncodedBuilding[]): Uint8Array {
  const ids = textColumn(buildings.map(({ buildingId }) => buildingId));
  const ends = Float64Array.from(buildings, ({ bytes }) => bytes.length);
  for (let i = 1; i < ends.length; i++) ends[i] += ends[i - 1];
  const records = new Uint8Array(ends.at(-1) ?? 0);
  for (const [i, { bytes }] of buildings.entries()) records.set(bytes, ends[i] - bytes.length);
  return encodeColumns(KIND, { meta, columns: { 'ids.offsets': ids.offsets, 'ids.bytes': ids.bytes, ends, records } });
}

/** How much of a file is held at a time, bytes. */
const WINDOW = 64 * 1024;

/** A result file that is read from front to back with little memory: IDs and positions are held, records are not. */
export class ResultReader {
  readonly path: string;
  readonly count: number;
  readonly #ids: TextColumn;
  readonly #ends: Float64Array;
  /** Where the records lie in the file. */
  readonly #start: number;
  #window = new Uint8Array(0);
  #windowAt = 0;
  #windowEnd = 0;

  /** Checks the whole file. Throws `ColumnFileError` when it is damaged, and the system's error. */
  constructor(path: string) {
    const bytes = readFileSync(path);
    const { columns } = decodeColumns<ResultMeta>(KIND, bytes, path);
    this.path = path;
    this.#ids = {
      offsets: Uint32Array.from(columns['ids.offsets'] as Uint32Array),
      bytes: Uint8Array.from(columns['ids.bytes'] as Uint8Array),
    };
    this.#ends = Float64Array.from(columns.ends as Float64Array);
    this.#start = columns.records.byteOffset - bytes.byteOffset;
    this.count = this.#ends.length;
  }

  id(row: number): string {
    return textAt(this.#ids, row)!;
  }

  /** The rows of the IDs that begin with `prefix`: from the first, up to but without the second. */
  range(prefix: string): [from: number, to: number] {
    const from = this.#firstRow((id) => id >= prefix);
    return [from, this.#firstRow((id) => id >= prefix && !id.startsWith(prefix))];
  }

  /** Does any ID begin with `prefix`? */
  has(prefix: string): boolean {
    const [from, to] = this.range(prefix);
    return from < to;
  }

  /** The first row whose ID is `behind` a place in their order. */
  #firstRow(behind: (id: string) => boolean): number {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (behind(this.id(middle))) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** The record of a building; good until the next is asked for. */
  record(row: number): Uint8Array {
    const from = row === 0 ? 0 : this.#ends[row - 1];
    const to = this.#ends[row];
    if (from < this.#windowAt || to > this.#windowEnd) this.#load(from, to);
    return this.#window.subarray(from - this.#windowAt, to - this.#windowAt);
  }

  #load(from: number, to: number): void {
    const size = Math.min(Math.max(WINDOW, to - from), this.#ends.at(-1)! - from);
    if (this.#window.length < size) this.#window = new Uint8Array(size);
    const file = openSync(this.path, 'r');
    try {
      this.#windowAt = from;
      this.#windowEnd = from + readSync(file, this.#window, 0, size, this.#start + from);
    } finally {
      closeSync(file);
    }
    if (this.#windowEnd < from + size) throw new ColumnFileError(`${this.path}: changed while it was read`);
  }
}

/** The buildings of many result files in one order of ID: those whose ID begins with `prefix`. */
export function* mergedResults(readers: readonly ResultReader[], prefix = ''): Generator<EncodedBuilding> {
  const heads = readers.flatMap((reader) => {
    const [row, end] = reader.range(prefix);
    return row < end ? [{ reader, row, end, id: reader.id(row) }] : [];
  });
  heads.sort((a, b) => (a.id < b.id ? -1 : 1));
  while (heads.length > 0) {
    const head = heads[0];
    yield { buildingId: head.id, bytes: head.reader.record(head.row) };
    if (++head.row === head.end) {
      heads[0] = heads.at(-1)!;
      heads.pop();
    } else head.id = head.reader.id(head.row);
    sink(heads);
  }
}

/** Restores the order of a binary heap whose root has changed. */
function sink(heap: { id: string }[]): void {
  const item = heap[0];
  if (!item) return;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && heap[child + 1].id < heap[child].id) child++;
    if (item.id <= heap[child].id) break;
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = item;
}
