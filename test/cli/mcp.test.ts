import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { startServer } from '../support/api-server.ts';
import { CLI, hidamari } from '../support/run.ts';

it('hidamari mcp --url answers over standard input and output what the server answers', async (test) => {
  const { url } = await startServer(test);
  const client = new Client({ name: 'test', version: '1' });
  const command = { command: process.execPath, args: [CLI, 'mcp', '--url', `${url}/`] };
  await client.connect(new StdioClientTransport(command));
  test.after(() => client.close());
  const id = '13101-bldg-365';
  const { structuredContent } = await client.callTool({ name: 'building_sun', arguments: { building_id: id } });
  assert.equal((structuredContent as { data: { building_id: string } }).data.building_id, id);
});

it('hidamari mcp asks for one place to answer from', async () => {
  const { code, stderr } = await hidamari(['mcp']);
  assert.equal(code, 2);
  assert.match(stderr, /give either --url or --data/);
});
