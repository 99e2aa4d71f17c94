import assert from 'node:assert/strict';
import { join } from 'node:path';
import { officeList } from '../../../samples/kaigo.ts';
import type { Facility } from '../../../src/contract/operations/kaigo-facility.ts';
import { type Built, buildTemporarily } from './build.ts';
import { withFiles } from './sample.ts';

/** A row of an office list: an office in Chiyoda. */
export const office = (id: string, more: Record<string, string> = {}): Record<string, string> => ({
  都道府県コード又は市町村コード: '131016',
  都道府県名: '東京都',
  市区町村名: '千代田区',
  事業所番号: id,
  事業所名: `陽だまり${id}`,
  定員: '60',
  緯度: '35.69',
  経度: '139.75',
  ...more,
});

/** A row of an office at a position in a municipality. */
export const officeAt = (id: number, code: string, municipality: string, lat: number, lon: number) =>
  office(String(1370100000 + id), {
    都道府県コード又は市町村コード: code,
    市区町村名: municipality,
    緯度: String(lat),
    経度: String(lon),
  });

/** Three offices. */
export const IDS = ['1370100018', '1370100026', '1370100034'] as const;

const HEADER =
  'office_id,service_code,opened,capacity,capacity_estimated,rooms_private,rooms_multi,rooms_multi_beds,staff_total,staff_nurse,staff_care,waiting,fee_room_per_day,fee_food_per_day,room_kind,kouhyou_url';

/** Details of special nursing homes by ID: rooms private and shared, staff in all, nurses, care staff, room, food, kind. */
export const details = (rows: [id: string, ...cells: (number | string)[]][]) =>
  [
    HEADER,
    ...rows.map(([id, own, shared, staff, nurses, care, room, food, kind]) =>
      [id, '510', '', '', '', own, shared, '', staff, nurses, care, '', room, food, kind, ''].join(','),
    ),
  ].join('\n');

/** Builds a care half from such files, and gives it to `use`. */
export const build = <T>(files: [string, Uint8Array | string][], use: (built: Built) => T | Promise<T>) =>
  withFiles(new Map(files), (folder) =>
    buildTemporarily(
      {
        offices: [join(folder, 'lists')],
        details: files.some(([name]) => name === 'details.csv') ? [join(folder, 'details.csv')] : [],
      },
      use,
    ),
  );

/** Special nursing homes with the details of each. */
export const homes = (rows: Parameters<typeof details>[0]): [string, Uint8Array | string][] => [
  ['lists/jigyosho_510.csv', officeList(rows.map(([id]) => office(id)))],
  ['details.csv', details(rows)],
];

export const facility = ({ answers }: Built, id: string): Facility => JSON.parse(JSON.stringify(answers.facility(id)));

/** The answer of the first service of an office. */
export const serviceOf = (built: Built, id: string) => facility(built, id).services[0] ?? assert.fail();

/** Details with a column for each field, named as the field is. */
export const withFields = (fields: string[], service: string, rows: (string | number)[][]): [string, string][] => {
  const names = ['facility_id', 'service_code', ...fields];
  return [
    [
      'details.csv',
      [names, ...rows.map(([id, ...cells]) => [id, service, ...cells])].map((row) => row.join(',')).join('\n'),
    ],
    [
      'details.mapping.json',
      JSON.stringify({
        schema: 'hidamari-details/1',
        fields: Object.fromEntries(names.map((one) => [one, { column: one }])),
      }),
    ],
  ];
};

/** An office elsewhere, where a unit costs less than in Chiyoda. */
export const PLACE_OF_GRADE_2 = {
  都道府県コード又は市町村コード: '132098',
  都道府県名: '東京都',
  市区町村名: '町田市',
};
