import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** What befalls a request on its way: refused, cut in the middle of its answer, or late. Null: nothing. */
export type Fault = 503 | 'cut' | 'late' | null;

/** Something between a store and its clients that gives every request the fault that `faultOf` says. */
export async function faultyProxy(
  test: { after(fn: () => unknown): unknown },
  target: URL,
  faultOf: (number: number, method: string, path: string) => Fault,
): Promise<URL> {
  let number = 0;
  const server = createServer(async (incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming;
    const fault = faultOf(number++, method, url);
    if (fault === 503) {
      incoming.resume();
      incoming.on('end', () => outgoing.writeHead(503).end('<Error><Code>SlowDown</Code></Error>'));
      return;
    }
    if (fault === 'late') await delay(300);
    const options = { host: target.hostname, port: target.port, method, path: url, headers, agent: false };
    const onward = request(options, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      if (method === 'HEAD') outgoing.end();
      else if (fault === 'cut') {
        answer.once('data', (chunk: Buffer) => outgoing.write(chunk.subarray(0, 1), () => outgoing.destroy()));
        answer.once('end', () => outgoing.destroy());
      } else answer.pipe(outgoing);
    });
    // Swift sends a body with the answer to a HEAD.
    onward.on('error', () => outgoing.headersSent || outgoing.destroy());
    incoming.pipe(onward);
  }).listen(0, '127.0.0.1');
  test.after(() => server.close().closeAllConnections());
  await new Promise((resolve) => server.once('listening', resolve));
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}
