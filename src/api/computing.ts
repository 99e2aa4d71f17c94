import type { Reservation } from '../compute/computer.ts';
import type { Demand } from '../compute/on-demand/on-demand.ts';
import { Abandoned, ThreadEnded, TooLate } from '../compute/pool.ts';
import { type Refused, refused } from '../contract/outcome.ts';
import { JsonBytes } from '../formats/json-bytes.ts';
import { Body } from '../http/body.ts';
import { clientOf } from './admission.ts';
import { RefusedError, unavailable } from './errors.ts';
import { AnswerWork, type Exchange } from './exchange.ts';
import { type Reply, refuse } from './reply.ts';

const QUEUE_IS_FULL = 'The queue for computing is full. Try again a little later.';

/** Reserves a slot in the queue for the computation of the answer. Refuses the request when the queue is full. */
export async function reserveComputing(exchange: Exchange, demand: Demand): Promise<Reply | null> {
  const reservation = await exchange.service.computer.reserve(clientOf(exchange));
  if (reservation === null) return refuse(exchange, 'unavailable', QUEUE_IS_FULL);
  exchange.computing = { makeBody: () => computeBody(exchange, demand, reservation), leave: () => reservation.leave() };
  return null;
}

/** Computes the body of the answer and caches it. */
async function computeBody(exchange: Exchange, demand: Demand, reservation: Reservation): Promise<void> {
  const { serving, route, costUnits } = exchange;
  const json = await computeJson(exchange, demand, reservation);
  exchange.body = serving.bodyOf(route, new JsonBytes(json), costUnits);
  if (exchange.isPublic) serving.bodies.put(exchange.key, exchange.body);
}

/**
 * Computes the JSON of a demand (an answer that is computed on request) in a computing thread, before the deadline of
 * the whole answer.
 * @param reservation the slot in the queue for computations that this request holds
 * @throws RefusedError when it takes too long, the client has gone or the thread ends
 */
async function computeJson(exchange: Exchange, demand: Demand, reservation: Reservation): Promise<Buffer> {
  exchange.work ??= new AnswerWork(exchange.response);
  const { signal, waitedMs } = exchange.work;
  try {
    return await reservation.compute({ folder: exchange.dataset.folder, demand }, signal, waitedMs);
  } catch (error) {
    if (error instanceof TooLate) throw unavailable('The answer was not computed in time. Try again a little later.');
    if (error instanceof Abandoned) throw unavailable('The client has gone.');
    if (error instanceof ThreadEnded) {
      const { service, id, knownRoute } = exchange;
      const request = { request_id: id, operation: knownRoute?.id ?? null };
      service.log.error({ ...request, reason: error.message }, 'a computing thread has ended');
      throw unavailable('The computation was interrupted. Try again a little later.');
    }
    throw error;
  }
}

/**
 * Lets a page compute what it shows, by `exchange.compute`. Results are cached. New results count against a limit of
 * each client: a page counts once, however many results it needs. This step never answers itself.
 */
export function offerComputing(exchange: Exchange): Reply | null {
  const { bodies } = exchange.serving;
  let limitCheck: Promise<Refused | null> | null = null;
  exchange.compute = async (demand) => {
    const key = JSON.stringify(demand);
    const cached = bodies.get(key);
    if (cached !== undefined) return JSON.parse(cached.text);
    limitCheck ??= limitNewResults(exchange);
    const refusal = await limitCheck;
    if (refusal !== null) return refusal;
    const reservation = await exchange.service.computer.reserve(clientOf(exchange));
    if (reservation === null) return refused('unavailable', QUEUE_IS_FULL);
    try {
      const body = Body.of(await computeJson(exchange, demand, reservation));
      bodies.put(key, body);
      return JSON.parse(body.text);
    } catch (error) {
      if (error instanceof RefusedError) return error.refusal;
      throw error;
    }
  };
  return null;
}

/**
 * Counts a page that needs a computation for its client, once in a request.
 * @returns a refusal when the client has used its limit
 */
export async function limitNewResults(exchange: Exchange): Promise<Refused | null> {
  const limiter = exchange.service.limiters.newResults;
  if (limiter === null || exchange.newResultsQuota !== null) return null;
  exchange.newResultsQuota = await limiter.take(clientOf(exchange));
  const { allowed, limit, resetSeconds } = exchange.newResultsQuota;
  if (allowed) return null;
  return refused(
    'rate-limited',
    `More than ${limit} pages had to be computed for you in a minute; try again in ${resetSeconds} s.`,
  );
}
