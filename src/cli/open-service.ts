import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Billing } from '../api/billing/billing.ts';
import { pricing } from '../api/billing/terms.ts';
import { BulkUrlSigner, bulkInFolder, LocalBulkFiles } from '../api/bulk-files.ts';
import type { KeyRing } from '../api/keys.ts';
import type { ComputeFigures, LastRefresh, Machine, MetricSources, Metrics } from '../api/metrics.ts';
import { ServedDatasets } from '../api/served-datasets.ts';
import { createService } from '../api/service.ts';
import type { PurgeTags, Service } from '../api/service-parts.ts';
import type { Computer } from '../compute/computer.ts';
import { openNamed } from '../dataset/open.ts';
import { type DailyUnits, RedisDailyUnits } from '../http/daily-units.ts';
import type { HttpServer } from '../http/http-server.ts';
import {
  type Limiters,
  type LimitName,
  NEW_RESULTS_A_MINUTE,
  type RateLimiter,
  redisRateLimiter,
  TILES_A_MINUTE,
} from '../http/rate-limiter.ts';
import { SharedRedis } from '../http/redis.ts';
import type { SlotLimits, Slots } from '../http/slots.ts';
import type { BaseMap, BulkOffers } from '../site/route.ts';
import { hasDataset } from '../snapshot/listing.ts';
import { DatasetError } from '../snapshot/manifest.ts';
import { paymentOf } from './billing-settings.ts';
import { DataSource } from './data-source.ts';
import type { Setup } from './listening.ts';
import type { RefreshReport } from './refresh-steps.ts';
import { s3Keys, s3Location } from './s3-settings.ts';
import { withPassword } from './secrets.ts';
import { REFRESH_FOLDER } from './setting.ts';
import type { Settings } from './settings.ts';
import { totalMemory } from './this-process.ts';

/** The headers of `--purge-tags`. Cloudflare, Google and others read the first, Fastly the second. */
const PURGE_TAGS: Readonly<Record<Settings['purgeTags'], PurgeTags | null>> = {
  off: null,
  'cache-tag': { header: 'Cache-Tag', separator: ',' },
  'surrogate-key': { header: 'Surrogate-Key', separator: ' ' },
};

/** The description of the method, for agents. */
const METHOD = new URL('../../docs/method.md', import.meta.url);

/** The parts that a process shares with the other processes of its server, or has alone. */
export interface Common {
  siteUrl: string;
  /** Secrets that sign download URLs. */
  secrets: [string, ...string[]];
  /** A limiter of this number of requests a minute. */
  limiter(name: LimitName, limit: number): RateLimiter;
  dailyUnits: DailyUnits;
  /** The slots of downloads. */
  slots(limits: SlotLimits): Slots;
  computer: Computer;
  /** Figures of the computer. Those of a process that does not compute are 0. */
  figures: ComputeFigures;
}

/**
 * The limiters of the settings, null where a limit is off.
 * @param limiterOf makes a limiter of this number of requests a minute
 */
export function limitersOf(
  { rateLimit, pageLimit }: Settings,
  limiterOf: (name: LimitName, limit: number) => RateLimiter,
): Limiters {
  const hasPageLimit = pageLimit !== 'off';
  return {
    api: rateLimit === 'off' ? null : limiterOf('api', rateLimit),
    pages: hasPageLimit ? limiterOf('pages', pageLimit) : null,
    tiles: hasPageLimit ? limiterOf('tiles', TILES_A_MINUTE) : null,
    newResults: hasPageLimit ? limiterOf('newResults', NEW_RESULTS_A_MINUTE) : null,
  };
}

/** Limits of running downloads. */
export const downloadLimits = ({ downloads: most, clientDownloads: mostOfClient }: Settings): SlotLimits => ({
  most,
  mostOfClient,
});

interface OpenService {
  app: HttpServer;
  service: Service;
  metrics: Metrics | null;
}

/**
 * Makes the service that the settings describe; `resources` closes what it opens. Over 60 lines: most are the parts
 * that it passes on.
 * @throws Error with one line when there is no dataset or the keys cannot be read
 */
export async function openService(
  { settings, version, log, lines, unexpected }: Setup,
  common: Common,
  resources: AsyncDisposableStack,
): Promise<OpenService> {
  const source = new DataSource(settings, log);
  const { siteUrl, computer } = common;
  const datasets = resources.adopt(await openDatasets(source, settings, siteUrl, version, log), (all) => all.close());
  // Closed before the datasets: resources close in reverse order.
  resources.defer(() => source.close());
  datasets.onClose = (folder) => computer.forget(folder);
  source.watch(() => void datasets.swap());
  const redis = await openRedis(settings, log);
  resources.defer(() => redis?.close());
  const keys = settings.keys === undefined ? null : await openKeys(settings.keys, log);
  resources.defer(() => keys?.close());
  const metrics =
    settings.adminPort === undefined
      ? null
      : await openMetrics({
          datasets,
          redis,
          keys,
          log: lines,
          unexpected,
          computer: common.figures,
          machine: machineOf(source.folder),
          version,
        });
  const findBulk = bulkInFolder(source.folder, settings.trustKey ?? null);
  const bulk = new LocalBulkFiles(new BulkUrlSigner(common.secrets), siteUrl, Date.now, findBulk);
  const dailyUnits = redis === null ? common.dailyUnits : new RedisDailyUnits(redis);
  const { app, service } = createService({
    datasets,
    siteUrl,
    limiters: limitersOf(settings, (name, limit) =>
      name === 'api' && redis !== null ? redisRateLimiter(redis, limit) : common.limiter(name, limit),
    ),
    dailyUnits: settings.rateLimit === 'off' ? null : dailyUnits,
    hasPages: settings.pages,
    baseMap: baseMapOf(settings),
    keys,
    proxies: settings.trustProxy,
    purgeTags: PURGE_TAGS[settings.purgeTags],
    bulk,
    downloads: common.slots(downloadLimits(settings)),
    offers: settings.bulk === 's3' ? await s3Offers(settings, log) : bulk,
    billing: await billingOf(settings, redis, metrics, log),
    offered: new Set(settings.point ? ['sunlight-point'] : []),
    computer,
    log,
    lines,
    unexpected,
    metrics,
    ...(settings.mcp && { mcp: { version, method: readFileSync(METHOD, 'utf8') } }),
    patienceMs: settings.timeout * 1000,
  });
  return { app, service, metrics };
}

