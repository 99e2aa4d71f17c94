import Type, { type Static } from 'typebox';
import { count, oneOf, openEnum } from '../fields.ts';
import { MUNICIPALITY_CHECK_DIGIT, MunicipalityCode, PrefectureCode, ServiceCode } from '../kaigo-identifiers.ts';
import { ROW_MEMBERS, ServiceParameter, Text } from '../kaigo-shapes.ts';
import { API_STATUSES, type Operation } from '../operation.ts';
import type { Parameter } from '../parameter.ts';
import { inPath, page } from '../parameters.ts';

/** The orders of a table. */
const SORTS = ['id', 'cost', 'staff', 'opened'] as const;

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
        name: Text('Name.', '千代田区'),
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
    total: count('Facilities in the table.'),
    page: Type.Integer({ minimum: 1, description: 'This page.', examples: [1] }),
    page_size: Type.Integer({ minimum: 1, description: 'Facilities on a full page.', examples: [100] }),
    page_count: Type.Integer({ minimum: 1, description: 'Number of pages; 1 for an empty table.', examples: [1] }),
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
    '131016',
  ),
  rule: MUNICIPALITY_CHECK_DIGIT,
} as const satisfies Parameter;

const serviceCode = inPath('service_code', ServiceParameter, 'The service to compare.', '510');

const sort = {
  name: 'sort',
  in: 'query',
  required: false,
  schema: oneOf(SORTS, 'Order of the rows.'),
  default: 'id',
  description:
    '`id`: by office number; `cost`: lowest estimate first; `staff`: fewest users per care staff first; `opened`: ' +
    'oldest first. Unknown comes last, ties go by office number.',
  example: 'cost',
} as const satisfies Parameter;

const EXAMPLE = { municipality_code: municipalityCode.example, service_code: serviceCode.example };

export const kaigoMunicipality = {
  id: 'kaigo-municipality',
  path: '/api/v1/kaigo/municipality/{municipality_code}/{service_code}',
  half: 'kaigo',
  summary: 'Comparison of one service in one municipality',
  description:
    'The facilities of the municipality that offer the service, 100 per page. A municipality without it has one ' +
    'empty page; one that is not in the data is 404. The cost estimate is not the whole bill: see its `basis` and ' +
    '`excludes`. Codes are listed in `/kaigo/municipalities.json`.',
  parameters: [municipalityCode, serviceCode, sort, page],
  costUnits: 1,
  answer: { form: 'envelope', data: MunicipalityTable },
  cache: 'public',
  statuses: API_STATUSES,
  examples: [
    { summary: 'Special nursing homes of a ward', parameters: EXAMPLE },
    { summary: 'The same, the cheapest first', parameters: { ...EXAMPLE, sort: 'cost' } },
  ],
  tool: {
    name: 'find_care_facilities',
    list: 'facilities',
    leaveOut: [
      'prefecture_code',
      'municipality_code',
      'name_kana',
      'location',
      'excludes',
      'by_care_level',
      'as_published',
      'service_codes',
      'compared_with',
    ],
  },
} as const satisfies Operation;
