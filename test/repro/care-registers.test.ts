import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { cp932 } from '../../samples/cp932.ts';
import { officeList } from '../../samples/kaigo.ts';
import type { MunicipalityTable } from '../../src/contract/operations/kaigo-municipality.ts';
import { BUILT_IN_FEES } from '../../src/kaigo/facts/built-in.ts';
import { Findings } from '../../src/kaigo/findings.ts';
import { readCareTable } from '../../src/pipeline/care-tables.ts';
import { findInputs } from '../../src/pipeline/inputs.ts';
import { buildTemporarily } from '../kaigo/support/build.ts';
import { withFiles } from '../kaigo/support/sample.ts';
import { facility, office } from '../kaigo/support/small-lists.ts';
import { square, zoneLayer } from '../kaigo/support/zones.ts';
import { startServer } from '../support/api-server.ts';
import { FakeDataset } from '../support/fake-dataset.ts';
import { workbook } from '../support/workbook.ts';
import { writeZip } from '../support/write-zip.ts';

// Registers and layers in other formats. Before, they were lost, misread, or joined with the wrong office.

const [aoba, wakaba, hinata, elsewhere] = ['1370200115', '1370200123', '1370200131', '1470200015'];
const LIST = officeList([
  office(aoba!, { 事業所名: '青葉', 住所: '東京都千代田区神田神保町一丁目２番３号青葉ビル' }),
  office(wakaba!, { 事業所名: '若葉ケ丘', 住所: '千代田区大字丸の内1-1-1' }),
  office(hinata!, { 事業所名: '陽向', 住所: '東京都千代田区一番町2-2' }),
  office(elsewhere!, {
    都道府県コード又は市町村コード: '141003',
    都道府県名: '神奈川県',
    市区町村名: '横浜市',
    事業所名: '港',
    住所: '神奈川県横浜市中区1-1',
  }),
]);

/** Titles, names of columns on two lines with a line break in one, words and ranges in place of numbers. */
const PAID = [
  '有料老人ホーム一覧（令和8年10月1日現在）',
  '"施設の\n名称",類型,所在地,事業所番号,"定員\n（人）",家賃（千円）,,管理費,食費',
  ',,,,,最低,最高,,',
  '介護付き有料老人ホーム 青葉,介護付,千代田区神田神保町１－２－３,,５０人,55,70,3万円,"1,500円/日"',
  '若葉ヶ丘,介護付（一般型）,東京都丸の内1丁目1番1号,,0,60～80,,なし,"45,000円"',
  // The number of an office in another prefecture: a slip.
  `こずえ,住宅型,東京都千代田区九段北1-1,${elsewhere},30,0.05,,要相談,`,
  `陽向の家,介護付,東京都千代田区一番町9-9,13-7020-0131,30,90,,,`,
].join('\r\n');

const MAPPING = {
  schema: 'hidamari-register/1',
  credit: {
    name: '有料老人ホーム一覧',
    url: 'https://example.jp/',
    attribution: '東京都の一覧を加工して作成',
    date: '2026-10-01',
  },
  fields: {
    name: { column: '施設の名称' },
    kind: { column: '類型', pattern: '(介護付|住宅型)', values: { 介護付: 'paid_home', 住宅型: 'paid_home' } },
    address: { column: '所在地' },
    facility_id: { column: '事業所番号' },
    capacity: { column: '定員' },
    rent_yen_per_month: { column: '家賃（千円）最低', times: 1000 },
    rent_most_yen_per_month: { column: '家賃（千円）最高', times: 1000 },
    management_yen_per_month: { column: '管理費', values: { なし: '0' } },
    food_yen_per_month: { column: '食費' },
  },
};

/** A workbook with prefixed elements: a merged cell for each home, and a row for each kind of room. */
function housing(): Map<string, string> {
  const cell = (column: string, row: number, text: string) =>
    `<x:c r='${column}${row}' t='inlineStr'><x:is><x:t>${text}</x:t></x:is></x:c>`;
  const rows = [
    ['登録番号', '住宅の名称', '所在地', '家賃（円）', '共益費（円/月）'],
    ['都1', 'さくら', '東京都千代田区三番町1-1', '60000', '20000'],
    ['', '', '', '75000', ''],
    ['都2', 'もみじ', '東京都千代田区三番町2-2', '55', '20000'],
    ['都3', 'けやき', '東京都千代田区三番町3-3', 'なし', '20000'],
  ].map((cells, i) => cells.map((text, j) => (text === '' ? '' : cell('ABCDE'[j]!, i + 1, text))).join(''));
  const parts = workbook([['一覧', '']]);
  const merged = ['A', 'B', 'C'].map((column) => `<x:mergeCell ref="${column}2:${column}3"/>`).join('');
  parts.set(
    'xl/worksheets/sheet1.xml',
    `<x:worksheet><x:sheetData>${rows.map((xml, i) => `<x:row r="${i + 1}">${xml}</x:row>`).join('')}</x:sheetData>` +
      `<x:mergeCells>${merged}</x:mergeCells></x:worksheet>`,
  );
  return parts;
}

/** No mapping: a column for each addition, and a second row of one office. */
const FILED = [
  '事業所番号\tサービスの種類\t介護職員等処遇改善加算\tサービス提供体制強化加算（Ⅰ）\t個別機能訓練加算(Ⅰ)\t看護体制加算(Ⅰ)イ\t生産性向上推進体制加算',
  `${aoba}\t特定施設入居者生活介護（有料老人ホーム）\t加算（Ⅰ）ロ\t○\tなし\t\t加算Ⅱ`,
  `${aoba}\t介護付有料\tあり\t\t２：あり\t有\t`,
  '1399999999\t51\tなし\t\t\t\t１ なし',
].join('\n');

