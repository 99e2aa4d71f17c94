import { type CareCost, careCost } from './care-cost.ts';
import type { Terms } from './case.ts';
import {
  type Addition,
  type Confidence,
  type Income,
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
  statedUnits,
  typicalTreatment,
  unitPriceOf,
  unitsOf,
} from './price-list.ts';
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

/** The care levels that a tariff distinguishes. */
export const CARE_LEVELS = [1, 2, 3, 4, 5] as const;

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
  /** Whether most homes of the service are of it, so that it stands for a typical bill where others can be. */
  isUsual: boolean;
}

/** Yen per day, and by income stage the limits of low-income households, as far as they are known. */
interface DayFee {
  standard: number;
  limits: Readonly<Record<string, number>> | null;
  confidence: Confidence;
}

/** The limit of an income stage on a fee: null where none holds, undefined where none is known. */
export function limitOf(fee: DayFee | null, income: Income): number | null | undefined {
  return isLowIncome(income) ? fee?.limits?.[income] : null;
}

/** The care of a bill. */
export interface PlaceCare {
  additions: AdditionUnits;
  treatment: { name: string; permille: number } | null;
  care: CareCost;
}

/**
 * The tariff of a service in an area. Homes differ by their rooms and fees alone, and residents by what is let off, so that
 * the care of all bills is worked out once: in columns, of which `at` says where the figure of a bill stands.
 */
export class Tariff {
  readonly list: PriceList;
  readonly terms: Terms;
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
  /** What the resident pays for care, yen. */
  readonly pays: Int32Array;
  /** Of that, the share of insured care: the monthly cap (高額介護サービス費) covers no more. */
  readonly share: Int32Array;
  /** Of that, what the additions come to, yen. */
  readonly additionsYen: Int32Array;
  /** Units of the additions of typical bills, by place. */
  readonly typicalUnits: readonly AdditionUnits[];

  constructor(list: PriceList, terms: Terms, serviceCode: string, fees: ServiceFees, grade: Grade | null) {
    this.list = list;
    this.terms = terms;
    this.serviceCode = serviceCode;
    this.fees = fees;
    const visits = terms.visits ?? fees.reference?.visits ?? 1;
    this.times = fees.per === 'day' ? terms.days : fees.per === 'visit' ? visits : 1;
    this.unitPrice = unitPriceOf(list, fees, grade ?? 'other');
    this.places = placesOf(list, serviceCode, fees);
    this.confidence = leastConfidence([
      list.unitPrices.confidence,
      terms.treatment === 'none' ? undefined : list.treatment.get(fees.treatment_group)?.confidence,
      fees.within_home_limit ? list.homeLimits?.confidence : undefined,
    ]);
    const bills = this.places.length * BILL_KINDS.length * CARE_LEVELS.length;
    this.pays = new Int32Array(bills);
    this.share = new Int32Array(bills);
    this.additionsYen = new Int32Array(bills);
    this.typicalUnits = this.places.map((place) => this.#additionsIn(place, 'typical'));
    for (const place of this.places) {
      for (const [nth, kind] of BILL_KINDS.entries()) this.#work(place, kind, nth);
    }
  }

  /** Where the figures of a bill stand. @param kind its place among the kinds of bills */
  at(place: number, kind: number, careLevel: number): number {
    return (place * BILL_KINDS.length + kind) * CARE_LEVELS.length + careLevel - 1;
  }

  /** The care of one kind of bill in a place for a care level, with what it was made of. */
  care(place: TariffPlace, kind: BillKind, careLevel: number): PlaceCare {
    const additions = this.#additionsIn(place, kind);
    const treatment = this.#treatmentOf(kind);
    return { additions, treatment, care: this.#cost(place, additions, treatment, careLevel) };
  }

  /** Units of additions: those that the terms state, or those of the kind of bill. */
  #additionsIn({ additions }: TariffPlace, kind: BillKind): AdditionUnits {
    const { dailyUnits, monthlyUnits } = this.terms;
    if (dailyUnits !== null || monthlyUnits !== null) return statedUnits(dailyUnits ?? 0, monthlyUnits ?? 0);
    return unitsOf(additions[kind]);
  }

  /** Works out the care of a kind of bill in a place for all care levels. */
  #work(place: TariffPlace, kind: BillKind, nth: number): void {
    const additions = this.#additionsIn(place, kind);
    const treatment = this.#treatmentOf(kind);
    for (const careLevel of CARE_LEVELS) {
      const care = this.#cost(place, additions, treatment, careLevel);
      const without = this.#cost(place, statedUnits(0, 0), treatment, careLevel);
      const at = this.at(place.nth, nth, careLevel);
      this.pays[at] = care.residentPays;
      this.share[at] = care.insurable - care.insurerPays;
      this.additionsYen[at] = care.residentPays - without.residentPays;
    }
  }

