import Type, { type Static } from 'typebox';
import Value from 'typebox/value';
import facts from './facts/fees.json' with { type: 'json' };
import { serviceOf } from './services.ts';

/**
 * The fee table: every figure that an estimate rests on, each with its source, the days on which it is in force
 * and how sure it is. docs/kaigo-fees.md explains the file for whoever revises it.
 */

const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' });
const Amount = Type.Integer({ minimum: 0 });
const strict = { additionalProperties: false };

/** What every figure carries: in force from the first to the last day (null: until further notice). */
const figure = {
  from: Day,
  to: Type.Union([Day, Type.Null()]),
  source: Type.String({ minLength: 1 }),
  confidence: Type.Enum(['confirmed', 'unconfirmed']),
};

const Room = Type.Enum(['unit', 'unit_shared', 'private', 'shared', 'shared_charged']);
const FiveLevels = Type.Array(Amount, { minItems: 5, maxItems: 5 });
const ByGrade = Type.Object(
  {
    1: Amount,
    2: Amount,
    3: Amount,
    4: Amount,
    5: Amount,
    6: Amount,
    7: Amount,
    other: Amount,
  },
  strict,
);
const Limits = Type.Object({ 1: Amount, 2: Amount, '3-1': Amount, '3-2': Amount }, strict);

const Variant = Type.Object(
  {
    id: Type.String({ pattern: '^[a-z0-9_]+$' }),
    label: Type.String(),
    /** The rooms it is charged for; absent where it does not depend on the room. */
    rooms: Type.Optional(Type.Array(Room, { minItems: 1 })),
    ...figure,
    /** Of care levels 1 to 5, per day, visit or month as the service says. */
    units: FiveLevels,
    /** Care levels whose units are less sure than the rest. */
    unconfirmed_levels: Type.Optional(Type.Array(Type.Integer({ minimum: 1, maximum: 5 }))),
  },
  strict,
);

const ServiceFees = Type.Object(
  {
    service_codes: Type.Array(Type.String(), { minItems: 1 }),
    title: Type.String(),
    per: Type.Enum(['day', 'visit', 'month']),
    unit_price_group: Type.Enum(['A', 'B', 'C']),
    treatment_group: Type.String(),
    /** Whose standard residence fee applies; absent where residence and food are not part of the tariff. */
    residence_class: Type.Optional(Type.Enum(['welfare_facility', 'health_facility'])),
    /** Whether the monthly limit of home services applies. */
    within_home_limit: Type.Boolean(),
    /** True where the insurance pays everything. */
    user_pays_nothing: Type.Optional(Type.Boolean()),
    /** What an estimate of this service leaves out. */
    excludes: Type.Array(Type.String()),
    /** What stands for a service charged per visit: which variants, how many visits in 30 days, and its wording. */
    reference: Type.Optional(
      Type.Object(
        { variants: Type.Array(Type.String(), { minItems: 1 }), visits: Amount, visit: Type.String() },
        strict,
      ),
    ),
    variants: Type.Array(Variant, { minItems: 1 }),
  },
  strict,
);

const FeeTableSchema = Type.Object(
  {
    schema: Type.Literal('hidamari-fees/1'),
    about: Type.String(),
    sources: Type.Record(Type.String(), Type.Object({ title: Type.String(), where: Type.String() }, strict)),
    unit_prices: Type.Array(
      Type.Object({ ...figure, yen_hundredths: Type.Object({ A: ByGrade, B: ByGrade, C: ByGrade }, strict) }, strict),
      { minItems: 1 },
    ),
    services: Type.Array(ServiceFees, { minItems: 1 }),
    treatment_rates: Type.Array(
      Type.Object(
        { group: Type.String(), label: Type.String(), ...figure, permille: Type.Record(Type.String(), Amount) },
        strict,
      ),
    ),
    food: Type.Array(Type.Object({ ...figure, standard: Amount, limits: Type.Union([Limits, Type.Null()]) }, strict)),
    residence: Type.Array(
      Type.Object(
        {
          class: Type.Enum(['welfare_facility', 'health_facility']),
          room: Room,
          label: Type.String(),
          ...figure,
          standard: Amount,
          limits: Type.Union([Limits, Type.Null()]),
        },
        strict,
      ),
    ),
    home_limits: Type.Array(Type.Object({ ...figure, units: FiveLevels }, strict)),
    high_cost_caps: Type.Array(
      Type.Object(
        {
          ...figure,
          yen: Type.Array(Type.Object({ household: Type.String(), label: Type.String(), yen: Amount }, strict)),
        },
        strict,
      ),
    ),
  },
  strict,
);

