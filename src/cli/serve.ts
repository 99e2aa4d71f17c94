import type { Command } from 'commander';
import { pino } from 'pino';
import { Unexpected } from '../api/errors.ts';
import { MemoryDailyUnits } from '../http/daily-units.ts';
import { MemoryRateLimiter } from '../http/rate-limiter.ts';
import { MemorySlots } from '../http/slots.ts';
import { joinPrimary } from '../workers/shared.ts';
import { bulkKeys } from './bulk-keys.ts';
import {
  announce,
  drain,
  listen,
  listenAdmin,
  openComputer,
  portOf,
  type ReadyLines,
  readyOf,
  type Setup,
  serveLines,
  serveNewest,
  warmUp,
} from './listening.ts';
import { LogOutput } from './log-output.ts';
import { type Common, openService } from './open-service.ts';
import { outlivePrintErrors } from './output.ts';
import { httpUrl } from './setting.ts';
import { addSettings, type Settings } from './settings.ts';
import { logWarnings, outliveExceptions, stopSignal } from './this-process.ts';
import { unknownVariables } from './variables.ts';

/** `hidamari serve`: answers requests until a signal stops it. */
export function define(command: Command): void {
  addSettings(command).action((settings: Settings) => serve(settings, command.parent?.version() ?? ''));
}

/** The file descriptor of standard error. */
const STDERR = 2;

/** How long the last lines of the log may take to be written, milliseconds. */
const LOG_PATIENCE_MS = 1000;

/**
 * Serves until SIGTERM or SIGINT. SIGHUP moves to the newest dataset and reads the keys again.
 * @param version of the program; ETags depend on it and on the dataset
 * @throws Error with one line when there is no dataset, the keys cannot be read or a port cannot be opened
 */
export async function serve(settings: Settings, version: string, readyLines: ReadyLines = serveLines): Promise<void> {
  outlivePrintErrors();
  const lines = new LogOutput(STDERR);
  const log = pino({ level: settings.logLevel, base: undefined }, lines);
  logWarnings(log);
  const setup = { settings, version, log, lines, unexpected: new Unexpected(log), readyLines };
  // Null: this process is no worker of another one.
  const primary = await joinPrimary(log, settings.computeTimeout * 1000);
  if (primary === null)
    for (const reason of unknownVariables(process.env))
      log.warn({ reason }, 'a variable of the environment is not read');
  if (primary === null && settings.workers === 1) await serveAlone(setup);
  else {
    // Loaded only for several processes.
    const { serveAsWorker, serveWithWorkers } = await import('./serve-workers.ts');
    await (primary === null ? serveWithWorkers(setup) : serveAsWorker(setup, primary));
  }
  log.info('stopped');
  await lines.close(LOG_PATIENCE_MS);
}

/** Serves in this process alone. */
async function serveAlone(setup: Setup): Promise<void> {
  const { settings, log } = setup;
  const { host } = settings;
  const port = await portOf(settings);
  await using resources = new AsyncDisposableStack();
  const pool = openComputer(settings, resources, log);
  const common: Common = {
    siteUrl: settings.siteUrl ?? httpUrl(host, port),
    secrets: bulkKeys(settings),
    limiter: (_, limit) => new MemoryRateLimiter(limit),
    dailyUnits: new MemoryDailyUnits(),
    slots: (limits) => new MemorySlots(limits),
    computer: pool,
    figures: pool,
  };
  const { app, service, metrics } = await openService(setup, common, resources);
  const admin = metrics === null ? null : await listenAdmin(metrics.registry, settings);
  resources.defer(() => void admin?.server.close().closeAllConnections());
  // A process that reads the announcement may send a signal at once.
  process.on('SIGHUP', () => serveNewest(service));
  if (settings.checkRate > 0) service.datasets.guard(settings.checkRate * 1e6);
  const stopped = stopSignal();
  await listen(app, host, port);
  outliveExceptions(setup.unexpected);
  announce(setup, readyOf(service), admin?.url ?? null);
  warmUp(service, settings, resources, { startsThreads: true });
  log.info({ signal: await stopped }, 'shutting down');
  await drain(service, app, settings);
}
