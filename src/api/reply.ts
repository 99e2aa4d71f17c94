import { pipeline } from 'node:stream/promises';
import { EXPOSED_HEADERS } from '../contract/headers.ts';
import { deprecationHeaders } from '../contract/operation.ts';
import { PROBLEM_KINDS, type Problem, type ProblemName, problemType } from '../contract/problems.ts';
import { asShortage, DamageError } from '../formats/checked-file.ts';
import { Body, qualityValues } from '../http/body.ts';
import { DAY_SECONDS } from '../http/daily-units.ts';
import { WINDOW_SECONDS } from '../http/rate-limiter.ts';
import { HTML, HTML_HEADERS } from '../site/frame/assets.ts';
import { problemHtml } from '../site/pages.ts';
import type { PageProblem } from '../site/prose/problem-pages.ts';
import type { Exchange } from './exchange.ts';
import { isApiPath } from './routes.ts';
import { nothingAt } from './suggest.ts';

/** A reply to the client. */
export interface Reply {
  status: number;
  /** Names and values in turn. `send` adds the headers of every answer. */
  headers: string[];
  body: Body | Buffer | null;
  /** A body that is too large for memory, in pieces. `end` is called when they are sent or the client has gone. */
  stream?: { pieces: AsyncIterable<Buffer>; end(): void };
  /** Cost units. */
  cost: number;
  /** The kind of problem, for a refusal. */
  problem?: ProblemName;
}

/**
 * A cache may use a public answer for five minutes; for five more while it revalidates with the ETag; and for a day
 * while the service cannot be reached (RFC 5861).
 */
export const CACHE_CONTROL = {
  public: 'public, max-age=300, stale-while-revalidate=300, stale-if-error=86400',
  immutable: 'public, max-age=31536000, immutable',
  'no-store': 'no-store',
};

/** Headers as a list of names and values in turn, the form that Node.js writes fastest. */
export const headerList = (headers: Readonly<Record<string, string>>): string[] => Object.entries(headers).flat();

/** The cost units of a reply: HEAD is free. */
export function costOf({ method }: Exchange, { cost }: Reply): number {
  return method === 'HEAD' ? 0 : cost;
}

/** Seconds after which a client may retry after a 503. */
export const RETRY_AFTER_SECONDS = 5;

/**
 * A problem document (RFC 9457), or a page for a browser.
 * @param detail null: there is nothing at the path
 * @param more members that only some kinds of problems have
 */
export function refuse(
  exchange: Exchange,
  kind: ProblemName,
  detail: string | null,
  more: Partial<Problem> = {},
): Reply {
  const { siteUrl, path, url } = exchange;
  const isPage = asksForPage(exchange);
  const body = isPage
    ? Body.of(problemHtml(pageProblem(exchange, kind, detail, more), exchange))
    : Body.of(JSON.stringify({ ...problemBody(siteUrl, kind, detail ?? nothingAt(path), url), ...more }));
  const headers = isPage
    ? ['Content-Type', HTML, ...HTML_HEADERS, 'Cache-Control', 'no-store']
    : ['Content-Type', 'application/problem+json', 'Cache-Control', 'no-store'];
  headers.push('Content-Length', String(body.bytes));
  if (kind === 'invalid-credentials') headers.push('WWW-Authenticate', exchange.badCredentials?.challenge ?? 'Bearer');
  if (kind === 'method-not-allowed') headers.push('Allow', ALLOWED_METHODS);
  const wait = secondsToWait(exchange, kind);
  if (wait !== null) headers.push('Retry-After', String(wait));
  return { status: PROBLEM_KINDS[kind].status, headers, body, cost: 0, problem: kind };
}

/** Seconds after which a refused client may retry; null when a retry does not help. */
function secondsToWait({ quota, day: dailyUnits }: Exchange, kind: ProblemName): number | null {
  if (kind === 'unavailable') return RETRY_AFTER_SECONDS;
  if (kind !== 'rate-limited') return null;
  return quota?.allowed === false ? quota.resetSeconds : (dailyUnits?.resetSeconds ?? RETRY_AFTER_SECONDS);
}

/** A refusal as the page of a problem shows it. */
function pageProblem(
  exchange: Exchange,
  kind: ProblemName,
  detail: string | null,
  { errors = [] }: Partial<Problem>,
): PageProblem {
  const { knownRoute, path, query, service, id, quota } = exchange;
  const suggestedPath = knownRoute === null ? service.suggestPath(path) : null;
  const parameters = knownRoute?.parameters ?? [];
  const wrongNames = errors.map(({ parameter }) => parameter);
  const waitSeconds = secondsToWait(exchange, kind);
  const limitAMinute = kind === 'rate-limited' && quota?.allowed === false ? quota.limit : null;
  return {
    kind,
    detail: detail ?? nothingAt(path),
    path,
    query,
    wrongNames,
    parameters,
    suggestedPath,
    // The path of a known page may have values that name nothing (/kaigo/zz/). It is refused like an unknown path.
    isKnown: knownRoute !== null && detail !== null,
    waitSeconds,
    limitAMinute,
    id,
  };
}

/** True when a browser opens a page; then the problem is also a page. */
function asksForPage({ knownRoute, path, request }: Exchange): boolean {
  const isPage = knownRoute === null ? !isApiPath(path) : knownRoute.kind === 'page';
  return isPage && (qualityValues(request.headers.accept ?? '').get('text/html') ?? 0) > 0;
}

/** The methods of every path. The service is read-only. */
export const ALLOWED_METHODS = 'GET, HEAD, OPTIONS';

