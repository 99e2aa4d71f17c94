import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { zstdDecompressSync } from 'node:zlib';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { officeList } from '../../samples/kaigo.ts';
import { kaigoBulkName } from '../../src/dataset/kaigo.ts';
import { verifyDataset } from '../../src/dataset/verify.ts';
import {
  build,
  details,
  facility,
  homes,
  IDS,
  office,
  officeAt,
  serviceOf,
  withFields,
} from '../kaigo/support/small-lists.ts';

// Lists of care that were once misread. Each test fails on the earlier program.

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
            事業所名: 'ﾋﾏﾜﾘ（ﾃﾞｲ）',
            事業所名カナ: 'デイサービスひまわり',
            利用可能曜日: '平日,土曜日',
            利用可能曜日特記事項: '年末を除く',
            FAX番号: '０３－１２３４－５６７９',
            高齢者の方と障害者の方が同時一体的に利用できるサービス: 'あり',
          }),
        ]),
      ],
    ],
    (built) => {
      const { name, name_kana, fax, services } = facility(built, IDS[0]);
      assert.deepEqual([name, name_kana, fax], ['デイサービスひまわり', 'ヒマワリ(デイ)', '03-1234-5679']);
      assert.deepEqual(services[0]?.open_days, ['weekday', 'saturday']);
      assert.deepEqual([services[0]?.open_days_note, services[0]?.shared_care], ['年末を除く', true]);
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

test('rooms of a house with several homes are not those of one of them, but its kind is', () =>
  build(
    homes([
      [IDS[0], 100, 18, 70, 6, 35, '', '', 'unit'],
      // Ten rooms more than places belong to a short stay.
      [IDS[1], 70, 0, 70, 6, 35, '', '', 'unit'],
    ]),
    (built) => {
      const [several, one] = IDS.slice(0, 2).map((id) => serviceOf(built, id));
      assert.deepEqual([several?.rooms?.kind, several?.rooms?.private, several?.rooms?.shared], ['unit', null, null]);
      assert.deepEqual(several?.as_published, { rooms_private: '100', rooms_shared: '18' });
      assert.equal(several?.cost_estimate.parts?.residence?.low, 30 * 2066);
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
    await build(files.slice(0, 1), (built) => {
      assert.equal(serviceOf(built, IDS[0]).service_code, '510');
      assert.equal(built.half.report.findings.file_other_service?.count, 1);
    });
  }
});

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

test('tabs and semicolons between the values are read, quoted line breaks too, and counted', () => {
  const [header = '', ...rows] = officeList(IDS.map((id) => office(id))).split('\r\n');
  const by = (sign: string, lines: string[]) =>
    Buffer.from([header, ...lines].join('\r\n').replaceAll('"', '').replaceAll(',', sign));
  const broken = by('\t', rows).toString().replace(`陽だまり${IDS[1]}`, `"陽だまり\n${IDS[1]}"`);
  return build(
    [
      ['lists/jigyosho_331.csv', Buffer.from(`\ufeff${broken}`, 'utf16le')],
      ['lists/jigyosho_510.csv', by(';', rows)],
    ],
    (built) => {
      assert.deepEqual(built.half.report.findings.file_separator?.examples, [
        'jigyosho_331.csv: tabs',
        'jigyosho_510.csv: semicolons',
      ]);
      assert.equal(built.half.report.rows.served, 6);
      assert.equal(facility(built, IDS[1]).services.length, 2);
    },
  );
});

test('columns and words of a mapping are found in full width and in half width, and of two columns of a name the first counts', () => {
  const mapping = {
    schema: 'hidamari-details/1',
    fields: {
      facility_id: { column: '事業所　番号' },
      service_code: { column: 'サービス', values: { '５１０（特養）': '510' } },
      care_level_1: { column: '要介護１' },
    },
  };
  return build(
    [
      ['lists/jigyosho_510.csv', officeList([office(IDS[0])])],
      ['details.csv', `事業所　番号,サービス,要介護1,要介護１\n${IDS[0]},510(特養),3,4\n`],
      ['details.mapping.json', JSON.stringify(mapping)],
    ],
    (built) => {
      assert.equal(serviceOf(built, IDS[0]).care_levels?.[0], 3);
      assert.deepEqual(built.half.report.findings.column_extra?.examples, [
        'details.csv:1: 要介護1, column 4 as column 3',
      ]);
    },
  );
});

test('title lines above the columns of an office list are skipped and counted', () => {
  const [header = '', ...rows] = officeList(IDS.map((id) => office(id)))
    .replace('\ufeff', '')
    .split('\r\n');
  const titles = ['介護サービス情報公表システム　オープンデータ', '', `令和8年6月末時点${','.repeat(23)}`];
  const tabs = (lines: string[]) => lines.join('\r\n').replaceAll(',', '\t');
  return build(
    [
      ['lists/jigyosho_331.csv', [...titles, header, ...rows].join('\r\n')],
      ['lists/jigyosho_510.csv', tabs([...titles, header, ...rows])],
    ],
    (built) => {
      const { findings, rows: counted } = built.half.report;
      assert.deepEqual([counted.served, findings.file_titles?.count, findings.column_missing], [6, 6, undefined]);
      assert.equal(facility(built, IDS[2]).name, `陽だまり${IDS[2]}`);
    },
  );
});

test('a list whose columns are not found is refused with what was found and expected', async () => {
  await assert.rejects(
    async () => build([['lists/jigyosho_331.csv', '一覧\n番号,名称,所在地\n1,あ,東京都\n']], () => {}),
    /jigyosho_331\.csv: found 番号, 名称, 所在地; expected in one of the first 30 lines 事業所番号 \(or No\), 事業所名/,
  );
  const late = officeList([office(IDS[0])]).replace('\ufeff', '');
  await assert.rejects(
    async () => build([['lists/jigyosho_331.csv', '題\n'.repeat(30) + late]], () => {}),
    /jigyosho_331\.csv: found 題; expected in one of the first 30 lines/,
  );
});

test('a sum for a day is converted to the time of its field; a lower bound is no price', () =>
  build(
    [
      ['lists/jigyosho_331.csv', officeList(IDS.map((id) => office(id)))],
      ...withFields(['rent_yen_per_month', 'food_yen_per_day', 'management_yen_per_month'], '331', [
        [IDS[0], '2000円/日', '1500円／日', '1日あたり500円'],
        [IDS[1], '80000円～', '日額1500円～', '月額15000円'],
      ]),
    ],
    (built) => {
      const [daily, least] = [IDS[0], IDS[1]].map((id) => serviceOf(built, id));
      const parts = JSON.stringify(daily?.cost_estimate.parts);
      for (const yen of [60_000, 45_000, 15_000]) assert.match(parts, new RegExp(`"low":${yen}\\b`));
      assert.deepEqual(daily?.as_published, {});
      assert.deepEqual(least?.as_published, { rent_yen_per_month: '80000円～', food_yen_per_day: '日額1500円～' });
      assert.equal(built.half.report.findings.detail_value?.count, 2);
    },
  ));

test('the nearest offices of an office are found across the cells of the search', () => {
  // The first office is in the corner of a cell. Six of 渋谷区 are in the opposite corner, 2.8 km away. That of 港区 is two
  // cells to the east, 1.8 km away: with it, the neighbours are of two municipalities.
  const rows = [
    officeAt(1, '131016', '千代田区', 35.7001, 139.7199),
    officeAt(2, '131016', '千代田区', 35.9, 139.9),
    officeAt(3, '131032', '港区', 35.7001, 139.7401),
    ...Array.from({ length: 6 }, (_, i) => officeAt(10 + i, '131130', '渋谷区', 35.7199, 139.7001 + i * 0.0001)),
  ];
  return build([['lists/jigyosho_331.csv', officeList(rows)]], (built) => {
    assert.equal(facility(built, '1370100001').location, 'published');
    assert.equal(built.half.report.findings.position_elsewhere, undefined);
  });
});

test('a word in a list that names something of JavaScript is an unknown word', () => {
  const column = '高齢者の方と障害者の方が同時一体的に利用できるサービス';
  return build(
    [
      [
        'lists/jigyosho_150.csv',
        officeList([office(IDS[0], { [column]: 'constructor', 利用可能曜日: '平日,constructor' })]),
      ],
    ],
    (built) => {
      const { shared_care, open_days, as_published } = serviceOf(built, IDS[0]);
      assert.deepEqual([shared_care, open_days, as_published.open_days], [null, ['weekday'], '平日,constructor']);
      assert.equal(built.half.report.findings.days_unknown?.count, 1);
    },
  );
});

test('of two offices of a municipality far apart neither loses its position, whatever services they have', () => {
  const village = (id: number, lat: number, lon: number) => officeAt(id, '134210', '小笠原村', lat, lon);
  const [father, mother] = [village(1, 27.094, 142.192), village(2, 35.68, 139.69)];
  return build(
    [
      ['lists/jigyosho_510.csv', officeList([father, mother])],
      ['lists/jigyosho_150.csv', officeList([mother])],
      ['lists/jigyosho_210.csv', officeList([mother])],
    ],
    (built) => {
      assert.deepEqual(
        [1, 2].map((id) => facility(built, String(1370100000 + id)).location),
        ['published', 'published'],
      );
      assert.equal(built.half.report.findings.position_far, undefined);
    },
  );
});

test('a municipality has its own prefecture, also when its first office belongs to another', () => {
  const toda = { 都道府県コード又は市町村コード: '112241', 都道府県名: '埼玉県', 市区町村名: '戸田市' };
  return build(
    [
      // Where counts are equal, an office belongs where its home is.
      ['lists/jigyosho_510.csv', officeList([office(IDS[0])])],
      ['lists/jigyosho_110.csv', officeList([office(IDS[0], toda)])],
    ],
    async ({ answers, folder }) => {
      const places = answers.municipalities().map(({ municipality_code, prefecture_code, prefecture }) => {
        return [municipality_code, prefecture_code, prefecture];
      });
      assert.deepEqual(places, [
        ['112241', '11', '埼玉県'],
        ['131016', '13', '東京都'],
      ]);
      for (const [municipality_code, prefecture_code, prefecture] of places) {
        const file = await asyncBufferFromFile(join(folder, kaigoBulkName(prefecture_code!)));
        const rows = await parquetReadObjects({ file, compressors: { ZSTD: (bytes) => zstdDecompressSync(bytes) } });
        const seen = rows.map((row) => [row.municipality_code, row.prefecture_code, row.prefecture]);
        assert.deepEqual(seen, [[municipality_code, prefecture_code, prefecture]]);
      }
      assert.deepEqual((await verifyDataset(folder)).differences, []);
    },
  );
});
