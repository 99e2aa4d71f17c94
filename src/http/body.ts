import { promisify } from 'node:util';
import { brotliCompress, constants, gunzipSync, gzip } from 'node:zlib';

/** Content coding of a body. */
type Coding = 'identity' | 'gzip' | 'br';

/** Smaller bodies are not compressed, because they fit into one packet. Bytes. */
const SMALLEST_COMPRESSED = 1400;

/** Codings in order of preference at equal weight. */
const OFFERED = ['br', 'gzip', 'identity'] as const;

/**
 * Chooses the coding of an answer by the quality values of Accept-Encoding (RFC 9110, 12.5.3). When the client refuses
 * every coding, the body is sent without one; the RFC allows this.
 */
export function chooseCoding(accept: string | undefined, bytes: number): Coding {
  if (accept === undefined || bytes < SMALLEST_COMPRESSED) return 'identity';
  const weights = qualityValues(accept);
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

/** The quality values of a header such as Accept, by name in small letters (RFC 9110, 12.4.2). */
export function qualityValues(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const item of header.split(',')) {
    const [name = '', ...parameters] = item.split(';');
    const quality = parameters.map((parameter) => /^\s*q=\s*([\d.]+)\s*$/i.exec(parameter)?.[1]).find((q) => q);
    weights.set(name.trim().toLowerCase(), quality === undefined ? 1 : Number(quality));
  }
  return weights;
}

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

/** For these answers, level 4 of Brotli is smaller than level 6 of gzip and takes the same time. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_MODE]: 1 } };

/** Compresses a body. The result depends only on the body. */
async function encode(body: Buffer, coding: Exclude<Coding, 'identity'>): Promise<Buffer> {
  return unpooled(coding === 'br' ? await brotliAsync(body, BROTLI) : await gzipAsync(body, { level: 6 }));
}

/**
 * A copy in its own memory. Short buffers of Node.js are parts of blocks of 64 KiB, and keeping one keeps the whole
 * block.
 */
function unpooled(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  own.set(bytes);
  return own;
}

/**
 * Bodies up to this length are kept as a Latin-1 string, one character for each byte. Node.js sends a string together
 * with the head in one write, which is faster while the copy is short.
 */
const LONGEST_STRING = 4096;

/** The body of an answer. It is compressed once for each requested coding. */
export class Body {
  /** Number of pages of its list; null when it is not a page of a list. */
  pages: number | null = null;
  /** Cost units, when they depend on the results; null when all answers of the operation cost the same. */
  costUnits: number | null = null;
  #content: string | Buffer;
  #coded: Map<Coding, Promise<Buffer>> | null = null;

  protected constructor(content: string | Buffer) {
    this.#content = content;
  }

  /** Makes a body of a text, or of bytes that do not change later. */
  static of(content: string | Buffer): Body {
    const bytes = Buffer.from(content as Buffer);
    return new Body(bytes.length <= LONGEST_STRING ? bytes.toString('latin1') : bytes);
  }

  /** Makes a body of UTF-8 bytes between two Latin-1 strings. Copies the bytes. */
  static around(before: string, bytes: Buffer, after: string): Body {
    const length = before.length + bytes.length + after.length;
    if (length <= LONGEST_STRING) return new Body(before + bytes.toString('latin1') + after);
    const content = Buffer.allocUnsafe(length);
    content.write(before, 'latin1');
    content.set(bytes, before.length);
    content.write(after, length - after.length, 'latin1');
    return new Body(content);
  }

  /** The UTF-8 bytes: a Buffer, or a Latin-1 string with one character for each byte. */
  get content(): string | Buffer {
    return this.#content;
  }

  /** The content as text. */
  get text(): string {
    return typeof this.#content === 'string' ? Buffer.from(this.#content, 'latin1').toString() : String(this.#content);
  }

  get bytes(): number {
    return this.#content.length;
  }

  /** Moves its bytes to their own memory, before the body is kept for long. */
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

/** A body that is stored compressed and sent as it is. */
export class PackedBody extends Body {
  readonly #brotli: Buffer | null;

  /** Takes the same content in two codings; `brotli` may be missing. */
  constructor(gzip: Buffer, brotli: Buffer | null = null) {
    super(gzip);
    this.#brotli = brotli;
  }

  get #gzip(): Buffer {
    return this.content as Buffer;
  }

  /** The bytes for a client by its Accept-Encoding: the best stored coding that it accepts; otherwise uncompressed. */
  for(accept: string | undefined): { coding: Coding; bytes: Buffer } {
    const wanted = chooseCoding(accept, Number.POSITIVE_INFINITY);
    if (wanted === 'br' && this.#brotli !== null) return { coding: 'br', bytes: this.#brotli };
    const takesGzip = wanted !== 'identity' && /gzip|\*/i.test(accept ?? '');
    return takesGzip ? { coding: 'gzip', bytes: this.#gzip } : { coding: 'identity', bytes: gunzipSync(this.#gzip) };
  }
}

/** Memory of a body in addition to its bytes: key, objects, table entry. Bytes. */
const BYTES_BESIDE = 1000;
/** Its gzip and Brotli forms add about half of its size. */
const WITH_CODED = 1.5;

/**
 * A cache of bodies by request. Entries stay valid because a dataset never changes. There are two generations: when the
 * young one has used half of the memory, it becomes the old one, and the old one is dropped. An ordered list would cost
 * work at every request.
 */
export class BodyCache {
  readonly #most: number;
  #young = new Map<string, Body>();
  #old = new Map<string, Body>();
  #youngBytes = 0;

  /** @param bytes most memory of all bodies together */
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
