import type { Static } from 'typebox';
import { inQuery, type Parameter } from './parameter.ts';
import { count, oneOf, openEnum, orNull, Text, Type, Whole } from './schema.ts';

/** Income stages of households that pay no residence tax. For these, food and room have upper limits. */
const LOW_INCOMES = ['1', '2', '3-1', '3-2'] as const;
export const INCOMES = ['standard', ...LOW_INCOMES, 'taxed_380', 'taxed_690'] as const;
/** Income stage (利用者負担段階): `standard` is stage 4. */
export type Income = (typeof INCOMES)[number];

export const ROOMS = ['unit', 'unit_shared', 'private', 'shared', 'shared_charged'] as const;
export type Room = (typeof ROOMS)[number];

export const SUPPORT_LEVELS = ['support_1', 'support_2'] as const;
/** Support level (要支援). */
type SupportLevel = (typeof SUPPORT_LEVELS)[number];

export const AIDS = ['social_welfare', 'public_assistance'] as const;
/** Who helps to pay besides the insurance. */
export type Aid = (typeof AIDS)[number];

/** A care level (要介護) from 1 to 5, or a support level (要支援). */
export type Level = number | SupportLevel;
export const LEVELS: readonly Level[] = [...SUPPORT_LEVELS, 1, 2, 3, 4, 5];

/** The shares of the price of insured care that a person pays, percent. */
export const COPAYMENTS: readonly number[] = [10, 20, 30];

/** The facts that a family can state. */
export interface Case {
  careLevel: Level;
  copaymentPercent: number;
  income: Income;
  /** The requested kind of room; null for every kind of the facility. */
  room: Room | null;
  /** Who helps to pay besides the insurance; null for nobody. */
  aid: Aid | null;
  /** The level of a partner in the same home; null for one person. */
  partnerLevel: Level | null;
}

/** The case of every figure in the dataset. */
export const STANDARD_CASE: Case = {
  careLevel: 3,
  copaymentPercent: 10,
  income: 'standard',
  room: null,
  aid: null,
  partnerLevel: null,
};

const Confidence = (description: string) => openEnum(['confirmed', 'unconfirmed'], description);

export const Yen = (description: string, example: number) => Whole(`${description}, yen.`, example, 0);

const yenRange = (description: string, low: number, typical: number, high: number) =>
  Type.Object(
    {
      low: Yen('Base units alone; of several rooms the cheapest', low),
      typical: Yen('With the additions and the treatment rate that most facilities have', typical),
      high: Yen(
        'With what many facilities charge besides and the highest treatment rate; of several rooms the dearest',
        high,
      ),
    },
    { description },
  );

const LevelCost = Type.Object(
  {
    care_level: Type.Integer({ minimum: 1, maximum: 5, description: '要介護度.', examples: [1, 2, 3, 4, 5] }),
    low: Yen('Lowest', 97737),
    typical: Yen('Typical', 114100),
    high: Yen('Highest', 144930),
  },
  { title: 'LevelCost', description: 'What a resident of one care level pays.' },
);

const AidAnswer = openEnum(
  AIDS,
  'Who helps to pay: `social_welfare`, the corporation (社会福祉法人等による利用者負担軽減); `public_assistance`, care assistance (介護扶助).',
);
const PartnerCareLevel = orNull(
  Whole('要介護度 of a partner in the same home.', 1, 1, 5),
  'there is no partner, or one of a support level',
);
const PartnerSupportLevel = orNull(
  Whole('要支援 of a partner in the same home.', 2, 1, 2),
  'there is no partner, or one of a care level',
);

