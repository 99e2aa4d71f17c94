import { type CostEstimate, type Income, isLowIncome, type Room } from '../contract/kaigo-cost.ts';
import { type CareCost, careCost } from './care-cost.ts';
import type { Terms } from './case.ts';
import type { Addition, Confidence, ServiceFees, Variant } from './fee-table.ts';
import type { Grade } from './municipalities.ts';
import {
  type AdditionUnits,
  additionsOf,
  filedAdditions,
  type HighCostCap,
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
export type NoEstimate = NonNullable<CostEstimate['reason']>;

/** The three bills of an estimate: base units only, the costs in most facilities, and those with the highest rate. */
export const BILL_KINDS = ['low', 'typical', 'high'] as const;
export type BillKind = (typeof BILL_KINDS)[number];

/** An object with a member for each kind of bill. */
export function eachKind<T>(make: (kind: BillKind) => T): Record<BillKind, T> {
  return { low: make('low'), typical: make('typical'), high: make('high') };
}

/** The care levels and the support levels that a tariff distinguishes. */
export const CARE_LEVELS = [1, 2, 3, 4, 5] as const;
const SUPPORT_LEVELS = [1, 2] as const;

/**
 * The prices of a service in an area for one copayment. Homes differ only by their rooms and fees, households only by
 * their limits.
 */
export interface Tariff {
  list: PriceList;
  terms: Terms;
  serviceCode: string;
  fees: TariffFees;
  /** True for support levels. */
  isSupport: boolean;
  filed: FiledAdditions | null;
  copaymentPercent: number;
  /** Days, visits or 1: the factor of the base units. */
  times: number;
  /** Hundredths of a yen. */
  unitPrice: number;
  /** Each variant in each kind of room to which it applies. */
  offers: readonly TariffOffer[];
  /** Confidence of everything except the offers. */
  confidence: Confidence;
}

/** The fees of a service for care levels or for support levels. */
type TariffFees = Omit<ServiceFees, 'variants' | 'support'> & { variants: readonly TariffVariant[] };

/** A variant with its units by level; null: the level is not taken. */
type TariffVariant = Omit<Variant, 'units'> & { units: readonly (number | null)[] };

/** What a home can offer to a resident: a variant of the tariff in a kind of room. */
export interface TariffOffer {
  variant: TariffVariant;
  /** Null when the tariff does not depend on the room. */
  room: Room | null;
  /** The additions of each kind of bill: none; those of most facilities; in addition those of many. */
  additions: Readonly<Record<BillKind, readonly Addition[]>>;
  /** The care of each kind of bill, by care or support level from 1; null: the level is not taken. */
  care: Readonly<Record<BillKind, readonly (Care | null)[]>>;
  /** Standard fees, yen per day; null when the list has none. */
  food: DayFee | null;
  residence: DayFee | null;
  /** True when most homes of the service have it, so that it represents a typical bill. */
  isUsual: boolean;
}

/** Yen per day, and the known limits of low-income households by income stage. */
interface DayFee {
  standard: number;
  limits: Readonly<Record<string, number>> | null;
  confidence: Confidence;
}

/** The limit of an income stage on a fee: null when there is none, undefined when it is unknown. */
export function limitOf(fee: DayFee | null, income: Income): number | null | undefined {
  return isLowIncome(income) ? fee?.limits?.[income] : null;
}

/** The cost of care in a bill, and its parts. */
export interface Care {
  units: AdditionUnits;
  treatment: { name: string; permille: number } | null;
  cost: CareCost;
  /** The resident's share of the additions, the treatment improvement included, yen. */
  additionsYen: number;
}

/** The key of a tariff. */
interface TariffQuery {
  serviceCode: string;
  grade: Grade | null;
  copaymentPercent: number;
  /** For support levels. */
  isSupport: boolean;
  /** The additions of the home; null: those of most homes. */
  filed: FiledAdditions | null;
}

/**
 * The filed additions of a home by their names, and its treatment improvement rate: null is unknown, `none` is none.
 */
export interface FiledAdditions {
  additions: readonly string[];
  treatment: string | null;
}

/** The tariffs of a price list; each is made once. */
export class Tariffs {
  readonly list: PriceList;
  readonly terms: Terms;
  readonly #tariffs = new Map<string, Tariff | NoEstimate>();

  constructor(list: PriceList, terms: Terms) {
    this.list = list;
    this.terms = terms;
  }

  /** The tariff of a service in an area for a copayment, or why there is none. */
  of(query: TariffQuery): Tariff | NoEstimate {
    const { serviceCode, grade, copaymentPercent, isSupport, filed } = query;
    const filedKey = filed === null ? '' : `${filed.treatment} ${filed.additions.join(' ')}`;
    const key = `${serviceCode} ${grade} ${copaymentPercent} ${isSupport} ${filedKey}`;
    const tariff = this.#tariffs.get(key) ?? tariffOf(this.list, this.terms, query);
    this.#tariffs.set(key, tariff);
    return tariff;
  }

  /** The monthly cap of an income stage on the share of insured care; null when the price list has none. */
  capOf(income: Income): HighCostCap | null {
    return highCostCapOf(this.list, income);
  }
}

/** The fees of a service in an area for one case, or why there is no estimate. */
function tariffOf(
  list: PriceList,
  terms: Terms,
  { serviceCode, grade, copaymentPercent, isSupport, filed }: TariffQuery,
): Tariff | NoEstimate {
  const service = serviceOf(serviceCode);
  if (service?.ended_on !== undefined && service.ended_on < list.date) return 'service_ended';
  if (service?.kind === 'equipment') return 'goods';
  const serviceFees = list.services.get(serviceCode);
  if (serviceFees === undefined) return 'no_units_known';
  const levelFees = isSupport ? supportFeesOf(serviceFees) : serviceFees;
  if (typeof levelFees === 'string') return levelFees;
  // The reference of a service per visit: its usual variants, and how many visits.
  const variantIds = terms.variants ?? levelFees.reference?.variants ?? null;
  const variants = levelFees.variants.filter(({ id }) => variantIds === null || variantIds.includes(id));
  if (variants.length === 0) return 'no_units_known';
  const fees: TariffFees = { ...levelFees, variants };
  const visits = terms.visits ?? fees.reference?.visits ?? 1;
  const tariff = {
    list,
    terms,
    serviceCode,
    fees,
    isSupport,
    // Filed additions are for care levels.
    filed: isSupport ? null : filed,
    copaymentPercent,
    times: { day: terms.days, visit: visits, month: 1 }[fees.per],
    // A municipality that the notice does not name counts as one of the other areas.
    unitPrice: unitPriceOf(list, fees, grade ?? 'other'),
    confidence: leastConfidence([
      list.unitPrices.confidence,
      terms.treatment === 'none' ? undefined : list.treatment.get(fees.treatment_group)?.confidence,
      fees.within_home_limit ? list.homeLimits?.confidence : undefined,
    ]),
  };
  return { ...tariff, offers: offersOf(tariff) };
}

/** The fees of a service for support levels, or why there are none. */
function supportFeesOf({ support, reference: _, ...rest }: ServiceFees): TariffFees | NoEstimate {
  // The reference of the service is for care levels.
  if (rest.user_pays_nothing) return rest;
  if (support === undefined) return 'not_for_support_level';
  if (support === 'municipal') return 'municipal_programme';
  if (support === 'unknown') return 'no_units_known';
  const { title, per, reference, variants } = support;
  return { ...rest, title, per, variants, ...(reference && { reference }) };
}

type TariffWithoutOffers = Omit<Tariff, 'offers'>;

/** The offers of a service: each variant in each kind of room that it can have. */
function offersOf(tariff: TariffWithoutOffers): TariffOffer[] {
  const { list, serviceCode, fees } = tariff;
  const levels = tariff.isSupport ? SUPPORT_LEVELS : CARE_LEVELS;
  const offerOf = (
    variant: TariffVariant,
    room: Room | null,
    food: DayFee | null,
    residence: DayFee | null,
  ): TariffOffer => {
    const additions = additionsByKind(tariff, room);
    return {
      variant,
      room,
      additions,
      care: eachKind((kind) => levels.map((level) => careOf(tariff, variant, additions[kind], kind, level))),
      food,
      residence,
      // Without a list of the usual variants, all are.
      isUsual: fees.usual?.variants.includes(variant.id) ?? true,
    };
  };
  // Services without a residence class have no standard fee, for a room or for food.
  if (fees.residence_class === undefined) return fees.variants.map((variant) => offerOf(variant, null, null, null));
  const isShortStay = serviceOf(serviceCode)?.kind === 'short_stay';
  const food = list.food && {
    standard: list.food.standard,
    limits: (isShortStay ? list.food.short_stay_limits : undefined) ?? list.food.limits ?? null,
    confidence: list.food.confidence,
  };
  return fees.variants.flatMap((variant) =>
    (variant.rooms ?? []).map((room) => offerOf(variant, room, food, residenceOf(list, fees, room) ?? null)),
  );
}

/** The additions of each kind of bill: what the home filed, if that is known; otherwise what homes of the service have. */
function additionsByKind(
  { list, serviceCode, isSupport, filed }: TariffWithoutOffers,
  room: Room | null,
): TariffOffer['additions'] {
  if (filed !== null) {
    const additions = filedAdditions(list, serviceCode, room, filed.additions);
    return { low: additions, typical: additions, high: additions };
  }
  // Which additions the homes have for support levels is not known.
  const additions = isSupport ? [] : additionsOf(list, serviceCode, room);
  // Only many homes, not most, have those with `only_high`.
  return { low: [], typical: additions.filter(({ only_high }) => only_high === undefined), high: additions };
}

/** The care of one kind of bill of a variant; null for a level that it does not take in. */
function careOf(
  tariff: TariffWithoutOffers,
  variant: TariffVariant,
  additions: readonly Addition[],
  kind: BillKind,
  level: number,
): Care | null {
  const { list, terms, fees } = tariff;
  const baseUnits = variant.units[level - 1] ?? null;
  if (baseUnits === null) return null;
  const limits = tariff.isSupport ? list.homeLimits?.support_units : list.homeLimits?.units;
  const { dailyUnits, monthlyUnits } = terms;
  const isStated = dailyUnits !== null || monthlyUnits !== null;
  const units = isStated ? statedUnits(dailyUnits ?? 0, monthlyUnits ?? 0) : unitsOf(additions);
  const treatment = treatmentOf(tariff, kind);
  const isPerMonth = fees.per === 'month';
  // How often additions per day count: as often as the base units, but each day where these are for a month.
  const timesOfDaily = isPerMonth ? terms.days : tariff.times;
  const unitsInMonth = ({ daily, monthly }: { daily: number; monthly: number }): number =>
    daily * timesOfDaily + monthly;
  const costWith = (additionUnits: AdditionUnits, treatmentPermille: number): CareCost =>
    careCost({
      baseUnits,
      // `careCost` counts daily units `times` times. With base units for a month that is once, so they count as monthly
      // ones.
      dailyUnits: isPerMonth ? 0 : additionUnits.daily,
      monthlyUnits: isPerMonth ? unitsInMonth(additionUnits) : additionUnits.monthly,
      times: tariff.times,
      treatmentPermille,
      unitPrice: tariff.unitPrice,
      copaymentPercent: fees.user_pays_nothing ? 0 : tariff.copaymentPercent,
      rounding: terms.rounding,
      limitUnits: fees.within_home_limit ? (limits?.[level - 1] ?? null) : null,
      unlimitedUnits: unitsInMonth(additionUnits.unlimited),
    });
  const cost = costWith(units, treatment?.permille ?? 0);
  const costOfBase = costWith(statedUnits(0, 0), 0);
  return { units, treatment, cost, additionsYen: cost.residentPays - costOfBase.residentPays };
}

/**
 * The treatment improvement rate in one kind of bill; null: none. What `terms.treatment` names, or what the home has
 * filed, stands in all three bills. Without either (`range`), the low bill has none, the typical one the rate that most
 * homes have, and the high one the highest.
 */
function treatmentOf({ list, fees, terms, filed }: TariffWithoutOffers, kind: BillKind): Care['treatment'] {
  const wanted = terms.treatment === 'range' ? (filed?.treatment ?? 'range') : terms.treatment;
  if (wanted === 'range') {
    if (kind === 'low') return null;
    return kind === 'high' ? highestTreatment(list, fees) : typicalTreatment(list, fees);
  }
  if (wanted === 'none') return null;
  if (wanted === 'highest') return highestTreatment(list, fees);
  const permille = list.treatment.get(fees.treatment_group)?.permille[wanted];
  return permille === undefined ? null : { name: wanted, permille };
}
