import { pino } from 'pino';
import { askService } from '../api/ask-service.ts';
import { BulkShelf } from '../api/bulk-shelf.ts';
import { BulkUrlSigner } from '../api/bulk-url.ts';
import { DatasetSlot } from '../api/dataset-slot.ts';
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
  const shelf = new BulkShelf(new BulkUrlSigner([crypto.randomUUID()]), SITE_URL, Date.now, async () => null);
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
      bulk: shelf,
      offers: shelf,
    },
    ...{ billing: null, offered: new Set(['sunlight-point']), log, lines: { write: () => undefined }, metrics: null },
    computer: computerOf(1, LONGEST_COMPUTATION_MS),
    patienceMs: 0,
  });
  return (question) => askService(service, question, null);
}
