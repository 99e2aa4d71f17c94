/** The arrays of a scene. */
export type Numbers = Float64Array | Uint32Array | Uint8Array;

export interface ArrayType<T extends Numbers> {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, start: number, length: number): T;
}

/**
 * Bytes of a block: of so many the allocator asks the system each time and gives them back at once. Small pieces it would
 * keep when they are free, which for a large city are hundreds of megabytes that nobody can use. What is not written to takes no memory.
 */
const BLOCK_BYTES = 64 << 20;
const ALIGNED = 8;

/** Shared memory for arrays that come and go together: cut from large blocks, each given back when all that lies in it is gone. */
export class SharedRoom {
  #block = new SharedArrayBuffer(0);
  #used = 0;

  /** An array of a type, full of zeros. */
  array<T extends Numbers>(make: ArrayType<T>, length: number): T {
    const bytes = length * make.BYTES_PER_ELEMENT;
    if (this.#used + bytes > this.#block.byteLength) {
      this.#block = new SharedArrayBuffer(Math.max(BLOCK_BYTES, bytes));
      this.#used = 0;
    }
    const start = this.#used;
    this.#used = Math.ceil((start + bytes) / ALIGNED) * ALIGNED;
    return new make(this.#block, start, length);
  }

  copyOf<T extends Numbers>(array: T): T {
    const copy = this.array(array.constructor as ArrayType<T>, array.length);
    copy.set(array);
    return copy;
  }
}
