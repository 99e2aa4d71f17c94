import type { ReadStream } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { EXPOSED_HEADERS } from '../contract/headers.ts';
import { Body } from '../http/body.ts';
import { WINDOW_SECONDS } from '../http/recent-requests.ts';
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
  const { request, response, quota, client, service } = exchange;
  const isHead = request.method === 'HEAD';
  const { headers } = reply;
  headers.push('X-Cost-Units', String(costOf(exchange, reply)), 'X-Request-Id', exchange.id);
  if (quota !== null) {
    const policy = client?.class === 'key' ? '"key"' : '"default"';
    headers.push('RateLimit-Policy', `${policy};q=${quota.limit};w=${WINDOW_SECONDS}`);
    headers.push('RateLimit', `${policy};r=${quota.remaining};t=${quota.resetSeconds}`);
  }
  headers.push(...COMMON_HEADERS);
  if (service.draining) response.shouldKeepAlive = false;
  response.writeHead(reply.status, headers);
  if (reply.stream !== undefined && !isHead) return sendStream(reply.stream(), response);
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
  else response.end(content, () => body.letGo());
  return content.length;
}

/** A stream fails when the client goes away in the middle: nothing is left to be said to it. */
async function sendStream(stream: ReadStream, response: ServerResponse): Promise<number> {
  await pipeline(stream, response).catch(() => response.destroy());
  return stream.bytesRead;
}
