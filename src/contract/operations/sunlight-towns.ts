import Type, { type Static } from 'typebox';
import { Latitude, Longitude } from '../fields.ts';
import type { Operation } from '../operation.ts';
import { TOWN_MEMBERS } from '../sunlight-shapes.ts';

export const TownList = Type.Array(
  Type.Object({ ...TOWN_MEMBERS, lat: Latitude, lon: Longitude }, { title: 'TownEntry', description: 'A town area.' }),
  { title: 'TownList', description: 'Every town area, in order of code.' },
);
export type TownList = Static<typeof TownList>;

export const sunlightTowns = {
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
  alwaysFinds: true,
  examples: [{ summary: 'All towns', parameters: {} }],
} as const satisfies Operation;
