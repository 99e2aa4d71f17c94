import { pino } from 'pino';
import { BulkUrlSigner, LocalBulkFiles } from '../api/bulk-files.ts';
import { DatasetSlot } from '../api/dataset-slot.ts';
import { askService } from '../api/mcp-endpoint.ts';
import { createService } from '../api/service.ts';
import { computerOf } from '../compute/computer.ts';
import { openNewest } from '../dataset/open.ts';
import { ProxyList } from '../http/client-address.ts';
import type { Ask } from '../mcp/ask.ts';

const SITE_URL = 'http://localhost';
const LONGEST_COMPUTATION_MS = 60_000;

/**
 * The interface without a server: the newest dataset of a data folder, for whoever asks, without limits.
 * Downloads lead nowhere, since nobody serves them.
 * @throws Error with one line when there is no dataset
 */
export async function serviceWithin(data: string, version: string): Promise<Ask> {
  const log = pino({ level: 'silent' });
  const open = (unless?: string) => openNewest(data, { unless, hold: true });
  const slot = await DatasetSlot.open(open, SITE_URL, version, log);
  const bulk = new LocalBulkFiles(new BulkUrlSigner([crypto.randomUUID()]), SITE_URL, Date.now, async () => null);
  const { service } = createService({
    ...{
      slot,
      siteUrl: SITE_URL,
      limiter: null,
      dailyUnits: null,
      purgeTags: null,
      pageLimiter: null,
      newResultLimiter: null,
      hasPages: false,
      keys: null,
      proxies: new ProxyList([]),
      bulk,
      offers: bulk,
    },
    ...{ billing: null, offered: new Set(['sunlight-point']), log, lines: { write: () => undefined }, metrics: null },
    computer: computerOf(1, LONGEST_COMPUTATION_MS),
    patienceMs: 0,
  });
  return (question) => askService(service, question, null);
}
