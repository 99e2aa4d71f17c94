import { PROBLEM_KINDS } from '../contract/problems.ts';
import { JsonBytes } from '../dataset/dataset.ts';
import { percentDecoded } from '../http/percent-decoding.ts';
import { answer } from './answer.ts';
import { charge, takePayment } from './billing/charge.ts';
import { download } from './bulk-download.ts';
import { quote } from './echo.ts';
import type { Exchange } from './exchange.ts';
import { checkHost } from './host.ts';
import { authenticate } from './identify.ts';
import { limitRate } from './limit-rate.ts';
import { LOOKUPS } from './lookups.ts';
import { renderPage } from './pages.ts';
import { ALLOWED_METHODS, methodNotAllowed, type Reply, refuse } from './reply.ts';
import { isApiPath } from './routes.ts';
import { Unavailable } from './unavailable.ts';

/** One step of a request's life. A reply ends it; null passes it on. */
export type Step = (exchange: Exchange) => Reply | null | Promise<Reply | null>;

/** The life of a request under /api/. The order is part of the interface. */
const API_LIFE: readonly Step[] = [
  limitRate, // 429
  findRoute, // 404
  allowMethod, // 405
  authenticate, // 401
  checkHost, // 400
  readParameters, // 400
  takePayment, // 400
  checkOffered, // 501
  checkAvailable, // 503
  lookUp, // 404
  charge, // 402
  answer, // 200, 304
];

/** The life of a request for a page. */
const PAGE_LIFE: readonly Step[] = [findRoute, allowMethod, checkHost, checkAvailable, showPage, answer];

/** The life of a request for a signed download. */
const DOWNLOAD_LIFE: readonly Step[] = [allowMethod, checkHost, download];

/**
 * Takes a request through its life. Never fails: what goes wrong unexpectedly becomes a 500 and an entry in the log.
 * A promise is made only where a step needs one, since most requests can be answered at once.
 */
export function live(exchange: Exchange): Reply | Promise<Reply> {
  try {
    return walk(exchange, lifeOf(exchange), 0);
  } catch (error) {
    return fail(exchange, error);
  }
}

function walk(exchange: Exchange, steps: readonly Step[], from: number): Reply | Promise<Reply> {
  for (let i = from; i < steps.length; i++) {
    const reply = steps[i]!(exchange);
    if (reply instanceof Promise) {
      return reply.then((late) => late ?? walk(exchange, steps, i + 1)).catch((error) => fail(exchange, error));
    }
    if (reply !== null) return reply;
  }
  throw new Error('no step has answered');
}

function fail(exchange: Exchange, error: unknown): Reply {
  if (error instanceof Unavailable) return refuse(exchange, 'unavailable', error.message);
  const { service, id, route, url } = exchange;
  // The URL says what people look for and may hold the signature of a download, as in the access log.
  const asked = service.log.isLevelEnabled('debug') ? { url } : { operation: route?.operation.id ?? null };
  service.log.error({ request_id: id, ...asked, err: error }, 'request failed');
  return refuse(exchange, 'internal-error', `${PROBLEM_KINDS['internal-error'].when} Its id is ${exchange.id}.`);
}

function lifeOf({ route, path }: Exchange): readonly Step[] {
  if (route === null) return isApiPath(path) ? API_LIFE : PAGE_LIFE;
  if (route.operation.id === 'bulk-file') return DOWNLOAD_LIFE;
  return route.isApi ? API_LIFE : PAGE_LIFE;
}

function findRoute(exchange: Exchange): Reply | null {
  if (exchange.route !== null) return null;
  const { path, service } = exchange;
  if (percentDecoded(path) === null) {
    const detail = `The path ${quote(path)} is not percent-encoded UTF-8.`;
    return refuse(exchange, 'invalid-parameter', detail, { errors: [{ parameter: 'path', detail }] });
  }
  const meant = service.suggestPath(path);
  const hint = meant === null ? `${service.siteUrl}/openapi.json lists what there is.` : `Did you mean ${meant}?`;
  return refuse(exchange, 'not-found', `There is nothing at ${quote(path)}. ${hint}`);
}

