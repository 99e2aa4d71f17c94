import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { AwsClient } from 'aws4fetch';
import { ask, BodyTooLongError, boundedBody, reasonOf } from './ask.ts';

export type Headers = Record<string, string>;

/** A key for a store. */
export interface S3Keys {
  accessKey: string;
  secretKey: string;
  /** Only temporary keys have it. */
  sessionToken?: string | undefined;
}

/** A bucket of an S3-compatible store, and its key. */
export interface S3Location extends S3Keys {
  /**
   * Such as `https://s3.ap-northeast-1.amazonaws.com`. It must be the host that clients use, because signatures cover
   * it.
   */
  endpoint: URL;
  region: string;
  bucket: string;
  /** Prefix of the names of all objects, without a slash at either end; empty: none. */
  prefix: string;
  /** `path`: the bucket is the first part of the path; `virtual`: the first label of the host. */
  urlStyle: 'path' | 'virtual';
}

/**
 * Bytes of a file from `start` up to, but without, `end`. (A Blob of a file has only 32 bits for its size: nodejs/node
 * issue 52585.)
 */
interface FileBytes {
  path: string;
  start: number;
  end: number;
}

/** Size and hash of an object. */
export interface S3Object {
  /** Null when the store does not send it. */
  bytes: number | null;
  /** SHA-256 that `put` stored with it; null for objects that were stored in another way. */
  sha256: string | null;
}

/** The store refused, gave an invalid answer, or could not be reached. The message says which, with the URL. */
export class S3Error extends Error {
  override name = 'S3Error';
  /** True when another attempt may succeed soon: there was no answer, or a 5xx. */
  readonly isTemporary: boolean;
  /** Status of the answer; null: no answer. */
  readonly status: number | null;

  constructor(
    message: string,
    {
      isTemporary = false,
      status = null,
      cause,
    }: { isTemporary?: boolean; status?: number | null; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.isTemporary = isTemporary;
    this.status = status;
  }
}

/** The hash of the body of a request. The signature covers it. */
const SHA256_HEADER = 'x-amz-content-sha256';
/** The hash that an object keeps as metadata. */
const SHA256_METADATA = 'x-amz-meta-sha256';

/**
 * Objects of a bucket, by AWS Signature Version 4
 * (https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-authenticating-requests.html), which every S3-compatible
 * store supports.
 */
export class S3Store {
  readonly location: S3Location;
  readonly #keys: () => S3Keys;
  readonly #endSignals: readonly AbortSignal[];
  #client: AwsClient | null = null;

  /**
   * @param keys the current key, if it changes; by default that of the location
   * @param end aborts all requests
   */
  constructor(location: S3Location, keys: () => S3Keys = () => location, end?: AbortSignal) {
    this.location = location;
    this.#keys = keys;
    this.#endSignals = end === undefined ? [] : [end];
  }

  /** The signer with the current key. It is made again when the key has changed. */
  #signer(): AwsClient {
    const { accessKey: accessKeyId, secretKey: secretAccessKey, sessionToken } = this.#keys();
    const earlier = this.#client;
    const hasSameKey =
      earlier?.accessKeyId === accessKeyId &&
      earlier.secretAccessKey === secretAccessKey &&
      earlier.sessionToken === sessionToken;
    if (earlier !== null && hasSameKey) return earlier;
    const { region } = this.location;
    const session = sessionToken === undefined ? {} : { sessionToken };
    this.#client = new AwsClient({ service: 's3', region, accessKeyId, secretAccessKey, ...session });
    return this.#client;
  }

