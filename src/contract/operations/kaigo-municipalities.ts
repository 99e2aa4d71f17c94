import Type, { type Static } from 'typebox';
import { count } from '../fields.ts';
import { MunicipalityCode, PrefectureCode, ServiceCode } from '../kaigo-identifiers.ts';
import { Text } from '../kaigo-shapes.ts';
import type { Operation } from '../operation.ts';

export const MunicipalityList = Type.Array(
  Type.Object(
    {
      municipality_code: MunicipalityCode,
      name: Text('Name.', '千代田区'),
      prefecture_code: PrefectureCode,
      prefecture: Text('Name of the prefecture.', '東京都'),
      facilities: count('Facilities; one with several services counts once.', 42),
      services: Type.Array(
        Type.Object({ service_code: ServiceCode, facilities: count('Facilities with this service.', 7) }),
        { description: 'Services that exist there, in order of code.' },
      ),
    },
    { title: 'MunicipalityEntry', description: 'A municipality of the data.' },
  ),
  {
    title: 'MunicipalityList',
    description: 'Every municipality with facilities, designated cities beside their wards, in order of code.',
  },
);
export type MunicipalityList = Static<typeof MunicipalityList>;

export const kaigoMunicipalities = {
  id: 'kaigo-municipalities',
  path: '/kaigo/municipalities.json',
  half: 'kaigo',
  summary: 'List of all municipalities',
  description:
    'Every municipality with facilities: code, name, prefecture, services and counts. Free and not rate-limited.',
  parameters: [],
  costUnits: 0,
  answer: { form: 'envelope', data: MunicipalityList },
  cache: 'public',
  statuses: [200, 304, 400, 500, 503],
  alwaysFinds: true,
  examples: [{ summary: 'All municipalities', parameters: {} }],
} as const satisfies Operation;
