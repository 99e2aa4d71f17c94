import { once } from 'node:events';
import { readFileSync, statfsSync } from 'node:fs';
import type { Server } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { totalmem } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import { type Logger, pino } from 'pino';
import { createAdmin } from '../api/admin.ts';
import type { Billing } from '../api/billing/billing.ts';
import { openBilling } from '../api/billing/open.ts';
import { bulkInFolder } from '../api/bulk-in-folder.ts';
import { type BulkOffers, BulkShelf } from '../api/bulk-shelf.ts';
import { BulkUrlSigner } from '../api/bulk-url.ts';
import { DatasetSlot } from '../api/dataset-slot.ts';
import { KeyRing } from '../api/keys/key-ring.ts';
import { type Machine, Metrics } from '../api/metrics.ts';
import { createService } from '../api/service.ts';
import type { PurgeTags, Service } from '../api/service-parts.ts';
import { computerOf } from '../compute/computer.ts';
import { DatasetError } from '../dataset/manifest.ts';
import { openNamed, openNewest } from '../dataset/open.ts';
import { type DailyUnits, MemoryDailyUnits, RedisDailyUnits } from '../http/daily-units.ts';
import type { HttpServer } from '../http/http-server.ts';
import { memoryRateLimiter, type RateLimiter } from '../http/rate-limiter.ts';
import { SharedRedis } from '../http/redis.ts';
import { redisRateLimiter } from '../http/redis-rate-limiter.ts';
import { exampleUrls } from '../site/example-urls.ts';
import { paymentOf } from './billing-settings.ts';
import { bulkKeys, isKeyForgotten } from './bulk-keys.ts';
import { LogOutput } from './log-output.ts';
import { whenNpmEnds } from './npm-parent.ts';
import { outliveReaders, say } from './output.ts';
import { addSettings, type Settings, s3Place } from './settings.ts';

/** `hidamari serve` */
export function register(program: Command): void {
  const command = program.command('serve').description('serve the newest dataset of a data folder over HTTP');
  addSettings(command).action((settings: Settings) => serve(settings, program.version() ?? ''));
}

const STDERR = 2;
/** Pages that may have something computed, of one client. */
const NEW_RESULTS_A_MINUTE = 20;

/** Cloudflare, Google and others read the one, Fastly the other. */
const PURGE_TAGS: Readonly<Record<string, PurgeTags>> = {
  'cache-tag': { header: 'Cache-Tag', separator: ',' },
  'surrogate-key': { header: 'Surrogate-Key', separator: ' ' },
};

/** Agents can read it. */
const METHOD = new URL('../../docs/method.md', import.meta.url);

/** How long the last lines of the log may take to go out. */
const LOG_PATIENCE_MS = 1000;

/**
 * Serves until SIGTERM or SIGINT. SIGHUP moves to the newest dataset and reads the keys again.
 * @param version of the program; with the dataset, it stands behind every ETag.
 * @throws Error with one line when there is no dataset, the keys cannot be read or a port cannot be had.
 */
export async function serve(settings: Settings, version: string): Promise<void> {
  const { data, host } = settings;
  outliveReaders();
  const lines = new LogOutput(STDERR);
  const log = pino({ level: settings.logLevel, base: undefined }, lines);
  // The URL is part of the answers, so the port has to be known before the first is made.
  const port = settings.port === 0 ? await freePort(host) : settings.port;
  const siteUrl = settings.siteUrl ?? httpUrl(host, port);
  await using opened = new AsyncDisposableStack();
  const slot = opened.adopt(await openSlot(settings, siteUrl, version, log), (it) => it.close());
  const redis = settings.redis === undefined ? null : await SharedRedis.connect(settings.redis, log);
  opened.defer(() => redis?.close());
  const keys = settings.keys === undefined ? null : await KeyRing.open(settings.keys, Date.now, log);
  opened.defer(() => keys?.close());
  const computer = opened.adopt(computerOf(settings.computeThreads, settings.computeTimeout * 1000), (it) =>
    it.close(),
  );
  const metrics =
    settings.adminPort === undefined
      ? null
      : new Metrics({ slot, redis, keys, log: lines, computer, machine: machineOf(data), version });
  const shelf = new BulkShelf(new BulkUrlSigner(bulkKeys(settings)), siteUrl, Date.now, bulkInFolder(data));
  const { app, service } = createService({
    slot,
    siteUrl,
    limiter: limiterOf(settings, redis),
    dailyUnits: dailyUnitsOf(settings, redis),
    pageLimiter: settings.pageLimit === 'off' ? null : memoryRateLimiter(settings.pageLimit),
    newResultLimiter: settings.pageLimit === 'off' ? null : memoryRateLimiter(NEW_RESULTS_A_MINUTE),
    hasPages: settings.pages,
    keys,
    proxies: settings.trustProxy,
    purgeTags: PURGE_TAGS[settings.purgeTags] ?? null,
    bulk: shelf,
    offers: settings.bulk === 's3' ? await s3Offers(settings, log) : shelf,
    billing: billingOf(settings, redis, metrics, log),
    offered: new Set(settings.point ? ['sunlight-point'] : []),
    computer,
    log,
    lines,
    metrics,
    ...(settings.mcp && { mcp: { version, method: readFileSync(METHOD, 'utf8') } }),
    patienceMs: settings.timeout * 1000,
  });
  const admin = metrics === null ? null : await listenAdmin(metrics, settings);
  opened.defer(() => void admin?.server.close().closeAllConnections());
  // Whoever reads the announcement may send a signal at once.
  moveOnAtSighup(service);
  if (settings.checkRate > 0) slot.guard(settings.checkRate * 1e6);
  const stopped = stopSignal();
  whenNpmEnds(() => process.kill(process.pid, 'SIGTERM'));
  await app.listen({ host, port }).catch((error) => {
    throw new Error(listenProblem(error, host, port, '--port'));
  });
  announce(service, admin?.url ?? null);
  if (isKeyForgotten(settings)) log.warn('download URLs end with this process: --state or --bulk-key keeps their key');
  log.info({ signal: await stopped }, 'shutting down');
  await drain(service, app, settings.shutdownDelay);
  await opened.disposeAsync();
  log.info('stopped');
  await lines.close(LOG_PATIENCE_MS);
}