  /** A URL with which anybody can GET the object for `seconds` (at most a week) from `now`. */
  async presign(name: string, now: Date, seconds: number): Promise<string> {
    const datetime = `${now.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;
    const url = `${this.url(name)}?X-Amz-Expires=${seconds}`;
    const { url: signed } = await this.#signer().sign(url, { method: 'GET', aws: { datetime, signQuery: true } });
    return signed;
  }

  /**
   * Size and hash of an object; null when it does not exist.
   * @throws S3Error when the store does not answer within `patienceMs`, or refuses
   */
  async head(name: string, patienceMs: number): Promise<S3Object | null> {
    const response = await this.#send('HEAD', name, {}, patienceMs);
    if (response.status === 404) return null;
    if (!response.ok) throw await this.#refusal('HEAD', name, response);
    return objectOf(response);
  }

  /**
   * An object; null when it does not exist. The caller must read its body within `patienceMs`.
   * @throws S3Error when the store does not answer in that time, or refuses
   */
  async get(name: string, patienceMs: number): Promise<{ object: S3Object; response: Response } | null> {
    const response = await this.#send('GET', name, {}, patienceMs);
    if (response.ok) return { object: objectOf(response), response };
    if (response.status !== 404) throw await this.#refusal('GET', name, response);
    // The body is read to its end, so that the connection can be used again.
    await bodyOf(response);
    return null;
  }

  /**
   * The names directly in `folder` (which ends with a slash), each once, sorted. Folders end with a slash. Invalid
   * names are left out.
   * @throws S3Error also for more than `MOST_NAMES` names or `MOST_PAGES` pages
   */
  async list(folder: string, patienceMs: number): Promise<string[]> {
    // Also refuses a name that leads out of the folder.
    const folderUrl = this.url(folder);
    const { prefix } = this.location;
    const fullPrefix = prefix === '' ? folder : `${prefix}/${folder}`;
    const names = new Set<string>();
    let nextPage = '';
    for (let page = 1; ; page++) {
      const query = `?list-type=2&delimiter=%2F&prefix=${percentEncode(fullPrefix)}&encoding-type=url${nextPage}`;
      const response = await this.#send('GET', '', { url: `${this.#urlBelow('', '')}${query}` }, patienceMs);
      if (!response.ok) throw await this.#refusal('GET', folder, response);
      const text = (await bodyOf(response, MOST_PAGE_BYTES)).toString();
      for (const name of namesInPage(text, fullPrefix)) names.add(name);
      const token = elementText(text, 'NextContinuationToken');
      if (token === null) return [...names].sort();
      if (page === MOST_PAGES || names.size > MOST_NAMES)
        throw new S3Error(`GET ${folderUrl}: the list has no end: ${names.size} names on ${page} pages`);
      nextPage = `&continuation-token=${percentEncode(token)}`;
    }
  }

  /**
   * Stores a file of at most 5 GB; `putFile` takes any size. The store checks `sha256` (hexadecimal) and keeps it as
   * metadata of the object.
   * @returns false when a condition such as `if-none-match` failed
   * @throws S3Error when the store does not answer, or refuses for another reason
   */
  async put(name: string, path: string, sha256: string, headers: Headers): Promise<boolean> {
    const withHash = { ...headers, [SHA256_HEADER]: sha256, [SHA256_METADATA]: sha256 };
    const { size } = await stat(path);
    const response = await this.ask('PUT', name, { headers: withHash, body: { path, start: 0, end: size } });
    await bodyOf(response);
    return response.ok;
  }

  /**
   * Sends a request about an object that has no method of its own here, with a query such as `?uploads`. Also returns
   * the answer when a condition such as `if-none-match` failed.
   * @throws S3Error when the store does not answer, or refuses for another reason
   */
  async ask(
    method: 'DELETE' | 'POST' | 'PUT',
    name: string,
    { query = '', headers = {}, body = null }: { query?: string; headers?: Headers; body?: FileBytes | string | null },
  ): Promise<Response> {
    const response = await this.#send(method, name, { headers, body, url: this.url(name) + query }, WRITE_PATIENCE_MS);
    if (!response.ok && !hasFailedCondition(response, headers)) throw await this.#refusal(method, name, response);
    return response;
  }

  /**
   * Removes an object. Succeeds when it does not exist.
   * @throws S3Error when the store does not answer, or refuses
   */
  async remove(name: string): Promise<void> {
    const response = await this.#send('DELETE', name, {}, WRITE_PATIENCE_MS);
    if (!response.ok && response.status !== 404) throw await this.#refusal('DELETE', name, response);
    await bodyOf(response);
  }