test('registers and filings of another making are read, joined with the right office, and counted', async () => {
  const files = new Map<string, Uint8Array | string>([
    ['lists/jigyosho_331.csv', LIST],
    ['paid.csv', cp932(PAID)],
    ['paid.mapping.json', JSON.stringify(MAPPING)],
    ['filed.csv', FILED],
    ['old.xls', new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1])],
  ]);
  await withFiles(files, async (folder) => {
    const members = [...housing()].map(([name, data]) => ({ name, data }));
    writeZip(join(folder, 'inner.xlsx'), members);
    writeZip(join(folder, 'satsuki.zip'), [{ name: '住宅/一覧.xlsx', data: readFileSync(join(folder, 'inner.xlsx')) }]);
    const path = (name: string) => join(folder, name);
    const said: string[] = [];
    const progress = (line: string) => void said.push(line);
    const options = { offices: [path('lists')], progress };
    const registers = [path('paid.csv'), path('satsuki.zip')];
    await buildTemporarily({ ...options, registers, filings: [path('filed.csv')] }, (built) => {
      const { report, manifest } = built.half;
      assert.deepEqual(report.registers, {
        read: 8,
        matched: { number: 1, name_and_address: 2, name_and_phone: 0 },
        added: 4,
        duplicates: 1,
        ambiguous: 0,
        left_out: 0,
      });
      // 0 places, 50 yen of rent, 55 yen in a column of yen, a management fee in words.
      assert.equal(report.findings.register_value?.count, 4);
      assert.equal(report.findings.register_elsewhere?.count, 1);
      assert.equal(report.findings.register_prepaid?.count, 1);
      const estimate = (id: string) => facility(built, id).services[0]!.cost_estimate;
      assert.deepEqual(estimate(aoba!).parts!.rent, { low: 55_000, typical: 62_500, high: 70_000 });
      assert.deepEqual(
        [estimate(aoba!).parts!.management_fees!.low, estimate(aoba!).parts!.food!.low],
        [30_000, 45_000],
      );
      assert.deepEqual(estimate(wakaba!).parts!.rent, { low: 60_000, typical: 70_000, high: 80_000 });
      assert.equal(facility(built, hinata!).services[0]!.register!.matched_by, 'number');
      const housingRents = built.answers.municipality('131016', '930', 'cost', 1, 10)!.toJSON().facilities;
      assert.deepEqual(
        housingRents.map(({ name, cost_estimate }) => [name, cost_estimate.parts?.rent ?? null]),
        [
          ['さくら', { low: 60_000, typical: 67_500, high: 75_000 }],
          ['けやき', null],
          ['もみじ', null],
        ],
      );

      assert.deepEqual(report.filings, { read: 3, services: 1, joined: 1, unknown: 1, left_out: 0 });
      assert.deepEqual([report.findings.filing_value?.count, report.findings.filing_addition?.count], [1, 1]);
      assert.deepEqual(facility(built, aoba!).services[0]!.filed_additions, [
        'サービス提供体制強化加算(Ⅰ)',
        '個別機能訓練加算(Ⅰ)',
        '生産性向上推進体制加算(Ⅱ)',
      ]);
      assert.ok(said.some((line) => /^filed\.csv: 3 rows \(.*built-in mapping/.test(line)));

      const [, paid, housing] = manifest.sources;
      assert.deepEqual(paid, MAPPING.credit);
      assert.match(housing!.name, /サービス付き高齢者向け住宅/);
      assert.match(manifest.attribution, /東京都の一覧を加工して作成/);
      assert.equal(manifest.sources.length, 4);
    });
    for (const [name, form, rows] of [
      ['paid.csv', 'register', 4],
      ['satsuki.zip', 'register', 4],
      ['filed.csv', 'filed additions', 3],
    ] as const) {
      const { inputs } = await findInputs([path(name)], ['table']);
      const read = await readCareTable(inputs[0]!, { fees: BUILT_IN_FEES, today: '2026-10-01' }, new Findings());
      assert.deepEqual([read.form, read.tables[0]?.rowsRead], [form, rows]);
    }
    await assert.rejects(
      buildTemporarily({ ...options, registers: [path('old.xls')] }, () => {}),
      /old\.xls: is an old workbook .*save it as \.xlsx/,
    );
  });
});

