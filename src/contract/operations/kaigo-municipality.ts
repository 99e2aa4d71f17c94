import type { Static } from 'typebox';
import { MUNICIPALITY_CHECK_DIGIT, MunicipalityCode, PrefectureCode, ServiceCode } from '../identifiers.ts';
import { CASE_PARAMETERS, CaseAnswer, maxYenBy, RARE_CASES } from '../kaigo-cost.ts';
import { ComparedWith, NOT_FOR_AGENTS, OPEN_DAYS, ROW_MEMBERS, ServiceParameter } from '../kaigo-facility.ts';
import { QUALITY, QUALITY_NAMES } from '../kaigo-quality.ts';
import type { Operation } from '../operation.ts';
import { datasetId, inPath, inQuery, type Parameter, page } from '../parameter.ts';
import { count, Flag, oneOf, openEnum, pageMembers, Text, Type, Whole } from '../schema.ts';

/** The sort orders that the store has. */
export const STORED_SORTS = ['id', 'cost', 'staff', 'opened'] as const;
/** All sort orders. Those by a quality figure are made on demand. */
export const SORTS = [...STORED_SORTS, ...QUALITY_NAMES] as const;
export type Sort = (typeof SORTS)[number];

const ComparisonRow = Type.Object(ROW_MEMBERS, {
  title: 'ComparisonRow',
  description: 'One facility as one service shows it.',
});

export type ComparisonRow = Static<typeof ComparisonRow>;

export const MunicipalityTable = Type.Object(
  {
    municipality: Type.Object(
      {
        municipality_code: MunicipalityCode,
        name: Text('Name.', '$municipality_name'),
        prefecture_code: PrefectureCode,
        prefecture: Text('Name of the prefecture.', '東京都'),
      },
      { title: 'Municipality', description: 'The municipality, or the designated city with all its wards.' },
    ),
    service: Type.Object(
      { service_code: ServiceCode, name: Text('Official name.', '介護老人福祉施設') },
      { title: 'Service', description: 'The service compared.' },
    ),
    sort: openEnum(SORTS, 'Order of the rows.'),
    case: CaseAnswer,
    around: Type.Array(
      Type.Object(
        {
          municipality_code: MunicipalityCode,
          name: Text('Name.', '中央区'),
          distance_m: Whole('Between the middles of their offices.', 2400, 0),
          facilities: count('Facilities with the service.', 5),
        },
        { title: 'Neighbour', description: 'A municipality around.' },
      ),
      { maxItems: 12, description: 'Municipalities around that have the service, nearest first.' },
    ),
    compared_with: ComparedWith,
    comparable_cost: Flag(
      'Whether costs tell the facilities apart. False where all figures of the table are equal, as where national prices alone decide: then none is the cheapest.',
      true,
    ),
    total: count('Facilities in the table that pass the filters.'),
    ...pageMembers('Facilities', 'for an empty table'),
    facilities: Type.Array(ComparisonRow, { maxItems: 100, description: 'In the order asked for.' }),
  },
  { title: 'MunicipalityTable', description: 'One page of the comparison of one service in one municipality.' },
);
export type MunicipalityTable = Static<typeof MunicipalityTable>;

const municipalityCode = {
  ...inPath(
    'municipality_code',
    MunicipalityCode,
    'Code of the municipality; that of a designated city lists its wards.',
    '$municipality_code',
  ),
  rule: MUNICIPALITY_CHECK_DIGIT,
} as const satisfies Parameter;

const serviceCode = inPath('service_code', ServiceParameter, 'The service to compare.', '$service_code');

const sort = {
  name: 'sort',
  in: 'query',
  required: false,
  schema: oneOf([...SORTS], 'Order of the rows.'),
  default: 'id',
  description:
    '`id`: by office number; `cost`: lowest estimate first; `staff`: fewest users per care staff first; `opened`: ' +
    'oldest first. Unknown comes last, ties go by office number; `cost` goes by `after_refund.low` of the case, for the `room` of ' +
    'the row. A figure of `quality` orders by its value: ' +
    `highest first for ${QUALITY_NAMES.filter((name) => QUALITY[name].first === 'highest').join(', ')}, lowest first for the others.`,
  example: 'cost',
} as const satisfies Parameter;

