import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open as openFile, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { fileDigest, isDiskFull } from '../formats/files.ts';
import { type Client, FetchError, NotThereError, UnreachableError } from './client.ts';
import { type Content, END_BYTES, MOST_BYTES, otherContent, type Publisher, type Resource } from './publishers.ts';
import { listDay, type Source } from './sources-lock.ts';

/** A file that is now in the inputs folder. */
interface Download {
  status: 'fetched' | 'unchanged';
  source: Source;
}

/**
 * Fetches one file, or finds that the existing copy is still the published one.
 * @param folder of the inputs
 * @param earlier the entry in `sources.lock.json` of an earlier download; null: none
 * @param onBytes called with the length of every piece that arrives
 * @throws {FetchError} When the file cannot be fetched. The next run continues the partial file.
 * @throws {NotThereError} When the server answers 404.
 */
export async function download(
  client: Client,
  publisher: Publisher,
  resource: Resource,
  folder: string,
  earlier: Source | null,
  onBytes: (bytes: number) => void,
): Promise<Download> {
  const target = join(folder, resource.path);
  await mkdir(dirname(target), { recursive: true });
  const intact = earlier !== null && (await isIntact(target, earlier)) ? earlier : null;
  // An ETag of one URL is meaningless for another.
  const ofSameUrl = intact?.url === resource.url ? intact : null;
  const partial = new PartialFile(target);
  await partial.open(resource.url);
  try {
    const version = await receive(client, publisher, resource, partial, ofSameUrl, onBytes);
    // Null: the copy is still the published file.
    if (version === null && ofSameUrl !== null) {
      await partial.discard();
      return { status: 'unchanged', source: { ...ofSameUrl, edition: resource.edition } };
    }
    const sha256 = await partial.finish();
    await checkContent(resource, partial);
    const source = sourceOf(resource, publisher, version, partial.bytes, sha256);
    if (resource.keepEarlier && intact !== null && intact.sha256 !== sha256) {
      await checkListNotOlder(resource, partial, source, intact);
      await moveToEarlier(folder, resource.path, intact);
    }
    await rename(partial.path, target);
    return { status: 'fetched', source };
  } finally {
    // After an error the next run continues a partial file that has bytes.
    await (partial.bytes === 0 ? partial.discard() : partial.close());
  }
}

/** The entry in `sources.lock.json` of a file that was fetched now. */
function sourceOf(
  { url, edition }: Resource,
  { credit }: Publisher,
  version: Version | null,
  bytes: number,
  sha256: string,
): Source {
  return {
    url,
    edition,
    etag: version?.etag ?? null,
    last_modified: version?.lastModified ?? null,
    bytes,
    sha256,
    fetched_at: new Date().toISOString(),
    credit,
  };
}

/** What a file contains instead of complete content of a kind, such as `a web page`; null when it looks complete. */
export async function otherContentIn(content: Content, path: string, bytes: number): Promise<string | null> {
  const file = await openFile(path, 'r');
  const [head, tail] = [Buffer.alloc(END_BYTES), Buffer.alloc(END_BYTES)];
  try {
    const first = await file.read(head, 0, END_BYTES, 0);
    const last = await file.read(tail, 0, END_BYTES, Math.max(0, bytes - END_BYTES));
    return otherContent(content, head.subarray(0, first.bytesRead), tail.subarray(0, last.bytesRead));
  } finally {
    await file.close();
  }
}

/**
 * Checks that a partial file has the content of the requested file. Deletes one with other content.
 * @throws {FetchError} When it is something else, such as a web page.
 */
async function checkContent({ url, content }: Resource, partial: PartialFile): Promise<void> {
  const other = await otherContentIn(content, partial.path, partial.bytes);
  if (other === null) return;
  await partial.discard();
  throw new FetchError(`${url}: answers with ${other} instead of the file; look at the address`);
}

/**
 * Checks that a fetched list is not older than the one in the folder: the publisher's page may name an older list, or
 * none. Deletes the partial file of an older list.
 * @param here the list in the folder
 * @throws {FetchError} When the fetched list is older, or its day is unknown and that of the list in the folder is not.
 */
async function checkListNotOlder({ path }: Resource, partial: PartialFile, list: Source, here: Source): Promise<void> {
  const [day, dayHere] = [listDay(list), listDay(here)];
  if (dayHere === null || (day !== null && day >= dayHere)) return;
  await partial.discard();
  throw new FetchError(
    `${list.url}: is of ${day ?? 'an unknown day'}; the list of ${dayHere} that is here stays; delete ${path} to take this one`,
  );
}

/** True when the file exists with the size and the checksum of its entry in the lock. */
export async function isIntact(target: string, { bytes, sha256 }: Source): Promise<boolean> {
  const status = await stat(target).catch(() => null);
  if (status === null || status.size !== bytes) return false;
  return (await fileDigest(target)).sha256 === sha256;
}

