import type { Static } from 'typebox';
import { PrefectureCode, SERVICE_CODES, ServiceCode } from '../identifiers.ts';
import { CASE_PARAMETERS, CaseAnswer, maxYenBy, RARE_CASES } from '../kaigo-cost.ts';
import { ComparedWith, NOT_FOR_AGENTS, ROW_MEMBERS, ServiceParameter } from '../kaigo-facility.ts';
import type { Operation } from '../operation.ts';
import { datasetId, type Parameter, position, radius } from '../parameter.ts';
import { count, Flag, Latitude, Longitude, Quantity, Type } from '../schema.ts';

const NearbyFacility = Type.Object(
  {
    distance_m: Quantity('Geodesic distance, metres.', 412.7, 0),
    ...ROW_MEMBERS,
    service_codes: Type.Array(ServiceCode, {
      description:
        'The services of the facility. The first is the one that capacity, cost and the like are of: the one asked for, ' +
        'else what the facility mainly is (a home before a day service before visits); the others follow in order of code.',
    }),
  },
  { title: 'NearbyFacility', description: 'A facility, and how far it is.' },
);

export const FacilitiesNear = Type.Object(
  {
    lat: Latitude,
    lon: Longitude,
    radius_m: Quantity('The radius that was searched, metres.', 1000),
    case: CaseAnswer,
    count: count('Facilities listed.'),
    truncated: Flag('True when there are more within the radius.', false),
    comparable_cost: Flag(
      'Whether costs tell facilities of one service apart; false where national prices alone decide.',
      true,
    ),
    compared_with: Type.Array(
      Type.Object(
        { service_code: ServiceCode, prefecture_code: PrefectureCode, ...ComparedWith.properties },
        { title: 'NearComparison', description: 'A service elsewhere, medians and quartiles.' },
      ),
      { description: 'Of each service and prefecture that a row is about, in order of code.' },
    ),
    facilities: Type.Array(NearbyFacility, { maxItems: 50, description: 'Nearest first, ties by ID.' }),
  },
  { title: 'FacilitiesNear', description: 'The facilities around a point.' },
);
export type FacilitiesNear = Static<typeof FacilitiesNear>;

const [lat, lon] = position(20, 46, 122, 154);

const service = {
  name: 'service',
  in: 'query',
  required: false,
  schema: Type.Array(ServiceParameter, { minItems: 1, maxItems: SERVICE_CODES.length }),
  description:
    'Only facilities with one of these services, separated by commas: each at the place of that service. The row is about the first ' +
    'of them that lies there.',
  example: '510',
} as const satisfies Parameter;

export const kaigoNear = {
  id: 'kaigo-near',
  path: '/api/v1/kaigo/near',
  section: 'kaigo',
  summary: 'Care facilities around a point',
  description:
    'The facilities within `r` metres (on the ellipsoid), nearest first, at most 50; `truncated` is true when there are more. Facilities without a reliable position are left out.',
  parameters: [lat, lon, radius(3000, 1000), service, datasetId, ...CASE_PARAMETERS, maxYenBy('typical')],
  costUnits: 2,
  answer: { form: 'envelope', data: FacilitiesNear },
  alwaysFinds: true,
  examples: [
    { lat: lat.example, lon: lon.example },
    { lat: lat.example, lon: lon.example, r: '3000', service: '510' },
  ],
  tool: {
    name: 'find_care_facilities',
    arguments: { r: 'radius_m', service: 'service_code' },
    list: 'facilities',
    without: [...RARE_CASES],
    leaveOut: [...NOT_FOR_AGENTS, ...RARE_CASES],
  },
} as const satisfies Operation;
