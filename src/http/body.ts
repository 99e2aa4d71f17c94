import { promisify } from 'node:util';
import { brotliCompress, constants, gunzipSync, gzip } from 'node:zlib';
import { LastUsed } from '../formats/last-used.ts';

/** Content coding of a body. */
export type Coding = 'identity' | 'gzip' | 'br';

/** Smaller bodies are not compressed, because they fit into one packet. Bytes. */
const SMALLEST_COMPRESSED = 1400;

/** The smallest weight above 0 that a client can send. */
const LEAST_WEIGHT = 0.001;

const OFFERED: readonly Coding[] = ['br', 'gzip', 'identity'];

/**
 * Chooses the coding of an answer by the quality values of Accept-Encoding (RFC 9110, 12.5.3). When the client refuses
 * every coding, the body is sent without one; the RFC allows this.
 * @param offered codings in order of preference at equal weight
 */
export function chooseCoding(accept: string | undefined, bytes: number, offered: readonly Coding[] = OFFERED): Coding {
  if (accept === undefined || bytes < SMALLEST_COMPRESSED) return 'identity';
  const weights = qualityValues(accept);
  const gzipAlias = weights.get('x-gzip');
  if (gzipAlias !== undefined && !weights.has('gzip')) weights.set('gzip', gzipAlias);
  const anyWeight = weights.get('*');
  let best: Coding = 'identity';
  let bestWeight = 0;
  for (const coding of offered) {
    // Unless the client refuses it, `identity` is acceptable, but less than any listed coding.
    const unlistedWeight = anyWeight ?? (coding === 'identity' ? LEAST_WEIGHT : 0);
    const weight = weights.get(coding) ?? unlistedWeight;
    if (weight > bestWeight) {
      best = coding;
      bestWeight = weight;
    }
  }
  return best;
}

const QUALITY = /^\s*q=\s*([\d.]+)\s*$/i;

/** The quality values of a header such as Accept, by name in small letters (RFC 9110, 12.4.2). */
export function qualityValues(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const item of header.split(',')) {
    const [name = '', ...parameters] = item.split(';');
    const qualities = parameters.flatMap((parameter) => QUALITY.exec(parameter)?.[1] ?? []);
    weights.set(name.trim().toLowerCase(), Number(qualities[0] ?? 1));
  }
  return weights;
}

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

/** For these answers, level 4 of Brotli is smaller than level 6 of gzip and takes the same time. */
const BROTLI = {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 4,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  },
};

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
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  copy.set(bytes);
  return copy;
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

  /** Length, bytes. */
  get bytes(): number {
    return this.#content.length;
  }

  /** Moves its bytes to their own memory, before the body is kept for long: they may be a part of a larger block. */
  moveToOwnMemory(): void {
    if (typeof this.#content !== 'string') this.#content = unpooled(this.#content);
  }

  /** The compressed bytes. */
  coded(coding: Exclude<Coding, 'identity'>): Promise<Buffer> {
    this.#coded ??= new Map();
    const earlier = this.#coded.get(coding);
    if (earlier !== undefined) return earlier;
    const { content } = this;
    const coded = encode(typeof content === 'string' ? Buffer.from(content, 'latin1') : content, coding);
    this.#coded.set(coding, coded);
    return coded;
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
  bytesFor(accept: string | undefined): { coding: Coding; bytes: Buffer } {
    // The body is stored compressed, however short it is: its length does not count.
    const stored = OFFERED.filter((coding) => coding !== 'br' || this.#brotli !== null);
    const coding = chooseCoding(accept, Number.POSITIVE_INFINITY, stored);
    if (coding === 'identity') return { coding, bytes: gunzipSync(this.#gzip) };
    return { coding, bytes: coding === 'br' && this.#brotli !== null ? this.#brotli : this.#gzip };
  }
}

/** Memory that an entry needs besides its body: key, objects, table entry. Bytes. */
const ENTRY_BYTES = 1000;
/** Memory of a body with its gzip and Brotli forms, as a multiple of its bytes. */
const MEMORY_FACTOR = 1.5;
/** No body may take more than this share of the memory. */
const MOST_SHARE = 0.5;

/** A cache of bodies by request. Entries stay valid because a dataset never changes. */
export class BodyCache {
  readonly #mostBytes: number;
  readonly #bodies: LastUsed<string, Body>;

  /** @param bytes most memory of all bodies together */
  constructor(bytes: number) {
    this.#mostBytes = MOST_SHARE * bytes;
    this.#bodies = new LastUsed(bytes, weightOf);
  }

  /** The body of the request with this key, if it is there. */
  get(key: string): Body | undefined {
    return this.#bodies.find(key);
  }

  /** Keeps the body of a request, unless it is there already or too large. */
  put(key: string, body: Body): void {
    if (weightOf(body, key) > this.#mostBytes || this.#bodies.find(key) === body) return;
    body.moveToOwnMemory();
    this.#bodies.put(key, body);
  }
}

/** The memory of an entry, bytes. */
const weightOf = (body: Body, key: string): number => body.bytes * MEMORY_FACTOR + key.length + ENTRY_BYTES;
