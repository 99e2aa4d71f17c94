import { decodeReferences } from './characters.ts';
import { XmlError } from './handler.ts';
import type { XmlWindow } from './window.ts';

const AMPERSAND = 0x26;

/** The text of one element, put together from the pieces between comments, CDATA sections and children. */
export class XmlText {
  #window: XmlWindow;
  #pieces: Buffer[] = [];
  /** First `&` of the window at or after the last place asked about; -1 when it has to be searched again. */
  #ampersand = -1;

  constructor(window: XmlWindow) {
    this.#window = window;
  }

  /** Forgets where the next `&` stands: the window has moved or grown. */
  windowChanged(): void {
    this.#ampersand = -1;
  }

  /** Whether the bytes `[from, to)` of the window are the whole text as it stands. */
  isWhole(from: number, to: number): boolean {
    return this.#pieces.length === 0 && !this.#hasReference(from, to);
  }

  /**
   * Adds the bytes `[from, to)` of the window, with references replaced.
   * @throws XmlError for a reference that is not known
   */
  add(from: number, to: number): void {
    const { bytes, origin } = this.#window;
    if (from === to) return;
    if (!this.#hasReference(from, to)) this.addLiteral(from, to);
    else this.#addDecoded(bytes.toString('utf8', from, to), origin + from);
  }

  #addDecoded(text: string, byte: number): void {
    try {
      this.#pieces.push(Buffer.from(decodeReferences(text)));
    } catch (error) {
      throw new XmlError(byte, (error as Error).message);
    }
  }

  /** Adds the bytes `[from, to)` of the window as they are: they stand in a CDATA section. */
  addLiteral(from: number, to: number): void {
    this.#pieces.push(Buffer.from(this.#window.bytes.subarray(from, to)));
  }

  /** The whole text; the next one begins empty. */
  take(): Buffer {
    const whole = Buffer.concat(this.#pieces);
    this.#pieces = [];
    return whole;
  }

  /** The window is searched once, whatever the number of pieces. */
  #hasReference(from: number, to: number): boolean {
    if (this.#ampersand < from) {
      const at = this.#window.bytes.indexOf(AMPERSAND, from);
      this.#ampersand = at === -1 ? Number.MAX_SAFE_INTEGER : at;
    }
    return this.#ampersand < to;
  }
}
