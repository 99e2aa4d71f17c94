import { closeSync, openSync, readSync } from 'node:fs';

/** Bytes of a file that are in memory while it is read. */
const WINDOW_BYTES = 64 << 10;

/** Reads consecutive pieces of a file. A window of the file is in memory, not the whole file. */
export class FileWindow {
  readonly #path: string;
  readonly #end: number;
  #at: number;
  #window = Buffer.alloc(0);
  #windowStart: number;

  /** @param start where the first piece begins in the file; `end`: where the last one ends */
  constructor(path: string, start: number, end: number) {
    this.#path = path;
    this.#at = start;
    this.#windowStart = start;
    this.#end = end;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#end;
  }

  /**
   * The next bytes of the file. They are not overwritten later.
   * @throws Error when the file is shorter than it was
   */
  take(size: number): Buffer {
    if (this.#at - this.#windowStart + size > this.#window.length) this.#load(size);
    const from = this.#at - this.#windowStart;
    this.#at += size;
    return this.#window.subarray(from, from + size);
  }

  /** Reads a new window from the current position on, of `least` bytes or more. */
  #load(least: number): void {
    const window = Buffer.allocUnsafeSlow(Math.max(least, Math.min(WINDOW_BYTES, this.#end - this.#at)));
    const file = openSync(this.#path, 'r');
    try {
      const read = readSync(file, window, 0, window.length, this.#at);
      if (read < window.length) {
        throw new Error(`${this.#path}: ended at byte ${this.#at + read}; it was changed while in use`);
      }
    } finally {
      closeSync(file);
    }
    this.#window = window;
    this.#windowStart = this.#at;
  }
}
