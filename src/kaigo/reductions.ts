import type { CareCost } from './care-cost.ts';
import type { Scenario } from './case.ts';
import { highCostCapOf, type PriceList } from './price-list.ts';

/** What a household is let off or gets back, yen; 0 where nothing. */
export interface Reductions {
  /** Food and room above the limits of the income stage (負担限度額). */
  food: number;
  residence: number;
  /** The share of insured care above the monthly cap (高額介護サービス費), paid back later. */
  refund: number;
  /** The monthly cap; null where the price list knows none. */
  cap: number | null;
}

/** A bill before the reductions. */
interface Gross {
  care: CareCost;
  /** Yen per day. */
  foodPerDay: number;
  roomPerDay: number;
  /** Limits of the income stage, yen per day; null where none holds. */
  foodLimit: number | null;
  roomLimit: number | null;
}

/**
 * What comes off a bill. The cap covers the resident's share of insured care alone: neither food and room nor what goes
 * beyond the monthly limit of home services. The limits on food and room suppose that the savings test is passed.
 */
export function reductionsOf(list: PriceList, { income, days }: Scenario, gross: Gross): Reductions {
  const { care, foodPerDay, roomPerDay, foodLimit, roomLimit } = gross;
  const above = (perDay: number, limit: number | null) => (limit === null ? 0 : Math.max(0, perDay - limit) * days);
  const cap = highCostCapOf(list, income);
  const share = care.insurable - care.insurerPays;
  return {
    food: above(foodPerDay, foodLimit),
    residence: above(roomPerDay, roomLimit),
    refund: cap === null ? 0 : Math.max(0, share - cap),
    cap,
  };
}
