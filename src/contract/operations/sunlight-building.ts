import type { Operation } from '../operation.ts';
import { API_STATUSES } from '../operation.ts';
import { BuildingSummary, buildingId } from '../sunlight-shapes.ts';

export const sunlightBuilding = {
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
  tool: { name: 'building_sun', leaveOut: ['usage_code', 'ward_code', 'quality'] },
} as const satisfies Operation;
