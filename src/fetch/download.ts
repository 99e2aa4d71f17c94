import { mkdir, open, rename, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { fileDigest } from '../formats/files.ts';
import { type Client, FetchError, isDiskFull, NotThereError } from './client.ts';
import { PartFile, type Version } from './part-file.ts';
import { type Content, END_BYTES, MOST_BYTES, type Publisher, type Resource, unlike } from './publishers.ts';
import type { Source } from './sources-lock.ts';

interface Download {
  status: 'fetched' | 'unchanged';
  source: Source;
}

/**
 * Fetches one file, or finds that the existing copy is still the published one.
 * @param folder of the inputs
 * @param known the lock's entry of an earlier download; null: none
 * @param onBytes called with the length of every piece that arrives
 * @throws FetchError; a `.part` stays, which the next run continues
 */
export async function download(
  client: Client,
  publisher: Publisher,
  resource: Resource,
  folder: string,
  known: Source | null,
  onBytes: (bytes: number) => void,
): Promise<Download> {
  const target = join(folder, resource.path);
  await mkdir(dirname(target), { recursive: true });
  const intact = known !== null && (await isIntact(target, known)) ? known : null;
  // An ETag of one URL is meaningless for another.
  const held = intact?.url === resource.url ? intact : null;
  const part = new PartFile(target);
  await part.open(resource.url);
  try {
    const version = await receive(client, publisher, resource, part, held, onBytes);
    if (version === null && held !== null) {
      await part.discard();
      return { status: 'unchanged', source: { ...held, edition: resource.edition } };
    }
    const sha256 = await part.finish();
    await checkContent(resource, part);
    if (resource.keepEarlier && intact !== null && intact.sha256 !== sha256) await keep(folder, resource.path, intact);
    await rename(part.path, target);
    return { status: 'fetched', source: sourceOf(resource, publisher, version, part.bytes, sha256) };
  } finally {
    await (part.bytes === 0 ? part.discard() : part.close());
  }
}

function sourceOf(
  { url, edition }: Resource,
  { credit }: Publisher,
  version: Version | null,
  bytes: number,
  sha256: string,
): Source {
  const fetched_at = new Date().toISOString();
  return {
    url,
    edition,
    etag: version?.etag ?? null,
    last_modified: version?.lastModified ?? null,
    bytes,
    sha256,
    fetched_at,
    credit,
  };
}

/** Why a file cannot be complete; null when it can. */
export async function unlikeFile(content: Content, path: string, bytes: number): Promise<string | null> {
  const file = await open(path, 'r');
  const [head, tail] = [Buffer.alloc(END_BYTES), Buffer.alloc(END_BYTES)];
  try {
    const first = await file.read(head, 0, END_BYTES, 0);
    const last = await file.read(tail, 0, END_BYTES, Math.max(0, bytes - END_BYTES));
    return unlike(content, head.subarray(0, first.bytesRead), tail.subarray(0, last.bytesRead));
  } finally {
    await file.close();
  }
}

/** @throws FetchError when the bytes are not the requested file */
async function checkContent({ url, content }: Resource, part: PartFile): Promise<void> {
  const other = await unlikeFile(content, part.path, part.bytes);
  if (other === null) return;
  await part.discard();
  throw new FetchError(`${url}: answers with ${other} instead of the file; look at the address`);
}

/** True when the existing file is the one in the lock. */
export async function isIntact(target: string, { bytes, sha256 }: Source): Promise<boolean> {
  const status = await stat(target).catch(() => null);
  if (status === null || status.size !== bytes) return false;
  return (await fileDigest(target)).sha256 === sha256;
}

/** Moves a previous version below `earlier/`, with its day and the first half of its checksum in the name. */
export async function keep(folder: string, path: string, { fetched_at, sha256 }: Source): Promise<void> {
  const extension = extname(path);
  const name = `${basename(path, extension)}.${fetched_at.slice(0, 10)}.${sha256.slice(0, 16)}${extension}`;
  const to = join(folder, 'earlier', dirname(path), name);
  await mkdir(dirname(to), { recursive: true });
  await rename(join(folder, path), to);
}

/**
 * Reads the body into the part. Continues after a broken connection.
 * @returns the version that the part now has completely; null when the server says that `held` is still the newest
 */
async function receive(
  client: Client,
  publisher: Publisher,
  resource: Resource,
  part: PartFile,
  held: Source | null,
  onBytes: (bytes: number) => void,
): Promise<Version | null> {
  const { url } = resource;
  for (let attempt = 1; ; attempt++) {
    const response = await client.get(url, publisher.hosts, headersFor(part, held));
    if (response.status === 304) {
      await response.body?.cancel();
      if (held !== null) return null;
      throw new FetchError(`${url}: status 304 though no copy was named`);
    }
    if (response.status === 416) {
      await response.body?.cancel();
      await part.restart(null);
      if (attempt < client.options.tries) continue;
    }
    if (response.status !== 200 && response.status !== 206) {
      await response.body?.cancel();
      const says = `${url}: status ${response.status}, expected 200`;
      throw response.status === 404 ? new NotThereError(says) : new FetchError(says);
    }
    if (isOfAnother(response, part)) {
      // Some servers check only Range, not If-Range.
      await response.body?.cancel();
      await part.restart(null);
      if (attempt >= client.options.tries)
        throw new FetchError(`${url}: changed ${attempt} times while it was fetched`);
      continue;
    }
    const total = await beginBody(response, resource, part);
    const broke = await readBody(client, response, resource, part, onBytes);
    if (broke === null && (total === null || part.bytes === total)) return part.version;
    const reason = broke?.message ?? `${part.bytes} bytes arrived, ${total} were promised`;
    if (part.bytes > (total ?? Number.POSITIVE_INFINITY)) await part.restart(null);
    if (attempt >= client.options.tries) throw new FetchError(`${url}: broke off ${attempt} times (${reason})`);
    await client.pause(attempt, null, url);
  }
}

/** Requests the rest of a part if its version is certain; otherwise asks whether a copy is still the newest. */
function headersFor(part: PartFile, held: Source | null): Record<string, string> {
  const mark = strongMark(part.version);
  if (part.bytes > 0 && mark !== null) return { range: `bytes=${part.bytes}-`, 'if-range': mark };
  if (held?.etag) return { 'if-none-match': held.etag };
  if (held?.last_modified) return { 'if-modified-since': held.last_modified };
  return {};
}

/** A weak ETag does not guarantee equal bytes, so a part cannot be continued with it. */
function strongMark(version: Version | null): string | null {
  if (version?.etag && !version.etag.startsWith('W/')) return version.etag;
  return version?.lastModified ?? null;
}

/** True when a 206 belongs to another version of the file than the part. */
function isOfAnother({ status, headers }: Response, { version, bytes }: PartFile): boolean {
  if (status !== 206 || version === null || bytes === 0) return false;
  const differs = (name: string, known: string | null): boolean => {
    const said = headers.get(name);
    return said !== null && known !== null && said !== known;
  };
  const total = /\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1];
  return (
    differs('etag', version.etag) ||
    differs('last-modified', version.lastModified) ||
    (total !== undefined && version.bytes != null && Number(total) !== version.bytes)
  );
}

