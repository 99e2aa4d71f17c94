import { type CareCost, careCost, type Rounding } from './care-cost.ts';
import type { Confidence, Income, Room, ServiceFees, Variant } from './fee-table.ts';
import type { Grade } from './municipalities.ts';
import { highestTreatment, leastConfidence, type PriceList, residenceOf, unitPriceOf } from './price-list.ts';
import { serviceOf } from './services.ts';

/** What is known of one service of one facility that bears on its cost. */
export interface CostFacts {
  serviceCode: string;
  /** Of the municipality; null when that is not known. */
  grade: Grade | null;
  /** The kinds of room there; null when not known: then the estimate spans all of them. */
  rooms: readonly Room[] | null;
  /** Published by the facility, yen per day; null when not. */
  foodPerDay: number | null;
  roomPerDay: number | null;
}

/** Who lives there and how the sum is made. */
export interface Scenario {
  careLevel: number;
  copaymentPercent: number;
  income: Income;
  days: number;
  /** Visits in those days, for services charged per visit; null for the number the fee table names. */
  visits: number | null;
  /** Variants of the tariff to look at; null for those that the fee table names, or all. */
  variants: readonly string[] | null;
  /** Additions, units per day (or visit) and per month. */
  dailyUnits: number;
  monthlyUnits: number;
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
  visits: null,
  variants: null,
  dailyUnits: 0,
  monthlyUnits: 0,
  treatment: 'range',
  rounding: 'official',
};

export const CARE_LEVELS = [1, 2, 3, 4, 5] as const;

/** Why there is no figure. */
export type NoEstimate =
  | 'goods'
  | 'service_ended'
  | 'no_units_known'
  | 'no_units_for_room'
  | 'no_area_grade'
  | 'no_standard_fee'
  | 'no_income_limit';

export type Basis = 'published_fees' | 'published_and_standard_fees' | 'standard_fees' | 'insured_part_only';

export interface YenRange {
  low: number;
  high: number;
}

/** One way in which the bill can come out: a tariff, a room, a treatment rate. */
export interface Combination {
  variant: Variant;
  /** Null where the tariff does not depend on the room. */
  room: Room | null;
  treatment: { name: string; permille: number } | null;
  care: CareCost;
  /** Yen per day; 0 where not in the figure. */
  foodPerDay: number;
  roomPerDay: number;
  foodYen: number;
  residenceYen: number;
  total: number;
}

/** The estimate as it stands in an answer; keys in the order of the documentation. */
export interface CostEstimate {
  monthly_yen: YenRange | null;
  by_care_level: ({ care_level: number } & YenRange)[] | null;
  /**
   * Parts of the cheapest and of the dearest combination: they add up, so one part may be higher in the cheapest (a
   * shared room of 220 takes more units than a private one). Null parts are not in the figure.
   */
  parts: { care: YenRange; food: YenRange | null; residence: YenRange | null } | null;
  scenario: {
    care_level: number;
    copayment_percent: number;
    income: Income;
    days: number;
    visits?: number;
    visit?: string;
  };
  basis: Basis | null;
  price_list: string;
  confidence: Confidence | null;
  excludes: string[];
  reason: NoEstimate | null;
}

/** An estimate with what it was made from. */
export interface Workings {
  fees: ServiceFees;
  /** Days, visits or 1: what the base units are multiplied by. */
  times: number;
  /** Hundredths of a yen. */
  unitPrice: number;
  /** By care level, 1 first. */
  combinations: Combination[][];
  confidence: Confidence;
}

/**
 * What one resident pays for 30 days (or as the scenario says): from base units alone in the cheapest room to the
 * highest treatment rate in the dearest, over the rooms that the facility can have. Null with a reason where the
 * price list does not allow it.
 */
export function estimateCost(list: PriceList, facts: CostFacts, scenario: Scenario = STANDARD_SCENARIO): CostEstimate {
  const workings = workingsOf(list, facts, scenario);
  const fees = list.services.get(facts.serviceCode);
  const about = {
    scenario: {
      care_level: scenario.careLevel,
      copayment_percent: scenario.copaymentPercent,
      income: scenario.income,
      days: scenario.days,
      ...(fees?.reference && { visits: scenario.visits ?? fees.reference.visits, visit: fees.reference.visit }),
    },
  };
  if (typeof workings === 'string') {
    return {
      monthly_yen: null,
      by_care_level: null,
      parts: null,
      ...about,
      basis: null,
      price_list: list.date,
      confidence: null,
      excludes: [],
      reason: workings,
    };
  }
  const [low, high] = extremes(workings.combinations[scenario.careLevel - 1]!);
  const residential = workings.fees.residence_class !== undefined;
  return {
    monthly_yen: { low: low.total, high: high.total },
    by_care_level: CARE_LEVELS.map((level) => {
      const [least, most] = extremes(workings.combinations[level - 1]!);
      return { care_level: level, low: least.total, high: most.total };
    }),
    parts: {
      care: { low: low.care.residentPays, high: high.care.residentPays },
      food: residential ? { low: low.foodYen, high: high.foodYen } : null,
      residence: residential ? { low: low.residenceYen, high: high.residenceYen } : null,
    },
    ...about,
    basis: residential ? feeBasis(facts) : 'insured_part_only',
    price_list: list.date,
    confidence: workings.confidence,
    excludes: workings.fees.excludes,
    reason: null,
  };
}

