import { readFileSync } from 'node:fs';

/** A figure of the fee table with the days on which it counts, YYYY-MM-DD. */
interface Dated {
  from: string;
  to: string | null;
}

/** Yen per day by low-income stage. */
type Limits = Record<string, number> | null;

interface Variant extends Dated {
  id: string;
  rooms?: string[];
  /** By care level or support level, 1 first; null where the level is not taken in. */
  units: (number | null)[];
}

export interface ServicePrices {
  service_codes: string[];
  per: 'day' | 'visit' | 'month';
  unit_price_group: string;
  treatment_group: string;
  residence_class?: string;
  within_home_limit: boolean;
  excludes: string[];
  reference?: { variants: string[]; visits: number };
  user_pays_nothing?: boolean;
  /** Homes of registers, which no office list has. */
  own_fees_only?: boolean;
  support?: string | { per: ServicePrices['per']; reference?: ServicePrices['reference']; variants: Variant[] };
  variants: Variant[];
  usual?: { variants: string[] };
}

interface Addition extends Dated {
  service_codes: string[];
  per: 'day' | 'month';
  rooms?: string[];
  units: number;
  only_high?: boolean;
  outside_home_limit?: boolean;
}

interface FeeFile {
  unit_prices: (Dated & { yen_hundredths: Record<string, Record<string, number>> })[];
  services: ServicePrices[];
  treatment_rates: (Dated & { group: string; permille: Record<string, number>; typical?: string })[];
  food: (Dated & { standard: number; limits: Limits; short_stay_limits?: Limits })[];
  residence: (Dated & { class: string; room: string; standard: number; limits: Limits })[];
  home_limits: (Dated & { units: number[]; support_units: number[] })[];
  high_cost_caps: (Dated & { yen: { incomes: string[]; yen: number; household_yen?: number }[] })[];
  welfare_relief: (Dated & { service_codes: string[]; permille: Record<string, number> })[];
  care_assistance: (Dated & { food_service_codes: string[] })[];
  combined_caps: (Dated & { yen: { incomes: string[]; yen: number; couple_yen?: number }[] })[];
  typical_additions: Addition[];
  published_fee_bounds: (Dated & {
    of: string;
    former_limits: { class?: string; room?: string; yen: number[] }[];
    former_standards: { class?: string; room?: string; yen: number[] }[];
  })[];
}

const TABLE: FeeFile = JSON.parse(
  readFileSync(new URL('../../src/kaigo/facts/fees.json', import.meta.url), 'utf8'),
) as FeeFile;

/** Fails where the fee table lacks a figure that the oracle needs. */
export function known<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`the fee table has no ${what}`);
  return value;
}

/** The figures of the fee table that count on a day, read from the file. */
export class CarePrices {
  readonly #day: string;

  constructor(day: string) {
    this.#day = day;
  }

  #now<T extends Dated>(figures: readonly T[]): T[] {
    return figures.filter(({ from, to }) => from <= this.#day && this.#day <= (to ?? '9999-12-31'));
  }

