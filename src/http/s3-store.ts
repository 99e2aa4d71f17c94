import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { AwsClient } from 'aws4fetch';
import { ask, reasonOf } from './ask.ts';
import { BodyTooLongError, boundedBody } from './bounded-body.ts';
import { nameComplaint } from './object-name.ts';

export type Headers = Record<string, string>;

/** A key to a store. */
export interface S3Keys {
  accessKey: string;
  secretKey: string;
  /** Of a key that is good for some hours. */
  sessionToken?: string | undefined;
}

/** A bucket of an S3-compatible store, and the key to it. */
export interface S3Place extends S3Keys {
  /** `https://s3.ap-northeast-1.amazonaws.com`: as clients reach it, since signatures cover the host. */
  endpoint: URL;
  region: string;
  bucket: string;
  /** What stands before every object's name, without a slash at either end; empty: nothing. */
  prefix: string;
  /** `path`: the bucket is the first part of the path; `virtual`: the first label of the host. */
  urlStyle: 'path' | 'virtual';
}

/** Bytes of a file from `start` up to but without `end`. Blobs are not for that: of a file they know 32 bits of its size (nodejs/node issue 52585). */
export interface FileBytes {
  path: string;
  start: number;
  end: number;
}

/** What the store says of an object. */
export interface S3Object {
  /** Null where the store does not say. */
  bytes: number | null;
  /** SHA-256 as `put` has noted it; null for an object that came some other way. */
  sha256: string | null;
}

/** The store refused, answered nonsense or could not be reached; the message names the URL and says which. */
export class S3Error extends Error {
  override name = 'S3Error';
  /** Whether the same may well succeed a moment later: no answer, or a 5xx. */
  readonly isPassing: boolean;
  /** What the store answered; null: nothing. */
  readonly status: number | null;

  constructor(
    message: string,
    { isPassing = false, status = null, cause }: { isPassing?: boolean; status?: number | null; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.isPassing = isPassing;
    this.status = status;
  }
}

export const SHA256_HEADER = 'x-amz-content-sha256';
export const SHA256_NOTE = 'x-amz-meta-sha256';

/**
 * Objects of one bucket by AWS Signature Version 4
 * (https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-authenticating-requests.html), which every S3-compatible
 * store understands.
 */
export class S3Store {
  readonly place: S3Place;
  readonly #keys: () => S3Keys;
  readonly #ends: readonly AbortSignal[];
  #client: AwsClient | null = null;

  /**
   * @param keys the key as it is now, where it changes from time to time; otherwise that of the place
   * @param ended ends what is under way, for good.
   */
  constructor(place: S3Place, keys: () => S3Keys = () => place, ended?: AbortSignal) {
    this.place = place;
    this.#keys = keys;
    this.#ends = ended === undefined ? [] : [ended];
  }

  /** What signs, with the key of now. */
  #signer(): AwsClient {
    const { accessKey: accessKeyId, secretKey: secretAccessKey, sessionToken } = this.#keys();
    const known = this.#client;
    const isKnown =
      known?.accessKeyId === accessKeyId &&
      known.secretAccessKey === secretAccessKey &&
      known.sessionToken === sessionToken;
    if (known !== null && isKnown) return known;
    const { region } = this.place;
    const session = sessionToken === undefined ? {} : { sessionToken };
    this.#client = new AwsClient({ service: 's3', region, accessKeyId, secretAccessKey, ...session });
    return this.#client;
  }

