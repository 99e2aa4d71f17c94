import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { it } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { httpAsk } from '../../src/mcp/ask.ts';
import { startServer } from '../support/api-server.ts';
import { CLI, hidamari } from '../support/run.ts';

it('hidamari mcp --url answers over standard input and output what the server answers', async (test) => {
  const { url } = await startServer(test);
  const client = new Client({ name: 'test', version: '1' });
  const command = { command: process.execPath, args: [CLI, 'mcp', '--url', `${url}/`] };
  await client.connect(new StdioClientTransport(command));
  test.after(() => client.close());
  const id = '13101-bldg-904';
  const { structuredContent } = await client.callTool({ name: 'building_sun', arguments: { building_id: id } });
  assert.equal((structuredContent as { data: { building_id: string } }).data.building_id, id);
});

it('hidamari mcp asks for one place to answer from', async () => {
  const { code, stderr } = await hidamari(['mcp']);
  assert.equal(code, 2);
  assert.match(stderr, /give either --url or --data/);
});

it('where no server answers, or none like ours, agents are told so', async () => {
  const other = createServer((_, response) => response.end('<html>')).listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  const ask = httpAsk(url, null);
  const html = await ask({ target: '/api/v1/search?q=x', payment: null });
  assert.equal(html.status, 503);
  assert.match(html.body, /answers \(200\), but not as a Hidamari server does/);
  await new Promise((resolve) => other.close(resolve).closeAllConnections());
  const none = await ask({ target: '/api/v1/search?q=x', payment: null });
  assert.match(none.body, /No server answers at http:.*ECONN/);
});
