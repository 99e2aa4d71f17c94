import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { type Dataset, extentOf } from '../dataset/dataset.ts';
import { Body } from '../http/body.ts';
import { nodeHttp } from '../http/http-server.ts';
import type { Answer, Question } from '../mcp/ask.ts';
import { resourcesOf } from '../mcp/resources.ts';
import { type Tool, toolsOf } from '../mcp/tools.ts';
import { contractOf } from '../site/example-urls.ts';
import { record } from './access-log.ts';
import { Exchange } from './exchange.ts';
import { handle } from './life.ts';
import { costOf, type Reply } from './reply.ts';
import type { Service } from './service-parts.ts';

/** Where agents call (Model Context Protocol over streamable HTTP). */
export const MCP_PATH = '/mcp';

/** Calls that are answered at one time; each may ask a few operations. */
const MOST_AT_ONCE = 64;
/** A call is a few hundred bytes; payments add some. */
const MOST_BODY_BYTES = 64 * 1024;
/** In how many pieces a body that is arriving is kept. */
const MOST_PIECES = 64;
/** JSON-RPC: an error that the server has defined for itself. */
const SERVER_ERROR = -32_000;
const ONLY_POST =
  'Here assistants call by the Model Context Protocol: POST of JSON-RPC, one call in each, without sessions. People read /docs/.';
const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

type Handle = (request: IncomingMessage, body: readonly Buffer[], response: ServerResponse) => Promise<void>;

/**
 * Answers agents. It keeps no sessions: every call is complete in itself, and every operation that a tool runs is a
 * request of the caller, with its limits, keys and payments.
 */
export class McpEndpoint {
  readonly #service: Service;
  readonly #version: string;
  readonly #method: string;
  readonly #caller = new AsyncLocalStorage<IncomingMessage>();
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

