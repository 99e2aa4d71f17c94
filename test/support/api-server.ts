import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { pino } from 'pino';
import { BulkUrlSigner, type FindBulk, LocalBulkFiles } from '../../src/api/bulk-files.ts';
import { Unexpected } from '../../src/api/errors.ts';
import { type OpenNewest, ServedDatasets } from '../../src/api/served-datasets.ts';
import { createService } from '../../src/api/service.ts';
import type { LineSink, Service, ServiceParts } from '../../src/api/service-parts.ts';
import type { Computer } from '../../src/compute/computer.ts';
import { ProxyList } from '../../src/http/client-address.ts';
import type { HttpServer } from '../../src/http/http-server.ts';
import { type Limiters, NO_LIMITS } from '../../src/http/rate-limiter.ts';
import { MemorySlots } from '../../src/http/slots.ts';
import { FakeDataset } from './fake-dataset.ts';

/** A running service, with what a test may read or change. */
export interface ApiServer {
  app: HttpServer;
  service: Service;
  /** `http://127.0.0.1:port`, also the site URL. */
  url: string;
  port: number;
  dataset: FakeDataset;
  /** The parsed lines of the log. */
  log: Record<string, unknown>[];
  /** Sets the clock of signed URLs, milliseconds since 1970. */
  clock: { now: number };
}

export interface ServerChoices
  extends Partial<
    Pick<
      ServiceParts,
      | 'billing'
      | 'computer'
      | 'dailyUnits'
      | 'downloads'
      | 'hasPages'
      | 'keys'
      | 'metrics'
      | 'offered'
      | 'offers'
      | 'patienceMs'
      | 'mostConnections'
      | 'purgeTags'
      | 'mcp'
      | 'baseMap'
    >
  > {
  /** Absent ones do not limit. */
  limiters?: Partial<Limiters>;
  open?: OpenNewest;
  /** Keeps other datasets open for requests that name them; absent: none. */
  keep?: Parameters<typeof ServedDatasets.open>[4];
  dataset?: FakeDataset;
  proxies?: string[];
  secrets?: [string, ...string[]];
  findBulk?: FindBulk;
  host?: string;
  siteUrl?: string;
  logLevel?: 'info' | 'debug';
}

/** Starts the service on a free port and closes it when the test ends. By default it has no limit. */
export async function startServer(test: TestContext | { after: TestContext['after'] }, choices: ServerChoices = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'hidamari-api-'));
  const dataset = choices.dataset ?? new FakeDataset('fake-1', folder);
  const log: Record<string, unknown>[] = [];
  const clock = { now: Date.UTC(2026, 0, 1) };
  const lines: LineSink = { write: (line) => void log.push(JSON.parse(line.toString())) };
  const logger = pino({ level: choices.logLevel ?? 'info' }, lines);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const siteUrl = choices.siteUrl ?? url;
  const open = choices.open ?? (async () => ({ dataset, refused: [] }));
  const datasets = await ServedDatasets.open(open, siteUrl, 'test', logger, choices.keep);
  const secrets = choices.secrets ?? ['a secret'];
  const bulk = new LocalBulkFiles(
    new BulkUrlSigner(secrets),
    siteUrl,
    () => clock.now,
    choices.findBulk ?? (async () => null),
  );
  const { app, service } = createService({
    datasets,
    siteUrl,
    limiters: { ...NO_LIMITS, ...choices.limiters },
    dailyUnits: choices.dailyUnits ?? null,
    hasPages: choices.hasPages ?? true,
    keys: choices.keys ?? null,
    proxies: new ProxyList(choices.proxies ?? []),
    purgeTags: choices.purgeTags ?? null,
    bulk: bulk,
    downloads: choices.downloads ?? new MemorySlots({ most: 128, mostOfClient: 8 }),
    offers: choices.offers ?? bulk,
    billing: choices.billing ?? null,
    offered: choices.offered ?? new Set(),
    computer: choices.computer ?? fakeComputer(datasets),
    log: logger,
    lines,
    unexpected: new Unexpected(logger),
    metrics: choices.metrics ?? null,
    ...(choices.mcp && { mcp: choices.mcp }),
    ...(choices.baseMap && { baseMap: choices.baseMap }),
    patienceMs: choices.patienceMs ?? 5000,
    ...(choices.mostConnections !== undefined && { mostConnections: choices.mostConnections }),
  });
  await app.listen({ host: choices.host ?? '127.0.0.1', port });
  test.after(async () => {
    app.server.closeAllConnections();
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { app, service, url, port, dataset, log, clock } satisfies ApiServer;
}

/** Computes at once, from the served fake dataset. */
const fakeComputer = (datasets: ServedDatasets): Computer => ({
  forget: () => {},
  reserve: () => ({
    compute: async ({ demand }) =>
      Buffer.from(JSON.stringify(await (datasets.current.dataset as FakeDataset).compute(demand))),
    leave: () => {},
  }),
});

async function freePort(): Promise<number> {
  const { createServer } = await import('node:net');
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Sends raw bytes and returns everything received until the other side closes. */
export function rawExchange(port: number, bytes: string | Buffer, encoding: BufferEncoding = 'utf8'): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') resolve(Buffer.concat(chunks).toString(encoding));
      else reject(error);
    });
    socket.on('close', () => resolve(Buffer.concat(chunks).toString(encoding)));
  });
}
