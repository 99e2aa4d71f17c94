import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Command } from 'commander';
import { pino } from 'pino';
import { askService } from '../api/ask-service.ts';
import { BULK_URL_SECONDS, BulkUrlSigner, LocalBulkFiles } from '../api/bulk-files.ts';
import { DatasetSlot } from '../api/dataset-slot.ts';
import { createService } from '../api/service.ts';
import { Unexpected } from '../api/unexpected.ts';
import { computerOf } from '../compute/computer.ts';
import { contractFor } from '../contract/contract.ts';
import { type Place, placeDescribed, TOKYO } from '../contract/place.ts';
import { openNewest } from '../dataset/open.ts';
import { ProxyList } from '../http/client-address.ts';
import type { Slots } from '../http/slots.ts';
import { type Ask, httpAsk } from '../mcp/ask.ts';
import { LineTransport } from '../mcp/line-transport.ts';
import { mcpServer } from '../mcp/mcp-server.ts';
import { resourcesOf } from '../mcp/resources.ts';
import { toolsOf } from '../mcp/tools.ts';
import type { BulkOffers } from '../site/route.ts';
import { remark } from './output.ts';
import { secretOf } from './secrets.ts';
import { webUrl } from './setting.ts';

interface Flags {
  url?: string;
  data?: string;
}

/** `hidamari mcp`: the tools for an assistant that starts programs of its own. */
export function define(command: Command): void {
  command
    .description(
      'Answers an assistant over standard input and output (Model Context Protocol): from a data folder on this ' +
        'machine, or from a server elsewhere. HIDAMARI_KEY is sent to that server as its key.',
    )
    .option('--url <url>', 'server to ask, such as https://sun.example.org', webUrl)
    .option('--data <dir>', 'data folder to answer from')
    .action(run);
}

async function run({ url, data }: Flags, command: Command): Promise<void> {
  if ((url === undefined) === (data === undefined)) {
    command.error('error: give either --url or --data', { exitCode: 2 });
  }
  const version = command.parent?.version() ?? '';
  const ask: Ask =
    data === undefined
      ? httpAsk((url ?? '').replace(/\/mcp$/, ''), secretOf('HIDAMARI_KEY') ?? null)
      : await serviceWithin(data, version);
  const method = readFileSync(new URL('../../docs/method.md', import.meta.url), 'utf8');
  const place = await placeBehind(ask);
  const tools = toolsOf(contractFor(place).operations);
  const parts = { version, tools, isTokyo: place.isTokyo, ask, failed, resources: resourcesOf(method, ask) };
  serveStdio(() => mcpServer(parts), { transport: new LineTransport(process.stdin, process.stdout) });
}

/** Standard output is the protocol's. */
function failed(error: unknown): void {
  remark(`hidamari: a call failed: ${error instanceof Error ? error.message : error}`);
}

/** The place whose data is served, by the description of the interface; Tokyo where that cannot be had now. */
async function placeBehind(ask: Ask): Promise<Place> {
  try {
    const { status, body } = await ask({ target: '/openapi.json', payment: null });
    return status === 200 ? placeDescribed(JSON.parse(body)) : TOKYO;
  } catch {
    return TOKYO;
  }
}

const SITE_URL = 'http://localhost';
const LONGEST_COMPUTATION_MS = 60_000;

/** There are no downloads here: the files themselves lie on the same machine. */
const LOCAL_FILES: BulkOffers = {
  offer: (_datasetId, _half, _code, { path }) => ({
    url: pathToFileURL(path).href,
    expiresAt: new Date(Date.now() + BULK_URL_SECONDS * 1000),
  }),
};

const NO_DOWNLOADS: Slots = { take: () => 'all' };

/**
 * The interface without a server: the newest dataset of a data folder, without limits, keys or prices.
 * @throws Error with one line when there is no dataset
 */
async function serviceWithin(data: string, version: string): Promise<Ask> {
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
      tileLimiter: null,
      newResultLimiter: null,
      hasPages: false,
      keys: null,
      proxies: new ProxyList([]),
      bulk,
      downloads: NO_DOWNLOADS,
      offers: LOCAL_FILES,
    },
    ...{
      billing: null,
      offered: new Set(['sunlight-point']),
      log,
      lines: { write: () => undefined },
      unexpected: new Unexpected(log),
      metrics: null,
    },
    computer: computerOf(1, LONGEST_COMPUTATION_MS),
    patienceMs: 0,
  });
  return (question) => askService(service, question, null);
}