  /** A URL with which anybody may GET the object for `seconds` (at most a week) from the second of `now`. */
  async presign(name: string, now: Date, seconds: number): Promise<string> {
    const datetime = `${now.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;
    const url = `${this.url(name)}?X-Amz-Expires=${seconds}`;
    const { url: signed } = await this.#signer().sign(url, { method: 'GET', aws: { datetime, signQuery: true } });
    return signed;
  }

  /**
   * Size and hash of an object, or null when there is none.
   * @throws S3Error
   */
  async head(name: string, patienceMs: number): Promise<S3Object | null> {
    const response = await this.#send('HEAD', name, {}, patienceMs);
    if (response.status === 404) return null;
    if (!response.ok) throw await this.#refusal('HEAD', name, response);
    return describedBy(response);
  }

  /**
   * An object, or null when there is none; its body is read by the caller within `patienceMs`.
   * @throws S3Error
   */
  async get(name: string, patienceMs: number): Promise<{ object: S3Object; response: Response } | null> {
    const response = await this.#send('GET', name, {}, patienceMs);
    if (response.ok) return { object: describedBy(response), response };
    if (response.status !== 404) throw await this.#refusal('GET', name, response);
    await bodyOf(response);
    return null;
  }

  /**
   * The names that follow `folder` (which ends with a slash) up to the next slash, each once, in order: of objects, and of
   * folders with a slash at the end. What is no name directly in the folder is left out.
   * @throws S3Error also where there are more than `MOST_NAMES`, or pages without an end
   */
  async list(folder: string, patienceMs: number): Promise<string[]> {
    const place = this.url(folder);
    const { prefix } = this.place;
    const whole = prefix === '' ? folder : `${prefix}/${folder}`;
    const names = new Set<string>();
    let more = '';
    for (let page = 1; ; page++) {
      const query = `?list-type=2&delimiter=%2F&prefix=${percentEncode(whole)}&encoding-type=url${more}`;
      const response = await this.#send('GET', '', { url: `${this.#urlBelow('', '')}${query}` }, patienceMs);
      if (!response.ok) throw await this.#refusal('GET', folder, response);
      const text = (await bodyOf(response, MOST_PAGE_BYTES)).toString();
      for (const [, , name] of text.matchAll(/<(Key|Prefix)>([^<]*)<\/\1>/g)) {
        const decoded = decodedName(name);
        const inside = decoded?.startsWith(whole) ? decoded.slice(whole.length) : '';
        if (isDirectName(inside)) names.add(inside);
      }
      const token = /<NextContinuationToken>([^<]*)</.exec(text)?.[1];
      if (token === undefined) return [...names].sort();
      if (page === MOST_PAGES || names.size > MOST_NAMES)
        throw new S3Error(`GET ${place}: the list has no end: ${names.size} names on ${page} pages`);
      more = `&continuation-token=${percentEncode(token)}`;
    }
  }

  /**
   * Stores a file of at most 5 GB; `putFile` takes any. The store compares what arrives with `sha256` (hexadecimal), which is noted beside the object.
   * @returns false when a header such as `if-none-match` has kept it out.
   * @throws S3Error
   */
  async put(name: string, path: string, sha256: string, headers: Headers): Promise<boolean> {
    const noted = { ...headers, [SHA256_HEADER]: sha256, [SHA256_NOTE]: sha256 };
    const { size } = await stat(path);
    const response = await this.ask('PUT', name, { headers: noted, body: { path, start: 0, end: size } });
    await bodyOf(response);
    return response.ok;
  }

  /**
   * Asks for something else of an object, named by a query such as `?uploads`. That a header such as `if-none-match` has kept
   * it out is an answer too.
   * @throws S3Error
   */
  async ask(
    method: 'DELETE' | 'POST' | 'PUT',
    name: string,
    { query = '', headers = {}, body = null }: { query?: string; headers?: Headers; body?: FileBytes | string | null },
  ): Promise<Response> {
    const response = await this.#send(method, name, { headers, body, url: this.url(name) + query }, PUT_PATIENCE_MS);
    if (!response.ok && !isKeptOut(response, headers)) throw await this.#refusal(method, name, response);
    return response;
  }

  /**
   * Removes an object; one that is not there is no failure.
   * @throws S3Error
   */
  async remove(name: string): Promise<void> {
    const response = await this.#send('DELETE', name, {}, PUT_PATIENCE_MS);
    if (!response.ok && response.status !== 404) throw await this.#refusal('DELETE', name, response);
    await bodyOf(response);
  }

  /** Whether it is asked nothing any more. */
  get isEnded(): boolean {
    return this.#ends.some(({ aborted }) => aborted);
  }

  /**
   * Where an object is, unsigned; without a name the prefix.
   * @throws S3Error for a name that could lead elsewhere
   */
  url(name: string): string {
    const complaint = nameComplaint(name);
    if (complaint !== null) throw new S3Error(complaint);
    return this.#urlBelow(this.place.prefix, name);
  }

