import assert from 'node:assert/strict';
import { test } from 'node:test';
import { officeList } from '../../samples/kaigo.ts';
import { MunicipalityTable } from '../../src/contract/operations/kaigo-municipality.ts';
import type { FacilitiesNear } from '../../src/contract/operations/kaigo-near.ts';
import { STANDARD_REQUEST } from '../../src/dataset/kaigo.ts';
import { termsOf } from '../../src/search/terms.ts';
import { build, details, facility, homes, office, serviceOf, withFields } from '../kaigo/support/small-lists.ts';
import { startServer } from '../support/api-server.ts';
import { tokyoExample } from '../support/example.ts';
import { FakeDataset, KNOWN } from '../support/fake-dataset.ts';
import { pageText } from '../support/page-text.ts';

// Results that once misled a family. Each test fails on the earlier program. The rows have the shape of real ones.

/** A municipality, found by the name of a station that the data do not have. */
test('the search around an unknown station says that the station is unknown', async (t) => {
  const dataset = new FakeDataset();
  const { find, ...others } = dataset.search!;
  const [place] = find('any', null, 1).places;
  const municipality = { ...place!, kind: 'municipality' as const, name: '中野区', address: '東京都中野区' };
  dataset.search = { ...others, find: () => ({ places: [municipality], ignored: '駅' }) };
  const { url } = await startServer(t, { dataset });
  for (const path of ['/kaigo/near/', '/search/']) {
    const page = await fetch(`${url}${path}?q=${encodeURIComponent('中野駅')}`, { headers: { accept: 'text/html' } });
    assert.match(await page.text(), /role="status">その駅はこのサーバーのデータにありません/, path);
  }
});

test('東京 finds no city that only contains its name, such as 西東京市', () => {
  const terms = termsOf({ name: '西東京市', reading: 'にしとうきょうし', address: null }, 'municipality');
  assert.deepEqual(
    terms.filter(({ text }) => text.startsWith('東京') || text.startsWith('とうきょう')),
    [],
  );
  assert.ok(terms.some(({ text }) => text === '西東京'));
});

