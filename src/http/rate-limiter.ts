import type { Network } from './client-address.ts';
import { ClientTable, type RecentRequests, requestsPerInstant, WINDOW_MS } from './client-table.ts';

/** The limit of a client after a request, and what is left of it. */
export interface Quota {
  allowed: boolean;
  /** Requests in any 60 seconds. */
  limit: number;
  /** Requests left now. */
  remaining: number;
  /** Seconds until one more request is allowed, rounded up. */
  resetSeconds: number;
}

/** Counts requests by client. */
export interface RateLimiter {
  /**
   * Counts one request unless it is refused. Returns a promise only when another process counts; it does not reject.
   * @param limit the client's own limit, if it has one
   */
  take(client: string, limit?: number): Quota | Promise<Quota>;
}

/** A network for which a request counts, with its limit. */
export interface Counted {
  network: Network;
  limit: number;
}

/** Each wider network may have four times as many requests. */
const WIDER_LIMIT = 4;

const limitOf = ({ depth }: Network, limit: number): number => limit * WIDER_LIMIT ** depth;

/** Milliseconds of a clock that never jumps. */
const steadyClock = (): number => performance.now();

/** Counts in the memory of this process. */
export class MemoryRateLimiter implements RateLimiter {
  readonly #limit: number;
  readonly #now: () => number;
  readonly #table = new ClientTable();

  constructor(limit: number, now: () => number = steadyClock) {
    this.#limit = limit;
    this.#now = now;
  }

  take(client: string, own = this.#limit): Quota {
    const now = this.#now();
    const counted = this.#countedFor(client, own, now).map(({ network, limit }) => ({
      limit,
      requests: this.#table.requestsOf(network, now),
    }));
    const perInstant = counted.map(({ limit }) => requestsPerInstant(limit));
    const counts = counted.map(({ requests }, i) => requests.count(now, perInstant[i]));
    const allowed = counted.every(({ limit }, i) => counts[i] < limit);
    if (allowed) for (const [i, { requests }] of counted.entries()) requests.add(now, perInstant[i]);
    const left = counted.map(({ limit, requests }, i) => ({
      remaining: limit - counts[i] - (allowed ? 1 : 0),
      freeInMs: requests.freeInMs(now),
    }));
    return quotaOf(allowed, own, left);
  }

  /** The networks for which a request of the client counts, with their limits. */
  countedFor(client: string, own = this.#limit): Counted[] {
    return this.#countedFor(client, own, this.#now());
  }

  #countedFor(client: string, own: number, now: number): Counted[] {
    return this.#table.networksFor(client, now).map((network) => ({ network, limit: limitOf(network, own) }));
  }

  /** Replaces a count by another one. `make` gets the time of this limiter's clock. */
  takeOver(network: Network, make: (now: number) => RecentRequests): void {
    const now = this.#now();
    this.#table.set(network, make(now), now);
  }

  /** Number of clients and networks. */
  get size(): number {
    return this.#table.size;
  }
}

/** The quota of a client: the smallest remainder of the networks for which its request counts. */
export function quotaOf(allowed: boolean, limit: number, left: readonly Left[]): Quota {
  const remaining = Math.max(0, Math.min(limit, ...left.map((one) => one.remaining)));
  const binding = left.filter((one) => one.remaining <= remaining);
  const wait = Math.max(...binding.map(({ freeInMs }) => freeInMs));
  const resetSeconds = Math.max(1, Math.ceil(Math.min(wait, WINDOW_MS) / 1000));
  return { allowed, limit, remaining, resetSeconds };
}

/** The number of further requests of a network, and the time until its oldest request leaves the window. */
interface Left {
  remaining: number;
  freeInMs: number;
}
