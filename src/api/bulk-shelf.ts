import type { BulkDownload } from '../contract/operations/bulk.ts';
import type { Dataset } from '../dataset/dataset.ts';
import type { BulkFile } from '../dataset/dataset-files.ts';
import type { BulkUrlSigner } from './bulk-url.ts';

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

/** Finds a file of a dataset that is not the one being served; null when that is no longer there. */
export type FindBulk = (datasetId: string, half: BulkHalf, code: string) => Promise<BulkFile | null>;

/** The bulk files that this server gives away itself: offers signed URLs and finds the file behind one. */
export class BulkShelf implements BulkOffers {
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

  offer(datasetId: string, half: BulkHalf, code: string): BulkOffer {
    const { target, expiresAt } = this.signer.sign(bulkPath(datasetId, half, code), this.now());
    return { url: this.#siteUrl + target, expiresAt };
  }

  /** The file in the dataset that is served, or in another one; else null. */
  async find(served: Dataset, datasetId: string, half: string, code: string): Promise<BulkFile | null> {
    if (half !== 'sunlight' && half !== 'kaigo') return null;
    if (datasetId === served.manifest.dataset_id) return served[half]?.bulk(code) ?? null;
    return await this.#findElsewhere(datasetId, half, code);
  }
}

/** The path is made of the dataset and the code, never of a file name, so that it cannot leave the dataset. */
function bulkPath(datasetId: string, half: BulkHalf, code: string): string {
  return `/bulk/${datasetId}/${half}/${code}.parquet`;
}

/** What a bulk operation answers; null when there is no such file. */
export async function bulkDownload(
  { dataset, service }: { dataset: Dataset; service: { offers: BulkOffers } },
  half: BulkHalf,
  code: string,
  file: BulkFile | null,
): Promise<BulkDownload | null> {
  if (file === null) return null;
  const { url, expiresAt } = await service.offers.offer(dataset.manifest.dataset_id, half, code, file);
  return {
    url,
    expires_at: expiresAt.toISOString().replace('.000Z', 'Z'),
    format: 'parquet',
    rows: file.rows,
    bytes: file.bytes,
    sha256: file.sha256,
  };
}
