import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { bodyOf, type FileBytes, type Headers, S3Error, type S3Store, SHA256_HEADER, SHA256_NOTE } from './s3-store.ts';

/** Larger files are uploaded in parts. Stores take at most 5 GB at once, and a failed part is quickly sent again. */
const MOST_AT_ONCE = 2 ** 30;
const PART_BYTES = 64 * 2 ** 20;
/** Most parts of an object. */
const MOST_PARTS = 10_000;
/** Most attempts to send a part. */
const ATTEMPTS = 4;
/** Pause before the second attempt. It doubles each time, because a store may ask to slow down. */
const FIRST_PAUSE_MS = 250;

/** The size of the parts of a file: `least`, or more when there would be too many parts. */
export const partBytesFor = (bytes: number, least = PART_BYTES): number =>
  Math.max(least, Math.ceil(bytes / MOST_PARTS));

/** Timeout of a HEAD. */
const HEAD_PATIENCE_MS = 30_000;

/**
 * Stores a file of any size, like `S3Store.put`. For an upload in parts, `if-none-match` is checked before the first
 * part: after the last part it would be late, and many stores do not support it there.
 * @throws S3Error
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
  await putInParts(store, name, { path, start: 0, end: size }, { ...headers, [SHA256_NOTE]: sha256 }, partBytes);
  return true;
}

/**
 * Stores a file in parts (https://docs.aws.amazon.com/AmazonS3/latest/userguide/mpuoverview.html). The store checks the
 * SHA-256 of each part. Aborts the upload when it fails.
 * @param partBytes at least 5 MiB, the minimum of stores
 * @throws S3Error
 */
async function putInParts(
  store: S3Store,
  name: string,
  { path, end: size }: FileBytes,
  headers: Headers,
  partBytes: number,
): Promise<void> {
  const begun = await textOfAnswer(store.ask('POST', name, { query: '?uploads=', headers }));
  const id = encodeURIComponent(textOf(begun, 'UploadId') ?? refuse(store, name, begun));
  try {
    const etags: string[] = [];
    for (let start = 0; start < size; start += partBytes) {
      const query = `?partNumber=${etags.length + 1}&uploadId=${id}`;
      etags.push(await putPart(store, name, query, { path, start, end: Math.min(size, start + partBytes) }));
    }
    const parts = etags.map((etag, i) => `<Part><PartNumber>${i + 1}</PartNumber><ETag>${etag}</ETag></Part>`);
    const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`;
    const said = await textOfAnswer(store.ask('POST', name, { query: `?uploadId=${id}`, body }));
    // A store that needs long to join the parts answers 200 before the result is known.
    if (textOf(said, 'Code') !== null) refuse(store, name, said);
  } catch (error) {
    await abortUpload(store, name, id);
    throw error;
  }
}

const textOfAnswer = async (answer: Promise<Response>): Promise<string> => (await bodyOf(await answer)).toString();

/** @returns the ETag of the part */
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
      if (attempt === ATTEMPTS || store.isEnded || !(error instanceof S3Error && error.isPassing)) throw error;
      await delay(FIRST_PAUSE_MS * 2 ** (attempt - 1));
    }
  }
}

/** Aborts an upload. If this fails too, a lifecycle rule of the bucket removes the parts. */
const abortUpload = (store: S3Store, name: string, id: string): Promise<unknown> =>
  store.ask('DELETE', name, { query: `?uploadId=${id}` }).catch(() => null);

const textOf = (xml: string, tag: string): string | null =>
  new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(xml)?.[1] ?? null;

function refuse(store: S3Store, name: string, said: string): never {
  const reason = [textOf(said, 'Code'), textOf(said, 'Message')].filter((part) => part !== null).join(': ');
  throw new S3Error(`POST ${store.url(name)}: the store answers ${reason || said.slice(0, 100)}`, { isPassing: true });
}
