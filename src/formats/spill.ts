import { closeSync, openSync, rmSync } from 'node:fs';
import { FileWindow } from './file-window.ts';
import { GatheredOutput } from './files.ts';

/** Limits of the entries in memory. At either limit they are sorted and written to disk. */
const RUN_BYTES = 8 << 20;
const RUN_ENTRIES = 1 << 18;
/** Size of the head of a group: f64 key · u32 length. */
const HEAD_BYTES = 12;

/** Where a sorted run of entries is in the file. */
interface Run {
  start: number;
  end: number;
}

/** Entries in memory: their bytes end to end, and for each its key and its end. */
class Gathered {
  count = 0;
  // Not filled with zeros: most of it stays untouched in a small build.
  #bytes: Uint8Array = Buffer.allocUnsafeSlow(RUN_BYTES);
  readonly #keys = new Float64Array(Buffer.allocUnsafeSlow(8 * RUN_ENTRIES).buffer);
  readonly #ends = new Uint32Array(Buffer.allocUnsafeSlow(4 * RUN_ENTRIES).buffer);

  /** True when there is room for an entry of this size. The first entry always fits. */
  hasRoom(bytes: number): boolean {
    return this.count === 0 || (this.count < RUN_ENTRIES && this.#endOf(this.count) + bytes <= this.#bytes.length);
  }

  /** Adds an entry, for which `hasRoom` must be true. */
  add(key: number, bytes: Uint8Array): void {
    const start = this.#endOf(this.count);
    // Only the first entry can be larger (`hasRoom`), so no bytes are lost.
    if (start + bytes.length > this.#bytes.length) this.#bytes = new Uint8Array(bytes.length);
    this.#bytes.set(bytes, start);
    this.#keys[this.count] = key;
    this.#ends[this.count++] = start + bytes.length;
  }

  /** Writes the groups by ascending key. A group is its head and its entries in the order in which they were added. */
  write(out: GatheredOutput): void {
    const keys = this.#keys;
    const order = Uint32Array.from({ length: this.count }, (_, i) => i).sort((a, b) => keys[a] - keys[b] || a - b);
    const head = Buffer.alloc(HEAD_BYTES);
    for (let from = 0; from < order.length; ) {
      const key = keys[order[from]];
      // The entries of the group are those of `order` from `from` to before `end`.
      let end = from;
      let length = 0;
      for (; end < order.length && keys[order[end]] === key; end++) length += this.#entry(order[end]).length;
      head.writeDoubleLE(key, 0);
      head.writeUInt32LE(length, 8);
      out.add(head);
      for (; from < end; from++) out.add(this.#entry(order[from]));
    }
  }

  /** Where the first `count` entries end. */
  #endOf(count: number): number {
    return count === 0 ? 0 : this.#ends[count - 1];
  }

  #entry(i: number): Uint8Array {
    return this.#bytes.subarray(this.#endOf(i), this.#ends[i]);
  }
}

/**
 * Sorts entries by numeric keys on disk. They are added in any order and read by ascending key. Entries of one key keep
 * the order in which they were added. Sorted runs are written to a file and merged when they are read.
 */
export class Spill {
  readonly #path: string;
  readonly #file: number;
  readonly #runs: Run[] = [];
  #gathered: Gathered | null = null;

