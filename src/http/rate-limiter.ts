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
  /**
   * Counts one request. A promise comes back only where somebody else has to be asked; it does not reject.
   * @param limit the client's own, where it has one.
   */
  take(client: string, limit?: number): Quota | Promise<Quota>;
}

/** Length of the window, seconds. */
export const WINDOW_SECONDS = 60;

/** How many requests a client has made in its window, with the one at hand, and when that ends. */
export interface Count {
  requests: number;
  /** Milliseconds from now. */
  resetMs: number;
}

/** What a count means under a limit. */
export function quotaOf({ requests, resetMs }: Count, limit: number): Quota {
  const resetSeconds = Math.max(1, Math.ceil(resetMs / 1000));
  return { allowed: requests <= limit, limit, remaining: Math.max(0, limit - requests), resetSeconds };
}

/** Counts in the memory of this process. */
export function memoryRateLimiter(limit: number): RateLimiter {
  const windows = new WindowCounter();
  return { take: (client, own = limit) => quotaOf(windows.count(client), own) };
}

const WINDOW_MS = WINDOW_SECONDS * 1000;

/**
 * Fixed windows: one opens with a client's first request and ends 60 seconds later, whatever comes in between. Those
 * that have ended are dropped as others open, so that memory follows the number of clients of the last minute.
 */
export class WindowCounter {
  /** In order of their ends, but for those that `set` has put in; each is found by the time it comes to the front. */
  readonly #windows = new Map<string, { requests: number; endsAt: number }>();

  /** Counts a request of the client. */
  count(client: string): Count {
    const now = Date.now();
    const window = this.#windows.get(client);
    if (window === undefined || !isOpen(window.endsAt, now)) {
      this.#open(client, 1, now + WINDOW_MS, now);
      return { requests: 1, resetMs: WINDOW_MS };
    }
    window.requests++;
    return { requests: window.requests, resetMs: window.endsAt - now };
  }

  /** Takes over a count that was made elsewhere. */
  set(client: string, { requests, resetMs }: Count): void {
    const now = Date.now();
    const window = this.#windows.get(client);
    if (window === undefined || !isOpen(window.endsAt, now)) {
      this.#open(client, requests, now + resetMs, now);
      return;
    }
    window.requests = requests;
    window.endsAt = now + resetMs;
  }

  /** Windows that are kept. */
  get size(): number {
    return this.#windows.size;
  }

  #open(client: string, requests: number, endsAt: number, now: number): void {
    this.#windows.delete(client);
    for (const [oldest, window] of this.#windows) {
      if (isOpen(window.endsAt, now)) break;
      this.#windows.delete(oldest);
    }
    this.#windows.set(client, { requests, endsAt });
  }
}

/** A window never ends more than its length from now: one that seems to was opened before the clock was set back. */
function isOpen(endsAt: number, now: number): boolean {
  return endsAt > now && endsAt - now <= WINDOW_MS;
}