const CostScenario = Type.Object(
  {
    care_level: orNull(Whole('要介護度 of `monthly_yen`.', 3, 1, 5), 'it is for a support level'),
    support_level: Type.Optional(Whole('要支援 of `monthly_yen`.', 2, 1, 2)),
    copayment_percent: Type.Integer({ description: '自己負担: 10, 20 or 30.', examples: [10] }),
    income: openEnum(
      INCOMES,
      'Income stage (利用者負担段階): 1 to 3-2 pay no residence tax, `standard` is stage 4, `taxed_380` and `taxed_690` have a ' +
        'taxable income of at least 3.8 and 6.9 million yen.',
    ),
    aid: Type.Optional(AidAnswer),
    partner_care_level: Type.Optional(PartnerCareLevel),
    partner_support_level: Type.Optional(PartnerSupportLevel),
    days: Whole('Days.', 30, 1),
    visits: Type.Optional(Whole('Visits in those days, for services charged per visit.', 8, 1)),
    visit: Type.Optional(Text('What kind of visit.', '7-8h')),
    room: Type.Optional(openEnum(ROOMS, 'The kind of room that was asked for.')),
  },
  { title: 'CostScenario', description: 'For whom the estimate is made.' },
);

const FeeOrigin = (what: string) =>
  openEnum(
    ['published', 'register', 'standard', 'standard_refused'],
    `Where ${what} comes from: a fee that the facility publishes, a register, the standard of the insurance, or the standard because the published fee cannot be one.`,
  );
const PublishedOrNone = (what: string) =>
  orNull(
    openEnum(['published', 'register'], `${what}: published in the details, or in a register.`),
    'not in the figure',
  );

const CostBasis = Type.Object(
  {
    bill: openEnum(
      [
        'standard_fees',
        'published_fees',
        'published_and_standard_fees',
        'insured_part_only',
        'insured_part_and_published_fees',
      ],
      'Of the whole bill: `standard_fees` of the insurance, `published_fees` of the facility, or some of each; `insured_part_only`: ' +
        'food, room and rent are not in the figure; `insured_part_and_published_fees`: some of them are.',
    ),
    additions: orNull(
      openEnum(
        ['filed', 'typical'],
        'The additions in the figure: those that the facility has filed (体制等に関する届出), or those that most facilities have.',
      ),
      'none are known',
    ),
    food: orNull(FeeOrigin('food'), 'not in the figure'),
    room: orNull(FeeOrigin('the room'), 'not in the figure'),
    rent: PublishedOrNone('Rent'),
    management_fees: PublishedOrNone('Management fees'),
  },
  { title: 'CostBasis', description: 'Where food, room and rent of a figure come from.' },
);

/** What two people pay. */
const Couple = Type.Optional(
  orNull(
    Type.Object(
      {
        monthly_yen: yenRange('As `monthly_yen`, of both.', 195474, 228200, 289860),
        after_refund: yenRange('As `after_refund`, of both.', 195474, 212600, 250000),
        high_cost_refund: yenRange('What both get back together above the caps.', 0, 15600, 39860),
      },
      {
        title: 'CoupleCost',
        description:
          'What two people of one household pay together, each in a place of their own. The monthly cap is that of the household.',
      },
    ),
    'there is no figure for the partner',
  ),
);

