import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** Where a client stands in its window, after the request at hand. */
export interface Quota {
  allowed: boolean;
  /** Requests in a window. */
  limit: number;
  /** Requests left in this one. */
  remaining: number;
  /** Seconds until the window ends, rounded up: waiting that long is enough. */
  resetSeconds: number;
}

/** Counts requests by client. */
export interface RateLimiter {
  /** Counts one request. Resolves also when there is nothing left. */
  take(client: string): Promise<Quota>;
}

/** Length of the window, seconds. */
export const WINDOW_SECONDS = 60;

/**
 * Counts in the memory of this process. The window is fixed: it opens with a client's first request and ends 60
 * seconds later, whatever comes in between.
 */
export function memoryRateLimiter(limit: number): RateLimiter {
  const counter = new RateLimiterMemory({ points: limit, duration: WINDOW_SECONDS });
  return {
    async take(client) {
      try {
        return quotaOf(await counter.consume(client), true, limit);
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) return quotaOf(refusal, false, limit);
        throw refusal;
      }
    },
  };
}

function quotaOf(result: RateLimiterRes, allowed: boolean, limit: number): Quota {
  const resetSeconds = Math.max(1, Math.ceil(result.msBeforeNext / 1000));
  return { allowed, limit, remaining: Math.max(0, result.remainingPoints), resetSeconds };
}
