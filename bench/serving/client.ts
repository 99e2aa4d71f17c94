import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { processorMicroseconds } from './process-figures.ts';

/** A server under measurement. */
export interface Target {
  port: number;
  pid: number;
}

/** The result of one turn of load. */
export interface Turn {
  /** Answers per second. */
  rate: number;
  /** Processor time of the server per answer, microseconds; NaN when the system does not report it. */
  cpu: number;
  /** Time of each answer, milliseconds. */
  times: number[];
}

/** Keep-alive connections. Each sends its next request after the answer, for the paths in turn. */
export class Load {
  readonly #clients: Client[];
  readonly #target: Target;
  readonly #paths: readonly string[];
  #next = 0;

  constructor(target: Target, paths: readonly string[], connections: number, headers = '') {
    this.#target = target;
    this.#paths = paths;
    this.#clients = Array.from({ length: connections }, () => new Client(target.port, headers));
  }

  /** @throws Error when an answer is not 200. */
  async run(ms: number): Promise<Turn> {
    const times: number[] = [];
    const before = processorMicroseconds(this.#target.pid);
    const begin = performance.now();
    const work = this.#clients.map(async (client) => {
      for (let now = performance.now(); now - begin < ms; ) {
        await client.get(this.#paths[this.#next++ % this.#paths.length]);
        const done = performance.now();
        times.push(done - now);
        now = done;
      }
    });
    await Promise.all(work);
    const rate = (times.length / (performance.now() - begin)) * 1000;
    return { rate, cpu: (processorMicroseconds(this.#target.pid) - before) / times.length, times };
  }

  close(): void {
    for (const client of this.#clients) client.close();
  }
}

/**
 * One connection with one request at a time. It parses as little of an answer as possible, to leave the processor to
 * the server.
 */
export class Client {
  readonly #socket: Socket;
  readonly #headers: string;
  #missing = -1;
  #body: Buffer[] = [];
  #done: (body: Buffer[]) => void = () => {};
  #fail: (error: Error) => void = () => {};

  /** @param headers lines sent with each request besides `Host`, each with its CRLF. */
  constructor(port: number, headers = '') {
    this.#headers = headers;
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.on('error', (error) => this.#fail(error));
    this.#socket.on('close', () => this.#fail(new Error('the server has closed the connection')));
    this.#socket.on('data', (chunk) => this.#take(chunk));
  }

  /** The body in pieces, as received. */
  get(path: string): Promise<Buffer[]> {
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed) reject(new Error('the server has closed the connection'));
      this.#done = resolve;
      this.#fail = reject;
      this.#missing = -1;
      this.#body = [];
      this.#socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${this.#headers}\r\n`);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    let body = chunk;
    if (this.#missing < 0) {
      const end = chunk.indexOf('\r\n\r\n');
      const head = chunk.toString('latin1', 0, end);
      if (!head.startsWith('HTTP/1.1 200')) {
        this.#fail(new Error(chunk.toString()));
        return;
      }
      body = chunk.subarray(end + 4);
      this.#missing = Number(/content-length: (\d+)/i.exec(head)![1]);
    }
    this.#missing -= body.length;
    this.#body.push(body);
    if (this.#missing === 0) this.#done(this.#body);
  }
}
