import { type CareCost, careCost } from './care-cost.ts';
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
  additionsOf,
  highCostCapOf,
  highestTreatment,
  leastConfidence,
  type PriceList,
  residenceOf,
  typicalTreatment,
  unitPriceOf,
  unitsOf,
} from './price-list.ts';
import { hasRoom } from './published-fees.ts';
import { serviceOf } from './services.ts';

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
const KIND_NTH: Readonly<Record<BillKind, number>> = { low: 0, typical: 1, high: 2 };

/** A variant of a tariff in a room: what of its bill is the same in every home. */
export interface TariffPlace {
  /** Its number among the places of the tariff. */
  nth: number;
  variant: Variant;
  /** Null where the tariff does not depend on the room. */
  room: Room | null;
  /** What each kind of bill has besides the base units: nothing, what most facilities charge, and what many charge too. */
  additions: Readonly<Record<BillKind, readonly Addition[]>>;
  /** Standard fees, yen per day; null where the list has none. */
  food: DayFee | null;
  residence: DayFee | null;
}

/** Yen per day, and the limit of the income stage: null where none holds, undefined where none is known. */
interface DayFee {
  standard: number;
  limit: number | null | undefined;
  confidence: Confidence;
}

/** The care of a bill. */
export interface PlaceCare {
  additions: AdditionUnits;
  treatment: { name: string; permille: number } | null;
  care: CareCost;
  /** Of what the resident pays, what the additions come to, yen. */
  additionsYen: number;
  /**
   * What is paid back above the monthly cap (高額介護サービス費), yen. The cap covers the share of insured care alone:
   * neither food and room nor what goes beyond the monthly limit of home services.
   */
  refund: number;
}

/**
 * The tariff of a service in an area for a scenario. Homes differ by their rooms and fees alone, so that the care of a bill
 * is worked out once for all of them.
 */
export class Tariff {
  readonly list: PriceList;
  readonly scenario: Scenario;
  readonly serviceCode: string;
  readonly fees: ServiceFees;
  /** Days, visits or 1: what the base units are multiplied by. */
  readonly times: number;
  /** Hundredths of a yen. */
  readonly unitPrice: number;
  /** Each variant in each room it is charged for. */
  readonly places: readonly TariffPlace[];
  /** Of all but the places. */
  readonly confidence: Confidence;
  /** Yen a month; null where the price list knows none. */
  readonly cap: number | null;
  /** By place, kind of bill and care level. */
  readonly #care: (PlaceCare | undefined)[] = [];

  constructor(list: PriceList, scenario: Scenario, serviceCode: string, fees: ServiceFees, grade: Grade | null) {
    this.list = list;
    this.scenario = scenario;
    this.serviceCode = serviceCode;
    this.fees = fees;
    const visits = scenario.visits ?? fees.reference?.visits ?? 1;
    this.times = fees.per === 'day' ? scenario.days : fees.per === 'visit' ? visits : 1;
    this.unitPrice = unitPriceOf(list, fees, grade ?? 'other');
    this.places = placesOf(list, scenario, serviceCode, fees);
    this.confidence = leastConfidence([
      list.unitPrices.confidence,
      scenario.treatment === 'none' ? undefined : list.treatment.get(fees.treatment_group)?.confidence,
      fees.within_home_limit ? list.homeLimits?.confidence : undefined,
    ]);
    this.cap = highCostCapOf(list, scenario.income);
  }

  /** The care of one kind of bill in a place for a care level. */
  care(place: TariffPlace, kind: BillKind, careLevel: number): PlaceCare {
    const nth = (place.nth * BILL_KINDS.length + KIND_NTH[kind]) * 5 + careLevel - 1;
    const known = this.#care[nth] ?? this.#careOf(place, kind, careLevel);
    this.#care[nth] = known;
    return known;
  }

