import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Connections, HttpServer, nodeHttp } from '../http/http-server.ts';
import { noteAnswered } from './access-log.ts';
import { MCP_PATH, McpEndpoint } from './agents.ts';
import { pricing } from './billing/terms.ts';
import { refuseBrokenHttp, refuseConnect } from './broken-http.ts';
import { Exchange } from './exchange.ts';
import { failure, handle } from './life.ts';
import { costOf, type Reply, send } from './reply.ts';
import { routesFor } from './route-table.ts';
import { routeFinder } from './routes.ts';
import { RequestIds, type Service, type ServiceParts } from './service-parts.ts';
import { pathSuggester } from './suggest.ts';

/** Makes the HTTP service. The steps of a request are in `life.ts`. */
export function createService(parts: ServiceParts): { app: HttpServer; service: Service } {
  const routes = routesFor(parts);
  const service: Service = {
    ...parts,
    draining: false,
    pricing: pricing(parts.billing?.terms ?? null),
    requestIds: new RequestIds(),
    findRoute: routeFinder(routes),
    suggestPath: pathSuggester(routes),
  };
  const { patienceMs, metrics, mostConnections: most } = parts;
  // `madeRoom` is called when an idle connection is closed for a new one.
  const limits = { ...(most !== undefined && { most }), madeRoom: () => metrics?.madeRoom() };
  const app = new HttpServer((connections) => serverOf(service, connections), patienceMs, limits);
  return { app, service };
}

/**
 * Makes Node's own server. The router and the objects of a web framework would cost as much as the look-up of a
 * building. The table of routes replaces them.
 */
function serverOf(service: Service, connections: Connections): Server {
  const { patienceMs, metrics } = service;
  const answer = (request: IncomingMessage, response: ServerResponse): void =>
    void serve(new Exchange(service, request, response));
  const agents = service.mcp === undefined ? null : new McpEndpoint(service, service.mcp.version, service.mcp.method);
  const receive = connections.inTurn((request, response) => {
    if (agents !== null && isAt(MCP_PATH, request.url)) void agents.handle(request, response);
    else answer(request, response);
  });
  const server = nodeHttp.createServer(
    {
      headersTimeout: patienceMs,
      requestTimeout: patienceMs,
      keepAliveTimeout: patienceMs,
      connectionsCheckingInterval: Math.min(patienceMs, 1000),
      requireHostHeader: false,
      // Most requests have no body. This saves a stream for each of them.
      optimizeEmptyRequests: true,
    },
    receive,
  );
  // Closes an idle connection, but not while an answer is being made; that has its own deadline.
  server.setTimeout(patienceMs, (socket) => {
    const running = connections.currentAnswerOn(socket);
    if (running === null || running.headersSent) socket.destroy();
  });
  // Ignores an unknown Expect header.
  server.on('checkExpectation', connections.inTurn(answer));
  server.on('checkContinue', (request, response) => {
    // While another answer is being sent, this one has no socket yet, and "100 Continue" would be written into the other
    // answer. Without "100 Continue" Node.js closes the connection after this answer.
    if (response.socket !== null) response.writeContinue();
    receive(request, response);
  });
  server.on('connect', (_request, socket) => {
    metrics?.countBroken();
    refuseConnect(socket as Socket, connections, service);
  });
  return server.on('clientError', (error, socket) => {
    if (refuseBrokenHttp(error, socket as Socket, connections, service)) metrics?.countBroken();
  });
}

/** Answers a request. */
async function serve(exchange: Exchange): Promise<void> {
  exchange.serving.hold();
  exchange.service.metrics?.began();
  // Never throws: it answers errors, too.
  const reply = await handle(exchange);
  try {
    // Now, and not when a slow client has read the reply.
    exchange.releaseHeld(costOf(exchange, reply));
    await sendAndRecord(exchange, reply);
  } catch (error) {
    await fail(exchange, error);
  }
}

/** Sends a reply; then adds the request to the log and the metrics. */
async function sendAndRecord(exchange: Exchange, reply: Reply): Promise<void> {
  noteAnswered(exchange, reply, await send(exchange, reply));
}

/** Answers with a 500 when a reply could not be sent because of an error, unless a part of it was sent. */
async function fail(exchange: Exchange, error: unknown): Promise<void> {
  const { id, knownRoute, response, service } = exchange;
  service.unexpected.note(error, { request_id: id, operation: knownRoute?.id ?? null });
  if (response.writableEnded) return;
  if (response.headersSent) response.destroy();
  else await sendAndRecord(exchange, failure(exchange)).catch(() => response.destroy());
}

/** True when a request target is this path, with or without a slash or a query after it. */
const isAt = (path: string, url = ''): boolean => url.startsWith(path) && /^\/?(\?|$)/.test(url.slice(path.length));