export const CostEstimate = Type.Object(
  {
    monthly_yen: orNull(
      yenRange('What one resident pays for 30 days, before limits and refunds.', 97737, 114100, 144930),
      'see `reason`',
    ),
    after_refund: orNull(
      yenRange(
        'What is left after the limits of the income stage on food and room (負担限度額) and the monthly cap on insured care ' +
          '(高額介護サービス費). Both are granted on application; the limits suppose that the savings test is passed.',
        97737,
        114100,
        144930,
      ),
      'see `reason`',
    ),
    reductions: orNull(
      Type.Object(
        {
          food_limit: orNull(yenRange('Food above its limit.', 34500, 34500, 34500), 'nothing is let off'),
          residence_limit: orNull(yenRange('Room above its limit.', 10500, 10500, 35580), 'nothing is let off'),
          welfare_relief: orNull(
            yenRange(
              'What the social welfare corporation lets off (社会福祉法人等による利用者負担軽減).',
              11000,
              12000,
              13000,
            ),
            'nothing is let off',
          ),
          public_assistance: orNull(
            yenRange('What care assistance pays (介護扶助).', 33000, 36000, 38000),
            'nothing is paid',
          ),
          high_cost_refund: orNull(yenRange('Insured care above the cap.', 9000, 12000, 13000), 'nothing is paid back'),
          cap_yen: orNull(Yen('The monthly cap on insured care', 44400), 'the price list knows none'),
          combined_cap_yen: orNull(
            Yen(
              'The yearly cap on medical and care costs together (高額医療・高額介護合算); not in any figure',
              670000,
            ),
            'the price list knows none',
          ),
        },
        {
          description:
            'What lies between the bill and `after_refund`, of the bills that are cheapest, middle and dearest after it.',
        },
      ),
      'see `reason`',
    ),
    couple: Couple,
    by_care_level: orNull(
      Type.Array(LevelCost, { minItems: 5, maxItems: 5, description: '`monthly_yen` for care levels 1 to 5.' }),
      'see `reason`, or the figures are for a support level',
    ),
    parts: orNull(
      Type.Object(
        {
          care: yenRange("The resident's share of the insured care, additions included.", 23937, 30500, 34600),
          additions: yenRange('Of that, what the additions cost, treatment improvement included.', 0, 6563, 10663),
          food: orNull(yenRange('Food.', 46350, 46350, 46350), 'not in the figure'),
          residence: orNull(yenRange('Room.', 27450, 36930, 61980), 'not in the figure'),
          rent: orNull(yenRange('Rent.', 65000, 65000, 65000), 'not in the figure'),
          management_fees: orNull(yenRange('Management fees.', 30000, 30000, 30000), 'not in the figure'),
        },
        {
          description:
            'Parts of the three bills: without `additions`, which are part of `care`, they add up to `monthly_yen`. A single ' +
            'part can be higher in the cheapest: a shared room of service 220 takes more care units than a private one.',
        },
      ),
      'see `reason`',
    ),
    room: orNull(
      openEnum(
        ROOMS,
        'The kind of room that the figures are for: the one asked for, else with `max_yen` one within the limit, else the one that ' +
          'most residents of the facility have.',
      ),
      'the price does not depend on it, or it is not known: the figures then span every kind that is possible',
    ),
    other_rooms: Type.Array(
      Type.Object(
        {
          room: openEnum(ROOMS, 'Kind of room.', { examples: ['shared'] }),
          monthly_yen: yenRange('As `monthly_yen`, for this room.', 88200, 95800, 103000),
          after_refund: yenRange('As `after_refund`, for this room.', 88200, 95800, 103000),
          couple: Couple,
        },
        { title: 'OtherRoom', description: 'What another kind of room costs.' },
      ),
      { description: 'The other kinds of room of the facility; empty where one was asked for.' },
    ),
    additions: orNull(
      Type.Object(
        {
          daily_units: count('Units a day or visit.', 87),
          monthly_units: count('Units a month.', 50),
          confidence: Confidence('Whether each of them is confirmed by two sources.'),
        },
        { description: 'The additions in `typical`: see `basis.additions`.' },
      ),
      'none are known for this service: `typical` has none',
    ),
    treatment_permille: orNull(
      count('Treatment improvement rate (処遇改善加算) in `typical`, per thousand.', 163),
      'none is known for this service: `typical` has none',
    ),
    scenario: CostScenario,
    area_grade: openEnum(
      ['1', '2', '3', '4', '5', '6', '7', 'other'],
      'Area grade (地域区分) of the municipality: it says what a unit costs.',
      { examples: ['1'] },
    ),
    area_grade_from: openEnum(
      ['notice', 'assumed'],
      '`assumed`: the notice does not name the municipality, which makes it one of the others (10.00 yen a unit).',
    ),
    basis: orNull(CostBasis, 'see `reason`'),
    price_list: Type.String({
      format: 'date',
      description: 'Day on which the price list came into force.',
      examples: ['2026-08-01'],
    }),
    confidence: orNull(
      Confidence(
        'Whether every figure it rests on is confirmed by two sources (for the typical additions see there) and no published ' +
          'fee had to be replaced.',
      ),
      'see `reason`',
    ),
    excludes: Type.Array(
      // An operator's own fee table may contain other names.
      openEnum<string>(
        [
          'other_additions',
          'daily_necessities',
          'medical_costs',
          'hairdressing',
          'high_cost_refund',
          'food',
          'rent',
          'management_fees',
          'initial_payment',
          'delegated_services',
          'insured_care',
          'meals',
          'transport',
          'lodging',
        ],
        'Left out.',
      ),
      { description: 'What the figure leaves out.' },
    ),
    note: orNull(
      Text(
        'What is missing in the figure, in one line.',
        'Not in the figure: rent, management fees, food, an initial payment.',
      ),
      'nothing of the size of the bill is missing',
    ),
    reason: orNull(
      openEnum(
        [
          'no_units_known',
          'goods',
          'service_ended',
          'no_standard_fee',
          'no_units_for_room',
          'room_not_offered',
          'no_income_limit',
          'not_for_support_level',
          'municipal_programme',
          'no_rent_known',
        ],
        'Why there is no figure. `not_for_support_level`: people of the support level are not taken in; `municipal_programme`: their ' +
          'municipality offers the service at prices of its own (総合事業); `no_rent_known`: a home outside the insurance whose rent is not known.',
        { examples: [null] },
      ),
      'there is a figure',
    ),
  },
  { title: 'CostEstimate', description: 'What one resident pays, as far as published figures show.' },
);
export type CostEstimate = Static<typeof CostEstimate>;

