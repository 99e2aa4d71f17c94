import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { cp932 } from '../../samples/cp932.ts';
import { officeList } from '../../samples/kaigo.ts';
import { STANDARD_CASE } from '../../src/contract/kaigo-cost.ts';
import { addressKey } from '../../src/kaigo/register.ts';
import { sheetOf, workbook } from '../support/workbook.ts';
import { writeZip } from '../support/write-zip.ts';
import { buildTemporarily, tableOf } from './support/build.ts';
import { withFiles } from './support/sample.ts';
import { facility, office } from './support/small-lists.ts';

const [numbered, addressed, phoned, twinA, twinB] = [
  '1370200016',
  '1370200024',
  '1370200032',
  '1370200040',
  '1370200057',
];

/** Five homes with care of one list. */
const LIST = officeList([
  office(numbered!, { 事業所名: '陽だまりの丘' }),
  office(addressed!, {
    事業所名: '介護付有料老人ホーム 青葉',
    住所: '東京都千代田区神田神保町一丁目２－３１０１',
    '方書(ビル名等)': '１０１',
  }),
  office(phoned!, { 事業所名: '若葉', 住所: '東京都千代田区丸の内1-1-1', 電話番号: '03-1234-5678' }),
  office(twinA!, { 事業所名: '双葉', 住所: '東京都千代田区大手町1-1' }),
  office('1370200065', { 事業所名: '緑風', 住所: '東京都千代田区富士見1-1-1' }),
  office(twinB!, { 事業所名: '双葉', 住所: '東京都千代田区大手町1-1' }),
]);

/** Titles above the names of the columns, as published lists have them; a range of rents. */
const REGISTER = [
  '有料老人ホーム一覧（令和8年10月1日現在）',
  '',
  '届出番号,事業所番号,施設名,所在地,電話,類型,定員,家賃（最低）,家賃（最高）,管理費,生活支援費,食費,敷金,開設年月日',
  `1,${numbered},別の名前,東京都千代田区一番町1,,介護付,50,"80,000円",90000,30000,,45000,160000,平成25年4月1日`,
  '2,,青葉,東京都千代田区神田神保町1-2-3 青葉ビル,,介護付,40,70000,,20000,10000,,,',
  '3,,若葉,東京都千代田区丸の内二丁目9,03(1234)5678,介護付,30,60000,,,,,,',
  '4,,双葉,東京都千代田区大手町1丁目1番,,介護付,30,60000,,,,,,',
  '5,,住宅型有料老人ホーム こもれび,東京都千代田区九段南1-2-1,03-1111-2222,住宅型,25,55000,,25000,,40000,0,2020/5/1',
  '5,,こもれび,東京都千代田区九段南１丁目２－１,,住宅型,25,1,,,,,,',
  '10,,緑風,東京都千代田区富士見1-1-1,,介護付,30,,,33000,,,,',
  '6,,こずえ,東京都千代田区九段北1-1,,住宅型,20,,,,,,,',
  '7,,,東京都千代田区九段北1-2,,住宅型,20,,,,,,,',
  '8,,遠くの家,東京都どこか1-1,,住宅型,20,一部屋による,,,,,,',
  '9,,もっと遠くの家,どこか1-1,,住宅型,20,,,,,,,',
].join('\r\n');

const column = (name: string) => ({ column: name });
const REGISTER_MAPPING = {
  schema: 'hidamari-register/1',
  fields: {
    register_number: column('届出番号'),
    facility_id: column('事業所番号'),
    name: column('施設名'),
    address: column('所在地'),
    phone: column('電話'),
    kind: { column: '類型', values: { 介護付: 'paid_home', 住宅型: 'paid_home' } },
    capacity: column('定員'),
    rent_yen_per_month: column('家賃（最低）'),
    rent_most_yen_per_month: column('家賃（最高）'),
    management_yen_per_month: column('管理費'),
    service_yen_per_month: column('生活支援費'),
    food_yen_per_month: column('食費'),
    deposit_yen: column('敷金'),
    opened_on: column('開設年月日'),
  },
};