test('lists in the form of the prefectures: families of services, numbers before words, homes without their type', async () => {
  const [paid, serviced, welfare, neither] = ['1370200313', '1370200321', '1370200339', '1370200347'] as const;
  const files = new Map<string, Uint8Array | string>([
    ['lists/jigyosho_331.csv', officeList([office(paid), office(neither)])],
    ['lists/jigyosho_334.csv', officeList([office(serviced)])],
    ['lists/jigyosho_510.csv', officeList([office(welfare)])],
    [
      'filed.csv',
      [
        '事業所番号,提供サービス,夜間看護体制加算,生産性向上推進体制加算(Ⅱ)',
        `${paid},33 特定施設入居者生活介護,２ 加算Ⅰ,`,
        `${serviced},特定施設入居者生活介護,３：加算Ⅱ,１：なし`,
        `${welfare},51：介護福祉施設サービス,,2:あり`,
        `${neither},36,1 なし,`,
      ].join('\n'),
    ],
    [
      'homes.csv',
      'ホーム名,ホーム所在地,月額利用料(家賃相当額),月額利用料(管理費),月額利用料(食費)\nつばき,東京都千代田区九段北1-1,5万円～7万円,"33,000円",1500円/日',
    ],
  ]);
  await withFiles(files, async (folder) => {
    const path = (name: string) => join(folder, name);
    const tables = { registers: [path('homes.csv')], filings: [path('filed.csv')] };
    await buildTemporarily({ offices: [path('lists')], ...tables }, (built) => {
      assert.deepEqual(built.half.report.filings, { read: 4, services: 3, joined: 0, unknown: 1, left_out: 0 });
      const filed = (id: string) => facility(built, id).services[0]!.filed_additions;
      assert.deepEqual(filed(paid), ['夜間看護体制加算(Ⅰ)']);
      assert.deepEqual(filed(serviced), ['夜間看護体制加算(Ⅱ)']);
      assert.deepEqual(filed(welfare), ['生産性向上推進体制加算(Ⅱ)']);
      assert.equal(filed(neither), null);
      const [home] = built.answers.rows('131016', '920', 'id')!;
      const { rent, management_fees, food } = home!.cost_estimate.parts!;
      assert.deepEqual(rent, { low: 50_000, typical: 60_000, high: 70_000 });
      assert.deepEqual([management_fees!.low, food!.low], [33_000, 45_000]);
    });
  });
});

test('a home with care of a register that no list has is not served as a home without insured care', async () => {
  const files = new Map<string, Uint8Array | string>([
    ['lists/jigyosho_331.csv', LIST],
    [
      'homes.csv',
      [
        '施設名,類型,所在地,家賃,管理費,食費',
        '椿,介護付（一般型特定施設）,東京都千代田区九段北1-1,100000,30000,40000',
        '桂,介護付（外部サービス利用型）,東京都千代田区九段北2-2,100000,30000,40000',
      ].join('\n'),
    ],
  ]);
  await withFiles(files, async (folder) => {
    const options = { offices: [join(folder, 'lists')], registers: [join(folder, 'homes.csv')] };
    await buildTemporarily(options, (built) => {
      const { answers, half } = built;
      const added = answers.rows('131016', '331', 'id')!.filter(({ facility_id }) => facility_id.startsWith('13R'));
      assert.deepEqual(
        added.map(({ name }) => name),
        ['椿'],
      );
      const { monthly_yen, parts, excludes } = added[0]!.cost_estimate;
      assert.equal(monthly_yen!.low, parts!.care.low + 170_000);
      assert.ok(parts!.care.low > 0 && !excludes.includes('insured_care'));
      assert.equal(facility(built, added[0]!.facility_id).services[0]!.register?.kind, 'paid_home_with_care');
      assert.deepEqual(
        answers.rows('131016', '920', 'id')!.map(({ name }) => name),
        ['桂'],
      );
      assert.equal(half.report.findings.register_with_care?.count, 1);
    });
  });
});

test('a fee-based home is not joined with the group home of the same name in its house', async () => {
  const at = (name: string) => ({ 事業所名: name, 住所: '東京都千代田区九段北1-1', 電話番号: '03-1111-2222' });
  const files = new Map<string, Uint8Array | string>([
    ['lists/jigyosho_320.csv', officeList([office(aoba!, at('グループホームひだまり'))])],
    ['lists/jigyosho_332.csv', officeList([office(wakaba!, at('ケアハウスひだまり'))])],
    [
      'homes.csv',
      '施設名,類型,所在地,電話番号,家賃\n住宅型有料老人ホームひだまり,住宅型,千代田区九段北1-1,03-1111-2222,90000',
    ],
  ]);
  await withFiles(files, async (folder) => {
    const options = { offices: [join(folder, 'lists')], registers: [join(folder, 'homes.csv')] };
    await buildTemporarily(options, (built) => {
      for (const id of [aoba!, wakaba!]) assert.equal(facility(built, id).services[0]!.register, null);
      const [home] = built.answers.rows('131016', '920', 'id')!;
      assert.equal(home?.cost_estimate.parts?.rent?.low, 90_000);
    });
  });
});

test('a ward that several cities have is in the prefecture of the other homes of its register, else unknown', async () => {
  const register = (...addresses: string[]) =>
    ['施設名,類型,所在地,家賃', ...addresses.map((address, i) => `家${i},住宅型,${address},90000`)].join('\n');
  const files = new Map<string, Uint8Array | string>([
    ['lists/jigyosho_331.csv', officeList([office(aoba!)])],
    ['osaka.csv', register('住吉区長居1-1', '北区天神橋1-1', '中央区大手前1-1')],
    ['tokyo.csv', register('千代田区一番町1-1', '北区赤羽1-1')],
    ['alone.csv', register('港区1-1')],
  ]);
  await withFiles(files, async (folder) => {
    const registers = ['osaka.csv', 'tokyo.csv', 'alone.csv'].map((name) => join(folder, name));
    await buildTemporarily({ offices: [join(folder, 'lists')], registers }, ({ answers, half }) => {
      assert.deepEqual([...answers.facilitiesByPrefecture()].sort(), [
        ['13', 3],
        ['27', 3],
      ]);
      assert.equal(answers.rows('131172', '920', 'id')?.length, 1);
      assert.equal(half.report.findings.register_row?.count, 1);
    });
  });
});

