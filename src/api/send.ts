import { pipeline } from 'node:stream/promises';
import { EXPOSED_HEADERS } from '../contract/headers.ts';
import type { Exchange } from './exchange.ts';
import { WINDOW_SECONDS } from './rate-limiter.ts';
import type { Reply } from './reply.ts';

/** On every answer. */
export const COMMON_HEADERS = [
  ...['Access-Control-Allow-Origin', '*', 'Access-Control-Expose-Headers', EXPOSED_HEADERS],
  ...['X-Content-Type-Options', 'nosniff'],
];

/** Writes the reply. A promise comes back where the body is a stream; it resolves when the last byte is handed over. */
export function send(exchange: Exchange, reply: Reply): void | Promise<void> {
  const { request, response, quota, service } = exchange;
  const isHead = request.method === 'HEAD';
  const { headers } = reply;
  headers.push('X-Cost-Units', String(isHead ? 0 : reply.cost), 'X-Request-Id', exchange.id);
  if (quota !== null) {
    headers.push('RateLimit-Policy', `"default";q=${quota.limit};w=${WINDOW_SECONDS}`);
    headers.push('RateLimit', `"default";r=${quota.remaining};t=${quota.resetSeconds}`);
  }
  headers.push(...COMMON_HEADERS);
  if (service.draining) response.shouldKeepAlive = false;
  response.writeHead(reply.status, headers);
  if (reply.stream !== undefined && !isHead) return pipeline(reply.stream(), response);
  response.end(isHead ? undefined : (reply.body ?? undefined));
}

/** The record of a request: what was asked, what came of it and what it cost. */
export function meter(exchange: Exchange, reply: Reply): void {
  const { request, service, client } = exchange;
  service.log.info(
    {
      request_id: exchange.id,
      method: request.method,
      url: exchange.url,
      operation: exchange.route?.operation.id ?? null,
      status: reply.status,
      problem: reply.problem,
      cost_units: request.method === 'HEAD' ? 0 : reply.cost,
      duration_ms: Math.round((performance.now() - exchange.startedAt) * 1000) / 1000,
      client: client?.key,
      client_class: client?.class,
    },
    'request',
  );
}
