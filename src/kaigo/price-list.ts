import type { Case, Income, Room } from '../contract/kaigo-cost.ts';
import type {
  Addition,
  CapClass,
  Confidence,
  FeeBounds,
  FeeTable,
  ServiceFees,
  SupportFees,
  Variant,
} from './fee-table.ts';
import type { Grade } from './municipalities.ts';

/** The figures of a fee table that are in force on one day. */
export interface PriceList {
  /** The day on which the latest of them came into force, YYYY-MM-DD: the name of the list. */
  date: string;
  /** By service code; only services with units in force. */
  services: ReadonlyMap<string, ServiceFees>;
  unitPrices: FeeTable['unit_prices'][number];
  /** By treatment group. */
  treatment: ReadonlyMap<string, FeeTable['treatment_rates'][number]>;
  /** Null before the first entry of the table. */
  food: FeeTable['food'][number] | null;
  residence: readonly FeeTable['residence'][number][];
  homeLimits: FeeTable['home_limits'][number] | null;
  highCostCaps: FeeTable['high_cost_caps'][number] | null;
  welfareRelief: NonNullable<FeeTable['welfare_relief']>[number] | null;
  careAssistance: NonNullable<FeeTable['care_assistance']>[number] | null;
  combinedCaps: NonNullable<FeeTable['combined_caps']>[number] | null;
  typicalAdditions: readonly Addition[];
  /** Additions that a home may have filed, besides the typical ones. */
  filedAdditions: readonly Addition[];
  /** The bounds of believed published fees. */
  feeBounds: readonly FeeBounds[];
  /**
   * Limits of low-income stages of this list, of previous ones and of older ones. A published fee never equals one of
   * them.
   */
  incomeLimits: ListAmounts;
  /** Standard fees of earlier lists. */
  formerStandards: ListAmounts;
}

/** Amounts of price lists, yen per day. */
interface ListAmounts {
  food: ReadonlySet<number>;
  /** By class of residence and kind of room. */
  room: ReadonlyMap<string, ReadonlySet<number>>;
}

const RESIDENCE_CLASSES = ['welfare_facility', 'health_facility'] as const;

/**
 * The price list in force on `day` (YYYY-MM-DD).
 * @throws RangeError when the table has no unit price or no treatment rates for that day, with the first day that has
 * both
 */
export function priceListOn(table: FeeTable, day: string): PriceList {
  const inForce = <T extends { from: string; to: string | null }>(figures: readonly T[]): T[] =>
    figures.filter(({ from, to }) => from <= day && (to === null || day <= to));
  const unitPrices = inForce(table.unit_prices)[0];
  const treatment = inForce(table.treatment_rates);
  if (unitPrices === undefined || treatment.length === 0) {
    const firstDays = [table.unit_prices, table.treatment_rates].map(
      (figures) => figures.map(({ from }) => from).sort()[0] ?? '',
    );
    throw new RangeError(
      `no price list is in force on ${day}: the fee table begins on ${firstDays.sort().at(-1)}; choose another day for the price list`,
    );
  }
  const services = new Map<string, ServiceFees>();
  const variants: Variant[] = [];
  for (const service of table.services) {
    const current = inForce(service.variants);
    if (current.length === 0) continue;
    variants.push(...current);
    const fees = { ...service, ...supportOn(service, inForce), variants: current };
    for (const code of service.service_codes) services.set(code, fees);
  }
  const food = inForce(table.food)[0] ?? null;
  const residence = inForce(table.residence);
  const homeLimits = inForce(table.home_limits)[0] ?? null;
  const highCostCaps = inForce(table.high_cost_caps)[0] ?? null;
  // The list is named after the latest first day of its main figures.
  const mainFigures = [unitPrices, ...treatment, ...variants, food, ...residence, homeLimits, highCostCaps];
  return {
    date: mainFigures.reduce((latest, figure) => (figure !== null && figure.from > latest ? figure.from : latest), ''),
    services,
    unitPrices,
    treatment: new Map(treatment.map((rates) => [rates.group, rates])),
    food,
    residence,
    homeLimits,
    highCostCaps,
    welfareRelief: inForce(table.welfare_relief ?? [])[0] ?? null,
    careAssistance: inForce(table.care_assistance ?? [])[0] ?? null,
    combinedCaps: inForce(table.combined_caps ?? [])[0] ?? null,
    typicalAdditions: inForce(table.typical_additions),
    filedAdditions: inForce(table.filed_additions ?? []),
    feeBounds: inForce(table.published_fee_bounds),
    incomeLimits: incomeLimitsUntil(table, day),
    formerStandards: standardsBefore(table, day),
  };
}

