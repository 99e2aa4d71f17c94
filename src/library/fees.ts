// `hidamari/fees`: what a resident of a care facility pays (docs/library.md).
import type { CostEstimate } from '../contract/kaigo-cost.ts';
import { type CostFacts, NOTHING_KNOWN } from '../kaigo/bill.ts';
import { type Case, caseFault, STANDARD_CASE, STANDARD_TERMS } from '../kaigo/case.ts';
import { estimate } from '../kaigo/estimate.ts';
import { BUILT_IN_FEES } from '../kaigo/facts/built-in.ts';
import { gradeOf } from '../kaigo/municipalities.ts';
import { dayInJapan, priceListOn } from '../kaigo/price-list.ts';
import { Tariffs } from '../kaigo/tariff.ts';

export type { Case, CostEstimate, CostFacts };
export { STANDARD_CASE };

/** A facility: its service, its municipality (six digits), and what else is known of its costs. */
export type PricedFacility = Partial<Omit<CostFacts, 'grade'>> & { serviceCode: string; municipalityCode: string };

/**
 * What one resident pays for 30 days by the fee table that comes with the program.
 * @param household differs from `STANDARD_CASE` in these members
 * @param day whose prices hold, `YYYY-MM-DD`; today in Japan without it
 * @throws RangeError for a municipality that there is not, or for a household that cannot be
 */
export function costEstimate(
  { municipalityCode, ...facts }: PricedFacility,
  household: Partial<Case> = {},
  day: string = dayInJapan(new Date()),
): CostEstimate {
  const grade = gradeOf(municipalityCode);
  if (grade === null)
    throw new RangeError(`${municipalityCode} is no municipality: expected six digits, such as 131016 (千代田区)`);
  const asked = { ...STANDARD_CASE, ...household };
  const fault = caseFault(asked);
  if (fault !== null) throw new RangeError(fault.said);
  const tariffs = new Tariffs(priceListOn(BUILT_IN_FEES, day), STANDARD_TERMS);
  return estimate({ ...NOTHING_KNOWN, ...facts, grade }, asked, tariffs);
}
