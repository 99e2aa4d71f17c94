import { DamageError } from '../formats/checked-file.ts';

/**
 * Numbers as bits. Small numbers take few bits: `rice` is an adaptive Golomb–Rice code (S. W. Golomb 1966, R. F. Rice
 * 1979; the parameter follows the running mean as in JPEG-LS, ITU-T T.87 §A.5). So a record needs no table or
 * dictionary. Writer and reader adapt in the same way.
 */

/** The running mean of one kind of number, times 2^MEMORY. */
interface RiceContext {
  mean: number;
}

/** The mean covers about the last 2^MEMORY numbers. */
const MEMORY = 3;
/** Quotients from here on are written as 32 plain bits. */
const ESCAPE = 20;
/** Limit of the bits of one write: a number cannot be shifted by 32. */
const MOST_AT_ONCE = 24;
/** Larger numbers count as this one in the mean, so that everything stays within 31 bits. */
const LARGEST_LEARNT = 2 ** 24;
/** Usual bits of the length of a text. */
const TEXT_LENGTH_BITS = 4;

/** A context that expects numbers of about 2^k at first; k is at most 24. */
export const riceContext = (k: number): RiceContext => ({ mean: 1 << (k + MEMORY) });

/** How many of a number's lowest bits are written plainly: one less than the mean has. */
const plainBits = (context: RiceContext): number => Math.max(0, 31 - Math.clz32(context.mean >> MEMORY));

/** Moves the running mean towards a value. */
function learn(context: RiceContext, value: number): void {
  context.mean += (value < LARGEST_LEARNT ? value | 0 : LARGEST_LEARNT) - (context.mean >> MEMORY);
}

/** Writes streams of bits, the highest bit of a byte first. */
export class BitWriter {
  readonly #chunkBytes: number;
  #bytes: Uint8Array;
  /** Start of the current stream, and the position of the next byte. */
  #start = 0;
  #at = 0;
  /** Bits that are not in the bytes yet, fewer than 32. */
  #held = 0;
  #heldBits = 0;

  /** @param chunkBytes bytes of memory that are allocated at a time; streams follow each other in it */
  constructor(chunkBytes = 1024) {
    this.#chunkBytes = chunkBytes;
    this.#bytes = new Uint8Array(chunkBytes);
  }

  /** Begins the next stream. Drops the rest of one that ended with an error. */
  begin(): void {
    this.#at = this.#start;
    this.#held = 0;
    this.#heldBits = 0;
  }

  /**
   * Writes the lowest `width` bits (0–32) of an unsigned number, highest first.
   * @throws RangeError if it does not fit
   */
  bits(value: number, width: number): void {
    if (value >>> 0 !== value || (width < 32 && value >>> width !== 0)) {
      throw new RangeError(`${value} does not fit ${width} bits`);
    }
    if (width > MOST_AT_ONCE) {
      this.#put(value >>> MOST_AT_ONCE, width - MOST_AT_ONCE);
      this.#put(value & (2 ** MOST_AT_ONCE - 1), MOST_AT_ONCE);
    } else this.#put(value, width);
  }

  flag(value: boolean): void {
    this.#put(value ? 1 : 0, 1);
  }

  /**
   * Writes an unsigned whole number below 2^32 in Rice code: as many ones as its quotient by 2^k, a zero, and its lower
   * `k` bits. A very large one is written as `ESCAPE` ones and 32 plain bits.
   * @throws RangeError for a negative number, a fraction or 2^32 and more
   */
  rice(value: number, context: RiceContext): void {
    const k = plainBits(context);
    const quotient = value >>> k;
    const width = quotient + 1 + k;
    if (value >>> 0 !== value) throw new RangeError(`${value} is no unsigned whole number of 32 bits`);
    if (width <= MOST_AT_ONCE && quotient < ESCAPE) {
      // One 1 for each unit of the quotient, a 0, and the plain bits.
      this.#put((((1 << (quotient + 1)) - 2) << k) | (value & ((1 << k) - 1)), width);
    } else if (quotient < ESCAPE) {
      this.#put((1 << (quotient + 1)) - 2, quotient + 1);
      this.#put(value & ((1 << k) - 1), k);
    } else {
      this.#put((1 << ESCAPE) - 1, ESCAPE);
      this.bits(value, 32);
    }
    learn(context, value);
  }

  /** Continues at the next whole byte. The rest of the current byte is zeros. */
  align(): void {
    const bits = this.#heldBits & 7;
    if (bits > 0) this.#put(0, 8 - bits);
  }

  /**
   * A signed whole number, magnitude below 2^31.
   * @throws RangeError for any other
   */
  signed(value: number, context: RiceContext): void {
    const whole = value | 0;
    if (whole !== value) throw new RangeError(`${value} is no whole number of 31 bits and a sign`);
    // Zigzag: 0, −1, 1, −2 … become 0, 1, 2, 3 …
    this.rice(((whole << 1) ^ (whole >> 31)) >>> 0, context);
  }

  /** The length in bytes, then UTF-8. */
  text(value: string): void {
    const bytes = new TextEncoder().encode(value);
    this.rice(bytes.length, riceContext(TEXT_LENGTH_BITS));
    for (const byte of bytes) this.#put(byte, 8);
  }