/**
 * Prepares the part for a body: a 200 starts again, a 206 must continue exactly at the end of the part.
 * @returns bytes of the whole file; null when the server does not say
 */
async function beginBody(response: Response, { url, content }: Resource, part: PartFile): Promise<number | null> {
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
    if (range === null || Number(range[1]) !== part.bytes) {
      await response.body?.cancel();
      await part.restart(null);
      throw new FetchError(`${url}: the server sent another part than was asked for; run it again to start over`);
    }
    total = range[3] === '*' ? null : Number(range[3]);
  }
  // Some servers answer a request without a range with a 206 of the whole file.
  if (response.status === 200 || part.bytes === 0) await part.restart({ url, etag, lastModified, bytes: total });
  if (total === null || total <= MOST_BYTES[content]) return total;
  await response.body?.cancel();
  throw new FetchError(`${url}: ${total} bytes, more than the ${MOST_BYTES[content]} that such a file may have`);
}

/** Appends the body to the part. Returns the error when the connection broke or became silent. */
async function readBody(
  client: Client,
  response: Response,
  { url, content }: Resource,
  part: PartFile,
  onBytes: (bytes: number) => void,
): Promise<Error | null> {
  try {
    for await (const piece of client.pieces(response)) {
      if (part.bytes + piece.length > MOST_BYTES[content]) {
        throw new FetchError(`${url}: more than the ${MOST_BYTES[content]} bytes that such a file may have`);
      }
      await part.write(piece);
      onBytes(piece.length);
    }
    return null;
  } catch (error) {
    if (isDiskFull(error)) throw error;
    if (error instanceof FetchError) {
      await part.discard();
      throw error;
    }
    return error as Error;
  }
}
