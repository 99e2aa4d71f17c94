import { gunzipSync } from 'node:zlib';
import { Body } from './body.ts';
import { type Coding, chooseCoding } from './coding.ts';

/** A body that is kept packed and goes out as it is kept: nothing is packed anew. */
export class PackedBody extends Body {
  readonly #gzip: Buffer;
  readonly #brotli: Buffer | null;

  /** The same content, gzipped and, where there is one, packed by brotli. */
  constructor(gzip: Buffer, brotli: Buffer | null = null) {
    super(gzip);
    this.#gzip = gzip;
    this.#brotli = brotli;
  }

  /** The bytes for a client, by its Accept-Encoding: the best of the packings it takes, else unpacked. */
  for(accept: string | undefined): { coding: Coding; bytes: Buffer } {
    const wanted = chooseCoding(accept, Number.POSITIVE_INFINITY);
    if (wanted === 'br' && this.#brotli !== null) return { coding: 'br', bytes: this.#brotli };
    const takesGzip = wanted !== 'identity' && /gzip|\*/i.test(accept ?? '');
    return takesGzip ? { coding: 'gzip', bytes: this.#gzip } : { coding: 'identity', bytes: gunzipSync(this.#gzip) };
  }
}
