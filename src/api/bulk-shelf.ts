import type { BulkFile, Dataset } from '../dataset/dataset.ts';
import { BULK_URL_SECONDS, type BulkUrlSigner } from './bulk-url.ts';

export type BulkHalf = 'sunlight' | 'kaigo';

/** A URL that works without a key until it expires. */
export interface BulkOffer {
  url: string;
  expiresAt: Date;
}

/** Where the URLs of bulk answers lead: to this server, or into a store. */
export interface BulkOffers {
  offer(datasetId: string, half: BulkHalf, code: string, file: BulkFile): BulkOffer | Promise<BulkOffer>;
}

interface Offered {
  file: BulkFile;
  until: number;
}

/** The bulk files that this server gives away itself: offers signed URLs and finds the file behind one. */
export class BulkShelf implements BulkOffers {
  readonly signer: BulkUrlSigner;
  readonly now: () => number;
  readonly #siteUrl: string;
  /** Files of datasets that are not served any more but whose URLs still work, by path. */
  readonly #offered = new Map<string, Offered>();

  /** @param now milliseconds since 1970. */
  constructor(signer: BulkUrlSigner, siteUrl: string, now: () => number) {
    this.signer = signer;
    this.now = now;
    this.#siteUrl = siteUrl;
  }

  offer(datasetId: string, half: BulkHalf, code: string, file: BulkFile): BulkOffer {
    const path = bulkPath(datasetId, half, code);
    const now = this.now();
    for (const [old, { until }] of this.#offered) if (until <= now) this.#offered.delete(old);
    this.#offered.set(path, { file, until: now + BULK_URL_SECONDS * 1000 });
    const { target, expiresAt } = this.signer.sign(path, now);
    return { url: this.#siteUrl + target, expiresAt };
  }

  /** The file in the dataset that is served, or in an earlier one that has offered it; else null. */
  find(served: Dataset, datasetId: string, half: string, code: string): BulkFile | null {
    if (half !== 'sunlight' && half !== 'kaigo') return null;
    if (datasetId === served.manifest.dataset_id) return served[half]?.bulk(code) ?? null;
    return this.#offered.get(bulkPath(datasetId, half, code))?.file ?? null;
  }
}

/** The path is made of the dataset and the code, never of a file name, so that it cannot leave the dataset. */
function bulkPath(datasetId: string, half: BulkHalf, code: string): string {
  return `/bulk/${datasetId}/${half}/${code}.parquet`;
}
