import { promisify } from 'node:util';
import { brotliCompress, constants, gunzipSync, gzip } from 'node:zlib';

/** Content coding of a body. */
type Coding = 'identity' | 'gzip' | 'br';

/** Smaller bodies are not compressed: they fit into one packet, bytes. */
const SMALLEST_COMPRESSED = 1400;

/** In order of preference at equal weight. */
const OFFERED = ['br', 'gzip', 'identity'] as const;

/**
 * The coding for an answer, by the quality values of Accept-Encoding (RFC 9110, 12.5.3). Where the client refuses every coding, the body
 * is sent without one: the RFC allows it, and it is better than a refusal.
 */
export function chooseCoding(accept: string | undefined, bytes: number): Coding {
  if (accept === undefined || bytes < SMALLEST_COMPRESSED) return 'identity';
  const weights = new Map<string, number>();
  for (const item of accept.split(',')) {
    const [name = '', ...parameters] = item.split(';');
    const quality = parameters.map((parameter) => /^\s*q=\s*([\d.]+)\s*$/i.exec(parameter)?.[1]).find((q) => q);
    weights.set(name.trim().toLowerCase(), quality === undefined ? 1 : Number(quality));
  }
  const any = weights.get('*');
  let best: Coding = 'identity';
  let bestWeight = 0;
  for (const coding of OFFERED) {
    const unlisted = coding === 'identity' ? (any ?? 0.001) : (any ?? 0);
    const alias = coding === 'gzip' ? weights.get('x-gzip') : undefined;
    const weight = weights.get(coding) ?? alias ?? unlisted;
    if (weight > bestWeight) {
      best = coding;
      bestWeight = weight;
    }
  }
  return best;
}

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

/** For these answers level 4 of Brotli gives smaller bodies than level 6 of gzip in the same time. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_MODE]: 1 } };

/** Encodes a body. The result depends on the body alone. */
async function encode(body: Buffer, coding: Exclude<Coding, 'identity'>): Promise<Buffer> {
  return unpooled(coding === 'br' ? await brotliAsync(body, BROTLI) : await gzipAsync(body, { level: 6 }));
}

/** A copy in memory of its own. Short buffers of Node are parts of blocks of 64 KiB: who keeps one keeps the block. */
function unpooled(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  own.set(bytes);
  return own;
}

/**
 * Bodies up to this length are kept as a Latin-1 string, one character for each byte; longer ones as bytes. Node.js sends such a string
 * together with the head, in one write. That is faster while the copy is short.
 */
const LONGEST_STRING = 4096;

/** The body of an answer. It is compressed once for each coding that clients ask for. */
export class Body {
  /** Number of pages of the list that it is a page of; null where it is no list. */
  pages: number | null = null;
  /** Cost units of the answer, where they depend on what was found; null where all answers of the operation cost the same. */
  costUnits: number | null = null;
  #content: string | Buffer;
  #coded: Map<Coding, Promise<Buffer>> | null = null;

  protected constructor(content: string | Buffer) {
    this.#content = content;
  }

  /** The body of a text, or of bytes that nothing changes later. */
  static of(content: string | Buffer): Body {
    const bytes = Buffer.from(content as Buffer);
    return new Body(bytes.length <= LONGEST_STRING ? bytes.toString('latin1') : bytes);
  }

  /** Bytes of UTF-8 between two Latin-1 strings; the bytes are copied. */
  static around(before: string, bytes: Buffer, after: string): Body {
    const length = before.length + bytes.length + after.length;
    if (length <= LONGEST_STRING) return new Body(before + bytes.toString('latin1') + after);
    const content = Buffer.allocUnsafe(length);
    content.write(before, 'latin1');
    content.set(bytes, before.length);
    content.write(after, length - after.length, 'latin1');
    return new Body(content);
  }

  /** UTF-8; as a string it has one character for each byte. */
  get content(): string | Buffer {
    return this.#content;
  }

  get bytes(): number {
    return this.#content.length;
  }

  /** Moves its bytes into memory of their own, before it is kept for long. */
  settle(): void {
    if (typeof this.#content !== 'string') this.#content = unpooled(this.#content);
  }

  coded(coding: Exclude<Coding, 'identity'>): Promise<Buffer> {
    this.#coded ??= new Map();
    const known = this.#coded.get(coding);
    if (known !== undefined) return known;
    const { content } = this;
    const body = encode(typeof content === 'string' ? Buffer.from(content, 'latin1') : content, coding);
    this.#coded.set(coding, body);
    return body;
  }
}

/** A body that is kept compressed, and sent without compressing it again. */
export class PackedBody extends Body {
  readonly #brotli: Buffer | null;

  /** The same content in two codings; `brotli` may be missing. */
  constructor(gzip: Buffer, brotli: Buffer | null = null) {
    super(gzip);
    this.#brotli = brotli;
  }

  get #gzip(): Buffer {
    return this.content as Buffer;
  }

  /** The bytes for a client, by its Accept-Encoding: the best coding that it takes, else without one. */
  for(accept: string | undefined): { coding: Coding; bytes: Buffer } {
    const wanted = chooseCoding(accept, Number.POSITIVE_INFINITY);
    if (wanted === 'br' && this.#brotli !== null) return { coding: 'br', bytes: this.#brotli };
    const takesGzip = wanted !== 'identity' && /gzip|\*/i.test(accept ?? '');
    return takesGzip ? { coding: 'gzip', bytes: this.#gzip } : { coding: 'identity', bytes: gunzipSync(this.#gzip) };
  }
}

/** Memory of a body besides its bytes: its key, its objects, an entry in a table. Bytes. */
const BYTES_BESIDE = 1000;
/** With its gzip and Brotli forms a body takes about half as much again. */
const WITH_CODED = 1.5;

/**
 * A cache of bodies by request. A dataset never changes, so they stay right. There are two generations: when the young one has used up
 * half of the memory, it becomes the old one, and the old one is dropped. (A list in order of use would cost work at every request.)
 */
export class BodyCache {
  readonly #most: number;
  #young = new Map<string, Body>();
  #old = new Map<string, Body>();
  #youngBytes = 0;

  /** @param bytes of memory that its bodies may take together */
  constructor(bytes: number) {
    this.#most = bytes / 2;
  }

  get(request: string): Body | undefined {
    const young = this.#young.get(request);
    if (young !== undefined) return young;
    const old = this.#old.get(request);
    if (old !== undefined) this.put(request, old);
    return old;
  }

  put(request: string, body: Body): void {
    const bytes = body.bytes * WITH_CODED + request.length + BYTES_BESIDE;
    if (bytes > this.#most || this.#young.get(request) === body) return;
    if (this.#youngBytes + bytes > this.#most) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#youngBytes = 0;
    }
    body.settle();
    this.#young.set(request, body);
    this.#youngBytes += bytes;
  }
}
