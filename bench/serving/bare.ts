import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Target } from './client.ts';

const SELF = fileURLToPath(import.meta.url);
/** Bytes. */
const LONGEST_STRING = 4096;

/**
 * How plain `node:http` holds each body. `text`: a string that Node.js encodes for every answer, like a handler that
 * ends its response with JSON. `bytes`: the fastest form. Short bodies are strings with one character per byte, sent in
 * one piece with the head; longer ones are bytes.
 */
type BareForm = 'text' | 'bytes';

/**
 * Plain `node:http` in its own process. It only finds a body by its URL and sends it with type and length. `file` holds
 * a line `[path, body]` for each.
 */
export async function startBare(file: string, form: BareForm = 'text'): Promise<Target & { child: ChildProcess }> {
  const child = fork(SELF, ['--bodies', file, form]);
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', (message) => resolve(Number(message)));
    child.once('exit', () => reject(new Error('bare node:http did not start')));
  });
  return { child, port, pid: child.pid! };
}

if (process.argv[2] === '--bodies' && process.argv[1] === SELF) {
  const lines = readFileSync(process.argv[3], 'utf8').trimEnd().split('\n');
  const texts = new Map(lines.map((line) => JSON.parse(line) as [string, string]));
  serve(process.argv[4] === 'text' ? sendText(texts) : sendBytes(texts));
}

function sendText(texts: ReadonlyMap<string, string>): RequestListener {
  return (request, response) => {
    const text = texts.get(request.url!)!;
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
    response.end(text);
  };
}

function sendBytes(texts: ReadonlyMap<string, string>): RequestListener {
  const bodies = new Map<string, string | Buffer>();
  for (const [path, text] of texts) {
    const bytes = Buffer.from(text);
    bodies.set(path, bytes.length > LONGEST_STRING ? bytes : bytes.toString('latin1'));
  }
  return (request, response) => {
    const body = bodies.get(request.url!)!;
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length });
    response.end(body, 'latin1');
  };
}

function serve(listener: RequestListener): void {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
}
