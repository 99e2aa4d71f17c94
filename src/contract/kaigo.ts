import Type from 'typebox';
import { BulkDownload } from './bulk-schema.ts';
import { oneOf } from './fields.ts';
import {
  FacilityId,
  MUNICIPALITY_CHECK_DIGIT,
  MunicipalityCode,
  PrefectureCode,
  SERVICE_CODES,
} from './kaigo-identifiers.ts';
import { FacilitiesNear, Facility, MunicipalityList, MunicipalityTable } from './kaigo-schemas.ts';
import { API_STATUSES, type Operation, type Parameter, UNCACHED_API_STATUSES } from './operation.ts';

const serviceSchema = oneOf([...SERVICE_CODES], 'One of the 35 services.');

const facilityId: Parameter = {
  name: 'facility_id',
  in: 'path',
  required: true,
  schema: FacilityId,
  description: 'Office number (事業所番号).',
  example: '1370100018',
};

const municipalityCode: Parameter = {
  name: 'municipality_code',
  in: 'path',
  required: true,
  schema: MunicipalityCode,
  description: 'Code of the municipality; that of a designated city lists its wards.',
  example: '131016',
  rule: MUNICIPALITY_CHECK_DIGIT,
};

const lat: Parameter = {
  name: 'lat',
  in: 'query',
  required: true,
  schema: Type.Number({ minimum: 20, maximum: 46 }),
  description: 'Latitude of the point, degrees (JGD2011 or WGS 84).',
  example: '35.6812',
};

const lon: Parameter = {
  name: 'lon',
  in: 'query',
  required: true,
  schema: Type.Number({ minimum: 122, maximum: 154 }),
  description: 'Longitude of the point, degrees.',
  example: '139.7671',
};

/** The care half, in the order of the contract. */
export const KAIGO_OPERATIONS = [
  {
    id: 'kaigo-facility',
    path: '/api/v1/kaigo/facility/{facility_id}',
    half: 'kaigo',
    summary: 'Everything about one care facility',
    description:
      'Name, address, position, the corporation that runs it and how many offices that has, and for each service ' +
      'capacity, users, rooms, staff, year of opening and an estimate of what a resident pays. Null stands for what is ' +
      'not known.',
    parameters: [facilityId],
    costUnits: 1,
    answer: { form: 'envelope', data: Facility },
    cache: 'public',
    statuses: API_STATUSES,
    examples: [{ summary: 'One facility', parameters: { facility_id: facilityId.example } }],
  },
  {
    id: 'kaigo-municipality',
    path: '/api/v1/kaigo/municipality/{municipality_code}/{service_code}',
    half: 'kaigo',
    summary: 'Comparison of one service in one municipality',
    description:
      'The facilities of the municipality that offer the service, 100 per page. A municipality without it has one ' +
      'empty page; one that is not in the data is 404. The cost estimate is not the whole bill: see its `basis` and ' +
      '`excludes`. Codes are listed in `/kaigo/municipalities.json`.',
    parameters: [
      municipalityCode,
      {
        name: 'service_code',
        in: 'path',
        required: true,
        schema: serviceSchema,
        description: 'The service to compare.',
        example: '510',
      },
      {
        name: 'sort',
        in: 'query',
        required: false,
        schema: oneOf(['id', 'cost', 'staff', 'opened'], 'Order of the rows.', { default: 'id' }),
        description:
          '`id`: by office number; `cost`: lowest estimate first; `staff`: fewest users per care staff first; `opened`: ' +
          'oldest first. Unknown comes last, ties go by office number.',
        example: 'cost',
      },
      {
        name: 'page',
        in: 'query',
        required: false,
        schema: Type.Integer({ minimum: 1, default: 1 }),
        description: 'Number of the page; past the last is 404.',
        example: '1',
      },
    ],
    costUnits: 1,
    answer: { form: 'envelope', data: MunicipalityTable },
    cache: 'public',
    statuses: API_STATUSES,
    examples: [
      { summary: 'Special nursing homes of a ward', parameters: { municipality_code: '131016', service_code: '510' } },
      {
        summary: 'The same, the cheapest first',
        parameters: { municipality_code: '131016', service_code: '510', sort: 'cost' },
      },
    ],
  },
  {
    id: 'kaigo-near',
    path: '/api/v1/kaigo/near',
    half: 'kaigo',
    summary: 'Care facilities around a point',
    description:
      'The facilities within `r` metres (on the ellipsoid), nearest first, at most 50; `truncated` says whether there ' +
      'are more. Facilities whose position is not known or not believed are never among them.',
    parameters: [
      lat,
      lon,
      {
        name: 'r',
        in: 'query',
        required: false,
        schema: Type.Number({ minimum: 1, maximum: 3000, default: 1000 }),
        description: 'Radius, metres.',
        example: '1000',
      },
      {
        name: 'service',
        in: 'query',
        required: false,
        schema: serviceSchema,
        description: 'Only facilities with this service.',
        example: '510',
      },
    ],
    costUnits: 2,
    answer: { form: 'envelope', data: FacilitiesNear },
    cache: 'public',
    statuses: API_STATUSES,
    alwaysFinds: true,
    examples: [
      { summary: 'Within 1 km', parameters: { lat: lat.example, lon: lon.example } },
      {
        summary: 'Special nursing homes within 3 km',
        parameters: { lat: lat.example, lon: lon.example, r: '3000', service: '510' },
      },
    ],
  },
  {
    id: 'kaigo-bulk',
    path: '/api/v1/kaigo/bulk/{prefecture_code}',
    half: 'kaigo',
    summary: 'All facilities of a prefecture as Parquet',
    description:
      'A signed URL to a GeoParquet file with one row for each facility and service of the prefecture, valid for one hour.',
    parameters: [
      {
        name: 'prefecture_code',
        in: 'path',
        required: true,
        schema: PrefectureCode,
        description: 'Code of the prefecture.',
        example: '13',
      },
    ],
    costUnits: 10,
    answer: { form: 'envelope', data: BulkDownload },
    cache: 'no-store',
    statuses: UNCACHED_API_STATUSES,
    examples: [{ summary: 'A whole prefecture', parameters: { prefecture_code: '13' } }],
  },
  {
    id: 'kaigo-municipalities',
    path: '/kaigo/municipalities.json',
    half: 'kaigo',
    summary: 'List of all municipalities',
    description:
      'Every municipality with facilities: code, name, prefecture, services and counts. Free and not rate-limited.',
    parameters: [],
    costUnits: 0,
    answer: { form: 'envelope', data: MunicipalityList },
    cache: 'public',
    statuses: [200, 304, 400, 500, 503],
    examples: [{ summary: 'All municipalities', parameters: {} }],
  },
] as const satisfies readonly Operation[];
