import Type, { type Static } from 'typebox';
import { count } from '../fields.ts';
import { BuildingId } from '../identifiers.ts';
import { API_STATUSES, type Operation } from '../operation.ts';
import type { Parameter } from '../parameter.ts';
import { BuildingSummary, buildingId } from '../sunlight-shapes.ts';

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
  description: 'Building IDs with commas between them; one that is repeated is given once.',
  example: buildingId.example,
} as const satisfies Parameter;

export const sunlightBuildings = {
  id: 'sunlight-buildings',
  path: '/api/v1/sunlight/buildings',
  half: 'sunlight',
  summary: 'Sunlight of up to 50 buildings in short',
  description:
    'Each as the operation for one building gives it. `not_found` lists the IDs that are not in the dataset: they cost ' +
    'nothing. Goes beyond the contract.',
  parameters: [ids],
  costUnits: 1,
  costPer: 'result',
  answer: { form: 'envelope', data: SeveralBuildings },
  cache: 'public',
  statuses: API_STATUSES,
  alwaysFinds: true,
  examples: [{ summary: 'One building', parameters: { ids: ids.example } }],
  tool: {
    name: 'compare_buildings',
    arguments: { ids: 'building_ids' },
    leaveOut: ['usage_code', 'ward_code', 'quality'],
  },
} as const satisfies Operation;
