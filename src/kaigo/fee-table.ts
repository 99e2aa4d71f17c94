import Type, { type Static } from 'typebox';
import Value from 'typebox/value';
import { INCOMES, ROOMS } from '../contract/kaigo-cost.ts';
import { serviceOf } from './services.ts';

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
/** Members of a cap: the households for which it is, in English (`household`) and in Japanese (`label`), and the sum. */
const capMembers = { household: Type.String(), label: Type.String(), yen: Amount };
const CapClass = Type.Object(capMembers, strict);
/** Members of a cap that is for certain income stages. */
const cap = { ...capMembers, incomes: Type.Array(Type.Enum([...INCOMES])) };

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
    /** Standard fees that the table's price lists no longer have. */
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
    /** Of the additions with the same word a home charges one for each kind of room. */
    one_of: Type.Optional(Type.String()),
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

/** The form of the file. `checkFeeTable` also checks that it is consistent. */
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
                ...cap,
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
    /**
     * Care assistance for people on public assistance (介護扶助): it pays the share, in some services the limit on food
     * too.
     */
    care_assistance: Type.Optional(
      Type.Array(Type.Object({ ...figure, food_service_codes: Type.Array(Type.String()) }, strict)),
    ),
    /** Yearly caps on medical and care costs together (高額医療・高額介護合算). */
    combined_caps: Type.Optional(
      Type.Array(
        Type.Object(
          {
            ...figure,
            // `couple_yen`: where it is another for a couple who both use care. `lower`: a class of the same stages.
            yen: Type.Array(
              Type.Object({ ...cap, couple_yen: Type.Optional(Amount), lower: Type.Optional(CapClass) }, strict),
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
export type CapClass = Static<typeof CapClass>;
export type Confidence = Addition['confidence'];

/** Limit of the faults that a message lists. */
const MOST_FAULTS = 8;

/**
 * A fee table read from JSON.
 * @throws Error with `file` and the first faults (`MOST_FAULTS`): of form, of a service or source that does not exist,
 * of a reference to a missing variant, of figures whose days overlap
 */
export function checkFeeTable(json: unknown, file: string): FeeTable {
  const faults = Value.Errors(FeeTableSchema, json).map(({ instancePath, message }) => `${instancePath}: ${message}`);
  if (faults.length === 0) faults.push(...feeTableFaults(json as FeeTable));
  if (faults.length > 0) {
    const lines = faults.slice(0, MOST_FAULTS);
    if (faults.length > MOST_FAULTS) lines.push(`and ${faults.length - MOST_FAULTS} more`);
    throw new Error(`${file}: not a fee table of schema hidamari-fees/1:\n  ${lines.join('\n  ')}`);
  }
  return json as FeeTable;
}

/** The members of a figure that are checked. */
type Figure = { from: string; to: string | null; source: string };

/** The faults of a fee table with the right form, each with its place; empty for a valid one. */
function feeTableFaults(table: FeeTable): string[] {
  const faults = [...serviceFaults(table), ...capFaults(table)];
  const figuresByKey = new Map<string, PlacedFigure[]>();
  for (const placed of figuresOf(table)) {
    const { path, key, figure } = placed;
    const { from, to, source } = figure;
    if (!(source in table.sources)) faults.push(`${path}/source: no source is called ${source}`);
    if (to !== null && to < from) faults.push(`${path}: ends ${to}, before it begins ${from}`);
    const others = figuresByKey.get(key) ?? [];
    figuresByKey.set(key, others);
    for (const other of others) {
      if (overlap(figure, other.figure)) faults.push(`${path}: in force at the same time as ${other.path}`);
    }
    others.push(placed);
  }
  return faults;
}

/** Later than every day of a table. */
const FOR_EVER = '9999';

/** Whether two figures are in force on the same day. */
const overlap = (a: Figure, b: Figure): boolean => a.from <= (b.to ?? FOR_EVER) && b.from <= (a.to ?? FOR_EVER);

/** A figure of a fee table. */
interface PlacedFigure {
  /** Its place in the JSON, as a JSON Pointer. */
  path: string;
  /** What the figure is of. Two figures with the same key must not be in force at once. */
  key: string;
  figure: Figure;
}

/** Every figure of a fee table. */
function* figuresOf(table: FeeTable): Generator<PlacedFigure> {
  for (const [s, service] of table.services.entries()) {
    for (const [v, figure] of service.variants.entries()) {
      const path = `/services/${s}/variants/${v}`;
      for (const code of service.service_codes) yield { path, key: `units ${code} ${figure.id}`, figure };
    }
    // `municipal` and `unknown` have no fees.
    const supportVariants = typeof service.support === 'object' ? service.support.variants : [];
    for (const [v, figure] of supportVariants.entries()) {
      const path = `/services/${s}/support/variants/${v}`;
      for (const code of service.service_codes) yield { path, key: `support units ${code} ${figure.id}`, figure };
    }
  }
  for (const name of ['typical_additions', 'filed_additions'] as const) {
    for (const [i, figure] of (table[name] ?? []).entries()) {
      const path = `/${name}/${i}`;
      for (const code of figure.service_codes) {
        for (const room of figure.rooms ?? ['any']) yield { path, key: `${name} ${code} ${figure.id} ${room}`, figure };
      }
    }
  }
  const each = <T extends Figure>(name: string, figures: readonly T[], key: (figure: T) => string) =>
    figures.map((figure, i) => ({ path: `/${name}/${i}`, key: `${name} ${key(figure)}`, figure }));
  yield* each('unit_prices', table.unit_prices, () => '');
  yield* each('treatment_rates', table.treatment_rates, ({ group }) => group);
  yield* each('food', table.food, () => '');
  yield* each('residence', table.residence, (fee) => `${fee.class} ${fee.room}`);
  yield* each('home_limits', table.home_limits, () => '');
  yield* each('high_cost_caps', table.high_cost_caps, () => '');
  yield* each('welfare_relief', table.welfare_relief ?? [], () => '');
  yield* each('care_assistance', table.care_assistance ?? [], () => '');
  yield* each('combined_caps', table.combined_caps ?? [], () => '');
  yield* each('published_fee_bounds', table.published_fee_bounds, (bounds) => bounds.of);
}

/**
 * The faults of the tariff of a service, for care levels or for support levels.
 * @param hasRooms the price depends on the room
 * @param path of the tariff in the JSON
 */
function tariffFaults(
  { per, reference, variants }: Pick<ServiceFees | SupportFees, 'per' | 'reference' | 'variants'>,
  hasRooms: boolean,
  path: string,
): string[] {
  const faults: string[] = [];
  if (per === 'visit' && reference === undefined)
    faults.push(`${path}: charged per visit, so it needs a reference (the usual variants and visits)`);
  const ids = new Set(variants.map(({ id }) => id));
  for (const id of reference?.variants ?? []) {
    if (!ids.has(id)) faults.push(`${path}/reference: no variant is called ${id}`);
  }
  for (const [v, { rooms }] of variants.entries()) {
    if (hasRooms && rooms === undefined) faults.push(`${path}/variants/${v}: names no rooms`);
  }
  return faults;
}

/** The faults of the services of a fee table and of what refers to them. */
function serviceFaults(table: FeeTable): string[] {
  const faults: string[] = [];
  const groups = new Set(table.treatment_rates.map(({ group }) => group));
  for (const [s, service] of table.services.entries()) {
    const path = `/services/${s}`;
    const hasRooms = service.residence_class !== undefined;
    if (typeof service.support === 'object') faults.push(...tariffFaults(service.support, hasRooms, `${path}/support`));
    faults.push(...tariffFaults(service, hasRooms, path));
    for (const code of service.service_codes) {
      if (serviceOf(code) === undefined) faults.push(`${path}: there is no service ${code}`);
    }
    if (!groups.has(service.treatment_group)) {
      faults.push(`${path}/treatment_group: no treatment_rates for ${service.treatment_group}`);
    }
    for (const id of service.usual?.variants ?? []) {
      if (!service.variants.some((variant) => variant.id === id))
        faults.push(`${path}/usual: no variant is called ${id}`);
    }
    if (service.usual !== undefined && !(service.usual.source in table.sources)) {
      faults.push(`${path}/usual/source: no source is called ${service.usual.source}`);
    }
  }
  for (const [i, { typical, permille }] of table.treatment_rates.entries()) {
    if (typical !== undefined && !(typical in permille)) {
      faults.push(`/treatment_rates/${i}/typical: no rate is called ${typical}`);
    }
  }
  for (const [i, { service_codes }] of table.typical_additions.entries()) {
    const unknownCode = service_codes.find((code) => serviceOf(code) === undefined);
    if (unknownCode !== undefined) faults.push(`/typical_additions/${i}: there is no service ${unknownCode}`);
  }
  return faults;
}

/** The income stages that have two caps. */
function capFaults(table: FeeTable): string[] {
  const lists = [
    ['high_cost_caps', table.high_cost_caps],
    ['combined_caps', table.combined_caps ?? []],
  ] as const;
  return lists.flatMap(([name, caps]) =>
    caps.flatMap(({ yen }, i) => {
      const stages = yen.flatMap(({ incomes }) => incomes);
      const repeatedStages = stages.filter((stage, n) => stages.indexOf(stage) !== n);
      return repeatedStages.map((stage) => `/${name}/${i}: two caps for the income ${stage}`);
    }),
  );
}