  #careOf(place: TariffPlace, kind: BillKind, careLevel: number): PlaceCare {
    const additions = this.#additionsOf(place, kind);
    const treatment = this.#treatmentOf(kind);
    const care = this.#cost(place, additions, treatment, careLevel);
    const without = this.#cost(place, { daily: 0, monthly: 0 }, treatment, careLevel);
    const share = care.insurable - care.insurerPays;
    return {
      additions,
      treatment,
      care,
      additionsYen: care.residentPays - without.residentPays,
      refund: this.cap === null ? 0 : Math.max(0, share - this.cap),
    };
  }

  #cost(
    { variant }: TariffPlace,
    additions: AdditionUnits,
    treatment: PlaceCare['treatment'],
    careLevel: number,
  ): CareCost {
    const { fees, list, scenario } = this;
    const perMonth = fees.per === 'month';
    return careCost({
      baseUnits: variant.units[careLevel - 1] ?? 0,
      dailyUnits: perMonth ? 0 : additions.daily,
      monthlyUnits: additions.monthly + (perMonth ? additions.daily * scenario.days : 0),
      times: this.times,
      treatmentPermille: treatment?.permille ?? 0,
      unitPrice: this.unitPrice,
      copaymentPercent: fees.user_pays_nothing ? 0 : scenario.copaymentPercent,
      rounding: scenario.rounding,
      limitUnits: fees.within_home_limit ? (list.homeLimits?.units[careLevel - 1] ?? null) : null,
    });
  }

  /** Additions that the scenario states, or those of the kind of bill. */
  #additionsOf({ additions }: TariffPlace, kind: BillKind): AdditionUnits {
    const { dailyUnits, monthlyUnits } = this.scenario;
    if (dailyUnits !== null || monthlyUnits !== null) return { daily: dailyUnits ?? 0, monthly: monthlyUnits ?? 0 };
    return unitsOf(additions[kind]);
  }

  #treatmentOf(kind: BillKind): PlaceCare['treatment'] {
    const { list, fees } = this;
    const { treatment: choice } = this.scenario;
    if (choice === 'none') return null;
    if (choice === 'highest') return highestTreatment(list, fees);
    if (choice !== 'range') {
      const permille = list.treatment.get(fees.treatment_group)?.permille[choice];
      return permille === undefined ? null : { name: choice, permille };
    }
    if (kind === 'low') return null;
    return kind === 'high' ? highestTreatment(list, fees) : typicalTreatment(list, fees);
  }
}

/** The tariffs of a price list for one scenario, each made once. */
export class Tariffs {
  readonly list: PriceList;
  readonly scenario: Scenario;
  readonly #made = new Map<string, Tariff | NoEstimate>();

  constructor(list: PriceList, scenario: Scenario) {
    this.list = list;
    this.scenario = scenario;
  }

  /** The tariff of a service in an area, or why there is none. */
  of(serviceCode: string, grade: Grade | null): Tariff | NoEstimate {
    const key = `${serviceCode} ${grade}`;
    let made = this.#made.get(key);
    if (made === undefined) {
      made = tariffOf(this.list, this.scenario, serviceCode, grade);
      this.#made.set(key, made);
    }
    return made;
  }
}

function tariffOf(list: PriceList, scenario: Scenario, serviceCode: string, grade: Grade | null): Tariff | NoEstimate {
  const service = serviceOf(serviceCode);
  if (service?.ended_on !== undefined && service.ended_on < list.date) return 'service_ended';
  if (service?.kind === 'equipment') return 'goods';
  const fees = list.services.get(serviceCode);
  if (fees === undefined) return 'no_units_known';
  if (grade === null && !fees.user_pays_nothing) return 'no_area_grade';
  const wanted = scenario.variants ?? fees.reference?.variants ?? null;
  const variants = fees.variants.filter(({ id }) => wanted === null || wanted.includes(id));
  if (variants.length === 0) return 'no_units_known';
  return new Tariff(list, scenario, serviceCode, { ...fees, variants }, grade);
}

function additionsByKind(list: PriceList, serviceCode: string, room: Room | null): TariffPlace['additions'] {
  const all = additionsOf(list, serviceCode, room);
  return { low: [], typical: all.filter((one) => one.only_high === undefined), high: all };
}

function placesOf(
  list: PriceList,
  { room: wanted, income }: Scenario,
  serviceCode: string,
  fees: ServiceFees,
): TariffPlace[] {
  if (fees.residence_class === undefined) {
    const additions = additionsByKind(list, serviceCode, null);
    return fees.variants.map((variant, nth) => ({ nth, variant, room: null, additions, food: null, residence: null }));
  }
  const shortStay = serviceOf(serviceCode)?.kind === 'short_stay';
  const limitIn = (limits: Readonly<Record<string, number>> | null | undefined) =>
    isLowIncome(income) ? limits?.[income] : null;
  const food = list.food && {
    standard: list.food.standard,
    limit: limitIn((shortStay ? list.food.short_stay_limits : undefined) ?? list.food.limits),
    confidence: list.food.confidence,
  };
  const places = fees.variants.flatMap((variant) =>
    (variant.rooms ?? [])
      .filter((room) => wanted === null || hasRoom([wanted], room))
      .map((room) => {
        const found = residenceOf(list, fees, room);
        const residence = found && { ...found, limit: limitIn(found.limits) };
        return {
          variant,
          room,
          additions: additionsByKind(list, serviceCode, room),
          food,
          residence: residence ?? null,
        };
      }),
  );
  return places.map((place, nth) => ({ nth, ...place }));
}
