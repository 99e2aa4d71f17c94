import { clientAddress, clientKey } from '../http/client-address.ts';
import type { BadCredentials, Client } from './client.ts';
import type { Exchange } from './exchange.ts';
import type { ApiKey } from './keys/api-key.ts';
import type { KeyRing } from './keys/key-ring.ts';
import { type Reply, refuse } from './reply.ts';

/**
 * Who asks. A key that works makes a client of its own; whoever brings one that does not is counted by address, so
 * that guessing is limited too.
 */
export function identify(exchange: Exchange): Client {
  const { request, service } = exchange;
  if (request.headers.authorization !== undefined) {
    const found = readCredentials(request.headersDistinct.authorization!, service.keys);
    if ('id' in found) return clientOfKey(found);
    exchange.badCredentials = found;
  }
  const forwarded = request.headers['x-forwarded-for'] as string | undefined;
  return {
    key: clientKey(clientAddress(request.socket.remoteAddress ?? '', forwarded, service.proxies)),
    class: 'anonymous',
  };
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

function readCredentials(headers: readonly string[], keys: KeyRing | null): ApiKey | BadCredentials {
  if (headers.length > 1) return bad('There is more than one Authorization header.');
  const token = BEARER.exec(headers[0])?.[1];
  if (token === undefined) return bad('The Authorization header is not of the form "Bearer <key>".');
  if (keys === null) return bad('This server has issued no keys.');
  const found = keys.verify(token);
  if (found === 'unknown') return bad('The key does not verify.', INVALID_TOKEN);
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
