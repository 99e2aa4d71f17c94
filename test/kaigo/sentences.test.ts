import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { officeList } from '../../samples/kaigo.ts';
import { startServer } from '../support/api-server.ts';
import { FakeDataset } from '../support/fake-dataset.ts';
import { pageText } from '../support/page-text.ts';
import { sharedData, skipWithout } from '../support/shared-data.ts';
import { buildTemporarily } from './support/build.ts';
import { type PlainRow, plainLists } from './support/plain-rows.ts';
import { withFiles } from './support/sample.ts';
import { office } from './support/small-lists.ts';

/** What the pages say to a family, on rows of the published lists. */
const DETAILS = 'kaigo/tokuyo_detail_tokyo_saitama.csv';
const skip = skipWithout('kaigo/offices', 'kaigo/offices-derived/jigyosho_510.csv', DETAILS);

const NERIMA = '131202';
const FUSSA = '132187';
/** A valid code that no municipality has. */
const UNKNOWN = '139998';

/** The published rows of two municipalities; one of service 550 is put in an unknown municipality. */
function lists(): Map<string, string> {
  const rows = ['kaigo/offices', 'kaigo/offices-derived'].flatMap((folder) => plainLists(sharedData(folder)!));
  const code = '都道府県コード又は市町村コード';
  const chosen = rows.filter((row) => [NERIMA, FUSSA].includes(row[code] ?? ''));
  const [moved] = rows.filter((row) => row.service === '550' && row.都道府県名 === '東京都');
  // No list of day services is among the files.
  const dayService: PlainRow = {
    ...chosen.find((row) => row.市区町村名 === '練馬区')!,
    service: '150',
    サービスの種類: '通所介護',
  };
  const inUnknown: PlainRow = { ...moved!, [code]: UNKNOWN, 市区町村名: '新設町' };
  return new Map(
    [
      ...Map.groupBy(
        [...chosen, inUnknown, dayService, { ...dayService, 事業所番号: '1379800001', No: '1379800001' }],
        (row) => row.service!,
      ),
    ].map(([service, ofService]) => [`lists/jigyosho_${service}.csv`, officeList(ofService)]),
  );
}

/** What a page must say, and what it must not. */
const SAID: readonly [path: string, says: readonly (string | RegExp)[], saysNot: readonly (string | RegExp)[]][] = [
  [
    `/kaigo/${NERIMA}/510/`,
    [
      // The cheapest home by the list has a fee of the insurance, because its own is not believed.
      /<p class="answer">38件。.*料金を公表している\d+件で最も安いのは<bdi>.*<b>[\d,]+円<\/b>から、標準的な加算込み .*料金が未公表の施設のうち\d+件は、国の基準額などで推計するとこれより安くなります（最も安い推計は/,
      // Headline, order and pins are by one figure.
      '金額は月額の下限です',
      '食費は国の基準額（公表額は不採用）',
      '標準的な加算込み ',
      '職員1人あたりの利用者が少ない順',
      '頭数（常勤換算ではない）',
      '費用の安い順',
      '医療費・理美容代',
      '名称と住所は表記を整えています',
    ],
    ['自己負担分のみ'],
  ],
  [
    `/kaigo/${NERIMA}/331/`,
    [
      '介護保険の自己負担は国の単価で決まり、事業所による差は表れません。家賃・食費などは施設ごとに違い、この金額に含みません。',
      // In the table too, not only below it.
      /<td[^>]*>(?:(?!<\/td>).)*介護保険の自己負担分のみ。家賃・食費は別/,
    ],
    ['費用の安い順', '最も安い'],
  ],
  [
    // Reductions make the co-payment equal, but not the whole bill.
    `/kaigo/${NERIMA}/331/?aid=public_assistance`,
    ['家賃・食費などは施設ごとに違い、この金額に含みません。'],
    ['費用は、どの施設も同じです'],
  ],
  [
    `/kaigo/${NERIMA}/150/`,
    ['食事などは施設ごとに違い、この金額に含みません。', /<td[^>]*>(?:(?!<\/td>).)*介護保険の自己負担分のみ。食事は別/],
    ['費用は国の単価で決まり'],
  ],
  [
    `/kaigo/${NERIMA}/760/`,
    ['費用は国の単価で決まり、事業所による差は表れません。', '処遇改善加算込み '],
    ['標準的な加算込み', '費用の安い順'],
  ],
  [
    `/kaigo/${NERIMA}/520/`,
    ['費用は国の単価で決まり、事業所による差は表れません。', '食費・居住費は国の基準額'],
    ['費用の安い順', '最も安いのは'],
  ],
  [
    `/kaigo/${NERIMA}/510/?care_level=support_2`,
    ['この要支援度の方は利用できないサービスです'],
    ['最も安い', '費用の安い順'],
  ],
  [
    `/kaigo/${NERIMA}/510/?partner=4`,
    ['それぞれ別の部屋', 'その順に並べます', /最も安いのは.*1か月 おふたりで <b>/],
    [],
  ],
  [`/kaigo/${UNKNOWN}/550/`, ['その他地域（10円）として計算'], []],
  [`/kaigo/${FUSSA}/337/`, ['基本部分のみ。訪問介護などの保険分は別です'], ['最も安い']],
];

