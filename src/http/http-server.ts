import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { promisify } from 'node:util';

/** An HTTP server on every address of its host: `localhost` is 127.0.0.1 and, on most machines, ::1 too. */
export class HttpServer {
  /** The one on the first address. */
  readonly server: Server;
  readonly #create: () => Server;
  readonly #patienceMs: number;
  readonly #others: Server[] = [];
  readonly #sockets = new Set<Socket>();

  /**
   * @param create makes one server for each address.
   * @param patienceMs how long a request may take to arrive once the server is closing, milliseconds.
   */
  constructor(create: () => Server, patienceMs: number) {
    this.#create = create;
    this.#patienceMs = patienceMs;
    this.server = this.#next();
  }

  /** @throws Error of node:net (EADDRINUSE, EACCES …) when the first address cannot be had. */
  async listen({ host, port }: { host: string; port: number }): Promise<void> {
    const addresses = host === 'localhost' ? await lookup(host, { all: true }) : [{ address: host }];
    await open(this.server, addresses[0]!.address, port);
    for (const { address } of addresses.slice(1)) {
      const server = this.#next();
      const isOpen = await open(server, address, port).catch(() => false);
      if (isOpen) this.#others.push(server);
    }
  }

  /** Takes no more connections, ends the idle ones, and waits for the requests in flight. */
  async close(): Promise<void> {
    const servers = [this.server, ...this.#others].filter((server) => server.listening);
    // Node stops its own watch over requests that arrive slowly when it closes; one of them could keep us for ever.
    const watch = setInterval(() => this.#endUnanswered(), this.#patienceMs);
    await Promise.all(servers.map((server) => promisify(server.close).call(server)));
    clearInterval(watch);
  }

  #next(): Server {
    return this.#create().on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  #endUnanswered(): void {
    for (const socket of this.#sockets) if (answerOn(socket) === null) socket.destroy();
  }
}

/** The answer that is under way on the connection; null where there is none. */
export function answerOn(socket: Socket): ServerResponse | null {
  return (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage ?? null;
}

async function open(server: Server, address: string, port: number): Promise<true> {
  await once(server.listen(port, address), 'listening');
  return true;
}