function allowMethod(exchange: Exchange): Reply | null {
  const { method } = exchange.request;
  if (method === 'GET' || method === 'HEAD') return null;
  if (method === 'OPTIONS') return { status: 204, headers: [...PREFLIGHT_HEADERS], body: null, cost: 0 };
  return refuse(exchange, 'method-not-allowed', methodNotAllowed(method!));
}

/** For OPTIONS, which is also what browsers ask for before requests with headers of their own. */
const PREFLIGHT_HEADERS = [
  ...['Allow', ALLOWED_METHODS, 'Access-Control-Allow-Methods', ALLOWED_METHODS],
  ...['Access-Control-Allow-Headers', 'Authorization, If-None-Match, Range, If-Range, PAYMENT-SIGNATURE, X-Request-Id'],
  ...['Access-Control-Max-Age', '86400', 'Cache-Control', 'no-store'],
];

/** Violations that the `detail` of a 400 tells; `errors` has them all. */
const MOST_IN_DETAIL = 10;

function readParameters(exchange: Exchange): Reply | null {
  const { values, violations } = exchange.route!.readParameters(exchange.pathValues, exchange.query);
  if (violations === null) {
    exchange.values = values;
    return null;
  }
  const told = violations.slice(0, MOST_IN_DETAIL).map(({ detail }) => detail);
  if (violations.length > told.length) told.push(`(${violations.length - told.length} more in errors.)`);
  return refuse(exchange, 'invalid-parameter', told.join(' '), { errors: violations });
}

function checkOffered(exchange: Exchange): Reply | null {
  const { operation } = exchange.route!;
  if (operation.optional === undefined || exchange.service.offered.has(operation.id)) return null;
  return refuse(exchange, 'not-implemented', `${operation.path} is specified but not offered by this server.`);
}

function checkAvailable(exchange: Exchange): Reply | null {
  const { half } = exchange.route!.operation;
  if (half === 'site' || exchange.serving.dataset[half] !== null) return null;
  return refuse(exchange, 'unavailable', `The ${half} half of the data is not loaded on this server.`);
}

function lookUp(exchange: Exchange): Reply | null | Promise<Reply | null> {
  exchange.body = exchange.serving.bodies.get(exchange.key) ?? null;
  if (exchange.body !== null) return null;
  const data = LOOKUPS[exchange.route!.operation.id]!.find(exchange);
  return data instanceof Promise ? data.then((found) => wrap(exchange, found)) : wrap(exchange, data);
}

/**
 * Puts the envelope around what was found, and keeps it for the next who asks the same. What lies in the dataset as JSON
 * is found there again as quickly as here.
 */
function wrap(exchange: Exchange, data: unknown): Reply | null {
  const { serving, key } = exchange;
  const { operation } = exchange.route!;
  if (data === null) return refuse(exchange, 'not-found', LOOKUPS[operation.id]!.absent!(exchange));
  exchange.body = serving.envelope(operation, data);
  if (operation.cache === 'public' && !(data instanceof JsonBytes)) serving.bodies.put(key, exchange.body);
  return null;
}

/** A page is rendered once for each dataset. */
function showPage(exchange: Exchange): Reply | null {
  const { route, serving, service, path, key } = exchange;
  if (route!.operation.id === 'readiness' && service.draining) {
    return refuse(exchange, 'unavailable', 'The server is shutting down.');
  }
  exchange.body = serving.bodies.get(key) ?? null;
  if (exchange.body !== null) return null;
  exchange.body = renderPage(exchange);
  if (exchange.body === null) return refuse(exchange, 'not-found', `There is nothing at ${quote(path)}.`);
  serving.bodies.put(key, exchange.body);
  return null;
}
