import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { it } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { httpAsk } from '../../src/mcp/ask.ts';
import { startServer } from '../support/api-server.ts';
import { KNOWN } from '../support/fake-dataset.ts';
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

it('hidamari mcp answers every line that needs an answer, also those that are no message, and all that was asked before its input ends', async (test) => {
  const { url } = await startServer(test);
  const program = spawn(process.execPath, [CLI, 'mcp', '--url', url], { stdio: ['pipe', 'pipe', 'inherit'] });
  test.after(() => program.kill());
  const call = (id: unknown, method: string, params?: object) => JSON.stringify({ jsonrpc: '2.0', id, method, params });
  const clientInfo = { name: 'test', version: '1' };
  const lines = [
    call(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }),
    '{not json',
    '[]',
    '',
    '{"jsonrpc":"1.0","id":2,"method":"ping"}',
    'x'.repeat(12e6),
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    call(3, 'tools/call', { name: 'building_sun', arguments: { building_id: KNOWN.building } }),
  ];
  program.stdin.end(lines.join('\n'));
  const [code, answers] = await Promise.all([once(program, 'exit'), text(program.stdout)]);
  assert.deepEqual(code, [0, null]);
  const read = answers
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Answered);
  const outcomes = read.map(({ id, error }) => `${id} ${error?.code ?? 'answered'}`).sort();
  const refused = ['null -32600', 'null -32600', 'null -32700', '2 -32600'];
  assert.deepEqual(outcomes, [...refused, '1 answered', '3 answered'].sort());
  for (const { error } of read)
    if (error !== undefined) assert.match(error.message, /Each line is one message|at most/);
});

interface Answered {
  id: number | null;
  error?: { code: number; message: string };
}

it('hidamari mcp asks for one place to answer from', async () => {
  const { code, stderr } = await hidamari(['mcp']);
  assert.equal(code, 2);
  assert.match(stderr, /give either --url or --data/);
});

it('where no server answers, or none like ours, agents are told so', async () => {
  const other = createServer(({ url: path }, response) => {
    if (path === '/moved') response.writeHead(301, { location: 'https://elsewhere.example/' });
    response.end('<html>');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  const ask = httpAsk(url, null);
  const html = await ask({ target: '/api/v1/search?q=x', payment: null });
  assert.equal(html.status, 503);
  assert.match(html.body, /answers \(200\), but not as a Hidamari server does/);
  const moved = await ask({ target: '/moved', payment: null });
  assert.match(moved.body, /redirects to https:\/\/elsewhere\.example\/: is that the address of the server\?/);
  await new Promise((resolve) => other.close(resolve).closeAllConnections());
  const none = await ask({ target: '/api/v1/search?q=x', payment: null });
  assert.match(none.body, /No server answers at http:.*ECONN/);
});