test('a register adds rent to listed homes, and homes that no list has', async () => {
  const files = new Map<string, Uint8Array | string>([
    ['lists/jigyosho_331.csv', LIST],
    ['registers/homes.csv', cp932(REGISTER)],
    ['registers/homes.mapping.json', JSON.stringify(REGISTER_MAPPING)],
  ]);
  await withFiles(files, (folder) =>
    buildTemporarily(
      { offices: [join(folder, 'lists')], registers: [join(folder, 'registers/homes.csv')] },
      (built) => {
        const { registers, findings, rows } = built.half.report;
        assert.deepEqual(registers, {
          read: 11,
          matched: { number: 1, name_and_address: 2, name_and_phone: 1 },
          added: 3,
          duplicates: 1,
          ambiguous: 1,
          left_out: 2,
        });
        assert.deepEqual(rows, { read: 6, served: 6, duplicates: 0, left_out: 0 });
        // A rent in words, and one of 1 yen.
        assert.equal(findings.register_value?.count, 2);
        assert.equal(findings.register_municipality?.count, 1);
        assert.equal(findings.file_shift_jis?.count, 1);

        const service = (id: string) => facility(built, id).services[0] ?? assert.fail();
        const home = service(numbered!);
        const { parts, basis, monthly_yen, excludes } = home.cost_estimate;
        assert.deepEqual(parts!.rent, { low: 80_000, typical: 85_000, high: 90_000 });
        assert.deepEqual([parts!.management_fees!.low, parts!.food!.low, home.deposit_yen], [30_000, 45_000, 160_000]);
        assert.deepEqual([basis!.bill, basis!.rent], ['published_fees', 'register']);
        assert.equal(monthly_yen!.low, parts!.care.low + 80_000 + 30_000 + 45_000);
        assert.ok(!excludes.includes('rent') && !excludes.includes('food'));
        assert.deepEqual(home.register, { kind: 'paid_home', number: '1', file: 'homes.csv', matched_by: 'number' });
        assert.equal(home.opened_on, '2013-04-01');
        assert.equal(service(addressed!).register!.matched_by, 'name_and_address');
        // Common charges and support services together.
        assert.equal(service(addressed!).cost_estimate.parts!.management_fees!.low, 30_000);
        assert.equal(service(addressed!).cost_estimate.basis!.bill, 'insured_part_and_published_fees');
        assert.equal(service(phoned!).register!.matched_by, 'name_and_phone');
        assert.equal(service(twinA!).register, null);
        // A fee without a rent names the register, too.
        const { basis: basisOfFee } = service('1370200065').cost_estimate;
        assert.deepEqual([basisOfFee!.rent, basisOfFee!.management_fees, basisOfFee!.food], [null, 'register', null]);

        const table = tableOf(built.answers, '131016', '920')!.facilities;
        const names = table.map(({ facility_id }) => facility(built, facility_id).name);
        assert.deepEqual(names.toSorted(), ['こずえ', '住宅型有料老人ホーム こもれび']);
        for (const { facility_id } of table) assert.match(facility_id, /^13R\d{7}$/);
        const own = facility(built, table[names.indexOf('住宅型有料老人ホーム こもれび')]!.facility_id);
        assert.deepEqual([own.source, own.municipality, own.phone], ['register', '千代田区', '03-1111-2222']);
        const cost = own.services[0]!.cost_estimate;
        assert.equal(cost.monthly_yen!.low, 55_000 + 25_000 + 40_000);
        assert.deepEqual([cost.basis!.bill, cost.excludes[0]], ['published_fees', 'insured_care']);
        const silent = facility(built, table[names.indexOf('こずえ')]!.facility_id).services[0]!;
        assert.equal(silent.cost_estimate.reason, 'no_rent_known');
        assert.equal(facility(built, numbered!).source, 'ministry');
      },
    ),
  );
});

test('spellings of one address have one key, other addresses have another', () => {
  const one = [
    '千代田区神田神保町一丁目２番３号',
    '千代田区神田神保町1-2-3 青葉ビル2階',
    '千代田区神田神保町１丁目２－３',
  ];
  assert.equal(new Set(one.map(addressKey)).size, 1);
  assert.notEqual(addressKey('千代田区神田神保町1-2-3'), addressKey('千代田区神田神保町1-2-4'));
  assert.equal(addressKey('千代田区三番町十二丁目3'), '千代田区三番町12-3');
  assert.equal(addressKey('千代田区 三番町 12-3 101'), '千代田区三番町12-3');
});