function limiterOf({ rateLimit }: Settings, redis: SharedRedis | null): RateLimiter | null {
  if (rateLimit === 'off') return null;
  return redis === null ? memoryRateLimiter(rateLimit) : redisRateLimiter(redis, rateLimit);
}

function dailyUnitsOf({ rateLimit }: Settings, redis: SharedRedis | null): DailyUnits | null {
  if (rateLimit === 'off') return null;
  return redis === null ? new MemoryDailyUnits() : new RedisDailyUnits(redis);
}

function billingOf(
  settings: Settings,
  redis: SharedRedis | null,
  metrics: Metrics | null,
  log: Logger,
): Billing | null {
  if (settings.billing === 'off') return null;
  return openBilling({ ...paymentOf(settings), redis, registry: metrics?.registry ?? null, log });
}

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
    memoryBytes: Math.min(process.constrainedMemory() || totalmem(), totalmem()),
  };
}

async function listenAdmin({ registry }: Metrics, { adminHost, adminPort = 0 }: Settings): Promise<Admin> {
  const server = createAdmin(registry).listen(adminPort, adminHost);
  await once(server, 'listening').catch((error) => {
    throw new Error(listenProblem(error, adminHost, adminPort, '--admin-port'));
  });
  return { server, url: httpUrl(adminHost, (server.address() as AddressInfo).port) };
}

interface Admin {
  server: Server;
  url: string;
}

const httpUrl = (host: string, port: number): string => `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

async function openSlot(
  { data, trustKey: trusted, keepOpen }: Settings,
  siteUrl: string,
  version: string,
  log: Logger,
): Promise<DatasetSlot> {
  try {
    return await DatasetSlot.open(
      (unless, damaged) => openNewest(data, { unless, trusted, hold: true, ...(damaged ? { damaged } : {}) }),
      siteUrl,
      version,
      log,
      { keepMs: keepOpen * 1000, open: (id) => openNamed(data, id, { trusted: trusted ?? null, hold: true }) },
    );
  } catch (error) {
    if (error instanceof DatasetError) throw error; // names the folder
    throw new Error(`${data}: ${(error as Error).message}`);
  }
}

/** The signer is loaded only where it is needed: every start would have to wait for it. */
async function s3Offers(settings: Settings, log: Logger): Promise<BulkOffers> {
  const [{ S3BulkOffers }, { S3Store }] = await Promise.all([
    import('../api/bulk-s3.ts'),
    import('../http/s3-store.ts'),
  ]);
  return new S3BulkOffers(new S3Store(s3Place(settings)), Date.now, log);
}

/** What to tell people about a port that cannot be had. */
function listenProblem(error: NodeJS.ErrnoException, host: string, port: number, flag: string): string {
  if (error.code === 'EADDRINUSE') return `port ${port} on ${host} is taken; choose another with ${flag}`;
  if (error.code === 'EACCES') return `port ${port} needs more rights than this user has; choose one above 1023`;
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') return `${host} is not an address of this machine`;
  return `cannot listen on ${host}, port ${port}: ${error.message}`;
}

function announce({ slot, siteUrl }: Service, adminUrl: string | null): void {
  const { dataset } = slot.current;
  say(`Serving dataset ${dataset.manifest.dataset_id} at ${siteUrl}`);
  say(`Process ${process.pid}: SIGHUP moves to a newer dataset, SIGTERM stops`);
  for (const { summary, url } of exampleUrls(dataset, siteUrl)) say(`  ${url}\n      ${summary}`);
  if (adminUrl !== null) say(`Metrics at ${adminUrl}/metrics`);
}

function moveOnAtSighup({ slot, keys }: Service): void {
  process.on('SIGHUP', () => {
    void slot.swap();
    void keys?.reload();
  });
}

/** Resolves at the first SIGTERM or SIGINT; a second one ends the process at once. */
function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    let asked = false;
    const stop = (signal: string) => {
      if (asked) process.exit(1);
      asked = true;
      resolve(signal);
    };
    process.on('SIGTERM', stop).on('SIGINT', stop);
  });
}

/** Goes on serving for a while, no longer ready; then ends what is in flight. */
async function drain(service: Service, app: HttpServer, shutdownDelay: number): Promise<void> {
  service.draining = true;
  await delay(shutdownDelay * 1000);
  await app.close();
}

async function freePort(host: string): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