test('a home of a register keeps its ID when the register of another city, with the same numbers, is added', async () => {
  const register = (name: string, city: string) =>
    `届出番号,施設名,類型,所在地,家賃\n1,${name},住宅型,東京都${city}1-1,90000`;
  const files = new Map<string, Uint8Array | string>([
    ['lists/jigyosho_331.csv', officeList([office(aoba!)])],
    ['chofu.csv', register('松', '調布市')],
    ['hachioji.csv', register('椿', '八王子市')],
  ]);
  await withFiles(files, async (folder) => {
    const idsWith = (...registers: string[]) =>
      buildTemporarily(
        { offices: [join(folder, 'lists')], registers: registers.map((name) => join(folder, name)) },
        (built) => new Map(built.ids.map((id) => [facility(built, id).name, id])),
      );
    const [alone, both] = [await idsWith('hachioji.csv'), await idsWith('chofu.csv', 'hachioji.csv')];
    assert.equal(both.get('椿'), alone.get('椿'));
    assert.notEqual(both.get('松'), both.get('椿'));
  });
});

test('a postal code before the address of a home is not part of it', async () => {
  const files = new Map<string, Uint8Array | string>([
    ['lists/jigyosho_331.csv', officeList([office(aoba!, { 事業所名: '椿', 住所: '東京都千代田区九段北1-1' })])],
    [
      'homes.csv',
      [
        '施設名,類型,所在地,家賃',
        '椿,介護付,〒102-0073　東京都千代田区九段北一丁目1番,90000',
        '桂,住宅型,１０２－００７３ 千代田区九段北2-2,80000',
      ].join('\n'),
    ],
  ]);
  await withFiles(files, async (folder) => {
    const options = { offices: [join(folder, 'lists')], registers: [join(folder, 'homes.csv')] };
    await buildTemporarily(options, (built) => {
      assert.equal(facility(built, aoba!).services[0]!.register?.matched_by, 'name_and_address');
      const [home] = built.answers.rows('131016', '920', 'id')!;
      assert.equal(home?.address, '東京都千代田区九段北2-2');
    });
  });
});

test('a hazard layer covers the grid square in its name, and the same data counts once', async () => {
  const [inside, beside, gunma, nowhere] = ['1370200214', '1370200222', '1070200015', '1370200230'];
  const files = new Map<string, Uint8Array | string>([
    [
      'lists/jigyosho_331.csv',
      officeList([
        office(inside!, { 緯度: '35.69', 経度: '139.75' }),
        office(beside!, { 緯度: '35.40', 経度: '139.30' }),
        office(gunma!, {
          都道府県コード又は市町村コード: '102016',
          都道府県名: '群馬県',
          市区町村名: '前橋市',
          緯度: '36.39',
          経度: '139.06',
        }),
        office(nowhere!, { 緯度: '', 経度: '' }),
      ]),
    ],
    // 10 is the kind of its rivers, and not Gunma.
    [
      'flood/20_想定最大規模/A31-20-22_10_5339.geojson',
      zoneLayer([
        [{ A31_201: 3 }, [square(139.74, 35.68, 0.02)]],
        [{ A31_201: 3 }, [139.75, 35.69]],
      ]),
    ],
    ['metres/A33-22_13.geojson', zoneLayer([[{ A33_001: 1, A33_002: 1 }, [square(-6000, -35_000, 100)]]])],
  ]);
  await withFiles(files, async (folder) => {
    const slopes = zoneLayer([[{ A33_001: 1, A33_002: 2 }, [square(139.74, 35.68, 0.02)]]]);
    // Unpacked beside the zip: the same data twice, in two folders.
    writeZip(join(folder, 'flood/A33-22_13_GML.zip'), [{ name: 'A33-22_13_GML/A33-22_13.geojson', data: slopes }]);
    writeFileSync(join(folder, 'flood/A33-22_13.geojson'), slopes);
    const options = { offices: [join(folder, 'lists')] };
    await buildTemporarily({ ...options, hazards: [join(folder, 'flood')] }, (built) => {
      const at = (id: string) => facility(built, id).hazards;
      assert.equal(at(inside!)!.flood?.rank, 3);
      assert.equal(at(inside!)!.landslide?.length, 1);
      assert.equal(at(beside!)!.flood?.rank, 0);
      assert.equal(at(gunma!), null);
      const { files: read, same_data, ...counts } = built.half.report.hazards!;
      assert.deepEqual([read.length, same_data.length], [2, 1]);
      assert.deepEqual(counts, {
        flood_zones: 1,
        landslide_zones: 1,
        passed_over: 1,
        in_flood_zone: 1,
        flood_covered: 2,
        in_landslide_zone: 1,
        landslide_covered: 2,
        without_position: 1,
      });
    });
    await assert.rejects(
      buildTemporarily({ ...options, hazards: [join(folder, 'metres')] }, () => {}),
      /A33-22_13\.geojson: a zone from -6000, -35000 .* expected longitude and latitude in degrees/,
    );
  });
});

