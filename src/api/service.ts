import { METHODS } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { OPERATIONS } from '../contract/operations.ts';
import { logAccess } from './access-log.ts';
import type { Billing } from './billing/charge.ts';
import { refuseBrokenHttp } from './broken-http.ts';
import type { BulkOffers, BulkShelf } from './bulk-shelf.ts';
import type { ProxyList } from './client-address.ts';
import type { DatasetSlot } from './dataset-slot.ts';
import { Exchange } from './exchange.ts';
import type { KeyRing } from './keys/key-ring.ts';
import { live } from './life.ts';
import type { Metrics } from './metrics.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { Reply } from './reply.ts';
import { pathSuggester, type Route, routeOf, routerPath } from './routes.ts';
import { send } from './send.ts';

/** What the service works with. Everything that talks to the outside is handed in. */
export interface ServiceParts {
  slot: DatasetSlot;
  /** Without a slash at the end. */
  siteUrl: string;
  /** Null: no limit. */
  limiter: RateLimiter | null;
  /** Null: none are issued. */
  keys: KeyRing | null;
  proxies: ProxyList;
  bulk: BulkShelf;
  /** Where download URLs lead: the shelf, or a store elsewhere. */
  offers: BulkOffers;
  /** Null: every call is free. */
  billing: Billing | null;
  /** Optional operations that are switched on. */
  offered: ReadonlySet<string>;
  log: Logger;
  /** Null: nobody asks for them. */
  metrics: Metrics | null;
  /** How long a connection may be silent, or take to send a request, milliseconds. */
  patienceMs: number;
}

/** The parts, and what requests need to know besides. */
export interface Service extends ServiceParts {
  /** True from the moment that shutting down begins. */
  draining: boolean;
  /** The path that was probably meant by one that does not exist. */
  suggestPath(path: string): string | null;
}

/** Makes the HTTP service. Fastify does routing and connections; `life.ts` says what becomes of a request. */
export function createService(parts: ServiceParts): { app: FastifyInstance; service: Service } {
  const { patienceMs, siteUrl, log, metrics } = parts;
  const app = Fastify({
    connectionTimeout: patienceMs,
    requestTimeout: patienceMs,
    keepAliveTimeout: patienceMs,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    exposeHeadRoutes: false,
    clientErrorHandler: (error, socket) => {
      metrics?.broke();
      refuseBrokenHttp(error, socket, siteUrl, log);
    },
    frameworkErrors: (_error, request, reply) => take(null, request, reply),
    rewriteUrl: (request) => originForm(request.url!),
    routerOptions: { maxParamLength: LONGEST_URL, querystringParser: () => ({}) },
    http: {
      headersTimeout: patienceMs,
      connectionsCheckingInterval: Math.min(patienceMs, 1000),
      requireHostHeader: false,
    },
  });
  const service: Service = {
    ...parts,
    draining: false,
    suggestPath: pathSuggester(OPERATIONS),
  };

  function take(route: Route | null, request: FastifyRequest, reply: FastifyReply): void {
    reply.hijack();
    serve(new Exchange(service, request.raw, reply.raw, route, (request.params ?? {}) as Record<string, string>));
  }

  for (const method of METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  for (const operation of OPERATIONS) {
    const route = routeOf(operation);
    // The hook, not the handler: a request ends before Fastify would look at its body.
    app.all(routerPath(operation), { onRequest: (request, reply) => take(route, request, reply) }, unreachable);
  }
  app.setNotFoundHandler({ preValidation: unreachable }, unreachable);
  app.addHook('onRequest', (request, reply, done) => (request.is404 ? take(null, request, reply) : done()));
  // An unknown expectation is no reason to refuse: the service reads no bodies.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  return { app, service };
}

/** Parameters may be as long as the head of a request, so that they are judged by their own rules. */
const LONGEST_URL = 16_384;

/** The dataset is held until the reply is known, not until a slow client has taken it. */
function serve(exchange: Exchange): void {
  exchange.serving.hold();
  exchange.service.metrics?.began();
  const reply = live(exchange);
  if (reply instanceof Promise) void reply.then((late) => finish(exchange, late));
  else finish(exchange, reply);
}

function finish(exchange: Exchange, reply: Reply): void {
  exchange.serving.release();
  const bytes = send(exchange, reply);
  if (bytes instanceof Promise) void bytes.then((late) => record(exchange, reply, late));
  else record(exchange, reply, bytes);
}

/** Puts a request on record that has been answered. */
function record(exchange: Exchange, reply: Reply, bytes: number): void {
  const seconds = (performance.now() - exchange.startedAt) / 1000;
  logAccess(exchange, reply, seconds, bytes);
  exchange.service.metrics?.ended(exchange, reply, seconds);
}

/** `http://host/path`, as requests to a proxy are written, is `/path`. */
function originForm(url: string): string {
  if (url.startsWith('/')) return url;
  return url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/^(?![/*])/, '/');
}

function unreachable(): never {
  throw new Error('the request has already been answered');
}