  /** Number of written whole bytes. */
  get length(): number {
    return this.#at - this.#start + (this.#heldBits >> 3);
  }

  /** Returns the bytes since the last call, the last byte filled with zeros. Later bytes follow behind them. */
  finish(): Uint8Array {
    this.align();
    this.#reserve();
    for (; this.#heldBits > 0; this.#heldBits -= 8) this.#bytes[this.#at++] = this.#held >>> (this.#heldBits - 8);
    this.#held = 0;
    const bytes = this.#bytes.subarray(this.#start, this.#at);
    this.#start = this.#at;
    return bytes;
  }

  /** Writes the lowest `width` bits (at most 24) of a number without higher bits. */
  #put(value: number, width: number): void {
    const missing = 32 - this.#heldBits;
    if (width < missing) {
      this.#held = (this.#held << width) | value;
      this.#heldBits += width;
      return;
    }
    // The highest bits complete a word of four bytes, which is written. The others are held.
    const rest = width - missing;
    const word = (this.#held << missing) | (value >>> rest);
    this.#reserve();
    const at = this.#at;
    this.#bytes[at] = word >>> 24;
    this.#bytes[at + 1] = word >>> 16;
    this.#bytes[at + 2] = word >>> 8;
    this.#bytes[at + 3] = word;
    this.#at = at + 4;
    this.#held = value & ((1 << rest) - 1);
    this.#heldBits = rest;
  }

  /**
   * Ensures memory for four bytes. The current stream moves to new memory when needed; returned bytes stay where they
   * are.
   */
  #reserve(): void {
    if (this.#at + 4 <= this.#bytes.length) return;
    const written = this.#at - this.#start;
    const next = new Uint8Array(Math.max(this.#chunkBytes, 2 * written));
    next.set(this.#bytes.subarray(this.#start, this.#at));
    this.#bytes = next;
    this.#start = 0;
    this.#at = written;
  }
}

/** Reads a stream that `BitWriter` wrote. After its end it reads zeros; `end` and `count` notice that. */
export class BitReader {
  readonly #bytes: Uint8Array;
  /** Position of the next bit. */
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Reads an unsigned number of `width` bits (0–32), highest first. */
  bits(width: number): number {
    if (width === 0) return 0;
    const value = this.#window() >>> (32 - width);
    this.#at += width;
    return value;
  }

  flag(): boolean {
    return this.bits(1) === 1;
  }

  /** Reads a number in Rice code: as many ones as its quotient by 2^k, a zero, and its lower `k` bits. */
  rice(context: RiceContext): number {
    const k = plainBits(context);
    const window = this.#window();
    // The number of ones before the first zero.
    const quotient = Math.clz32(~window);
    let value: number;
    if (quotient >= ESCAPE) {
      // A large number stands after the escape as plain 32 bits.
      this.#at += ESCAPE;
      value = this.bits(32);
    } else if (quotient + 1 + k <= 32) {
      this.#at += quotient + 1 + k;
      // The k bits behind the zero. Two shifts, because a shift by 32 does nothing.
      const lowerBits = ((window << (quotient + 1)) >>> 1) >>> (31 - k);
      value = (quotient << k) | lowerBits;
    } else {
      this.#at += quotient + 1;
      value = (quotient << k) | this.bits(k);
    }
    learn(context, value);
    return value;
  }

  /** Reads a signed number: 0, −1, 1, −2, 2, … are stored as 0, 1, 2, 3, 4, … */
  signed(context: RiceContext): number {
    const value = this.rice(context);
    return (value >>> 1) ^ -(value & 1);
  }

  /** Reads a text: its number of bytes, then its UTF-8. */
  text(): string {
    const bytes = new Uint8Array(this.count(riceContext(TEXT_LENGTH_BITS), 8));
    for (let i = 0; i < bytes.length; i++) bytes[i] = this.bits(8);
    return new TextDecoder().decode(bytes);
  }

  /**
   * A number of items with at least `bitsEach` bits each.
   * @throws DamageError when the remaining bytes are too few
   */
  count(context: RiceContext, bitsEach: number): number {
    const value = this.rice(context);
    if (value * bitsEach > this.#bytes.length * 8 - this.#at) {
      throw new DamageError(`a count of ${value} in ${this.#bytes.length} bytes`);
    }
    return value;
  }

  /**
   * Checks that all bytes are read.
   * @throws DamageError unless the stream ends in its last byte
   */
  end(): void {
    const usedBytes = (this.#at + 7) >> 3;
    if (usedBytes !== this.#bytes.length) {
      throw new DamageError(`${this.#bytes.length} bytes, of which ${usedBytes} are used`);
    }
  }

  /** The next 32 bits; zeros after the end. */
  #window(): number {
    const bytes = this.#bytes;
    const i = this.#at >> 3;
    const shift = this.#at & 7;
    const first = (bytes[i] << 24) | (bytes[i + 1] << 16) | (bytes[i + 2] << 8) | bytes[i + 3];
    return shift === 0 ? first : (first << shift) | (bytes[i + 4] >> (8 - shift));
  }
}