/** Moves a file below `earlier/`. Its name there has the day on which it was fetched, and 16 digits of its checksum. */
export async function moveToEarlier(folder: string, path: string, { fetched_at, sha256 }: Source): Promise<void> {
  const extension = extname(path);
  const name = `${basename(path, extension)}.${fetched_at.slice(0, 10)}.${sha256.slice(0, 16)}${extension}`;
  const to = join(folder, 'earlier', dirname(path), name);
  await mkdir(dirname(to), { recursive: true });
  await rename(join(folder, path), to);
}

/**
 * Downloads a file into a partial file. Continues after a broken connection.
 * @param copy the entry of the undamaged file of this URL in the folder, whose version the request names; null: none
 * @returns the version of the complete file; null when the server says that the copy is still the newest
 * @throws {FetchError} When the server refuses or every attempt failed.
 */
async function receive(
  client: Client,
  publisher: Publisher,
  resource: Resource,
  partial: PartialFile,
  copy: Source | null,
  onBytes: (bytes: number) => void,
): Promise<Version | null> {
  const { url } = resource;
  for (let attempt = 1; ; attempt++) {
    const response = await client.get(url, publisher.hosts, headersFor(partial, copy));
    if (response.status === 304) {
      await response.body?.cancel();
      if (copy !== null) return null;
      throw new FetchError(`${url}: status 304 though no copy was named`);
    }
    // "Range not satisfiable": the file is shorter than the part that arrived earlier. On the last attempt it is an
    // error like any other status.
    if (response.status === 416) {
      await response.body?.cancel();
      await partial.restart(null);
      if (attempt < client.options.tries) continue;
    }
    if (response.status !== 200 && response.status !== 206) {
      await response.body?.cancel();
      const message = `${url}: status ${response.status}, expected 200`;
      throw response.status === 404 ? new NotThereError(message) : new FetchError(message);
    }
    // Some servers send the rest of another version, because they check only Range, not If-Range.
    if (hasChanged(response, partial)) {
      await response.body?.cancel();
      await partial.restart(null);
      if (attempt >= client.options.tries)
        throw new FetchError(`${url}: changed ${attempt} times while it was fetched`);
      continue;
    }
    const total = await beginBody(response, resource, partial);
    const error = await readBody(client, response, resource, partial, onBytes);
    if (error === null && (total === null || partial.bytes === total)) return partial.version;
    const reason = error?.message ?? `${partial.bytes} bytes arrived, ${total} were promised`;
    if (partial.bytes > (total ?? Number.POSITIVE_INFINITY)) await partial.restart(null);
    if (attempt >= client.options.tries) {
      const kept = partial.bytes > 0 ? `; the ${partial.bytes} bytes that arrived are kept for the next run` : '';
      throw new UnreachableError(`${url}: broke off ${attempt} times (${reason})${kept}`);
    }
    await client.pause(url, attempt, reason);
  }
}

/**
 * The headers of the next request: for the rest of a partial file when its version is known for certain
 * (`strongValidator`); otherwise for the whole file, unless the copy is still the newest version.
 */
function headersFor(partial: PartialFile, copy: Source | null): Record<string, string> {
  const validator = strongValidator(partial.version);
  if (partial.bytes > 0 && validator !== null) return { range: `bytes=${partial.bytes}-`, 'if-range': validator };
  if (copy?.etag) return { 'if-none-match': copy.etag };
  if (copy?.last_modified) return { 'if-modified-since': copy.last_modified };
  return {};
}

/**
 * The value of `If-Range`, which identifies the bytes of a version: its ETag, otherwise its date; null when it has
 * neither. A weak ETag (`W/…`) does not guarantee equal bytes.
 */
function strongValidator(version: Version | null): string | null {
  if (version?.etag && !version.etag.startsWith('W/')) return version.etag;
  return version?.lastModified ?? null;
}

/** True when a response with the rest of a file (206) belongs to another version than the partial file. */
function hasChanged({ status, headers }: Response, { version, bytes }: PartialFile): boolean {
  if (status !== 206 || version === null || bytes === 0) return false;
  const differs = (name: string, earlier: string | null): boolean => {
    const now = headers.get(name);
    return now !== null && earlier !== null && now !== earlier;
  };
  const total = /\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1];
  return (
    differs('etag', version.etag) ||
    differs('last-modified', version.lastModified) ||
    (total !== undefined && version.bytes != null && Number(total) !== version.bytes)
  );
}

/**
 * Prepares a partial file for a body. A status 200 starts again. A 206 must continue exactly at the end of the file.
 * @returns bytes of the whole file; null when the server does not say
 * @throws {FetchError} When the body does not continue the file, is compressed, or is too long.
 */
