import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { promisify } from 'node:util';

/** Node's own HTTP. An `import` of its values would also load fetch and WebSocket, which nothing here needs: 60 ms of every start. */
export const nodeHttp = process.getBuiltinModule('node:http');

/**
 * How many connections may be open at once: the system's limit of open files, less some for files. Without this bound idle connections
 * would take all of them, and the server could open no dataset and no other connection.
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

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** What is answered on a connection now, and what waits for it. */
interface Turns {
  now: ServerResponse;
  waiting: { response: ServerResponse; begin(): void }[];
}

/** Most requests that wait on one connection. While some wait nothing more is read, but 64 KiB may hold thousands. */
const MOST_WAITING = 1000;

const isUnderWay = (answer: ServerResponse): boolean => !answer.writableFinished && !answer.destroyed;

interface ConnectionOptions {
  /** How many may be open at once. */
  most?: number;
  /** Called for each that is closed to make room for another. */
  madeRoom?(): void;
}

/** The open connections of a server, and the last answer on each. When there are too many, the one that is idle for longest is closed. */
export class Connections {
  /** In order of the last request. */
  readonly #latest = new Map<Socket, ServerResponse | null>();
  readonly #most: number;
  readonly #madeRoom: () => void;
  readonly #closing = new WeakSet<Socket>();
  /** Connections with pipelined requests: what is answered now, and what waits for it. */
  readonly #turns = new Map<Socket, Turns>();

  constructor({ most = mostConnections(), madeRoom = () => {} }: ConnectionOptions = {}) {
    this.#most = most;
    this.#madeRoom = madeRoom;
  }

  /** Watches the connections of a server. */
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
   * Handles the requests of one connection one after another, however many are sent at once (pipelining). While one is answered nothing
   * more is read. So a client gains nothing by pipelining: a connection never has more than one answer in memory. Between two requests
   * the event loop turns once, so that other connections do not wait for all of them.
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

  /** The answer that is being made or sent on a connection, or the next one; null where all requests are answered. */
  answerNow(socket: Socket): ServerResponse | null {
    const turns = this.#turns.get(socket);
    if (turns === undefined) return null;
    return isUnderWay(turns.now) ? turns.now : (turns.waiting[0]?.response ?? null);
  }

  /** The answer to the last request on a connection; null where all requests are answered. */
  answerOn(socket: Socket): ServerResponse | null {
    const latest = this.#latest.get(socket) ?? null;
    return latest !== null && isUnderWay(latest) ? latest : null;
  }

  /** Whether the head of a request has arrived, but not its whole body. */
  isInBody(socket: Socket): boolean {
    return this.#latest.get(socket)?.req.complete === false;
  }

  /** Whether the answer may be waiting for the rest of the request: nothing of it has been sent. */
  isWaitingForBody(socket: Socket): boolean {
    return this.isInBody(socket) && this.answerOn(socket)?.headersSent === false;
  }

  /** Whether a connection will be closed as soon as all requests on it are answered. */
  isClosing(socket: Socket): boolean {
    return this.#closing.has(socket);
  }

  /**
   * Closes a connection from which nothing more can be read, as soon as all complete requests are answered. The last request may lack a
   * part of its body: an answer that waits for it would never come.
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

  /** Closes idle connections, and those whose answer waits for the rest of the request. */
  endUnanswered(): void {
    for (const socket of this.#latest.keys())
      if (this.answerOn(socket) === null || this.isWaitingForBody(socket)) socket.destroy();
  }
}

/** An HTTP server on every address of its host: `localhost` is 127.0.0.1 and, on most machines, ::1. */
export class HttpServer {
  /** The server on the first address. */
  readonly server: Server;
  readonly #create: (connections: Connections) => Server;
  readonly #patienceMs: number;
  readonly #others: Server[] = [];
  readonly #connections: Connections;

  /**
   * @param create makes one server for each address
   * @param patienceMs how long a request may take to arrive while the server is closing, milliseconds
   */
  constructor(create: (connections: Connections) => Server, patienceMs: number, options: ConnectionOptions = {}) {
    this.#connections = new Connections(options);
    this.#create = create;
    this.#patienceMs = patienceMs;
    this.server = this.#next();
  }

  /** @throws Error of node:net (EADDRINUSE, EACCES …) when it cannot listen on the first address */
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

  /** Accepts no more connections, closes idle ones, and waits for the requests in flight. */
  async close(): Promise<void> {
    const servers = [this.server, ...this.#others].filter((server) => server.listening);
    // While it closes, Node.js no longer checks for requests that arrive slowly; one of them could keep the server for ever.
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
