import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { bodyOf, type FileBytes, type Headers, S3Error, type S3Store, SHA256_HEADER, SHA256_NOTE } from './s3-store.ts';

/** Larger files go up in parts: stores take 5 GB at once at most, and a part that fails is soon sent again. */
const MOST_AT_ONCE = 2 ** 30;
const PART_BYTES = 64 * 2 ** 20;
/** That stores put together. */
const MOST_PARTS = 10_000;
/** How often a part is sent. */
const ATTEMPTS = 4;
/** Before it is sent the second time; then twice as long each time: a store that says "slow down" means it. */
const FIRST_PAUSE_MS = 250;

/** Bytes of each part but the last of a file of `bytes`; `least` as long as these do for it. */
export const partBytesFor = (bytes: number, least = PART_BYTES): number =>
  Math.max(least, Math.ceil(bytes / MOST_PARTS));

/** How long the store may take to say what it has. */
const HEAD_PATIENCE_MS = 30_000;

/**
 * Stores a file of any size, as `S3Store.put` does. `if-none-match` is looked after before a file goes up in parts: the end of
 * that is too late, and many stores do not know the condition there.
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
 * Stores a file in parts (https://docs.aws.amazon.com/AmazonS3/latest/userguide/mpuoverview.html), each of which the store
 * compares with its SHA-256. What has gone up is given up where it fails.
 * @param partBytes at least 5 MiB, which stores ask for
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
    // A store that puts parts together for long has answered 200 before it knows what comes of it.
    if (textOf(said, 'Code') !== null) refuse(store, name, said);
  } catch (error) {
    await giveUp(store, name, id);
    throw error;
  }
}

const textOfAnswer = async (answer: Promise<Response>): Promise<string> => (await bodyOf(await answer)).toString();

/** @returns the ETag of the part */
async function putPart(store: S3Store, name: string, query: string, part: FileBytes): Promise<string> {
  // Read from the disk twice: parts of large files have hundreds of megabytes.
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

/** A rule of the bucket removes what stays where this fails too. */
const giveUp = (store: S3Store, name: string, id: string): Promise<unknown> =>
  store.ask('DELETE', name, { query: `?uploadId=${id}` }).catch(() => null);

const textOf = (xml: string, tag: string): string | null =>
  new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(xml)?.[1] ?? null;

function refuse(store: S3Store, name: string, said: string): never {
  const reason = [textOf(said, 'Code'), textOf(said, 'Message')].filter((part) => part !== null).join(': ');
  throw new S3Error(`POST ${store.url(name)}: the store answers ${reason || said.slice(0, 100)}`, { isPassing: true });
}