async function beginBody(response: Response, { url, content }: Resource, partial: PartialFile): Promise<number | null> {
  const [etag, lastModified] = [response.headers.get('etag') || null, response.headers.get('last-modified')];
  const coding = response.headers.get('content-encoding') ?? 'identity';
  if (coding !== 'identity') {
    await response.body?.cancel();
    throw new FetchError(`${url}: sent as ${coding}, though the file as it is was asked for`);
  }
  const length = response.headers.get('content-length');
  let total = length === null ? null : Number(length);
  if (response.status === 206) {
    const range = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(response.headers.get('content-range') ?? '');
    if (range === null || Number(range[1]) !== partial.bytes) {
      await response.body?.cancel();
      await partial.restart(null);
      throw new FetchError(`${url}: the server sent another part than was asked for; run it again to start over`);
    }
    total = range[3] === '*' ? null : Number(range[3]);
  }
  // Some servers answer a request without a range with a 206 of the whole file.
  if (response.status === 200 || partial.bytes === 0) await partial.restart({ url, etag, lastModified, bytes: total });
  if (total === null || total <= MOST_BYTES[content]) return total;
  await response.body?.cancel();
  throw new FetchError(`${url}: ${total} bytes, more than the ${MOST_BYTES[content]} that such a file may have`);
}

/**
 * Appends a body to a partial file.
 * @returns the error when the connection broke, became silent or was too slow; otherwise null
 * @throws {FetchError} When the body is too long.
 * @throws {Error} When the disk is full.
 */
async function readBody(
  client: Client,
  response: Response,
  { url, content }: Resource,
  partial: PartialFile,
  onBytes: (bytes: number) => void,
): Promise<Error | null> {
  try {
    for await (const piece of client.pieces(response)) {
      if (partial.bytes + piece.length > MOST_BYTES[content]) {
        throw new FetchError(`${url}: more than the ${MOST_BYTES[content]} bytes that such a file may have`);
      }
      await partial.write(piece);
      onBytes(piece.length);
    }
    return null;
  } catch (error) {
    if (isDiskFull(error)) throw error;
    if (error instanceof FetchError) {
      await partial.discard();
      throw error;
    }
    return error as Error;
  }
}

/** Identifies the version of a file to which a partial file belongs. */
interface Version {
  url: string;
  etag: string | null;
  lastModified: string | null;
  /** Bytes of the whole file; null or absent: the server did not say. */
  bytes?: number | null;
}

/** An unfinished download: `<path>.part`, and beside it the version as JSON. */
class PartialFile {
  readonly path: string;
  readonly #versionPath: string;
  #file: FileHandle | null = null;
  #hash: Hash = createHash('sha256');
  /** Bytes so far. */
  bytes = 0;
  version: Version | null = null;

  constructor(target: string) {
    this.path = `${target}.part`;
    this.#versionPath = `${target}.part.json`;
  }

  /** Continues the partial file of an earlier run when it has the same URL. Otherwise begins an empty one. */
  async open(url: string): Promise<void> {
    const version = await readFile(this.#versionPath, 'utf8')
      .then((text) => JSON.parse(text) as Version)
      .catch(() => null);
    const size = await stat(this.path).then(
      (status) => status.size,
      () => 0,
    );
    if (version?.url !== url || size === 0) return this.restart(null);
    for await (const chunk of createReadStream(this.path)) this.#hash.update(chunk as Buffer);
    this.bytes = size;
    this.version = version;
    this.#file = await openFile(this.path, 'a');
  }

  /** Deletes the content, and begins a version from its first byte. */
  async restart(version: Version | null): Promise<void> {
    await this.#file?.close();
    this.#hash = createHash('sha256');
    this.bytes = 0;
    this.version = version;
    this.#file = await openFile(this.path, 'w');
    // An old version file does no harm: `open` does not continue an empty file.
    if (version !== null) await writeFile(this.#versionPath, JSON.stringify(version));
  }

  /**
   * Appends bytes.
   * @throws {Error} When the file is not open.
   */
  async write(chunk: Uint8Array): Promise<void> {
    if (this.#file === null) throw new Error('write to a partial file that is not open');
    await this.#file.writeFile(chunk);
    this.#hash.update(chunk);
    this.bytes += chunk.length;
  }

  /**
   * Syncs the bytes to the disk, closes the file, and deletes the note of its version, which only an incomplete file needs.
   * @returns its SHA-256, hexadecimal
   */
  async finish(): Promise<string> {
    await this.#file?.sync();
    await this.close();
    await rm(this.#versionPath, { force: true });
    return this.#hash.digest('hex');
  }

  async close(): Promise<void> {
    await this.#file?.close();
    this.#file = null;
  }

  /** Deletes the partial file, and the file with its version. */
  async discard(): Promise<void> {
    await this.close();
    await rm(this.path, { force: true });
    await rm(this.#versionPath, { force: true });
  }
}
