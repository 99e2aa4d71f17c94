const MINUTES = 60;

/** 501 counts as a refusal: the operator has not switched the operation on, and nothing failed. */
export const isRefusal = (status: number): boolean => (status >= 400 && status < 500) || status === 501;

/** Counts the refusals and failures of the last hour, by whole minutes: the current one and the 59 before. */
export class LastHour {
  readonly #now: () => number;
  /** A ring with 60 places. Each place has its minute since 1970. */
  readonly #minutes = new Float64Array(MINUTES);
  readonly #refused = new Float64Array(MINUTES);
  readonly #failed = new Float64Array(MINUTES);

  /** @param now milliseconds since 1970 */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts an answer by its status. */
  add(status: number): void {
    if (status < 400) return;
    const minute = Math.floor(this.#now() / 60_000);
    const place = minute % MINUTES;
    if (this.#minutes[place] !== minute) {
      this.#minutes[place] = minute;
      this.#refused[place] = 0;
      this.#failed[place] = 0;
    }
    (isRefusal(status) ? this.#refused : this.#failed)[place]++;
  }

  get refused(): number {
    return this.#sum(this.#refused);
  }

  get failed(): number {
    return this.#sum(this.#failed);
  }

  #sum(counts: Float64Array): number {
    const minute = Math.floor(this.#now() / 60_000);
    const isRecent = (place: number) => this.#minutes[place] <= minute && this.#minutes[place] > minute - MINUTES;
    return counts.reduce((sum, count, place) => (isRecent(place) ? sum + count : sum), 0);
  }
}
