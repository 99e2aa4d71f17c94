import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { memoized } from '../contract/memoized.ts';
import { PROBLEM_KINDS } from '../contract/problems.ts';
import { type Dataset, isTokyo } from '../dataset/dataset.ts';
import { Body } from '../http/body.ts';
import { nodeHttp } from '../http/http-server.ts';
import type { Quota } from '../http/rate-limiter.ts';
import type { Answer, Question } from '../mcp/ask.ts';
import { faultOfMessages, idOf, messagesIn } from '../mcp/messages.ts';
import { resourcesOf } from '../mcp/resources.ts';
import { toolsOf } from '../mcp/tools.ts';
import { contractOf } from '../site/example-urls.ts';
import { noteAnswered } from './access-log.ts';
import { identify, tooMany } from './admission.ts';
import { Exchange } from './exchange.ts';
import { handle } from './life.ts';
import { costOf, type Reply } from './reply.ts';
import type { Service } from './service-parts.ts';

/** The path for agents (Model Context Protocol over streamable HTTP). */
export const MCP_PATH = '/mcp';

/** Most requests that are answered at the same time. Each may call several operations. */
const MOST_AT_ONCE = 64;
/** Longest body. A call has a few hundred bytes; payments add some. */
const MOST_BODY_BYTES = 64 * 1024;
/** Most pieces in which an arriving body is kept. */
const MOST_PIECES = 64;
/** Headers of the protocol. Refusals repeat their values. */
const PROTOCOL_HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-session-id'];
const LONGEST_HEADER = 1000;
/** Error codes of JSON-RPC: an invalid request, and the first of those that servers may define. */
const INVALID_REQUEST = -32_600;
const SERVER_ERROR = -32_000;
const ONLY_POST =
  'This is the endpoint for assistants (Model Context Protocol): POST of JSON-RPC, without sessions. People read /docs/.';
const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/** Answers a request whose body has arrived. */
type Handle = (request: IncomingMessage, body: readonly Buffer[], response: ServerResponse) => Promise<void>;

/**
 * Answers agents without sessions: every call is complete in itself. Every message counts as a request of the caller,
 * and so does every further operation of a tool. Rate limit, key and payment are those of the caller.
 */
export class McpEndpoint {
  readonly #service: Service;
  readonly #version: string;
  readonly #method: string;
  readonly #caller = new AsyncLocalStorage<Caller>();
  #handler: Promise<Handle> | null = null;
  #underWay = 0;

  /**
   * @param version of the program
   * @param method text of docs/method.md
   */
  constructor(service: Service, version: string, method: string) {
    this.#service = service;
    this.#version = version;
    this.#method = method;
  }

