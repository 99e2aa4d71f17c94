import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { promisify } from 'node:util';

/**
 * Node's own HTTP. An `import` of its values evaluates all that it exports, and so loads fetch and WebSocket, which nothing here
 * needs: 60 ms of every start.
 */
export const nodeHttp = process.getBuiltinModule('node:http');

/**
 * How many connections may be open at once: what the system gives this process, less what its files take. Without a bound connections
 * on which nothing is asked would take the last file, and no dataset, thread or other client could be opened.
 */
function mostConnections(): number {
  try {
    const [, most] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    const files = Number(most ?? Number.POSITIVE_INFINITY);
    return Math.max(files / 2, files * 0.9 - 100);
  } catch {
    return Number.POSITIVE_INFINITY; // not Linux
  }
}

/** Takes a request. */
type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** What is answered on a connection now, and what waits for it. */
interface Turns {
  now: ServerResponse;
  waiting: { response: ServerResponse; begin(): void }[];
}

/** Requests that may wait on one connection. No more is read while some wait, but 64 KiB that were read may hold thousands. */
const MOST_WAITING = 1000;

const isUnderWay = (answer: ServerResponse): boolean => !answer.writableFinished && !answer.destroyed;

/** Bounds and news of connections. */
interface ConnectionOptions {
  /** How many may be open at once. */
  most?: number;
  /** Called for each that is closed to make room for another. */
  madeRoom?(): void;
}

/**
 * The open connections of a server, and the answer that each of them gave or is to give last. When there are too many, that on which
 * nothing has been asked for longest makes room.
 */
export class Connections {
  /** Those on which something was asked last are at the end. */
  readonly #latest = new Map<Socket, ServerResponse | null>();
  readonly #most: number;
  readonly #madeRoom: () => void;
  readonly #closing = new WeakSet<Socket>();
  /** Of connections on which several things were asked at once: what is answered now, and what waits for it. */
  readonly #turns = new Map<Socket, Turns>();

  constructor({ most = mostConnections(), madeRoom = () => {} }: ConnectionOptions = {}) {
    this.#most = most;
    this.#madeRoom = madeRoom;
  }

  /** Watches a server from now on. */
  watch(server: Server): Server {
    const note = (_request: unknown, response: ServerResponse): void => {
      const socket = response.socket ?? response.req.socket;
      if (socket === null) return;
      this.#latest.delete(socket);
      this.#latest.set(socket, response);
    };
    server.on('connection', (socket) => {
      this.#latest.set(socket, null);
      if (this.#latest.size > this.#most) this.#makeRoom();
      socket.once('close', () => {
        this.#latest.delete(socket);
        this.#turns.delete(socket);
      });
    });
    for (const event of ['request', 'checkExpectation', 'checkContinue']) server.prependListener(event, note);
    return server;
  }

  /**
   * Has requests of one connection handled one after another, however many are sent at once: the next when the one before is answered,
   * and meanwhile no more is read. So a connection holds no more of what answers take than its client could by waiting. Between two of
   * them the event loop turns once: other connections do not wait for all that was sent at once on this one.
   */
  inTurn(handle: Handle): Handle {
    return (request, response) => {
      const { socket } = request;
      const turns = this.#turns.get(socket) ?? { now: response, waiting: [] };
      if (turns.now === response || (turns.waiting.length === 0 && !isUnderWay(turns.now))) {
        turns.now = response;
        this.#turns.set(socket, turns);
        handle(request, response);
        return;
      }
      if (turns.waiting.length === MOST_WAITING) {
        socket.destroy();
        return;
      }
      const begin = (): void => {
        turns.now = response;
        handle(request, response);
      };
      turns.waiting.push({ response, begin });
      socket.pause();
      if (turns.waiting.length === 1) this.#takeNextAfter(turns.now, socket, turns);
    };
  }

  #takeNextAfter(answer: ServerResponse, socket: Socket, turns: Turns): void {
    answer.once('close', () => setImmediate(() => this.#takeNext(socket, turns)));
  }

  #takeNext(socket: Socket, turns: Turns): void {
    const next = socket.destroyed ? undefined : turns.waiting.shift();
    if (next === undefined) return;
    next.begin();
    if (turns.waiting.length === 0) socket.resume();
    else this.#takeNextAfter(next.response, socket, turns);
  }

  /** The answer that is given on a connection now, or next; null when everything asked on it has been answered. */
  answerNow(socket: Socket): ServerResponse | null {
    const turns = this.#turns.get(socket);
    if (turns === undefined) return null;
    return isUnderWay(turns.now) ? turns.now : (turns.waiting[0]?.response ?? null);
  }

  /** The last answer on a connection while it is under way; null when everything asked on it has been answered. */
  answerOn(socket: Socket): ServerResponse | null {
    const latest = this.#latest.get(socket) ?? null;
    return latest !== null && isUnderWay(latest) ? latest : null;
  }

  /** Whether the head of a request has come, and been handed on, but not the whole of its body. */
  isInBody(socket: Socket): boolean {
    return this.#latest.get(socket)?.req.complete === false;
  }

  /** Whether the answer on a connection may be waiting for the rest of its request: nothing of it has gone out. */
  isWaitingForBody(socket: Socket): boolean {
    return this.isInBody(socket) && this.answerOn(socket)?.headersSent === false;
  }

  /** Whether a connection is closed as soon as what was asked on it is answered. */
  isClosing(socket: Socket): boolean {
    return this.#closing.has(socket);
  }

  /**
   * Closes a connection from which no more can be read, as soon as the requests that came whole are answered. The last one may lack
   * the rest of its body: an answer that waits for it never comes.
   */
  closeWhenAnswered(socket: Socket): void {
    this.#closing.add(socket);
    const last = this.answerOn(socket);
    const now = this.answerNow(socket) ?? last;
    if (last === null || now === null) socket.destroySoon();
    else if (now === last && this.isWaitingForBody(socket)) socket.destroy();
    else now.once('close', () => setImmediate(() => this.closeWhenAnswered(socket)));
  }

  #makeRoom(): void {
    for (const socket of this.#latest.keys()) {
      if (this.answerOn(socket) !== null || socket.destroyed) continue;
      this.#latest.delete(socket);
      socket.destroy();
      this.#madeRoom();
      return;
    }
  }

  /** Ends the connections on which no answer is under way, or one that waits for the rest of its request. */
  endUnanswered(): void {
    for (const socket of this.#latest.keys())
      if (this.answerOn(socket) === null || this.isWaitingForBody(socket)) socket.destroy();
  }
}

/** An HTTP server on every address of its host: `localhost` is 127.0.0.1 and, on most machines, ::1 too. */
export class HttpServer {
  /** The one on the first address. */
  readonly server: Server;
  readonly #create: (connections: Connections) => Server;
  readonly #patienceMs: number;
  readonly #others: Server[] = [];
  readonly #connections: Connections;

  /**
   * @param create makes one server for each address.
   * @param patienceMs how long a request may take to arrive once the server is closing, milliseconds.
   */
  constructor(create: (connections: Connections) => Server, patienceMs: number, options: ConnectionOptions = {}) {
    this.#connections = new Connections(options);
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