/** The prices of a service for support levels that are in force; `unknown` when none is in force. */
function supportOn(
  { support }: ServiceFees,
  inForce: (figures: SupportFees['variants']) => SupportFees['variants'],
): Pick<ServiceFees, 'support'> {
  // Without prices `support` is absent, or a word says why: `municipal` or `unknown`.
  if (typeof support !== 'object') return support === undefined ? {} : { support };
  const variants = inForce(support.variants);
  return { support: variants.length === 0 ? 'unknown' : { ...support, variants } };
}

/** Collects amounts of price lists. */
class Amounts implements ListAmounts {
  readonly food = new Set<number>();
  readonly room = new Map<string, Set<number>>();

  addRoom(kind: { class: string; room?: string }, yen: number): void {
    const key = roomKey(kind);
    this.room.set(key, (this.room.get(key) ?? new Set()).add(yen));
  }

  /**
   * Adds amounts that were in force before the oldest list of the table. A home that still publishes one of them has an
   * outdated fee, which is refused; so the table has them beside its bounds of published fees. Those without a class are
   * of all classes.
   */
  addFormer(table: FeeTable, name: 'former_limits' | 'former_standards'): void {
    for (const { of: fee, [name]: formerAmounts = [] } of table.published_fee_bounds) {
      for (const { class: residenceClass, room, yen } of formerAmounts) {
        const classes = residenceClass ? [residenceClass] : RESIDENCE_CLASSES;
        for (const amount of yen) {
          if (fee === 'food') this.food.add(amount);
          else for (const ofClass of classes) this.addRoom({ class: ofClass, room }, amount);
        }
      }
    }
  }
}

/** The key of a kind of room in {@link ListAmounts}. */
export const roomKey = ({ class: residenceClass, room }: { class?: string; room?: string }): string =>
  `${residenceClass} ${room}`;

/** The standard fees before those in force on a day: of the table's lists, and of older ones (`former_standards`). */
function standardsBefore(table: FeeTable, day: string): ListAmounts {
  const amounts = new Amounts();
  const isOver = ({ to }: { to: string | null }): boolean => to !== null && to < day;
  for (const { standard } of table.food.filter(isOver)) amounts.food.add(standard);
  for (const fee of table.residence.filter(isOver)) amounts.addRoom(fee, fee.standard);
  amounts.addFormer(table, 'former_standards');
  // An amount that is in force again is not a former one.
  for (const fee of table.food) if (!isOver(fee) && fee.from <= day) amounts.food.delete(fee.standard);
  for (const fee of table.residence) {
    if (!isOver(fee) && fee.from <= day) amounts.room.get(roomKey(fee))?.delete(fee.standard);
  }
  return amounts;
}

/** All limits of income stages from the first to a day: of the table's lists, and of those before (`former_limits`). */
function incomeLimitsUntil(table: FeeTable, day: string): ListAmounts {
  const amounts = new Amounts();
  const until = <T extends { from: string }>(figures: readonly T[]): T[] => figures.filter(({ from }) => from <= day);
  for (const { limits } of until(table.food)) for (const yen of Object.values(limits ?? {})) amounts.food.add(yen);
  for (const fee of until(table.residence)) {
    for (const yen of Object.values(fee.limits ?? {})) amounts.addRoom(fee, yen);
  }
  // These have no days: all are older than the lists.
  amounts.addFormer(table, 'former_limits');
  return amounts;
}

/** The price of a unit of a service in an area, hundredths of a yen. */
export function unitPriceOf(list: PriceList, fees: Pick<ServiceFees, 'unit_price_group'>, grade: Grade): number {
  return list.unitPrices.yen_hundredths[fees.unit_price_group][grade];
}

/** The standard residence fee of a room, or undefined when the list has none. */
export function residenceOf(list: PriceList, fees: Pick<ServiceFees, 'residence_class'>, room: Room) {
  return list.residence.find((fee) => fee.class === fees.residence_class && fee.room === room);
}