  /** True after `end` of the constructor has aborted: then every request fails. */
  get isEnded(): boolean {
    return this.#endSignals.some(({ aborted }) => aborted);
  }

  /**
   * The unsigned URL of an object; of the prefix for an empty name.
   * @throws S3Error for an invalid name
   */
  url(name: string): string {
    const complaint = nameComplaint(name);
    if (complaint !== null) throw new S3Error(complaint);
    return this.#urlBelow(this.location.prefix, name);
  }

  /** The URL of a name below a prefix of the bucket; both may be empty. */
  #urlBelow(prefix: string, name: string): string {
    const { endpoint, bucket, urlStyle } = this.location;
    const bucketPart = urlStyle === 'path' ? [bucket] : [];
    const parts = [...bucketPart, ...prefix.split('/'), ...name.split('/')].filter((part) => part !== '');
    const host = urlStyle === 'path' ? endpoint.host : `${bucket}.${endpoint.host}`;
    const path = `${endpoint.pathname.replace(/\/+$/, '')}/${parts.map(percentEncode).join('/')}`;
    return `${endpoint.protocol}//${host}${path}`;
  }

  /**
   * Sends a signed request, and returns the answer of any status.
   * @throws S3Error when there is no answer
   */
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
    // The headers of a file have the hash of its bytes. So the request is signed without reading them again.
    const isFile = body !== null && typeof body !== 'string';
    const length = isFile ? { 'content-length': String(body.end - body.start) } : {};
    const signed = await this.#signer().sign(url, { method, headers: { ...headers, ...length } });
    const signal = AbortSignal.any([AbortSignal.timeout(patienceMs), ...this.#endSignals]);
    const init = { method, headers: signed.headers, signal, redirect: 'manual' } as const;
    try {
      if (!isFile) return await ask(signed.url, { ...init, body });
      return await sendFile(signed.url, init, body);
    } catch (error) {
      const message = `${method} ${this.url(name)}: no answer: ${reasonOf(error as Error)}`;
      throw new S3Error(message, { isTemporary: true, cause: error });
    }
  }

  /** The error for an answer with an unexpected status. */
  async #refusal(method: string, name: string, response: Response): Promise<S3Error> {
    // The text is only for people; the program uses the status.
    const text = await bodyOf(response).then(String, () => '');
    const reason = reasonIn(text);
    const message = `${method} ${this.url(name)}: the store answers ${response.status}${reason && ` ${reason}`}`;
    const { status } = response;
    return new S3Error(message, {
      isTemporary: status === 429 || (status >= 500 && status !== NOT_IMPLEMENTED),
      status,
    });
  }
}

/**
 * Sends bytes of a file and reads the whole answer. The file is closed afterwards: `fetch` leaves it open when it does
 * not read it to its end.
 */
async function sendFile(url: string, init: RequestInit, { path, start, end }: FileBytes): Promise<Response> {
  // A stream cannot read an empty range.
  if (end === start) return fetch(url, { ...init, body: '' });
  const file = await open(path);
  const bytes = file.createReadStream({ start, end: end - 1 });
  try {
    const response = await fetch(url, { ...init, body: Readable.toWeb(bytes) as ReadableStream, duplex: 'half' });
    const answer = await bodyOf(response);
    return new Response(answer.length === 0 ? null : new Uint8Array(answer), response);
  } finally {
    bytes.destroy();
    await file.close();
  }
}

/**
 * The body of an answer that is not an object.
 * @throws S3Error when it is too long
 */
async function bodyOf(response: Response, most = MOST_ANSWER_BYTES): Promise<Buffer> {
  try {
    return await boundedBody(response, most);
  } catch (error) {
    if (error instanceof BodyTooLongError) throw new S3Error(error.message);
    throw error;
  }
}

/**
 * The names directly in the listed folder on a page of a list. Other names are left out.
 * @param text XML of the page
 * @param fullPrefix the folder with the prefix of the bucket, with which every name begins
 */