test('pages of published homes say what a figure is, and call none the cheapest without its fees', {
  skip,
}, async (t) => {
  await withFiles(lists(), (folder) =>
    buildTemporarily({ offices: [join(folder, 'lists')], details: [sharedData(DETAILS)!] }, async (built) => {
      const dataset = new FakeDataset();
      dataset.kaigo = built.answers;
      const { url } = await startServer(t, { dataset });
      const read = (path: string) => pageText(url + path);
      const holds = (page: string, text: string | RegExp) =>
        typeof text === 'string' ? page.includes(text) : text.test(page);
      for (const [path, says, saysNot] of SAID) {
        const page = await read(path);
        for (const text of says) assert.ok(holds(page, text), `${path} says ${text}`);
        for (const text of saysNot) assert.ok(!holds(page, text), `${path} does not say ${text}`);
      }
    }),
  );
});

test('a table in which one home has a whole bill names it; a part of a bill is called so', { skip }, async (t) => {
  const homes = plainLists(sharedData('kaigo/offices')!).filter(
    ({ service, 市区町村名 }) => service === '331' && 市区町村名 === '練馬区',
  );
  const [whole, part] = homes;
  const files = (rent: string) =>
    new Map([
      ['lists/jigyosho_331.csv', officeList([whole!, part!])],
      [
        'homes.csv',
        `ホーム名,所在地,事業所番号,家賃,管理費,食費\n${whole!.事業所名},東京都練馬区,${whole!.事業所番号},${rent},30000,45000\n`,
      ],
    ]);
  const answerOf = (rent: string): Promise<string> =>
    withFiles(files(rent), async (folder) => {
      let page = '';
      await buildTemporarily(
        { offices: [join(folder, 'lists')], registers: [join(folder, 'homes.csv')] },
        async (built) => {
          const dataset = new FakeDataset();
          dataset.kaigo = built.answers;
          const { url } = await startServer(t, { dataset });
          page = await pageText(`${url}/kaigo/${NERIMA}/331/`);
          const home = await pageText(`${url}/kaigo/facility/${whole!.事業所番号}/`);
          assert.equal(home.includes('公表された費用（家賃・食費などの一部を除く）は'), rent !== '80000');
          const compared = await pageText(`${url}/kaigo/compare/?f=${whole!.事業所番号},${part!.事業所番号}`);
          assert.ok(!compared.includes('name="room"'), 'the price of 331 does not depend on a room');
          const csv = await pageText(`${url}/kaigo/${NERIMA}/331/table.csv`);
          assert.equal(csv.includes('家賃・食費などは施設の公表額'), rent === '80000');
          const fees = rent === '80000' ? '家賃・管理費・食費' : '管理費・食費';
          assert.ok(home.includes(`>${fees}は登録情報（有料老人ホームの一覧）によります`));
        },
      );
      return page;
    });
  const known = await answerOf('80000');
  assert.match(known, /費用の全体がわかるのは、<a href="\/kaigo\/facility\/\d+\/"><bdi>[^<]+<\/bdi><\/a>だけです。/);
  assert.ok(!known.includes('国の単価で決まり'));
  const open = await answerOf('3万円～');
  assert.ok(!open.includes('費用の全体がわかるのは'));
});

test('a table of homes without insured care speaks of neither care levels nor the whole cost', async (t) => {
  const files = new Map([
    ['lists/jigyosho_331.csv', officeList([office('1370200016')])],
    [
      'homes.csv',
      [
        '施設名,所在地,類型,家賃,管理費,食費',
        'ひかり,東京都練馬区光が丘1-1-1,住宅型,50000,30000,45000',
        'のぞみ,東京都練馬区光が丘1-1-2,住宅型,45000～90000,,',
        'みらい,東京都練馬区光が丘1-1-3,住宅型,,30000,40000',
      ].join('\n'),
    ],
  ]);
  await withFiles(files, (folder) =>
    buildTemporarily({ offices: [join(folder, 'lists')], registers: [join(folder, 'homes.csv')] }, async (built) => {
      const dataset = new FakeDataset();
      dataset.kaigo = built.answers;
      const { url } = await startServer(t, { dataset });
      const page = await pageText(`${url}/kaigo/${NERIMA}/920/`);
      assert.match(page, /家賃・管理費・食費のすべてがわかるのは、<a [^>]*><bdi>ひかり<\/bdi><\/a>だけです。/);
      const [, part] = /facility\/(\w+)\/[^>]*><bdi>のぞみ</.exec(page) ?? [];
      const home = await pageText(`${url}/kaigo/facility/${part}/`);
      assert.ok(home.includes('>公表された家賃・食費などの一部<') && !home.includes('介護保険分と'));
      assert.ok(page.includes('介護保険のサービスは別に契約します。'));
      assert.match(page, /<td[^>]*>(?:(?!<\/td>).)*食費・管理費は別/);
      for (const untrue of ['費用の全体', '要介護3・', '料金表 ', '2つ以上の資料'])
        assert.ok(!page.includes(untrue), untrue);
    }),
  );
});
