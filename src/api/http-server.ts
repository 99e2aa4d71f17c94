import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { promisify } from 'node:util';

/** An HTTP server on every address of its host: `localhost` is 127.0.0.1 and, on most machines, ::1 too. */
export class HttpServer {
  /** The one on the first address. */
  readonly server: Server;
  readonly #create: () => Server;
  readonly #others: Server[] = [];

  /** @param create makes one server for each address. */
  constructor(create: () => Server) {
    this.#create = create;
    this.server = create();
  }

  /** @throws Error of node:net (EADDRINUSE, EACCES …) when the first address cannot be had. */
  async listen({ host, port }: { host: string; port: number }): Promise<void> {
    const addresses = host === 'localhost' ? await lookup(host, { all: true }) : [{ address: host }];
    await open(this.server, addresses[0]!.address, port);
    for (const { address } of addresses.slice(1)) {
      const server = this.#create();
      const isOpen = await open(server, address, port).catch(() => false);
      if (isOpen) this.#others.push(server);
    }
  }

  /** Takes no more connections, ends the idle ones, and waits for the requests in flight. */
  async close(): Promise<void> {
    const servers = [this.server, ...this.#others].filter((server) => server.listening);
    await Promise.all(servers.map((server) => promisify(server.close).call(server)));
  }
}

async function open(server: Server, address: string, port: number): Promise<true> {
  await once(server.listen(port, address), 'listening');
  return true;
}
