/** The types of the arrays of a scene. */
export type Numbers = Float64Array | Uint32Array | Uint8Array;

/** The constructor of a typed array. */
export interface ArrayType<T extends Numbers> {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, start: number, length: number): T;
}

/**
 * Bytes of a block. For blocks of this size the allocator asks the system and returns them at once. It would keep freed
 * small pieces, which for a large city are hundreds of unusable megabytes. Unwritten memory costs nothing.
 */
const BLOCK_BYTES = 64 << 20;
/** Arrays start at a multiple of this, bytes: a Float64Array needs it. */
const ALIGNMENT = 8;

/**
 * Shared memory for arrays with the same lifetime, cut from large blocks. The system gets a block back
 * when no array in it is used.
 */
export class SharedMemory {
  #block = new SharedArrayBuffer(0);
  /** Bytes of the block that are used. */
  #used = 0;

  /** A new array, filled with zeros. */
  array<T extends Numbers>(make: ArrayType<T>, length: number): T {
    const bytes = length * make.BYTES_PER_ELEMENT;
    if (this.#used + bytes > this.#block.byteLength) {
      this.#block = new SharedArrayBuffer(Math.max(BLOCK_BYTES, bytes));
      this.#used = 0;
    }
    const start = this.#used;
    this.#used = Math.ceil((start + bytes) / ALIGNMENT) * ALIGNMENT;
    return new make(this.#block, start, length);
  }

  /** A copy of an array in this memory. */
  copyOf<T extends Numbers>(array: T): T {
    const copy = this.array(array.constructor as ArrayType<T>, array.length);
    copy.set(array);
    return copy;
  }
}
