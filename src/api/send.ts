import { pipeline } from 'node:stream/promises';
import { EXPOSED_HEADERS } from '../contract/headers.ts';
import { deprecationHeaders } from '../contract/operation.ts';
import { asShortage, DamageError } from '../formats/checked-file.ts';
import { Body } from '../http/body.ts';
import { WINDOW_SECONDS } from '../http/client-table.ts';
import { DAY_SECONDS } from '../http/daily-units.ts';
import type { Exchange } from './exchange.ts';
import { costOf, headerList, type Reply } from './reply.ts';

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
  if (!isShared(exchange, headers)) pushLimits(exchange, headers);
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
  if (typeof content === 'string') response.end(content, 'latin1');
  else response.end(content);
  return content.length;
}

/**
 * True when shared caches may give the answer to other clients. Then it must not have the limits of this client.
 * `no-cache="…"` cannot exclude them, because most caches read it as a plain `no-cache` (RFC 9111, 5.2.2.4). With
 * `public`, caches could also keep the answer to a request with Authorization (RFC 9111, 3.5), so that becomes
 * `private`.
 */
function isShared({ request }: Exchange, headers: string[]): boolean {
  const at = headers.indexOf('Cache-Control') + 1;
  const control = headers[at] ?? '';
  if (at === 0 || !control.startsWith('public')) return false;
  if (request.headers.authorization === undefined) return true;
  headers[at] = control.replace('public', 'private');
  return false;
}

/** Adds the limits of the client and what is left of them. */
function pushLimits({ quota, day, client }: Exchange, headers: string[]): void {
  if (quota === null) return;
  const name = client?.class === 'key' ? '"key"' : '"default"';
  let policy = `${name};q=${quota.limit};w=${WINDOW_SECONDS}`;
  let left = `${name};r=${quota.remaining};t=${quota.resetSeconds}`;
  if (day !== null) {
    policy += `, "daily";q=${day.limit};w=${DAY_SECONDS};qu="cost-units"`;
    left += `, "daily";r=${day.remaining};t=${day.resetSeconds}`;
  }
  headers.push('RateLimit-Policy', policy, 'RateLimit', left);
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
  let sent = 0;
  const slow = setTimeout(() => response.destroy(), PIECE_PATIENCE * service.patienceMs);
  const counted = async function* (): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      slow.refresh();
      yield piece;
      sent += piece.length;
    }
  };
  try {
    await pipeline(counted, response);
  } catch (error) {
    const damage = asShortage(error);
    if (damage instanceof DamageError) service.slot.foundDamage(serving.dataset, damage);
    response.destroy();
  } finally {
    clearTimeout(slow);
    end();
  }
  return sent;
}
