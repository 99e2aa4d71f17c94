import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { pino } from 'pino';
import { KeyRing } from '../../src/api/keys.ts';
import { Metrics, NOTHING_COMPUTED } from '../../src/api/metrics.ts';
import { ServedDatasets } from '../../src/api/served-datasets.ts';
import { SharedRedis } from '../../src/http/redis.ts';
import type { FakeDataset } from '../support/fake-dataset.ts';
import { freePort } from '../support/free-port.ts';

const QUIET = pino({ level: 'silent' });

/** The metrics of a server with API keys, in `keys.json` of the folder, and a Redis that does not answer. */
export async function metered(
  t: TestContext,
  dataset: FakeDataset,
  folder: string,
): Promise<{ keys: KeyRing; metrics: Metrics }> {
  const keys = await KeyRing.open(join(folder, 'keys.json'), Date.now, QUIET);
  t.after(() => keys.close());
  const datasets = await ServedDatasets.open(async () => ({ dataset, refused: [] }), 'http://x', 'test', QUIET);
  const redis = await SharedRedis.connect(`redis://127.0.0.1:${await freePort()}`, QUIET);
  t.after(() => redis.close());
  const metrics = new Metrics({
    datasets,
    redis,
    keys,
    log: { dropped: 0 },
    unexpected: { count: 0 },
    computer: NOTHING_COMPUTED,
    machine: { freeBytes: () => 1, lastRefresh: () => null, memoryBytes: 2 },
    version: '1.2.3',
  });
  return { keys, metrics };
}
