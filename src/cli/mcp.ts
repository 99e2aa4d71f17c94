import { readFileSync } from 'node:fs';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Command } from 'commander';
import { askService } from '../api/agents.ts';
import { contractFor } from '../contract/contract.ts';
import { type Place, placeFromOpenApi, TOKYO } from '../contract/place.ts';
import { type Ask, httpAsk } from '../mcp/ask.ts';
import { LineTransport } from '../mcp/line-transport.ts';
import { mcpServer } from '../mcp/mcp-server.ts';
import { resourcesOf } from '../mcp/resources.ts';
import { toolsOf } from '../mcp/tools.ts';
import { remark } from './output.ts';
import { secretOf } from './secrets.ts';
import { serviceWithin } from './service-within.ts';
import { webUrl } from './setting.ts';

interface Flags {
  url?: string;
  data?: string;
}

/** `hidamari mcp`: the tools for assistants that start programs. */
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

/** Answers on standard input and output until the input ends. */
async function run({ url, data }: Flags, command: Command): Promise<void> {
  if ((url === undefined) === (data === undefined)) {
    command.error('error: give either --url or --data');
  }
  const version = command.parent?.version() ?? '';
  const ask: Ask =
    data === undefined
      ? httpAsk((url ?? '').replace(/\/mcp$/, ''), secretOf('HIDAMARI_KEY') ?? null)
      : await askWithin(data, version);
  const method = readFileSync(new URL('../../docs/method.md', import.meta.url), 'utf8');
  const place = await placeBehind(ask);
  const tools = toolsOf(contractFor(place).operations);
  const parts = { version, tools, isTokyo: place.isTokyo, ask, failed, resources: resourcesOf(method, ask) };
  serveStdio(() => mcpServer(parts), { transport: new LineTransport(process.stdin, process.stdout) });
}

/** Reports a failed call on standard error, because standard output belongs to the protocol. */
function failed(error: unknown): void {
  remark(`hidamari: a call failed: ${error instanceof Error ? error.message : error}`);
}

/** The place of the server's data, from its OpenAPI description; Tokyo when that is not available. */
async function placeBehind(ask: Ask): Promise<Place> {
  try {
    const { status, body } = await ask({ target: '/openapi.json', payment: null });
    return status === 200 ? placeFromOpenApi(JSON.parse(body)) : TOKYO;
  } catch {
    return TOKYO;
  }
}

/** The address in answers. Nothing listens there. */
const SITE_URL = 'http://localhost';

/**
 * Answers requests within this process, without a server.
 * @throws Error with one line when there is no dataset
 */
async function askWithin(data: string, version: string): Promise<Ask> {
  const { service } = await serviceWithin(data, version, SITE_URL, { isStatic: false });
  return (question) => askService(service, question, null);
}