/** The fields that `has` can require. A row of the store has one bit for each, in this order: append only. */
export const ROW_FIELDS = [
  'capacity',
  'users',
  'waiting',
  'vacancies',
  'opened_on',
  'rooms',
  'staffing',
  'cost',
  'position',
  'open_days',
  'published_fees',
  'third_party_evaluation',
  ...QUALITY_NAMES,
] as const;

/** A quality figure and a bound, from a parameter. */
const BOUND = Type.String({ pattern: `^(${QUALITY_NAMES.join('|')}):\\d{1,6}(\\.\\d{1,2})?$` });

const FILTERS = [
  maxYenBy('low'),
  inQuery(
    'min_capacity',
    Type.Integer({ minimum: 1 }),
    'Only facilities with at least this number of places; unknown numbers are left out.',
    '30',
  ),
  inQuery(
    'open_on',
    oneOf(OPEN_DAYS, 'Kind of day.'),
    'Only facilities that are open on this kind of day; unknown opening days are left out.',
    'saturday',
  ),
  inQuery(
    'has',
    Type.Array(oneOf([...ROW_FIELDS], 'Field.'), { minItems: 1, maxItems: ROW_FIELDS.length }),
    'Only facilities for which all of these fields are known; several are separated by commas. `published_fees`: the facility ' +
      'publishes every fee that its figure rests on (`basis.bill` is `published_fees`).',
    'staffing,rooms',
  ),
  inQuery(
    'at_least',
    Type.Array(BOUND, { minItems: 1, maxItems: 5 }),
    'Only facilities whose figures of `quality` are at least this, each as `figure:value`; those that are not known are left out.',
    'qualified_percent:60',
  ),
  inQuery(
    'at_most',
    Type.Array(BOUND, { minItems: 1, maxItems: 5 }),
    'The same for upper bounds.',
    'turnover_percent:12.5',
  ),
  inQuery(
    'name',
    Type.String({ minLength: 1, maxLength: 50 }),
    'Only facilities whose name contains this text; full-width and half-width letters and digits are the same.',
    'ホーム',
  ),
] as const satisfies readonly Parameter[];

const EXAMPLE = { municipality_code: municipalityCode.example, service_code: serviceCode.example };

export const kaigoMunicipality = {
  id: 'kaigo-municipality',
  path: '/api/v1/kaigo/municipality/{municipality_code}/{service_code}',
  section: 'kaigo',
  summary: 'Comparison of one service in one municipality',
  description:
    'The facilities of the municipality that offer the service, 100 per page. A municipality without it has one ' +
    'empty page; one that is not in the data is 404. The cost estimate is not the whole bill: see its `basis` and ' +
    '`excludes`. Codes are listed in `/kaigo/municipalities.json`.',
  parameters: [municipalityCode, serviceCode, sort, page, datasetId, ...CASE_PARAMETERS, ...FILTERS],
  costUnits: 1,
  answer: { form: 'envelope', data: MunicipalityTable },
  examples: [EXAMPLE, { ...EXAMPLE, sort: 'cost' }],
  tool: {
    name: 'find_care_facilities',
    list: 'facilities',
    without: ['has', ...RARE_CASES],
    leaveOut: [...NOT_FOR_AGENTS, ...RARE_CASES, 'lat', 'lon'],
  },
} as const satisfies Operation;

export const MunicipalityList = Type.Array(
  Type.Object(
    {
      municipality_code: MunicipalityCode,
      name: Text('Name.', '$municipality_name'),
      prefecture_code: PrefectureCode,
      prefecture: Text('Name of the prefecture.', '東京都'),
      facilities: count('Facilities; one with several services counts once.', 42),
      services: Type.Array(
        Type.Object({ service_code: ServiceCode, facilities: count('Facilities with this service.', 7) }),
        { description: 'Services that exist there, in order of code.' },
      ),
    },
    { title: 'MunicipalityEntry', description: 'A municipality of the data.' },
  ),
  {
    title: 'MunicipalityList',
    description: 'Every municipality with facilities, designated cities beside their wards, in order of code.',
  },
);
export type MunicipalityList = Static<typeof MunicipalityList>;

export const kaigoMunicipalities = {
  id: 'kaigo-municipalities',
  path: '/kaigo/municipalities.json',
  section: 'kaigo',
  summary: 'List of all municipalities',
  description:
    'Every municipality with facilities: code, name, prefecture, services and counts. Free and not rate-limited.',
  parameters: [],
  costUnits: 0,
  answer: { form: 'envelope', data: MunicipalityList },
  alwaysFinds: true,
} as const satisfies Operation;
