import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Target } from './client.ts';

const SELF = fileURLToPath(import.meta.url);
/** Bytes. */
const LONGEST_STRING = 4096;

/**
 * Bare `node:http` in a process of its own: it finds a body by its URL and sends it with type and length, and does
 * nothing else. The bodies are ready as Node.js sends them quickest: short ones as strings of a character for each byte,
 * which go out in one piece with the head, longer ones as bytes. `file` holds a line `[path, body]` for each.
 */
export async function startBare(file: string): Promise<Target & { child: ChildProcess }> {
  const child = fork(SELF, ['--bodies', file]);
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', (message) => resolve(Number(message)));
    child.once('exit', () => reject(new Error('bare node:http did not start')));
  });
  return { child, port, pid: child.pid! };
}

if (process.argv[2] === '--bodies' && process.argv[1] === SELF) {
  const lines = readFileSync(process.argv[3], 'utf8').trimEnd().split('\n');
  const bodies = new Map(
    lines.map((line) => {
      const [path, text] = JSON.parse(line) as [string, string];
      const bytes = Buffer.from(text);
      return [path, bytes.length > LONGEST_STRING ? bytes : bytes.toString('latin1')];
    }),
  );
  const server = createServer((request, response) => {
    const body = bodies.get(request.url!)!;
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length });
    response.end(body, 'latin1');
  });
  server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
}
