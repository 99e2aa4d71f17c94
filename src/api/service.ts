import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { OPERATIONS } from '../contract/operations.ts';
import type { ProxyList } from '../http/client-address.ts';
import { HttpServer } from '../http/http-server.ts';
import type { RateLimiter } from '../http/rate-limiter.ts';
import { type LineSink, logAccess } from './access-log.ts';
import type { Billing } from './billing/charge.ts';
import { refuseBrokenHttp, refuseConnect } from './broken-http.ts';
import type { BulkOffers, BulkShelf } from './bulk-shelf.ts';
import type { DatasetSlot } from './dataset-slot.ts';
import { Exchange } from './exchange.ts';
import type { KeyRing } from './keys/key-ring.ts';
import { live } from './life.ts';
import type { Metrics } from './metrics.ts';
import type { Reply } from './reply.ts';
import { type Found, routeFinder } from './routes.ts';
import { send } from './send.ts';
import { pathSuggester } from './suggest.ts';

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
  /** Where the logger writes. */
  lines: LineSink;
  /** Null: nobody asks for them. */
  metrics: Metrics | null;
  /** How long a connection may be silent, or take to send a request, milliseconds. */
  patienceMs: number;
}

/** The parts, and what requests need to know besides. */
export interface Service extends ServiceParts {
  /** True from the moment that shutting down begins. */
  draining: boolean;
  /** What a path leads to. */
  findRoute(path: string): Found | null;
  /** The path that was probably meant by one that does not exist. */
  suggestPath(path: string): string | null;
}

/** Makes the HTTP service. `life.ts` says what becomes of a request. */
export function createService(parts: ServiceParts): { app: HttpServer; service: Service } {
  const service: Service = {
    ...parts,
    draining: false,
    findRoute: routeFinder(OPERATIONS),
    suggestPath: pathSuggester(OPERATIONS),
  };
  return { app: new HttpServer(() => serverOf(service), parts.patienceMs), service };
}

/**
 * Node's own server. A framework's router, request and reply would cost as much as the look-up of a building does; the
 * table of operations leaves nothing for them to do.
 */
function serverOf(service: Service): Server {
  const { patienceMs, siteUrl, log, metrics } = service;
  const take = (request: IncomingMessage, response: ServerResponse): void =>
    serve(new Exchange(service, request, response));
  const server = createServer(
    {
      headersTimeout: patienceMs,
      requestTimeout: patienceMs,
      keepAliveTimeout: patienceMs,
      connectionsCheckingInterval: Math.min(patienceMs, 1000),
      requireHostHeader: false,
      // Most requests have no body: no stream of nothing is opened, read to its end and closed for them.
      optimizeEmptyRequests: true,
    },
    take,
  );
  server.setTimeout(patienceMs);
  // An unknown expectation is no reason to refuse: the service reads no bodies.
  server.on('checkExpectation', take);
  server.on('connect', (_request, socket) => {
    metrics?.broke();
    refuseConnect(socket as Socket, siteUrl, log);
  });
  return server.on('clientError', (error, socket) => {
    if (refuseBrokenHttp(error, socket as Socket, siteUrl, log)) metrics?.broke();
  });
}

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
