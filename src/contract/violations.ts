import type { Violation } from './problems.ts';

/** Most violations listed in a refusal. */
const MOST_LISTED = 10;
/** Most bytes of their JSON. A refusal has them in `errors` and in `detail`, and stays below 8 kB. */
const MOST_BYTES = 2000;

const utf8 = new TextEncoder();

/**
 * The violations of a request: the first ones, each once, and the number of the others. Their size is bounded for any
 * input.
 */
export class Violations {
  readonly listed: Violation[] = [];
  /** Number of violations that are not listed. */
  more = 0;
  #bytes = 0;

  static of(...violations: readonly Violation[]): Violations {
    const all = new Violations();
    for (const { parameter, detail } of violations) all.add(parameter, () => detail);
    return all;
  }

  get isEmpty(): boolean {
    return this.listed.length === 0;
  }

  /** @param say makes the text. It is called only for listed violations, because a suggestion takes time. */
  add(parameter: string, say: () => string): void {
    if (this.more > 0 || this.listed.length === MOST_LISTED) {
      this.more++;
      return;
    }
    const violation = { parameter, detail: say() };
    if (this.listed.some((known) => known.parameter === parameter && known.detail === violation.detail)) return;
    this.#bytes += utf8.encode(JSON.stringify(violation)).length;
    if (this.listed.length > 0 && this.#bytes > MOST_BYTES) this.more++;
    else this.listed.push(violation);
  }

  /** The listed violations as one text, with the number of the others. */
  toString(): string {
    const rest = this.more === 0 ? [] : [`${this.more} more things are wrong.`];
    return [...this.listed.map(({ detail }) => detail), ...rest].join(' ');
  }
}
