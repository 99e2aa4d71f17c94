import type { Rounding } from './care-cost.ts';
import { type Income, isLowIncome, type Room } from './fee-figures.ts';
import type { PriceList } from './price-list.ts';

/** Who lives there and how the sum is made. */
export interface Scenario {
  careLevel: number;
  copaymentPercent: number;
  income: Income;
  days: number;
  /** The kind of room wanted; null for every kind that the facility has. */
  room: Room | null;
  /** Visits in those days, for services charged per visit; null for the number the fee table names. */
  visits: number | null;
  /** Variants of the tariff to look at; null for those that the fee table names, or all. */
  variants: readonly string[] | null;
  /** Additions, units per day (or visit) and per month; null for those that most facilities have. */
  dailyUnits: number | null;
  monthlyUnits: number | null;
  /** Treatment improvement rate: `range` is from none to the highest; else its name or `none`. */
  treatment: string;
  rounding: Rounding;
}

/** The scenario of every figure in the dataset. */
export const STANDARD_SCENARIO: Scenario = {
  careLevel: 3,
  copaymentPercent: 10,
  income: 'standard',
  days: 30,
  room: null,
  visits: null,
  variants: null,
  dailyUnits: null,
  monthlyUnits: null,
  treatment: 'range',
  rounding: 'official',
};

/** What a family can say of itself. */
export type Case = Pick<Scenario, 'careLevel' | 'copaymentPercent' | 'income' | 'room'>;

/** The case of the standard scenario. */
export const STANDARD_CASE: Case = {
  careLevel: STANDARD_SCENARIO.careLevel,
  copaymentPercent: STANDARD_SCENARIO.copaymentPercent,
  income: STANDARD_SCENARIO.income,
  room: STANDARD_SCENARIO.room,
};

/** Whether a case is that of the standard scenario. */
export function isStandardCase(one: Case): boolean {
  return (Object.keys(STANDARD_CASE) as (keyof Case)[]).every((name) => one[name] === STANDARD_CASE[name]);
}

/** Why two choices of a case exclude each other, or null. */
export function caseFault({ copaymentPercent, income }: Case): string | null {
  if (!isLowIncome(income) || copaymentPercent === 10) return null;
  return (
    `a copayment of ${copaymentPercent} % and the income stage ${income} exclude each other: a household that pays no ` +
    'residence tax (stages 1 to 3-2) pays 10 %'
  );
}

/** Why a kind of room cannot be asked of a service, or null. */
export function roomFault(list: PriceList, serviceCode: string, room: Room): string | null {
  const rooms = roomsOf(list, serviceCode);
  if (rooms.length === 0) return `the tariff of service ${serviceCode} does not depend on the room`;
  return rooms.includes(room) ? null : `service ${serviceCode} has no room ${room}; it has ${rooms.join(', ')}`;
}

/** The kinds of room that the tariff of a service knows. */
function roomsOf(list: PriceList, serviceCode: string): Room[] {
  const fees = list.services.get(serviceCode);
  if (fees?.residence_class === undefined) return [];
  return [...new Set(fees.variants.flatMap(({ rooms }) => rooms ?? []))];
}