const FILING_MAPPING = {
  schema: 'hidamari-filings/1',
  sheet: '届出',
  fields: {
    facility_id: column('事業所番号'),
    service_code: { column: 'サービス', values: { 介護老人福祉施設: '510', 通所介護: '150' } },
    treatment: { column: '処遇改善', values: { Ⅰロ: 'I-ro', なし: 'none', 旧Ⅴ: 'V' } },
  },
  additions: [
    { column: '夜勤職員配置', values: { Ⅲロ: 'night_staff_3b', Ⅰロ: 'night_staff_1b', なし: 'none' } },
    { column: '看護体制', values: { 'Ⅰロ・Ⅱロ': 'nursing_1b nursing_2b', なし: 'none' } },
    { column: '科学的介護', values: { あり: 'science_2', なし: 'none' } },
  ],
};

test('filed additions replace the typical ones', async () => {
  const rows = [
    ['令和8年度 体制等状況一覧'],
    ['事業所番号', 'サービス', '処遇改善', '夜勤職員配置', '看護体制', '科学的介護'],
    ['1370100018', '介護老人福祉施設', 'Ⅰロ', 'Ⅲロ', 'Ⅰロ・Ⅱロ', 'あり'],
    ['1370100026', '介護老人福祉施設', 'なし', 'なし', 'なし', 'なし'],
    ['1370100034', '介護老人福祉施設', '旧Ⅴ', 'なし', '', ''],
    // Nothing in it can be read: that is not a home without additions.
    ['1370100042', '介護老人福祉施設', '', '？', '', ''],
    ['1399999999', '介護老人福祉施設', '', '', '', ''],
    ['', '介護老人福祉施設', '', '', '', ''],
    ['1370100018', '介護予防短期入所生活介護', 'Ⅰロ', '', '', ''],
    ['1370100018', '35', 'Ⅰロ', '', '', ''],
  ];
  const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
  const xml = rows.map((row) => `<row>${row.map(cell).join('')}</row>`).join('');
  const parts = workbook([
    ['表紙', ''],
    ['届出', xml],
  ]);
  const files = new Map<string, Uint8Array | string>([
    [
      'lists/jigyosho_510.csv',
      officeList(['1370100018', '1370100026', '1370100034', '1370100042'].map((id) => office(id))),
    ],
    ['filed.mapping.json', JSON.stringify(FILING_MAPPING)],
  ]);
  await withFiles(files, async (folder) => {
    writeZip(
      join(folder, 'filed.xlsx'),
      [...parts].map(([name, data]) => ({ name, data })),
    );
    await buildTemporarily({ offices: [join(folder, 'lists')], filings: [join(folder, 'filed.xlsx')] }, (built) => {
      const { filings, findings } = built.half.report;
      assert.deepEqual(filings, { read: 8, services: 3, joined: 0, unknown: 1, left_out: 4 });
      assert.deepEqual(findings.filing_value?.examples, [
        'filed.xlsx:6: 夜勤職員配置: ？; expected a word of its mapping (the addition)',
      ]);
      assert.deepEqual(findings.filing_preventive?.examples, [
        'filed.xlsx:9: 介護予防短期入所生活介護',
        'filed.xlsx:10: 35',
      ]);
      assert.equal(findings.filing_treatment?.count, 1);
      assert.deepEqual(built.half.report.grounds.typical, {
        additions: 1,
        treatment_alone: 0,
        base_alone: 0,
        filed: 3,
      });
      const service = (id: string) => facility(built, id).services[0] ?? assert.fail();
      const shared = (id: string) =>
        JSON.parse(JSON.stringify(built.answers.facility(id, { ...STANDARD_CASE, room: 'shared' }))).services[0];
      const filed = service('1370100018');
      assert.equal(filed.cost_estimate.basis!.additions, 'filed');
      assert.deepEqual(filed.filed_additions, [
        '看護体制加算(Ⅰ)ロ',
        '看護体制加算(Ⅱ)ロ',
        '夜勤職員配置加算(Ⅲ)ロ',
        '科学的介護推進体制加算(Ⅱ)',
      ]);
      const { additions, treatment_permille, parts: bill } = shared('1370100018').cost_estimate;
      assert.deepEqual([additions.daily_units, additions.monthly_units, treatment_permille], [16 + 4 + 8, 50, 176]);
      // (732 + 28) · 30 + 50 units, 17.6 % on top, 10.90 yen each; the three bills are one.
      const units = 760 * 30 + 50;
      const cost = Math.floor(((units + Math.round(units * 0.176)) * 1090) / 100);
      assert.deepEqual(bill.care, {
        low: cost - Math.floor(cost * 0.9),
        typical: cost - Math.floor(cost * 0.9),
        high: cost - Math.floor(cost * 0.9),
      });
      const none = shared('1370100026').cost_estimate;
      assert.deepEqual([none.basis.additions, none.treatment_permille, none.additions.daily_units], ['filed', null, 0]);
      // The rate is not in the price list: the typical one stands for it.
      assert.equal(shared('1370100034').cost_estimate.treatment_permille, 163);
      assert.equal(service('1370100042').cost_estimate.basis!.additions, 'typical');
      assert.equal(service('1370100042').filed_additions, null);
    });
  });
});