test('dashes in cells say nothing, flats are counted with their unit, and a unit may stand above two lines of names', async () => {
  const register = [
    '県内のサービス付き高齢者向け住宅',
    '市町村名,登録番号,住宅の名称,住宅の所在地,定員,家賃（月額）,,共益費（月額）,食費（30日）,介護保険事業所番号,敷金',
    ',,,,,最低,最高,,,,',
    '千代田区,1,ひなた,千代田区一番町1-1,３０戸,６５，０００円,８５，０００円,2万円,－,－,なし',
    '千代田区,2,こかげ,千代田区一番町2-2,42戸,70000,70000,―,45000,12345,140000',
  ];
  const files = new Map<string, Uint8Array | string>([
    ['lists/jigyosho_331.csv', LIST],
    ['satsuki.csv', cp932(register.join('\r\n'))],
  ]);
  await withFiles(files, (folder) => {
    const options = { offices: [join(folder, 'lists')], registers: [join(folder, 'satsuki.csv')] };
    return buildTemporarily(options, (built) => {
      const rows = built.answers.municipality('131016', '930', 'cost', 1, 10)!.toJSON().facilities;
      assert.deepEqual(
        rows.map(({ name, capacity, cost_estimate: { parts } }) => [
          name,
          capacity,
          parts?.rent,
          parts?.management_fees?.low ?? null,
          parts?.food?.low ?? null,
        ]),
        [
          ['ひなた', 30, { low: 65_000, typical: 75_000, high: 85_000 }, 20_000, null],
          ['こかげ', 42, { low: 70_000, typical: 70_000, high: 70_000 }, null, 45_000],
        ],
      );
      // Only a home that may take a deposit leaves one out of its figure.
      assert.deepEqual(
        rows.map((row) => row.cost_estimate.excludes.includes('initial_payment')),
        [false, true],
      );
      const { count, examples } = built.half.report.findings.register_value ?? {};
      assert.equal(count, 1);
      assert.match(examples?.[0] ?? '', /12345; expected an office number \(facility_id\)/);
    });
  });
});

/** The rows of a table without what is null or empty, and its findings. */
async function readTable(path: string): Promise<{ rows: object[]; findings: Findings }> {
  const { inputs } = await findInputs([path], ['table']);
  const findings = new Findings();
  const { tables } = await readCareTable(inputs[0]!, { fees: BUILT_IN_FEES, today: '2026-10-01' }, findings);
  const rows = tables.flatMap((table) => table.rows as object[]);
  const isEmpty = (value: unknown) => value === null || JSON.stringify(value) === '{}';
  return {
    rows: rows.map((row) =>
      Object.fromEntries(Object.entries(row).filter(([name, value]) => !isEmpty(value) && name !== 'file')),
    ),
    findings,
  };
}

/** A sheet with these cells, as XML. Empty cells are left out. */
const sheetRows = (lines: readonly string[]): string =>
  lines
    .map((line, i) => {
      const cells = line.split('|').map((text, j) => {
        const name = `${String.fromCharCode(65 + j)}${i + 1}`;
        return text === '' ? '' : `<c r="${name}" t="inlineStr"><is><t>${text}</t></is></c>`;
      });
      return `<row r="${i + 1}">${cells.join('')}</row>`;
    })
    .join('');

/** The header of a prefecture's list: merged cells over three lines. */
const THREE_LINES = [
  '有料老人ホーム一覧',
  '令和８年１０月１日現在||||||||||東京都',
  'No.|施設名|所在地||類型|定員（人）|前払金（円）||月額利用料（円）|||備考',
  '||郵便番号|住所|||最低|最高|家賃相当額||管理費|',
  '||||||||最低|最高||',
];
const MERGED = [
  'B3:B5',
  'C3:D3',
  'C4:C5',
  'D4:D5',
  'E3:E5',
  'F3:F5',
  'G3:H3',
  'G4:G5',
  'H4:H5',
  'I3:K3',
  'I4:J4',
  'K4:K5',
];
const HOMES = [
  '1|花の家|102-0083|千代田区麹町4-4|住宅型|３０|0|12,000,000|約58,000円|７万２千円|8.8万円|',
  '2|こずえ|102-0084|千代田区二番町9|住宅型|20|－|－|要相談||20,000|体験入居可',
  '※１　前払金は、年齢により異なります。',
];

test('a header of three lines is read with and without merged cells, by a mapping and without one', async () => {
  const mapping = {
    schema: 'hidamari-register/1',
    fields: {
      name: { column: '施設名' },
      address: { column: '住所' },
      kind: { column: '類型', values: { 住宅型: 'paid_home' } },
      capacity: { column: '定員' },
      rent_yen_per_month: { column: '月額利用料家賃相当額最低' },
      rent_most_yen_per_month: { column: '家賃相当額最高' },
      management_yen_per_month: { column: '管理費' },
      deposit_yen: { column: '前払金最低' },
    },
  };
  const inCsv = [...THREE_LINES, ...HOMES].map((line) =>
    line
      .split('|')
      .map((cell) => `"${cell}"`)
      .join(','),
  );
  const files = new Map([
    ['mapped.csv', inCsv.join('\n')],
    ['mapped.mapping.json', JSON.stringify(mapping)],
    ['merged.mapping.json', JSON.stringify(mapping)],
    ['bare.csv', inCsv.join('\n')],
  ]);
  await withFiles(files, async (folder) => {
    const parts = workbook([['一覧', sheetRows([...THREE_LINES, ...HOMES])]]);
    const sheet = 'xl/worksheets/sheet1.xml';
    const merged = MERGED.map((cells) => `<mergeCell ref="${cells}"/>`).join('');
    parts.set(sheet, parts.get(sheet)!.replace('</worksheet>', `<mergeCells>${merged}</mergeCells></worksheet>`));
    writeZip(
      join(folder, 'merged.xlsx'),
      [...parts].map(([name, data]) => ({ name, data })),
    );
    for (const name of ['mapped.csv', 'merged.xlsx', 'bare.csv']) {
      const { rows, findings } = await readTable(join(folder, name));
      assert.deepEqual(
        rows,
        [
          {
            line: 6,
            name: '花の家',
            kind: 'paid_home',
            address: '千代田区麹町4-4',
            capacity: 30,
            rent_yen_per_month: 58_000,
            rent_most_yen_per_month: 72_000,
            management_yen_per_month: 88_000,
            deposit_yen: 0,
          },
          {
            line: 7,
            name: 'こずえ',
            kind: 'paid_home',
            address: '千代田区二番町9',
            capacity: 20,
            management_yen_per_month: 20_000,
            as_published: { rent_yen_per_month: '要相談' },
          },
        ],
        name,
      );
      const { column_extra, register_value, register_row, file_titles } = findings.report();
      // The number, the postal code, the highest deposit and the remark.
      assert.deepEqual(
        [column_extra!.count, register_value!.count, register_row!.count, file_titles!.count],
        [4, 1, 1, 2],
      );
      assert.match(column_extra!.examples[2]!, /:3: 前払金\(円\)最高, column 8$/);
    }
  });
});

