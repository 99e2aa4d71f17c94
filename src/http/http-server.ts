import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { promisify } from 'node:util';

/**
 * Node's own HTTP module. Importing its values would also load fetch and WebSocket, which takes 60 ms at every start.
 */
export const nodeHttp = process.getBuiltinModule('node:http');

/**
 * Most open connections: the system's limit of open files, less some for files. Without this bound, idle connections
 * could use all file handles, and the server could not open a dataset.
 */
function mostConnections(): number {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    const files = Number(limit ?? Number.POSITIVE_INFINITY);
    return Math.max(files / 2, files * 0.9 - 100);
  } catch {
    return Number.POSITIVE_INFINITY; // not Linux
  }
}

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** The answer in progress on a connection, and the requests that wait. */
interface Turns {
  current: ServerResponse;
  waiting: { response: ServerResponse; begin(): void }[];
}

/** Most waiting requests of a connection. While requests wait nothing more is read, but 64 KiB can hold thousands. */
const MOST_WAITING = 1000;

/** True until an answer is sent or its connection has closed. */
const isUnderWay = (answer: ServerResponse): boolean => !answer.writableFinished && !answer.destroyed;

interface ConnectionOptions {
  /** Most open connections. */
  most?: number;
  /** Called for each connection that is closed to make room. */
  madeRoom?(): void;
}

/**
 * The open connections of a server with the last answer of each. When there are too many, the longest idle one is
 * closed.
 */
export class Connections {
  /** The answer to the last request of each connection, in order of these requests; null before the first. */
  readonly #latest = new Map<Socket, ServerResponse | null>();
  readonly #most: number;
  readonly #onRoomMade: () => void;
  readonly #closing = new WeakSet<Socket>();
  /** Connections with pipelined requests. */
  readonly #turns = new Map<Socket, Turns>();

  constructor({ most = mostConnections(), madeRoom = () => {} }: ConnectionOptions = {}) {
    this.#most = most;
    this.#onRoomMade = madeRoom;
  }

  /** Follows the connections of a server, from now on. */
  watch(server: Server): Server {
    const noteRequest = (_request: unknown, response: ServerResponse): void => {
      const socket = response.socket ?? response.req.socket;
      if (socket === null) return;
      // Deleted and set again, a connection moves to the end of the map.
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
    // A request with `Expect` comes as one of the other events. Noted first, because a handler may answer at once.
    for (const event of ['request', 'checkExpectation', 'checkContinue']) server.prependListener(event, noteRequest);
    return server;
  }

  /**
   * Handles the requests of a connection one after another, even when many are sent at once (pipelining). While one is
   * answered, nothing more is read. So a connection never has more than one answer in memory. Between two requests the
   * event loop turns once, so that other connections do not wait.
   */
  inTurn(handle: Handle): Handle {
    return (request, response) => {
      const { socket } = request;
      const turns = this.#turns.get(socket);
      if (turns === undefined) {
        this.#turns.set(socket, { current: response, waiting: [] });
        handle(request, response);
        return;
      }
      const begin = (): void => {
        turns.current = response;
        handle(request, response);
      };
      if (turns.waiting.length === 0 && !isUnderWay(turns.current)) {
        begin();
        return;
      }
      if (turns.waiting.length === MOST_WAITING) {
        socket.destroy();
        return;
      }
      turns.waiting.push({ response, begin });
      socket.pause();
      if (turns.waiting.length === 1) this.#takeNextAfter(turns.current, socket, turns);
    };
  }

  /** Begins the next request of a connection when an answer is sent. */
  #takeNextAfter(answer: ServerResponse, socket: Socket, turns: Turns): void {
    answer.once('close', () => setImmediate(() => this.#takeNext(socket, turns)));
  }

  /** Begins the next waiting request of a connection; reads on when none is left. */
  #takeNext(socket: Socket, turns: Turns): void {
    const next = socket.destroyed ? undefined : turns.waiting.shift();
    if (next === undefined) return;
    next.begin();
    if (turns.waiting.length === 0) socket.resume();
    else this.#takeNextAfter(next.response, socket, turns);
  }

  /** The answer in progress on a connection, or the next one; null when all requests are answered. */
  currentAnswerOn(socket: Socket): ServerResponse | null {
    const turns = this.#turns.get(socket);
    if (turns === undefined) return null;
    return isUnderWay(turns.current) ? turns.current : (turns.waiting[0]?.response ?? null);
  }

  /** The answer to the last request of a connection while it is open; null when all requests are answered. */
  lastAnswerOn(socket: Socket): ServerResponse | null {
    const latest = this.#latest.get(socket) ?? null;
    return latest !== null && isUnderWay(latest) ? latest : null;
  }

  /** True when the head of a request has arrived but not its whole body. */
  isInBody(socket: Socket): boolean {
    return this.#latest.get(socket)?.req.complete === false;
  }

  /** True when nothing of the answer has been sent and the body of the request, which is being read, is incomplete. */
  isWaitingForBody(socket: Socket): boolean {
    const answer = this.lastAnswerOn(socket);
    return this.isInBody(socket) && answer?.headersSent === false && answer.req.readableFlowing === true;
  }

  /** True when a connection will close after all requests on it are answered. */
  isClosing(socket: Socket): boolean {
    return this.#closing.has(socket);
  }

  /**
   * Closes a connection that will bring no further bytes. It waits until all complete requests are answered. It does not
   * wait for a last request that lacks a part of its body, because its answer would never come.
   */
  closeWhenAnswered(socket: Socket): void {
    this.#closing.add(socket);
    const last = this.lastAnswerOn(socket);
    if (last === null) {
      socket.destroySoon();
      return;
    }
    // Only requests that `inTurn` handles have a current answer.
    const current = this.currentAnswerOn(socket) ?? last;
    if (current === last && this.isWaitingForBody(socket)) socket.destroy();
    else current.once('close', () => setImmediate(() => this.closeWhenAnswered(socket)));
  }

  /** Closes the connection that has been idle longest: the first of `#latest` without an answer under way. */
  #makeRoom(): void {
    for (const socket of this.#latest.keys()) {
      if (this.lastAnswerOn(socket) !== null || socket.destroyed) continue;
      this.#latest.delete(socket);
      socket.destroy();
      this.#onRoomMade();
      return;
    }
  }

