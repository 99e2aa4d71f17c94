import Type, { type Static } from 'typebox';
import { count, Latitude, Longitude } from '../fields.ts';
import { API_STATUSES, type Operation } from '../operation.ts';
import { radius } from '../parameters.ts';
import { POSITION, SUMMARY_MEMBERS } from '../sunlight-shapes.ts';

const NearbyBuilding = Type.Object(
  {
    distance_m: Type.Number({
      minimum: 0,
      description: 'From the point to the footprint, metres; 0 inside it.',
      examples: [12.6],
    }),
    ...SUMMARY_MEMBERS,
  },
  { title: 'NearbyBuilding', description: 'A building in short, and how far it is.' },
);

export const BuildingsNear = Type.Object(
  {
    lat: Latitude,
    lon: Longitude,
    radius_m: Type.Number({ description: 'The radius that was searched, metres.', examples: [100] }),
    count: count('Buildings listed.'),
    truncated: Type.Boolean({ description: 'True when there are more within the radius.', examples: [false] }),
    buildings: Type.Array(NearbyBuilding, { maxItems: 50, description: 'Nearest first, ties by ID.' }),
  },
  { title: 'BuildingsNear', description: 'The buildings around a point.' },
);
export type BuildingsNear = Static<typeof BuildingsNear>;

const [lat, lon] = POSITION;

export const sunlightNear = {
  id: 'sunlight-near',
  path: '/api/v1/sunlight/near',
  half: 'sunlight',
  summary: 'Buildings around a point',
  description:
    'The buildings whose footprint lies within `r` metres of the point, nearest first, at most 50, each in short. ' +
    '`truncated` says whether there are more.',
  parameters: [lat, lon, radius(300, 100)],
  costUnits: 2,
  answer: { form: 'envelope', data: BuildingsNear },
  cache: 'public',
  statuses: API_STATUSES,
  alwaysFinds: true,
  examples: [
    { summary: 'Within 100 m', parameters: { lat: lat.example, lon: lon.example } },
    { summary: 'Within 300 m', parameters: { lat: lat.example, lon: lon.example, r: '300' } },
  ],
  tool: {
    name: 'find_buildings',
    arguments: { r: 'radius_m' },
    list: 'buildings',
    leaveOut: ['usage_code', 'ward_code', 'town_code', 'storeys_estimated', 'quality', 'measured_height_m'],
  },
} as const satisfies Operation;
