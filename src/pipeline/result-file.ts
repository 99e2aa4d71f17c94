import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import {
  type Column,
  ColumnFileError,
  decodeColumns,
  encodeColumns,
  type TextColumn,
  textAt,
  textColumn,
} from '../formats/column-file.ts';
import type { ComputedBuilding } from '../record/face-hours.ts';

/** The results of one grid square on disk: its served buildings in order of ID, each with its encoded record and the hours of its faces. */
interface ResultMeta {
  square: string;
  fingerprint: string;
}

const KIND = 'results';

/** The bytes of a result file. `buildings` are in order of ID. */
export function encodeResults(meta: ResultMeta, buildings: readonly ComputedBuilding[]): Uint8Array {
  const ids = textColumn(buildings.map(({ buildingId }) => buildingId));
  const ends = endsOf(buildings.map(({ bytes }) => bytes.length));
  const records = new Uint8Array(ends.at(-1) ?? 0);
  for (const [i, { bytes }] of buildings.entries()) records.set(bytes, ends[i] - bytes.length);
  const hourEnds = endsOf(buildings.map(({ hours }) => hours.length));
  const hours = new Uint16Array(hourEnds.at(-1) ?? 0);
  for (const [i, building] of buildings.entries()) hours.set(building.hours, hourEnds[i] - building.hours.length);
  const columns = { 'ids.offsets': ids.offsets, 'ids.bytes': ids.bytes, ends, records, hourEnds, hours };
  return encodeColumns(KIND, { meta, columns });
}

/** Where each of a list of items ends that are laid end to end, by their lengths. */
function endsOf(lengths: readonly number[]): Float64Array {
  let end = 0;
  return Float64Array.from(lengths, (length) => {
    end += length;
    return end;
  });
}

/** Bytes of a column that are in memory at a time. */
const WINDOW = 64 * 1024;

/** A column of a file of which a part is in memory at a time. */
class WindowedColumn {
  readonly #path: string;
  /** Where it begins in the file, and its length, bytes. */
  readonly #start: number;
  readonly #length: number;
  #window = new Uint8Array(0);
  #from = 0;
  #to = 0;

  constructor(path: string, start: number, length: number) {
    this.#path = path;
    this.#start = start;
    this.#length = length;
  }

  /** A copy of its bytes from one place to another. */
  bytes(from: number, to: number): Uint8Array {
    if (from < this.#from || to > this.#to) this.#load(from, to);
    return this.#window.slice(from - this.#from, to - this.#from);
  }

  #load(from: number, to: number): void {
    const size = Math.min(Math.max(WINDOW, to - from), this.#length - from);
    if (this.#window.length < size) this.#window = new Uint8Array(size);
    const file = openSync(this.#path, 'r');
    try {
      this.#from = from;
      this.#to = from + readSync(file, this.#window, 0, size, this.#start + from);
    } finally {
      closeSync(file);
    }
    if (this.#to < from + size) throw new ColumnFileError(`${this.#path}: changed while it was read`);
  }
}

/** A result file that is read from front to back with little memory: IDs and positions are held, records are not. */
export class ResultReader {
  readonly path: string;
  readonly count: number;
  readonly #ids: TextColumn;
  readonly #ends: Float64Array;
  readonly #records: WindowedColumn;
  readonly #hourEnds: Float64Array;
  readonly #hours: WindowedColumn;

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
    this.#hourEnds = Float64Array.from(columns.hourEnds as Float64Array);
    const windowed = ({ byteOffset, byteLength }: Column): WindowedColumn =>
      new WindowedColumn(path, byteOffset - bytes.byteOffset, byteLength);
    this.#records = windowed(columns.records);
    this.#hours = windowed(columns.hours);
    this.count = this.#ends.length;
  }

  id(row: number): string {
    return textAt(this.#ids, row) ?? '';
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

  building(row: number): ComputedBuilding {
    const [from, hoursFrom] = row === 0 ? [0, 0] : [this.#ends[row - 1], this.#hourEnds[row - 1]];
    const hours = this.#hours.bytes(2 * hoursFrom, 2 * this.#hourEnds[row]);
    return {
      buildingId: this.id(row),
      bytes: this.#records.bytes(from, this.#ends[row]),
      hours: new Uint16Array(hours.buffer),
    };
  }
}

/** The buildings of many result files in one order of ID: those whose ID begins with `prefix`. */
export function* mergedResults(readers: readonly ResultReader[], prefix = ''): Generator<ComputedBuilding> {
  for (const { reader, row } of mergedRows(readers, prefix)) yield reader.building(row);
}

/** Where each building of many result files stands, in one order of ID: those whose ID begins with `prefix`. */
export function* mergedRows(
  readers: readonly ResultReader[],
  prefix = '',
): Generator<{ reader: ResultReader; row: number; id: string }> {
  const heads = readers.flatMap((reader) => {
    const [row, end] = reader.range(prefix);
    return row < end ? [{ reader, row, end, id: reader.id(row) }] : [];
  });
  heads.sort((a, b) => (a.id < b.id ? -1 : 1));
  while (heads.length > 0) {
    const head = heads[0];
    const { reader, row, id } = head;
    yield { reader, row, id };
    if (++head.row === head.end) {
      heads[0] = heads[heads.length - 1];
      heads.pop();
    } else head.id = reader.id(head.row);
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
