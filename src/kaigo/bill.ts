import { type CareCost, careCost, type Reductions, reductionsOf } from './care-cost.ts';
import type { Scenario } from './case.ts';
import {
  type Addition,
  type Confidence,
  isLowIncome,
  type Room,
  type ServiceFees,
  type Variant,
} from './fee-figures.ts';
import type { Grade } from './municipalities.ts';
import {
  type AdditionUnits,
  highestTreatment,
  leastConfidence,
  type PriceList,
  residenceOf,
  typicalAdditionsOf,
  typicalTreatment,
  unitPriceOf,
  unitsOf,
} from './price-list.ts';
import { hasRoom, type PublishedFee } from './published-fees.ts';

import { serviceOf } from './services.ts';

/** What is known of one service of one facility that bears on its cost. */
export interface CostFacts {
  serviceCode: string;
  /** Of the municipality; null when that is not known. */
  grade: Grade | null;
  /** The kinds of room there; null when not known: then the estimate spans all of them. */
  rooms: readonly Room[] | null;
  /** Published by the facility and believed, yen per day; null when not. */
  foodPerDay: number | null;
  /** The same for each kind of room. */
  roomFees: Readonly<Partial<Record<Room, number>>>;
  /** Fees that were published but cannot be right: the standard ones stand for them. */
  replaced: readonly PublishedFee[];
  /** Yen per month, where the home asks them besides the insured care. */
  rentPerMonth: number | null;
  managementPerMonth: number | null;
}

/** Why there is no figure. */
export type NoEstimate =
  | 'goods'
  | 'service_ended'
  | 'no_units_known'
  | 'no_units_for_room'
  | 'room_not_offered'
  | 'no_area_grade'
  | 'no_standard_fee'
  | 'no_income_limit';

/** The three figures of an estimate: base units alone, what most facilities charge, and that with the highest rate. */
export const BILL_KINDS = ['low', 'typical', 'high'] as const;
export type BillKind = (typeof BILL_KINDS)[number];

/** One way in which the bill can come out: a tariff, a room, additions, a treatment rate. */
export interface Bill {
  variant: Variant;
  /** Null where the tariff does not depend on the room. */
  room: Room | null;
  additions: AdditionUnits;
  treatment: { name: string; permille: number } | null;
  care: CareCost;
  /** Yen per day; 0 where not in the figure. */
  foodPerDay: number;
  roomPerDay: number;
  /** Yen of the days or of the month. */
  foodYen: number;
  residenceYen: number;
  rentYen: number;
  managementYen: number;
  total: number;
  reductions: Reductions;
  /** What is left after the reductions, yen. */
  after: number;
}

/** A tariff of the service in force, with all that is the same whatever the care level. */
export interface Tariff {
  list: PriceList;
  facts: CostFacts;
  scenario: Scenario;
  fees: ServiceFees;
  /** Days, visits or 1: what the base units are multiplied by. */
  times: number;
  /** Hundredths of a yen. */
  unitPrice: number;
  places: Place[];
  confidence: Confidence;
  /** Of the typical additions; null where there are none. */
  additionsConfidence: Confidence | null;
}

/** A variant of the tariff in a room, with what food and room cost there. */
interface Place {
  variant: Variant;
  room: Room | null;
  additions: readonly Addition[];
  foodPerDay: number;
  roomPerDay: number;
  /** Limits of the income stage, yen per day; null where none holds. */
  foodLimit: number | null;
  roomLimit: number | null;
  confidence: Confidence[];
}

/** The tariff that applies, or why there is none. */
export function tariffOf(list: PriceList, facts: CostFacts, scenario: Scenario): Tariff | NoEstimate {
  const service = serviceOf(facts.serviceCode);
  if (service?.ended_on !== undefined && service.ended_on < list.date) return 'service_ended';
  if (service?.kind === 'equipment') return 'goods';
  const fees = list.services.get(facts.serviceCode);
  if (fees === undefined) return 'no_units_known';
  if (facts.grade === null && !fees.user_pays_nothing) return 'no_area_grade';
  const wanted = scenario.variants ?? fees.reference?.variants ?? null;
  const variants = fees.variants.filter(({ id }) => wanted === null || wanted.includes(id));
  if (variants.length === 0) return 'no_units_known';
  const places = placesOf(list, fees, variants, facts, scenario);
  if (typeof places === 'string') return places;
  const visits = scenario.visits ?? fees.reference?.visits ?? 1;
  const additions = places.flatMap((place) => place.additions);
  return {
    list,
    facts,
    scenario,
    fees,
    times: fees.per === 'day' ? scenario.days : fees.per === 'visit' ? visits : 1,
    unitPrice: unitPriceOf(list, fees, facts.grade ?? 'other'),
    places,
    confidence: confidenceOf(list, fees, facts, scenario, places),
    additionsConfidence: additions.length === 0 ? null : leastConfidence(additions.map((one) => one.confidence)),
  };
}

/** The bills of one kind for a care level: one for each tariff and room. */
export function billsOf(tariff: Tariff, kind: BillKind, careLevel: number): Bill[] {
  const treatment = treatmentOf(tariff, kind);
  return tariff.places.map((place) => billOf(tariff, place, kind, treatment, careLevel));
}

