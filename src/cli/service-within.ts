import { pathToFileURL } from 'node:url';
import { pino } from 'pino';
import { BULK_URL_SECONDS, BulkUrlSigner, LocalBulkFiles } from '../api/bulk-files.ts';
import { Unexpected } from '../api/errors.ts';
import { ServedDatasets } from '../api/served-datasets.ts';
import { createService } from '../api/service.ts';
import { computerOf } from '../compute/computer.ts';
import { openNewest } from '../dataset/open.ts';
import { ProxyList } from '../http/client-address.ts';
import { NO_LIMITS } from '../http/rate-limiter.ts';
import type { Slots } from '../http/slots.ts';
import type { BulkOffers } from '../site/route.ts';

/** How long a computation may take, milliseconds. */
const LONGEST_COMPUTATION_MS = 60_000;
/** How long a request may take to arrive, milliseconds. */
const PATIENCE_MS = 15_000;

/** Offers bulk files by their `file:` URLs, because the clients are on the same machine. */
const LOCAL_FILES: BulkOffers = {
  offer: (_datasetId, _half, _code, { path }) => ({
    url: pathToFileURL(path).href,
    expiresAt: new Date(Date.now() + BULK_URL_SECONDS * 1000),
  }),
};

/** Slots for any number of downloads. */
const ANY_DOWNLOADS: Slots = { take: () => ({ leave: () => undefined }) };

/**
 * The service of the newest dataset of a data folder, without limits, keys or prices. Its server `app` does not listen
 * yet: requests can also be answered within the process.
 * @param isStatic true for an export of files, which has pages; otherwise there are none
 * @throws Error with one line when there is no dataset
 */
export async function serviceWithin(
  data: string,
  version: string,
  siteUrl: string,
  { isStatic }: { isStatic: boolean },
): Promise<ReturnType<typeof createService> & { close(): Promise<void> }> {
  const log = pino({ level: 'silent' });
  const open = (unless?: string) => openNewest(data, { unless, hold: true });
  const datasets = await ServedDatasets.open(open, siteUrl, version, log);
  const bulk = new LocalBulkFiles(new BulkUrlSigner([crypto.randomUUID()]), siteUrl, Date.now, async () => null);
  const computer = computerOf(1, LONGEST_COMPUTATION_MS);
  const parts = createService({
    datasets,
    siteUrl,
    hasPages: isStatic,
    isStatic,
    bulk,
    log,
    limiters: NO_LIMITS,
    dailyUnits: null,
    purgeTags: null,
    baseMap: null,
    keys: null,
    billing: null,
    metrics: null,
    proxies: new ProxyList([]),
    downloads: ANY_DOWNLOADS,
    offers: LOCAL_FILES,
    // All optional operations.
    offered: new Set(['sunlight-point']),
    lines: { write: () => undefined },
    unexpected: new Unexpected(log),
    computer,
    patienceMs: PATIENCE_MS,
  });
  const close = async (): Promise<void> => {
    await parts.app.close();
    await computer.close();
    await datasets.close();
  };
  return { ...parts, close };
}
