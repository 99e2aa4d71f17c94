const MINUTES = 60;

/** True for 4xx and for 501: the operator has not switched the operation on, so nothing failed. */
export const isRefusal = (status: number): boolean => (status >= 400 && status < 500) || status === 501;

/** Counts the refusals and failures of the last hour, by whole minutes: the current one and the 59 before. */
export class LastHour {
  readonly #now: () => number;
  /** A ring of 60 minutes: the minute since 1970 of each entry, and below its refusals and failures. */
  readonly #minutes = new Float64Array(MINUTES);
  readonly #refused = new Float64Array(MINUTES);
  readonly #failed = new Float64Array(MINUTES);

  /** @param now milliseconds since 1970 */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts an answer that refuses (4xx) or fails (5xx), by its status. */
  add(status: number): void {
    if (status < 400) return;
    const minute = Math.floor(this.#now() / 60_000);
    const entry = minute % MINUTES;
    if (this.#minutes[entry] !== minute) {
      this.#minutes[entry] = minute;
      this.#refused[entry] = 0;
      this.#failed[entry] = 0;
    }
    const counts = isRefusal(status) ? this.#refused : this.#failed;
    counts[entry]++;
  }

  get refused(): number {
    return this.#sum(this.#refused);
  }

  get failed(): number {
    return this.#sum(this.#failed);
  }

  /** The sum over the entries of the ring that belong to the last hour. Other entries wait to be overwritten. */
  #sum(counts: Float64Array): number {
    const minute = Math.floor(this.#now() / 60_000);
    // An entry can be of a minute after the present one, when the clock was set back. It does not count.
    const isRecent = (entry: number) => this.#minutes[entry] <= minute && this.#minutes[entry] > minute - MINUTES;
    return counts.reduce((sum, count, entry) => (isRecent(entry) ? sum + count : sum), 0);
  }
}