function billOf(
  { list, facts, scenario, fees, times, unitPrice }: Tariff,
  place: Place,
  kind: BillKind,
  treatment: Bill['treatment'],
  careLevel: number,
): Bill {
  const { variant, room, foodPerDay, roomPerDay } = place;
  const additions = additionsOf(scenario, place, kind);
  const perMonth = fees.per === 'month';
  const care = careCost({
    baseUnits: variant.units[careLevel - 1] ?? 0,
    dailyUnits: perMonth ? 0 : additions.daily,
    monthlyUnits: additions.monthly + (perMonth ? additions.daily * scenario.days : 0),
    times,
    treatmentPermille: treatment?.permille ?? 0,
    unitPrice,
    copaymentPercent: fees.user_pays_nothing ? 0 : scenario.copaymentPercent,
    rounding: scenario.rounding,
    limitUnits: fees.within_home_limit ? (list.homeLimits?.units[careLevel - 1] ?? null) : null,
  });
  const foodYen = foodPerDay * scenario.days;
  const residenceYen = roomPerDay * scenario.days;
  const rentYen = facts.rentPerMonth ?? 0;
  const managementYen = facts.managementPerMonth ?? 0;
  const reductions = reductionsOf(list, scenario, { ...place, care });
  const total = care.residentPays + foodYen + residenceYen + rentYen + managementYen;
  return {
    variant,
    room,
    additions,
    treatment,
    care,
    foodPerDay,
    roomPerDay,
    foodYen,
    residenceYen,
    rentYen,
    managementYen,
    total,
    reductions,
    after: total - reductions.food - reductions.residence - reductions.refund,
  };
}

/** Additions that the scenario states, or for typical and high those that most facilities have. */
function additionsOf({ dailyUnits, monthlyUnits }: Scenario, { additions }: Place, kind: BillKind): AdditionUnits {
  if (dailyUnits !== null || monthlyUnits !== null) return { daily: dailyUnits ?? 0, monthly: monthlyUnits ?? 0 };
  return kind === 'low' ? { daily: 0, monthly: 0 } : unitsOf(additions);
}

function treatmentOf({ list, fees, scenario }: Tariff, kind: BillKind): Bill['treatment'] {
  const { treatment: choice } = scenario;
  if (choice === 'none') return null;
  if (choice === 'highest') return highestTreatment(list, fees);
  if (choice !== 'range') {
    const permille = list.treatment.get(fees.treatment_group)?.permille[choice];
    return permille === undefined ? null : { name: choice, permille };
  }
  if (kind === 'low') return null;
  return kind === 'high' ? highestTreatment(list, fees) : typicalTreatment(list, fees);
}

/** Each variant in each room it is charged for, with what food and room cost there. */
function placesOf(
  list: PriceList,
  fees: ServiceFees,
  variants: readonly Variant[],
  facts: CostFacts,
  scenario: Scenario,
): Place[] | NoEstimate {
  const { serviceCode, rooms } = facts;
  if (fees.residence_class === undefined) {
    const foodPerDay = fees.excludes.includes('food') ? (facts.foodPerDay ?? 0) : 0;
    const additions = typicalAdditionsOf(list, serviceCode, null);
    const limits = { foodLimit: null, roomLimit: null };
    return variants.map((variant) => ({
      variant,
      room: null,
      additions,
      foodPerDay,
      roomPerDay: 0,
      ...limits,
      confidence: [],
    }));
  }
  if (scenario.room !== null && rooms !== null && !hasRoom(rooms, scenario.room)) return 'room_not_offered';
  const places: Place[] = [];
  for (const variant of variants) {
    for (const room of variant.rooms ?? []) {
      if (rooms !== null && !hasRoom(rooms, room)) continue;
      if (scenario.room !== null && !hasRoom([scenario.room], room)) continue;
      const place = placeOf(list, fees, facts, scenario, variant, room);
      if (typeof place === 'string') return place;
      places.push(place);
    }
  }
  return places.length === 0 ? 'no_units_for_room' : places;
}

function placeOf(
  list: PriceList,
  fees: ServiceFees,
  facts: CostFacts,
  { income }: Scenario,
  variant: Variant,
  room: Room,
): Place | NoEstimate {
  const residence = residenceOf(list, fees, room);
  const foodPerDay = facts.foodPerDay ?? list.food?.standard;
  const roomPerDay = facts.roomFees[room] ?? residence?.standard;
  if (foodPerDay === undefined || roomPerDay === undefined) return 'no_standard_fee';
  const shortStay = serviceOf(facts.serviceCode)?.kind === 'short_stay';
  const foodLimits = (shortStay ? list.food?.short_stay_limits : undefined) ?? list.food?.limits ?? null;
  const limit = (limits: Readonly<Record<string, number>> | null | undefined) =>
    isLowIncome(income) ? (limits?.[income] ?? 'no_income_limit') : null;
  const [foodLimit, roomLimit] = [limit(foodLimits), limit(residence?.limits)];
  if (typeof foodLimit === 'string' || typeof roomLimit === 'string') return 'no_income_limit';
  const confidence: Confidence[] = [];
  if (list.food && (facts.foodPerDay === null || foodLimit !== null)) confidence.push(list.food.confidence);
  if (residence && (facts.roomFees[room] === undefined || roomLimit !== null)) confidence.push(residence.confidence);
  const additions = typicalAdditionsOf(list, facts.serviceCode, room);
  return { variant, room, additions, foodPerDay, roomPerDay, foodLimit, roomLimit, confidence };
}

function confidenceOf(
  list: PriceList,
  fees: ServiceFees,
  facts: CostFacts,
  scenario: Scenario,
  places: readonly Place[],
): Confidence {
  if (fees.user_pays_nothing) return 'confirmed';
  const treated = scenario.treatment !== 'none';
  return leastConfidence([
    list.unitPrices.confidence,
    treated ? list.treatment.get(fees.treatment_group)?.confidence : undefined,
    fees.within_home_limit ? list.homeLimits?.confidence : undefined,
    facts.replaced.length > 0 ? 'unconfirmed' : undefined,
    ...places.flatMap(({ variant, confidence }) => [
      variant.confidence,
      variant.unconfirmed_levels === undefined ? undefined : ('unconfirmed' as const),
      ...confidence,
    ]),
  ]);
}
