import type { CostEstimate } from '../contract/kaigo-cost.ts';
import { type Case, type CaseFault, caseFault, roomFault, STANDARD_TERMS } from '../kaigo/case.ts';
import { estimate } from '../kaigo/estimate.ts';
import { priceListOn } from '../kaigo/price-list.ts';
import { Tariffs } from '../kaigo/tariff.ts';
import type { KaigoIndexMeta } from './kaigo-store-format.ts';

/** Estimates for any case, from the prices and cost inputs that a dataset was built with. */
export class KaigoCases {
  readonly #facts: KaigoIndexMeta['facts'];
  readonly #tariffs: Tariffs;

  constructor({ fees, as_of, facts }: Pick<KaigoIndexMeta, 'fees' | 'as_of' | 'facts'>) {
    this.#facts = facts;
    this.#tariffs = new Tariffs(priceListOn(fees, as_of), STANDARD_TERMS);
  }

  /** Why a case cannot be, alone or for a service; null where it can. */
  fault(wanted: Case, serviceCode: string | null): CaseFault | null {
    const fault = caseFault(wanted);
    if (fault !== null || wanted.room === null || serviceCode === null) return fault;
    return roomFault(this.#tariffs.list, serviceCode, wanted.room);
  }

  /** The estimates of a case by the number of the cost inputs; each is made once, since many services share their inputs. */
  estimates(wanted: Case): (facts: number) => CostEstimate {
    const made = new Map<number, CostEstimate>();
    return (number) => {
      const facts = this.#facts[number];
      if (facts === undefined) throw new Error(`the care index holds no cost facts ${number}`);
      const one = made.get(number) ?? estimate(facts, wanted, this.#tariffs);
      made.set(number, one);
      return one;
    };
  }
}
