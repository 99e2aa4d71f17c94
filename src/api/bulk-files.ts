import { createHmac, hash, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { Logger } from 'pino';
import type { BulkDownload } from '../contract/operations/bulk.ts';
import type { Dataset } from '../dataset/dataset.ts';
import { kaigoBulkName } from '../dataset/kaigo.ts';
import { sunlightBulkName } from '../dataset/sunlight.ts';
import { LastUsed } from '../formats/last-used.ts';
import type { S3Object, S3Store } from '../http/s3-store.ts';
import type { BulkHalf, BulkOffer, BulkOffers, Context } from '../site/route.ts';
import { type BulkFile, bulkFile, DatasetFiles } from '../snapshot/dataset-files.ts';
import { listDatasets } from '../snapshot/listing.ts';
import { unavailable } from './errors.ts';

/** Finds a bulk file of a dataset that is not served now; null when the dataset is gone. */
export type FindBulk = (datasetId: string, half: BulkHalf, code: string) => Promise<BulkFile | null>;

/** The bulk files that this server sends itself. It signs URLs, and finds the file of a URL. */
export class LocalBulkFiles implements BulkOffers {
  readonly signer: BulkUrlSigner;
  readonly now: () => number;
  readonly #siteUrl: string;
  readonly #findElsewhere: FindBulk;

  /** @param now milliseconds since 1970. */
  constructor(signer: BulkUrlSigner, siteUrl: string, now: () => number, findElsewhere: FindBulk) {
    this.signer = signer;
    this.now = now;
    this.#siteUrl = siteUrl;
    this.#findElsewhere = findElsewhere;
  }

  /** The signed URL of a bulk file. */
  offer(datasetId: string, half: BulkHalf, code: string): BulkOffer {
    const { target, expiresAt } = this.signer.sign(bulkPath(datasetId, half, code), this.now());
    return { url: this.#siteUrl + target, expiresAt };
  }

  /** The file in the served dataset or in another one; null when there is none. */
  async find(served: Dataset, datasetId: string, half: string, code: string): Promise<BulkFile | null> {
    if (half !== 'sunlight' && half !== 'kaigo') return null;
    if (datasetId === served.manifest.dataset_id) return served[half]?.bulk(code) ?? null;
    return await this.#findElsewhere(datasetId, half, code);
  }
}

/** The path contains the dataset and the code but no file name, so it cannot lead out of the dataset. */
function bulkPath(datasetId: string, half: BulkHalf, code: string): string {
  return `/bulk/${datasetId}/${half}/${code}.parquet`;
}

/** The answer of a bulk operation; null when the file does not exist. */
export async function bulkDownload(
  { dataset, offers }: Context,
  half: BulkHalf,
  code: string,
  file: BulkFile | null,
): Promise<BulkDownload | null> {
  if (file === null) return null;
  const { url, expiresAt } = await offers.offer(dataset.manifest.dataset_id, half, code, file);
  return {
    url,
    expires_at: expiresAt.toISOString().replace('.000Z', 'Z'),
    format: 'parquet',
    rows: file.rows,
    bytes: file.bytes,
    sha256: file.sha256,
  };
}

/** How long a signed URL is valid, seconds. */
export const BULK_URL_SECONDS = 3600;

/** The result of checking a download URL. */
type Verdict = 'valid' | 'expired' | 'forged';

/** A key that signs URLs. */
interface SigningKey {
  /** Names the key in URLs without revealing it. */
  id: string;
  secret: string;
}

/** Seconds since 1970, as the parameter `expires` has them. */
const EXPIRES = /^\d{1,12}$/;

/**
 * Signs download paths and checks the signatures: HMAC-SHA256 over path, expiry and key ID. The first key signs, every
 * key verifies. So URLs that were signed before a key rotation stay valid until they expire.
 */
export class BulkUrlSigner {
  readonly #keys: SigningKey[];

  /** @param secrets the current key, then the previous one, if any */
  constructor(secrets: readonly [string, ...string[]]) {
    this.#keys = secrets.map((secret) => ({ id: hash('sha256', secret, 'base64url').slice(0, 8), secret }));
  }

  /**
   * A path with a signature, which is answered for BULK_URL_SECONDS. The first key signs; all are accepted.
   * @param path as it will be requested, beginning with `/`.
   * @param nowMs milliseconds since 1970.
   */
  sign(path: string, nowMs: number): { target: string; expiresAt: Date } {
    const expires = Math.floor(nowMs / 1000) + BULK_URL_SECONDS;
    const key = this.#keys[0];
    const signature = signatureOf(key, path, String(expires));
    const query = new URLSearchParams({ expires: String(expires), key: key.id, signature });
    return { target: `${path}?${query}`, expiresAt: new Date(expires * 1000) };
  }

  /** Checks the path and query of a request. The URL is valid until the second `expires`, exclusive. */
  verify(path: string, query: string, nowMs: number): Verdict {
    const parameters = new URLSearchParams(query);
    const expires = parameters.get('expires') ?? '';
    const key = this.#keys.find(({ id }) => id === parameters.get('key'));
    if (key === undefined || parameters.size !== 3 || !EXPIRES.test(expires)) return 'forged';
    // Compare texts: several base64url texts decode to the same bytes.
    const signature = Buffer.from(parameters.get('signature') ?? '');
    const expected = Buffer.from(signatureOf(key, path, expires));
    if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return 'forged';
    return nowMs < Number(expires) * 1000 ? 'valid' : 'expired';
  }
}

/** The signature of a path until a time, in base64url. */
function signatureOf({ id, secret }: SigningKey, path: string, expires: string): string {
  return createHmac('sha256', secret).update(`${path}\n${expires}\n${id}`).digest('base64url');
}

/** The name of a bulk file in its dataset, by half. */
const BULK_NAMES = { sunlight: sunlightBulkName, kaigo: kaigoBulkName };

/**
 * Number of datasets that are not served now and whose checksums are kept. URLs are valid for an hour, and few datasets
 * are replaced in this time.
 */
const MOST_UNSERVED = 4;

/**
 * Makes the function that finds the bulk files of every dataset in the data folder, whether the server serves it or not.
 * So a URL is valid on every server with this folder, and after a restart. The checksums of a dataset are read once and
 * shared by its downloads.
 */
export function bulkInFolder(dataFolder: string, trusted: KeyObject | null): FindBulk {
  const filesById = new LastUsed<string, Promise<DatasetFiles | null>>(MOST_UNSERVED);
  return async (datasetId, half, code) => {
    const opening = filesById.get(datasetId, () => filesInFolder(dataFolder, datasetId, trusted));
    const files = await opening.catch((error) => {
      filesById.drop(datasetId);
      throw error;
    });
    // The dataset may come later.
    if (files === null) filesById.drop(datasetId);
    return files === null ? null : bulkFile(files, BULK_NAMES[half](code));
  };
}

/**
 * The files of a dataset by its ID; null when it is gone. Each file is opened separately, so nothing has to be closed
 * here.
 */
async function filesInFolder(
  dataFolder: string,
  datasetId: string,
  trusted: KeyObject | null,
): Promise<DatasetFiles | null> {
  const { datasets } = await listDatasets(dataFolder, { trusted });
  const dataset = datasets.find(({ manifest }) => manifest.dataset_id === datasetId);
  // No memory for blocks: a download reads each block once.
  return dataset === undefined ? null : DatasetFiles.open(dataset.folder, dataset.manifest, 0);
}

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

  /**
   * A signed URL of the object in the store.
   * @throws RefusedError when the object is missing or differs, or the store does not answer
   */
  async offer(datasetId: string, _half: BulkHalf, _code: string, file: BulkFile): Promise<BulkOffer> {
    const name = objectName(datasetId, file);
    await this.#checked(name, file);
    // A signature has whole seconds.
    const seconds = Math.floor(this.#now() / 1000);
    const url = await this.#store
      .presign(name, new Date(seconds * 1000), BULK_URL_SECONDS)
      // This fails while the file with the secret key is being replaced.
      .catch((error: Error) => this.#refuse(error.message));
    return { url, expiresAt: new Date((seconds + BULK_URL_SECONDS) * 1000) };
  }

  /** Checks an object, unless the result of an earlier check is still valid. */
  #checked(name: string, file: BulkFile): Promise<void> {
    const now = this.#now();
    for (const [checkedName, { until }] of this.#checks) if (until <= now) this.#checks.delete(checkedName);
    const earlier = this.#checks.get(name);
    if (earlier !== undefined) return earlier.check;
    const entry = { check: this.#check(name, file), until: now + FOUND_MS };
    this.#checks.set(name, entry);
    entry.check.catch(() => (entry.until = this.#now() + FAILED_MS));
    return entry.check;
  }

  /**
   * Asks the store for an object.
   * @throws RefusedError when it is missing or differs, or the store does not answer
   */
  async #check(name: string, file: BulkFile): Promise<void> {
    const object = await this.#store.head(name, HEAD_TIMEOUT_MS).catch((error: Error) => this.#refuse(error.message));
    const url = this.#store.url(name);
    const problem = object === null ? `${url} is not there` : difference(url, object, file);
    if (problem !== null) this.#refuse(problem);
  }

  /**
   * Logs why the file cannot be offered.
   * @throws RefusedError always
   */
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
  return `${url} has the SHA-256 ${object.sha256}, the manifest says ${file.sha256}`;
}
