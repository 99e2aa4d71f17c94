import Type, { type Static } from 'typebox';
import { INCOMES, ROOMS } from '../contract/kaigo-cost.ts';

/**
 * The form of the fee table: every figure of an estimate, with its source, the days on which it is in force, and its
 * confidence. docs/kaigo-fees.md explains how to revise the file.
 */

const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' });
const Amount = Type.Integer({ minimum: 0 });
const strict = { additionalProperties: false };

/** Members of every figure: in force from the first to the last day (null: until further notice). */
const figure = {
  from: Day,
  to: Type.Union([Day, Type.Null()]),
  source: Type.String({ minLength: 1 }),
  confidence: Type.Enum(['confirmed', 'unconfirmed']),
};

const ResidenceClass = Type.Enum(['welfare_facility', 'health_facility']);
const Room = Type.Enum([...ROOMS]);
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
const Income = Type.Enum([...INCOMES]);

const Variant = Type.Object(
  {
    id: Type.String({ pattern: '^[a-z0-9_]+$' }),
    label: Type.String(),
    /** The rooms it applies to; absent when it does not depend on the room. */
    rooms: Type.Optional(Type.Array(Room, { minItems: 1 })),
    ...figure,
    /** For care levels 1 to 5, per day, visit or month, as the service states. */
    units: FiveLevels,
    /** Care levels whose units have only one source. */
    unconfirmed_levels: Type.Optional(Type.Array(Type.Integer({ minimum: 1, maximum: 5 }))),
  },
  strict,
);

/** A tariff for support levels 1 and 2 (要支援); null units: the level is not taken. */
const SupportVariant = Type.Object(
  {
    id: Type.String({ pattern: '^[a-z0-9_]+$' }),
    label: Type.String(),
    rooms: Type.Optional(Type.Array(Room, { minItems: 1 })),
    ...figure,
    units: Type.Array(Type.Union([Amount, Type.Null()]), { minItems: 2, maxItems: 2 }),
  },
  strict,
);

/**
 * The usage that represents a service charged per visit: the variants, the number of visits in 30 days, and its
 * wording.
 */
const Reference = Type.Object(
  { variants: Type.Array(Type.String(), { minItems: 1 }), visits: Amount, visit: Type.String() },
  strict,
);

/** The service for support levels. Absent members are those for care levels. */
const SupportFees = Type.Object(
  {
    title: Type.String(),
    per: Type.Enum(['day', 'visit', 'month']),
    reference: Type.Optional(Reference),
    variants: Type.Array(SupportVariant, { minItems: 1 }),
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
    /** The class whose standard residence fee applies; absent when residence and food are not part of the tariff. */
    residence_class: Type.Optional(ResidenceClass),
    /** True when the monthly limit of home services applies. */
    within_home_limit: Type.Boolean(),
    /** True when the insurance pays everything. */
    user_pays_nothing: Type.Optional(Type.Boolean()),
    /**
     * True for homes outside the insurance: their figure is rent, management fees and food. Without a rent there is
     * none.
     */
    own_fees_only: Type.Optional(Type.Literal(true)),
    /** The costs that an estimate of this service leaves out. */
    excludes: Type.Array(Type.String()),
    reference: Type.Optional(Reference),
    /**
     * For support levels; absent when the service does not take them. `municipal`: the municipality offers it in its
     * own programme and sets the prices (総合事業). `unknown`: it takes them, but the units are not known.
     */
    support: Type.Optional(Type.Union([Type.Enum(['municipal', 'unknown']), SupportFees])),
    /** The variants of most facilities. They represent a typical bill when a home may have others too. */
    usual: Type.Optional(
      Type.Object(
        {
          variants: Type.Array(Type.String(), { minItems: 1 }),
          reason: Type.String({ minLength: 1 }),
          source: Type.String({ minLength: 1 }),
        },
        strict,
      ),
    ),
    variants: Type.Array(Variant, { minItems: 1 }),
  },
  strict,
);

/** Former standard fees or limits of a room or of food, older than the table; for every class when none is named. */
const FormerAmounts = Type.Object(
  { class: Type.Optional(ResidenceClass), room: Type.Optional(Room), yen: Type.Array(Amount) },
  strict,
);

/** Bounds of believed published fees. */
const FeeBounds = Type.Object(
  {
    of: Type.Enum(['food', 'room']),
    ...figure,
    /** Per cent of the standard fee. */
    least_percent: Amount,
    most_percent: Amount,
    /** Limits of low-income stages that the table's price lists no longer have. */
    former_limits: Type.Array(FormerAmounts),
    /** The same for standard fees. */
    former_standards: Type.Optional(Type.Array(FormerAmounts)),
    reason: Type.String({ minLength: 1 }),
  },
  strict,
);