  /** Codes of the services that have units. */
  get serviceCodes(): string[] {
    return TABLE.services
      .filter(({ variants, own_fees_only }) => own_fees_only !== true && this.#now(variants).length > 0)
      .flatMap(({ service_codes }) => service_codes);
  }

  /** A service with the variants that stand for it; undefined where no units are known. */
  service(code: string): ServicePrices | undefined {
    const found = TABLE.services.find(({ service_codes }) => service_codes.includes(code));
    if (found === undefined) return undefined;
    const variants = this.#now(found.variants).filter(({ id }) => found.reference?.variants.includes(id) ?? true);
    return { ...found, variants };
  }

  /** Hundredths of a yen for a unit. */
  unitPrice(group: string, grade: string): number {
    return known(this.#now(TABLE.unit_prices)[0]?.yen_hundredths[group]?.[grade], `unit price ${group} ${grade}`);
  }

  /** Treatment improvement per thousand: what most have, and the highest. */
  treatment(group: string): { typical: number; high: number } {
    const rates = this.#now(TABLE.treatment_rates).find((one) => one.group === group);
    if (rates === undefined) return { typical: 0, high: 0 };
    return { typical: rates.permille[rates.typical ?? ''] ?? 0, high: Math.max(0, ...Object.values(rates.permille)) };
  }

  get food() {
    return known(this.#now(TABLE.food)[0], 'food');
  }

  /** The standard fee of a room and its limits; undefined where the service has no such room. */
  room(service: ServicePrices | undefined, room: string) {
    if (room === 'shared_charged' && !service?.variants.some(({ rooms }) => rooms?.includes(room))) return undefined;
    return this.#now(TABLE.residence).find((one) => one.class === service?.residence_class && one.room === room);
  }

  /** The same for a support level, or why there is none. */
  support(code: string): ServicePrices | string {
    const found = TABLE.services.find(({ service_codes }) => service_codes.includes(code));
    if (found === undefined) return 'no_units_known';
    if (found.user_pays_nothing) return found;
    const { support } = found;
    if (support === undefined) return 'not_for_support_level';
    if (support === 'municipal') return 'municipal_programme';
    if (typeof support === 'string') return 'no_units_known';
    const { reference: _, ...rest } = found;
    const variants = this.#now(support.variants).filter(({ id }) => support.reference?.variants.includes(id) ?? true);
    return { ...rest, ...support, variants };
  }

  /** Units of a month that the insurance covers at home. */
  homeLimit(careLevel: number | string): number {
    const limits = this.#now(TABLE.home_limits)[0];
    const units =
      typeof careLevel === 'number'
        ? limits?.units[careLevel - 1]
        : limits?.support_units[Number(careLevel.slice(8)) - 1];
    return known(units, `home limit of level ${careLevel}`);
  }

  /** What is paid at most for insured care, yen a month: by a person, and by the household of two. */
  caps(income: string): { one: number; two: number } {
    const caps = this.#now(TABLE.high_cost_caps)[0]?.yen;
    const found = known(
      caps?.find(({ incomes }) => incomes.includes(income)),
      `cap of ${income}`,
    );
    return { one: found.yen, two: found.household_yen ?? found.yen };
  }

  combinedCap(income: string, isCouple: boolean): number {
    const cap = this.#now(TABLE.combined_caps)[0]?.yen.find(({ incomes }) => incomes.includes(income));
    return known((isCouple ? cap?.couple_yen : undefined) ?? cap?.yen, `combined cap of ${income}`);
  }

  /** What a social welfare corporation leaves of share, food and room, per thousand. */
  leftByRelief(code: string, income: string): number {
    const relief = known(this.#now(TABLE.welfare_relief)[0], 'relief');
    return relief.service_codes.includes(code) ? 1000 - (relief.permille[income] ?? 0) : 1000;
  }

  /** Whether care assistance pays the food of a service. */
  isFoodAssisted(code: string): boolean {
    return known(this.#now(TABLE.care_assistance)[0], 'care assistance').food_service_codes.includes(code);
  }

  additions(code: string, room: string | null): Addition[] {
    return this.#now(TABLE.typical_additions).filter(
      ({ service_codes, rooms }) => service_codes.includes(code) && (rooms?.includes(room ?? '') ?? true),
    );
  }

  /** Whether a fee, yen a day, is what the standard of food (`food`) or of a kind of room was before it changed. */
  wasStandard(service: ServicePrices | undefined, of: string, yen: number): boolean {
    const now = of === 'food' ? this.food.standard : this.room(service, of)?.standard;
    const lists = of === 'food' ? TABLE.food : TABLE.residence.filter((one) => this.#isRoom(one, service, of));
    const older = TABLE.published_fee_bounds.flatMap((bounds) =>
      bounds.former_standards.filter((one) =>
        of === 'food' ? bounds.of === 'food' : bounds.of === 'room' && this.#isRoom(one, service, of),
      ),
    );
    const before = lists.filter(({ to }) => to !== null && to < this.#day).map(({ standard }) => standard);
    return yen !== now && [...before, ...older.flatMap((one) => one.yen)].includes(yen);
  }

  #isRoom(one: { class?: string; room?: string }, service: ServicePrices | undefined, room: string): boolean {
    return one.room === room && (one.class ?? service?.residence_class) === service?.residence_class;
  }

  /** Every limit of a low-income stage, yen a day, that food (`food`) or a kind of room of a service has had. */
  limits(of: string, service?: ServicePrices): Set<number> {
    const figures = of === 'food' ? TABLE.food : TABLE.residence.filter((one) => this.#isRoom(one, service, of));
    const began = figures.filter(({ from }) => from <= this.#day);
    const former = TABLE.published_fee_bounds.flatMap((bounds) =>
      bounds.former_limits.filter((one) => (of === 'food' ? bounds.of === 'food' : this.#isRoom(one, service, of))),
    );
    return new Set([
      ...began.flatMap(({ limits }) => Object.values(limits ?? {})),
      ...former.flatMap((one) => one.yen),
    ]);
  }
}
