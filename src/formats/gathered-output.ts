import { writeSync } from 'node:fs';

/** Bytes that are collected before they are written to disk. */
const ROOM_BYTES = 1 << 20;

/** Appends bytes to an open file, a megabyte at a time. Throws the system's error when the disk is full. */
export class GatheredOutput {
  readonly #file: number;
  readonly #room = Buffer.allocUnsafeSlow(ROOM_BYTES);
  #filled = 0;
  /** Bytes added so far. */
  size = 0;

  /** @param file open for writing at its current position. The caller owns and closes it. */
  constructor(file: number) {
    this.#file = file;
  }

  add(bytes: Uint8Array): void {
    this.size += bytes.length;
    if (this.#filled + bytes.length > ROOM_BYTES) this.flush();
    if (bytes.length > ROOM_BYTES) this.#write(bytes, bytes.length);
    else {
      this.#room.set(bytes, this.#filled);
      this.#filled += bytes.length;
    }
  }

  /** Writes the bytes that are still in memory. */
  flush(): void {
    this.#write(this.#room, this.#filled);
    this.#filled = 0;
  }

  #write(bytes: Uint8Array, length: number): void {
    for (let done = 0; done < length; ) done += writeSync(this.#file, bytes, done, length - done);
  }
}
