import type { Static } from 'typebox';
import { MultiPolygon } from '../geojson.ts';
import { BuildingId } from '../identifiers.ts';
import type { Operation } from '../operation.ts';
import type { Parameter } from '../parameter.ts';
import { count, Type } from '../schema.ts';
import {
  BuildingSummary,
  buildingId,
  FACE_MEMBERS,
  FloorHeight,
  FloorNumber,
  Method,
  Months,
  ReceptorCount,
  SUMMARY_MEMBERS,
  shadingMembers,
} from '../sunlight-shapes.ts';

export const sunlightBuilding = {
  id: 'sunlight-building',
  path: '/api/v1/sunlight/building/{building_id}',
  section: 'sunlight',
  summary: 'Sunlight of one building in short',
  description:
    'The best face of the top floor and the south face of the first floor on 15 December, the annual mean, and the usage, height and storeys of the building.',
  parameters: [buildingId],
  costUnits: 1,
  answer: { form: 'envelope', data: BuildingSummary },
  tool: { name: 'building_sun', leaveOut: ['usage_code', 'ward_code', 'quality'] },
} as const satisfies Operation;

export const SeveralBuildings = Type.Object(
  {
    count: count('Buildings found.'),
    buildings: Type.Array(BuildingSummary, { maxItems: 50, description: 'Those that are there, in the order asked.' }),
    not_found: Type.Array(BuildingId, { maxItems: 50, description: 'The IDs that are not in the dataset, likewise.' }),
  },
  { title: 'SeveralBuildings', description: 'Buildings in short, and what was not found.' },
);
export type SeveralBuildings = Static<typeof SeveralBuildings>;

const ids = {
  name: 'ids',
  in: 'query',
  required: true,
  schema: Type.Array(BuildingId, { minItems: 1, maxItems: 50 }),
  description: 'Building IDs, separated by commas. A repeated ID is returned once.',
  example: buildingId.example,
  isLogged: false,
} as const satisfies Parameter;

export const sunlightBuildings = {
  id: 'sunlight-buildings',
  path: '/api/v1/sunlight/buildings',
  section: 'sunlight',
  summary: 'Sunlight of up to 50 buildings in short',
  description:
    'The same data as for one building. `not_found` lists the IDs that are not in the dataset; they cost nothing. Provisional.',
  parameters: [ids],
  costUnits: 1,
  costPer: 'result',
  answer: { form: 'envelope', data: SeveralBuildings },
  alwaysFinds: true,
  tool: {
    name: 'compare_buildings',
    arguments: { ids: 'building_ids' },
    leaveOut: ['usage_code', 'ward_code', 'quality'],
  },
} as const satisfies Operation;

const FloorSunlight = Type.Object(
  {
    floor: FloorNumber,
    height_m: FloorHeight,
    months: Months,
  },
  { title: 'FloorSunlight', description: 'One floor of one face.' },
);

const FaceSunlight = Type.Object(
  {
    ...FACE_MEMBERS,
    receptors: ReceptorCount,
    floors: Type.Object(
      { first: FloorSunlight, middle: FloorSunlight, top: FloorSunlight },
      { description: 'The first, the middle and the top floor.' },
    ),
  },
  { title: 'FaceSunlight', description: 'One face of the building. A face without walls is absent.' },
);

export const BuildingFull = Type.Object(
  {
    ...SUMMARY_MEMBERS,
    faces: Type.Array(FaceSunlight, { description: 'The faces that exist, clockwise from north.' }),
    ...shadingMembers('this one'),
    footprint: MultiPolygon,
    method: Method,
  },
  { title: 'BuildingFull', description: 'Everything about one building.' },
);
export type BuildingFull = Static<typeof BuildingFull>;

export const sunlightBuildingFull = {
  id: 'sunlight-building-full',
  path: '/api/v1/sunlight/building/{building_id}/full',
  section: 'sunlight',
  summary: 'Sunlight of one building, by face, floor and month',
  description:
    'The summary, and for every face, floor class (first, middle, top) and month the hours of direct sun and the ' +
    'windows in which the face is sunlit, the five buildings that shade it most, and the footprint as GeoJSON.',
  parameters: [buildingId],
  costUnits: 3,
  answer: { form: 'envelope', data: BuildingFull },
  tool: {
    name: 'building_sun',
    leaveOut: ['usage_code', 'ward_code', 'quality', 'wall_length_m', 'receptors', 'footprint'],
  },
} as const satisfies Operation;
