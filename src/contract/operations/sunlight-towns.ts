import type { Static } from 'typebox';
import { TownCode, WardCode } from '../identifiers.ts';
import type { Operation } from '../operation.ts';
import { datasetId, inPath, page } from '../parameter.ts';
import { count, Latitude, Longitude, oneOf, pageMembers, Text, Type } from '../schema.ts';
import { BuildingSummary, TOWN_MEMBERS } from '../sunlight-shapes.ts';

export const TownList = Type.Array(
  Type.Object({ ...TOWN_MEMBERS, lat: Latitude, lon: Longitude }, { title: 'TownEntry', description: 'A town area.' }),
  { title: 'TownList', description: 'Every town area, in order of code.' },
);
export type TownList = Static<typeof TownList>;

export const sunlightTowns = {
  id: 'sunlight-towns',
  path: '/sunlight/towns.json',
  section: 'sunlight',
  summary: 'List of all towns',
  description: 'Every town area with its name, reading, code and a representative point. Free and not rate-limited.',
  parameters: [],
  costUnits: 0,
  answer: { form: 'envelope', data: TownList },
  alwaysFinds: true,
} as const satisfies Operation;

const Town = Type.Object(
  {
    ...TOWN_MEMBERS,
    ward_name: Text('Name of the ward.', '$ward_name'),
    lat: Latitude,
    lon: Longitude,
  },
  { title: 'Town', description: 'A town area of the census.' },
);
export type Town = Static<typeof Town>;

const PAGE_MEMBERS = pageMembers('Buildings', 'without buildings');

export const TownBuildings = Type.Object(
  {
    town: Town,
    total: count('Buildings of the town.'),
    ...PAGE_MEMBERS,
    buildings: Type.Array(BuildingSummary, { maxItems: 100, description: 'In order of ID.' }),
  },
  { title: 'TownBuildings', description: 'One page of the buildings of a town.' },
);
export type TownBuildings = Static<typeof TownBuildings>;

const townCode = inPath(
  'town_code',
  TownCode,
  'Small-area code of the census; 9 digits list all chome of the town.',
  '$town_code',
);

export const sunlightTownBuildings = {
  id: 'sunlight-town-buildings',
  path: '/api/v1/sunlight/town/{town_code}/buildings',
  section: 'sunlight',
  summary: 'Buildings of a town, page by page',
  description:
    'The buildings of the town, in order of ID, 100 per page, each in short. A town without buildings has ' +
    'one empty page. Codes are listed in `/sunlight/towns.json`.',
  parameters: [townCode, page, datasetId],
  costUnits: 2,
  answer: { form: 'envelope', data: TownBuildings },
  tool: {
    name: 'find_buildings',
    list: 'buildings',
    leaveOut: ['usage_code', 'ward_code', 'town_code', 'storeys_estimated', 'quality', 'measured_height_m'],
  },
} as const satisfies Operation;

/** What a list of places or buildings can be sorted by. */
export const SUN_SORTS = ['december_top_hours', 'december_first_hours', 'annual_hours'] as const;
export type SunSort = (typeof SUN_SORTS)[number];

const SORT_MEANING =
  '`december_top_hours`: hours of `december_top_best`; `december_first_hours`: of `december_first_south`; ' +
  '`annual_hours`: `annual_mean_hours`.';

const WardBuildings = Type.Object(
  {
    ward_code: WardCode,
    sort: oneOf([...SUN_SORTS], `The order. ${SORT_MEANING}`, { examples: ['december_top_hours'] }),
    total: count('Buildings of the ward.'),
    ...PAGE_MEMBERS,
    buildings: Type.Array(BuildingSummary, { maxItems: 100, description: 'Most sun first.' }),
  },
  { title: 'WardBuildings', description: 'One page of the buildings of a ward.' },
);
export type WardBuildings = Static<typeof WardBuildings>;

export const sunlightWardBuildings = {
  id: 'sunlight-ward-buildings',
  path: '/api/v1/sunlight/ward/{ward_code}/buildings',
  section: 'sunlight',
  summary: 'Buildings of a ward by their sun, page by page',
  description:
    'The buildings of the ward, those with most sun first, 100 per page, each in short. Buildings with equal hours are ' +
    'in order of ID; buildings without walls come last.',
  parameters: [
    inPath('ward_code', WardCode, 'Code of the ward or municipality.', '$ward_code'),
    {
      name: 'sort',
      in: 'query',
      required: false,
      schema: Type.Enum([...SUN_SORTS], { type: 'string' }),
      default: 'december_top_hours',
      description: `The order. ${SORT_MEANING}`,
      example: 'annual_hours',
    },
    page,
    datasetId,
  ],
  costUnits: 2,
  answer: { form: 'envelope', data: WardBuildings },
} as const satisfies Operation;