  #urlBelow(prefix: string, name: string): string {
    const { endpoint, bucket, urlStyle } = this.place;
    const inside = urlStyle === 'path' ? [bucket] : [];
    const parts = [...inside, ...prefix.split('/'), ...name.split('/')].filter((part) => part !== '');
    const host = urlStyle === 'path' ? endpoint.host : `${bucket}.${endpoint.host}`;
    const path = `${endpoint.pathname.replace(/\/+$/, '')}/${parts.map(percentEncode).join('/')}`;
    return `${endpoint.protocol}//${host}${path}`;
  }

  async #send(
    method: string,
    name: string,
    {
      headers = {},
      body = null,
      url = this.url(name),
    }: { headers?: Headers; body?: FileBytes | string | null; url?: string },
    patienceMs: number,
  ): Promise<Response> {
    // Signed without the body, whose hash is in the headers: it is read only when it is sent.
    const isFile = body !== null && typeof body !== 'string';
    const length = isFile ? { 'content-length': String(body.end - body.start) } : {};
    const signed = await this.#signer().sign(url, { method, headers: { ...headers, ...length } });
    const signal = AbortSignal.any([AbortSignal.timeout(patienceMs), ...this.#ends]);
    const init = { method, headers: signed.headers, signal, redirect: 'manual' } as const;
    try {
      if (!isFile) return await ask(signed.url, { ...init, body });
      return await sendFile(signed.url, init, body);
    } catch (error) {
      const message = `${method} ${this.url(name)}: no answer: ${reasonOf(error as Error)}`;
      throw new S3Error(message, { isPassing: true, cause: error });
    }
  }

  async #refusal(method: string, name: string, response: Response): Promise<S3Error> {
    // A reason is for people: the status says what to do.
    const text = await bodyOf(response).then(String, () => '');
    const of = (tag: string): string => new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(text)?.[1] ?? '';
    const reason = [of('Code'), of('Message')].filter((part) => part !== '').join(': ');
    const message = `${method} ${this.url(name)}: the store answers ${response.status}${reason && ` ${reason}`}`;
    const { status } = response;
    return new S3Error(message, { isPassing: status === 429 || (status >= 500 && status !== NOT_IMPLEMENTED), status });
  }
}

/** The whole answer to a request with bytes of a file. `fetch` leaves a file open that it does not read to its end: at a refusal, or without a connection. */
async function sendFile(url: string, init: RequestInit, { path, start, end }: FileBytes): Promise<Response> {
  if (end === start) return fetch(url, { ...init, body: '' });
  const file = createReadStream(path, { start, end: end - 1 });
  try {
    const response = await fetch(url, { ...init, body: Readable.toWeb(file) as ReadableStream, duplex: 'half' });
    const answer = await bodyOf(response);
    return new Response(answer.length === 0 ? null : new Uint8Array(answer), response);
  } finally {
    file.destroy();
  }
}

/**
 * The body of an answer that has no object in it.
 * @throws S3Error where it is longer than any store's
 */
export async function bodyOf(response: Response, most = MOST_ANSWER_BYTES): Promise<Buffer> {
  try {
    return await boundedBody(response, most);
  } catch (error) {
    if (error instanceof BodyTooLongError) throw new S3Error(error.message);
    throw error;
  }
}

/** A name of a list as it was before it was encoded; null where it is not encoded well. */
function decodedName(name: string): string | null {
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

/** Whether a name of a list is one of an object or a folder directly in the folder that was asked for. */
const isDirectName = (name: string): boolean => /^[^/]+\/?$/.test(name) && nameComplaint(name) === null;

function describedBy({ headers }: Response): S3Object {
  const length = headers.get('content-length');
  return { bytes: length === null ? null : Number(length), sha256: headers.get(SHA256_NOTE) };
}

/** Has a header such as `if-none-match` kept the object out? */
const isKeptOut = ({ status }: Response, headers: Headers): boolean =>
  status === 412 || (status === 409 && 'if-none-match' in headers);

/** For this request the store has no answer and never will. */
export const NOT_IMPLEMENTED = 501;

/** The longest answer that has no object in it: a reason, or a word about a part. */
const MOST_ANSWER_BYTES = 2 ** 16;
/** A page of a list: 1,000 names of at most 1,024 bytes, each of three characters, and what stands around them. */
const MOST_PAGE_BYTES = 2 ** 23;
/** A list of more names than that, or of more pages, is none that this program has filled. */
const MOST_NAMES = 10_000;
const MOST_PAGES = 100;

/** How long a file, or a part of one, may take to go up. */
const PUT_PATIENCE_MS = 15 * 60_000;

/** Percent-encoding as the signature asks for it: all but the unreserved characters of RFC 3986. */
function percentEncode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