  /** Creates the file. The constructor and `add` throw the system's error when it cannot be written. */
  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, 'w+');
  }

  /**
   * Adds an entry to those in memory. If they leave no room for it, they are first written to the file as a sorted run.
   */
  add(key: number, bytes: Uint8Array): void {
    if (this.#gathered?.hasRoom(bytes.length) === false) this.#writeRun(this.#gathered);
    this.#gathered ??= new Gathered();
    this.#gathered.add(key, bytes);
  }

  /** Each key, in ascending order, with its entries end to end. Nothing may be added afterwards. */
  *groups(): Generator<[key: number, bytes: Uint8Array]> {
    if (this.#gathered !== null) this.#writeRun(this.#gathered);
    this.#gathered = null;
    let runs = this.#runs.map((run) => new RunReader(new FileWindow(this.#path, run.start, run.end)));
    for (;;) {
      // A run at its end has the key Infinity.
      runs = runs.filter((run) => run.key < Infinity);
      if (runs.length === 0) return;
      const key = runs.reduce((least, run) => Math.min(least, run.key), Infinity);
      const holders = runs.filter((run) => run.key === key);
      yield [key, Buffer.concat(holders.map(({ bytes }) => bytes))];
      for (const run of holders) run.next();
    }
  }

  /** Closes the file without removing it. */
  close(): void {
    closeSync(this.#file);
  }

  /** Sorts the entries in memory, writes them and empties the memory, which is used again. */
  #writeRun(gathered: Gathered): void {
    const out = new GatheredOutput(this.#file);
    gathered.write(out);
    out.flush();
    gathered.count = 0;
    const start = this.#runs.at(-1)?.end ?? 0;
    this.#runs.push({ start, end: start + out.size });
  }
}

/**
 * The number of leading key bytes by which entries are sorted on disk. Entries with the same leading bytes are sorted
 * in memory.
 */
const NUMBER_BYTES = 6;
/** Size of the head of an entry: u32 length of the key · u32 length of the value. */
const ENTRY_HEAD_BYTES = 8;

/**
 * Sorts entries by key on disk, for `writeSortedFile`. They come in any order and are not kept in memory. Entries with
 * the same key and value are returned once.
 * @param path of a temporary file. It is removed at the end. After an error it stays, so that a user can see what
 * filled the disk.
 */
export function* sortedOnDisk(
  path: string,
  entries: Iterable<readonly [key: Uint8Array, value: Uint8Array]>,
): Generator<[key: Buffer, value: Buffer]> {
  const spill = new Spill(path);
  try {
    // Used for each entry again: the spill copies it.
    let buffer = Buffer.allocUnsafeSlow(1 << 12);
    for (const [key, value] of entries) {
      const keyEnd = ENTRY_HEAD_BYTES + key.length;
      const end = keyEnd + value.length;
      if (end > buffer.length) buffer = Buffer.allocUnsafeSlow(2 * end);
      buffer.writeUInt32LE(key.length, 0);
      buffer.writeUInt32LE(value.length, 4);
      buffer.set(key, ENTRY_HEAD_BYTES);
      buffer.set(value, keyEnd);
      spill.add(leadingNumber(key), buffer.subarray(0, end));
    }
    // A group has the entries whose keys begin with the same bytes.
    for (const [, bytes] of spill.groups()) {
      const group = entriesIn(bytes).sort(([a], [b]) => Buffer.compare(a, b));
      for (const [i, [key, value]] of group.entries()) {
        const before = group[i - 1];
        if (before && key.equals(before[0]) && value.equals(before[1])) continue;
        yield [key, value];
      }
    }
  } finally {
    spill.close();
  }
  rmSync(path);
}

/** The first bytes of a key as a number. The numbers have the order of the keys. */
function leadingNumber(key: Uint8Array): number {
  let number = 0;
  for (let i = 0; i < NUMBER_BYTES; i++) number = 256 * number + (key[i] ?? 0);
  return number;
}

/** Splits the bytes of entries that stand end to end, each after its head, into their keys and values. */
function entriesIn(group: Uint8Array): [key: Buffer, value: Buffer][] {
  const bytes = Buffer.from(group.buffer, group.byteOffset, group.byteLength);
  const entries: [Buffer, Buffer][] = [];
  for (let at = 0; at < bytes.length; ) {
    const [keyBytes, valueBytes] = [bytes.readUInt32LE(at), bytes.readUInt32LE(at + 4)];
    const keyStart = at + ENTRY_HEAD_BYTES;
    const keyEnd = keyStart + keyBytes;
    const end = keyEnd + valueBytes;
    entries.push([bytes.subarray(keyStart, keyEnd), bytes.subarray(keyEnd, end)]);
    at = end;
  }
  return entries;
}

/** Reads the groups of a run in order. */
class RunReader {
  /** Infinity after the last group. */
  key = 0;
  bytes: Uint8Array = new Uint8Array(0);
  readonly #run: FileWindow;

  constructor(run: FileWindow) {
    this.#run = run;
    this.next();
  }

  /** Moves to the next group of the run. Its head is the key and the number of its bytes. */
  next(): void {
    if (this.#run.isAtEnd) {
      this.key = Infinity;
      return;
    }
    const head = this.#run.take(HEAD_BYTES);
    this.key = head.readDoubleLE(0);
    this.bytes = this.#run.take(head.readUInt32LE(8));
  }
}