/** Every combination for every care level, or why there is none. */
export function workingsOf(list: PriceList, facts: CostFacts, scenario: Scenario): Workings | NoEstimate {
  const service = serviceOf(facts.serviceCode);
  if (service?.ended_on !== undefined && service.ended_on < list.date) return 'service_ended';
  if (service?.kind === 'equipment') return 'goods';
  const fees = list.services.get(facts.serviceCode);
  if (fees === undefined) return 'no_units_known';
  if (facts.grade === null && !fees.user_pays_nothing) return 'no_area_grade';
  const wanted = scenario.variants ?? fees.reference?.variants ?? null;
  const variants = fees.variants.filter((variant) => wanted === null || wanted.includes(variant.id));
  if (variants.length === 0) return 'no_units_known';
  const places = placesOf(list, fees, variants, facts, scenario);
  if (typeof places === 'string') return places;
  const treatments = treatmentsOf(list, fees, scenario.treatment);
  const times =
    fees.per === 'day' ? scenario.days : fees.per === 'visit' ? (scenario.visits ?? fees.reference!.visits) : 1;
  const unitPrice = unitPriceOf(list, fees, facts.grade ?? 'other');
  const combinations = CARE_LEVELS.map((level) =>
    places.flatMap((place) =>
      treatments.map((treatment): Combination => {
        const care = careCost({
          baseUnits: place.variant.units[level - 1]!,
          dailyUnits: fees.per === 'month' ? 0 : scenario.dailyUnits,
          monthlyUnits: scenario.monthlyUnits + (fees.per === 'month' ? scenario.dailyUnits * scenario.days : 0),
          times,
          treatmentPermille: treatment?.permille ?? 0,
          unitPrice,
          copaymentPercent: fees.user_pays_nothing ? 0 : scenario.copaymentPercent,
          rounding: scenario.rounding,
          limitUnits: fees.within_home_limit ? (list.homeLimits?.units[level - 1] ?? null) : null,
        });
        const foodYen = place.foodPerDay * scenario.days;
        const residenceYen = place.roomPerDay * scenario.days;
        return { ...place, treatment, care, foodYen, residenceYen, total: care.residentPays + foodYen + residenceYen };
      }),
    ),
  );
  const confidence = fees.user_pays_nothing
    ? 'confirmed'
    : leastConfidence([
        list.unitPrices.confidence,
        treatments.some((one) => one !== null) ? list.treatment.get(fees.treatment_group)?.confidence : undefined,
        fees.within_home_limit ? list.homeLimits?.confidence : undefined,
        ...places.flatMap(
          ({ variant, confidence }) =>
            [
              variant.confidence,
              variant.unconfirmed_levels === undefined ? undefined : 'unconfirmed',
              ...confidence,
            ] as const,
        ),
      ]);
  return { fees, times, unitPrice, combinations, confidence };
}

/** The cheapest and the dearest combination; the first of equals. */
export function extremes(combinations: readonly Combination[]): [Combination, Combination] {
  let low = combinations[0]!;
  let high = low;
  for (const one of combinations) {
    if (one.total < low.total) low = one;
    if (one.total > high.total) high = one;
  }
  return [low, high];
}

interface Place {
  variant: Variant;
  room: Room | null;
  foodPerDay: number;
  roomPerDay: number;
  confidence: Confidence[];
}

/** Each variant in each room it is charged for, with what food and room cost there. */
function placesOf(
  list: PriceList,
  fees: ServiceFees,
  variants: readonly Variant[],
  facts: CostFacts,
  { income }: Scenario,
): Place[] | NoEstimate {
  if (fees.residence_class === undefined) {
    return variants.map((variant) => ({ variant, room: null, foodPerDay: 0, roomPerDay: 0, confidence: [] }));
  }
  const places: Place[] = [];
  for (const variant of variants) {
    for (const room of variant.rooms ?? []) {
      if (facts.rooms !== null && !hasRoom(facts.rooms, room)) continue;
      const residence = residenceOf(list, fees, room);
      const confidence: Confidence[] = [];
      const perDay = (published: number | null, standard: typeof residence | PriceList['food']) => {
        if (standard && (published === null || income !== 'standard')) confidence.push(standard.confidence);
        const fee = published ?? standard?.standard;
        if (fee === undefined) return 'no_standard_fee';
        if (income === 'standard') return fee;
        return standard?.limits ? Math.min(fee, standard.limits[income]) : 'no_income_limit';
      };
      const foodPerDay = perDay(facts.foodPerDay, list.food);
      const roomPerDay = perDay(facts.roomPerDay, residence);
      if (typeof foodPerDay === 'string') return foodPerDay;
      if (typeof roomPerDay === 'string') return roomPerDay;
      places.push({ variant, room, foodPerDay, roomPerDay, confidence });
    }
  }
  return places.length === 0 ? 'no_units_for_room' : places;
}

/** A shared room may or may not be charged for; who knows it is shared knows no more. */
function hasRoom(rooms: readonly Room[], room: Room): boolean {
  return rooms.includes(room) || (room === 'shared_charged' && rooms.includes('shared'));
}

function treatmentsOf(list: PriceList, fees: ServiceFees, choice: string): Combination['treatment'][] {
  if (choice === 'none') return [null];
  const highest = highestTreatment(list, fees);
  if (choice === 'range') return highest === null ? [null] : [null, highest];
  if (choice === 'highest') return [highest];
  const permille = list.treatment.get(fees.treatment_group)?.permille[choice];
  return permille === undefined ? [] : [{ name: choice, permille }];
}

function feeBasis({ foodPerDay, roomPerDay }: CostFacts): Basis {
  if (foodPerDay !== null && roomPerDay !== null) return 'published_fees';
  return foodPerDay === null && roomPerDay === null ? 'standard_fees' : 'published_and_standard_fees';
}