/** True when the household pays no residence tax. */
export function isLowIncome(income: Income): income is (typeof LOW_INCOMES)[number] {
  return (LOW_INCOMES as readonly Income[]).includes(income);
}

/** True when a case may use a kind of room: public assistance (生活保護) pays for no private one. Null: the room is not known. */
export const mayUseRoom = ({ aid }: Case, room: Room | null): boolean =>
  aid !== 'public_assistance' || room === null || room.startsWith('shared');

/** True when the figure is only the insured part of a bill, or that part and a few published fees. */
export const isPartOfBill = ({ basis }: Pick<CostEstimate, 'basis'>): boolean =>
  basis?.bill === 'insured_part_only' || basis?.bill === 'insured_part_and_published_fees';

/** True when every fee that a home sets itself is published: the figure uses no standard fee and includes rent. */
export const hasPublishedFees = ({ basis }: Pick<CostEstimate, 'basis'>): boolean => basis?.bill === 'published_fees';

/** True when the figure leaves out rent or some of what belongs to it. It cannot be compared with a whole bill. */
export const lacksRent = ({ basis, excludes }: CostEstimate): boolean =>
  basis?.bill === 'insured_part_and_published_fees' || excludes.includes('rent');

/** The amount after refund, for both persons of a couple; null when there is no figure. */
export const leftToPay = ({ couple, after_refund }: Pick<CostEstimate, 'couple' | 'after_refund'>) =>
  couple === undefined ? after_refund : (couple?.after_refund ?? null);

/**
 * A cost, and the group of costs with which it can be compared. Both serve only to see which are equal: they are texts
 * when computed, numbers when stored.
 */
interface ComparableCost<T extends string | number> {
  group: T;
  cost: T;
}

/**
 * The cost of a service for comparisons with others; null when there is no figure. A figure for every possible kind of
 * room is not compared with one for a known kind.
 */
export function comparableCost(
  service: string,
  { room, excludes, ...estimate }: Pick<CostEstimate, 'after_refund' | 'couple' | 'excludes' | 'room'>,
): ComparableCost<string> | null {
  const yen = leftToPay(estimate);
  if (yen === null) return null;
  const rooms = room === null ? 'any room' : 'one room';
  return { group: [service, rooms, ...excludes].join(' '), cost: `${yen.low} ${yen.typical} ${yen.high}` };
}

/**
 * True when two costs that can be compared (of one group) differ, so that an order by cost says something. They are
 * equal where all facilities have only the national price.
 */
export function costsDiffer<T extends string | number>(costs: Iterable<ComparableCost<T> | null>): boolean {
  const firstByGroup = new Map<T, T>();
  for (const comparable of costs) {
    if (comparable === null) continue;
    const { group, cost } = comparable;
    if (!firstByGroup.has(group)) firstByGroup.set(group, cost);
    else if (firstByGroup.get(group) !== cost) return true;
  }
  return false;
}

