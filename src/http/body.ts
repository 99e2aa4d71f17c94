import { promisify } from 'node:util';
import { brotliCompress, constants, gunzipSync, gzip } from 'node:zlib';

/** How a body travels. */
type Coding = 'identity' | 'gzip' | 'br';

/** Smaller bodies gain nothing from compression: they fit into one packet as they are. Bytes. */
const SMALLEST_COMPRESSED = 1400;

/** In order of preference at equal weight. */
const OFFERED = ['br', 'gzip', 'identity'] as const;

/**
 * The coding for an answer, by the quality values of Accept-Encoding (RFC 9110, 12.5.3). Where the client refuses
 * everything, the body goes out as it is, which the RFC allows and which beats a refusal.
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

/** Level 4 of brotli beats gzip's 6 in size at the same speed on these answers. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_MODE]: 1 } };

/** The body in the given coding. The same bytes give the same bytes. */
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
 * Longer bodies are kept as bytes, shorter ones as a string of one character for each byte ("latin1"): Node sends such a
 * string and the head before it in one piece, which is faster than two pieces as long as little has to be
 * copied for it. Text with other characters would have to be encoded for every answer.
 */
const LONGEST_STRING = 4096;

/** The body of an answer, ready to be sent, and compressed once for each coding that is asked for. */
export class Body {
  /** Pages of the list of which it shows one; null where it is no list. */
  pages: number | null = null;
  /** Cost units of the answer, where they follow from what was found; null where all answers of its operation cost the same. */
  costUnits: number | null = null;
  #content: string | Buffer;
  #coded: Map<Coding, Promise<Buffer>> | null = null;

  protected constructor(content: string | Buffer) {
    this.#content = content;
  }

  /** Of a text, or of bytes that nothing else writes to. */
  static of(content: string | Buffer): Body {
    const bytes = Buffer.from(content as Buffer);
    return new Body(bytes.length <= LONGEST_STRING ? bytes.toString('latin1') : bytes);
  }

  /** Bytes of UTF-8 between two texts that have a character for each byte; the bytes are copied. */
  static around(before: string, bytes: Buffer, after: string): Body {
    const length = before.length + bytes.length + after.length;
    if (length <= LONGEST_STRING) return new Body(before + bytes.toString('latin1') + after);
    const content = Buffer.allocUnsafe(length);
    content.write(before, 'latin1');
    content.set(bytes, before.length);
    content.write(after, length - after.length, 'latin1');
    return new Body(content);
  }

  /** Bytes of UTF-8; as a string, a character for each. */
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

/** A body that is kept packed and goes out as it is kept: nothing is packed again. */
export class PackedBody extends Body {
  readonly #brotli: Buffer | null;

  /** The same content, gzipped and, where there is one, packed by brotli. */
  constructor(gzip: Buffer, brotli: Buffer | null = null) {
    super(gzip);
    this.#brotli = brotli;
  }

  get #gzip(): Buffer {
    return this.content as Buffer;
  }

  /** The bytes for a client, by its Accept-Encoding: the best of the packings it takes, else unpacked. */
  for(accept: string | undefined): { coding: Coding; bytes: Buffer } {
    const wanted = chooseCoding(accept, Number.POSITIVE_INFINITY);
    if (wanted === 'br' && this.#brotli !== null) return { coding: 'br', bytes: this.#brotli };
    const takesGzip = wanted !== 'identity' && /gzip|\*/i.test(accept ?? '');
    return takesGzip ? { coding: 'gzip', bytes: this.#gzip } : { coding: 'identity', bytes: gunzipSync(this.#gzip) };
  }
}

/** What a body takes beside its bytes: its key, its objects, an entry in a table. Bytes. */
const BYTES_BESIDE = 1000;
/** With its gzip and brotli forms a body takes about half as much again. */
const WITH_CODED = 1.5;

/**
 * Bodies by request. A dataset never changes, so that they are right until it goes. There are two generations: when the
 * young one has used up half of the memory it becomes the old one, and what has not been asked for since is dropped. (A
 * list in order of use would have to be mended at every request.)
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
