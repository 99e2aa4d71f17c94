import { open } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** Serves the files of a folder whole or by one range, and counts. */
export async function rangeServer(folder: string) {
  const counted = { requests: 0, bytes: 0 };
  const server = createServer(async (request, response) => {
    counted.requests++;
    const file = await open(join(folder, new URL(request.url ?? '/', 'http://x').pathname)).catch(() => null);
    if (file === null) return void response.writeHead(404).end();
    const { size } = await file.stat();
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const [start, end] = from === undefined ? [0, size] : [Number(from), Math.min(size, Number(to) + 1)];
    const bytes = Buffer.alloc(end - start);
    await file.read(bytes, 0, bytes.length, start);
    await file.close();
    counted.bytes += bytes.length;
    response.writeHead(from === undefined ? 200 : 206, { 'content-length': bytes.length }).end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { counted, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}
