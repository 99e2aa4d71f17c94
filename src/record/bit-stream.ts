import { DamageError } from '../formats/checked-file.ts';

/**
 * Numbers as bits. Small numbers take few bits: `rice` is an adaptive Golomb–Rice code (S. W. Golomb 1966,
 * R. F. Rice 1979; the parameter follows the running mean as in JPEG-LS, ITU-T T.87 §A.5), so that neither a
 * table nor a dictionary has to travel with a record. Writer and reader adapt alike.
 */

/** Bytes that cannot be what the writer wrote. */
export class DamagedRecordError extends DamageError {
  override name = 'DamagedRecordError';
}

/** What a Rice code has learnt of one kind of number: 2^MEMORY times their running mean. */
interface RiceContext {
  mean: number;
}

/** The mean follows the last 2^MEMORY numbers or so. */
const MEMORY = 3;
/** Quotients from here on are written as 32 plain bits instead. */
const ESCAPE = 20;
/** Bits that are written at once; no number can be shifted by 32. */
const MOST_AT_ONCE = 24;
/** Larger numbers are learnt as this, so that everything stays within 31 bits. */
const LARGEST_LEARNT = 2 ** 24;

/** A context that at first expects numbers of about 2^k, k being at most 24. */
export const riceContext = (k: number): RiceContext => ({ mean: 1 << (k + MEMORY) });

/** How many of a number's lowest bits are written as they are: the mean's, less one. */
const plainBits = (context: RiceContext): number => Math.max(0, 31 - Math.clz32(context.mean >> MEMORY));

function learn(context: RiceContext, value: number): void {
  context.mean += (value < LARGEST_LEARNT ? value | 0 : LARGEST_LEARNT) - (context.mean >> MEMORY);
}

export class BitWriter {
  readonly #room: number;
  #bytes: Uint8Array;
  /** Where the bytes of the current stream begin, and where the next goes. */
  #start = 0;
  #at = 0;
  /** Bits that are not among the bytes yet, fewer than 32. */
  #held = 0;
  #heldBits = 0;

  /** @param room bytes of memory that are taken at a time, for one stream after the other */
  constructor(room = 1024) {
    this.#room = room;
    this.#bytes = new Uint8Array(room);
  }

  /** Drops what an error has left unfinished: the next stream begins. */
  begin(): void {
    this.#at = this.#start;
    this.#held = 0;
    this.#heldBits = 0;
  }

  /** The lowest `width` bits (0–32) of an unsigned number, highest first. Throws `RangeError` if it does not fit. */
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

