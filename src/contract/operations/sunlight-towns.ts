import type { Static } from 'typebox';
import { TownCode } from '../identifiers.ts';
import type { Operation } from '../operation.ts';
import { datasetId, inPath, page } from '../parameter.ts';
import { count, Latitude, Longitude, Text, Type, Whole } from '../schema.ts';
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

export const TownBuildings = Type.Object(
  {
    town: Town,
    total: count('Buildings of the town.'),
    page: Whole('This page.', 1, 1),
    page_size: Whole('Buildings on a full page.', 100, 1),
    page_count: Whole('Number of pages; 1 for a town without buildings.', 1, 1),
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