function namesInPage(text: string, fullPrefix: string): string[] {
  return [...text.matchAll(/<(Key|Prefix)>([^<]*)<\/\1>/g)].flatMap(([, , encoded]) => {
    const name = decodedName(encoded);
    const nameInFolder = name?.startsWith(fullPrefix) ? name.slice(fullPrefix.length) : '';
    return isDirectName(nameInFolder) ? [nameInFolder] : [];
  });
}

/** A decoded name of a list; null when its percent-encoding is wrong. */
function decodedName(name: string): string | null {
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

/** True when the name is that of an object or folder directly in the listed folder. */
const isDirectName = (name: string): boolean => /^[^/]+\/?$/.test(name) && nameComplaint(name) === null;

/** Size and hash of an object by the headers of an answer. */
function objectOf({ headers }: Response): S3Object {
  const length = headers.get('content-length');
  return { bytes: length === null ? null : Number(length), sha256: headers.get(SHA256_METADATA) };
}

/** True when a condition such as `if-none-match` failed; 409: another upload of this object was under way. */
const hasFailedCondition = ({ status }: Response, headers: Headers): boolean =>
  status === 412 || (status === 409 && 'if-none-match' in headers);

/** The store does not support this request. */
export const NOT_IMPLEMENTED = 501;

/** Longest answer that is not an object. */
const MOST_ANSWER_BYTES = 2 ** 16;
/** Longest page of a list: 1,000 names of at most 1,024 bytes, each byte percent-encoded, with their XML. */
const MOST_PAGE_BYTES = 2 ** 23;
/** Limits of a list. No folder of this program has more. */
const MOST_NAMES = 10_000;
const MOST_PAGES = 100;

/** Timeout of an upload of a file or a part. */
const WRITE_PATIENCE_MS = 15 * 60_000;

/** Percent-encodes for signatures: all but the unreserved characters of RFC 3986. */
function percentEncode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Longest name of an object, bytes (https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-keys.html). */
const MOST_NAME_BYTES = 1024;

/**
 * Checks the name of an object or, with a slash at its end, of a folder. Returns the problem, or null. A valid name is
 * a relative path that stays below its folder, in a URL and on disk: no empty, `.` or `..` part, no backslash, no
 * control character. The empty name is the folder itself.
 */
export function nameComplaint(name: string): string | null {
  const parts = name.replace(/\/$/, '').split('/');
  const isPlain = name === '' || parts.every((part) => part !== '' && part !== '.' && part !== '..');
  if (isPlain && !/[\\\p{Cc}]/u.test(name) && Buffer.byteLength(name) <= MOST_NAME_BYTES) return null;
  return `${JSON.stringify(name.slice(0, 200))} is not a valid object name`;
}

/** Larger files are uploaded in parts. Stores take at most 5 GB at once, and a failed part is quickly sent again. */
const MOST_AT_ONCE = 2 ** 30;
const PART_BYTES = 64 * 2 ** 20;
/** Most parts of an object. */
const MOST_PARTS = 10_000;
/** Most attempts to send a part. */
const ATTEMPTS = 4;
/** Pause before the second attempt. It doubles each time, because a store may ask to slow down. */
const FIRST_PAUSE_MS = 250;

/** The size of the parts of a file, bytes: `least`, or more when there would be too many parts. */
export const partBytesFor = (bytes: number, least = PART_BYTES): number =>
  Math.max(least, Math.ceil(bytes / MOST_PARTS));

/** Timeout of a HEAD. */
const HEAD_PATIENCE_MS = 30_000;

/**
 * Stores a file of any size, like `S3Store.put`. For an upload in parts, `if-none-match` is checked before the first
 * part: after the last part it would be late, and many stores do not support it there.
 * @returns false when the condition failed
 * @throws S3Error when the store does not answer, or refuses for another reason
 */
export async function putFile(
  store: S3Store,
  name: string,
  path: string,
  sha256: string,
  { 'if-none-match': ifNoneMatch, ...headers }: Headers,
  mostAtOnce = MOST_AT_ONCE,
): Promise<boolean> {
  const condition: Headers = ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch };
  const { size } = await stat(path);
  if (size <= mostAtOnce) return store.put(name, path, sha256, { ...headers, ...condition });
  if (ifNoneMatch !== undefined && (await store.head(name, HEAD_PATIENCE_MS)) !== null) return false;
  const partBytes = partBytesFor(size, Math.min(PART_BYTES, mostAtOnce));
  await putInParts(store, name, { path, size }, { ...headers, [SHA256_METADATA]: sha256 }, partBytes);
  return true;
}

