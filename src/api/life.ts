import { TOKYO_CONTRACT } from '../contract/contract.ts';
import { SECTIONS } from '../contract/operation.ts';
import type { Found, Refused } from '../contract/outcome.ts';
import { DATASET_ID } from '../contract/parameter.ts';
import { PROBLEM_KINDS, type Violation, Violations } from '../contract/problems.ts';
import { asShortage, DamageError, ShortageError } from '../formats/checked-file.ts';
import { JsonBytes } from '../formats/json-bytes.ts';
import { type BodyCache, PackedBody } from '../http/body.ts';
import { contractOf } from '../site/example-urls.ts';
import { type RouteKind, type RouteOutcome, unitsOf, type Values } from '../site/route.ts';
import { loggedUrl } from './access-log.ts';
import { authenticate, checkHost, clientOf, limitPages, limitRate, spendUnits } from './admission.ts';
import { answer } from './answer.ts';
import { charge, takePayment } from './billing/charge.ts';
import { download, wholeMap } from './bulk-download.ts';
import { limitNewResults, offerComputing, reserveComputing } from './computing.ts';
import { RefusedError } from './errors.ts';
import type { Exchange } from './exchange.ts';
import { answersOf } from './operations/implement.ts';
import { ALLOWED_METHODS, headerList, methodNotAllowed, type Reply, refuse } from './reply.ts';
import { isApiPath, readValues } from './routes.ts';
import { nothingAt, percentDecoded, quote } from './suggest.ts';

/** A step of a request. It returns the reply, or null to continue with the next step. */
type Step = (exchange: Exchange) => Reply | null | Promise<Reply | null>;

/**
 * The steps of a request by the kind of its route. Their order is part of the interface: it decides which refusal comes
 * first.
 */
const LIVES: Readonly<Record<RouteKind, readonly Step[]>> = {
  api: [
    limitRate, // 429
    answerUnknownPath, // 404
    allowMethod, // 405
    authenticate, // 401
    checkHost, // 400
    readParameters, // 400
    takeNamedDataset, // 404, 503
    takePayment, // 400
    checkOffered, // 501
    checkAvailable, // 503
    lookUp, // 404, and 503 when the queue for computations is full
    spendUnits, // 429
    charge, // 402
    answer, // 200, 304
  ],
  document: [allowMethod, checkHost, readPath, checkAvailable, lookUp, answer],
  page: [
    limitPages, // 429
    answerUnknownPath, // 404
    allowMethod, // 405
    checkHost, // 400
    readParameters, // 400
    takeNamedDataset, // 404
    offerComputing,
    lookUp, // 404, 429, 503
    answer, // 200, 304
  ],
  comparison: [
    limitRate, // 429
    allowMethod, // 405
    authenticate, // 401
    checkHost, // 400
    readParameters, // 400
    takePayment, // 400
    checkAvailable, // 503
    offerComputing,
    lookUp,
    spendUnits, // 429
    charge, // 402
    answer, // 200, and 429 and 503 for what has to be computed
  ],
  map: [limitPages, allowMethod, checkHost, wholeMap],
  download: [allowMethod, checkHost, download],
};

/** Runs the steps of a request. It never fails: an unexpected error becomes a 500 and a line in the log. */
export async function handle(exchange: Exchange): Promise<Reply> {
  const { knownRoute, path } = exchange;
  const kind = knownRoute?.kind ?? (isApiPath(path) ? 'api' : 'page');
  try {
    for (const step of LIVES[kind]) {
      const result = step(exchange);
      // Most steps return no promise. Waiting for each of them would cost a few percent of a look-up.
      const reply = result instanceof Promise ? await result : result;
      if (reply !== null) return reply;
    }
    throw new Error('no step has answered');
  } catch (error) {
    return replyToError(exchange, error);
  }
}

/**
 * The reply to an error of a step. A refusal that was thrown is answered as it is. A lack of files or memory and damaged
 * data are a 503, any other error is a 500; all of these are logged.
 */
function replyToError(exchange: Exchange, thrown: unknown): Reply {
  const error = asShortage(thrown);
  if (error instanceof RefusedError) return refuseAs(exchange, error.refusal, error.violations);
  const { service, id, knownRoute, serving } = exchange;
  if (error instanceof ShortageError) {
    service.log.error({ request_id: id, reason: error.message }, 'the machine has no free file handle or memory');
    return refuse(exchange, 'unavailable', 'The server is short of files or memory. Try again a little later.');
  }
  if (error instanceof DamageError) {
    service.datasets.foundDamage(serving.dataset, error);
    return refuse(exchange, 'unavailable', `A file for this answer is damaged on this server. Request ID: ${id}.`);
  }
  const url = loggedUrl(exchange);
  const target = url === null ? { operation: knownRoute?.id ?? null } : { url };
  service.log.error({ request_id: id, ...target, err: error }, 'request failed');
  return failure(exchange);
}

