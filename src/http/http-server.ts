import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { promisify } from 'node:util';
import { Connections } from './connections.ts';

/** An HTTP server on every address of its host: `localhost` is 127.0.0.1 and, on most machines, ::1 too. */
export class HttpServer {
  /** The one on the first address. */
  readonly server: Server;
  readonly #create: (connections: Connections) => Server;
  readonly #patienceMs: number;
  readonly #others: Server[] = [];
  readonly #connections = new Connections();

  /**
   * @param create makes one server for each address.
   * @param patienceMs how long a request may take to arrive once the server is closing, milliseconds.
   */
  constructor(create: (connections: Connections) => Server, patienceMs: number) {
    this.#create = create;
    this.#patienceMs = patienceMs;
    this.server = this.#next();
  }

  /** @throws Error of node:net (EADDRINUSE, EACCES …) when the first address cannot be had. */
  async listen({ host, port }: { host: string; port: number }): Promise<void> {
    const addresses = host === 'localhost' ? await lookup(host, { all: true }) : [{ address: host }];
    const [first, ...others] = addresses;
    await open(this.server, first?.address ?? host, port);
    for (const { address } of others) {
      const server = this.#next();
      const isOpen = await open(server, address, port).catch(() => false);
      if (isOpen) this.#others.push(server);
    }
  }

  /** Takes no more connections, ends the idle ones, and waits for the requests in flight. */
  async close(): Promise<void> {
    const servers = [this.server, ...this.#others].filter((server) => server.listening);
    // Node stops its own watch over requests that arrive slowly when it closes; one of them could keep us for ever.
    const watch = setInterval(() => this.#connections.endUnanswered(), this.#patienceMs);
    await Promise.all(servers.map((server) => promisify(server.close).call(server)));
    clearInterval(watch);
  }

  #next(): Server {
    return this.#connections.watch(this.#create(this.#connections));
  }
}

async function open(server: Server, address: string, port: number): Promise<true> {
  await once(server.listen(port, address), 'listening');
  return true;
}
