import type { IncomingMessage } from 'node:http';
import { clientAddress, countedName } from '../http/client-address.ts';
import type { Quota } from '../http/rate-limiter.ts';
import type { Exchange } from './exchange.ts';
import type { ApiKey, BadCredentials, Client, KeyRing } from './keys.ts';
import { type Reply, refuse } from './reply.ts';
import type { Service } from './service-parts.ts';

/**
 * Refuses an HTTP/1.1 request that does not have exactly one Host header (RFC 9112, 3.2). Its value does not matter.
 */
export function checkHost(exchange: Exchange): Reply | null {
  const { httpVersionMinor, rawHeaders } = exchange.request;
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  if (hosts === 1 || (hosts === 0 && httpVersionMinor === 0)) return null;
  const detail = `A request has one Host header; this one has ${hosts}.`;
  return refuse(exchange, 'invalid-parameter', detail, { errors: [{ parameter: 'Host', detail }] });
}

/** The sender of a request. `badCredentials` describes a fault of the key; null without a key or with a valid one. */
interface Identity {
  client: Client;
  badCredentials: BadCredentials | null;
}

/**
 * The client of a request to the API. A valid key is its own client. A request with an invalid key counts for its
 * address, so guessing keys is limited too.
 */
export function identify(request: IncomingMessage, service: Pick<Service, 'keys' | 'proxies'>): Identity {
  const credentials = readCredentials(request, service.keys);
  // Only a key has an `id`; bad credentials have none.
  if (credentials !== null && 'id' in credentials) return { client: clientOfKey(credentials), badCredentials: null };
  return { client: clientByAddress(request, service), badCredentials: credentials };
}

/** The client of a request for a page or a download. Keys do not matter there; the address counts. */
export function clientByAddress(request: IncomingMessage, { proxies }: Pick<Service, 'proxies'>): Client {
  const forwarded = request.headers['x-forwarded-for'] as string | undefined;
  return {
    countedAs: countedName(clientAddress(request.socket.remoteAddress ?? '', forwarded, proxies)),
    class: 'anonymous',
  };
}

/** The name under which the client of a request is counted. */
export function clientOf(exchange: Exchange): string {
  exchange.client ??= clientByAddress(exchange.request, exchange.service);
  return exchange.client.countedAs;
}

/** The client that a valid key identifies. */
function clientOfKey({ id, limit, daily_units }: ApiKey): Client {
  const units = daily_units !== null && { dailyUnits: daily_units };
  return { countedAs: id, class: 'key', ...(limit !== null && { limit }), ...units };
}

/** Refuses bad credentials. No key is needed, but one that is sent must be valid. */
export function authenticate(exchange: Exchange): Reply | null {
  const { badCredentials } = exchange;
  return badCredentials === null ? null : refuse(exchange, 'invalid-credentials', badCredentials.detail);
}

const NO_KEY_NEEDED = 'No key is needed: leave the Authorization header out.';

/** The Authorization header of a key (RFC 6750, 2.1). Schemes are case-insensitive (RFC 9110, 11.1). */
const BEARER = /^Bearer +([\w.~+/-]+=*)$/i;

/** Reads the API key of a request, or says why it is invalid. Null when the request has no credentials. */
function readCredentials(request: IncomingMessage, keys: KeyRing | null): ApiKey | BadCredentials | null {
  const headers = request.headersDistinct.authorization ?? [];
  if (headers.length === 0) return null;
  if (headers.length > 1) return bad('There is more than one Authorization header.');
  const token = BEARER.exec(headers[0])?.[1];
  if (token === undefined) return bad('The Authorization header is not of the form "Bearer <key>".');
  if (keys === null) return bad('This server has issued no keys.');
  const key = keys.verify(token);
  if (key === 'unknown') return bad('The key is not known to this server.', INVALID_TOKEN);
  const { state, record } = key;
  if (state === 'revoked') return bad(`The key ${record.id} has been revoked.`, INVALID_TOKEN);
  if (state === 'expired') return bad(`The key ${record.id} has expired (${record.expires}).`, INVALID_TOKEN);
  return record;
}

