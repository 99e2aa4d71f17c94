import Type from 'typebox';
import { BulkDownload } from './bulk-schema.ts';
import { BuildingId, TownCode, WardCode } from './identifiers.ts';
import { API_STATUSES, type Operation, type Parameter, UNCACHED_API_STATUSES } from './operation.ts';
import {
  BuildingFull,
  BuildingSummary,
  BuildingsNear,
  PointSunlight,
  TownBuildings,
  TownList,
} from './sunlight-schemas.ts';

const buildingId: Parameter = {
  name: 'building_id',
  in: 'path',
  required: true,
  schema: BuildingId,
  description: 'Building ID of the 3D city model.',
  example: '13101-bldg-365',
};

const lat: Parameter = {
  name: 'lat',
  in: 'query',
  required: true,
  schema: Type.Number({ minimum: 35.4, maximum: 35.9 }),
  description: 'Latitude of the point, degrees (JGD2011 or WGS 84).',
  example: '35.6812',
};

const lon: Parameter = {
  name: 'lon',
  in: 'query',
  required: true,
  schema: Type.Number({ minimum: 139.5, maximum: 140 }),
  description: 'Longitude of the point, degrees.',
  example: '139.7671',
};

/** The sunlight half, in the order of the contract. */
export const SUNLIGHT_OPERATIONS = [
  {
    id: 'sunlight-building',
    path: '/api/v1/sunlight/building/{building_id}',
    half: 'sunlight',
    summary: 'Sunlight of one building in short',
    description:
      'The best face of the top floor and the south face of the first floor on 15 December, the annual mean, and what ' +
      'is known of the building: usage, height, storeys.',
    parameters: [buildingId],
    costUnits: 1,
    answer: { form: 'envelope', data: BuildingSummary },
    cache: 'public',
    statuses: API_STATUSES,
    examples: [{ summary: 'One building', parameters: { building_id: buildingId.example } }],
  },
  {
    id: 'sunlight-building-full',
    path: '/api/v1/sunlight/building/{building_id}/full',
    half: 'sunlight',
    summary: 'Sunlight of one building, by face, floor and month',
    description:
      'The summary, and for every face, floor class (first, middle, top) and month the hours of direct sun and the ' +
      'windows in which the face is sunlit, and the five buildings that shade it most.',
    parameters: [buildingId],
    costUnits: 3,
    answer: { form: 'envelope', data: BuildingFull },
    cache: 'public',
    statuses: API_STATUSES,
    examples: [{ summary: 'Everything about one building', parameters: { building_id: buildingId.example } }],
  },
  {
    id: 'sunlight-near',
    path: '/api/v1/sunlight/near',
    half: 'sunlight',
    summary: 'Buildings around a point',
    description:
      'The buildings whose footprint lies within `r` metres of the point, nearest first, at most 50, each in short. ' +
      '`truncated` says whether there are more.',
    parameters: [
      lat,
      lon,
      {
        name: 'r',
        in: 'query',
        required: false,
        schema: Type.Number({ minimum: 1, maximum: 300, default: 100 }),
        description: 'Radius, metres.',
        example: '100',
      },
    ],
    costUnits: 2,
    answer: { form: 'envelope', data: BuildingsNear },
    cache: 'public',
    statuses: API_STATUSES,
    alwaysFinds: true,
    examples: [
      { summary: 'Within 100 m', parameters: { lat: lat.example, lon: lon.example } },
      { summary: 'Within 300 m', parameters: { lat: lat.example, lon: lon.example, r: '300' } },
    ],
  },
  {
    id: 'sunlight-town-buildings',
    path: '/api/v1/sunlight/town/{town_code}/buildings',
    half: 'sunlight',
    summary: 'Buildings of a town, page by page',
    description:
      'The buildings that stand in the town, in order of ID, 100 per page, each in short. A town without buildings has ' +
      'one empty page. Codes are listed in `/sunlight/towns.json`.',
    parameters: [
      {
        name: 'town_code',
        in: 'path',
        required: true,
        schema: TownCode,
        description: 'Small-area code of the census; 9 digits list all chome of the town.',
        example: '13101002001',
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
    costUnits: 2,
    answer: { form: 'envelope', data: TownBuildings },
    cache: 'public',
    statuses: API_STATUSES,
    examples: [{ summary: 'The first page', parameters: { town_code: '13101002001' } }],
  },
  {
    id: 'sunlight-point',
    path: '/api/v1/sunlight/point',
    half: 'sunlight',
    summary: 'Sunlight at any point and height',
    description:
      'Computed on the spot for one free receptor that looks in all directions. Off unless the operator switches it ' +
      'on (`--point on`); off, it answers 501.',
    parameters: [
      lat,
      lon,
      {
        name: 'height_m',
        in: 'query',
        required: true,
        schema: Type.Number({ minimum: 0, maximum: 400 }),
        description: 'Height above ground, metres.',
        example: '10',
      },
    ],
    costUnits: 5,
    answer: { form: 'envelope', data: PointSunlight },
    cache: 'public',
    statuses: API_STATUSES,
    alwaysFinds: true,
    examples: [
      { summary: 'Ten metres above ground', parameters: { lat: lat.example, lon: lon.example, height_m: '10' } },
    ],
    optional: true,
  },
  {
    id: 'sunlight-bulk',
    path: '/api/v1/sunlight/bulk/{ward_code}',
    half: 'sunlight',
    summary: 'All results of a ward as Parquet',
    description: 'A signed URL to a GeoParquet file with one row for each building of the ward, valid for one hour.',
    parameters: [
      {
        name: 'ward_code',
        in: 'path',
        required: true,
        schema: WardCode,
        description: 'Code of the ward.',
        example: '13101',
      },
    ],
    costUnits: 20,
    answer: { form: 'envelope', data: BulkDownload },
    cache: 'no-store',
    statuses: UNCACHED_API_STATUSES,
    examples: [{ summary: 'A whole ward', parameters: { ward_code: '13101' } }],
  },
  {
    id: 'sunlight-towns',
    path: '/sunlight/towns.json',
    half: 'sunlight',
    summary: 'List of all towns',
    description: 'Every town area with its name, reading, code and a representative point. Free and not rate-limited.',
    parameters: [],
    costUnits: 0,
    answer: { form: 'envelope', data: TownList },
    cache: 'public',
    statuses: [200, 304, 400, 500, 503],
    examples: [{ summary: 'All towns', parameters: {} }],
  },
] as const satisfies readonly Operation[];
