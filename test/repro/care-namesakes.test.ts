import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { officeList } from '../../samples/kaigo.ts';
import { openDataset } from '../../src/dataset/open.ts';
import { writeSearchIndex } from '../../src/dataset/search-index.ts';
import { TOWNS_FILE, writeTowns } from '../../src/dataset/town-directory.ts';
import { publishDataset, startDraft } from '../../src/snapshot/publish.ts';
import { draftManifest } from '../dataset/support/dataset.ts';
import { writeKaigo } from '../kaigo/support/build.ts';
import { withFiles } from '../kaigo/support/sample.ts';
import { office } from '../kaigo/support/small-lists.ts';
import { startServer } from '../support/api-server.ts';
import { FakeDataset } from '../support/fake-dataset.ts';
import { pageText } from '../support/page-text.ts';
import { tempFolder } from '../support/temp-folder.ts';

// Municipalities of one name, and cities with wards. Each test fails on the earlier program.

/** Municipalities with an office each: code, prefecture, name, position. */
const PLACES: readonly [code: string, prefecture: string, name: string, lat: string, lon: string][] = [
  ['132063', '東京都', '府中市', '35.6700', '139.4800'],
  ['342084', '広島県', '府中市', '34.5700', '133.2400'],
  ['131172', '東京都', '北区', '35.7500', '139.7300'],
  ['011029', '北海道', '札幌市北区', '43.0900', '141.3400'],
  ['141011', '神奈川県', '横浜市鶴見区', '35.5000', '139.6800'],
  ['141046', '神奈川県', '横浜市中区', '35.4400', '139.6400'],
];
const offices = PLACES.map(([code, 都道府県名, 市区町村名, 緯度, 経度], i) =>
  office(`${code.slice(0, 2)}7010010${i}`, {
    都道府県コード又は市町村コード: code,
    都道府県名,
    市区町村名,
    緯度,
    経度,
  }),
);
// 県居 is read あがたい: no prefecture.
offices.push(
  office('2270100108', {
    事業所名: '白梅県居ケアホーム',
    都道府県コード又は市町村コード: '222101',
    都道府県名: '静岡県',
    市区町村名: '富士市',
    住所: '静岡県富士市本町1-1',
  }),
  office('1270100109', {
    都道府県コード又は市町村コード: '121011',
    都道府県名: '千葉県',
    市区町村名: '千葉市中央区',
    住所: '千葉県千葉市中央区中央1-1',
  }),
);

/** Towns of another 中央区. */
const TOWNS = ['京橋', '銀座', '築地'].map((name, i) => ({
  townCode: `1310200${i + 1}000`,
  name,
  reading: null,
  wardCode: '13102',
  wardName: '中央区',
  wardReading: null,
  lat: 35.67,
  lon: 139.77,
  postalCodes: [],
}));

/** A dataset with a special nursing home and a rental of equipment in each of `PLACES`, and its search. */
async function searchable(t: TestContext): Promise<FakeDataset> {
  const list = officeList(offices);
  const files = new Map([170, 510].map((service) => [`lists/jigyosho_${service}.csv`, list]));
  return withFiles(files, async (folder) => {
    const out = tempFolder(t);
    const draft = await startDraft(out);
    const kaigo = await writeKaigo({ offices: [join(folder, 'lists')] }, draft);
    await writeTowns(join(draft, TOWNS_FILE), TOWNS);
    await writeSearchIndex(draft, { sunlight: true, kaigo: true });
    const plain = draftManifest('0'.repeat(16));
    const manifest = { ...plain, halves: { sunlight: null, kaigo: kaigo.half.manifest } };
    const dataset = await openDataset(await publishDataset(out, draft, manifest, { rows: kaigo.rows }));
    t.after(() => dataset.close());
    return Object.assign(new FakeDataset(), { sunlight: null, kaigo: dataset.kaigo, search: dataset.search });
  });
}

/** The addresses of the municipalities that a query finds. */
const municipalitiesBy = ({ search }: FakeDataset, query: string): (string | null)[] =>
  (search?.find(query, 'municipality', 20).places ?? []).map(({ address }) => address);

test('a designated city lies at the middle of the facilities of its wards', async (t) => {
  const dataset = await searchable(t);
  const [city] = dataset.search?.find('横浜市', null, 10).places ?? [];
  assert.deepEqual([city?.id, city?.lat, city?.lon], ['141003', 35.47, 139.66]);
  const { url } = await startServer(t, { dataset });
  const page = await pageText(`${url}/kaigo/near/?q=横浜市&r=3000`);
  assert.ok(page.includes('<bdi>神奈川県横浜市</bdi>'));
  assert.ok(/神奈川県横浜市の一覧：.*href="\/kaigo\/141003\/510\/"/.test(page));
  assert.ok(!page.includes('ほかの候補'));
});

test('a municipality is found by its page of homes, not by one of rented equipment', async (t) => {
  const { search } = await searchable(t);
  const [place] = search?.find('横浜市中区', 'municipality', 1).places ?? [];
  assert.equal(place?.page, '/kaigo/141046/510/');
  assert.equal(place?.api, '/api/v1/kaigo/municipality/141046/510');
});

test('a prefecture before a name tells which of several municipalities is meant', async (t) => {
  const dataset = await searchable(t);
  assert.deepEqual(municipalitiesBy(dataset, '府中市'), ['東京都府中市', '広島県府中市']);
  assert.deepEqual(municipalitiesBy(dataset, '広島県府中市'), ['広島県府中市']);
  assert.deepEqual(municipalitiesBy(dataset, '北海道北区'), ['北海道札幌市北区']);
  const [first] = dataset.search?.find('千葉県中央区', null, 1).places ?? [];
  assert.equal(first?.address, '千葉県千葉市中央区', 'before its facilities, though towns of another 中央区 fit');
  assert.deepEqual(dataset.search?.find('白梅県居ケアホーム', null, 1).ignored, null);
  // There is none in this prefecture.
  assert.deepEqual(dataset.search?.find('沖縄県府中市', 'municipality', 20).ignored, '沖縄県');
});

test('the homes around a municipality offer the others of its name', async (t) => {
  const { url } = await startServer(t, { dataset: await searchable(t) });
  for (const [query, name, other] of [
    ['府中市', '東京都府中市', '広島県府中市'],
    ['北区', '東京都北区', '北海道札幌市北区'],
  ] as const) {
    const page = await pageText(`${url}/kaigo/near/?q=${query}&care_level=4`);
    assert.ok(page.includes(`<bdi>${name}</bdi></p>`));
    const [, chips = ''] = /ほかの候補：<\/span>(.*?)<\/p>/s.exec(page) ?? [];
    const links = [...chips.matchAll(/href="([^"]*)"><bdi>([^<]*)/g)];
    assert.deepEqual(
      links.map(([, , label]) => label),
      [other],
    );
    const otherPage = await pageText(url + (links[0]?.[1]?.replaceAll('&amp;', '&') ?? ''));
    assert.ok(otherPage.includes(`<bdi>${other}</bdi></p>`));
    assert.ok(/の一覧：.*care_level=4/.test(otherPage));
  }
});
