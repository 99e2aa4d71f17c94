import type { Static } from 'typebox';
import { BuildingId } from '../identifiers.ts';
import type { Operation } from '../operation.ts';
import { datasetId, type Parameter, radius } from '../parameter.ts';
import { count, Flag, Latitude, Longitude, openEnum, orNull, Quantity, Type } from '../schema.ts';
import {
  DAY_MEMBERS,
  EXPECTED_MEMBERS,
  ExpectedHours,
  Method,
  Month,
  POSITION,
  SUMMARY_MEMBERS,
} from '../sunlight-shapes.ts';

const NearbyBuilding = Type.Object(
  {
    distance_m: Quantity('From the point to the footprint, metres; 0 inside it.', 12.6, 0),
    ...SUMMARY_MEMBERS,
  },
  { title: 'NearbyBuilding', description: 'A building in short, and how far it is.' },
);

export const BuildingsNear = Type.Object(
  {
    lat: Latitude,
    lon: Longitude,
    radius_m: Quantity('The radius that was searched, metres.', 100),
    count: count('Buildings listed.'),
    truncated: Flag('True when there are more within the radius.', false),
    buildings: Type.Array(NearbyBuilding, { maxItems: 50, description: 'Nearest first, ties by ID.' }),
  },
  { title: 'BuildingsNear', description: 'The buildings around a point.' },
);
export type BuildingsNear = Static<typeof BuildingsNear>;

const [lat, lon] = POSITION;

export const sunlightNear = {
  id: 'sunlight-near',
  path: '/api/v1/sunlight/near',
  section: 'sunlight',
  summary: 'Buildings around a point',
  description:
    'The buildings whose footprint is within `r` metres of the point, nearest first, at most 50, each in short. `truncated` is true when there are more.',
  parameters: [lat, lon, radius(300, 100), datasetId],
  costUnits: 2,
  answer: { form: 'envelope', data: BuildingsNear },
  alwaysFinds: true,
  examples: [
    { lat: lat.example, lon: lon.example },
    { lat: lat.example, lon: lon.example, r: '300' },
  ],
  tool: {
    name: 'find_buildings',
    arguments: { r: 'radius_m' },
    list: 'buildings',
    leaveOut: ['usage_code', 'ward_code', 'town_code', 'storeys_estimated', 'quality', 'measured_height_m'],
  },
} as const satisfies Operation;

const PointMonth = Type.Object(
  { month: Month, ...DAY_MEMBERS, expected_hours: ExpectedHours },
  {
    title: 'PointMonth',
    description: 'Direct sun on the 15th of one month, and what the weather of a normal year leaves of it.',
  },
);

export const PointSunlight = Type.Object(
  {
    lat: Latitude,
    lon: Longitude,
    height_m: Quantity('Metres above ground.', 10),
    inside: orNull(
      BuildingId,
      'it is in the open',
      'The building in which the point lies, so that no sun reaches it: within its footprint and not above its top.',
    ),
    surroundings: openEnum(
      ['complete', 'open', 'none'],
      'Whether the data holds what stands around: `open` where the point lies in a grid square (about 1 km) without any ' +
        'building of the dataset, or such a square, or a part of one that was not loaded, begins within 1 km: then the hours are an upper bound; `none` where there is ' +
        'no building within 5 km: then they are those of open ground at 0 m, for want of data.',
    ),
    months: Type.Array(PointMonth, { minItems: 12, maxItems: 12, description: 'January to December.' }),
    ...EXPECTED_MEMBERS,
    method: Method,
  },
  { title: 'PointSunlight', description: 'Direct sun at one free point.' },
);
export type PointSunlight = Static<typeof PointSunlight>;

const height = {
  name: 'height_m',
  in: 'query',
  required: true,
  schema: Type.Number({ minimum: 0, maximum: 400 }),
  description: 'Height above ground, metres.',
  example: '10',
} as const satisfies Parameter;

export const sunlightPoint = {
  id: 'sunlight-point',
  path: '/api/v1/sunlight/point',
  section: 'sunlight',
  summary: 'Sunlight at any point and height',
  description:
    'Computed on demand for one free receptor that looks in all directions. It is off (501) unless the operator switches it on (`--point on`).',
  parameters: [lat, lon, height],
  costUnits: 5,
  isComputed: true,
  answer: { form: 'envelope', data: PointSunlight },
  alwaysFinds: true,
  isOptional: true,
} as const satisfies Operation;
