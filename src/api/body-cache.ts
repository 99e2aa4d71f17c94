import { type Coding, encode } from './coding.ts';

/** The text of an answer, measured once, and compressed once for each coding that is asked for. */
export class Body {
  readonly text: string;
  readonly bytes: number;
  readonly #coded = new Map<Coding, Promise<Buffer>>();

  constructor(text: string) {
    this.text = text;
    this.bytes = Buffer.byteLength(text);
  }

  coded(coding: Exclude<Coding, 'identity'>): Promise<Buffer> {
    const known = this.#coded.get(coding);
    if (known !== undefined) return known;
    const body = encode(this.text, coding);
    this.#coded.set(coding, body);
    return body;
  }
}

/** What the bodies of one dataset may take together before compression, bytes. */
const BUDGET = 16 << 20;

/** Bodies by request. A dataset never changes, so that they are right until it goes; the oldest make room. */
export class BodyCache {
  readonly #bodies = new Map<string, Body>();
  #bytes = 0;

  get(request: string): Body | undefined {
    return this.#bodies.get(request);
  }

  put(request: string, body: Body): void {
    this.#bodies.set(request, body);
    this.#bytes += body.bytes;
    for (const [oldest, { bytes }] of this.#bodies) {
      if (this.#bytes <= BUDGET) break;
      this.#bodies.delete(oldest);
      this.#bytes -= bytes;
    }
  }
}
