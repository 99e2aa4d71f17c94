/** Length of the window, seconds: the limit holds for every stretch of it, wherever it begins. */
export const WINDOW_SECONDS = 60;
export const WINDOW_MS = WINDOW_SECONDS * 1000;

/** Instants that are kept of a client with a high limit; each then stands for several requests. */
const MOST_INSTANTS = 32;

/**
 * Requests for which one instant stands, under a limit. Up to a limit of 32 each has its own; above, some share the
 * instant of the last of them, so that no window ever holds more than the limit.
 */
export const requestsPerInstant = (limit: number): number => Math.ceil(limit / MOST_INSTANTS);

/** The requests of the last 60 seconds of one client, or of a network. */
export class RecentRequests {
  /** Milliseconds, the oldest first. */
  #instants: number[];
  /** Requests of the last instant; each other stands for as many as the limit says. */
  #ofLast: number;

  constructor(instants: number[] = [], ofLast = 0) {
    this.#instants = instants;
    this.#ofLast = ofLast;
  }

  /** How many there are. Those that have left the window go; so do those of a clock that has been set back since. */
  count(now: number, perInstant: number): number {
    const instants = this.#instants;
    let gone = 0;
    while (gone < instants.length && !isRecent(instants[gone], now)) gone++;
    if (gone > 0) instants.splice(0, gone);
    return instants.length === 0 ? 0 : (instants.length - 1) * perInstant + this.#ofLast;
  }

  add(now: number, perInstant: number): void {
    const last = this.#instants.length - 1;
    if (last >= 0 && this.#ofLast < perInstant) {
      this.#instants[last] = now;
      this.#ofLast++;
      return;
    }
    this.#instants.push(now);
    this.#ofLast = 1;
  }

  /** Milliseconds until the oldest leaves the window. */
  freeInMs(now: number): number {
    return this.#instants.length === 0 ? WINDOW_MS : this.#instants[0] + WINDOW_MS - now;
  }
}

const isRecent = (instant: number, now: number): boolean => now - instant < WINDOW_MS && instant <= now;