  /** Closes idle connections, and those whose answer waits for the rest of the request. */
  endUnanswered(): void {
    for (const socket of this.#latest.keys())
      if (this.lastAnswerOn(socket) === null || this.isWaitingForBody(socket)) socket.destroy();
  }
}

/** An HTTP server on every address of its host. `localhost` is 127.0.0.1 and, on most machines, ::1. */
export class HttpServer {
  /** The server on the first address. */
  readonly server: Server;
  readonly #create: (connections: Connections) => Server;
  readonly #patienceMs: number;
  readonly #others: Server[] = [];
  readonly #connections: Connections;

  /**
   * @param create makes one server for each address
   * @param patienceMs how long a request may take to arrive while the server closes, milliseconds
   */
  constructor(create: (connections: Connections) => Server, patienceMs: number, options: ConnectionOptions = {}) {
    this.#connections = new Connections(options);
    this.#create = create;
    this.#patienceMs = patienceMs;
    this.server = this.#createServer();
  }

  /**
   * Listens on the first address of the host, and on its other addresses where that is possible.
   * @throws Error of node:net (EADDRINUSE, EACCES …) when it cannot listen on the first address
   */
  async listen({ host, port }: { host: string; port: number }): Promise<void> {
    const addresses = host === 'localhost' ? await lookup(host, { all: true }) : [{ address: host }];
    const [first, ...others] = addresses;
    await open(this.server, first?.address ?? host, port);
    for (const { address } of others) {
      const server = this.#createServer();
      // A host may have an address that this machine cannot use, such as ::1 without IPv6.
      const listens = await open(server, address, port).then(
        () => true,
        () => false,
      );
      if (listens) this.#others.push(server);
    }
  }

  /** Accepts no more connections, closes idle ones, and waits for running requests. */
  async close(): Promise<void> {
    const servers = [this.server, ...this.#others].filter((server) => server.listening);
    // While it closes, Node.js no longer checks for slow requests. One of them could keep the server open for ever.
    const watch = setInterval(() => this.#connections.endUnanswered(), this.#patienceMs);
    await Promise.all(servers.map((server) => promisify(server.close).call(server)));
    clearInterval(watch);
  }

  /** Makes a server whose connections are watched. */
  #createServer(): Server {
    return this.#connections.watch(this.#create(this.#connections));
  }
}

/** Resolves when the server listens. */
async function open(server: Server, address: string, port: number): Promise<void> {
  await once(server.listen(port, address), 'listening');
}
