import type { DayStanding } from '../http/daily-units.ts';
import type { Quota } from '../http/rate-limiter.ts';
import type { Exchange } from './exchange.ts';
import { identify } from './identify.ts';
import { type Reply, refuse } from './reply.ts';

/** Finds out who asks, and refuses those who have used up their requests of the last minute or their day. */
export function limitRate(exchange: Exchange): Reply | null | Promise<Reply | null> {
  const { limiter } = exchange.service;
  const client = identify(exchange);
  exchange.client = client;
  if (limiter === null) return null;
  const quota = limiter.take(client.key, client.limit);
  if (client.dailyUnits !== undefined)
    return Promise.resolve(quota).then((known) => judge(exchange, known) ?? spendUnits(exchange, 0));
  return quota instanceof Promise ? quota.then((late) => judge(exchange, late)) : judge(exchange, quota);
}

/**
 * Takes what the answer costs from the day of a key that has so many cost units a day, and refuses it where they are not
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
