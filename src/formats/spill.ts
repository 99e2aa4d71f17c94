import { closeSync, openSync, readSync, writeSync } from 'node:fs';

/** Entries are gathered up to this many bytes before they are sorted and go to disk. */
const RUN_BYTES = 8 << 20;
/** How much of each run is held while they are merged. */
const WINDOW_BYTES = 64 << 10;
/** Before the bytes of a group: f64 key · u32 length. */
const HEAD_BYTES = 12;

interface Run {
  start: number;
  end: number;
}

/**
 * Sorts more than memory should hold: entries come under keys (numbers) in any order, and go out by ascending key,
 * those of one key in the order in which they came. Sorted runs go to a file, and are merged when they are asked for.
 */
export class Spill {
  readonly #path: string;
  readonly #file: number;
  readonly #runs: Run[] = [];
  #buffer = new Uint8Array(RUN_BYTES);
  #entries: { key: number; start: number; end: number }[] = [];
  #used = 0;

  /** Makes the file; throws the system's error when it cannot be written, here and while entries are added. */
  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, 'w+');
  }

  add(key: number, bytes: Uint8Array): void {
    if (this.#used + bytes.length > this.#buffer.length) this.#writeRun();
    if (bytes.length > this.#buffer.length) this.#buffer = new Uint8Array(bytes.length);
    this.#buffer.set(bytes, this.#used);
    this.#entries.push({ key, start: this.#used, end: this.#used + bytes.length });
    this.#used += bytes.length;
  }

  /** Every key with its entries laid end to end. Nothing may be added afterwards. */
  *groups(): Generator<[key: number, bytes: Uint8Array]> {
    this.#writeRun();
    let runs = this.#runs.map((run) => new RunReader(this.#file, this.#path, run));
    for (;;) {
      runs = runs.filter((run) => run.key < Infinity);
      if (runs.length === 0) return;
      const key = runs.reduce((least, run) => Math.min(least, run.key), Infinity);
      const holders = runs.filter((run) => run.key === key);
      yield [key, Buffer.concat(holders.map(({ bytes }) => bytes))];
      for (const run of holders) run.next();
    }
  }

  /** Closes the file, which stays. */
  close(): void {
    closeSync(this.#file);
  }

  #writeRun(): void {
    if (this.#entries.length === 0) return;
    this.#entries.sort((a, b) => a.key - b.key);
    const out = Buffer.allocUnsafe(this.#used + HEAD_BYTES * this.#entries.length);
    let end = 0;
    let head = 0;
    let last = Number.NaN;
    for (const { key, start, end: stop } of this.#entries) {
      if (key !== last) {
        head = end;
        end = out.writeDoubleLE(key, head) + 4;
        last = key;
      }
      out.set(this.#buffer.subarray(start, stop), end);
      end += stop - start;
      out.writeUInt32LE(end - head - HEAD_BYTES, head + 8);
    }
    const at = this.#runs.at(-1)?.end ?? 0;
    for (let done = 0; done < end; ) done += writeSync(this.#file, out, done, end - done, at + done);
    this.#runs.push({ start: at, end: at + end });
    this.#entries = [];
    this.#used = 0;
  }
}

/** Goes through the groups of a run; `Spill` copies what it shows. */
class RunReader {
  /** Infinity behind the last group. */
  key = 0;
  /** The group at which it is, a view of the window: `next` writes over it. */
  bytes: Uint8Array = new Uint8Array(0);
  readonly #file: number;
  readonly #path: string;
  readonly #run: Run;
  #at: number;
  #window = Buffer.alloc(WINDOW_BYTES);
  #windowStart = 0;
  #windowEnd = 0;

  constructor(file: number, path: string, run: Run) {
    this.#file = file;
    this.#path = path;
    this.#run = run;
    this.#at = run.start;
    this.next();
  }

  next(): void {
    if (this.#at === this.#run.end) {
      this.key = Infinity;
      return;
    }
    const head = this.#take(HEAD_BYTES);
    this.key = head.readDoubleLE(0);
    this.bytes = this.#take(head.readUInt32LE(8));
  }

  #take(size: number): Buffer {
    if (this.#at + size > this.#windowEnd) this.#load(size);
    const from = this.#at - this.#windowStart;
    this.#at += size;
    return this.#window.subarray(from, from + size);
  }

  #load(size: number): void {
    if (size > this.#window.length) this.#window = Buffer.alloc(2 * size);
    const length = Math.min(this.#window.length, this.#run.end - this.#at);
    const read = readSync(this.#file, this.#window, 0, length, this.#at);
    if (read < length) throw new Error(`${this.#path}: ended at byte ${this.#at + read}; it was changed while in use`);
    this.#windowStart = this.#at;
    this.#windowEnd = this.#at + read;
  }
}