test('filed additions: names on three lines, several additions in a cell, a row for each addition on several sheets', async () => {
  const wide = [
    '介護給付費算定に係る体制等状況一覧',
    '事業所番号,事業所名,サービス,看護体制加算,,,,サービス提供体制強化加算,,口腔衛生管理体制,処遇改善加算',
    ',,,（Ⅰ）,,（Ⅱ）,,（Ⅰ）,（Ⅱ）,,',
    ',,,イ,ロ,イ,ロ,,,,',
    '170100019,ゆき,介護老人福祉施設,,○,,●,,有,○,Ⅰロ',
    '１３７０１０００１８,ひなた,介護老人福祉施設,,,,レ,あり,,,Ⅱイ',
  ];
  const office = (services: Record<string, string>) => ({
    facility_id: { column: '事業所番号' },
    service_code: { column: 'サービス', values: services },
  });
  const together = '事業所番号,サービス,加算\n13 7020 0131,33,"夜間看護体制加算(Ⅱ)、サービス提供体制強化加算(Ⅲ)・未定"';
  const rows = [
    '事業所番号|サービス|届出項目|届出内容',
    '1370200115|33|夜間看護体制加算|２：加算Ⅰ',
    '1370200115|33|LIFEへの登録|２：あり',
  ];
  const files = new Map([
    ['wide.csv', wide.join('\n')],
    ['together.csv', together],
    [
      'together.mapping.json',
      JSON.stringify({
        schema: 'hidamari-filings/1',
        fields: office({ 33: '331' }),
        additions: [
          {
            column: '加算',
            values: {
              '夜間看護体制加算（Ⅱ）': 'night_nursing_2',
              'サービス提供体制強化加算（Ⅲ）': 'service_provision_3',
            },
          },
        ],
      }),
    ],
    [
      'rows.mapping.json',
      JSON.stringify({
        schema: 'hidamari-filings/1',
        fields: office({ 33: '331' }),
        addition_rows: { name: '届出項目', value: '届出内容' },
        additions: [{ column: '夜間看護体制加算', pattern: '加算.', values: { 加算Ⅰ: 'night_nursing_1' } }],
      }),
    ],
  ]);
  await withFiles(files, async (folder) => {
    const sheets = workbook([
      ['表紙', sheetRows(['届出の一覧'])],
      ['届出', sheetRows(rows)],
    ]);
    writeZip(
      join(folder, 'rows.xlsx'),
      [...sheets].map(([name, data]) => ({ name, data })),
    );
    const read = async (name: string) => {
      const { rows: filed, findings } = await readTable(join(folder, name));
      return { filed, findings: findings.report() };
    };
    const inColumns = await read('wide.csv');
    assert.deepEqual(inColumns.filed, [
      {
        line: 5,
        facility_id: '0170100019',
        service_codes: ['510'],
        additions: ['nursing_1b', 'nursing_2b', 'service_provision_2'],
        treatment: 'I-ro',
      },
      {
        line: 6,
        facility_id: '1370100018',
        service_codes: ['510'],
        additions: ['service_provision_1'],
        treatment: 'II-i',
      },
    ]);
    assert.match(inColumns.findings.filing_value!.examples[0]!, /^wide\.csv:6: 看護体制加算\(II\)ロ: レ; expected/);
    // An addition that the fee table does not have: its marks are not read, and the build says so.
    assert.match(inColumns.findings.column_extra!.examples[1]!, /口腔衛生管理体制, column 10$/);
    const inCell = await read('together.csv');
    assert.deepEqual(
      inCell.filed.map((row) => ('additions' in row ? row.additions : null)),
      [['night_nursing_2', 'service_provision_3']],
    );
    assert.match(inCell.findings.filing_value!.examples[0]!, /^together\.csv:2: 加算: 未定; expected/);
    const inRows = await read('rows.xlsx');
    assert.deepEqual(
      inRows.filed.map((row) => ('additions' in row ? row.additions : null)),
      [['night_nursing_1']],
    );
    assert.match(inRows.findings.filing_row!.examples[0]!, /LIFEへの登録 is not in the mapping/);
  });
});