/** The case of the estimates in an answer. */
export const CaseAnswer = Type.Object(
  {
    care_level: orNull(Whole('要介護度.', 3, 1, 5), 'it is for a support level'),
    support_level: orNull(Whole('要支援.', 2, 1, 2), 'it is for a care level'),
    copayment_percent: Type.Integer({ description: '自己負担: 10, 20 or 30.', examples: [10] }),
    income: openEnum(INCOMES, 'Income stage (利用者負担段階).'),
    room: orNull(openEnum(ROOMS, 'The kind of room asked for.'), 'every kind that a facility has'),
    aid: orNull(AidAnswer, 'nobody does'),
    partner_care_level: PartnerCareLevel,
    partner_support_level: PartnerSupportLevel,
  },
  { title: 'Case', description: 'For whom the estimates are: the standard scenario where nothing else was asked for.' },
);
export type CaseAnswer = Static<typeof CaseAnswer>;

/** The case as parameters. An omitted parameter has the value of the standard scenario. */
export const CASE_PARAMETERS = [
  {
    ...inQuery(
      'care_level',
      Type.Integer({ minimum: 1, maximum: 5 }),
      'Care level (要介護度) of the estimates; 3 without it.',
      '4',
    ),
    isPrivate: true,
  },
  {
    ...inQuery(
      'support_level',
      Type.Integer({ minimum: 1, maximum: 2 }),
      'Support level (要支援) in place of `care_level`: 1 or 2. Facilities that do not take it in have no figure.',
      '2',
    ),
    isPrivate: true,
  },
  {
    ...inQuery(
      'copayment',
      Type.Integer({ minimum: 10, maximum: 30, multipleOf: 10 }),
      'Copayment (自己負担), per cent: 10 (without it), 20 or 30. A household that pays no residence tax pays 10.',
      '20',
    ),
    isPrivate: true,
  },
  {
    ...inQuery(
      'income',
      oneOf(INCOMES, 'Income stage.'),
      'Income stage (利用者負担段階), `standard` without it: `1`, `2`, `3-1`, `3-2` pay no residence tax (limits on food and room suppose that the ' +
        'savings test is passed), `standard` is stage 4, `taxed_380` and `taxed_690` have a taxable income of at least 3.8 ' +
        'and 6.9 million yen.',
      '3-1',
    ),
    isPrivate: true,
  },
  inQuery(
    'room',
    oneOf(ROOMS, 'Kind of room.'),
    'Kind of room: estimates are for it alone; a facility that is known not to have it has none (in a table `has=cost` leaves it out).',
    'unit',
  ),
  {
    ...inQuery(
      'aid',
      oneOf(AIDS, 'Who helps to pay.'),
      'Who helps to pay: `social_welfare` is the relief of social welfare corporations, for stages 1 to 3-2 where the municipality ' +
        'grants it (a quarter of share, food and room, half in stage 1); `public_assistance` is care assistance, stage 1: it pays the ' +
        'share, in homes the food too.',
      'social_welfare',
    ),
    isPrivate: true,
  },
  {
    ...inQuery(
      'partner_care_level',
      Type.Integer({ minimum: 1, maximum: 5 }),
      'Care level of a partner in the same home: estimates then have `couple`, what both pay together.',
      '1',
    ),
    isPrivate: true,
  },
  {
    ...inQuery(
      'partner_support_level',
      Type.Integer({ minimum: 1, maximum: 2 }),
      'Support level of a partner, in place of `partner_care_level`.',
      '1',
    ),
    isPrivate: true,
  },
] as const satisfies readonly Parameter[];

/**
 * The parameter for the most that a family can pay.
 * @param figure the figure that is compared with it
 */
export const maxYenBy = (figure: 'low' | 'typical') =>
  inQuery(
    'max_yen',
    Type.Integer({ minimum: 0 }),
    `Only facilities with a kind of room in which \`after_refund.${figure}\` (for a couple that of \`couple\`) is at most this, yen a ` +
      'month: the main kind, else the cheapest other one. The row is about that `room`; facilities without an estimate are left ' +
      'out. Care assistance counts shared rooms only.',
    '120000',
  );

/**
 * Parameters of a case that agents do not get, and members of answers about them: with them a facility would be over 8
 * kB.
 */
export const RARE_CASES = ['aid', 'partner_care_level', 'partner_support_level'] as const;
export const RARE_REDUCTIONS = ['welfare_relief', 'public_assistance', 'combined_cap_yen'] as const;