/** The challenge of the 401 for a key that is not valid (RFC 6750, 3.1). */
const INVALID_TOKEN = 'Bearer error="invalid_token"';

/** Bad credentials, with a sentence that says what is wrong with them. */
function bad(what: string, challenge = 'Bearer'): BadCredentials {
  return { detail: `${what} ${NO_KEY_NEEDED}`, challenge };
}

/** Identifies the client. Refuses it when it has used its requests of the last minute or its cost units of the day. */
export async function limitRate(exchange: Exchange): Promise<Reply | null> {
  const limiter = exchange.service.limiters.api;
  const { client, badCredentials } = identify(exchange.request, exchange.service);
  exchange.client = client;
  exchange.badCredentials = badCredentials;
  if (limiter === null || isPreflight(exchange.request)) return null;
  // The message of an agent was counted when it came.
  const quota = exchange.admitted ?? (await limiter.take(client.countedAs, client.limit));
  // Takes no units yet, and refuses a client that has none left.
  return applyQuota(exchange, quota) ?? (await spendUnits(exchange, 0));
}

/** True for the question of a browser whether it may send a request (CORS preflight). It never carries the key. */
const isPreflight = ({ method, headers }: IncomingMessage): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;

/**
 * Takes the cost of the answer from the daily limit of a key. Refuses the request when not enough is left.
 * `Exchange.releaseHeld` gives back unused units.
 * @param units by default the cost; a HEAD request costs nothing. 0: takes nothing, and refuses the request when nothing
 * is left
 */
export async function spendUnits(
  exchange: Exchange,
  units = exchange.method === 'HEAD' ? 0 : exchange.costUnits,
): Promise<Reply | null> {
  const { client, service } = exchange;
  if (client?.dailyUnits === undefined || service.dailyUnits === null) return null;
  const standing = await service.dailyUnits.take(client.countedAs, units, client.dailyUnits);
  const { allowed, limit, remaining, endsAtMs } = standing;
  exchange.day = standing;
  if (allowed) exchange.unitsTaken = units;
  // Taking 0 units is always allowed. It passes only when some are left.
  if (allowed && (units > 0 || remaining > 0)) return null;
  const end = new Date(endsAtMs).toISOString().replace('.000Z', 'Z');
  const state =
    remaining === 0 ? 'are used up' : `have ${remaining} left, which is less than the ${units} of this call`;
  const hint = units > limit ? 'A day has less than this call costs.' : `The next day begins at ${end}.`;
  return refuse(exchange, 'rate-limited', `The ${limit} cost units of this key's day ${state}. ${hint}`);
}

/**
 * Refuses a client that has loaded too many pages or tiles; each has its own limit. Other files of pages do not count,
 * because they may be cached for ever.
 */
export async function limitPages(exchange: Exchange): Promise<Reply | null> {
  const { knownRoute, service } = exchange;
  const isTile = knownRoute?.isTile ?? false;
  const limiter = service.limiters[isTile ? 'tiles' : 'pages'];
  if (limiter === null || (knownRoute?.cache === 'immutable' && !isTile)) return null;
  const client = clientByAddress(exchange.request, service);
  exchange.client = client;
  return applyQuota(exchange, await limiter.take(client.countedAs));
}

/** Notes the quota of the client in the exchange. Refuses the request when the quota does not allow it. */
function applyQuota(exchange: Exchange, quota: Quota): Reply | null {
  exchange.quota = quota;
  return quota.allowed ? null : refuse(exchange, 'rate-limited', tooMany(quota));
}

/** The `detail` of a 429. */
export const tooMany = ({ limit, resetSeconds }: Quota): string =>
  `More than ${limit} requests in a minute; try again in ${resetSeconds} s.`;
