import type { Violation } from './problems.ts';

/** Most violations that a refusal lists. */
const MOST_LISTED = 10;
/** Most bytes of their JSON: a refusal has them in `errors` and in `detail`, and stays below 8 kB. */
const MOST_BYTES = 2000;

const utf8 = new TextEncoder();

/** What is wrong with a request: the first violations, each once, and the number of others. Its size is bounded, whatever was sent. */
export class Violations {
  readonly listed: Violation[] = [];
  /** Violations that are not listed. */
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

  /** @param say makes the text; it is called only for listed violations, since a suggestion takes time */
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

  /** The listed violations as one text, and the number of others. */
  toString(): string {
    const rest = this.more === 0 ? [] : [`${this.more} more things are wrong.`];
    return [...this.listed.map(({ detail }) => detail), ...rest].join(' ');
  }
}