/** A 500 for an unexpected error. */
export const failure = (exchange: Exchange): Reply =>
  refuse(exchange, 'internal-error', `${PROBLEM_KINDS['internal-error'].when} Request ID: ${exchange.id}.`);

/**
 * Answers a path without a route: redirects to a page that was meant, or refuses and suggests a path. Null when the
 * path has a route.
 */
function answerUnknownPath(exchange: Exchange): Reply | null {
  if (exchange.knownRoute !== null) return null;
  const { path, service } = exchange;
  const redirect = redirectToPage(exchange);
  if (redirect !== null) return redirect;
  if (percentDecoded(path) === null) {
    const detail = `The path ${quote(path)} is not percent-encoded UTF-8.`;
    return refuse(exchange, 'invalid-parameter', detail, { errors: [{ parameter: 'path', detail }] });
  }
  const suggestion = service.suggestPath(path);
  const hint =
    suggestion === null ? `${service.siteUrl}/openapi.json lists what there is.` : `Did you mean ${suggestion}?`;
  return refuse(exchange, 'not-found', `${nothingAt(path)} ${hint}`);
}

/** Redirects to a page when the path lacks its last slash or begins with `/ja`. Japanese pages have no prefix. */
function redirectToPage({ path, query, service, dataset }: Exchange): Reply | null {
  const japanese = /^\/ja(\/.*)?$/.exec(path);
  const withoutPrefix = japanese === null ? path : (japanese[1] ?? '/');
  const isPage = (candidate: string): boolean => {
    const match = service.findRoute(candidate);
    if (match?.route.kind !== 'page') return false;
    return !(readValues(match.route, match.pathValues, '', contractOf(dataset)) instanceof Violations);
  };
  const page = [withoutPrefix, `${withoutPrefix}/`].find((candidate) => candidate !== path && isPage(candidate));
  if (page === undefined) return null;
  const sitePath = new URL(service.siteUrl).pathname.replace(/\/$/, '');
  const location = `${sitePath}${page}${query === '' ? '' : `?${query}`}`;
  return { status: 308, headers: ['Location', location, 'Cache-Control', 'no-store'], body: null, cost: 0 };
}

/** Answers OPTIONS, and refuses all other methods but GET and HEAD. */
function allowMethod(exchange: Exchange): Reply | null {
  const { method } = exchange;
  if (method === 'GET' || method === 'HEAD') return null;
  if (method === 'OPTIONS') return { status: 204, headers: [...PREFLIGHT_HEADERS], body: null, cost: 0 };
  return refuse(exchange, 'method-not-allowed', methodNotAllowed(method));
}

/** The answer to OPTIONS. Browsers send it before requests with additional headers (CORS preflight). */
const PREFLIGHT_HEADERS = headerList({
  Allow: ALLOWED_METHODS,
  'Access-Control-Allow-Methods': ALLOWED_METHODS,
  'Access-Control-Allow-Headers': 'Authorization, If-None-Match, Range, If-Range, PAYMENT-SIGNATURE, X-Request-Id',
  'Access-Control-Max-Age': '86400',
  'Cache-Control': 'no-store',
});

/** Reads the parameters of the request, in the bounds of the dataset's place. */
function readParameters(exchange: Exchange): Reply | null {
  const { route, pathValues, query, dataset } = exchange;
  return takeValues(exchange, readValues(route, pathValues, query, contractOf(dataset)));
}

/**
 * Reads the parameters of a document without the dataset, so that documents are served even when the dataset is
 * damaged.
 */
function readPath(exchange: Exchange): Reply | null {
  return takeValues(exchange, readValues(exchange.route, exchange.pathValues, '', TOKYO_CONTRACT));
}

/** Sets the values of the exchange; refuses them when they violate the contract. */
function takeValues(exchange: Exchange, result: Values | Violations): Reply | null {
  if (!(result instanceof Violations)) {
    exchange.values = result;
    exchange.costUnits = unitsOf(exchange.route, result);
    return null;
  }
  const { route, pathValues } = exchange;
  // Outside the API, a wrong value in the path means that the page does not exist.
  const isUnknownPath = route.kind !== 'api' && result.listed.some(({ parameter }) => parameter in pathValues);
  if (isUnknownPath) return refuse(exchange, 'not-found', null);
  return refuse(exchange, 'invalid-parameter', String(result), { errors: result.listed });
}

/** Switches the request to the dataset that it names, when that is not the served one. */
async function takeNamedDataset(exchange: Exchange): Promise<Reply | null> {
  const { route, pathValues, query, service } = exchange;
  if (route.parameters.every(({ name }) => name !== DATASET_ID)) return null;
  const id = pathValues[DATASET_ID] ?? new URLSearchParams(query).get(DATASET_ID);
  if (id === null) return null;
  // When that dataset is gone, a page is shown from the served one and says so.
  const mayUseServed = route.kind === 'page' && !route.isTile;
  try {
    const namedDataset = await service.datasets.named(id, clientOf(exchange));
    if (namedDataset !== null) exchange.answerFrom(namedDataset);
    return namedDataset !== null || mayUseServed ? null : refuseGone(exchange, id);
  } catch (error) {
    if (mayUseServed && error instanceof RefusedError) return null;
    throw error;
  }
}

