import type { CostFacts } from '../kaigo/bill.ts';
import { type Case, caseFault, roomFault, STANDARD_SCENARIO } from '../kaigo/case.ts';
import { type CostEstimate, costOf, estimateCost } from '../kaigo/estimate.ts';
import type { FeeTable } from '../kaigo/fee-figures.ts';
import { type PriceList, priceListOn } from '../kaigo/price-list.ts';

/** Cases whose figures are kept: a family looks at several tables. */
const MOST_CASES = 64;

/** What a row costs in a case. */
interface CaseCost {
  /** Yen, after limits and refunds. */
  low: number;
  whole: boolean;
}

/** The figures of one case: many services of a place cost the same, so each is made once. */
class CaseFigures {
  readonly costs = new Map<number, CaseCost | null>();
  readonly estimates = new Map<number, string>();
}

/** Makes estimates for cases other than the dataset's own, from the prices and facts that it was built with. */
export class KaigoCases {
  readonly #prices: PriceList;
  readonly #facts: readonly CostFacts[];
  readonly #cases = new Map<string, CaseFigures>();

  constructor(fees: FeeTable, asOf: string, facts: readonly CostFacts[]) {
    this.#prices = priceListOn(fees, asOf);
    this.#facts = facts;
  }

  /** Why a case cannot be, alone or for a service; null where it can. */
  fault(wanted: Case, serviceCode: string | null): string | null {
    const fault = caseFault(wanted);
    if (fault !== null || wanted.room === null || serviceCode === null) return fault;
    return roomFault(this.#prices, serviceCode, wanted.room);
  }

  /** Null where there is no figure. */
  cost(wanted: Case, facts: number): CaseCost | null {
    const { costs } = this.#figures(wanted);
    const known = costs.get(facts);
    if (known !== undefined) return known;
    const cost = costOf(this.#prices, this.#factsOf(facts), { ...STANDARD_SCENARIO, ...wanted });
    const made = cost === null ? null : { low: cost.after.low, whole: cost.whole };
    costs.set(facts, made);
    return made;
  }

  /** The estimate as JSON. */
  estimate(wanted: Case, facts: number): string {
    const { estimates } = this.#figures(wanted);
    let json = estimates.get(facts);
    if (json === undefined) {
      const estimate: CostEstimate = estimateCost(this.#prices, this.#factsOf(facts), {
        ...STANDARD_SCENARIO,
        ...wanted,
      });
      json = JSON.stringify(estimate);
      estimates.set(facts, json);
    }
    return json;
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
      figures = new CaseFigures();
      const [oldest] = this.#cases.keys();
      if (this.#cases.size >= MOST_CASES && oldest !== undefined) this.#cases.delete(oldest);
    } else this.#cases.delete(key);
    this.#cases.set(key, figures);
    return figures;
  }
}