  /** An unsigned whole number below 2^32. Throws `RangeError` for another. */
  rice(value: number, context: RiceContext): void {
    const k = plainBits(context);
    const quotient = value >>> k;
    const width = quotient + 1 + k;
    if (value >>> 0 !== value) throw new RangeError(`${value} is no unsigned whole number of 32 bits`);
    if (width <= MOST_AT_ONCE && quotient < ESCAPE) {
      // As many ones as the quotient, a zero, and the plain bits.
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

  /** Goes on at the next whole byte; what is left of this one is zeros. */
  align(): void {
    const bits = this.#heldBits & 7;
    if (bits > 0) this.#put(0, 8 - bits);
  }

  /** A whole number of either sign, magnitude below 2^31. Throws `RangeError` for another. */
  signed(value: number, context: RiceContext): void {
    const whole = value | 0;
    if (whole !== value) throw new RangeError(`${value} is no whole number of 31 bits and a sign`);
    this.rice(((whole << 1) ^ (whole >> 31)) >>> 0, context);
  }

  /** UTF-8 behind its length in bytes. */
  text(value: string): void {
    const bytes = new TextEncoder().encode(value);
    this.rice(bytes.length, riceContext(4));
    for (const byte of bytes) this.#put(byte, 8);
  }

  /** Whole bytes written so far. */
  get length(): number {
    return this.#at - this.#start + (this.#heldBits >> 3);
  }

  /** Everything written since the last time, the last byte filled with zeros; what is written next lies behind it. */
  finish(): Uint8Array {
    this.align();
    this.#reserve();
    for (; this.#heldBits > 0; this.#heldBits -= 8) this.#bytes[this.#at++] = this.#held >>> (this.#heldBits - 8);
    this.#held = 0;
    const bytes = this.#bytes.subarray(this.#start, this.#at);
    this.#start = this.#at;
    return bytes;
  }

  /** The lowest `width` bits of a number that has no others, at most 24. */
  #put(value: number, width: number): void {
    const missing = 32 - this.#heldBits;
    if (width < missing) {
      this.#held = (this.#held << width) | value;
      this.#heldBits += width;
      return;
    }
    // Four bytes are full: as many of the highest bits as are missing there, the rest is held.
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

  /** Makes room for four bytes: the current stream goes on in a new piece of memory; those that were given out keep theirs. */
  #reserve(): void {
    if (this.#at + 4 <= this.#bytes.length) return;
    const written = this.#at - this.#start;
    const next = new Uint8Array(Math.max(this.#room, 2 * written));
    next.set(this.#bytes.subarray(this.#start, this.#at));
    this.#bytes = next;
    this.#start = 0;
    this.#at = written;
  }
}

export class BitReader {
  #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  bits(width: number): number {
    if (width === 0) return 0;
    const value = this.#window() >>> (32 - width);
    this.#at += width;
    return value;
  }

  flag(): boolean {
    return this.bits(1) === 1;
  }

  rice(context: RiceContext): number {
    const k = plainBits(context);
    const window = this.#window();
    const quotient = Math.clz32(~window);
    let value: number;
    if (quotient >= ESCAPE) {
      this.#at += ESCAPE;
      value = this.bits(32);
    } else if (quotient + 1 + k <= 32) {
      this.#at += quotient + 1 + k;
      // Two shifts, because a shift by 32 is none.
      value = (quotient << k) | (((window << (quotient + 1)) >>> 1) >>> (31 - k));
    } else {
      this.#at += quotient + 1;
      value = (quotient << k) | this.bits(k);
    }
    learn(context, value);
    return value;
  }

  signed(context: RiceContext): number {
    const value = this.rice(context);
    return (value >>> 1) ^ -(value & 1);
  }

  text(): string {
    const bytes = new Uint8Array(this.count(riceContext(4), 8));
    for (let i = 0; i < bytes.length; i++) bytes[i] = this.bits(8);
    return new TextDecoder().decode(bytes);
  }

  /** A count of items of at least `bitsEach` bits each. Throws `DamagedRecordError` if there is no room for that many. */
  count(context: RiceContext, bitsEach: number): number {
    const value = this.rice(context);
    if (value * bitsEach > this.#bytes.length * 8 - this.#at) {
      throw new DamagedRecordError(`a count of ${value} in ${this.#bytes.length} bytes`);
    }
    return value;
  }

  /** Goes on at the next whole byte. */
  align(): void {
    this.#at = (this.#at + 7) & ~7;
  }

  /** Throws `DamagedRecordError` unless exactly the last byte has been reached. */
  end(): void {
    if ((this.#at + 7) >> 3 !== this.#bytes.length) {
      throw new DamagedRecordError(`${this.#bytes.length} bytes, of which ${(this.#at + 7) >> 3} are used`);
    }
  }

  /** The next 32 bits; zeros behind the end. */
  #window(): number {
    const bytes = this.#bytes;
    const i = this.#at >> 3;
    const shift = this.#at & 7;
    const first = (bytes[i] << 24) | (bytes[i + 1] << 16) | (bytes[i + 2] << 8) | bytes[i + 3];
    return shift === 0 ? first : (first << shift) | (bytes[i + 4] >> (8 - shift));
  }
}
