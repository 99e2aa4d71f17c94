import { Body } from '../http/body.ts';
import { PageRefusal } from '../site/page.ts';
import { computeJson, LINE_IS_FULL } from './compute-answer.ts';
import type { Exchange } from './exchange.ts';
import { identify } from './identify.ts';
import type { Reply } from './reply.ts';
import { Unavailable } from './unavailable.ts';

/**
 * Lets a page have something computed. What was computed before is kept; for what is new, each client has a limit that
 * counts pages, however much one of them needs.
 */
export function offerComputing(exchange: Exchange): Reply | null {
  const { computed } = exchange.serving;
  exchange.compute = async (demand) => {
    const key = JSON.stringify(demand);
    const kept = computed.get(key);
    if (kept !== undefined) return parsed(kept);
    const refusal = await limitNewResults(exchange);
    if (refusal !== null) return refusal;
    const place = await exchange.service.computer.reserve(clientOf(exchange));
    if (place === null) return new PageRefusal('unavailable', LINE_IS_FULL);
    try {
      const body = Body.of(await computeJson(exchange, { demand, place }));
      computed.put(key, body);
      return parsed(body);
    } catch (error) {
      if (error instanceof Unavailable) return new PageRefusal('unavailable', error.message);
      throw error;
    }
  };
  return null;
}

function clientOf(exchange: Exchange): string {
  exchange.client ??= identify(exchange);
  return exchange.client.key;
}

function parsed<Value>({ content }: Body): Value {
  return JSON.parse(typeof content === 'string' ? Buffer.from(content, 'latin1').toString() : content.toString());
}

/** Refuses those for whom enough has been computed in the last minute. */
async function limitNewResults(exchange: Exchange): Promise<PageRefusal | null> {
  const { newResultLimiter } = exchange.service;
  if (newResultLimiter === null) return null;
  exchange.newResults ??= await newResultLimiter.take(clientOf(exchange));
  const { allowed, limit, resetSeconds } = exchange.newResults;
  if (allowed) return null;
  return new PageRefusal(
    'rate-limited',
    `More than ${limit} pages had to be computed for you in a minute; come back in ${resetSeconds} s.`,
  );
}