/** The 404 for a dataset that a request names and that is gone, with what to do. */
function refuseGone(exchange: Exchange, id: string): Reply {
  const served = exchange.dataset.manifest.dataset_id;
  const advice = exchange.route.isTile
    ? 'load the map again'
    : `begin again at the first page, without ${DATASET_ID} or with that one`;
  return refuse(exchange, 'not-found', `Dataset ${quote(id)} is no longer here. ${served} is: ${advice}.`);
}

/** Refuses an optional operation that the operator has not switched on. */
function checkOffered(exchange: Exchange): Reply | null {
  const { isOptional, id, path } = exchange.route;
  if (!isOptional || exchange.service.offered.has(id)) return null;
  return refuse(exchange, 'not-implemented', `${path} is specified but not offered by this server.`);
}

/** Refuses an operation whose section the dataset does not have. */
function checkAvailable(exchange: Exchange): Reply | null {
  const { section } = exchange.route;
  return answersOf(exchange.dataset, section) === null
    ? refuse(exchange, 'unavailable', SECTIONS[section].notLoaded)
    : null;
}

/** The cache of answers of this kind. */
const cacheOf = ({ route, serving }: Exchange): BodyCache => (route.isTile ? serving.tiles : serving.bodies);

/**
 * Finds the body of the answer: in the cache, or by the route. Null when there is a body, or it will be
 * computed; otherwise the reply to a request that ends here.
 */
async function lookUp(exchange: Exchange): Promise<Reply | null> {
  const cached = exchange.isPublic ? cacheOf(exchange).get(exchange.key) : undefined;
  if (cached !== undefined) {
    exchange.body = cached;
    exchange.costUnits = cached.costUnits ?? exchange.costUnits;
    return null;
  }
  const refusal = exchange.route.isCostly ? await limitNewResults(exchange) : null;
  if (refusal !== null) return refuseAs(exchange, refusal);
  return actOn(exchange, await exchange.route.find(exchange.values, exchange));
}

/** Acts on the outcome of a request. Null when the body exists or will be computed. */
function actOn(exchange: Exchange, outcome: RouteOutcome): Reply | null | Promise<Reply | null> {
  switch (outcome.kind) {
    case 'found':
      makeBody(exchange, outcome);
      return null;
    case 'absent':
      return refuse(exchange, 'not-found', outcome.detail);
    case 'refused':
      return refuseAs(exchange, outcome);
    case 'compute':
      return reserveComputing(exchange, outcome.demand);
    case 'postponed': {
      // Several answers: the step `answer` computes them, after payment. Only then does each take a place in the queue.
      const { route, serving } = exchange;
      exchange.costUnits = route.costUnits * outcome.results;
      exchange.computing = {
        async makeBody() {
          exchange.body = serving.bodyOf(route, await outcome.make(), exchange.costUnits);
        },
        leave: () => {},
      };
      return null;
    }
  }
}

/** Makes the body of the answer from the data that were found, and caches it where this helps. */
function makeBody(exchange: Exchange, { data, results, temporaryStatus, isAssembled }: Found<unknown>): void {
  const { serving, route } = exchange;
  if (temporaryStatus !== undefined) {
    exchange.isTemporary = true;
    exchange.status = temporaryStatus;
  }
  // The price of some answers depends on the number of things that were found.
  const isPricedByResults = results !== undefined;
  if (isPricedByResults) exchange.costUnits = route.costUnits * results;
  exchange.body = serving.bodyOf(route, data, exchange.costUnits);
  // A body that is cached later, when it is compressed, keeps its price.
  if (isPricedByResults) exchange.body.costUnits = exchange.costUnits;
  // The number of parts of a long list, for the links to them.
  if (data instanceof JsonBytes) exchange.body.pages = data.pages;
  // JSON that lies in the dataset is read there as fast as from the cache.
  const isStored = data instanceof JsonBytes && !isAssembled;
  // The scripts of the map are compressed quickly at first. They are not cached, because a smaller form soon follows.
  const isScript = data instanceof PackedBody && !route.isTile;
  const isCacheable = exchange.isPublic && !isPricedByResults && !isStored && !isScript;
  if (isCacheable) cacheOf(exchange).put(exchange.key, exchange.body);
}

/** The reply for a refusal of a route or of a computation. */
function refuseAs(exchange: Exchange, { problem, detail }: Refused, violations: readonly Violation[] = []): Reply {
  // Only the limit of computed pages refuses in this way, so the headers must show that limit.
  if (problem === 'rate-limited') exchange.quota = exchange.newResultsQuota;
  return refuse(exchange, problem, detail, violations.length > 0 ? { errors: [...violations] } : {});
}
