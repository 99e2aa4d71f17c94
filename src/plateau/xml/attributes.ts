import {
  APOSTROPHE,
  COLON,
  decodeReferences,
  EQUALS,
  GT,
  isNameStart,
  isSpace,
  LT,
  QUOTE,
  SLASH,
} from './characters.ts';
import { XmlError } from './handler.ts';
import type { XmlWindow } from './window.ts';

/**
 * Limit of attributes of one tag. Published tags have a dozen; the outermost element has some thirty with its
 * namespaces.
 */
const MOST_ATTRIBUTES = 1000;

/** The numbers of an attribute among the spans: where its name and its value begin and end. */
const SPAN = 4;
const NAME_FROM = 0;
const NAME_TO = 1;
const VALUE_FROM = 2;
const VALUE_TO = 3;

/** The attributes of one start tag, as positions in the window. A value is decoded only when it is requested. */
export class XmlAttributes {
  count = 0;
  /** `SPAN` numbers for each attribute. */
  #spans: number[] = [];
  #window: XmlWindow;

  constructor(window: XmlWindow) {
    this.#window = window;
  }

  /**
   * Scans the attributes from this position to the end of the tag. Returns the position of `>` or `/>`, or -1 when the
   * window ends before it.
   * @throws XmlError for malformed attributes
   */
  scan(from: number): number {
    const { bytes, end, origin } = this.#window;
    const spans = this.#spans;
    let i = from;
    for (;;) {
      const spaceFrom = i;
      while (i < end && isSpace(bytes[i])) i++;
      if (i >= end) return -1;
      const byte = bytes[i];
      if (byte === GT) return i;
      if (byte === SLASH) {
        if (i + 1 >= end) return -1;
        if (bytes[i + 1] !== GT) throw new XmlError(origin + i, '"/" in a tag that is not followed by ">"');
        return i;
      }
      if (spaceFrom === i || !isNameStart(byte))
        throw new XmlError(origin + i, 'a tag with something that is not an attribute');
      const nameFrom = i;
      while (i < end && bytes[i] !== EQUALS && bytes[i] !== GT && bytes[i] !== LT && bytes[i] > 0x20) i++;
      const nameTo = i;
      while (i < end && isSpace(bytes[i])) i++;
      if (i >= end) return -1;
      if (bytes[i] !== EQUALS) throw new XmlError(origin + i, 'an attribute without "="');
      i++;
      while (i < end && isSpace(bytes[i])) i++;
      if (i >= end) return -1;
      const quote = bytes[i];
      if (quote !== QUOTE && quote !== APOSTROPHE) throw new XmlError(origin + i, 'an attribute value without quotes');
      const valueFrom = ++i;
      while (i < end && bytes[i] !== quote) {
        if (bytes[i] === LT) throw new XmlError(origin + i, '"<" in an attribute value; write &lt;');
        i++;
      }
      if (i >= end) return -1;
      if (this.count === MOST_ATTRIBUTES) {
        throw new XmlError(origin + nameFrom, `a tag of more than ${MOST_ATTRIBUTES} attributes; the file is damaged`);
      }
      const span = SPAN * this.count++;
      spans[span + NAME_FROM] = nameFrom;
      spans[span + NAME_TO] = nameTo;
      spans[span + VALUE_FROM] = valueFrom;
      // The value ends at the quote; the next attribute follows it.
      spans[span + VALUE_TO] = i++;
    }
  }

  /**
   * The value of the first attribute with this (ASCII) local name whose prefix (`''` for none) is accepted, or null.
   */
  find(local: string, accept: (prefix: string) => boolean): string | null {
    const { bytes } = this.#window;
    for (let a = 0; a < this.count; a++) {
      const from = this.#spans[SPAN * a + NAME_FROM];
      // The name ends with the local name, which is the whole name or follows a colon.
      const localFrom = this.#spans[SPAN * a + NAME_TO] - local.length;
      if (localFrom < from || !standsHere(local, bytes, localFrom)) continue;
      if (localFrom > from && bytes[localFrom - 1] !== COLON) continue;
      const prefix = localFrom === from ? '' : bytes.toString('utf8', from, localFrom - 1);
      if (accept(prefix)) return this.#value(a);
    }
    return null;
  }

  /** Calls back for each namespace declaration: `xmlns="uri"` has the prefix `''`. */
  declarations(bind: (prefix: string, uri: string) => void): void {
    const { bytes, view } = this.#window;
    for (let a = 0; a < this.count; a++) {
      const from = this.#spans[SPAN * a + NAME_FROM];
      const to = this.#spans[SPAN * a + NAME_TO];
      const beginsWithXmlns = to - from >= 5 && view.getInt32(from, true) === XMLN && bytes[from + 4] === LETTER_S;
      if (!beginsWithXmlns) continue;
      if (to - from === 5) bind('', this.#value(a));
      else if (bytes[from + 5] === COLON) bind(bytes.toString('utf8', from + 6, to), this.#value(a));
    }
  }

  /**
   * The decoded value of an attribute, by its number in the tag.
   * @throws XmlError for an unknown reference
   */
  #value(attribute: number): string {
    const from = this.#spans[SPAN * attribute + VALUE_FROM];
    const to = this.#spans[SPAN * attribute + VALUE_TO];
    const text = this.#window.bytes.toString('utf8', from, to);
    if (!text.includes('&')) return text;
    try {
      return decodeReferences(text);
    } catch (error) {
      throw new XmlError(this.#window.origin + from, (error as Error).message);
    }
  }
}

/** `xmlns` for a quick comparison: `xmln` as a little-endian word of four bytes, and `s` as a byte. */
const XMLN = 0x6e6c6d78;
const LETTER_S = 0x73;

/** True when the ASCII text begins at this position of the bytes. */
function standsHere(ascii: string, bytes: Uint8Array, at: number): boolean {
  for (let i = 0; i < ascii.length; i++) if (bytes[at + i] !== ascii.charCodeAt(i)) return false;
  return true;
}