/** The `detail` of a 405. */
export function methodNotAllowed(method: string): string {
  return `${method} is not allowed here; the methods are ${ALLOWED_METHODS}.`;
}

/**
 * The members that every problem has.
 * @param url path and query of the request, unchanged
 */
export function problemBody(siteUrl: string, kind: ProblemName, detail: string, url: string): Problem {
  const { title, status } = PROBLEM_KINDS[kind];
  return { type: problemType(siteUrl, kind), title, status, detail, instance: uriReference(url) };
}

/** Characters that RFC 3986 does not allow in a URI, and `%` without two hexadecimal digits. */
const NOT_IN_A_URI = /[^\w\-.~:/?@!$&'()*+,;=%]|%(?![0-9a-fA-F]{2})/gu;
/** Longest URL that a refusal repeats, characters. */
const LONGEST_INSTANCE = 1000;
/** `%` or `%` and one digit at the end of a text: an escape that was cut. */
const PART_OF_ESCAPE = /%.?$/;

/** The URL of a request as a valid URI reference: escaped, and cut to `LONGEST_INSTANCE`. */
function uriReference(url: string): string {
  const head = url.slice(0, LONGEST_INSTANCE).toWellFormed();
  const escaped = head.replace(NOT_IN_A_URI, (character) => encodeURIComponent(character));
  return escaped.slice(0, LONGEST_INSTANCE).replace(PART_OF_ESCAPE, '');
}

/** Headers of every answer. */
export const COMMON_HEADERS = headerList({
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED_HEADERS,
  'X-Content-Type-Options': 'nosniff',
});

/**
 * Writes the reply and returns the number of bytes of its body. For a stream it returns a promise, which resolves after
 * the last byte.
 */
export function send(exchange: Exchange, reply: Reply): number | Promise<number> {
  const { request, response, service } = exchange;
  const isHead = request.method === 'HEAD';
  const { headers } = reply;
  headers.push('X-Cost-Units', String(costOf(exchange, reply)), 'X-Request-Id', exchange.id);
  if (request.headers.authorization !== undefined) makePrivate(headers);
  if (!isShared(headers)) pushLimits(exchange, headers);
  headers.push(...COMMON_HEADERS, ...deprecationHeaders(exchange.knownRoute?.deprecated));
  if (service.draining) response.shouldKeepAlive = false;
  response.writeHead(reply.status, headers);
  if (reply.stream !== undefined) return sendPieces(exchange, reply.stream);
  const body = isHead ? null : reply.body;
  if (body === null) {
    response.end();
    return 0;
  }
  if (!(body instanceof Body)) {
    response.end(body);
    return body.length;
  }
  const { content } = body;
  // A string has one character for each byte.
  if (typeof content === 'string') response.end(content, 'latin1');
  else response.end(content);
  return content.length;
}

/** The value of Cache-Control; null when there is none. */
function cacheControl(headers: readonly string[]): string | null {
  const name = headers.indexOf('Cache-Control');
  return name < 0 ? null : (headers[name + 1] ?? null);
}

/**
 * Replaces `public` in Cache-Control by `private`. With `public`, shared caches could keep the answer to a request with
 * Authorization (RFC 9111, 3.5).
 */
function makePrivate(headers: string[]): void {
  const control = cacheControl(headers);
  if (control?.startsWith('public')) headers[headers.indexOf(control)] = control.replace('public', 'private');
}

/**
 * True when shared caches may give the answer to other clients. Then it must not have the limits of this client.
 * `no-cache="…"` cannot exclude them, because most caches read it as a plain `no-cache` (RFC 9111, 5.2.2.4).
 */
const isShared = (headers: readonly string[]): boolean => cacheControl(headers)?.startsWith('public') ?? false;

/** Adds RateLimit-Policy and RateLimit: the limits of the client and what is left of them. */
function pushLimits({ quota, day, client }: Exchange, headers: string[]): void {
  if (quota === null) return;
  const name = client?.class === 'key' ? '"key"' : '"default"';
  let policy = `${name};q=${quota.limit};w=${WINDOW_SECONDS}`;
  let remainder = `${name};r=${quota.remaining};t=${quota.resetSeconds}`;
  if (day !== null) {
    policy += `, "daily";q=${day.limit};w=${DAY_SECONDS};qu="cost-units"`;
    remainder += `, "daily";r=${day.remaining};t=${day.resetSeconds}`;
  }
  headers.push('RateLimit-Policy', policy, 'RateLimit', remainder);
}

/** A client may take this many times as long for a piece of a body as a connection may be silent. */
const PIECE_PATIENCE = 4;

/**
 * Writes a body piece by piece and returns its number of bytes. Destroys the connection when the file is damaged, so
 * that no client takes a part for the whole; and when the client takes too long for a piece, because a very slow reader
 * would keep the download open for ever. Stops when the client closes the connection.
 */
async function sendPieces(
  { response, service, serving }: Exchange,
  { pieces, end }: NonNullable<Reply['stream']>,
): Promise<number> {
  let bytesSent = 0;
  const slow = setTimeout(() => response.destroy(), PIECE_PATIENCE * service.patienceMs);
  const counted = async function* (): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      slow.refresh();
      yield piece;
      bytesSent += piece.length;
    }
  };
  try {
    await pipeline(counted, response);
  } catch (error) {
    // A read that fails for lack of memory or file handles is no damage.
    const cause = asShortage(error);
    if (cause instanceof DamageError) service.datasets.foundDamage(serving.dataset, cause);
    response.destroy();
  } finally {
    clearTimeout(slow);
    end();
  }
  return bytesSent;
}
