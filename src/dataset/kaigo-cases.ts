import type { CostFacts } from '../kaigo/bill.ts';
import { type Case, type CaseFault, caseFault, roomFault, STANDARD_SCENARIO } from '../kaigo/case.ts';
import { costPlace } from '../kaigo/comparison.ts';
import { costOf, estimateIn } from '../kaigo/estimate.ts';
import type { FeeTable } from '../kaigo/fee-figures.ts';
import { type PriceList, priceListOn } from '../kaigo/price-list.ts';
import { Tariffs } from '../kaigo/tariff.ts';

/** What the figures of all cases may take together, bytes: a family looks at several tables, and others ask the same. */
const BUDGET = 16 << 20;

/** What a row costs in a case. */
interface CaseCost {
  /** Yen, after limits and refunds. */
  low: number;
  whole: boolean;
}

/** In place of yen: not made yet, and no figure. */
const [NOT_MADE, NO_FIGURE] = [-2, -1];

/** The figures of one case by the number of what bears on the cost: many services of a place cost the same. */
class CaseFigures {
  readonly tariffs: Tariffs;
  readonly low: Int32Array;
  readonly whole: Uint8Array;
  readonly estimates = new Map<number, Buffer>();
  /** Rows of a table by what they cost, by table. */
  readonly orders = new Map<string, Uint32Array>();
  bytes: number;

  constructor(tariffs: Tariffs, facts: number) {
    this.tariffs = tariffs;
    this.low = new Int32Array(facts).fill(NOT_MADE);
    this.whole = new Uint8Array(facts);
    this.bytes = this.low.byteLength + this.whole.byteLength;
  }

  /** Lets go of what grows with what is asked. */
  forget(): void {
    this.estimates.clear();
    this.orders.clear();
    this.bytes = this.low.byteLength + this.whole.byteLength;
  }
}

/**
 * Makes estimates for cases other than the dataset's own, from the prices and facts that it was built with. What was made is
 * kept within a budget, the figures of the case that was asked for last the longest.
 */
export class KaigoCases {
  readonly #prices: PriceList;
  readonly #facts: readonly CostFacts[];
  readonly #budget: number;
  /** In order of use. */
  readonly #cases = new Map<string, CaseFigures>();
  #bytes = 0;

  constructor(fees: FeeTable, asOf: string, facts: readonly CostFacts[], budget = BUDGET) {
    this.#prices = priceListOn(fees, asOf);
    this.#facts = facts;
    this.#budget = budget;
  }

  /** What the figures take that are kept, bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Why a case cannot be, alone or for a service; null where it can. */
  fault(wanted: Case, serviceCode: string | null): CaseFault | null {
    const fault = caseFault(wanted);
    if (fault !== null || wanted.room === null || serviceCode === null) return fault;
    return roomFault(this.#prices, serviceCode, wanted.room);
  }

  /** What services cost by the number of what bears on it; null where there is no figure. Good until the next call. */
  costs(wanted: Case): (facts: number) => CaseCost | null {
    const { tariffs, low, whole } = this.#figures(wanted);
    return (facts) => {
      if (low[facts] === NOT_MADE) {
        const cost = costOf(tariffs, this.#factsOf(facts));
        low[facts] = cost?.low ?? NO_FIGURE;
        whole[facts] = cost === null || cost.whole ? 1 : 0;
      }
      const yen = low[facts] ?? NO_FIGURE;
      return yen === NO_FIGURE ? null : { low: yen, whole: whole[facts] === 1 };
    };
  }

  /** Estimates as JSON by the number of what bears on them. Good until the next call. */
  estimates(wanted: Case): (facts: number) => Buffer {
    const figures = this.#figures(wanted);
    return (facts) => {
      const known = figures.estimates.get(facts);
      if (known !== undefined) return known;
      const estimate = estimateIn(figures.tariffs, this.#factsOf(facts));
      const json = Buffer.from(JSON.stringify(estimate));
      this.#keep(figures, json.length);
      figures.estimates.set(facts, json);
      return json;
    };
  }

  /** Rows of a table by what they cost in a case, the cheapest first; ties stay in the order of `rows`. */
  order(wanted: Case, table: string, rows: Uint32Array, factsOf: (row: number) => number): Uint32Array {
    const figures = this.#figures(wanted);
    const known = figures.orders.get(table);
    if (known !== undefined) return known;
    const costOf = this.costs(wanted);
    // Its place by cost and its place in `rows` in one number, for which sorting is quickest.
    const places = Float64Array.from(rows, (row, i) => costPlace(costOf(factsOf(row))) * rows.length + i);
    const order = Uint32Array.from(places.sort(), (place) => rows[place % rows.length] ?? 0);
    this.#keep(figures, order.byteLength);
    figures.orders.set(table, order);
    return order;
  }

  #factsOf(facts: number): CostFacts {
    const one = this.#facts[facts];
    if (one === undefined) throw new Error(`the care index holds no cost facts ${facts}`);
    return one;
  }

  #figures(wanted: Case): CaseFigures {
    const key = `${wanted.careLevel} ${wanted.copaymentPercent} ${wanted.income} ${wanted.room}`;
    let figures = this.#cases.get(key);
    if (figures === undefined) {
      const tariffs = new Tariffs(this.#prices, { ...STANDARD_SCENARIO, ...wanted });
      figures = new CaseFigures(tariffs, this.#facts.length);
      this.#makeRoom(figures.bytes, null);
      this.#bytes += figures.bytes;
    } else this.#cases.delete(key);
    this.#cases.set(key, figures);
    return figures;
  }

  /** Counts what is kept of a case. */
  #keep(figures: CaseFigures, bytes: number): void {
    this.#makeRoom(bytes, figures);
    figures.bytes += bytes;
    this.#bytes += bytes;
  }

  /** Lets go of the cases that were not asked for the longest, and of what `used` can do without where that is not enough. */
  #makeRoom(more: number, used: CaseFigures | null): void {
    for (const [key, figures] of this.#cases) {
      if (this.#bytes + more <= this.#budget) return;
      if (figures === used) continue;
      this.#cases.delete(key);
      this.#bytes -= figures.bytes;
    }
    if (used === null || this.#bytes + more <= this.#budget) return;
    this.#bytes -= used.bytes;
    used.forget();
    this.#bytes += used.bytes;
  }
}
