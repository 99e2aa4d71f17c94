import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { Client, InMemoryTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { TOKYO_CONTRACT } from '../../src/contract/contract.ts';
import type { Ask } from '../../src/mcp/ask.ts';
import { mcpServer } from '../../src/mcp/mcp-server.ts';
import { toolsOf } from '../../src/mcp/tools.ts';
import { type ServerChoices, startServer } from './api-server.ts';
import { ROOT } from './run.ts';

const { operations: OPERATIONS } = TOKYO_CONTRACT;

export const METHOD = readFileSync(join(ROOT, 'docs/method.md'), 'utf8');

/** A server with its tools, and a client of the protocol that calls them. */
export async function connectAgent(test: TestContext, choices: ServerChoices = {}) {
  const server = await startServer(test, { ...choices, mcp: { version: '1.2.3', method: METHOD } });
  const client = new Client({ name: 'test', version: '1' });
  // Users write the address with a slash at its end, too.
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp/`)));
  test.after(() => client.close());
  const call = async (name: string, args: Record<string, unknown>) => {
    const result = await client.callTool({ name, arguments: args });
    const { isError = false, structuredContent = {} } = result;
    return {
      isError,
      value: structuredContent as Record<string, Json>,
      bytes: Buffer.byteLength(JSON.stringify(result)),
    };
  };
  return { server, client, call };
}

/** A client of tools whose requests are sent in another way than a server's. */
export async function agentBy(ask: Ask): Promise<Client> {
  const [here, there] = InMemoryTransport.createLinkedPair();
  await mcpServer({
    version: '1',
    tools: toolsOf(OPERATIONS),
    isTokyo: true,
    ask,
    failed: () => {},
    resources: [],
  }).connect(there);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(here);
  return client;
}

// biome-ignore lint/suspicious/noExplicitAny: the tests read answers whose schema the API tests check.
export type Json = any;

export const getJson = async (url: string): Promise<Json> => (await fetch(url)).json();

/** The ID of a building of the server. */
export async function buildingOf(url: string): Promise<string> {
  const { data } = await getJson(`${url}/api/v1/sunlight/near?lat=35.6812&lon=139.7671&r=300`);
  return data.buildings[0]?.building_id ?? '13101-bldg-1';
}
