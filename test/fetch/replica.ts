import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Publishers } from '../../src/fetch/publishers.ts';

/** A file of the replica, and what goes wrong when it is asked for. */
interface Published {
  body: Buffer;
  etag?: string;
  lastModified?: string;
  /** Answers in place of the file, one for each request, until they are used up. */
  faults?: Fault[];
}

/** Takes over one request. */
export type Fault = (request: IncomingMessage, response: ServerResponse, file: Published) => void;

/** A stand-in for every publisher on one loopback port: files with ETag, ranges and conditional requests. */
export class Replica {
  readonly files = new Map<string, Published>();
  /** Requests in the order in which they came. */
  readonly requests: { path: string; range: string | null }[] = [];
  readonly #server = createServer((request, response) => this.#answer(request, response));
  /** Connections that are open now, and the most there were. */
  open = 0;
  mostOpen = 0;

  async listen(): Promise<void> {
    this.#server.on('connection', (socket) => {
      this.open++;
      this.mostOpen = Math.max(this.mostOpen, this.open);
      socket.on('close', () => this.open--);
    });
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  put(path: string, body: Buffer | string, more: Omit<Published, 'body'> = {}): void {
    const bytes = Buffer.from(body);
    this.files.set(path, { body: bytes, etag: `"${path.length}-${bytes.length}-${checksum(bytes)}"`, ...more });
  }

  /** The table of publishers with every address and host on this server. */
  publishers(): Publishers {
    const at = (name: string, urls: Record<string, string>, host = new URL(this.origin).host) => ({
      urls: Object.fromEntries(Object.entries(urls).map(([key, path]) => [key, this.origin + path])),
      hosts: [host],
      credit: `credit of ${name}`,
    });
    return {
      plateau: at('plateau', { files: '/catalogue/{conditions}?types=bldg', list: '/datasets' }),
      ckan: at('ckan', { search: '/search?q={city}' }),
      census: at('census', { areas: '/census?code={code}' }),
      postal: at('postal', { names: '/postal.zip' }),
      addresses: at('addresses', { names: '/blk{prefecture}.zip', positions: '/blk_pos{prefecture}.zip' }),
      normals: at('normals', { mesh: '/G02-22_{square}.zip' }),
      landmarks: at('landmarks', {
        railways: '/N02.zip',
        parks: '/P13_{prefecture}.zip',
        rivers: '/W05-{year}_{prefecture}.zip',
      }),
      elevation: at('elevation', {
        dem5a: '/5a/{z}/{x}/{y}.png',
        dem5b: '/5b/{z}/{x}/{y}.png',
        dem5c: '/5c/{z}/{x}/{y}.png',
        dem10b: '/10b/{z}/{x}/{y}.png',
      }),
      care: at('care', { index: '/care.html', list: '/care/jigyosho_{service}.csv' }),
    };
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const path = decodeURIComponent(request.url ?? '');
    this.requests.push({ path, range: request.headers.range ?? null });
    const file = this.files.get(path);
    const fault = file?.faults?.shift();
    if (!file) response.writeHead(404).end('{"error":"not found"}');
    else if (fault) fault(request, response, file);
    else serve(request, response, file);
  }
}

/** The file as a sound server gives it. */
export function serve(request: IncomingMessage, response: ServerResponse, file: Published): void {
  const { status, headers, body } = answerOf(request, file);
  if (file.etag) response.setHeader('etag', file.etag);
  if (file.lastModified) response.setHeader('last-modified', file.lastModified);
  response.writeHead(status, headers).end(body);
}

function answerOf(
  { headers }: IncomingMessage,
  { body, etag, lastModified }: Published,
): { status: number; headers: Record<string, string | number>; body?: Buffer } {
  if (etag && headers['if-none-match'] === etag) return { status: 304, headers: {} };
  const range = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '');
  const ifRange = headers['if-range'];
  const isCurrent = !ifRange || ifRange === etag || ifRange === lastModified;
  if (!range || !isCurrent) return { status: 200, headers: { 'content-length': body.length }, body };
  const [start, end] = [Number(range[1]), range[2] ? Math.min(Number(range[2]) + 1, body.length) : body.length];
  if (start >= body.length) return { status: 416, headers: { 'content-range': `bytes */${body.length}` } };
  const part = { 'content-length': end - start, 'content-range': `bytes ${start}-${end - 1}/${body.length}` };
  return { status: 206, headers: part, body: body.subarray(start, end) };
}

/**
 * Promises the whole file, sends a part and cuts the connection.
 * @param hasArrived when to cut: an error drops the bytes that the client has not read yet. By default at once
 */
export const breakOff =
  (bytes: number, hasArrived = () => true): Fault =>
  (_, response, { body, etag }) => {
    response.writeHead(200, { 'content-length': body.length, ...(etag && { etag }) });
    response.write(body.subarray(0, bytes));
    const timer = setInterval(() => {
      if (!hasArrived()) return;
      clearInterval(timer);
      response.destroy();
    }, 10);
    response.on('close', () => clearInterval(timer));
  };

/** A refusal for now. */
export const refuse =
  (status: number, retryAfter?: string): Fault =>
  (_, response) =>
    void response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end();

export const redirect =
  (location: string): Fault =>
  (_, response) =>
    void response.writeHead(302, { location }).end();

const checksum = (bytes: Buffer): number => bytes.reduce((sum, byte) => (sum * 31 + byte) % 1_000_003, 7);
