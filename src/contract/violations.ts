import type { Violation } from './problems.ts';

/** Limit of the violations that a refusal lists. */
const MOST_LISTED = 10;
/** Limit of the bytes of their JSON: a refusal has them in `errors` and in `detail`, and stays below 8 kB. */
const MOST_BYTES = 2000;

const utf8 = new TextEncoder();

/**
 * The violations of a request: the first ones, each once, and the number of the others. Their size is bounded for any
 * input.
 */
export class Violations {
  readonly listed: Violation[] = [];
  #unlisted = 0;
  #bytes = 0;

  /** One violation. */
  static of({ parameter, detail }: Violation): Violations {
    const violations = new Violations();
    violations.add(parameter, () => detail);
    return violations;
  }

  get isEmpty(): boolean {
    return this.listed.length === 0;
  }

  /**
   * Adds a violation. One that is listed already is passed over; one that is over a limit is only counted.
   * @param makeDetail makes its text. It is not called once the list is full, because a suggestion takes time.
   */
  add(parameter: string, makeDetail: () => string): void {
    if (this.#unlisted > 0 || this.listed.length === MOST_LISTED) {
      this.#unlisted++;
      return;
    }
    const violation = { parameter, detail: makeDetail() };
    const isListed = this.listed.some((one) => one.parameter === parameter && one.detail === violation.detail);
    if (isListed) return;
    this.#bytes += utf8.encode(JSON.stringify(violation)).length;
    if (this.listed.length > 0 && this.#bytes > MOST_BYTES) this.#unlisted++;
    else this.listed.push(violation);
  }

  /** The listed violations as one text, with the number of the others. */
  toString(): string {
    const rest = this.#unlisted === 0 ? [] : [`${this.#unlisted} more things are wrong.`];
    return [...this.listed.map(({ detail }) => detail), ...rest].join(' ');
  }
}
