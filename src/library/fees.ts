// `hidamari/fees`: the costs of a resident of a care facility (docs/library.md).
import {
  AIDS,
  type Case,
  COPAYMENTS,
  type CostEstimate,
  INCOMES,
  LEVELS,
  ROOMS,
  type Room,
  STANDARD_CASE,
} from '../contract/kaigo-cost.ts';
import { isDay } from '../formats/day.ts';
import { type CostFacts, NOTHING_KNOWN } from '../kaigo/bill.ts';
import { caseFault, roomsOf, STANDARD_TERMS } from '../kaigo/case.ts';
import { estimate } from '../kaigo/estimate.ts';
import { BUILT_IN_FEES } from '../kaigo/facts/built-in.ts';
import type { FeeTable } from '../kaigo/fee-table.ts';
import { gradeOf } from '../kaigo/municipalities.ts';
import { dayInJapan, priceListOn } from '../kaigo/price-list.ts';
import { Tariffs } from '../kaigo/tariff.ts';

export type { Case, CostEstimate, CostFacts, Room };
export { STANDARD_CASE };

/** A facility: its service, its municipality (six digits), and other known cost inputs. */
export type PricedFacility = Partial<Omit<CostFacts, 'grade'>> & { serviceCode: string; municipalityCode: string };

/** A fee table, ready for estimates. It keeps the tariffs of the day that was last asked for. */
class Fees {
  readonly #table: FeeTable;
  #last: { day: string; tariffs: Tariffs } | null = null;

  constructor(table: FeeTable) {
    this.#table = table;
  }

  /**
   * The costs of one resident for 30 days.
   * @param household the facts in which it differs from `STANDARD_CASE`
   * @param day of the price list, `YYYY-MM-DD`; by default today in Japan
   * @throws RangeError for a municipality or a day that does not exist, or for an impossible household, and for a day
   * before the first price list
   */
  estimate(
    { municipalityCode, ...facts }: PricedFacility,
    household: Partial<Case> = {},
    day: string = today(),
  ): CostEstimate {
    const grade = gradeOf(municipalityCode);
    if (grade === null)
      throw new RangeError(`${municipalityCode} is no municipality: expected six digits, such as 131016 (千代田区)`);
    const careCase = { ...STANDARD_CASE, ...stated(household) };
    checkValues(careCase);
    const fault = caseFault(careCase);
    if (fault !== null) throw new RangeError(fault.message);
    return estimate({ ...NOTHING_KNOWN, ...stated(facts), grade }, careCase, this.#tariffsOn(day));
  }

  /**
   * The kinds of room that the price of a service depends on; empty when it does not.
   * @throws RangeError for a day that does not exist or lies before the first price list
   */
  rooms(serviceCode: string, day: string = today()): Room[] {
    return roomsOf(this.#tariffsOn(day).list, serviceCode);
  }

  #tariffsOn(day: string): Tariffs {
    if (this.#last?.day !== day) {
      // Price lists are chosen by the order of texts, so another form would choose a wrong one.
      if (!isDay(day)) throw new RangeError(`${day} is no day: expected YYYY-MM-DD, such as 2026-11-01`);
      this.#last = { day, tariffs: new Tariffs(priceListOn(this.#table, day), STANDARD_TERMS) };
    }
    return this.#last.tariffs;
  }
}

export type { Fees };

/** The members of an object that are not undefined. */
const stated = <T extends object>(members: T): T =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;

/** The values that each member of a case can have. */
const VALUES: Readonly<Record<keyof Case, readonly unknown[]>> = {
  careLevel: LEVELS,
  copaymentPercent: COPAYMENTS,
  income: INCOMES,
  room: [null, ...ROOMS],
  aid: [null, ...AIDS],
  partnerLevel: [null, ...LEVELS],
};

/** @throws RangeError for a value that a member of a case cannot have, which a program in JavaScript may give */
function checkValues(careCase: Case): void {
  for (const [name, values] of Object.entries(VALUES)) {
    const value = careCase[name as keyof Case];
    if (!values.includes(value))
      throw new RangeError(
        `${name} is ${JSON.stringify(value)}: expected one of ${values.map((each) => JSON.stringify(each)).join(', ')}`,
      );
  }
}

const today = (): string => dayInJapan(new Date());

/**
 * Opens a fee table.
 * @param json a table of the schema `hidamari-fees/1`; without it the built-in one
 * @throws Error that names every fault
 */
export async function openFees(json?: unknown): Promise<Fees> {
  if (json === undefined) return new Fees(BUILT_IN_FEES);
  // Loaded on demand, because the check of a table loads hundreds of files.
  const { checkFeeTable } = await import('../kaigo/fee-table.ts');
  return new Fees(checkFeeTable(json, 'fee table'));
}
