import { type Coding, encode, SMALLEST_COMPRESSED } from './coding.ts';

/**
 * The body of an answer, compressed once for each coding that is asked for. Its bytes are kept as a string of one
 * character for each byte ("latin1"): Node sends such a string and the head before it in one piece and as they are,
 * where it would have to encode text that holds Japanese at every request.
 */
export class Body {
  readonly latin1: string;
  #coded: Map<Coding, Promise<Buffer>> | null = null;

  /** @param latin1 bytes of UTF-8, a character for each. */
  constructor(latin1: string) {
    this.latin1 = latin1;
  }

  static of(text: string): Body {
    return new Body(bytesAsLatin1(Buffer.from(text)));
  }

  get bytes(): number {
    return this.latin1.length;
  }

  /** Whether it gains by compression. Smaller bodies are also made as quickly as they would be found in a cache. */
  get isLarge(): boolean {
    return this.bytes >= SMALLEST_COMPRESSED;
  }

  coded(coding: Exclude<Coding, 'identity'>): Promise<Buffer> {
    this.#coded ??= new Map();
    const known = this.#coded.get(coding);
    if (known !== undefined) return known;
    const body = encode(Buffer.from(this.latin1, 'latin1'), coding);
    this.#coded.set(coding, body);
    return body;
  }
}

/** Bytes as a string of one character for each. */
export function bytesAsLatin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
