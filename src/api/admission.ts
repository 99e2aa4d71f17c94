import type { IncomingMessage } from 'node:http';
import { clientAddress, clientKey } from '../http/client-address.ts';
import type { DayStanding } from '../http/daily-units.ts';
import type { Quota } from '../http/rate-limiter.ts';
import type { Exchange } from './exchange.ts';
import type { ApiKey, BadCredentials, Client } from './keys/api-key.ts';
import type { KeyRing } from './keys/key-ring.ts';
import { type Reply, refuse } from './reply.ts';
import type { Service } from './service-parts.ts';

/** An HTTP/1.1 request names its host once, or is 400 (RFC 9112, §3.2). Which it names does not matter here. */
export function checkHost(exchange: Exchange): Reply | null {
  const { httpVersionMinor, rawHeaders } = exchange.request;
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  if (hosts === 1 || (hosts === 0 && httpVersionMinor === 0)) return null;
  const detail = `A request names its host in one Host header; this one has ${hosts}.`;
  return refuse(exchange, 'invalid-parameter', detail, { errors: [{ parameter: 'Host', detail }] });
}

/** Whose request it is, and what is wrong with the key that came with it; null where there is none, or a good one. */
interface Identity {
  client: Client;
  badCredentials: BadCredentials | null;
}

/**
 * The client of a request to the interface. A key that works makes a client of its own; a client with a key that does not is counted
 * by address, so that guessing is limited too.
 */
export function identify(request: IncomingMessage, service: Pick<Service, 'keys' | 'proxies'>): Identity {
  const found = readCredentials(request, service.keys);
  if (found !== null && 'id' in found) return { client: clientOfKey(found), badCredentials: null };
  return { client: clientByAddress(request, service), badCredentials: found };
}

/** The client of a request for a page or a download, which know no keys: whatever it sends, its address counts. */
export function clientByAddress(request: IncomingMessage, { proxies }: Pick<Service, 'proxies'>): Client {
  const forwarded = request.headers['x-forwarded-for'] as string | undefined;
  return { key: clientKey(clientAddress(request.socket.remoteAddress ?? '', forwarded, proxies)), class: 'anonymous' };
}

/** By what the client of a request is counted; only pages have no client yet, where they are not limited. */
export function clientOf(exchange: Exchange): string {
  exchange.client ??= clientByAddress(exchange.request, exchange.service);
  return exchange.client.key;
}

function clientOfKey({ id, limit, daily_units }: ApiKey): Client {
  const units = daily_units !== null && { dailyUnits: daily_units };
  return { key: id, class: 'key', ...(limit !== null && { limit }), ...units };
}

/** Without an Authorization header everyone is welcome; with one it has to verify. */
export function authenticate(exchange: Exchange): Reply | null {
  const { badCredentials } = exchange;
  return badCredentials === null ? null : refuse(exchange, 'invalid-credentials', badCredentials.detail);
}

const LEAVE_OUT = 'No key is needed: leave the Authorization header out.';

/** RFC 6750 §2.1; schemes do not care about case (RFC 9110 §11.1). */
const BEARER = /^Bearer +([\w.~+/-]+=*)$/i;

/** Null where there are none. */
function readCredentials(request: IncomingMessage, keys: KeyRing | null): ApiKey | BadCredentials | null {
  const headers = request.headersDistinct.authorization ?? [];
  if (headers.length === 0) return null;
  if (headers.length > 1) return bad('There is more than one Authorization header.');
  const token = BEARER.exec(headers[0])?.[1];
  if (token === undefined) return bad('The Authorization header is not of the form "Bearer <key>".');
  if (keys === null) return bad('This server has issued no keys.');
  const found = keys.verify(token);
  if (found === 'unknown') return bad('The key is not known to this server.', INVALID_TOKEN);
  const { state, record } = found;
  if (state === 'revoked') return bad(`The key ${record.id} has been revoked.`, INVALID_TOKEN);
  if (state === 'expired') return bad(`The key ${record.id} has expired (${record.expires}).`, INVALID_TOKEN);
  return record;
}

/** RFC 6750 §3.1. */
const INVALID_TOKEN = 'Bearer error="invalid_token"';

function bad(what: string, challenge = 'Bearer'): BadCredentials {
  return { detail: `${what} ${LEAVE_OUT}`, challenge };
}

/** Finds out whose request it is, and refuses clients who have used up their requests of the last minute or their day. */
export function limitRate(exchange: Exchange): Reply | null | Promise<Reply | null> {
  const { limiter } = exchange.service;
  const { client, badCredentials } = identify(exchange.request, exchange.service);
  exchange.client = client;
  exchange.badCredentials = badCredentials;
  if (limiter === null) return null;
  const quota = exchange.admitted ?? limiter.take(client.key, client.limit);
  if (client.dailyUnits !== undefined)
    return Promise.resolve(quota).then((known) => judge(exchange, known) ?? spendUnits(exchange, 0));
  return quota instanceof Promise ? quota.then((late) => judge(exchange, late)) : judge(exchange, quota);
}

/**
 * Takes what the answer costs from the day of a key with a daily limit of cost units, and refuses it where they are not
 * enough. What is not used then, because the answer turns out to cost less, is given back.
 */
export function spendUnits(
  exchange: Exchange,
  units = exchange.method === 'HEAD' ? 0 : exchange.costUnits,
): Reply | null | Promise<Reply | null> {
  const { client, service } = exchange;
  if (client?.dailyUnits === undefined || service.dailyUnits === null) return null;
  const standing = service.dailyUnits.take(client.key, units, client.dailyUnits);
  const judged = (found: DayStanding): Reply | null => judgeDay(exchange, units, found);
  return standing instanceof Promise ? standing.then(judged) : judged(standing);
}

function judgeDay(exchange: Exchange, units: number, standing: DayStanding): Reply | null {
  const { allowed, limit, remaining, endsAtMs } = standing;
  exchange.day = standing;
  if (allowed) exchange.unitsTaken = units;
  if (allowed && remaining + units > 0) return null;
  const end = new Date(endsAtMs).toISOString().replace('.000Z', 'Z');
  const what = remaining === 0 ? 'are used up' : `have ${remaining} left, which is less than the ${units} of this call`;
  const hint = units > limit ? 'A day has less than this call costs.' : `The next day begins at ${end}.`;
  return refuse(exchange, 'rate-limited', `The ${limit} cost units of this key's day ${what}. ${hint}`);
}

/**
 * Refuses those who have opened too many pages, or too many tiles, which are counted by themselves. What else pages load, and
 * may be kept for ever, does not count.
 */
export function limitPages(exchange: Exchange): Reply | null | Promise<Reply | null> {
  const { knownRoute, service } = exchange;
  const isTile = knownRoute?.isTile ?? false;
  const pageLimiter = isTile ? service.tileLimiter : service.pageLimiter;
  if (pageLimiter === null || (knownRoute?.cache === 'immutable' && !isTile)) return null;
  const client = clientByAddress(exchange.request, service);
  exchange.client = client;
  const quota = pageLimiter.take(client.key);
  return quota instanceof Promise ? quota.then((late) => judge(exchange, late)) : judge(exchange, quota);
}

function judge(exchange: Exchange, quota: Quota): Reply | null {
  exchange.quota = quota;
  return quota.allowed ? null : refuse(exchange, 'rate-limited', tooMany(quota));
}

/** What a client is told that has used up its requests of the last minute. */
export const tooMany = ({ limit, resetSeconds }: Quota): string =>
  `More than ${limit} requests in a minute; try again in ${resetSeconds} s.`;