  /** Answers one request to `MCP_PATH`; never fails. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // What is still arriving takes no place from those who wait for an answer.
    const body = await arrivedBody(request);
    if (body === null) return;
    if (this.#underWay >= MOST_AT_ONCE || this.#service.draining) {
      response.writeHead(503, { 'retry-after': '1', 'content-type': 'text/plain' }).end('Busy; try again.\n');
      return;
    }
    this.#underWay++;
    try {
      // The protocol's package is loaded with the first call: a server that no agent calls starts without it.
      this.#handler ??= this.#makeHandler();
      const handler = await this.#handler;
      await this.#caller.run(request, () => handler(request, body, response));
    } catch (error) {
      this.#service.log.error({ err: error }, 'agent call failed');
      response.destroy();
    } finally {
      this.#underWay--;
    }
  }

  async #makeHandler(): Promise<Handle> {
    const [protocol, { toNodeHandler }, { mcpServer }] = await Promise.all([
      import('@modelcontextprotocol/server'),
      import('@modelcontextprotocol/node'),
      import('../mcp/mcp-server.ts'),
    ]);
    const hosts = [...new Set([new URL(this.#service.siteUrl).hostname, ...LOCAL_HOSTS])];
    const ask = (question: Parameters<typeof askService>[1]) =>
      askService(this.#service, question, this.#caller.getStore() ?? null);
    const parts = { version: this.#version, ask, resources: resourcesOf(this.#method, ask) };
    const tools = toolsByDataset();
    const tooled = () => {
      const { dataset } = this.#service.slot.current;
      return mcpServer({ ...parts, tools: tools(dataset), isTokyo: extentOf(dataset) === null });
    };
    const bounds = { maxRequestBodySize: MOST_BODY_BYTES };
    const handler = toNodeHandler(protocol.createMcpHandler(tooled, { ...bounds, maxSubscriptions: 1 }), bounds);
    return async ({ method, url, headers }, body, response) => {
      const { host, origin } = headers;
      const checks = [protocol.validateHostHeader(host, hosts), protocol.validateOriginHeader(origin, hosts)];
      const failed = checks.find((check) => !check.ok);
      if (failed === undefined && method !== 'POST') refuse(response, 405, ONLY_POST);
      else if (failed === undefined) {
        const arrived = {
          headers,
          ...(method !== undefined && { method }),
          ...(url !== undefined && { url }),
          [Symbol.asyncIterator]: () => Readable.from(body)[Symbol.asyncIterator](),
        };
        await handler(arrived, response);
      } else refuse(response, 403, `${failed.message}; this server is ${hosts.join(', ')} (--site-url)`);
    };
  }
}

/** The body of a request, once it is there or is longer than it may be; null where the connection ends before. */
function arrivedBody(request: IncomingMessage): Promise<readonly Buffer[] | null> {
  const pieces: Buffer[] = [];
  // Of a request without a body there is no end to wait for (`optimizeEmptyRequests`).
  if (request.readableEnded) return Promise.resolve(pieces);
  if (Number(request.headers['content-length'] ?? 0) > MOST_BODY_BYTES) return Promise.resolve(pieces);
  let bytes = 0;
  return new Promise((resolve) => {
    request.on('data', (piece: Buffer) => {
      pieces.push(piece);
      bytes += piece.length;
      // Pieces of a byte each would take hundreds of times what is in them.
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

/** Refuses a call in the form of the protocol. */
function refuse(response: ServerResponse, status: number, message: string): void {
  const error = { code: SERVER_ERROR, message };
  response.writeHead(status, { 'content-type': 'application/json', ...(status === 405 && { allow: 'POST' }) });
  response.end(JSON.stringify({ jsonrpc: '2.0', error, id: null }));
}

/** Gives the tools for a dataset; those of the last one are kept. */
function toolsByDataset(): (dataset: Dataset) => readonly Tool[] {
  let last: { dataset: Dataset; tools: readonly Tool[] } | null = null;
  return (dataset) => {
    if (last?.dataset !== dataset) last = { dataset, tools: toolsOf(contractOf(dataset).operations) };
    return last.tools;
  };
}

/** Headers that identify the caller: the limits, keys and payments of a question are those of the caller. */
const OF_THE_CALLER = ['authorization', 'x-forwarded-for'];

/**
 * Takes a question of an agent through the life of a request, within the process.
 * @param caller the request that brought the agent's call; null where there is no connection (standard input)
 */
export async function askService(
  service: Service,
  question: Question,
  caller: IncomingMessage | null,
): Promise<Answer> {
  const request = requestOf(question, caller);
  const response = new nodeHttp.ServerResponse(request);
  const exchange = new Exchange(service, request, response);
  exchange.serving.hold();
  service.metrics?.began();
  // What is computed for the answer is given up with the caller's connection, as that of a request of its own.
  const giveUp = (): void => {
    response.destroy();
    response.emit('close');
  };
  if (caller?.socket.destroyed) giveUp();
  caller?.socket.once('close', giveUp);
  const reply = await handle(exchange);
  caller?.socket.off('close', giveUp);
  exchange.settle(costOf(exchange, reply));
  const body = textOf(reply);
  record(exchange, reply, Buffer.byteLength(body));
  return { status: reply.status, headers: headersOf(reply), body };
}

function requestOf({ target, payment }: Question, caller: IncomingMessage | null): IncomingMessage {
  const request = new nodeHttp.IncomingMessage(caller?.socket ?? new Socket());
  request.method = 'GET';
  request.url = target;
  request.httpVersionMinor = 1;
  request.rawHeaders = ['Host', 'inside'];
  request.headers = {};
  request.headersDistinct = {};
  for (const name of OF_THE_CALLER) {
    const values = caller?.headersDistinct[name];
    if (values === undefined) continue;
    request.headersDistinct[name] = values;
    request.headers[name] = values.join(', ');
  }
  if (payment !== null) request.headers['payment-signature'] = payment;
  return request;
}

function headersOf({ headers }: Reply): Map<string, string> {
  const named = new Map<string, string>();
  for (let i = 0; i + 1 < headers.length; i += 2) named.set((headers[i] ?? '').toLowerCase(), headers[i + 1] ?? '');
  return named;
}

/** The text of a body that is not sent on; its memory is given back here. */
function textOf({ body }: Reply): string {
  if (body === null) return '';
  if (!(body instanceof Body)) return body.toString();
  const { content } = body;
  const text = typeof content === 'string' ? Buffer.from(content, 'latin1').toString() : content.toString();
  body.release();
  return text;
}