/** The Redis of `--redis`; null without it. */
async function openRedis({ redis, redisPassword }: Settings, log: Logger): Promise<SharedRedis | null> {
  return redis === undefined ? null : await SharedRedis.connect(withPassword(redis, redisPassword), log);
}

// The following modules are loaded only when the settings need them, because they would slow down every start.

/** The keys in a file. A file that does not exist yet has none. */
async function openKeys(path: string, log: Logger): Promise<KeyRing> {
  const { KeyRing } = await import('../api/keys.ts');
  if (!existsSync(path)) {
    log.warn({ path }, 'there is no key file yet: no key is good until hidamari keys add has made it');
  }
  return await KeyRing.open(path, Date.now, log);
}

/** The metrics of this process. */
async function openMetrics(sources: MetricSources): Promise<Metrics> {
  const { Metrics } = await import('../api/metrics.ts');
  return new Metrics(sources);
}

/** The billing of `--billing`; null when calls are free. */
async function billingOf(
  settings: Settings,
  redis: SharedRedis | null,
  metrics: Metrics | null,
  log: Logger,
): Promise<Billing | null> {
  if (settings.billing === 'off') return null;
  const { openBilling } = await import('../api/billing/billing.ts');
  return openBilling({ ...paymentOf(settings), redis, registry: metrics?.registry ?? null, log });
}

/** Offers bulk files by signed URLs of a bucket. */
async function s3Offers(settings: Settings, log: Logger): Promise<BulkOffers> {
  const [{ S3BulkOffers }, { S3Store }] = await Promise.all([
    import('../api/bulk-files.ts'),
    import('../http/s3-store.ts'),
  ]);
  const location = s3Location(settings);
  return new S3BulkOffers(new S3Store(location, s3Keys(location)), Date.now, log);
}

/** The figures of this machine: free bytes of the disk of a data folder, last refresh, memory. */
function machineOf(data: string): Machine {
  return {
    freeBytes() {
      try {
        const { bavail, bsize } = statfsSync(data);
        return bavail * bsize;
      } catch {
        return Number.NaN;
      }
    },
    lastRefresh: () => lastRefresh(data),
    memoryBytes: totalMemory(),
  };
}

/** The last refresh of a data folder, by its report; null when there is none. */
function lastRefresh(data: string): LastRefresh | null {
  try {
    const report = JSON.parse(readFileSync(join(data, REFRESH_FOLDER, 'report.json'), 'utf8')) as RefreshReport;
    return { hasFailed: report.exit_code !== 0, datasetId: report.dataset_id, endedAt: report.ended_at };
  } catch {
    return null;
  }
}

/**
 * Opens the newest dataset of a source, to be replaced by newer ones.
 * @throws Error with one line that names the folder when there is no dataset
 */
async function openDatasets(
  source: DataSource,
  settings: Settings,
  siteUrl: string,
  version: string,
  log: Logger,
): Promise<ServedDatasets> {
  const { trustKey: trusted, keepOpen, billing } = settings;
  // Makes the tags of answers differ: a new version may write the same data differently, and pages show the base map
  // and the prices.
  const prices = pricing(billing === 'off' ? null : paymentOf(settings).terms);
  const configuration = JSON.stringify([version, baseMapOf(settings), prices]);
  try {
    return await ServedDatasets.open((id, damagedIds) => source.open(id, damagedIds), siteUrl, configuration, log, {
      keepMs: keepOpen * 1000,
      has: (id) => hasDataset(source.folder, id),
      open: (id) => openNamed(source.folder, id, { trusted: trusted ?? null, hold: true }),
    });
  } catch (error) {
    // The message of a DatasetError names the folder.
    if (error instanceof DatasetError) throw error;
    throw new Error(`${source.folder}: ${(error as Error).message}`);
  }
}

/**
 * The other map that is drawn below ours, if any.
 * @throws Error when it has no credit, which the terms of every map require
 */
function baseMapOf({ baseMap, baseMapCredit, baseMapZoom }: Settings): BaseMap | null {
  if (baseMap === undefined) return null;
  if (baseMapCredit === '')
    throw new Error('--base-map needs --base-map-credit: whose map it is, as its terms ask for.');
  return { tiles: baseMap, credit: baseMapCredit, maxzoom: baseMapZoom };
}
