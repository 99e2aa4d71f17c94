import { readFileSync } from 'node:fs';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Command } from 'commander';
import { type Extent, extentDescribed, operationsIn } from '../contract/extent.ts';
import { OPERATIONS } from '../contract/operations.ts';
import { type Ask, httpAsk } from '../mcp/ask.ts';
import { mcpServer } from '../mcp/mcp-server.ts';
import { resourcesOf } from '../mcp/resources.ts';
import { toolsOf } from '../mcp/tools.ts';
import { serviceWithin } from './service-within.ts';

interface Flags {
  url?: string;
  data?: string;
}

/** `hidamari mcp`: the tools for an assistant that starts programs of its own. */
export function register(program: Command): void {
  program
    .command('mcp')
    .summary('answer an assistant over standard input and output (Model Context Protocol)')
    .description(
      'Answers an assistant over standard input and output (Model Context Protocol): from a data folder on this ' +
        'machine, or from a server elsewhere. HIDAMARI_KEY is sent to that server as its key.',
    )
    .option('--url <url>', 'server to ask')
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
      ? httpAsk((url ?? '').replace(/\/$/, ''), process.env.HIDAMARI_KEY ?? null)
      : await serviceWithin(data, version);
  const method = readFileSync(new URL('../../docs/method.md', import.meta.url), 'utf8');
  const tools = toolsOf(operationsIn(OPERATIONS, await extentBehind(ask)));
  serveStdio(() => mcpServer({ version, tools, ask, resources: resourcesOf(method, ask) }));
}

/** What the dataset covers, by the description of the interface; null also where that cannot be had now. */
async function extentBehind(ask: Ask): Promise<Extent | null> {
  try {
    const { status, body } = await ask({ target: '/openapi.json', payment: null });
    return status === 200 ? extentDescribed(JSON.parse(body)) : null;
  } catch {
    return null;
  }
}
