import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type AdminFigures, createAdmin } from '../api/admin.ts';
import type { Unexpected } from '../api/errors.ts';
import type { Service } from '../api/service-parts.ts';
import { type Computer, computerOf } from '../compute/computer.ts';
import type { Demand } from '../compute/on-demand/on-demand.ts';
import { TooLate } from '../compute/pool.ts';
import type { DatasetDemand } from '../compute/thread.ts';
import type { Dataset } from '../dataset/dataset.ts';
import type { SunlightAnswers } from '../dataset/sunlight.ts';
import type { HttpServer } from '../http/http-server.ts';
import { loadPages } from '../site/pages.ts';
import type { Ready } from '../workers/calls.ts';
import { isKeyForgotten } from './bulk-keys.ts';
import type { LogOutput } from './log-output.ts';
import { say } from './output.ts';
import { httpUrl } from './setting.ts';
import type { Settings } from './settings.ts';

/** The common parts of every way to serve: the settings and the log. */
export interface Setup {
  settings: Settings;
  version: string;
  log: Logger;
  /** Where the logger writes. */
  lines: LogOutput;
  unexpected: Unexpected;
  readyLines: ReadyLines;
}

/** Threads that compute, by the settings. They end with `resources`. */
export function openComputer(
  { computeThreads, computeTimeout, sceneMemory }: Settings,
  resources: AsyncDisposableStack,
  log: Logger,
): ReturnType<typeof computerOf> {
  const hangs = (reason: string): void => log.error({ reason }, 'a computing thread hangs and is ended');
  const computer = computerOf(computeThreads, computeTimeout * 1000, sceneMemory * 2 ** 20, hangs);
  resources.defer(() => computer.close());
  return computer;
}

/** Delay of the start of threads, milliseconds: a server that ends sooner does not need them. */
const WARM_UP_AFTER_MS = 2000;

/**
 * Number of buildings for which the warm-up computes a floor, a sky and a point. They are far from each other, so that
 * the code for a new place is compiled too.
 */
const EXAMPLES = 16;

/**
 * Does the work after the start that the first visitors would wait for, unless `--warm-up` is off: loads the pages and
 * lets the computing threads compile their code and open the dataset. Of several processes only one does the latter.
 */
export function warmUp(
  service: Service,
  settings: Settings,
  resources: AsyncDisposableStack,
  { startsThreads }: { startsThreads: boolean },
): void {
  if (!settings.warmUp) return;
  const stop = new AbortController();
  const begin = (): void => {
    // The first request for a page reports the error.
    if (service.hasPages) loadPages().catch(() => {});
    if (startsThreads) void computeExamples(service, settings.computeThreads, stop.signal);
  };
  const timer = setTimeout(begin, WARM_UP_AFTER_MS).unref();
  resources.defer(() => {
    clearTimeout(timer);
    stop.abort();
  });
}

/** Computes the examples with as many clients as there are threads, so that all threads start. */
async function computeExamples({ datasets, computer }: Service, threads: number, signal: AbortSignal): Promise<void> {
  const serving = datasets.current;
  const examples = exampleDemands(serving.dataset);
  const clients = Array.from({ length: threads }, (_, i) => `warm-up ${i + 1}`);
  serving.hold();
  await Promise.all(clients.map((client) => computeInTurn(computer, client, examples, signal)));
  serving.release();
}

/** Computes demands to warm up, one after another: the answers are not used. Stops at the first failure. */
async function computeInTurn(
  computer: Computer,
  client: string,
  demands: readonly DatasetDemand[],
  signal: AbortSignal,
): Promise<void> {
  let hasAnswer = false;
  for (const demand of demands) {
    const reservation = await computer.reserve(client);
    if (reservation === null) return;
    try {
      const waitedMs = 0;
      await reservation.compute(demand, signal, waitedMs);
      hasAnswer = true;
    } catch (error) {
      // On a slow machine a thread may start for longer than the deadline.
      const isStarting = error instanceof TooLate && !hasAnswer;
      // A request for the same thing will get the error.
      if (!isStarting) return;
    }
  }
}

/** Demands to warm up with: a floor, a sky and a point for each of the example buildings. */
function exampleDemands({ folder, sunlight }: Dataset): DatasetDemand[] {
  if (sunlight === null) return [];
  return exampleIds(sunlight).flatMap((buildingId) => {
    const summary = sunlight.summary(buildingId)?.toJSON();
    const face = sunlight.shape(buildingId)?.faces[0]?.face;
    if (summary === undefined || face === undefined) return [];
    const { lat, lon } = summary;
    const demands: Demand[] = [
      { kind: 'floor', buildingId, floor: 1 },
      { kind: 'sky', buildingId, floor: 1, face, receptor: 1 },
      { kind: 'point', lat, lon, heightM: 1.5 },
    ];
    return demands.map((demand) => ({ folder, demand }));
  });
}

