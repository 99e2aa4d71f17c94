import type { XmlName } from './names.ts';

/** What a handler asks of an element that has just begun. */
export const SKIP = 0;
export const CHILDREN = 1;
export const TEXT = 2;
export type Content = typeof SKIP | typeof CHILDREN | typeof TEXT;

export interface XmlHandler {
  /**
   * An element begins. `SKIP`: nothing of it is reported, nor its end. `CHILDREN`: its child elements, no text.
   * `TEXT`: its text, once; children are skipped.
   */
  open(code: number, name: XmlName): Content;
  /** The text of a `TEXT` element, just before its end; the bytes are valid during the call only. */
  text(bytes: Buffer, start: number, end: number): void;
  /** The text of a `TEXT` element grows beyond what is held in memory: whether it is dropped, so that none is reported. Else the file is damaged. */
  dropText(): boolean;
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
