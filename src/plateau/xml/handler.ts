import type { XmlName } from './names.ts';

/** What the handler wants to receive of an element. */
export const SKIP = 0;
export const CHILDREN = 1;
export const TEXT = 2;
export type Content = typeof SKIP | typeof CHILDREN | typeof TEXT;

export interface XmlHandler {
  /**
   * Called at a start tag. `SKIP`: the element is skipped, and `close` is not called. `CHILDREN`: its child elements
   * are reported, not its text. `TEXT`: its text is reported once; its children are skipped.
   */
  open(code: number, name: XmlName): Content;
  /** The text of a `TEXT` element, before its `close`. The bytes are valid during the call only. */
  text(bytes: Buffer, start: number, end: number): void;
  /** Called when a text exceeds the limit of memory. True drops the text; false makes the file an error. */
  dropText(): boolean;
  /** Called at the end of an element. */
  close(): void;
}

/** Malformed or unsupported XML, at a byte offset in the stream. */
export class XmlError extends Error {
  override name = 'XmlError';
  byte: number;
  constructor(byte: number, problem: string) {
    super(problem);
    this.byte = byte;
  }
}
