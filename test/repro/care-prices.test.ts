import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { officeList } from '../../samples/kaigo.ts';
import type { Facility } from '../../src/contract/operations/kaigo-facility.ts';
import { type Built, buildTemporarily } from '../kaigo/support/build.ts';
import { withFiles } from '../kaigo/support/sample.ts';

/** Prices and lists that were wrong once: each test fails on what was there before. */
const office = (id: string, more: Record<string, string> = {}): Record<string, string> => ({
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
const IDS = ['1370100018', '1370100026', '1370100034'] as const;
const HEADER =
  'office_id,service_code,opened,capacity,capacity_estimated,rooms_private,rooms_multi,rooms_multi_beds,staff_total,staff_nurse,staff_care,waiting,fee_room_per_day,fee_food_per_day,room_kind,kouhyou_url';

/** Details of special nursing homes by ID: rooms private and shared, staff in all, nurses, care staff, room, food, kind. */
const details = (rows: [id: string, ...cells: (number | string)[]][]) =>
  [
    HEADER,
    ...rows.map(([id, own, shared, staff, nurses, care, room, food, kind]) =>
      [id, '510', '', '', '', own, shared, '', staff, nurses, care, '', room, food, kind, ''].join(','),
    ),
  ].join('\n');

const build = <T>(files: [string, Uint8Array | string][], use: (built: Built) => T) =>
  withFiles(new Map(files), (folder) =>
    buildTemporarily(
      {
        offices: [join(folder, 'lists')],
        details: files.some(([name]) => name === 'details.csv') ? [join(folder, 'details.csv')] : [],
      },
      use,
    ),
  );
const homes = (rows: Parameters<typeof details>[0]): [string, Uint8Array | string][] => [
  ['lists/jigyosho_510.csv', officeList(rows.map(([id]) => office(id)))],
  ['details.csv', details(rows)],
];
const facility = ({ answers }: Built, id: string): Facility => JSON.parse(JSON.stringify(answers.facility(id)));
const serviceOf = (built: Built, id: string) => facility(built, id).services[0] ?? assert.fail();

test('a food fee that lost its first digit, and one that is a limit of an income stage, is not the cheapest', () =>
  build(
    homes([
      [IDS[0], 60, 0, 70, 6, 35, 2066, 445, 'unit'],
      [IDS[1], 60, 0, 70, 6, 35, 2066, 1360, 'unit'],
      [IDS[2], 60, 0, 70, 6, 35, 2066, 1500, 'unit'],
    ]),
    (built) => {
      const table = JSON.parse(JSON.stringify(built.answers.municipality('131016', '510', 'cost', 1, 100)));
      assert.equal(table.facilities[0].facility_id, IDS[2]);
      for (const id of IDS.slice(0, 2)) {
        const { cost_estimate, as_published } = serviceOf(built, id);
        assert.equal(cost_estimate.parts?.food?.low, 30 * 1545);
        assert.ok(['445', '1360'].includes(as_published.food_yen_per_day ?? ''));
      }
    },
  ));

test('one room fee of a home with private and shared rooms is that of the kind it is nearest to', () =>
  build(homes([[IDS[0], 20, 10, 70, 6, 35, 1231, 1545, 'multi']]), (built) => {
    const { residence } = serviceOf(built, IDS[0]).cost_estimate.parts ?? {};
    assert.deepEqual([residence?.low, residence?.high], [30 * 915, 30 * 1231]);
  }));

test('a real price list of a private room lies within the estimate, not above it', () =>
  build(
    [
      // Grade 2, where the list was printed: 113,775 yen for care level 3.
      ['lists/jigyosho_510.csv', officeList([office(IDS[0], PLACE_OF_GRADE_2)])],
      ['details.csv', details([[IDS[0], 60, 0, 70, 6, 35, '', '', 'multi']])],
    ],
    (built) => {
      const { low = 0, high = 0 } = serviceOf(built, IDS[0]).cost_estimate.monthly_yen ?? {};
      assert.ok(low <= 113_775 && 113_775 <= high, `${low} to ${high}`);
    },
  ));
const PLACE_OF_GRADE_2 = { 都道府県コード又は市町村コード: '132098', 都道府県名: '東京都', 市区町村名: '町田市' };

test('an older list of a service does not bring closed offices back', () =>
  build(
    [
      ['lists/jigyosho_331.csv', officeList([office(IDS[0]), office(IDS[1])])],
      ['lists/jigyosho_331_all_20260709180754.csv', officeList([office(IDS[1])])],
    ],
    (built) => {
      assert.deepEqual(built.ids, [IDS[1]]);
      assert.equal(built.half.report.findings.file_superseded?.count, 1);
    },
  ));

test('staff below its parts, and more care staff than people can be cared for, is unknown', () =>
  build(
    homes([
      [IDS[0], 60, 0, 5, 6, 48, '', '', 'unit'],
      [IDS[1], 60, 0, 700, 6, 600, '', '', 'unit'],
    ]),
    (built) => {
      assert.equal(serviceOf(built, IDS[0]).staffing?.staff_total, null);
      const crowded = serviceOf(built, IDS[1]);
      assert.deepEqual([crowded.staffing?.care_staff, crowded.staffing?.users_per_care_staff], [null, null]);
      assert.equal(crowded.as_published.care_staff, '600');
    },
  ));

test('an opening date is not how far the data reaches', () =>
  build(
    [
      ['lists/jigyosho_510.csv', officeList([office(IDS[0])])],
      ['details.csv', details([[IDS[0], 60, 0, 70, 6, 35, '', '', 'unit']]).replace(',510,,', ',510,2017-01-01,')],
    ],
    (built) => {
      assert.equal(serviceOf(built, IDS[0]).opened_on, '2017-01-01');
      assert.equal(built.half.manifest.data_through, null);
    },
  ));

test('name and reading in each other’s column change places, and columns that were dropped are served', () =>
  build(
    [
      [
        'lists/jigyosho_331.csv',
        officeList([
          office(IDS[0], {
            事業所名: 'ヒダマリノイエ',
            事業所名カナ: 'ひだまりの家',
            利用可能曜日: '平日,土曜日',
            利用可能曜日特記事項: '年末を除く',
            FAX番号: '03-1234-5679',
          }),
        ]),
      ],
    ],
    (built) => {
      const { name, name_kana, fax, services } = facility(built, IDS[0]);
      assert.deepEqual([name, name_kana, fax], ['ひだまりの家', 'ヒダマリノイエ', '03-1234-5679']);
      assert.deepEqual(services[0]?.open_days, ['weekday', 'saturday']);
      assert.equal(services[0]?.open_days_note, '年末を除く');
    },
  ));

test('users, vacancies, beds, leavers and residents of which there cannot be as many are unknown', () => {
  const columns = [
    'users',
    'vacancies',
    'rooms_shared',
    'rooms_shared_beds',
    'staff_total',
    'staff_left',
    'care_level_3',
  ];
  const fields = ['facility_id', 'service_code', ...columns];
  const mapping = {
    schema: 'hidamari-details/1',
    fields: Object.fromEntries(fields.map((one) => [one, { column: one }])),
  };
  const rows = [
    [IDS[0], '510', 200, 61, 20, 10, 40, 130, 5],
    [IDS[1], '510', 58, 2, 10, 40, 40, 8, 300],
    [IDS[2], '510', 58, 2, 10, 40, 40, 8, 40],
  ];
  return build(
    [
      ['lists/jigyosho_510.csv', officeList(IDS.map((id) => office(id)))],
      ['details.csv', [fields, ...rows].map((row) => row.join(',')).join('\n')],
      ['details.mapping.json', JSON.stringify(mapping)],
    ],
    (built) => {
      const [first, second, third] = IDS.map((id) => serviceOf(built, id));
      assert.deepEqual(
        [first?.users, first?.vacancies, first?.rooms?.shared_beds, first?.staff_left, first?.care_levels],
        [null, null, null, null, [null, null, 5, null, null]],
      );
      assert.deepEqual(Object.keys(first?.as_published ?? {}).sort(), [
        'rooms_shared_beds',
        'staff_left',
        'users',
        'vacancies',
      ]);
      assert.deepEqual([second?.users, second?.care_levels, second?.as_published.care_level_3], [58, null, '300']);
      assert.deepEqual([third?.users, third?.vacancies, third?.staff_left, third?.as_published], [58, 2, 8, {}]);
      assert.equal(built.half.report.findings.detail_implausible?.count, 5);
    },
  );
});

test('what is dated after the day of the build has not happened', () =>
  build(
    [
      ['lists/jigyosho_510_all_20991231000000.csv', officeList(IDS.map((id) => office(id)))],
      [
        'details.csv',
        details(IDS.map((id) => [id, 60, 0, 70, 6, 35, '', '', 'unit']))
          .replace(`${IDS[0]},510,,`, `${IDS[0]},510,2026-11-21,`)
          .replace(`${IDS[1]},510,,`, `${IDS[1]},510,2026-11-20,`),
      ],
    ],
    (built) => {
      const [tomorrow, today] = IDS.map((id) => serviceOf(built, id));
      assert.deepEqual([tomorrow?.opened_on, tomorrow?.as_published.opened_on], [null, '2026-11-21']);
      assert.deepEqual([today?.opened_on, today?.as_published], ['2026-11-20', {}]);
      const { findings } = built.half.report;
      assert.match(findings.detail_date_to_come?.examples.join() ?? '', /details\.csv:2: opened_on: 2026-11-21/);
      assert.equal(built.half.manifest.data_through, null);
      assert.match(findings.file_date?.examples.join() ?? '', /jigyosho_510_all_20991231000000\.csv: 2099-12-31/);
    },
  ));

test('rooms of a house with several homes are not those of one of them, and say nothing of its kind', () =>
  build(
    homes([
      [IDS[0], 100, 18, 70, 6, 35, '', '', 'unit'],
      // Ten rooms more than places are those of a short stay.
      [IDS[1], 70, 0, 70, 6, 35, '', '', 'unit'],
    ]),
    (built) => {
      const [several, one] = IDS.slice(0, 2).map((id) => serviceOf(built, id));
      assert.equal(several?.rooms, null);
      assert.deepEqual(several?.as_published, { rooms_private: '100', rooms_shared: '18', room_kind: 'unit' });
      assert.ok((several?.cost_estimate.parts?.residence?.low ?? Infinity) < 30 * 1000);
      assert.deepEqual([one?.rooms?.private, one?.as_published], [70, {}]);
    },
  ));

test('a list whose rows are of another service is a second list of that service, whichever is read first', async () => {
  const named = (service: string) => officeList([office(IDS[0], { サービスの種類: service })]);
  for (const misnamed of ['362', '720']) {
    const files: [string, Uint8Array | string][] = [
      [`lists/jigyosho_${misnamed}.csv`, named('介護老人福祉施設')],
      ['lists/jigyosho_510.csv', officeList([office(IDS[1], { サービスの種類: '介護老人福祉施設' })])],
    ];
    await assert.rejects(
      build(files, () => {}),
      new RegExp(`(_${misnamed}.*_510|_510.*_${misnamed}).* both lists of service 510, .*by its rows.*--merge-lists`),
    );
    // Alone it is served.
    await build(files.slice(0, 1), (built) => assert.equal(serviceOf(built, IDS[0]).service_code, '510'));
  }
});

test('food of a home that the insurance has no standard fee for may cost what a meal costs there', () => {
  const mapping = {
    schema: 'hidamari-details/1',
    fields: Object.fromEntries(
      ['facility_id', 'service_code', 'food_yen_per_day', 'rent_yen_per_month', 'management_yen_per_month'].map(
        (one) => [one, { column: one }],
      ),
    ),
  };
  const food = [1360, 1100, 3500];
  return build(
    [
      ['lists/jigyosho_320.csv', officeList(IDS.map((id) => office(id, { 定員: '9' })))],
      [
        'details.csv',
        [Object.keys(mapping.fields), ...IDS.map((id, i) => [id, '320', food[i], 50_000, 20_000])].join('\n'),
      ],
      ['details.mapping.json', JSON.stringify(mapping)],
    ],
    (built) => {
      IDS.forEach((id, i) => {
        const { parts, basis } = serviceOf(built, id).cost_estimate;
        assert.deepEqual([parts?.food?.low, basis], [30 * (food[i] ?? 0), 'published_fees']);
      });
      assert.equal(built.half.report.findings.fee_food, undefined);
    },
  );
});

test('bills that leave out rent are not set beside whole ones', () => {
  const fields = [
    'facility_id',
    'service_code',
    'food_yen_per_month',
    'rent_yen_per_month',
    'management_yen_per_month',
  ];
  const mapping = {
    schema: 'hidamari-details/1',
    fields: Object.fromEntries(fields.map((one) => [one, { column: one }])),
  };
  const ids = Array.from({ length: 8 }, (_, i) => `137010${String(i).padStart(4, '0')}`);
  const rows = ids.slice(0, 6).map((id, i) => [id, '331', 45_000, i < 5 ? 80_000 + i * 10_000 : '', 30_000]);
  return build(
    [
      ['lists/jigyosho_331.csv', officeList(ids.map((id) => office(id)))],
      ['details.csv', [fields, ...rows].map((row) => row.join(',')).join('\n')],
      ['details.mapping.json', JSON.stringify(mapping)],
    ],
    (built) => {
      const whole = ids.slice(0, 5).map((id) => serviceOf(built, id).cost_estimate.monthly_yen?.typical ?? 0);
      const { cost } = serviceOf(built, ids[7] ?? '').compared_with;
      assert.deepEqual([cost?.prefecture?.count, cost?.prefecture?.median], [5, whole[2]]);
    },
  );
});

/** Details with a column for each field, named as the field is. */
const withFields = (fields: string[], service: string, rows: (string | number)[][]): [string, string][] => {
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

test('a fee for food by the month is that very sum; one that cannot be one leaves the fee by the day', () =>
  build(
    [
      ['lists/jigyosho_510.csv', officeList(IDS.map((id) => office(id)))],
      ...withFields(['room_kind', 'food_yen_per_day', 'food_yen_per_month'], '510', [
        [IDS[0], 'unit', '', 46_000],
        [IDS[1], 'unit', 445, 46_000],
        [IDS[2], 'unit', 1600, 500],
      ]),
    ],
    (built) => {
      const said = IDS.map((id) => {
        const { cost_estimate, as_published } = serviceOf(built, id);
        return [cost_estimate.parts?.food?.low, cost_estimate.confidence, Object.keys(as_published).join()];
      });
      assert.deepEqual(said, [
        [46_000, 'confirmed', ''],
        [46_000, 'unconfirmed', 'food_yen_per_day'],
        [48_000, 'unconfirmed', 'food_yen_per_month'],
      ]);
      assert.equal(built.half.report.findings.fee_food?.count, 2);
    },
  ));

test('a fee in words that cannot be read is not said to be confirmed; a dash says nothing', () =>
  build(
    [
      ['lists/jigyosho_510.csv', officeList(IDS.map((id) => office(id)))],
      ...withFields(['room_kind', 'unit_room_yen_per_day', 'food_yen_per_day'], '510', [
        [IDS[0], 'unit', 2066, '無料'],
        [IDS[1], 'unit', '―', '－'],
        [IDS[2], 'unit', '日額2500', '１，６００円'],
      ]),
    ],
    (built) => {
      const said = IDS.map((id) => {
        const { basis, confidence, parts } = serviceOf(built, id).cost_estimate;
        return [basis, confidence, parts?.food?.low];
      });
      assert.deepEqual(said, [
        ['published_and_standard_fees', 'unconfirmed', 46_350],
        ['standard_fees', 'confirmed', 46_350],
        ['published_and_standard_fees', 'unconfirmed', 48_000],
      ]);
      assert.equal(built.half.report.findings.detail_value?.count, 4);
    },
  ));

test('a service without users yet keeps its staff, and has no ratio of nobody to them', () =>
  build(
    [
      ['lists/jigyosho_510.csv', officeList(IDS.map((id) => office(id)))],
      ...withFields(['users', 'care_staff'], '510', [
        [IDS[0], 0, 20],
        [IDS[1], 40, 20],
      ]),
    ],
    (built) => {
      const said = IDS.slice(0, 2).map((id) => {
        const { staffing, users } = serviceOf(built, id);
        return [users, staffing?.care_staff, staffing?.users_per_care_staff, staffing?.users_from];
      });
      assert.deepEqual(said, [
        [0, 20, null, null],
        [40, 20, 2, 'users'],
      ]);
      assert.equal(built.half.report.findings.detail_implausible, undefined);
    },
  ));

test('an estimated capacity does not contradict users, and helpers of the day may have many users of the month', () =>
  build(
    [
      ['lists/jigyosho_510.csv', officeList([office(IDS[0], { 定員: '' })])],
      ['lists/jigyosho_110.csv', officeList([office(IDS[1], { 定員: '' }), office(IDS[2], { 定員: '' })])],
      ...withFields(['users', 'care_staff', 'capacity_estimated', 'capacity'], '', []).slice(1),
      [
        'details.csv',
        [
          'facility_id,service_code,users,care_staff,capacity_estimated,capacity',
          `${IDS[0]},510,80,30,yes,50`,
          `${IDS[1]},110,90,6,,`,
          `${IDS[2]},110,1,100,,`,
        ].join('\n'),
      ],
    ],
    (built) => {
      const said = IDS.map((id) => {
        const { users, staffing } = serviceOf(built, id);
        return [users, staffing?.care_staff ?? null, staffing?.users_per_care_staff ?? null];
      });
      assert.deepEqual(said, [
        [80, 30, 2.67],
        [90, 6, 15],
        [1, null, null],
      ]);
    },
  ));

test('beds of a short stay in the same house are kept, and counted with their place', () =>
  build(
    homes([
      [IDS[0], 70, 0, 70, 6, 35, '', '', 'unit'],
      [IDS[1], 60, 0, 70, 6, 35, '', '', 'unit'],
      [IDS[2], 91, 0, 70, 6, 35, '', '', 'unit'],
    ]),
    (built) => {
      const said = IDS.map((id) => serviceOf(built, id).rooms?.private ?? null);
      assert.deepEqual(said, [70, 60, null]);
      const { count, examples } = built.half.report.findings.detail_beds_shared ?? assert.fail();
      assert.deepEqual([count, examples], [1, ['details.csv:2: 70 beds, 60 places']]);
    },
  ));

test('staff by heads and in full-time equivalents are not set beside each other, nor ratios from an estimated capacity', () => {
  const ids = Array.from({ length: 15 }, (_, i) => `137010${String(i).padStart(4, '0')}`);
  const rows = ids.map((id, i) => [
    id,
    i < 10 ? 60 : '',
    20 + i,
    i % 2 === 0 ? 'head_count' : 'fte',
    i < 10 ? 'no' : 'yes',
    i < 10 ? '' : 60,
  ]);
  return build(
    [
      ['lists/jigyosho_510.csv', officeList(ids.map((id, i) => office(id, i < 10 ? {} : { 定員: '' })))],
      ...withFields(['users', 'care_staff', 'staff_basis', 'capacity_estimated', 'capacity'], '510', rows),
    ],
    (built) => {
      const { users_per_care_staff: heads, users_per_care_staff_fte: fte } = serviceOf(
        built,
        ids[0] ?? '',
      ).compared_with;
      // 60 users for 20, 22 … 28 heads, and for 21, 23 … 29 full-time equivalents.
      assert.deepEqual([heads.japan?.count, heads.japan?.median], [5, 2.5]);
      assert.deepEqual([fte.japan?.count, fte.japan?.median], [5, 2.4]);
    },
  );
});

test('half a hundredth is rounded up where the nearest number lies below it', () => {
  const ids = Array.from({ length: 5 }, (_, i) => `137010${String(i).padStart(4, '0')}`);
  const rows = ids.map((id, i) => [id, [20, 22, 23, 24, 28][i] ?? '', 40]);
  return build(
    [
      ['lists/jigyosho_510.csv', officeList(ids.map((id) => office(id, { 定員: '40' })))],
      ...withFields(['users', 'care_staff'], '510', rows),
    ],
    (built) => {
      // 23 / 40 is 0.575, which as a number is a little less.
      const { staffing, occupancy, compared_with } = serviceOf(built, ids[2] ?? '');
      assert.equal(staffing?.users_per_care_staff, 0.58);
      assert.deepEqual([occupancy, compared_with.occupancy.japan?.median], [0.575, 0.58]);
    },
  );
});
