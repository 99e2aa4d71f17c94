/**
 * An answer as the bytes of its JSON (UTF-8), which are sent without being parsed. `JSON.stringify` of it gives the same JSON.
 */
export class JsonBytes<Value = unknown> {
  /** They belong to the answer: nothing else writes to them. */
  readonly bytes: Buffer;
  /** Pages of the list of which it shows one; null where it is no list. */
  readonly pages: number | null;

  constructor(bytes: Buffer, pages: number | null = null) {
    this.bytes = bytes;
    this.pages = pages;
  }

  /** The answer as a value. */
  toJSON(): Value {
    return JSON.parse(this.bytes.toString()) as Value;
  }
}

/**
 * Texts in ASCII that answers are full of, ready to be written: each is kept in pieces of eight bytes, as doubles, which is
 * the quickest way to move eight bytes and leaves them as they are (ASCII makes no NaN).
 */
export class Phrases {
  readonly count: number;
  readonly lengths: Uint8Array;
  readonly pieces: Float64Array;
  /** Pieces of the longest; as many are kept of each. */
  readonly piecesOfEach: number;

  constructor(texts: readonly string[]) {
    this.count = texts.length;
    this.lengths = Uint8Array.from(texts, ({ length }) => length);
    this.piecesOfEach = Math.ceil(Math.max(...this.lengths) / PIECE);
    const padded = Buffer.from(texts.map((text) => text.padEnd(this.piecesOfEach * PIECE)).join(''));
    this.pieces = new Float64Array(new Uint8Array(padded).buffer);
  }
}

/** What stands between the values of objects that have one form (json-form.ts). */
export interface FormPhrases {
  /** The beginning, and then for each value of the form what its control characters stand for, up to the next value. */
  texts: Phrases;
  /**
   * By phrase: its length; times 2^8, how many of the bytes before it go (a known value has no quote in front, an object that
   * is null no brace); times 2^16, the first phrase of the value behind it.
   */
  steps: Int32Array;
}

/** Control characters stand in no JSON text (RFC 8259, 7): in a packed object they stand for a phrase. */
export const FIRST_PLAIN = 0x20;

const PIECE = 8;
/** Copies byte by byte: `set` would need a view first, which costs more than these few bytes. */
const copyBytes = Buffer.prototype.copy;
const [MINUS, POINT, ZERO, LAST_ASCII] = [0x2d, 0x2e, 0x30, 0x7f];

/** Writes JSON as bytes, from texts, numbers and phrases. */
export class JsonWriter {
  #bytes = Buffer.allocUnsafeSlow(1 << 15);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  /** Begins a new answer, and drops whatever stood there. */
  begin(): void {
    this.#length = 0;
  }

  /** A text as it stands, UTF-8; the caller escapes. */
  text(text: string): void {
    this.#reserve(3 * text.length);
    // By hand as far as it is ASCII: for short texts a call of Buffer's takes longer.
    let ascii = 0;
    for (; ascii < text.length; ascii++) {
      const code = text.charCodeAt(ascii);
      if (code > LAST_ASCII) break;
      this.#bytes[this.#length++] = code;
    }
    if (ascii < text.length) this.#length += this.#bytes.write(text.slice(ascii), this.#length, 'utf8');
  }

  /** JSON that was written before, or a part of it. */
  bytes(bytes: Uint8Array, from = 0, to = bytes.length): void {
    this.#reserve(to - from);
    this.#length += copyBytes.call(bytes, this.#bytes, this.#length, from, to);
  }

  /** A number of less than 2^31, given in hundredths. */
  hundredths(hundredths: number): void {
    this.decimal(hundredths, 2);
  }

  /** A number given in units of 10^−places, of which there are less than 2^31. */
  decimal(units: number, places: number): void {
    this.#reserve(16);
    if (units < 0) this.#byte(MINUS);
    let rest = Math.abs(units) | 0;
    let left = places;
    // Noughts at its end are not written.
    while (left > 0 && rest % 10 === 0) {
      rest = (rest / 10) | 0;
      left--;
    }
    let digits = left + 1;
    for (let power = 10 ** digits; power <= rest; power *= 10) digits++;
    const bytes = this.#bytes;
    let to = this.#length + digits + (left > 0 ? 1 : 0);
    this.#length = to;
    for (let place = 0; place < digits; place++) {
      if (place === left && left > 0) bytes[--to] = POINT;
      const tens = (rest / 10) | 0;
      bytes[--to] = ZERO + rest - 10 * tens;
      rest = tens;
    }
  }

  /** One of the prepared texts. */
  phrase(phrases: Phrases, index: number): void {
    this.#reserve(phrases.piecesOfEach * PIECE);
    this.#length = this.#put(phrases, index, this.#length);
  }

  /** An object of a form, as `JsonForm.pack` keeps it. Bytes that are no such object give other text, never an error. */
  formed({ texts, steps }: FormPhrases, packed: Uint8Array, from: number, to: number): void {
    const { pieces, piecesOfEach } = texts;
    this.#reserve((to - from + 1) * piecesOfEach * PIECE);
    const view = this.#view;
    let at = this.#put(texts, 0, this.#length);
    let first = 1;
    for (let i = from; i < to; i++) {
      const byte = packed[i] ?? 0;
      if (byte >= FIRST_PLAIN) {
        view.setUint8(at++, byte);
        continue;
      }
      const phrase = first + byte;
      const step = steps[phrase] ?? 0;
      at -= (step >>> 8) & 0xff;
      const end = at + (step & 0xff);
      let piece = phrase * piecesOfEach;
      for (; at < end; at += PIECE) view.setFloat64(at, pieces[piece++] ?? 0, true);
      at = end;
      first = step >>> 16;
    }
    this.#length = at;
  }

  /** Replaces one byte by an ASCII character. @param before its distance from the end, bytes */
  replace(before: number, character: string): void {
    this.#bytes[this.#length - before] = character.charCodeAt(0);
  }

  /** Writes a part of what was written since `begin` once more. */
  again(from: number, to: number): void {
    this.#reserve(to - from);
    this.#bytes.copyWithin(this.#length, from, to);
    this.#length += to - from;
  }

  /** A copy of what was written since `begin`, or since the length was `from`. */
  copy(from = 0): Buffer {
    return Buffer.from(this.#bytes.subarray(from, this.#length));
  }

  /** Bytes written since `begin`. */
  get length(): number {
    return this.#length;
  }

  /** Copies a phrase in whole pieces; the bytes beyond its end are overwritten by what is written next. */
  #put(phrases: Phrases, index: number, at: number): number {
    const end = at + (phrases.lengths[index] ?? 0);
    let piece = index * phrases.piecesOfEach;
    for (let to = at; to < end; to += PIECE) this.#view.setFloat64(to, phrases.pieces[piece++] ?? 0, true);
    return end;
  }

  #byte(byte: number): void {
    this.#bytes[this.#length++] = byte;
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * (this.#length + more));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }
}
