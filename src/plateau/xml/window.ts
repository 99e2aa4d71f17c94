import { APOSTROPHE, BANG, decodeReferences, GT, LT, QUESTION, QUOTE, SLASH } from './characters.ts';
import { XmlError } from './handler.ts';

/** Initial size: a chunk of 256 KiB, and as much again of unread bytes. */
const FIRST_BYTES = 1 << 19;
/** The longest tag or text, in bytes, that the window may contain. */
const LONGEST_TOKEN = 1 << 24;
/** The handler decides about texts longer than this. One more chunk always fits. */
export const LONG_TEXT = LONGEST_TOKEN / 2;
/** Bytes that a loop searches as fast as a native search, which takes time to begin. */
const NEAR_BYTES = 48;
export const TOO_LONG = 'a single tag or text of more than 16 MiB; the file is damaged';

/**
 * The part of the stream in memory. `bytes[pos, end)` is unread. Bytes already read are dropped when space is needed,
 * so the window stays small; it grows only for a token that does not fit.
 */
export class XmlWindow {
  bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  /** A view of the same bytes, to read words. */
  view = new DataView(this.bytes.buffer);
  pos = 0;
  end = 0;
  /** Offset in the stream of `bytes[0]`. */
  origin = 0;

  /** Appends a chunk of at most 256 KiB. False when the unread part would grow beyond `LONGEST_TOKEN`. */
  append(chunk: Uint8Array): boolean {
    if (this.end + chunk.length > this.bytes.length) {
      const unread = this.end - this.pos;
      if (unread + chunk.length > LONGEST_TOKEN) return false;
      // At most half of the buffer is unread, so that bytes are not moved at every chunk.
      const mustGrow = unread + chunk.length > this.bytes.length / 2;
      const bytes = mustGrow ? Buffer.allocUnsafeSlow(this.bytes.length * 2) : this.bytes;
      bytes.set(this.bytes.subarray(this.pos, this.end));
      if (bytes !== this.bytes) {
        this.bytes = bytes;
        this.view = new DataView(bytes.buffer);
      }
      this.origin += this.pos;
      this.pos = 0;
      this.end = unread;
    }
    this.bytes.set(chunk, this.end);
    this.end += chunk.length;
    return true;
  }

  /** First position of a byte in `[from, end)`, or -1. */
  find(byte: number, from: number): number {
    const { bytes, end } = this;
    const nearEnd = Math.min(end, from + NEAR_BYTES);
    for (let i = from; i < nearEnd; i++) if (bytes[i] === byte) return i;
    if (nearEnd === end) return -1;
    // Bytes beyond `end` are stale; a match there does not count.
    const at = bytes.indexOf(byte, nearEnd);
    return at === -1 || at >= end ? -1 : at;
  }

  /** First position of a byte sequence in `[from, end)`, or -1. */
  findSequence(sequence: Uint8Array, from: number): number {
    const at = this.bytes.subarray(from, this.end).indexOf(sequence);
    return at === -1 ? -1 : from + at;
  }
}

/**
 * Skips tags inside a skipped element and counts their depth (1: directly inside). Stops with `window.pos` at the `<`
 * of a comment, CDATA section or instruction, of the end tag of the skipped element, or of an incomplete tag; or at the
 * end of the window.
 * @param depth the depth at `window.pos`
 * @returns the depth where it stops
 */
export function skipTags(window: XmlWindow, depth: number): number {
  const { bytes, end } = window;
  for (;;) {
    const lt = window.find(LT, window.pos);
    window.pos = lt === -1 ? end : lt;
    if (lt === -1 || lt + 1 >= end) return depth;
    const byte = bytes[lt + 1];
    if (byte === BANG || byte === QUESTION || (byte === SLASH && depth === 1)) return depth;
    const gt = byte === SLASH ? window.find(GT, lt + 2) : tagEnd(bytes, lt + 1, end);
    if (gt === -1) return depth;
    if (byte === SLASH) depth--;
    else if (bytes[gt - 1] !== SLASH) depth++;
    window.pos = gt + 1;
  }
}

/** The position of the `>` that ends a tag, ignoring quoted ones; -1 when the tag is incomplete. */
function tagEnd(bytes: Uint8Array, from: number, end: number): number {
  for (let i = from; i < end; i++) {
    const byte = bytes[i];
    if (byte === GT) return i;
    if (byte === QUOTE || byte === APOSTROPHE) {
      do i++;
      while (i < end && bytes[i] !== byte);
    }
  }
  return -1;
}

const AMPERSAND = 0x26;

/** Collects the text of one element from the pieces between comments, CDATA sections and children. */
export class XmlText {
  #window: XmlWindow;
  #pieces: Buffer[] = [];
  /** The total length of all pieces. */
  #bytes = 0;
  /** The first `&` at or after the last position searched; -1 when the search must be repeated. */
  #ampersand = -1;

  constructor(window: XmlWindow) {
    this.#window = window;
  }

  /** Must be called when the window moves or grows: the position of the next `&` changes. */
  windowChanged(): void {
    this.#ampersand = -1;
  }

  /** True when the bytes `[from, to)` of the window are the whole text and need no decoding. */
  isWhole(from: number, to: number): boolean {
    return this.#pieces.length === 0 && !this.#hasReference(from, to);
  }

  /**
   * Adds the bytes `[from, to)` of the window and replaces references.
   * @throws XmlError for an unknown reference, and when the text is too long
   */
  add(from: number, to: number): void {
    const { bytes, origin } = this.#window;
    if (from === to) return;
    if (!this.#hasReference(from, to)) this.addLiteral(from, to);
    else this.#push(decodedAt(bytes.toString('utf8', from, to), origin + from), from);
  }

  /**
   * Adds the bytes `[from, to)` of a CDATA section unchanged.
   * @throws XmlError when the text is too long
   */
  addLiteral(from: number, to: number): void {
    this.#push(Buffer.from(this.#window.bytes.subarray(from, to)), from);
  }

  /** Adds a piece. `from`: where it begins in the window, for the message. */
  #push(piece: Buffer, from: number): void {
    this.#bytes += piece.length;
    if (this.#bytes > LONGEST_TOKEN) throw new XmlError(this.#window.origin + from, TOO_LONG);
    this.#pieces.push(piece);
  }

  /** Returns the whole text and clears it for the next element. */
  take(): Buffer {
    const text = Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#bytes = 0;
    return text;
  }

  /**
   * True when a reference (`&…`) begins in `[from, to)`. The position of the next `&` is kept, so the window is searched
   * once, whatever the number of pieces.
   */
  #hasReference(from: number, to: number): boolean {
    if (this.#ampersand < from) {
      const next = this.#window.bytes.indexOf(AMPERSAND, from);
      this.#ampersand = next === -1 ? Number.MAX_SAFE_INTEGER : next;
    }
    return this.#ampersand < to;
  }
}

/**
 * The bytes of a text whose references are replaced.
 * @throws XmlError at `byte` for an unknown reference
 */
function decodedAt(text: string, byte: number): Buffer {
  try {
    return Buffer.from(decodeReferences(text));
  } catch (error) {
    throw new XmlError(byte, (error as Error).message);
  }
}