/**
 * Stores a file in parts (https://docs.aws.amazon.com/AmazonS3/latest/userguide/mpuoverview.html). The store checks the
 * SHA-256 of each part. Aborts the upload when it fails.
 * @param partBytes at least 5 MiB, the minimum of stores
 * @throws S3Error when a part or the whole cannot be stored
 */
async function putInParts(
  store: S3Store,
  name: string,
  { path, size }: { path: string; size: number },
  headers: Headers,
  partBytes: number,
): Promise<void> {
  const created = await textOfAnswer(store.ask('POST', name, { query: '?uploads=', headers }));
  const id = encodeURIComponent(elementText(created, 'UploadId') ?? refuse(store, name, created));
  try {
    const etags: string[] = [];
    for (let start = 0; start < size; start += partBytes) {
      const query = `?partNumber=${etags.length + 1}&uploadId=${id}`;
      etags.push(await putPart(store, name, query, { path, start, end: Math.min(size, start + partBytes) }));
    }
    const parts = etags.map((etag, i) => `<Part><PartNumber>${i + 1}</PartNumber><ETag>${etag}</ETag></Part>`);
    const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`;
    const answer = await textOfAnswer(store.ask('POST', name, { query: `?uploadId=${id}`, body }));
    // A store that needs long to join the parts answers 200 before the result is known. Its body may be an error.
    if (elementText(answer, 'Code') !== null) refuse(store, name, answer);
  } catch (error) {
    await abortUpload(store, name, id);
    throw error;
  }
}

/** The body of an answer, which is short, as text. */
const textOfAnswer = async (answer: Promise<Response>): Promise<string> => (await bodyOf(await answer)).toString();

/**
 * Sends a part, again after temporary errors.
 * @param query the number of the part and the ID of the upload
 * @returns the ETag of the part
 * @throws S3Error after the last attempt, and at once for an error that is not temporary
 */
async function putPart(store: S3Store, name: string, query: string, part: FileBytes): Promise<string> {
  // Read the part twice, first for its hash. It may have hundreds of megabytes, too much for memory.
  const hash = createHash('sha256');
  for await (const piece of createReadStream(part.path, { start: part.start, end: part.end - 1 })) hash.update(piece);
  const headers = { [SHA256_HEADER]: hash.digest('hex') };
  for (let attempt = 1; ; attempt++) {
    try {
      const response = await store.ask('PUT', name, { query, headers, body: part });
      await bodyOf(response);
      return response.headers.get('etag') ?? refuse(store, name, 'a part without an ETag');
    } catch (error) {
      if (attempt === ATTEMPTS || store.isEnded || !(error instanceof S3Error && error.isTemporary)) throw error;
      await delay(FIRST_PAUSE_MS * 2 ** (attempt - 1));
    }
  }
}

/** Aborts an upload. If this fails too, a lifecycle rule of the bucket removes the parts. */
const abortUpload = (store: S3Store, name: string, id: string): Promise<unknown> =>
  store.ask('DELETE', name, { query: `?uploadId=${id}` }).catch(() => null);

/** The text of the first element with this name; null when there is none. */
const elementText = (xml: string, tag: string): string | null =>
  new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(xml)?.[1] ?? null;

/** Code and message of an error of a store; empty when there are none. */
const reasonIn = (xml: string): string =>
  [elementText(xml, 'Code'), elementText(xml, 'Message')].filter(Boolean).join(': ');

/**
 * Refuses an answer with a good status that has an error in its body, or lacks what it must have.
 * @throws S3Error always
 */
function refuse(store: S3Store, name: string, answer: string): never {
  const reason = reasonIn(answer) || answer.slice(0, 100);
  throw new S3Error(`POST ${store.url(name)}: the store answers ${reason}`, { isTemporary: true });
}