test('columns without a name, numbers and letters of the form, and names that say all', async () => {
  const mapping = {
    schema: 'hidamari-register/1',
    fields: {
      name: { column: '施設名称' },
      kind: { value: 'paid_home' },
      address: { column: '施設所在地2' },
      rent_yen_per_month: { column: '月額利用料（万円）', times: 10_000 },
      rent_most_yen_per_month: { column: '月額利用料（万円）2', times: 10_000 },
    },
  };
  const homes = [
    '施設名称,施設所在地,,事業者,,月額利用料（万円）,',
    'さざんか,〒102-0082,千代田区一番町3-3,株式会社さざんか,代表者,15.8,22.4',
  ].join('\n');
  const form = [
    '事業所番号,サービス種類,看護体制加算Ⅰ,看護体制加算Ⅱ,介護職員等処遇改善加算',
    '1370100018,51 介護福祉施設サービス,2 加算Ⅰイ,3：ロ,A 加算(Ⅰ)イ',
  ].join('\n');
  const named = [
    '事業所番号,サービス,加算名称',
    '1370100018,510,看護体制加算（Ⅰ）ロ',
    '1370100018,510,処遇改善加算（Ⅰ）ロ',
  ];
  const says = (name: string, id: string) => ({ column: name, values: { [name]: id } });
  const files = new Map([
    ['homes.csv', homes],
    ['homes.mapping.json', JSON.stringify(mapping)],
    ['postal.csv', homes],
    [
      'postal.mapping.json',
      JSON.stringify({ ...mapping, fields: { ...mapping.fields, address: { column: '施設所在地' } } }),
    ],
    ['form.csv', form],
    ['named.csv', named.join('\n')],
    [
      'named.mapping.json',
      JSON.stringify({
        schema: 'hidamari-filings/1',
        fields: {
          facility_id: { column: '事業所番号' },
          service_code: { column: 'サービス' },
          treatment: says('処遇改善加算（Ⅰ）ロ', 'I-ro'),
        },
        addition_rows: { name: '加算名称', value: '加算名称' },
        additions: [says('看護体制加算（Ⅰ）ロ', 'nursing_1b')],
      }),
    ],
  ]);
  await withFiles(files, async (folder) => {
    const { rows, findings } = await readTable(join(folder, 'homes.csv'));
    assert.deepEqual(rows, [
      {
        line: 2,
        name: 'さざんか',
        kind: 'paid_home',
        address: '千代田区一番町3-3',
        rent_yen_per_month: 158_000,
        rent_most_yen_per_month: 224_000,
      },
    ]);
    assert.match(findings.report().column_extra!.examples.at(-1)!, /^homes\.csv:2: column 5 without a name: 代表者$/);
    const postal = await readTable(join(folder, 'postal.csv'));
    assert.deepEqual(postal.rows, []);
    assert.match(postal.findings.report().register_value!.examples[0]!, /施設所在地: 〒102-0082/);
    const facility = { facility_id: '1370100018', service_codes: ['510'] };
    assert.deepEqual((await readTable(join(folder, 'form.csv'))).rows, [
      { line: 2, ...facility, additions: ['nursing_1a', 'nursing_2b'], treatment: 'I-i' },
    ]);
    assert.deepEqual((await readTable(join(folder, 'named.csv'))).rows, [
      { line: 2, ...facility, additions: ['nursing_1b'], subject: '看護体制加算（Ⅰ）ロ' },
      { line: 3, ...facility, additions: [], treatment: 'I-ro', subject: '処遇改善加算（Ⅰ）ロ' },
    ]);
  });
});

test('ranges of management fees and food of a register make a range of the bill, with the middle as typical', async () => {
  const register = [
    '施設名,類型,所在地,家賃,管理費,生活支援サービス費,食費',
    'けやき,住宅型,東京都千代田区一番町9-9,5万円～7万円,３万～５万円,"11,000円","1,500円～1,800円/日"',
    'くぬぎ,住宅型,東京都千代田区一番町9-8,5万円,"30,000円",,"54,000円"',
    'くぬぎ,住宅型,東京都千代田区一番町9-8,6万円,"40,000円",,"54,000円"',
  ].join('\n');
  await withFiles(
    new Map<string, Uint8Array | string>([
      ['lists/jigyosho_331.csv', LIST],
      ['homes.csv', register],
    ]),
    (folder) =>
      buildTemporarily({ offices: [join(folder, 'lists')], registers: [join(folder, 'homes.csv')] }, (built) => {
        const table = seenTable(built.answers.municipality('131016', '920', 'cost', 1, 10));
        const parts = table.map(({ name, cost_estimate: { monthly_yen, parts: its } }) => [
          name,
          monthly_yen,
          its?.management_fees,
          its?.food,
        ]);
        assert.deepEqual(parts, [
          ['くぬぎ', range(134_000, 144_000, 154_000), range(30_000, 35_000, 40_000), range(54_000, 54_000, 54_000)],
          ['けやき', range(136_000, 160_500, 185_000), range(41_000, 51_000, 61_000), range(45_000, 49_500, 54_000)],
        ]);
        assert.equal(built.half.report.findings.register_range?.count, 3);
      }),
  );
});

test('impossible sums of a register, such as a telephone number or a rent of 120 yen, are unknown and do not end the build', async () => {
  const files = new Map<string, Uint8Array | string>([
    ['lists/jigyosho_331.csv', LIST],
    [
      'homes.csv',
      [
        '施設名,類型,所在地,家賃（最低）,家賃（最高）,食費',
        '椿,住宅型,東京都千代田区九段北1-1,100000,4300000000,40000',
        '桂,住宅型,東京都千代田区九段北1-2,100000,110000,"40,000円～900,000円"',
        '松,住宅型,東京都千代田区九段北1-3,120,130,40000',
        '杉,住宅型,東京都千代田区九段北1-4,120.000円,130000,40000',
      ].join('\n'),
    ],
  ]);
  await withFiles(files, async (folder) => {
    const options = { offices: [join(folder, 'lists')], registers: [join(folder, 'homes.csv')] };
    await buildTemporarily(options, ({ answers, half }) => {
      const costs = answers
        .rows('131016', '920', 'id')!
        .map(({ name, cost_estimate: { parts } }) => [name, parts?.rent?.high ?? null, parts?.food?.high ?? null]);
      assert.deepEqual(costs.sort(), [
        ['杉', null, null],
        ['松', null, null],
        ['桂', 110_000, null],
        ['椿', 100_000, 40_000],
      ]);
      assert.equal(half.report.findings.register_value?.count, 5);
    });
  });
});

