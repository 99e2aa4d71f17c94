import { type Case, isLowIncome, type Level, type Room, STANDARD_CASE } from '../contract/kaigo-cost.ts';
import type { Rounding } from './care-cost.ts';
import type { PriceList } from './price-list.ts';
import { DAYS_OF_MONTH } from './values.ts';

export { STANDARD_CASE };

/** The support level as a number; null for a care level. */
export function supportLevelOf(level: Level): number | null {
  if (level === 'support_1') return 1;
  return level === 'support_2' ? 2 : null;
}

/** The care level; null for a support level. */
export const careLevelOf = (level: Level): number | null => (typeof level === 'number' ? level : null);

/** The terms of the calculation. */
export interface Terms {
  days: number;
  /** Visits in those days, for services charged per visit; null for the number the fee table names. */
  visits: number | null;
  /** Variants of the tariff; null for those that the fee table names, or all. */
  variants: readonly string[] | null;
  /** Additions, units per day (or visit) and per month; null for those that most facilities have. */
  dailyUnits: number | null;
  monthlyUnits: number | null;
  /** Treatment improvement rate: `range` is from none to the highest; otherwise its name or `none`. */
  treatment: string;
  rounding: Rounding;
}

/** The household of an estimate, and the terms. */
export type Scenario = Case & Terms;

/** The terms of every estimate except those of `hidamari fees`. */
export const STANDARD_TERMS: Terms = {
  days: DAYS_OF_MONTH,
  visits: null,
  variants: null,
  dailyUnits: null,
  monthlyUnits: null,
  treatment: 'range',
  rounding: 'official',
};

/** True for the case of the figures in the dataset. */
export function isStandardCase(careCase: Case): boolean {
  return (Object.keys(STANDARD_CASE) as (keyof Case)[]).every((name) => careCase[name] === STANDARD_CASE[name]);
}

/** Why a case is not possible. */
export interface CaseFault {
  kind: 'copayment' | 'relief-income' | 'assistance-income' | 'no-rooms' | 'other-rooms';
  /** In English, without a full stop. */
  message: string;
  /** The rooms that the service has instead. */
  rooms: readonly Room[];
}

/** Why two choices of a case exclude each other, or null. */
export function caseFault({ copaymentPercent, income, aid }: Case): CaseFault | null {
  if (aid === 'public_assistance' && income !== '1') {
    const message = `public assistance and the income ${income} exclude each other: it belongs to stage 1`;
    return { kind: 'assistance-income', message, rooms: [] };
  }
  if (aid === 'social_welfare' && !isLowIncome(income)) {
    const message =
      `the relief of social welfare corporations and the income ${income} exclude each other: it is for households that pay ` +
      'no residence tax (stages 1 to 3-2)';
    return { kind: 'relief-income', message, rooms: [] };
  }
  if (!isLowIncome(income) || copaymentPercent === 10) return null;
  const message =
    `a copayment of ${copaymentPercent} % and the income stage ${income} exclude each other: a household that pays no ` +
    'residence tax (stages 1 to 3-2) pays 10 %';
  return { kind: 'copayment', message, rooms: [] };
}

/** Why a kind of room is not possible for a service, or null. */
export function roomFault(list: PriceList, serviceCode: string, room: Room): CaseFault | null {
  const rooms = roomsOf(list, serviceCode);
  if (rooms.includes(room)) return null;
  if (rooms.length === 0) {
    return { kind: 'no-rooms', message: `the tariff of service ${serviceCode} does not depend on the room`, rooms };
  }
  const message = `the price list has no units of service ${serviceCode} for the room ${room}; it has ${rooms.join(', ')}`;
  return { kind: 'other-rooms', message, rooms };
}

/** The kinds of room in the tariff of a service. */
export function roomsOf(list: PriceList, serviceCode: string): Room[] {
  const fees = list.services.get(serviceCode);
  // Without a class of residence the tariff does not depend on the room.
  if (fees?.residence_class === undefined) return [];
  return [...new Set(fees.variants.flatMap(({ rooms }) => rooms ?? []))];
}