/** The IDs of the example buildings, each in another town; without enough towns, the first buildings. */
function exampleIds(sunlight: SunlightAnswers): string[] {
  const towns = sunlight.townSun();
  const step = Math.max(1, Math.floor(towns.length / EXAMPLES));
  const ids = towns.filter((_, i) => i % step === 0).flatMap(({ brightest }) => brightest[0]?.building_id ?? []);
  return ids.length < EXAMPLES ? sunlight.idsBeginning('', EXAMPLES) : ids.slice(0, EXAMPLES);
}

/** The port of the settings, or a free one for port 0, because the URL is part of the answers. */
export const portOf = async ({ port, host }: Pick<Settings, 'port' | 'host'>): Promise<number> =>
  port === 0 ? freePort(host) : port;

/**
 * Free ports are chosen below the ephemeral range (from 32768 on Linux, from 49152 elsewhere). The server listens only
 * after the dataset is open; until then the system could give an ephemeral port to another process.
 */
const FREE_PORTS = { from: 20_000, to: 32_000, tries: 20 };

/**
 * Chooses a port at random that nothing else uses now.
 * @throws Error with one line when none can be opened
 */
async function freePort(host: string): Promise<number> {
  const { from, to, tries } = FREE_PORTS;
  for (let i = 1; ; i++) {
    const port = randomInt(from, to);
    try {
      await openOnce(host, port);
      return port;
    } catch (error) {
      if (i === tries) throw error;
    }
  }
}

/**
 * Listens for clients.
 * @throws Error with one line when the port cannot be opened
 */
export async function listen(app: HttpServer, host: string, port: number): Promise<void> {
  await app.listen({ host, port }).catch((error) => {
    throw new Error(listenProblem(error, host, port, '--port'));
  });
}

/**
 * Opens the admin port, for the operator.
 * @throws Error with one line when it cannot be opened
 */
export async function listenAdmin(
  figures: AdminFigures,
  { adminHost, adminPort = 0 }: Settings,
): Promise<{ server: Server; url: string }> {
  const server = createAdmin(figures).listen(adminPort, adminHost);
  await once(server, 'listening').catch((error) => {
    throw new Error(listenProblem(error, adminHost, adminPort, '--admin-port'));
  });
  return { server, url: httpUrl(adminHost, (server.address() as AddressInfo).port) };
}

/** The message for the operator when a port cannot be opened. */
function listenProblem(error: NodeJS.ErrnoException, host: string, port: number, flag: string): string {
  if (error.code === 'EADDRINUSE') return `port ${port} on ${host} is taken; choose another with ${flag}`;
  if (error.code === 'EACCES') return `port ${port} needs more rights than this user has; choose one above 1023`;
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') return `${host} is not an address of this machine`;
  return `cannot listen on ${host}, port ${port}: ${error.message}`;
}

/** What a service that is ready announces. */
export const readyOf = ({ datasets, siteUrl }: Service): Ready => ({
  datasetId: datasets.current.dataset.manifest.dataset_id,
  siteUrl,
});

/** The lines that a command prints when the service is ready. */
export type ReadyLines = (ready: Ready, settings: Settings, metricsUrl: string | null) => string[];

/** The lines of `serve`: the dataset and its address, where to look, how to stop. */
export const serveLines: ReadyLines = ({ datasetId, siteUrl }, { pages }, metricsUrl) => {
  const addresses = pages
    ? `${siteUrl}/ for the pages, ${siteUrl}/map/ for the map, ${siteUrl}/docs/ for the API`
    : `${siteUrl}/openapi.json for the API`;
  return [
    `Serving dataset ${datasetId} at ${siteUrl}`,
    `Open ${addresses}`,
    `Stop with Ctrl+C or SIGTERM; SIGHUP to process ${process.pid} moves to a newer dataset`,
    ...(metricsUrl === null ? [] : [`Metrics at ${metricsUrl}`]),
  ];
};

/** Prints the lines of a service that is ready. Logs the disadvantages of the settings. */
export function announce({ settings, log, readyLines }: Setup, ready: Ready, adminUrl: string | null): void {
  for (const line of readyLines(ready, settings, adminUrl === null ? null : `${adminUrl}/metrics`)) say(line);
  if (settings.siteUrl !== undefined && isKeyForgotten(settings))
    log.warn('download URLs end with this process: --state or HIDAMARI_BULK_KEY keeps their key');
}

/** Serves the newest dataset from now on, and reads the keys again. */
export function serveNewest({ datasets, keys }: Service): void {
  void datasets.swap();
  void keys?.reload();
}

/** Continues to serve for `--shutdown-delay` while `/readyz` answers 503; then finishes the requests in flight. */
export async function drain(service: Service, app: HttpServer, { shutdownDelay }: Settings): Promise<void> {
  service.draining = true;
  await delay(shutdownDelay * 1000);
  await app.close();
}

/**
 * Checks before a long start that a port can be opened: opens it and closes it again.
 * @throws Error with one line when it cannot be opened
 */
export async function openOnce(host: string, port: number): Promise<void> {
  const server = createServer();
  const opened = new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  await opened.catch((error) => {
    throw new Error(listenProblem(error, host, port, '--port'), { cause: error });
  });
  await new Promise((resolve) => server.close(resolve));
}