test('footnotes, unknown parts of a fee and the words of a form of filings are read as they are meant', async () => {
  const homes = [
    '有料老人ホーム届出状況一覧,,,,,,,（税込）',
    '施設名,施設類型,所在地,定員,月額利用料,,,',
    ',,,,家賃,管理費,生活サービス費,食費',
    'はまなす※2,住宅型,札幌市北区北24条西5丁目1-1,２０名,"65,000円～98,000円※1",2万円,－,"1日1,650円"',
    'すずらん,住宅型,函館市五稜郭町1-1,9,"40,000円/月","15,000",要相談,"40,500"',
    '※1　令和8年4月から',
  ].join('\r\n');
  const form = [
    '事業所番号,サービス種類,夜勤職員配置加算,日常生活継続支援加算,看護体制加算Ⅰ,介護職員等処遇改善加算',
    '1370100018,51 介護福祉施設サービス,7 加算Ⅲ・ロ,2 あり,2 イ,7 加算Ⅰイ※1',
  ].join('\n');
  const files = new Map<string, Uint8Array | string>([
    ['homes.csv', cp932(homes)],
    ['form.csv', form],
  ]);
  await withFiles(files, async (folder) => {
    const { rows, findings } = await readTable(join(folder, 'homes.csv'));
    const paid = { kind: 'paid_home' };
    assert.deepEqual(rows, [
      {
        line: 4,
        ...paid,
        name: 'はまなす',
        address: '札幌市北区北24条西5丁目1-1',
        capacity: 20,
        rent_yen_per_month: 65_000,
        rent_most_yen_per_month: 98_000,
        management_yen_per_month: 20_000,
        food_yen_per_month: 49_500,
      },
      // Management fees without the services would look like the whole fee.
      {
        line: 5,
        ...paid,
        name: 'すずらん',
        address: '函館市五稜郭町1-1',
        capacity: 9,
        rent_yen_per_month: 40_000,
        food_yen_per_month: 40_500,
        as_published: { service_yen_per_month: '要相談' },
      },
    ]);
    const { register_value, register_row } = findings.report();
    assert.match(register_value!.examples[0]!, /生活サービス費: 要相談/);
    assert.equal(register_row!.count, 1);
    assert.deepEqual((await readTable(join(folder, 'form.csv'))).rows, [
      {
        line: 2,
        facility_id: '1370100018',
        service_codes: ['510'],
        // Of the two levels of 日常生活継続支援加算 the kind of room decides.
        additions: ['nursing_1a', 'daily_life_support_1', 'daily_life_support_2', 'night_staff_3b'],
        treatment: 'I-i',
      },
    ]);
  });
});

const range = (low: number, typical: number, high: number) => ({ low, typical, high });
const seenTable = (answer: unknown) => (JSON.parse(JSON.stringify(answer)) as MunicipalityTable).facilities;

test('a mapping with other names, an unknown field or another schema is refused with what is there and what is expected', async () => {
  const homes = '一覧\n施設名,所在地,家賃\n青葉,千代田区一番町1-1,50000';
  const mapping = (fields: object, schema = 'hidamari-register/1') =>
    JSON.stringify({
      schema,
      fields: {
        name: { column: '施設の名前' },
        address: { column: '所在地' },
        kind: { value: 'paid_home' },
        ...fields,
      },
    });
  const files = new Map(
    ['names', 'field', 'schema'].flatMap((name, i): [string, string][] => [
      [`${name}.csv`, homes],
      [
        `${name}.mapping.json`,
        [mapping({}), mapping({ rent: { column: '家賃' } }), mapping({}, 'hidamari-filing/1')][i]!,
      ],
    ]),
  );
  await withFiles(files, async (folder) => {
    const refused = (name: string) => readTable(join(folder, `${name}.csv`)).then(String, String);
    assert.match(
      await refused('names'),
      /names\.csv: none of its first 30 lines names the columns 施設の名前, 所在地: line 2 lacks 施設の名前 and has 施設名, 所在地, 家賃/,
    );
    assert.match(
      await refused('field'),
      /field\.mapping\.json: .*\n {2}\/fields\/rent: unknown; expected one of .*rent_yen_per_month/,
    );
    assert.match(
      await refused('schema'),
      /schema\.mapping\.json: .*\n {2}\/schema: "hidamari-filing\/1"; expected .*hidamari-filings\/1/,
    );
  });
});

test('the page of a home says that units of its filed additions are from one source only', async (t) => {
  const files = new Map<string, Uint8Array | string>([
    ['lists/jigyosho_510.csv', officeList([office(aoba!), office(wakaba!)])],
    [
      'form.csv',
      `事業所番号,サービス種類,看護体制加算,生産性向上推進体制加算\n${aoba},51,Ⅰロ,Ⅰ\n${wakaba},51,Ⅰロ,なし`,
    ],
  ]);
  await withFiles(files, (folder) =>
    buildTemporarily({ offices: [join(folder, 'lists')], filings: [join(folder, 'form.csv')] }, async (built) => {
      const dataset = new FakeDataset();
      dataset.kaigo = built.answers;
      const { url } = await startServer(t, { dataset });
      const says = async (id: string) => {
        const page = await fetch(`${url}/kaigo/facility/${id}/`, { headers: { accept: 'text/html' } });
        return (await page.text()).includes('資料だけで確かめたものがあります');
      };
      assert.deepEqual([await says(aoba!), await says(wakaba!)], [true, false]);
    }),
  );
});
