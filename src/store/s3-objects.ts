import { createHash, hash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { fileDigest } from '../formats/files.ts';
import { BodyTooLongError, boundedBody } from '../http/ask.ts';
import { type Headers, NOT_IMPLEMENTED, putFile, S3Error, type S3Object, type S3Store } from '../http/s3-store.ts';
import {
  checkSize,
  MOST_COPIED,
  MOST_READ,
  type ObjectStore,
  type Served,
  StoreError,
  tooLarge,
} from './object-store.ts';

/** Number of attempts of an operation. With the pauses they take more than a minute. */
const ATTEMPTS = 10;
/** Pauses between attempts, milliseconds: the first; the next ones double up to a limit. */
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 15_000;
/** Status of an answer. */
const FORBIDDEN = 403;
/** Time limits for the store to answer, and to send an object. */
const HEAD_PATIENCE_MS = 30_000;
const GET_PATIENCE_MS = 15 * 60_000;

/**
 * Objects under a prefix in a bucket of an S3-compatible store. Temporary failures (no answer, 429, 5xx, a broken body)
 * are tried again; a refusal (403) once.
 */
export class S3Objects implements ObjectStore {
  readonly address: string;
  readonly #s3: S3Store;
  readonly #attempts: number;
  /** False when the store has refused a conditional request. */
  #supportsConditions = true;

  /** @param attempts number of attempts after temporary failures */
  constructor(s3: S3Store, attempts = ATTEMPTS) {
    this.#s3 = s3;
    this.#attempts = attempts;
    this.address = `s3://${[s3.location.bucket, s3.location.prefix].filter((part) => part !== '').join('/')}`;
  }

  has(name: string): Promise<boolean> {
    return this.#withRetries(async () => (await this.#s3.head(name, HEAD_PATIENCE_MS)) !== null);
  }

  read(name: string, mostBytes = MOST_READ): Promise<Buffer | null> {
    return this.#withRetries(async () => {
      const received = await this.#receive(name, HEAD_PATIENCE_MS, mostBytes);
      if (received === null) return null;
      const { object, response } = received;
      const bytes = await boundedBody(response, object.bytes ?? mostBytes).catch((error: unknown) => {
        throw error instanceof BodyTooLongError
          ? tooLong(this.#s3.url(name), object, (object.bytes ?? mostBytes) + 1, mostBytes)
          : error;
      });
      checkArrived(this.#s3.url(name), object, bytes.length, hash('sha256', bytes));
      return bytes;
    });
  }

  /** Copies an object to a file; false when there is none. It appears under its path when it is complete. */
  get(name: string, path: string, mostBytes = MOST_COPIED): Promise<boolean> {
    return this.#withRetries(async () => {
      const received = await this.#receive(name, GET_PATIENCE_MS, mostBytes);
      if (received === null) return false;
      await mkdir(dirname(path), { recursive: true });
      const unfinished = join(dirname(path), `.${randomBytes(6).toString('hex')}`);
      try {
        await writeBody(this.#s3.url(name), received, unfinished, mostBytes);
        await rename(unfinished, path);
      } finally {
        await rm(unfinished, { force: true });
      }
      return true;
    });
  }

  async put(name: string, path: string, served?: Served): Promise<void> {
    const { bytes, sha256 } = await fileDigest(path);
    const headers = served === undefined ? {} : headersOf(served);
    await this.#withRetries(async () => {
      if (await this.#putIfAbsent(name, path, sha256, headers)) return;
      const stored = await this.#s3.head(name, HEAD_PATIENCE_MS);
      if (stored?.bytes !== bytes || stored.sha256 !== sha256) await putFile(this.#s3, name, path, sha256, headers);
    });
  }

  remove(name: string): Promise<void> {
    return this.#withRetries(() => this.#s3.remove(name));
  }

  list(folder: string): Promise<string[]> {
    return this.#withRetries(() => this.#s3.list(folder, HEAD_PATIENCE_MS));
  }

  /**
   * Begins to receive an object; null when there is none.
   * @throws TooLargeError when it has more than `mostBytes` bytes
   */
  async #receive(
    name: string,
    patienceMs: number,
    mostBytes: number,
  ): Promise<{ object: S3Object; response: Response } | null> {
    const received = await this.#s3.get(name, patienceMs);
    try {
      if (received !== null) checkSize(this.#s3.url(name), received.object.bytes ?? 0, mostBytes);
      return received;
    } catch (error) {
      await received?.response.body?.cancel();
      throw error;
    }
  }

  /**
   * Stores a file unless the object exists.
   * @returns false: nothing was stored, because the object exists or the store does not support conditions
   */
  async #putIfAbsent(name: string, path: string, sha256: string, headers: Headers): Promise<boolean> {
    if (!this.#supportsConditions) return false;
    try {
      return await putFile(this.#s3, name, path, sha256, { ...headers, 'if-none-match': '*' });
    } catch (error) {
      if (!(error instanceof S3Error && error.status === NOT_IMPLEMENTED)) throw error;
      this.#supportsConditions = false;
      return false;
    }
  }

  /**
   * Calls a function, and again after each temporary failure.
   * @throws StoreError when the store refuses or all attempts fail; or an error of the disk
   */
  async #withRetries<T>(work: () => Promise<T>): Promise<T> {
    let wasForbidden = false;
    for (let attempt = 1; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (error instanceof StoreError) throw error;
        // While the two files of the access key (ID and secret) are being replaced, one of them is old. The next
        // attempt reads both again.
        const mayBeOldKey: boolean = error instanceof S3Error && error.status === FORBIDDEN && !wasForbidden;
        wasForbidden ||= mayBeOldKey;
        // An error that comes neither from the store nor from the disk is a broken body.
        const isTemporary = error instanceof S3Error ? error.isTemporary || mayBeOldKey : !isDiskError(error);
        if (attempt === this.#attempts || !isTemporary || this.#s3.isEnded) throw this.#failure(error);
        await delay(Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS));
      }
    }
  }

  /** The error for the caller: an error of the disk as it is, others as `StoreError`. */
  #failure(error: unknown): unknown {
    if (isDiskError(error)) return error;
    return new StoreError(`${this.address}: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * Writes the body of an answer to a file.
 * @throws S3Error, temporary, when other bytes arrive than were stored; TooLargeError when they are more than `mostBytes`
 */
async function writeBody(
  url: string,
  { object, response }: { object: S3Object; response: Response },
  path: string,
  mostBytes: number,
): Promise<void> {
  const hash = createHash('sha256');
  let bytes = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk);
      bytes += chunk.length;
      // A body longer than its stated length is not read further, because it may never end.
      if (bytes > (object.bytes ?? mostBytes)) done(tooLong(url, object, bytes, mostBytes));
      else done(null, chunk);
    },
  });
  const body = response.body === null ? Readable.from([]) : Readable.fromWeb(response.body as never);
  await pipeline(body, counted, createWriteStream(path));
  checkArrived(url, object, bytes, hash.digest('hex'));
}

/** @throws S3Error, temporary, when fewer or other bytes arrived than stated. */
function checkArrived(url: string, object: S3Object, bytes: number, sha256: string): void {
  if (bytes === (object.bytes ?? bytes) && (object.sha256 ?? sha256) === sha256) return;
  throw wrongContentError(url, object, bytes);
}

/** The error when the bytes that arrived differ from the stored object. */
function wrongContentError(url: string, object: S3Object, bytes: number): S3Error {
  const stored = object.bytes === null ? 'those' : `the ${object.bytes} bytes`;
  return new S3Error(`GET ${url}: ${bytes} bytes arrived that are not ${stored} which were stored`, {
    isTemporary: true,
  });
}

/**
 * The error for a body longer than the stated length, or than the limit when the store states no length
 * (`Transfer-Encoding: chunked`).
 */
const tooLong = (url: string, object: S3Object, bytes: number, mostBytes: number): Error =>
  object.bytes === null ? tooLarge(url, `more than ${mostBytes}`, mostBytes) : wrongContentError(url, object, bytes);

/** Whether an error comes from this machine's disk. */
const isDiskError = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT', 'EACCES', 'EROFS', 'EMFILE', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '');

/** The headers with which an object is stored. */
const headersOf = ({ mediaType, cacheControl, coding }: Served): Headers => ({
  'content-type': mediaType,
  'cache-control': cacheControl,
  ...(coding !== null && { 'content-encoding': coding }),
});
