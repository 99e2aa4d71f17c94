import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

const PROGRAM = `
  import { LineTransport } from '${new URL('../../src/mcp/line-transport.ts', import.meta.url)}';
  const transport = new LineTransport(process.stdin, process.stdout);
  transport.onmessage = ({ id }) => setTimeout(() => transport.send({ jsonrpc: '2.0', id, result: {} }), 300).unref();
  await transport.start();
`;

test('an answer that is computed after the end of the input is written, and then the process ends', () => {
  const input = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';
  const args = ['--input-type=module', '--eval', PROGRAM];
  const { stdout, status } = spawnSync(process.execPath, args, { input, encoding: 'utf8', timeout: 20_000 });
  assert.deepEqual([status, stdout.trim()], [0, '{"jsonrpc":"2.0","id":1,"result":{}}']);
});