  #cost(
    { variant }: TariffPlace,
    additions: AdditionUnits,
    treatment: PlaceCare['treatment'],
    careLevel: number,
  ): CareCost {
    const { fees, list, terms } = this;
    const perMonth = fees.per === 'month';
    return careCost({
      baseUnits: variant.units[careLevel - 1] ?? 0,
      dailyUnits: perMonth ? 0 : additions.daily,
      monthlyUnits: additions.monthly + (perMonth ? additions.daily * terms.days : 0),
      times: this.times,
      treatmentPermille: treatment?.permille ?? 0,
      unitPrice: this.unitPrice,
      copaymentPercent: fees.user_pays_nothing ? 0 : terms.copaymentPercent,
      rounding: terms.rounding,
      limitUnits: fees.within_home_limit ? (list.homeLimits?.units[careLevel - 1] ?? null) : null,
      unlimitedUnits: additions.unlimited.daily * (perMonth ? terms.days : this.times) + additions.unlimited.monthly,
    });
  }

  #treatmentOf(kind: BillKind): PlaceCare['treatment'] {
    const { list, fees } = this;
    const { treatment: choice } = this.terms;
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

/** What is paid back of a share of insured care above the monthly cap, yen. @param cap null where none is known */
export function refundOf(share: number, cap: number | null): number {
  return cap === null || share <= cap ? 0 : share - cap;
}

/** The tariffs of a price list on the same terms, each made once. */
export class Tariffs {
  readonly list: PriceList;
  readonly terms: Terms;
  readonly #made = new Map<string, Map<Grade | null, Tariff | NoEstimate>>();
  readonly #caps = new Map<Income, number | null>();

  constructor(list: PriceList, terms: Terms) {
    this.list = list;
    this.terms = terms;
  }

  /** The tariff of a service in an area, or why there is none. */
  of(serviceCode: string, grade: Grade | null): Tariff | NoEstimate {
    let ofService = this.#made.get(serviceCode);
    if (ofService === undefined) {
      ofService = new Map();
      this.#made.set(serviceCode, ofService);
    }
    let made = ofService.get(grade);
    if (made === undefined) {
      made = tariffOf(this.list, this.terms, serviceCode, grade);
      ofService.set(grade, made);
    }
    return made;
  }

  /** The monthly cap of an income stage on the share of insured care, yen; null where the price list knows none. */
  capOf(income: Income): number | null {
    let cap = this.#caps.get(income);
    if (cap === undefined) {
      cap = highCostCapOf(this.list, income);
      this.#caps.set(income, cap);
    }
    return cap;
  }
}

function tariffOf(list: PriceList, terms: Terms, serviceCode: string, grade: Grade | null): Tariff | NoEstimate {
  const service = serviceOf(serviceCode);
  if (service?.ended_on !== undefined && service.ended_on < list.date) return 'service_ended';
  if (service?.kind === 'equipment') return 'goods';
  const fees = list.services.get(serviceCode);
  if (fees === undefined) return 'no_units_known';
  if (grade === null && !fees.user_pays_nothing) return 'no_area_grade';
  const wanted = terms.variants ?? fees.reference?.variants ?? null;
  const variants = fees.variants.filter(({ id }) => wanted === null || wanted.includes(id));
  if (variants.length === 0) return 'no_units_known';
  return new Tariff(list, terms, serviceCode, { ...fees, variants }, grade);
}

function additionsByKind(list: PriceList, serviceCode: string, room: Room | null): TariffPlace['additions'] {
  const all = additionsOf(list, serviceCode, room);
  return { low: [], typical: all.filter((one) => one.only_high === undefined), high: all };
}

function placesOf(list: PriceList, serviceCode: string, fees: ServiceFees): TariffPlace[] {
  if (fees.residence_class === undefined) {
    const additions = additionsByKind(list, serviceCode, null);
    return fees.variants.map((variant, nth) => {
      const isUsual = isUsualVariant(fees, variant);
      return { nth, variant, room: null, additions, food: null, residence: null, isUsual };
    });
  }
  const shortStay = serviceOf(serviceCode)?.kind === 'short_stay';
  const food = list.food && {
    standard: list.food.standard,
    limits: (shortStay ? list.food.short_stay_limits : undefined) ?? list.food.limits ?? null,
    confidence: list.food.confidence,
  };
  const places = fees.variants.flatMap((variant) =>
    (variant.rooms ?? []).map((room) => {
      const found = residenceOf(list, fees, room);
      const residence = found === undefined ? null : { ...found, limits: found.limits ?? null };
      const isUsual = isUsualVariant(fees, variant);
      return { variant, room, additions: additionsByKind(list, serviceCode, room), food, residence, isUsual };
    }),
  );
  return places.map((place, nth) => ({ nth, ...place }));
}

const isUsualVariant = ({ usual }: ServiceFees, { id }: Variant): boolean => usual?.variants.includes(id) ?? true;
