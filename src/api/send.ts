import { pipeline } from 'node:stream/promises';
import { EXPOSED_HEADERS } from '../contract/headers.ts';
import { deprecationHeaders } from '../contract/operation.ts';
import { asShortage, DamageError } from '../formats/checked-file.ts';
import { Body } from '../http/body.ts';
import { WINDOW_SECONDS } from '../http/client-table.ts';
import { DAY_SECONDS } from '../http/daily-units.ts';
import type { Exchange } from './exchange.ts';
import { costOf, type Reply } from './reply.ts';

/** On every answer. */
export const COMMON_HEADERS = [
  ...['Access-Control-Allow-Origin', '*', 'Access-Control-Expose-Headers', EXPOSED_HEADERS],
  ...['X-Content-Type-Options', 'nosniff'],
];

/**
 * Writes the reply and gives the bytes of its body. A promise comes back where the body is a stream; it resolves when
 * the last byte is handed over.
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
 * Whether any cache may keep the answer and hand it to other clients: then it says nothing of this one. `public` would let shared caches
 * keep the answer to a request with Authorization, too (RFC 9111, 3.5): that answer becomes `private`. The limits are not listed in
 * `no-cache="…"`, since most caches take that for a plain `no-cache` (RFC 9111, 5.2.2.4).
 */
function isShared({ request }: Exchange, headers: string[]): boolean {
  const at = headers.indexOf('Cache-Control') + 1;
  const control = headers[at] ?? '';
  if (at === 0 || !control.startsWith('public')) return false;
  if (request.headers.authorization === undefined) return true;
  headers[at] = control.replace('public', 'private');
  return false;
}

/** What holds for the client, and what is left of it. */
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

/** A client may take as long for a piece of a body as a connection may be silent, so many times. */
const PIECE_PATIENCE = 4;

/**
 * Writes a body piece by piece and gives its bytes. When the client goes away in the middle, nothing is left to be said to
 * it; when damage is met, the connection is broken off, so that no client takes a part for the whole. So it is when a client takes
 * too long for a piece: one that reads a byte now and then would never end.
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
    if (damage instanceof DamageError) service.slot.met(serving.dataset, damage);
    response.destroy();
  } finally {
    clearTimeout(slow);
    end();
  }
  return sent;
}
