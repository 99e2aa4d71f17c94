import { brotliDecompressSync, gunzipSync } from 'node:zlib';

/** An answer as received on a connection. */
export interface RawAnswer {
  status: number;
  /** By lower-case name. A repeated name has both values, separated by a comma. */
  headers: ReadonlyMap<string, string>;
  /** The body as sent; only the beginning of a body that is too long to read. */
  body: Buffer;
  /** Length of the body in bytes, also when it is not read completely. */
  length: number;
}

const STATUS_LINE = /^HTTP\/1\.1 (\d{3}) [\x20-\x7e]*$/;
const HEADER_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+): ([\t\x20-\x7e\x80-\xff]*)$/;
/** Headers that must not occur twice, because a second one changes the meaning. */
const SINGLE = [
  'content-length',
  'content-type',
  'content-encoding',
  'etag',
  'x-request-id',
  'transfer-encoding',
  'location',
];

/** The received bytes are not HTTP/1.1 (RFC 9112). */
export class MalformedAnswer extends Error {
  override name = 'MalformedAnswer';
}

/** Reads the answers on a connection one by one, and rejects malformed ones. */
export class AnswerReader {
  readonly #mostBody: number;
  #bytes: Buffer = Buffer.alloc(0);

  /** @param mostBody most bytes to read of a body; after a longer body the connection cannot be used any more */
  constructor(mostBody: number) {
    this.#mostBody = mostBody;
  }

  /** Received bytes that belong to no answer yet. */
  get left(): Buffer {
    return this.#bytes;
  }

  push(chunk: Buffer): void {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
  }

  /**
   * The next answer, or null when it is not complete yet. Interim answers (1xx) are skipped.
   * @param isHead true for the answer to HEAD
   * @param isClosed true when no more bytes will come
   * @throws MalformedAnswer
   */
  next(isHead: boolean, isClosed: boolean): RawAnswer | null {
    const end = this.#bytes.indexOf('\r\n\r\n');
    if (end < 0) {
      if (this.#bytes.length > 65_536) throw new MalformedAnswer('a head without end');
      return null;
    }
    const [statusLine = '', ...lines] = this.#bytes.toString('latin1', 0, end).split('\r\n');
    const status = Number(STATUS_LINE.exec(statusLine)?.[1] ?? Number.NaN);
    if (Number.isNaN(status)) throw new MalformedAnswer(`status line ${JSON.stringify(statusLine.slice(0, 200))}`);
    const headers = headersOf(lines);
    const rest = this.#bytes.subarray(end + 4);
    if (status < 200) {
      this.#bytes = rest;
      return this.next(isHead, isClosed);
    }
    const framed = bodyOf(status, headers, rest, isHead, isClosed, this.#mostBody);
    if (framed === null) return null;
    this.#bytes = rest.subarray(framed.taken);
    return { status, headers, body: framed.body, length: framed.length };
  }
}

function headersOf(lines: readonly string[]): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name = '', value = ''] = HEADER_LINE.exec(line) ?? [];
    if (name === '') throw new MalformedAnswer(`header line ${JSON.stringify(line.slice(0, 200))}`);
    const key = name.toLowerCase();
    const before = headers.get(key);
    if (before !== undefined && SINGLE.includes(key)) throw new MalformedAnswer(`${key} twice`);
    headers.set(key, before === undefined ? value : `${before}, ${value}`);
  }
  return headers;
}

interface Framed {
  body: Buffer;
  length: number;
  /** Number of bytes after the head that belong to the answer. */
  taken: number;
}

function bodyOf(
  status: number,
  headers: ReadonlyMap<string, string>,
  bytes: Buffer,
  isHead: boolean,
  isClosed: boolean,
  most: number,
): Framed | null {
  const length = headers.get('content-length');
  const coding = headers.get('transfer-encoding');
  if (length !== undefined && coding !== undefined) throw new MalformedAnswer('a length beside a transfer coding');
  if (length !== undefined && !/^\d+$/.test(length)) throw new MalformedAnswer(`content-length ${length}`);
  if (isHead || status === 204 || status === 304) return { body: Buffer.alloc(0), length: 0, taken: 0 };
  if (length !== undefined) {
    const whole = Number(length);
    const wanted = Math.min(whole, most);
    if (bytes.length < wanted) return null;
    return { body: bytes.subarray(0, wanted), length: whole, taken: Math.min(whole, bytes.length) };
  }
  if (coding !== undefined) {
    if (coding !== 'chunked') throw new MalformedAnswer(`transfer-encoding ${coding}`);
    return chunkedBody(bytes);
  }
  // Without a length the body ends with the connection.
  if (headers.get('connection') !== 'close')
    throw new MalformedAnswer('a body without length on a connection that stays');
  return isClosed ? { body: bytes, length: bytes.length, taken: bytes.length } : null;
}

function chunkedBody(bytes: Buffer): Framed | null {
  const pieces: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = bytes.indexOf('\r\n', at);
    if (end < 0) return null;
    const size = bytes.toString('latin1', at, end);
    if (!/^[0-9a-fA-F]{1,8}$/.test(size)) throw new MalformedAnswer(`chunk size ${JSON.stringify(size.slice(0, 50))}`);
    const count = Number.parseInt(size, 16);
    const next = end + 2 + count;
    if (bytes.length < next + 2) return null;
    if (bytes.toString('latin1', next, next + 2) !== '\r\n') throw new MalformedAnswer('a chunk of another length');
    if (count === 0) {
      const body = Buffer.concat(pieces);
      return { body, length: body.length, taken: next + 2 };
    }
    pieces.push(bytes.subarray(end + 2, next));
    at = next + 2;
  }
}

/** The decoded content of an answer. @throws Error when it does not match its Content-Encoding. */
export function contentOf({ headers, body }: RawAnswer): Buffer {
  const coding = headers.get('content-encoding');
  if (coding === undefined || body.length === 0) return body;
  if (coding === 'br') return brotliDecompressSync(body);
  if (coding === 'gzip') return gunzipSync(body);
  throw new MalformedAnswer(`content-encoding ${coding}`);
}

const DECODER = new TextDecoder('utf-8', { fatal: true });

/** Most bytes of a refusal as JSON, as docs/operating.md states. */
const MOST_REFUSAL_BYTES = 8 << 10;
/** Most bytes of a refusal as a page, without coding. */
const MOST_REFUSAL_PAGE_BYTES = 20_000;

/** What is wrong with the content of a complete answer, for any request; null when it is correct. */
export function complaintAbout(answer: RawAnswer, isHead: boolean): string | null {
  const { status, headers, body, length } = answer;
  const type = headers.get('content-type') ?? '';
  if (status === 405 && !headers.has('allow')) return '405 without Allow';
  if ((status === 429 || status === 503) && !headers.has('retry-after')) return `${status} without Retry-After`;
  if (status === 416 && !headers.has('content-range')) return '416 without Content-Range';
  const mostBytes = /html/.test(type) ? MOST_REFUSAL_PAGE_BYTES : MOST_REFUSAL_BYTES;
  if (status >= 400 && length > mostBytes) return `a refusal of ${length} bytes (${status}, ${type})`;
  if (isHead || body.length === 0 || body.length < length) return null;
  try {
    if (!/json/.test(type)) return null;
    const content = contentOf(answer);
    const value = JSON.parse(DECODER.decode(content)) as { status?: unknown };
    if (type === 'application/problem+json' && value.status !== status) return `a problem of status ${value.status}`;
  } catch (error) {
    return `${type}: ${(error as Error).message}`;
  }
  return null;
}
