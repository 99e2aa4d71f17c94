import type { Quota } from '../http/rate-limiter.ts';
import type { Exchange } from './exchange.ts';
import { identify } from './identify.ts';
import { type Reply, refuse } from './reply.ts';

/** Finds out who asks, and refuses those who have used up their requests. */
export function limitRate(exchange: Exchange): Reply | null | Promise<Reply | null> {
  const { limiter } = exchange.service;
  const client = identify(exchange);
  exchange.client = client;
  if (limiter === null) return null;
  const quota = limiter.take(client.key, client.limit);
  return quota instanceof Promise ? quota.then((late) => judge(exchange, late)) : judge(exchange, quota);
}

/** Refuses those who have opened too many pages. What pages load, and may be kept for ever, does not count. */
export function limitPages(exchange: Exchange): Reply | null | Promise<Reply | null> {
  const { pageLimiter } = exchange.service;
  if (pageLimiter === null || exchange.knownRoute?.cache === 'immutable') return null;
  const client = identify(exchange);
  exchange.client = client;
  const quota = pageLimiter.take(client.key);
  return quota instanceof Promise ? quota.then((late) => judge(exchange, late)) : judge(exchange, quota);
}

function judge(exchange: Exchange, quota: Quota): Reply | null {
  exchange.quota = quota;
  if (quota.allowed) return null;
  const detail = `More than ${quota.limit} requests in a minute; come back in ${quota.resetSeconds} s.`;
  return refuse(exchange, 'rate-limited', detail);
}