test('a list without a mapping or with a wrong one is refused, and the error names it', async () => {
  const files = new Map<string, Uint8Array | string>([
    ['lists/jigyosho_331.csv', LIST],
    ['a.csv', REGISTER.replace('施設名,', '建物,')],
    ['b.csv', REGISTER],
    [
      'b.mapping.json',
      JSON.stringify({ ...REGISTER_MAPPING, fields: { ...REGISTER_MAPPING.fields, name: column('名称') } }),
    ],
    ['c.csv', 'x'],
    [
      'c.mapping.json',
      JSON.stringify({ ...FILING_MAPPING, additions: [{ column: 'x', values: { あり: 'nothing' } }] }),
    ],
  ]);
  await withFiles(files, async (folder) => {
    const built = (more: object) => buildTemporarily({ offices: [join(folder, 'lists')], ...more }, () => {});
    await assert.rejects(
      built({ registers: [join(folder, 'a.csv')] }),
      /a\.csv: no mapping fits its columns \(届出番号, .*put one beside it as a\.mapping\.json/,
    );
    await assert.rejects(
      built({ registers: [join(folder, 'b.csv')] }),
      /b\.csv: none of its first .* names the columns 名称/,
    );
    await assert.rejects(built({ filings: [join(folder, 'c.csv')] }), /the fee table has no addition nothing/);
  });
});

test('every sheet of a workbook that has the columns of a register is read, the others are counted', async () => {
  const names = ['施設名', '所在地', '類型', '家賃（千円）', '管理費', '備考'];
  const home = (name: string, block: string) => [
    name,
    `東京都千代田区九段南${block}`,
    '住宅型',
    '80',
    '30,000円/月',
    '',
  ];
  const parts = workbook([
    ['表紙', sheetOf([['有料老人ホーム一覧']])],
    ['空', ''],
    ['介護付', sheetOf([names, home('こもれび', '1-1')])],
    ['住宅型', sheetOf([names, home('こずえ', '2-2')])],
  ]);
  await withFiles(new Map([['lists/jigyosho_331.csv', LIST]]), async (folder) => {
    const path = join(folder, 'homes.xlsx');
    writeZip(
      path,
      [...parts].map(([name, data]) => ({ name, data })),
    );
    await buildTemporarily({ offices: [join(folder, 'lists')], registers: [path] }, ({ half, answers }) => {
      const { registers, findings } = half.report;
      assert.deepEqual([registers?.read, registers?.added], [2, 2]);
      assert.deepEqual(findings.sheet_other?.examples, ['homes.xlsx (表紙)']);
      assert.match(findings.column_extra?.examples.join(' ') ?? '', /homes\.xlsx \(介護付\):1: 備考, column 6/);
      for (const { cost_estimate } of tableOf(answers, '131016', '920')!.facilities) {
        assert.equal(cost_estimate.monthly_yen?.low, 80_000 + 30_000);
      }
    });
    const cover = workbook([
      ['表紙', sheetOf([['有料老人ホーム一覧']])],
      ['注意', sheetOf([['家賃は目安です']])],
    ]);
    writeZip(
      path,
      [...cover].map(([name, data]) => ({ name, data })),
    );
    await assert.rejects(
      buildTemporarily({ offices: [join(folder, 'lists')], registers: [path] }, () => {}),
      /homes\.xlsx \(表紙\): no mapping fits its columns \(有料老人ホーム一覧…\)/,
    );
  });
});

test('sheets of a workbook with the fees of its homes are joined by number', async () => {
  const parts = workbook([
    [
      '登録情報',
      sheetOf([
        ['住宅番号', '住宅の名称', '所在地', 'ふりがな'],
        ['101', 'なぎさ', '東京都千代田区九段南1-2-1', 'ﾅｷﾞｻ'],
        ['102', 'みなと', '東京都千代田区九段南1-2-2', 'みなと'],
      ]),
    ],
    [
      '住戸',
      sheetOf([
        ['住宅番号', '住戸', '家賃（万円）'],
        ['101', 'A', '6.8'],
        ['101', 'B', '9.2'],
        ['102', 'A', '5～6.2'],
        ['103', 'A', '5'],
      ]),
    ],
    [
      '料金',
      sheetOf([
        ['住宅番号', '共益費'],
        ['101', '25000'],
        ['', '1000'],
      ]),
    ],
    ['注記', sheetOf([['家賃は月額']])],
  ]);
  const mapping = {
    schema: 'hidamari-register/1',
    fields: {
      register_number: column('住宅番号'),
      name: column('住宅の名称'),
      name_kana: column('ふりがな'),
      address: column('所在地'),
      kind: { value: 'serviced_housing' },
      rent_yen_per_month: { column: '家賃（万円）', times: 10_000 },
      management_yen_per_month: column('共益費'),
    },
  };
  const files = new Map([
    ['lists/jigyosho_331.csv', LIST],
    ['homes.mapping.json', JSON.stringify(mapping)],
  ]);
  await withFiles(files, async (folder) => {
    const path = join(folder, 'homes.xlsx');
    writeZip(
      path,
      [...parts].map(([name, data]) => ({ name, data })),
    );
    await buildTemporarily({ offices: [join(folder, 'lists')], registers: [path] }, (built) => {
      const { registers, findings } = built.half.report;
      const { read, added, duplicates, left_out } = registers;
      assert.deepEqual([read, added, duplicates, left_out], [8, 2, 4, 2]);
      assert.deepEqual(findings.register_row?.examples, [
        'homes.xlsx (料金):3: no register_number',
        'homes.xlsx (住戸):5: no home has the number 103',
      ]);
      assert.deepEqual(findings.sheet_other?.examples, ['homes.xlsx (注記)']);
      const homes = tableOf(built.answers, '131016', '930')!.facilities.map((row) => facility(built, row.facility_id));
      const fees = homes.map(({ name, name_kana, services: [service] }) => {
        const { rent, management_fees } = service!.cost_estimate.parts!;
        return [name, name_kana, rent!.low, rent!.high, management_fees?.high];
      });
      assert.deepEqual(fees.toSorted(), [
        ['なぎさ', 'ナギサ', 68_000, 92_000, 25_000],
        ['みなと', 'ミナト', 50_000, 62_000, undefined],
      ]);
    });
  });
});

test('a list of filings without a mapping: names without brackets; a column that is not read is counted', async () => {
  const files = new Map([
    ['lists/jigyosho_510.csv', officeList([office('1370100018')])],
    ['lists/jigyosho_540.csv', officeList([office('1390100018')])],
    [
      'filed.csv',
      '事業所番号,サービス種類,夜勤職員配置加算,看護体制加算Ⅰロ,口腔衛生管理加算\n1370100018,51：介護福祉施設サービス,3：加算Ⅲロ,○,あり\n' +
        '1390100018,地域密着型介護老人福祉施設,加算Ⅰイ,,\n',
    ],
  ]);
  await withFiles(files, (folder) =>
    buildTemporarily({ offices: [join(folder, 'lists')], filings: [join(folder, 'filed.csv')] }, (built) => {
      assert.deepEqual(facility(built, '1370100018').services[0]?.filed_additions, [
        '看護体制加算(Ⅰ)ロ',
        '夜勤職員配置加算(Ⅲ)ロ',
      ]);
      // The form leaves 入所者生活介護 out.
      assert.deepEqual(facility(built, '1390100018').services[0]?.filed_additions, ['夜勤職員配置加算(Ⅰ)イ']);
      const { findings } = built.half.report;
      assert.deepEqual(findings.column_extra?.examples, ['filed.csv:1: 口腔衛生管理加算, column 5']);
      assert.equal(findings.filing_value, undefined);
    }),
  );
});

test('a list of filings with a row for each addition is read by a mapping; rows that say nothing are counted', async () => {
  const { sheet: _, ...mapping } = FILING_MAPPING;
  const rows = [
    '2026年8月 届出一覧,,,',
    '事業所番号,サービス,届出項目,区分',
    '1370100018,介護老人福祉施設,夜勤職員配置,Ⅲロ',
    '1370100018,介護老人福祉施設,看護体制,Ⅰロ・Ⅱロ',
    '1370100018,介護老人福祉施設,処遇改善,Ⅰロ',
    '1370100026,介護老人福祉施設,夜勤職員配置,なし',
    // No mapping, no value, no name, an unreadable value, a row that is too short.
    '1370100026,介護老人福祉施設,__proto__,あり',
    '1370100026,介護老人福祉施設,科学的介護,',
    '1370100026,介護老人福祉施設,,あり',
    '1370100026,介護老人福祉施設,看護体制,？',
    '1370100026,介護老人福祉施設',
  ];
  const files = new Map([
    ['lists/jigyosho_510.csv', officeList([office('1370100018'), office('1370100026')])],
    ['filed.csv', rows.join('\n')],
    ['filed.mapping.json', JSON.stringify({ ...mapping, addition_rows: { name: '届出項目', value: '区分' } })],
  ]);
  await withFiles(files, (folder) =>
    buildTemporarily({ offices: [join(folder, 'lists')], filings: [join(folder, 'filed.csv')] }, (built) => {
      const { filings, findings } = built.half.report;
      assert.deepEqual(filings, { read: 9, services: 2, joined: 2, unknown: 0, left_out: 5 });
      assert.deepEqual(findings.filing_value?.examples, [
        'filed.csv:10: 看護体制, 区分: ？; expected a word of its mapping (the addition)',
      ]);
      assert.equal(
        findings.filing_row?.examples[0],
        'filed.csv:7: office 1370100026, addition __proto__ is not in the mapping, or empty',
      );
      assert.equal(findings.detail_column, undefined);
      const [most, none] = ['1370100018', '1370100026'].map((id) => facility(built, id).services[0]);
      assert.deepEqual(most?.filed_additions, ['看護体制加算(Ⅰ)ロ', '看護体制加算(Ⅱ)ロ', '夜勤職員配置加算(Ⅲ)ロ']);
      assert.equal(most?.cost_estimate.treatment_permille, 176);
      assert.deepEqual(none?.filed_additions, []);
    }),
  );
});

test('of filings with dates the last one in force counts; of levels that exclude each other the smallest', async () => {
  const columns =
    '事業所番号,サービス種類,適用年月日,適用終了日,サービス提供体制強化加算,科学的介護推進体制加算,処遇改善加算';
  const rows = [
    '1370100018,510,令和6年4月1日,,Ⅰ,Ⅰ,Ⅱイ',
    '1370100018,510,令和8年6月1日,,Ⅲ,Ⅱ,Ⅰロ',
    '1370100018,510,令和99年4月1日,,Ⅱ,なし,Ⅰイ',
    // It has ended, so nothing is known.
    '1370100026,510,2024/4/1,2025/3/31,Ⅰ,Ⅰ,Ⅰイ',
    '1370100034,510,,,Ⅰ,,',
    '1370100034,510,,,Ⅱ,,',
  ];
  const files = new Map([
    ['lists/jigyosho_510.csv', officeList(['1370100018', '1370100026', '1370100034'].map((id) => office(id)))],
    ['filed.csv', [columns, ...rows].join('\n')],
  ]);
  await withFiles(files, (folder) =>
    buildTemporarily({ offices: [join(folder, 'lists')], filings: [join(folder, 'filed.csv')] }, (built) => {
      const { filings, findings } = built.half.report;
      assert.deepEqual(filings, { read: 6, services: 2, joined: 1, unknown: 0, left_out: 3 });
      assert.deepEqual(
        [findings.filing_not_in_force, findings.filing_superseded, findings.filing_levels].map((one) => one?.count),
        [2, 1, 1],
      );
      const [dated, ended, twice] = ['1370100018', '1370100026', '1370100034'].map(
        (id) => facility(built, id).services[0],
      );
      assert.deepEqual(dated?.filed_additions, ['サービス提供体制強化加算(Ⅲ)', '科学的介護推進体制加算(Ⅱ)']);
      assert.equal(dated?.cost_estimate.treatment_permille, 176);
      assert.equal(ended?.cost_estimate.basis?.additions, 'typical');
      assert.deepEqual(twice?.filed_additions, ['サービス提供体制強化加算(Ⅱ)']);
    }),
  );
});

test('what a register says in words is kept; several sums, taxes and meals are read; closed homes are left out', async () => {
  const rows = [
    '事業所番号,施設名,所在地,類型,家賃,管理費,生活支援費,食費,廃止年月日',
    `${numbered},陽だまりの丘,千代田区九段南1-1,介護付,3万円～,"33,000円（税込36,300円）",,"1日1,700円（朝食400円、昼食600円、夕食700円）",`,
    `${addressed},青葉,千代田区九段南1-1,介護付,"個室 62,000円／2人部屋 98,000円",1.5万円程度,,要問合せ,`,
    ',こもれび,東京都千代田区九段南1-2-1,住宅型,～8万円,,,,',
    ',こずえ,東京都千代田区九段南1-3-1,住宅型,50000,,,,令和6年3月31日',
    ',こだま,東京都千代田区九段南1-4-1,住宅型,50000,,,,令和99年3月31日',
  ];
  const files = new Map([
    ['lists/jigyosho_331.csv', LIST],
    ['homes.csv', rows.join('\n')],
  ]);
  await withFiles(files, (folder) =>
    buildTemporarily({ offices: [join(folder, 'lists')], registers: [join(folder, 'homes.csv')] }, (built) => {
      const { registers, findings } = built.half.report;
      assert.deepEqual([registers?.read, registers?.added, registers?.left_out], [5, 2, 1]);
      assert.deepEqual(findings.register_closed?.examples, ['homes.csv:5: こずえ']);
      const open = facility(built, numbered!).services[0]!;
      assert.deepEqual(open.as_published, { rent_yen_per_month: '3万円～' });
      const { parts } = open.cost_estimate;
      assert.deepEqual([parts!.rent, parts!.management_fees!.low, parts!.food!.low], [null, 36_300, 1700 * 30]);
      const two = facility(built, addressed!).services[0]!.cost_estimate.parts!;
      assert.deepEqual(two.rent, { low: 62_000, typical: 80_000, high: 98_000 });
      assert.deepEqual([two.management_fees!.low, two.food], [15_000, null]);
      const table = tableOf(built.answers, '131016', '920')!.facilities;
      const bare = table
        .map(({ facility_id }) => facility(built, facility_id))
        .find(({ name }) => name === 'こもれび')!;
      assert.deepEqual(bare.services[0]!.as_published, { rent_yen_per_month: '～8万円' });
      assert.equal(bare.services[0]!.cost_estimate.reason, 'no_rent_known');
    }),
  );
});

test('鎌ヶ谷市 is 鎌ケ谷市: in addresses of lists and of registers', async () => {
  const files = new Map([
    [
      'lists/jigyosho_331.csv',
      officeList([
        office('1292900105', {
          都道府県コード又は市町村コード: '122246',
          都道府県名: '千葉県',
          市区町村名: '鎌ケ谷市',
          住所: '千葉県鎌ヶ谷市南鎌ヶ谷1-5-28',
          事業所名: '別の名',
        }),
      ]),
    ],
    ['homes.csv', 'ホーム名,所在地,事業所番号,家賃\nこもれび,千葉県鎌ヶ谷市南鎌ケ谷1-5-28,1292900105,50000'],
  ]);
  await withFiles(files, (folder) =>
    buildTemporarily({ offices: [join(folder, 'lists')], registers: [join(folder, 'homes.csv')] }, (built) => {
      const { address, services } = facility(built, '1292900105');
      assert.equal(address, '千葉県鎌ケ谷市南鎌ヶ谷1-5-28');
      assert.equal(services[0]!.register?.matched_by, 'number');
    }),
  );
});