export type FeeTable = Static<typeof FeeTableSchema>;
export type ServiceFees = Static<typeof ServiceFees>;
export type Variant = Static<typeof Variant>;
export type Room = Static<typeof Room>;
export type Confidence = 'confirmed' | 'unconfirmed';
export type TreatmentRates = FeeTable['treatment_rates'][number];
export type DailyFee = FeeTable['food'][number];
/** Income stage of the food and residence limits; `standard` (stage 4) pays the full amounts. */
export type Income = 'standard' | '1' | '2' | '3-1' | '3-2';

export const ROOMS: readonly Room[] = ['unit', 'unit_shared', 'private', 'shared', 'shared_charged'];
export const INCOMES: readonly Income[] = ['standard', '1', '2', '3-1', '3-2'];

/** A fee table that does not hold together; the message lists what is wrong and where. */
export class FeeTableError extends Error {
  override name = 'FeeTableError';
}

/**
 * A fee table read from JSON. Throws `FeeTableError` that names `file` and every fault: of form, of a service or
 * source that does not exist, of a reference to a missing variant, of figures whose days overlap.
 */
export function checkFeeTable(json: unknown, file: string): FeeTable {
  const faults = Value.Errors(FeeTableSchema, json).map(({ instancePath, message }) => `${instancePath}: ${message}`);
  if (faults.length === 0) faults.push(...inconsistencies(json as FeeTable));
  if (faults.length > 0) {
    const more = faults.length > 8 ? `\n  and ${faults.length - 8} more` : '';
    throw new FeeTableError(
      `${file}: not a fee table of schema hidamari-fees/1:\n  ${faults.slice(0, 8).join('\n  ')}${more}`,
    );
  }
  return json as FeeTable;
}

/** What the form alone does not show, each with its place. */
function inconsistencies(table: FeeTable): string[] {
  const faults: string[] = [];
  const groups = new Set(table.treatment_rates.map(({ group }) => group));
  const periods = new Map<string, { from: string; to: string | null; at: string }[]>();
  const figureAt = (at: string, key: string, one: { from: string; to: string | null; source: string }) => {
    if (!(one.source in table.sources)) faults.push(`${at}/source: no source is called ${one.source}`);
    if (one.to !== null && one.to < one.from) faults.push(`${at}: ends ${one.to}, before it begins ${one.from}`);
    const others = periods.get(key) ?? [];
    periods.set(key, others);
    for (const other of others) {
      if (one.from <= (other.to ?? '9999') && other.from <= (one.to ?? '9999')) {
        faults.push(`${at}: in force at the same time as ${other.at}`);
      }
    }
    others.push({ from: one.from, to: one.to, at });
  };
  table.services.forEach((service, s) => {
    for (const code of service.service_codes) {
      if (serviceOf(code) === undefined) faults.push(`/services/${s}: there is no service ${code}`);
    }
    if (!groups.has(service.treatment_group)) {
      faults.push(`/services/${s}/treatment_group: no treatment_rates for ${service.treatment_group}`);
    }
    if (service.per === 'visit' && service.reference === undefined) {
      faults.push(`/services/${s}: charged per visit, so it needs a reference`);
    }
    for (const id of service.reference?.variants ?? []) {
      if (!service.variants.some((variant) => variant.id === id)) {
        faults.push(`/services/${s}/reference: no variant is called ${id}`);
      }
    }
    service.variants.forEach((variant, v) => {
      const at = `/services/${s}/variants/${v}`;
      if (service.residence_class !== undefined && variant.rooms === undefined) faults.push(`${at}: names no rooms`);
      for (const code of service.service_codes) figureAt(at, `units ${code} ${variant.id}`, variant);
    });
  });
  table.unit_prices.forEach((one, i) => {
    figureAt(`/unit_prices/${i}`, 'unit price', one);
  });
  table.treatment_rates.forEach((one, i) => {
    figureAt(`/treatment_rates/${i}`, `treatment ${one.group}`, one);
  });
  table.food.forEach((one, i) => {
    figureAt(`/food/${i}`, 'food', one);
  });
  table.residence.forEach((one, i) => {
    figureAt(`/residence/${i}`, `residence ${one.class} ${one.room}`, one);
  });
  table.home_limits.forEach((one, i) => {
    figureAt(`/home_limits/${i}`, 'home limits', one);
  });
  table.high_cost_caps.forEach((one, i) => {
    figureAt(`/high_cost_caps/${i}`, 'caps', one);
  });
  return faults;
}

/** The fee table that comes with the program. */
export const BUILT_IN_FEES: FeeTable = checkFeeTable(facts, 'src/kaigo/facts/fees.json');
