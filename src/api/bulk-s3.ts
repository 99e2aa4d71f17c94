import type { Logger } from 'pino';
import type { S3Object, S3Store } from '../http/s3-store.ts';
import type { BulkHalf, BulkOffer, BulkOffers } from '../site/route.ts';
import type { BulkFile } from '../snapshot/dataset-files.ts';
import { BULK_URL_SECONDS } from './bulk-files.ts';
import { unavailable } from './refused-error.ts';

/** How long a successful check is trusted, milliseconds. */
const FOUND_MS = 10 * 60_000;
/** How long a failed check is trusted, so that a failing store does not get a request each time. */
const FAILED_MS = 5000;
/** Timeout of a check. */
const HEAD_TIMEOUT_MS = 5000;

/** The name of an object below the prefix: the ID of the dataset, then the name of its file. */
export function objectName(datasetId: string, file: Pick<BulkFile, 'name'>): string {
  return `${datasetId}/${file.name}`;
}

/**
 * Offers presigned URLs of a bucket. First it checks that the object is there, and remembers the result for a while.
 */
export class S3BulkOffers implements BulkOffers {
  readonly #store: S3Store;
  readonly #now: () => number;
  readonly #log: Logger;
  readonly #checks = new Map<string, { check: Promise<void>; until: number }>();

  /** @param now milliseconds since 1970. */
  constructor(store: S3Store, now: () => number, log: Logger) {
    this.#store = store;
    this.#now = now;
    this.#log = log;
  }

  /** @throws RefusedError when the object is missing or differs, or the store does not answer */
  async offer(datasetId: string, _half: BulkHalf, _code: string, file: BulkFile): Promise<BulkOffer> {
    const name = objectName(datasetId, file);
    await this.#checked(name, file);
    const seconds = Math.floor(this.#now() / 1000);
    const url = await this.#store
      .presign(name, new Date(seconds * 1000), BULK_URL_SECONDS)
      // The file with the secret key is being replaced.
      .catch((error: Error) => this.#refuse(error.message));
    return { url, expiresAt: new Date((seconds + BULK_URL_SECONDS) * 1000) };
  }

  #checked(name: string, file: BulkFile): Promise<void> {
    const now = this.#now();
    for (const [old, { until }] of this.#checks) if (until <= now) this.#checks.delete(old);
    const known = this.#checks.get(name);
    if (known !== undefined) return known.check;
    const entry = { check: this.#check(name, file), until: now + FOUND_MS };
    this.#checks.set(name, entry);
    entry.check.catch(() => (entry.until = this.#now() + FAILED_MS));
    return entry.check;
  }

  async #check(name: string, file: BulkFile): Promise<void> {
    let reason: string | null;
    try {
      const object = await this.#store.head(name, HEAD_TIMEOUT_MS);
      reason =
        object === null ? `${this.#store.url(name)} is not there` : difference(this.#store.url(name), object, file);
    } catch (error) {
      reason = (error as Error).message;
    }
    if (reason !== null) this.#refuse(reason);
  }

  #refuse(reason: string): never {
    this.#log.error({ reason }, 'bulk file not in the store');
    throw unavailable('The file is not in the download store at the moment. Try again later.');
  }
}

/** The difference between an object and the expected file; null when there is none. */
export function difference(url: string, object: S3Object, file: { bytes: number; sha256: string }): string | null {
  if (object.bytes !== null && object.bytes !== file.bytes)
    return `${url} has ${object.bytes} bytes, the manifest says ${file.bytes}`;
  if (object.sha256 === null || object.sha256 === file.sha256) return null;
  return `${url} notes the SHA-256 ${object.sha256}, the manifest says ${file.sha256}`;
}
