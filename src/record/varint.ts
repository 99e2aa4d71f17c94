import { DamagedRecordError } from './bit-stream.ts';

/**
 * Whole numbers with seven bits in each byte, the lowest first; the eighth bit tells that more follow (LEB128). They
 * take more space than the code of bit-stream.ts but are faster to read: `near` reads thousands at a time.
 */

export class VarintWriter {
  readonly #bytes: number[] = [];

  /** 0 to 2^32 − 1. */
  unsigned(value: number): void {
    if (!Number.isInteger(value) || value < 0 || value >= 2 ** 32)
      throw new RangeError(`${value} does not fit 32 bits`);
    let left = value >>> 0;
    for (; left > 0x7f; left >>>= 7) this.#bytes.push((left & 0x7f) | 0x80);
    this.#bytes.push(left);
  }

  /** −2^31 + 1 to 2^31 − 1. */
  signed(value: number): void {
    this.unsigned(value < 0 ? -2 * value - 1 : 2 * value);
  }

  finish(): Uint8Array {
    return new Uint8Array(this.#bytes);
  }
}

export class VarintReader {
  readonly #bytes: Uint8Array;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  unsigned(): number {
    const bytes = this.#bytes;
    let byte = bytes[this.at++];
    let value = byte & 0x7f;
    for (let shift = 7; byte > 0x7f; shift += 7) {
      byte = bytes[this.at++];
      value |= (byte & 0x7f) << shift;
    }
    return value >>> 0;
  }

  signed(): number {
    const value = this.unsigned();
    return (value >>> 1) ^ -(value & 1);
  }

  /**
   * A number of items with at least `bytesEach` bytes each. Throws `DamagedRecordError` when the remaining bytes are
   * too few.
   */
  count(bytesEach: number): number {
    const value = this.unsigned();
    if (value * bytesEach > this.#bytes.length - this.at) {
      throw new DamagedRecordError(`a count of ${value} in ${this.#bytes.length} bytes`);
    }
    return value;
  }
}