/** The highest treatment rate of a service with its name; null when the list has none. */
export function highestTreatment(
  list: PriceList,
  fees: Pick<ServiceFees, 'treatment_group'>,
): { name: string; permille: number } | null {
  const rates = Object.entries(list.treatment.get(fees.treatment_group)?.permille ?? {});
  const [highest] = rates.sort(([, a], [, b]) => b - a);
  return highest === undefined ? null : { name: highest[0], permille: highest[1] };
}

/** The treatment rate of most facilities of a service; null when unknown. */
export function typicalTreatment(
  list: PriceList,
  fees: Pick<ServiceFees, 'treatment_group'>,
): { name: string; permille: number } | null {
  const rates = list.treatment.get(fees.treatment_group);
  const name = rates?.typical;
  const permille = name === undefined ? undefined : rates?.permille[name];
  return name === undefined || permille === undefined ? null : { name, permille };
}

/** Units of the additions of most facilities of a service. */
export interface AdditionUnits {
  /** Per day or visit. */
  daily: number;
  monthly: number;
  /** The part of both that does not count against the monthly limit of home services. */
  unlimited: { daily: number; monthly: number };
}

/** The units that a scenario states. All of them count against the monthly limit. */
export const statedUnits = (daily: number, monthly: number): AdditionUnits => ({
  daily,
  monthly,
  unlimited: { daily: 0, monthly: 0 },
});

/** The additions that most or many facilities of a service charge in a room. Null: for any room. */
export function additionsOf(list: PriceList, serviceCode: string, room: Room | null): Addition[] {
  return list.typicalAdditions.filter((addition) => appliesTo(addition, serviceCode, room));
}

/** Whether an addition is for a service and a kind of room. Null: for any room. */
const appliesTo = ({ service_codes, rooms }: Addition, serviceCode: string, room: Room | null): boolean =>
  service_codes.includes(serviceCode) && (rooms === undefined || (room !== null && rooms.includes(room)));

/** The additions of these names that a service has in a room. */
export function filedAdditions(
  list: PriceList,
  serviceCode: string,
  room: Room | null,
  names: readonly string[],
): Addition[] {
  return list.filedAdditions.filter(
    (addition) => names.includes(addition.id) && appliesTo(addition, serviceCode, room),
  );
}

/** The units of those additions that are charged per day, or per month. */
const sumOf = (additions: readonly Addition[], per: Addition['per']): number =>
  additions.filter((addition) => addition.per === per).reduce((sum, { units }) => sum + units, 0);

/** The sums of the units of additions. */
export function unitsOf(additions: readonly Addition[]): AdditionUnits {
  const unlimited = additions.filter((addition) => addition.outside_home_limit);
  return {
    daily: sumOf(additions, 'day'),
    monthly: sumOf(additions, 'month'),
    unlimited: { daily: sumOf(unlimited, 'day'), monthly: sumOf(unlimited, 'month') },
  };
}

/** The monthly cap on the share of insured care, yen. */
export interface HighCostCap {
  /** For the person where there is `householdYen`, else for the household. */
  yen: number;
  /** For the household, where `yen` is for the person. */
  householdYen: number | null;
}

/** The monthly cap of an income stage; null when unknown. */
export function highCostCapOf(list: PriceList, income: Income): HighCostCap | null {
  const cap = list.highCostCaps?.yen.find(({ incomes }) => incomes.includes(income));
  return cap === undefined ? null : { yen: cap.yen, householdYen: cap.household_yen ?? null };
}

/**
 * The yearly caps on medical and care costs together. An income stage can have several classes; the highest cap is
 * first. Empty when unknown.
 */
export function combinedCapsOf(list: PriceList, { income, partnerLevel }: Case): CapClass[] {
  const cap = list.combinedCaps?.yen.find(({ incomes }) => incomes.includes(income));
  if (cap === undefined) return [];
  const { household, label, yen, couple_yen = yen, lower } = cap;
  const bothUseCare = partnerLevel !== null;
  const highest = { household, label, yen: bothUseCare ? couple_yen : yen };
  return lower === undefined ? [highest] : [highest, lower];
}

/** `confirmed` if no figure is unconfirmed. */
export function leastConfidence(figures: readonly (Confidence | undefined)[]): Confidence {
  return figures.includes('unconfirmed') ? 'unconfirmed' : 'confirmed';
}

/** The day of an instant in Japan, YYYY-MM-DD. Price lists change at midnight there. */
export function dayInJapan(moment: Date): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Tokyo' }).format(moment);
}
