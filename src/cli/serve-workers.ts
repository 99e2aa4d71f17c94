import { Registry } from 'prom-client';
import { NOTHING_COMPUTED } from '../api/metrics.ts';
import { MemoryDailyUnits } from '../http/daily-units.ts';
import { MemoryRateLimiter } from '../http/rate-limiter.ts';
import { MemorySlots } from '../http/slots.ts';
import { Primary, WorkerFailed } from '../workers/primary.ts';
import { addPrimaryMetrics, ServerMetrics } from '../workers/server-metrics.ts';
import type { PrimaryServices } from '../workers/shared.ts';
import { bulkKeys } from './bulk-keys.ts';
import {
  announce,
  drain,
  listen,
  listenAdmin,
  openComputer,
  portOf,
  readyOf,
  type Setup,
  serveNewest,
  warmUp,
} from './listening.ts';
import { type Common, downloadLimits, limitersOf, openService } from './open-service.ts';
import { httpUrl } from './setting.ts';
import { outliveExceptions, stopSignal } from './this-process.ts';

/** Interval of the messages of a worker that waits for a store, milliseconds. */
const STARTING_MS = 5000;

/**
 * Serves from several worker processes until a signal comes, as their primary: it starts them, computes for them, and
 * counts requests, downloads and paid calls of all together. Its admin port gives the metrics of all processes.
 */
export async function serveWithWorkers(setup: Setup): Promise<void> {
  const { settings, log, lines, unexpected } = setup;
  const port = await portOf(settings);
  await using resources = new AsyncDisposableStack();
  const computer = openComputer(settings, resources, log);
  const primary = new Primary({
    workers: settings.workers,
    port,
    secrets: bulkKeys(settings),
    limiters: limitersOf(settings, (_name, limit) => new MemoryRateLimiter(limit)),
    dailyUnits: new MemoryDailyUnits(),
    downloads: new MemorySlots(downloadLimits(settings)),
    computer,
    log,
    write: (line) => lines.write(line),
    // `metrics` is there before `start` starts a worker.
    ended: (workerNumber) => void metrics.ended(workerNumber),
  });
  const primaryRegistry = new Registry();
  addPrimaryMetrics(primaryRegistry, { primary, computer, log: lines, unexpected });
  const metrics = new ServerMetrics(primaryRegistry, () => primary.metrics());
  process.on('SIGHUP', () => primary.notifyAll('reload', null));
  const stopping = stopSignal();
  const admin = settings.adminPort === undefined ? null : await listenAdmin(metrics, settings);
  resources.defer(() => void admin?.server.close().closeAllConnections());
  try {
    const readyOrSignal = await Promise.race([primary.start(), stopping]);
    // During the start, an unexpected error ends the program.
    outliveExceptions(unexpected);
    if (typeof readyOrSignal !== 'string') announce(setup, readyOrSignal, admin?.url ?? null);
    log.info({ signal: await stopping }, 'shutting down');
  } catch (error) {
    // The worker has printed the reason.
    if (!(error instanceof WorkerFailed)) throw error;
    process.exitCode = error.code ?? 1;
  }
  await primary.stop();
}

/** Answers requests in this process, as a worker of the primary. */
export async function serveAsWorker(setup: Setup, primary: PrimaryServices): Promise<void> {
  const { settings } = setup;
  const { host } = settings;
  const { calls, port } = primary;
  await using resources = new AsyncDisposableStack();
  // Copying from a store may take long. These messages tell the primary that the worker does not hang.
  const copying = settings.data.startsWith('s3://')
    ? setInterval(() => calls.notify('starting', null), STARTING_MS)
    : undefined;
  resources.defer(() => clearInterval(copying));
  const siteUrl = settings.siteUrl ?? httpUrl(host, port);
  const common: Common = { ...primary, siteUrl, figures: NOTHING_COMPUTED };
  const { app, service, metrics } = await openService(setup, common, resources);
  const { datasets } = service;
  calls.answer('metrics', async () => (metrics === null ? [] : await metrics.registry.getMetricsAsJSON()));
  calls.onNotice('reload', () => serveNewest(service));
  datasets.onDamage = (folder, problem) => calls.notify('damaged', { folder, problem });
  calls.onNotice('damaged', ({ folder, problem }) => datasets.reportedDamage(folder, problem));
  // One worker reads the dataset in the background for all. `checkRate`: megabytes a second.
  if (settings.checkRate > 0 && primary.number === 1) datasets.guard(settings.checkRate * 1e6);
  // A terminal sends these signals to every process of its group. The primary decides.
  process.on('SIGINT', () => {}).on('SIGHUP', () => {});
  const stopped = new Promise<void>((resolve) => {
    calls.onNotice('stop', () => resolve());
    process.on('SIGTERM', () => resolve());
  });
  await listen(app, host, port);
  outliveExceptions(setup.unexpected);
  clearInterval(copying);
  calls.notify('ready', readyOf(service));
  warmUp(service, settings, resources, { startsThreads: primary.number === 1 });
  await stopped;
  await drain(service, app, settings);
  // All messages of the primary are answered now. Nothing but the connection keeps the process alive.
  process.disconnect();
}