  /** Answers one request to `MCP_PATH`. It never fails. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      // The SDK sends `Connection: keep-alive` even when the client wants the connection to be closed.
      if (!response.shouldKeepAlive) response.once('finish', () => request.socket.end());
      // Only complete requests count against `MOST_AT_ONCE`.
      const body = await receiveBody(request);
      if (body !== null) await this.#answer(request, body, response);
    } catch (error) {
      this.#service.unexpected.note(error, { path: MCP_PATH });
      response.destroy();
    }
  }

  /** Hands a complete request to the SDK. Refuses it with 503 when too many are answered, or the server ends. */
  async #answer(request: IncomingMessage, body: readonly Buffer[], response: ServerResponse): Promise<void> {
    if (this.#underWay >= MOST_AT_ONCE || this.#service.draining) {
      response.writeHead(503, { 'retry-after': '1', 'content-type': 'text/plain' }).end('Busy; try again.\n');
      return;
    }
    this.#underWay++;
    try {
      // The SDK is loaded with the first call, because it would slow down every start.
      this.#handler ??= this.#makeHandler();
      const handler = await this.#handler;
      await handler(request, body, response);
    } finally {
      this.#underWay--;
    }
  }

  /** Loads the SDK and makes the handler of requests whose body was read. */
  async #makeHandler(): Promise<Handle> {
    const [protocol, { toNodeHandler }, { mcpServer }] = await Promise.all([
      import('@modelcontextprotocol/server'),
      import('@modelcontextprotocol/node'),
      import('../mcp/mcp-server.ts'),
    ]);
    const hosts = [...new Set([new URL(this.#service.siteUrl).hostname, ...LOCAL_HOSTS])];
    const ask = (question: Question) => askService(this.#service, question, this.#caller.getStore() ?? null);
    const noteError = (error: unknown) => this.#service.unexpected.note(error, { path: MCP_PATH });
    const resources = resourcesOf(this.#method, ask);
    const parts = { version: this.#version, ask, failed: noteError, resources };
    const makeServer = () => {
      const { dataset } = this.#service.datasets.current;
      return mcpServer({ ...parts, tools: toolsFor(dataset), isTokyo: isTokyo(dataset) });
    };
    // Both parts of the SDK have this limit.
    const limits = { maxRequestBodySize: MOST_BODY_BYTES };
    const sdkHandler = toNodeHandler(protocol.createMcpHandler(makeServer, { ...limits, maxSubscriptions: 1 }), limits);
    return async (request, body, response) => {
      const { host, origin } = request.headers;
      const checks = [protocol.validateHostHeader(host, hosts), protocol.validateOriginHeader(origin, hosts)];
      const failure = checks.find((check) => !check.ok);
      if (failure !== undefined) {
        const message = `${failure.message}; this server is ${hosts.join(', ')} (--site-url)`;
        return refuse(response, 403, { code: SERVER_ERROR, message });
      }
      if (refuseMethodOrHeaders(request, response)) return;
      const caller = await this.#admit(request, messagesIn(body), response);
      if (caller === null) return;
      await this.#caller.run(caller, () => sdkHandler(withBody(request, body), response)).finally(() => caller.end());
    };
  }

  /**
   * Counts the messages of a request for its client; a body without a message counts as one. Returns the caller, or
   * null when it has refused the request.
   */
  async #admit(
    request: IncomingMessage,
    messages: readonly unknown[],
    response: ServerResponse,
  ): Promise<Caller | null> {
    const { limiters, metrics } = this.#service;
    const limiter = limiters.api;
    const { client } = identify(request, this.#service);
    const admitted: Quota[] = [];
    const fault = faultOfMessages(messages);
    // Messages that are refused anyway count as one.
    const count = fault === null ? Math.max(1, messages.length) : 1;
    for (let i = 0; limiter !== null && i < count; i++) {
      const quota = await limiter.take(client.countedAs, client.limit);
      if (quota.allowed) admitted.push(quota);
      else {
        metrics?.refusedMessages(count);
        refuseMessages(response, messages.slice(0, count), quota);
        return null;
      }
    }
    if (fault === null) return new Caller(request, admitted);
    refuse(response, 400, { code: INVALID_REQUEST, message: fault });
    return null;
  }
}

/**
 * Waits for the body of a request. Null when the connection closes before its end. When it is longer than
 * `MOST_BODY_BYTES`, it is not read to its end: the SDK refuses it by its length.
 */
function receiveBody(request: IncomingMessage): Promise<readonly Buffer[] | null> {
  const pieces: Buffer[] = [];
  // A request without a body has no `end` event (`optimizeEmptyRequests`).
  if (request.readableEnded) return Promise.resolve(pieces);
  if (Number(request.headers['content-length'] ?? 0) > MOST_BODY_BYTES) return Promise.resolve(pieces);
  let bytes = 0;
  return new Promise((resolve) => {
    request.on('data', (piece: Buffer) => {
      pieces.push(piece);
      bytes += piece.length;
      // Joins the pieces: each needs memory besides its bytes, and a client may send them byte by byte.
      if (pieces.length === MOST_PIECES) pieces.splice(0, MOST_PIECES, Buffer.concat(pieces));
      if (bytes <= MOST_BODY_BYTES) return;
      request.pause();
      resolve(pieces);
    });
    request
      .once('end', () => resolve(pieces))
      .once('close', () => resolve(null))
      .on('error', () => {});
  });
}

/** Refuses another method than POST, and long headers of the protocol. True when it has refused the request. */
function refuseMethodOrHeaders({ method, headers }: IncomingMessage, response: ServerResponse): boolean {
  if (method !== 'POST') {
    refuse(response, 405, { code: SERVER_ERROR, message: ONLY_POST });
    return true;
  }
  const longHeader = PROTOCOL_HEADERS.find((name) => String(headers[name] ?? '').length > LONGEST_HEADER);
  if (longHeader === undefined) return false;
  const message = `The header ${longHeader} has at most ${LONGEST_HEADER} characters.`;
  refuse(response, 400, { code: INVALID_REQUEST, message });
  return true;
}

/** The request as the SDK reads it: with a body that has arrived already. */
const withBody = ({ method, url, headers }: IncomingMessage, body: readonly Buffer[]) => ({
  headers,
  ...(method !== undefined && { method }),
  ...(url !== undefined && { url }),
  [Symbol.asyncIterator]: () => Readable.from(body)[Symbol.asyncIterator](),
});

/** An error of JSON-RPC. */
interface RpcError {
  code: number;
  message: string;
  data?: object;
}

const errorWith = (id: string | number | null, error: RpcError): object => ({ jsonrpc: '2.0', id, error });

/** Refuses a request with an error of JSON-RPC. */
function refuse(response: ServerResponse, status: number, error: RpcError): void {
  response.writeHead(status, { 'content-type': 'application/json', ...(status === 405 && { allow: 'POST' }) });
  response.end(JSON.stringify(errorWith(null, error)));
}

/**
 * Refuses the messages of a client that has used its requests. Each message with an ID gets its own error, and the
 * status is 200, because many clients ignore other answers or wait for ever.
 */
function refuseMessages(response: ServerResponse, messages: readonly unknown[], quota: Quota): void {
  const { title, status } = PROBLEM_KINDS['rate-limited'];
  const message = `${title}: ${tooMany(quota)}`;
  const error = { code: SERVER_ERROR, message, data: { title, status, detail: tooMany(quota) } };
  const answers = messages.flatMap((refused) => idOf(refused) ?? []).map((id) => errorWith(id, error));
  // No message has an ID: one error without ID, with the status 429.
  const [first = errorWith(null, error)] = answers;
  response.writeHead(answers.length === 0 ? status : 200, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'retry-after': String(quota.resetSeconds),
  });
  response.end(JSON.stringify(answers.length > 1 ? answers : first));
}

/** The tools for a dataset. */
const toolsFor = memoized((dataset: Dataset) => toolsOf(contractOf(dataset).operations));

/** The HTTP request with calls of an agent. Its rate limit, key and payment apply to these calls. */
class Caller {
  readonly request: IncomingMessage;
  readonly #admitted: Quota[];
  /** For each question under way, the function that gives it up. */
  readonly #openQuestions = new Set<() => void>();

  /** @param admitted one quota for each message that was counted */
  constructor(request: IncomingMessage, admitted: Quota[]) {
    this.request = request;
    this.#admitted = admitted;
    request.socket.once('close', this.#giveUpAll);
  }

  /**
   * The quota of a message that was counted on arrival, so that its first question is not counted again. Each is given
   * once; null when none is left.
   */
  takeAdmitted(): Quota | null {
    return this.#admitted.pop() ?? null;
  }

  /** Calls `giveUp` when the connection closes. Returns a function that cancels this. */
  whenGone(giveUp: () => void): () => void {
    if (this.request.socket.destroyed) giveUp();
    this.#openQuestions.add(giveUp);
    return () => this.#openQuestions.delete(giveUp);
  }

  /** Call this when all calls have been answered. */
  end(): void {
    this.request.socket.off('close', this.#giveUpAll);
  }

  // One listener for all questions: Node.js warns of a leak when a socket has many.
  readonly #giveUpAll = (): void => {
    for (const giveUp of this.#openQuestions) giveUp();
  };
}

/** Headers that identify the caller. */
const CALLER_HEADERS = ['authorization', 'x-forwarded-for'];

/**
 * Answers a question of an agent inside the process, with the same steps as an HTTP request.
 * @param caller null when there is no connection (standard input)
 */
export async function askService(service: Service, question: Question, caller: Caller | null): Promise<Answer> {
  const request = requestOf(question, caller?.request ?? null);
  const response = new nodeHttp.ServerResponse(request);
  const exchange = new Exchange(service, request, response);
  exchange.admitted = caller?.takeAdmitted() ?? null;
  // Keeps the dataset open until `releaseHeld`.
  exchange.serving.hold();
  service.metrics?.began();
  // Stops computations when the caller closes its connection. This response has no connection of its own, so `destroy`
  // alone emits no `close`.
  const giveUp = (): void => {
    response.destroy();
    response.emit('close');
  };
  const stopWatching = caller?.whenGone(giveUp);
  const reply = await handle(exchange);
  stopWatching?.();
  exchange.releaseHeld(costOf(exchange, reply));
  const body = textOf(reply);
  noteAnswered(exchange, reply, Buffer.byteLength(body));
  return { status: reply.status, headers: headersOf(reply), body };
}

/** The request to this service that answers an agent's question, with the headers that identify the caller. */
function requestOf({ target, payment }: Question, caller: IncomingMessage | null): IncomingMessage {
  const request = new nodeHttp.IncomingMessage(caller?.socket ?? new Socket());
  request.method = 'GET';
  request.url = target;
  request.httpVersionMinor = 1;
  // The admission counts the Host headers here: exactly one is allowed. Its value does not matter.
  request.rawHeaders = ['Host', 'inside'];
  request.headers = {};
  request.headersDistinct = {};
  for (const name of CALLER_HEADERS) {
    const values = caller?.headersDistinct[name];
    if (values === undefined) continue;
    request.headersDistinct[name] = values;
    request.headers[name] = values.join(', ');
  }
  if (payment !== null) request.headers['payment-signature'] = payment;
  return request;
}

/** The headers of a reply by name in small letters. */
function headersOf({ headers }: Reply): Map<string, string> {
  const byName = new Map<string, string>();
  for (let i = 0; i + 1 < headers.length; i += 2) byName.set((headers[i] ?? '').toLowerCase(), headers[i + 1] ?? '');
  return byName;
}

/** The body of a reply as text. */
const textOf = ({ body }: Reply): string => (body instanceof Body ? body.text : String(body ?? ''));