/** An addition (加算) that many facilities of a service charge. */
const Addition = Type.Object(
  {
    service_codes: Type.Array(Type.String(), { minItems: 1 }),
    id: Type.String({ pattern: '^[a-z0-9_]+$' }),
    label: Type.String(),
    per: Type.Enum(['day', 'month']),
    /** The rooms it applies to; absent when it does not depend on the room. */
    rooms: Type.Optional(Type.Array(Room, { minItems: 1 })),
    units: Amount,
    /** Only in `high`: at least a third of the tabulated price pages charge it, but fewer than half. */
    only_high: Type.Optional(Type.Literal(true)),
    /** True when it does not count against the monthly limit of home services (区分支給限度基準額). */
    outside_home_limit: Type.Optional(Type.Literal(true)),
    ...figure,
    /** The number of tabulated price pages that charge it; absent when there is no page of the service. */
    pages: Type.Optional(Type.Object({ charging: Amount, of: Amount }, strict)),
  },
  strict,
);

/** The form of the file. Its consistency is checked when it is read. */
export const FeeTableSchema = Type.Object(
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
        {
          group: Type.String(),
          label: Type.String(),
          ...figure,
          permille: Type.Record(Type.String(), Amount),
          /** Name of the rate of most facilities; absent when unknown. */
          typical: Type.Optional(Type.String()),
        },
        strict,
      ),
    ),
    food: Type.Array(
      Type.Object(
        {
          ...figure,
          standard: Amount,
          limits: Type.Union([Limits, Type.Null()]),
          /** For short stays; absent when they are those of the homes. */
          short_stay_limits: Type.Optional(Limits),
        },
        strict,
      ),
    ),
    residence: Type.Array(
      Type.Object(
        {
          class: ResidenceClass,
          room: Room,
          label: Type.String(),
          ...figure,
          standard: Amount,
          limits: Type.Union([Limits, Type.Null()]),
        },
        strict,
      ),
    ),
    home_limits: Type.Array(
      Type.Object(
        {
          ...figure,
          units: FiveLevels,
          /** For support levels 1 and 2. */
          support_units: Type.Optional(Type.Array(Amount, { minItems: 2, maxItems: 2 })),
        },
        strict,
      ),
    ),
    high_cost_caps: Type.Array(
      Type.Object(
        {
          ...figure,
          /** Each income stage is in exactly one of them. */
          yen: Type.Array(
            Type.Object(
              {
                household: Type.String(),
                label: Type.String(),
                incomes: Type.Array(Income),
                yen: Amount,
                /** The cap of the household, when `yen` is that of the person. */
                household_yen: Type.Optional(Amount),
              },
              strict,
            ),
          ),
        },
        strict,
      ),
    ),
    /** Relief by social welfare corporations (社会福祉法人等による利用者負担軽減): the reductions of share, food and room. */
    welfare_relief: Type.Optional(
      Type.Array(
        Type.Object({ ...figure, service_codes: Type.Array(Type.String(), { minItems: 1 }), permille: Limits }, strict),
      ),
    ),
    /** Care assistance for people on public assistance (介護扶助): it pays the share, in some services the limit on food too. */
    care_assistance: Type.Optional(
      Type.Array(Type.Object({ ...figure, food_service_codes: Type.Array(Type.String()) }, strict)),
    ),
    /** Yearly caps on medical and care costs together (高額医療・高額介護合算). */
    combined_caps: Type.Optional(
      Type.Array(
        Type.Object(
          {
            ...figure,
            yen: Type.Array(
              Type.Object(
                { household: Type.String(), label: Type.String(), incomes: Type.Array(Income), yen: Amount },
                strict,
              ),
            ),
          },
          strict,
        ),
      ),
    ),
    published_fee_bounds: Type.Array(FeeBounds),
    typical_additions: Type.Array(Addition),
    /** The additions that lists of filings can name (体制等に関する届出). */
    filed_additions: Type.Optional(Type.Array(Addition)),
  },
  strict,
);

// A server imports only these types, not the schemas: its table was checked when its dataset was built.
export type FeeTable = Static<typeof FeeTableSchema>;
export type ServiceFees = Static<typeof ServiceFees>;
export type SupportFees = Static<typeof SupportFees>;
export type Variant = Static<typeof Variant>;
export type Addition = Static<typeof Addition>;
export type FeeBounds = Static<typeof FeeBounds>;
export type Confidence = Addition['confidence'];
