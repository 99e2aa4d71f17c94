import { type CostEstimate, STANDARD_CASE } from '../../../src/contract/kaigo-cost.ts';
import type { CostFacts } from '../../../src/kaigo/bill.ts';
import { type Scenario, STANDARD_TERMS } from '../../../src/kaigo/case.ts';
import { estimate } from '../../../src/kaigo/estimate.ts';
import type { PriceList } from '../../../src/kaigo/price-list.ts';
import { Tariffs } from '../../../src/kaigo/tariff.ts';

/** The scenario of every figure in a dataset. */
export const STANDARD_SCENARIO: Scenario = { ...STANDARD_CASE, ...STANDARD_TERMS };

/** The estimate of one home alone. */
export function estimateCost(list: PriceList, facts: CostFacts, scenario: Scenario): CostEstimate {
  return estimate(facts, scenario, new Tariffs(list, scenario));
}
