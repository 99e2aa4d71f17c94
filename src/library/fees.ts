// `hidamari/fees`: the costs of a resident of a care facility (docs/library.md).
import { type Case, type CostEstimate, STANDARD_CASE } from '../contract/kaigo-cost.ts';
import { type CostFacts, NOTHING_KNOWN } from '../kaigo/bill.ts';
import { caseFault, STANDARD_TERMS } from '../kaigo/case.ts';
import { estimate } from '../kaigo/estimate.ts';
import { BUILT_IN_FEES } from '../kaigo/facts/built-in.ts';
import { gradeOf } from '../kaigo/municipalities.ts';
import { dayInJapan, priceListOn } from '../kaigo/price-list.ts';
import { Tariffs } from '../kaigo/tariff.ts';

export type { Case, CostEstimate, CostFacts };
export { STANDARD_CASE };

/** A facility: its service, its municipality (six digits), and other known cost inputs. */
export type PricedFacility = Partial<Omit<CostFacts, 'grade'>> & { serviceCode: string; municipalityCode: string };

/**
 * The costs of one resident for 30 days by the built-in fee table.
 * @param household members that differ from `STANDARD_CASE`
 * @param day of the price list, `YYYY-MM-DD`; by default today in Japan
 * @throws RangeError for a municipality that does not exist, or for an impossible household
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