test('the list of prefectures counts a facility once: of a designated city, and of several municipalities', async (t) => {
  const yokohama = (ward: string, code: string) => {
    return { 都道府県コード又は市町村コード: code, 都道府県名: '神奈川県', 市区町村名: `横浜市${ward}` };
  };
  const [tsurumi, nishi] = [yokohama('鶴見区', '141011'), yokohama('西区', '141038')];
  const lists: [string, string][] = [
    ['lists/jigyosho_510.csv', officeList([office('1470100018', tsurumi), office('1370100018')])],
    ['lists/jigyosho_150.csv', officeList([office('1470100018', nishi), office('1470100026', nishi)])],
  ];
  await build(lists, async (built) => {
    const dataset = new FakeDataset();
    dataset.kaigo = built.answers;
    const { url } = await startServer(t, { dataset });
    const page = await fetch(`${url}/en/kaigo/`, { headers: { accept: 'text/html' } });
    const counts = [...(await page.text()).matchAll(/kaigo\/(\d\d)\/">[^<]*<small>([^<]*)</g)].map(([, ...one]) => one);
    assert.deepEqual(counts, [
      ['13', '1 facility'],
      ['14', '2 facilities'],
    ]);
  });
});

const seen = <T>(answer: unknown): T => JSON.parse(JSON.stringify(answer)) as T;

/** An office of Sagamihara, and one of a ward in the middle of Tokyo, where its position was put. */
const SAGAMIHARA = { 都道府県コード又は市町村コード: '141526', 都道府県名: '神奈川県', 市区町村名: '相模原市中央区' };
const spread = (nth: number, lat: number, lon: number) => ({
  緯度: String(lat + nth / 500),
  経度: String(lon + nth / 500),
});

test('telephones, places, readings and addresses of services', async () => {
  const [several, katakana, county, misplaced] = ['1370100018', '1370100026', '2075200010', '1475200018'];
  const wards = ['131016', '131024', '131032', '131059', '131067', '131016', '131024'];
  const around = wards.map((code, i) =>
    office(`137010010${i}`, { 都道府県コード又は市町村コード: code, 市区町村名: '', ...spread(i, 35.69, 139.74) }),
  );
  const own = [0, 1, 2].map((i) => office(`147520010${i}`, { ...SAGAMIHARA, ...spread(i, 35.57, 139.37) }));
  const far = { 緯度: '35.75', 経度: '139.75', 電話番号: '03-3000-2222', FAX番号: '03-3000-2223' };
  await build(
    [
      [
        'lists/jigyosho_520.csv',
        officeList([
          office(several, { 電話番号: '03-3000-1111', FAX番号: '03-3000-1112' }),
          office(katakana, { 事業所名: 'ラ・ヴィータ', 事業所名カナ: 'ラ・ゔィータ' }),
          office(county, {
            都道府県コード又は市町村コード: '203238',
            都道府県名: '長野県',
            市区町村名: '御代田町',
            緯度: '36.31',
            経度: '138.5',
            住所: '御代田町北佐久郡御代田町大字馬瀬口1',
          }),
          office(misplaced, { ...SAGAMIHARA, ...spread(3, 35.69, 139.74) }),
          ...around,
          ...own,
        ]),
      ],
      ['lists/jigyosho_160.csv', officeList([office(several, far)])],
      ['lists/jigyosho_170.csv', officeList([office(katakana)])],
      ['lists/jigyosho_170_all_20991231000000.csv', officeList([office(several)])],
    ],
    (built) => {
      const [day, home] = facility(built, several).services;
      assert.deepEqual([day?.service_code, day?.phone, day?.fax], ['160', '03-3000-2222', '03-3000-2223']);
      assert.deepEqual([home?.service_code, home?.phone, home?.fax], ['520', '03-3000-1111', '03-3000-1112']);
      const { findings } = built.half.report;
      assert.deepEqual([findings.facility_phones?.count, findings.facility_faxes?.count], [1, 1]);

      // `near` finds the day service where it is, 7 km north of the home.
      const near = (lat: number, services: string | null) =>
        seen<FacilitiesNear>(built.answers.near(lat, 139.75, 500, services, 50)).facilities.map((one) => [
          one.facility_id,
          one.lat,
          one.service_codes[0],
        ]);
      assert.deepEqual(near(35.75, '160'), [[several, 35.75, '160']]);
      assert.deepEqual(near(35.75, '520'), []);
      assert.deepEqual(near(35.75, null), []);
      assert.deepEqual(
        near(35.69, '520').filter(([id]) => id === several),
        [[several, 35.69, '520']],
      );

      assert.equal(facility(built, katakana).name, 'ラ・ヴィータ');
      assert.equal(findings.kana_swapped, undefined);
      assert.equal(facility(built, county).address, '長野県北佐久郡御代田町大字馬瀬口1');
      // Amid offices of several wards, all of another prefecture.
      const { location, lat } = facility(built, misplaced);
      assert.deepEqual([location, lat], ['suspect', null]);
      assert.equal(facility(built, '1475200101').location, 'published');
      // A list with a future date is not newer than one without a date.
      assert.ok(facility(built, katakana).services.some(({ service_code }) => service_code === '170'));
      assert.equal(findings.file_superseded?.examples[0], 'jigyosho_170_all_20991231000000.csv: by jigyosho_170.csv');
    },
  );
});

test('rooms, their fees and what a rank rests on', async () => {
  const ids = Array.from({ length: 11 }, (_, i) => `137010${String(i + 10).padStart(4, '0')}`);
  const [limit, unitHouse, silentUnit, silentOld, low, sister, other, mixed, mixedOld, halfA, halfB] = ids;
  const names: Record<string, string> = { [silentUnit!]: '陽だまり（ユニット型）', [silentOld!]: '陽だまり（従来型）' };
  const corporations: Record<string, string> = {
    [low!]: '青空会',
    [sister!]: '若葉会',
    [other!]: '若葉会',
    [halfA!]: '花水木',
    [halfB!]: '花水木',
  };
  const places: Record<string, string> = { [unitHouse!]: '60', [halfA!]: '41', [halfB!]: '80' };
  const rows: (string | number)[][] = [
    // A limit of private rooms of 520 is a fee of 510 like any other.
    [limit!, 31, 40, 'conventional', 1370, 1600, '', '', ''],
    // Rooms of two houses; the kind and the fee are its own.
    [unitHouse!, 110, '', 'unit', 2800, 1600, '', '', ''],
    [silentUnit!, '', '', '', '', 1600, '', '', ''],
    [silentOld!, '', '', '', '', 1600, '', '', ''],
    // Below the standard of its kind: alone, and at two homes of a corporation.
    [low!, 60, '', 'unit', 1700, 1600, '', '', ''],
    [sister!, 60, '', 'unit', 1700, 1600, '', '', ''],
    [other!, 60, '', 'unit', 1700, 1600, '', '', ''],
    // A few shared rooms beside units.
    [mixed!, 60, 2, 'unit', 2100, 1360, '', '', ''],
    [mixedOld!, 10, 20, 'conventional', 650, 1600, '', '', ''],
    // Two halves of a house that publish the same staff.
    [halfA!, 5, 15, 'conventional', 915, 1600, 106, 8, 68],
    [halfB!, 80, '', 'unit', 2066, 1600, 106, 8, 68],
  ];
  const fields = [
    'rooms_private',
    'rooms_shared',
    'room_kind',
    'room_yen_per_day',
    'food_yen_per_day',
    'staff_total',
    'nurses',
    'care_staff',
  ];
  await build(
    [
      [
        'lists/jigyosho_510.csv',
        officeList(
          ids.map((id) =>
            office(id, {
              事業所名: names[id] ?? `家${id}`,
              法人の名称: corporations[id] ?? `法人${id}`,
              定員: places[id] ?? '',
            }),
          ),
        ),
      ],
      ...withFields(fields, '510', rows),
    ],
    (built) => {
      const estimate = (id: string | undefined) => serviceOf(built, id!).cost_estimate;
      const room = (id: string | undefined) => {
        const { room: kind, basis, parts, other_rooms } = estimate(id);
        return [kind, basis?.room, (parts?.residence?.low ?? 0) / 30, other_rooms.map((one) => one.room).join()];
      };
      assert.deepEqual(room(limit), ['shared', 'standard', 915, 'private']);
      const [asked] = estimate(limit).other_rooms;
      assert.equal((asked!.monthly_yen.low - estimate(limit).monthly_yen!.low) / 30, 1370 - 915);
      assert.deepEqual(room(unitHouse), ['unit', 'published', 2800, '']);
      assert.deepEqual(room(silentUnit), ['unit', 'standard', 2066, '']);
      assert.equal(estimate(silentOld).monthly_yen!.low < estimate(silentUnit).monthly_yen!.low, true);
      assert.deepEqual(serviceOf(built, silentOld!).rooms?.kind_from, 'name');
      assert.deepEqual(room(low), ['unit', 'standard_refused', 2066, '']);
      assert.deepEqual(
        [room(sister), room(other)],
        [
          ['unit', 'published', 1700, ''],
          ['unit', 'published', 1700, ''],
        ],
      );
      assert.deepEqual(room(mixed), ['unit', 'published', 2100, 'shared']);
      assert.deepEqual(room(mixedOld), ['shared', 'standard_refused', 915, 'private']);
      assert.equal(estimate(mixed).basis?.food, 'standard_refused');
      const { findings, grounds } = built.half.report;
      assert.deepEqual([findings.fee_unsupported?.count, findings.room_kind_name?.count], [2, 2]);
      assert.equal(grounds.room_fees_in_no_figure, 0);

      const staff = [halfA, halfB].map((id) => serviceOf(built, id!).staffing);
      assert.deepEqual(
        staff.map((one) => [one?.users_per_care_staff, one?.shared_with?.join()]),
        [
          [1.78, halfB],
          [1.78, halfA],
        ],
      );

      const request = { ...STANDARD_REQUEST, filter: { ...STANDARD_REQUEST.filter, has: ['published_fees' as const] } };
      const table = seen<MunicipalityTable>(built.answers.municipality('131016', '510', 'cost', 1, 100, request));
      assert.deepEqual(
        table.facilities.map(({ facility_id }) => facility_id).sort(),
        [unitHouse, sister, other, halfA, halfB].sort(),
      );
      assert.equal(table.comparable_cost, true);
    },
  );
});

test('the small half of a house may have more staff than places, because it publishes the staff of both', async () => {
  const ids = ['1370100018', '1370100026'] as const;
  const rows = ids.map((id, i) => office(id, { 法人の名称: '花水木', 定員: ['120', '29'][i] ?? '' }));
  await build(
    [
      ['lists/jigyosho_510.csv', officeList(rows)],
      ['details.csv', details(ids.map((id) => [id, '', '', 97, 10, 73, '', '', 'unit']))],
    ],
    (built) => {
      const staff = ids.map((id) => serviceOf(built, id).staffing);
      // Its own 29 places for 73 of the care staff are refused; the 149 of both are not.
      assert.deepEqual(
        staff.map((one) => [one?.care_staff, one?.users_per_care_staff, one?.shared_with?.join()]),
        [
          [73, 2.04, ids[1]],
          [73, 2.04, ids[0]],
        ],
      );
      assert.equal(built.half.report.findings.detail_implausible, undefined);
    },
  );
});

test('prices that are national compare nothing, and one asks for a shared room without a charge', async () => {
  const ids = ['1370100018', '1370100026'];
  const elsewhere = { 都道府県コード又は市町村コード: '131995', 市区町村名: '新しい市' };
  await build(
    [
      ['lists/jigyosho_320.csv', officeList(ids.map((id) => office(id)))],
      ['lists/jigyosho_550.csv', officeList(ids.map((id) => office(id)))],
      ['lists/jigyosho_510.csv', officeList([office('1370100034', elsewhere)])],
    ],
    (built) => {
      const table = (service: string) =>
        seen<MunicipalityTable>(built.answers.municipality('131016', service, 'cost', 1, 100));
      assert.equal(table('320').comparable_cost, false);
      assert.equal(seen<FacilitiesNear>(built.answers.near(35.69, 139.75, 500, '320', 50)).comparable_cost, false);
      assert.deepEqual(built.answers.rooms('331'), []);
      const inRoom = (room: 'shared' | 'shared_charged') =>
        seen<{ services: { cost_estimate: { parts: { residence: { high: number } } } }[] }>(
          built.answers.facility(ids[0]!, { ...STANDARD_REQUEST.case, room }),
        ).services[1]?.cost_estimate.parts.residence.high;
      assert.deepEqual([inRoom('shared'), inRoom('shared_charged')], [437 * 30, 697 * 30]);
      const { area_grade, area_grade_from, monthly_yen } = serviceOf(built, '1370100034').cost_estimate;
      assert.deepEqual([area_grade, area_grade_from], ['other', 'assumed']);
      assert.ok((monthly_yen?.low ?? 0) > 0);
      assert.equal(built.half.report.grounds.area_assumed, 1);
    },
  );
});

/** The long tables of real cities: none of their homes publishes staff or a year of opening. */
test('a table of several pages offers the orders, and names the unknown columns, of all its homes', async (t) => {
  const dataset = new FakeDataset();
  const kaigo = dataset.kaigo!;
  const { municipality } = kaigo;
  const [home] = tokyoExample(MunicipalityTable).facilities;
  const silent = { ...home!, staffing: null, quality: null, opened_on: null };
  const all: (typeof home)[] = [silent];
  Object.assign(kaigo, {
    municipality: (...request: Parameters<typeof municipality>) => ({
      toJSON: () => ({ ...municipality(...request)!.toJSON(), facilities: [silent], total: 101, page_count: 2 }),
    }),
    rows: () => all,
  });
  const { url } = await startServer(t, { dataset });
  const page = async (sort: string) =>
    (await fetch(`${url}/kaigo/${KNOWN.municipality}/510/?sort=${sort}`, { headers: { accept: 'text/html' } })).text();
  const none = await page('id');
  assert.doesNotMatch(none, /少ない順|開設の古い順/);
  assert.match(none, /介護職員1人あたり利用者・開設は、どの施設も公表値がありません/);
  all.push(home!);
  const some = await page('cost');
  assert.match(some, /少ない順.*開設の古い順/s);
  assert.doesNotMatch(some, /どの施設も公表値がありません/);
});

test('a fee for shared rooms is for a kind of room that the tariff has, and tells whether they are charged for', async () => {
  const ids = ['1370100018', '1370100026', '1370100034'];
  const [free, charged, dear] = ids;
  const fields = ['rooms_shared', 'room_kind', 'room_yen_per_day', 'shared_room_yen_per_day'];
  const rows = (service: string, list: (string | number)[][]) =>
    list.map(([id, ...cells]) => [id, service, ...cells].join(','));
  const names = ['facility_id', 'service_code', ...fields];
  await build(
    [
      ['lists/jigyosho_520.csv', officeList(ids.map((id) => office(id)))],
      ['lists/jigyosho_550.csv', officeList(ids.map((id) => office(id)))],
      [
        'details.csv',
        [
          names.join(','),
          ...rows('520', [
            [free!, 15, 'conventional', 650, ''],
            [dear!, 15, 'conventional', 820, ''],
          ]),
          ...rows('550', [
            [free!, 15, 'conventional', 437, ''],
            [charged!, 15, 'conventional', '', 697],
          ]),
        ].join('\n'),
      ],
      [
        'details.mapping.json',
        JSON.stringify({
          schema: 'hidamari-details/1',
          fields: Object.fromEntries(names.map((one) => [one, { column: one }])),
        }),
      ],
    ],
    (built) => {
      const estimate = (id: string | undefined, i: number) => facility(built, id!).services[i]!.cost_estimate;
      const ofRoom = ({ room, basis, parts, reason }: ReturnType<typeof estimate>) => [
        room,
        basis?.room,
        (parts?.residence?.low ?? 0) / 30,
        (parts?.residence?.high ?? 0) / 30,
        reason,
      ];
      // Health facilities have no tariff for charged shared rooms, so the fee is for the shared rooms.
      assert.deepEqual(ofRoom(estimate(free, 0)), ['shared', 'published', 650, 650, null]);
      assert.deepEqual(ofRoom(estimate(dear, 0)), ['shared', 'published', 820, 820, null]);
      assert.deepEqual(ofRoom(estimate(free, 1)), ['shared', 'published', 437, 437, null]);
      assert.deepEqual(ofRoom(estimate(charged, 1)), ['shared_charged', 'published', 697, 697, null]);
      const asked = seen<{ services: { cost_estimate: ReturnType<typeof estimate> }[] }>(
        built.answers.facility(free!, { ...STANDARD_REQUEST.case, room: 'shared_charged' }),
      );
      assert.equal(asked.services[1]?.cost_estimate.reason, 'room_not_offered');
    },
  );
});

test('a figure for every kind of room is not compared with one for a known kind', async () => {
  const ids = ['1370100018', '1370100026', '1370100034'];
  const named = (name: string) => (id: string, i: number) => office(id, i === 0 ? { 事業所名: name } : {});
  await build([['lists/jigyosho_540.csv', officeList(ids.map(named('陽だまり（ユニット型）')))]], (built) => {
    const table = seen<MunicipalityTable>(built.answers.municipality('131016', '540', 'cost', 1, 100));
    assert.deepEqual([table.comparable_cost, built.half.report.grounds.tables_comparable], [false, 0]);
  });
});

test('a reading in hiragana alone is not the name', () =>
  build(
    [
      [
        'lists/jigyosho_331.csv',
        officeList([
          office('1370100018', { 事業所名: 'ヴィレッジ', 事業所名カナ: 'びれっじ' }),
          office('1370100026', { 事業所名: 'ヴィラ', 事業所名カナ: 'ゔぃら' }),
        ]),
      ],
    ],
    (built) => {
      const names = ['1370100018', '1370100026'].map((id) => [facility(built, id).name, facility(built, id).name_kana]);
      assert.deepEqual(names, [
        ['ヴィレッジ', 'ビレッジ'],
        ['ヴィラ', 'ヴィラ'],
      ]);
    },
  ));

/** Three special nursing homes, two of which publish their fees, and a home whose list has only its address. */
const [cheap, dear, refused, withCare] = ['1370100018', '1370100026', '1370100034', '1370200115'] as const;
const PAGES: [string, string | Uint8Array][] = [
  [
    'lists/jigyosho_510.csv',
    officeList([
      office(dear, { 事業所名: '高台', 住所: '東京都千代田区一番町1-1 高台' }),
      office(cheap, { 事業所名: '木陰' }),
      office(refused, { 事業所名: '陽向' }),
    ]),
  ],
  ['lists/jigyosho_331.csv', officeList([office(withCare, { 事業所名: '青葉' })])],
  [
    'details.csv',
    details([
      [dear, 60, '', 50, 5, 30, 2800, 2000, 'unit'],
      [cheap, 60, '', 50, 5, 30, 2100, 1600, 'unit'],
      [refused, 60, '', 50, 5, 30, '', 1445, 'unit'],
    ]),
  ],
];

test('pages of homes say what a sum leaves out, the unit of a fee, and where zones of disasters are shown', async (t) => {
  await build(PAGES, async (built) => {
    const dataset = new FakeDataset();
    dataset.kaigo = built.answers;
    const { url } = await startServer(t, { dataset });
    const page = async (path: string) => (await fetch(url + path, { headers: { accept: 'text/html' } })).text();
    const home = await page(`/kaigo/facility/${withCare}/`);
    assert.match(home, /合計（食費・管理費・家賃は別）/);
    assert.match(home, /想定区域は、このサーバーのデータにありません。.*href="https:\/\/disaportal\.gsi\.go\.jp\/"/);
    const visit = await pageText(`${url}/kaigo/facility/${refused}/visit/`);
    assert.match(visit, /公表されている「1,445円」は今の料金とは考えにくく/);
    assert.match(visit, /disaportal/);
    const named = await page(`/kaigo/facility/${dear}/`);
    assert.match(named, /東京都千代田区一番町1-1<\/bdi>/);
    assert.match(await page('/kaigo/131016/331/'), /並べ替え：\s*事業所番号/);
    const near = await page('/kaigo/near/?lat=35.69&lon=139.75&r=500&care_level=support_2&sort=cost');
    assert.match(near, /並べ替え：\s*近い順/);
    assert.doesNotMatch(near, /費用の安い順/);
    // The sum of a search is for both people, as in the table.
    const ofTwo = await pageText(`${url}/kaigo/near/?lat=35.69&lon=139.75&r=500&partner=4&max_yen=150000`);
    assert.match(ofTwo, /月おふたりで 150,000円以下は0件です。.*最も安いのは、1か月おふたりで /);
  });
});

test('near names as cheapest the first home of its list whose fees are published, in every case', async (t) => {
  await build(PAGES, async (built) => {
    const dataset = new FakeDataset();
    dataset.kaigo = built.answers;
    const { url } = await startServer(t, { dataset });
    for (const query of [
      '',
      '&copayment=20',
      '&partner=4',
      '&partner=4&copayment=30',
      '&income=1&aid=public_assistance',
    ]) {
      for (const path of [
        `/kaigo/near/?lat=35.69&lon=139.75&r=500&sort=cost${query}`,
        `/kaigo/131016/510/?sort=cost${query}`,
      ]) {
        const page = await (await fetch(url + path, { headers: { accept: 'text/html' } })).text();
        const [, answer = ''] = /<p class="answer">(.*?)<\/p>/s.exec(page) ?? [];
        const rows = [...page.matchAll(/id="home-(\d+)"/g)].map(([, id]) => id);
        const isNamed = (name: string): boolean => answer.includes(`<bdi>${name}</bdi>`);
        if (query.includes('aid')) assert.match(answer, /どの施設も同じ|どれが安いかは言えません/, path);
        else {
          assert.ok(isNamed('木陰') && !isNamed('高台'), path);
          assert.ok(rows.indexOf(cheap) < rows.indexOf(dear), path);
        }
        assert.equal(answer.includes('おふたりで'), query.includes('partner'), path);
      }
    }
  });
});

/** A home whose residents mostly live in units, with some shared rooms; and one of units alone, of the same fees. */
const [mixed, unitsOnly] = ['1370100018', '1370100026'] as const;

test('a sum and a couple count every room that the case may use, and the row says which', async (t) => {
  const rows = homes([
    [mixed, 50, 5, 50, 5, 30, 2800, 1600, 'unit'],
    [unitsOnly, 60, '', 50, 5, 30, 2500, 1600, 'unit'],
  ]);
  await build(rows, async (built) => {
    const rooms = (maxYen: number, more: Partial<typeof STANDARD_REQUEST.case> = {}) =>
      seen<MunicipalityTable>(
        built.answers.municipality('131016', '510', 'cost', 1, 100, {
          case: { ...STANDARD_REQUEST.case, ...more },
          filter: { ...STANDARD_REQUEST.filter, maxYen },
        }),
      ).facilities.map(({ facility_id, cost_estimate: { room } }) => [facility_id, room]);
    assert.deepEqual(rooms(200_000), [
      [unitsOnly, 'unit'],
      [mixed, 'unit'],
    ]);
    assert.deepEqual(rooms(125_000), [[mixed, 'shared']]);
    assert.deepEqual(rooms(125_000, { room: 'unit' }), []);
    assert.deepEqual(rooms(250_000, { partnerLevel: 4 }), [[mixed, 'shared']]);
    assert.deepEqual(rooms(200_000, { income: '1', aid: 'public_assistance' }), [[mixed, 'shared']]);
    const dataset = new FakeDataset();
    dataset.kaigo = built.answers;
    const { url } = await startServer(t, { dataset });
    const near = await (await fetch(`${url}/api/v1/kaigo/near?lat=35.69&lon=139.75&r=500&max_yen=125000`)).json();
    const found = (near as { data: FacilitiesNear }).data.facilities;
    assert.deepEqual(
      found.map(({ facility_id, cost_estimate: { room } }) => [facility_id, room]),
      [[mixed, 'shared']],
    );
    const page = async (path: string) => (await fetch(url + path, { headers: { accept: 'text/html' } })).text();
    for (const path of ['/kaigo/131016/510/?', '/kaigo/near/?lat=35.69&lon=139.75&r=500&']) {
      const limited = await page(`${path}max_yen=125000`);
      assert.match(limited, new RegExp(`id="home-${mixed}"[^]*多床室の金額`), path);
      assert.doesNotMatch(limited, new RegExp(`id="home-${unitsOnly}"`), path);
      const ofTwo = await page(`${path}partner=4`);
      assert.match(ofTwo, /ほかの部屋も含めると.*多床室.*おふたりで/, path);
    }
  });
});

test('with public assistance the least cost around a place is that of a shared room', async (t) => {
  await build(PAGES, async (built) => {
    const dataset = new FakeDataset();
    dataset.kaigo = built.answers;
    const { url } = await startServer(t, { dataset });
    const around = `${url}/kaigo/near/?lat=35.69&lon=139.75&r=500&service=510&max_yen=60000`;
    const answer = (page: string): string => /<p class="answer">(.*?)<\/p>/s.exec(page)?.[1] ?? '';
    // All homes have private rooms only.
    const assisted = await pageText(`${around}&aid=public_assistance`);
    assert.match(answer(assisted), /月60,000円以下は0件です。/);
    assert.doesNotMatch(answer(assisted), /最も安い/);
    assert.match(assisted, /生活保護では多床室の金額だけを上限と比べます。/);
    const english = await pageText(`${around.replace('/kaigo/', '/en/kaigo/')}&aid=public_assistance`);
    assert.match(english, /only shared rooms are compared with the maximum/);
    assert.doesNotMatch(await pageText(around), /多床室の金額だけ/);
  });
});

test('the sheet for a visit asks those questions that fit the service', async (t) => {
  const services = ['170', '150', '210', '331'];
  const ids = services.map((_, i) => `137010010${i}`);
  const lists = services.map((service, i): [string, string] => [
    `lists/jigyosho_${service}.csv`,
    officeList([office(ids[i] ?? '', { 定員: '' })]),
  ]);
  await build(lists, async (built) => {
    const dataset = new FakeDataset();
    dataset.kaigo = built.answers;
    const { url } = await startServer(t, { dataset });
    const sheets = await Promise.all(ids.map((id) => pageText(`${url}/kaigo/facility/${id}/visit/`)));
    const askedBy = (question: string): string[] => services.filter((_, i) => sheets[i]?.includes(question));
    for (const question of ['夜間に看護職員は', '空きはありますか', '定員は何人ですか', '理美容'])
      assert.deepEqual(askedBy(question), ['210', '331'], question);
    for (const question of ['看取りまで', '待機者は何人', '入居できる要介護度'])
      assert.deepEqual(askedBy(question), ['331'], question);
    assert.deepEqual(askedBy('何人の職員が辞め'), services);
    // There is no figure for rented equipment.
    assert.deepEqual(askedBy('実際につく加算'), ['150', '210', '331']);
    assert.ok(!sheets[0]?.includes('<tbody></tbody>'), 'no group without questions');
    const english = await pageText(`${url}/en/kaigo/facility/${ids[0]}/visit/`);
    assert.doesNotMatch(sheets[0] + english, /この施設|施設のページ|\b(this|the) home\b/);
  });
});
