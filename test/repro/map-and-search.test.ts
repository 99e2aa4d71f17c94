import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import type { BuildingFull } from '../../src/contract/operations/sunlight-building.ts';
import type { TownBuildings } from '../../src/contract/operations/sunlight-towns.ts';
import type { Found, Place } from '../../src/dataset/search.ts';
import { tileAt } from '../../src/geo/web-tile.ts';
import { startServer } from '../support/api-server.ts';
import { FakeDataset, KNOWN } from '../support/fake-dataset.ts';
import { landingUrls } from '../support/landing-urls.ts';
import { pageText } from '../support/page-text.ts';
import { generatedDataset, startSample } from '../support/start-sample.ts';
import { tempFolder } from '../support/temp-folder.ts';

it('the card and the list of the map have the month, floor and face of the address', async (t) => {
  const { url } = await startSample(t, await generatedDataset(join(tempFolder(t), 'data')));
  const data = async <Data>(path: string): Promise<Data> =>
    ((await (await fetch(url + path)).json()) as { data: Data }).data;
  const example = (await landingUrls(url)).find((one) => /\/building\/\S+$/.test(one)) ?? assert.fail('no example');
  const id = example.split('/').at(-1);
  const { faces } = await data<BuildingFull>(`/api/v1/sunlight/building/${id}/full`);
  const hoursOf = ({ floors }: BuildingFull['faces'][number]) => floors.middle.months[2]!.direct_sun_hours;
  const card = async (query: string) => {
    const page = await pageText(`${url}/map/?pick=${id}${query}`);
    return (
      /id="map-picked".*?<\/div>/s.exec(page)?.[0] + (/id="map-near-note".*?<\/p>.*?<\/li>/s.exec(page)?.[0] ?? '')
    );
  };
  const best = Math.max(...faces.map(hoursOf));
  const shown = await card('&month=3&floor=middle');
  assert.ok(shown.includes(`<p>3月15日・中間階・最も日の当たる面 ${best.toFixed(2)}時間</p>`), shown);
  assert.ok(shown.includes('map-near-note">3月15日・中間階・最も日の当たる面<'), shown);
  assert.ok(shown.includes(`<span>${best.toFixed(1)}時間</span> <span>0 m</span>`), shown);
  const north = faces.find(({ face }) => face === 'N') ?? assert.fail('no north face');
  assert.match(
    await card('&month=3&floor=middle&face=N'),
    new RegExp(`3月15日・中間階・北 ${hoursOf(north).toFixed(2)}時間`),
  );
  const note = 'この建物にその方角ちょうどの面はないため、最も近い';
  assert.ok(faces.every(({ face }) => face !== 'NE'));
  assert.match(await card('&face=NE'), new RegExp(`12月15日・最上階・北東 .*<p>${note}[北東]面の色です。</p>`));
  assert.ok(!(await card('&face=N')).includes(note));
});

it('the card of a picked town has the mean of its buildings for the month, floor and face of the address', async (t) => {
  const { url } = await startSample(t, await generatedDataset(join(tempFolder(t), 'data')));
  const data = async <Data>(path: string): Promise<Data> =>
    ((await (await fetch(url + path)).json()) as { data: Data }).data;
  const code = /\/sunlight\/town\/(\d+)\//.exec(await pageText(url))![1]!;
  const { buildings } = await data<TownBuildings>(`/api/v1/sunlight/town/${code}/buildings`);
  const full = await Promise.all(
    buildings.map(({ building_id }) => data<BuildingFull>(`/api/v1/sunlight/building/${building_id}/full`)),
  );
  const best = full.flatMap(({ faces }) => {
    const hours = faces.filter((face) => face.headline).map((face) => face.floors.middle.months[2]!.direct_sun_hours);
    return hours.length === 0 ? [] : Math.max(...hours);
  });
  const whole = Math.floor(best.reduce((sum, hours) => sum + hours, 0) / best.length);
  const page = await pageText(`${url}/map/?pick=${code}&month=3&floor=middle`);
  const card = /id="map-picked".*?<\/div>/s.exec(page)![0];
  assert.ok(card.includes(`<p>3月15日・中間階・最も日の当たる面 ${whole}〜${whole + 1}時間</p>`), card);
  assert.match(await pageText(`${url}/map/?pick=${code}&face=S`), /12月15日・最上階・南 \d+〜\d+時間/);
});

it('a list of buildings has their heights; its map and its legend show unknown hours alike', async (t) => {
  const { url } = await startSample(t, await generatedDataset(join(tempFolder(t), 'data')));
  const path = /\/sunlight\/town\/\d+\//.exec(await pageText(url))![0];
  const page = await pageText(url + path);
  const { data } = (await (await fetch(`${url}${path}index.json`)).json()) as { data: TownBuildings };
  const [first] = data.buildings;
  const row = page.split('<table')[1]!.split(`/building/${first!.building_id}/`)[1]!;
  assert.ok(row.startsWith(`">高さ約${first!.height_m.toFixed(0)} m`), row.slice(0, 99));
  assert.match(page, /<svg class="map-picture".*<pattern id="pic-hatch"/s);
  assert.match(page, /\.map-picture \.unknown\s*\{\s*fill:\s*url\("?#pic-hatch"?\)/);
});

const SHINJUKU = { ward_code: '13104', lat: 35.69, lon: 139.7 };

it('towns of one ward with one name are told apart in lists', async (t) => {
  const dataset = new FakeDataset();
  const town = (town_code: string, name: string, lat: number) => ({ ...SHINJUKU, town_code, name, reading: null, lat });
  const towns = [
    town('13104001002', '四谷二丁目', 35.68),
    town('13104001003', '四谷三丁目', 35.679),
    town('131040011', '四谷', 35.687),
    town('131040012', '四谷', 35.684),
    town('131040020', '四谷本塩町', 35.689),
    town('131040050', '若葉一丁目', 35.683),
  ];
  const whole = town('131040010', '四谷', 35.6795);
  const ofCode = (code: string) => ({
    toJSON: () => ({ town: { ...[...towns, whole].find(({ town_code }) => town_code === code), ward_name: '新宿区' } }),
  });
  Object.assign(dataset.sunlight!, { towns: () => towns, town: ofCode });
  const places = [whole, ...towns].map((one) => ({
    ...one,
    kind: 'town',
    id: one.town_code,
    address: null,
    municipality_code: null,
    page: `/sunlight/town/${one.town_code}/`,
  }));
  Object.assign(dataset.search!, { find: () => ({ places, ignored: null }) });
  const { url } = await startServer(t, { dataset });
  const namesOn = async (path: string) => {
    const links = (await pageText(url + path)).matchAll(/<a href="[^"]*\/sunlight\/town\/(\d+)\/">(?:<bdi>)?([^<]*)/g);
    return Object.fromEntries([...links].map(([, code, name]) => [code, name]));
  };
  const names = {
    ...Object.fromEntries(towns.map(({ town_code, name }) => [town_code, name])),
    131040011: '四谷（四谷本塩町の近く）',
    131040012: '四谷（若葉一丁目の近く）',
  };
  assert.deepEqual(await namesOn('/sunlight/13104/'), names);
  assert.deepEqual(await namesOn('/search/?q=四谷'), { ...names, 131040010: '四谷（四谷二丁目〜四谷三丁目）' });
});

for (const [name, lat, lon, isNamed] of [
  ['府中市', 35.67, 139.48, true],
  ['大阪市北区', 34.7, 135.5, false],
] as const) {
  it(`${name}, outside the data, ${isNamed ? 'names' : 'does not name'} the nearest ward`, async (t) => {
    const dataset = new FakeDataset();
    const ward: Place = { ...dataset.search!.find('新宿区', null, 1).places[0]!, ...SHINJUKU };
    const place: Place = { ...ward, kind: 'municipality', id: '27127', name, reading: null, ward_code: null, lat, lon };
    Object.assign(dataset.search!, {
      find: () => ({ places: [place], ignored: null }),
      municipality: () => ward,
    });
    const { url } = await startServer(t, { dataset });
    const page = await pageText(`${url}/search/?q=${name}`);
    assert.match(page, /の日当たりのデータはありません/);
    assert.equal(page.includes('最も近いのは'), isNamed);
  });
}

for (const [ward_code, ward_name, isOutside] of [
  ['14104', '横浜市中区', false],
  ['13101', '千代田区', true],
] as const) {
  it(`横浜市 is ${isOutside ? '' : 'not '}outside data of ${ward_name}`, async (t) => {
    const dataset = new FakeDataset();
    const city: Place = { ...shinjuku(), kind: 'municipality', id: '141003', name: '横浜市', ward_code: null };
    const municipality = (code: string) => (code === ward_code ? { ...city, id: `${code}0`, name: ward_name } : null);
    Object.assign(dataset.search!, { find: () => ({ places: [city], ignored: null }), municipality });
    const towns = dataset.sunlight!.towns().map((town) => ({ ...town, ward_code, ward_name }));
    Object.assign(dataset.sunlight!, { towns: () => towns });
    const { url } = await startServer(t, { dataset });
    assert.equal((await pageText(`${url}/search/?q=横浜市`)).includes('の日当たりのデータはありません'), isOutside);
  });
}

/** The text in the results of a query, of which the search finds some places. */
async function resultsOf(t: TestContext, q: string, find: (query: string) => Found): Promise<string> {
  const dataset = new FakeDataset();
  Object.assign(dataset.search!, { find });
  const { url } = await startServer(t, { dataset });
  return pageText(`${url}/search/?q=${encodeURIComponent(q)}`);
}

const NONE: Found = { places: [], ignored: null };
const shinjuku = (): Place => ({ ...new FakeDataset().search!.find('新宿区', null, 1).places[0]!, ...SHINJUKU });

it('a service that a place lacks is said to be lacking, with a link to those that it has', async (t) => {
  const town: Place = { ...shinjuku(), kind: 'town', name: '四谷', municipality_code: '131041' };
  const page = await resultsOf(t, '訪問入浴 四谷', (query) =>
    query === '四谷' ? { places: [town], ignored: null } : NONE,
  );
  assert.match(page, /訪問入浴介護の一覧は、このデータにありません/);
  assert.match(page, /municipality=131041#m131041"/);
});

it('a service beside a word that is no place asks where', async (t) => {
  const page = await resultsOf(t, '特養 おすすめ', () => NONE);
  assert.match(page, /「(<bdi>)?おすすめ(<\/bdi>)?」を除いて検索しました/);
  assert.match(page, /どこで探しますか/);
});

it('a misspelt service of three letters is found, also behind a place', async (t) => {
  const ward: Place = { ...shinjuku(), kind: 'municipality', name: '新宿区', municipality_code: '131041' };
  const find = (query: string): Found => ({ places: [ward], ignored: query === '新宿区' ? null : 'サ高重' });
  assert.match(await resultsOf(t, '新宿区 サ高重', find), /サ高住.*として検索しました/);
});

for (const [q, codes] of [
  ['特老', '特別養護老人ホーム.*介護老人保健施設'],
  ['特用', '特別養護老人ホーム'],
  ['ろう健', '介護老人保健施設'],
  ['グルホ', 'グループホーム'],
] as const) {
  it(`${q}, which no rule of letters leads to a service, is searched as one, and the page says so`, async (t) => {
    assert.match(await resultsOf(t, q, () => NONE), new RegExp(`「(<bdi>)?${codes}.*として検索しました`));
  });
}

it('Tokyo, one letter from tokuyo, is no service', async (t) => {
  assert.doesNotMatch(await resultsOf(t, 'tokyo station', () => NONE), /として検索しました/);
});

it('a sum in a search for homes goes along to the homes near the place', async (t) => {
  const town: Place = { ...shinjuku(), kind: 'town', name: '西新宿一丁目', municipality_code: '131041' };
  const asked: string[] = [];
  const find = (query: string): Found => {
    asked.push(query);
    return { places: [town], ignored: null };
  };
  const page = await resultsOf(t, '西新宿一丁目 特養 要介護4 １５万円以内', find);
  assert.match(
    page,
    /\/kaigo\/near\/\?q=[^"]*&amp;service=510&amp;max_yen=15%E4%B8%87&amp;care_level=4">近くの特別養護老人ホーム</,
  );
  assert.ok(asked.includes('西新宿一丁目'), asked.join());
});

for (const [q, place, wishes] of [
  ['西新宿の近くで15万円以内 要介護4', '西新宿', 'max_yen=15%E4%B8%87&amp;care_level=4'],
  ['西新宿で月15万円以内の老人ホーム', '西新宿', 'max_yen=15%E4%B8%87'],
  ['西新宿の特養 15万5千円以下', '西新宿', 'service=510&amp;max_yen=15%E4%B8%875%E5%8D%83'],
  ['西新宿の特養15万5,000円以内', '西新宿', 'service=510&amp;max_yen=15%E4%B8%875%2C000'],
  ['西新宿の特養12.5万円', '西新宿', 'service=510&amp;max_yen=12.5%E4%B8%87'],
  ['西新宿 十五万円以内', '西新宿', 'max_yen=%E5%8D%81%E4%BA%94%E4%B8%87'],
  ['四万十市 特養', '四万十市', 'service=510'],
  ['要支援1の人 西新宿', '西新宿', 'care_level=support_1'],
  ['大月15万', '大月', 'max_yen=15%E4%B8%87'],
  ['要介護3以上 特養 西新宿', '西新宿', 'service=510&amp;care_level=3'],
  ['要介護度4 特養 西新宿', '西新宿', 'service=510&amp;care_level=4'],
  ['西新宿で一番安い老人ホーム', '西新宿', 'sort=cost'],
] as const) {
  it(`${q} is about homes near ${place}`, async (t) => {
    const town: Place = { ...shinjuku(), kind: 'town', name: place, municipality_code: '131041' };
    const page = await resultsOf(t, q, (query) => (query === place ? { places: [town], ignored: null } : NONE));
    assert.ok(page.includes(`/kaigo/near/?q=${encodeURIComponent(place)}&amp;${wishes}">`), page.slice(0, 3000));
  });
}

for (const [q, ignored] of [
  ['親の特養 西新宿', '親'],
  ['年金 特養 西新宿', '年金'],
  // No filter has a least sum.
  ['特養 15万5千円以上 西新宿', '15万5千円以上'],
] as const) {
  it(`${q} is about homes near 西新宿, without 「${ignored}」`, async (t) => {
    const town: Place = { ...shinjuku(), kind: 'town', name: '西新宿', municipality_code: '131041' };
    const office: Place = { ...shinjuku(), kind: 'facility', name: '親和電機', municipality_code: '231037' };
    const page = await resultsOf(t, q, (query) => {
      if (query === '西新宿') return { places: [town], ignored: null };
      return query.startsWith('親 ') ? { places: [office], ignored: '西新宿' } : NONE;
    });
    assert.ok(page.includes(`/kaigo/near/?q=${encodeURIComponent('西新宿')}&amp;service=510">`));
    assert.match(page, new RegExp(`「(<bdi>)?${ignored}(</bdi>)?」を除いて検索しました`));
  });
}

// 48 words made 48 searches, which took a second.
it('many words before a service are not tried one after the other', async (t) => {
  let searches = 0;
  await resultsOf(t, `${'あ '.repeat(45)}特養`, () => {
    searches++;
    return NONE;
  });
  assert.ok(searches < 10, `${searches} searches`);
});

it('an office whose name begins with the words before the care level is no result', async (t) => {
  const ward: Place = { ...shinjuku(), kind: 'municipality', name: '新宿区', municipality_code: '131041' };
  const office: Place = { ...shinjuku(), kind: 'facility', name: '要介護サービス', municipality_code: '132039' };
  const page = await resultsOf(t, '要介護3以上 特養 新宿区', (query) => ({
    places: [query === '新宿区' ? ward : office],
    ignored: null,
  }));
  assert.ok(
    page.includes(`q=${encodeURIComponent('新宿区')}`) || page.includes('municipality=131041'),
    page.slice(3000),
  );
  assert.doesNotMatch(page, /要介護サービス/);
});

it('an ID that no building has is called so', async (t) => {
  assert.match(await resultsOf(t, '13104-bldg-999999', () => NONE), /このIDの建物は/);
});

it('an unknown town of a known ward offers towns with similar names', async (t) => {
  const ward: Place = { ...shinjuku(), kind: 'municipality', name: '新宿区', municipality_code: '131041' };
  const misspelt = '丸々内';
  const page = await resultsOf(t, `新宿区${misspelt}`, () => ({ places: [ward], ignored: misspelt }));
  assert.match(page, /もしかして：/);
});

for (const [q, note] of [
  ['四谷99丁目', '四谷99丁目は、このサーバーのデータにありません'],
  ['よつや99丁目', '四谷99丁目は、このサーバーのデータにありません'],
  ['四谷99-1-1', '四谷99丁目は、このサーバーのデータにありません'],
  ['四谷99番地', '番地までは探せません'],
] as const) {
  it(`${q} names a chome or a block that is missing, on the pages of search and of homes`, async (t) => {
    const reading = ['よつや', 'よつや1ちょうめ', 'よつや2ちょうめ'];
    const places = ['四谷', '四谷一丁目', '四谷二丁目'].map((name, i): Place => {
      return { ...shinjuku(), kind: 'town', id: `13104001${i}`, name, reading: reading[i]! };
    });
    const dataset = new FakeDataset();
    Object.assign(dataset.search!, { find: () => ({ places, ignored: null }) });
    const { url } = await startServer(t, { dataset });
    const textOf = async (path: string): Promise<string> =>
      (await pageText(`${url}${path}?q=${encodeURIComponent(q)}`)).replaceAll(/<\/?bdi>/g, '');
    const page = await textOf('/search/');
    assert.ok(page.includes(`<p role="status">${note}`), page.slice(page.indexOf('<h1')));
    const near = await textOf('/kaigo/near/');
    assert.equal(near.includes(note), note.includes('99丁目'));
    assert.match(near, /「四谷」で始まる町のあたり/);
  });
}

it('a town behind its ward is no block', async (t) => {
  const town: Place = { ...shinjuku(), kind: 'town', name: '四谷二丁目', municipality_code: '131041' };
  const find = (): Found => ({ places: [town], ignored: null });
  for (const [q, isBlock] of [
    ['新宿区四谷二丁目', false],
    ['四谷二丁目の5階の部屋', false],
    ['新宿区四谷二丁目3', true],
    ['四谷2-3', true],
  ] as const)
    assert.equal((await resultsOf(t, q, find)).includes('番地までは探せません'), isBlock, q);
});

it('without towns in the data, homes elsewhere whose address has the name say that towns cannot be searched', async (t) => {
  const home: Place = { ...shinjuku(), kind: 'facility', name: 'みどりの郷', address: '岡山県倉敷市神田2' };
  const dataset = new FakeDataset();
  Object.assign(dataset.sunlight!, { towns: () => [], townSun: () => [] });
  Object.assign(dataset.search!, { find: () => ({ places: [home], ignored: null }) });
  const { url } = await startServer(t, { dataset });
  assert.match(await pageText(`${url}/search/?q=神田`), /町名では探せません/);
  assert.doesNotMatch(await pageText(`${url}/search/?q=みどり`), /町名では探せません/);
  const near = await pageText(`${url}/kaigo/near/`);
  assert.match(near, /場所（市区町村・施設名）/);
});

it('an address outside the data names its municipality, also when an office is near it', async (t) => {
  const office: Place = { ...shinjuku(), kind: 'facility', name: 'ホーム三軒茶屋', address: '世田谷区太子堂2-37' };
  const outer: Place = { ...shinjuku(), kind: 'municipality', id: '13112', name: '世田谷区', ward_code: null };
  const find = (places: Place[]) => (query: string) => ({
    places: query === '世田谷区' ? [outer] : places,
    ignored: null,
  });
  const page = await resultsOf(t, '世田谷区太子堂4丁目1-1', find([office]));
  assert.match(page, /role="status">(<bdi>)?世田谷区(<\/bdi>)?の日当たりのデータはありません/);
  assert.match(page, /ホーム三軒茶屋/);
  const own = await resultsOf(t, '世田谷区民ホーム', find([{ ...office, name: '世田谷区民ホーム' }]));
  assert.doesNotMatch(own, /日当たりのデータはありません/);
});

it('only a number besides that of the chome is a block that cannot be searched', async (t) => {
  const town: Place = { ...shinjuku(), kind: 'town', name: '千駄木五丁目', reading: 'せんだぎ5ちょうめ' };
  for (const [q, isBlock] of [
    ['せんだぎ　５', false],
    ['せんだぎ5-3', true],
    ['千駄木5丁目', false],
    ['千駄木5丁目3', true],
  ] as const) {
    const page = await resultsOf(t, q, () => ({ places: [town], ignored: null }));
    assert.equal(page.includes('番地までは探せません'), isBlock, q);
  }
});

it('homes near an unknown station say that it is unknown', async (t) => {
  const dataset = new FakeDataset();
  Object.assign(dataset.search!, { find: () => NONE });
  const { url } = await startServer(t, { dataset });
  assert.match(
    await pageText(`${url}/kaigo/near/?q=高円寺駅`),
    /role="alert">その駅はこのサーバーのデータにありません/,
  );
});

it('the homes near a place lead to the map that shows homes, and on to a home, for the same case', async (t) => {
  const { url } = await startSample(t, await generatedDataset(join(tempFolder(t), 'data')));
  const example = (await landingUrls(url)).find((one) => /\/building\/\S+$/.test(one)) ?? assert.fail('no example');
  const { data } = (await (await fetch(example)).json()) as { data: { lat: number; lon: number } };
  const near = await pageText(`${url}/kaigo/near/?lat=${data.lat}&lon=${data.lon}`);
  assert.match(near, /href="[^"]*\/map\/\?homes=1&amp;lat=[\d.]+&amp;lon=[\d.]+&amp;zoom=\d+"/);
  const ofService = await pageText(`${url}/kaigo/near/?lat=${data.lat}&lon=${data.lon}&service=510`);
  const [, only = assert.fail('no map')] = /href="[^"]*\/map\/\?(homes=1[^"]*)"/.exec(ofService) ?? [];
  const mapOfService = await pageText(`${url}/map/?${only.replaceAll('&amp;', '&')}`);
  assert.match(mapOfService, /特別養護老人ホームだけを表示しています。 <a href="\/map\/\?homes=1/);
  const [, tiles = assert.fail('no tiles')] = /"tiles":"([^"]*\/homes\/[^"]*)"/.exec(mapOfService) ?? [];
  assert.match(tiles, /\?service=510$/);
  const shown = async (query: string) => {
    const { x, y } = tileAt(13, data.lat, data.lon);
    const tile = await fetch(url + tiles.replace('{x}', `${x}`).replace('{y}', `${y}`).replace(/\?.*/, query));
    const { features } = (await tile.json()) as { features: { properties: { service: string } }[] };
    return new Set(features.map(({ properties }) => properties.service));
  };
  assert.deepEqual([...(await shown('?service=510'))], ['510']);
  assert.ok((await shown('')).size > 1);
  const own = await pageText(`${url}/kaigo/near/?lat=${data.lat}&lon=${data.lon}&care_level=5&copayment=20`);
  const [, query = assert.fail('no map')] = /href="[^"]*\/map\/\?(homes=1[^"]*)"/.exec(own) ?? [];
  const map = await pageText(`${url}/map/?${query.replaceAll('&amp;', '&')}`);
  assert.match(map, /"path":"\/kaigo\/facility\/\{\}\/\?care_level=5&copayment=20"/);
  assert.match(map, /"careCase":\[\["care_level","5"\],\["copayment","20"\]\]/);
  assert.match(map, /<input type="hidden" name="care_level" value="5">/);
});

it('the field in the header has a hint that fits a phone, and its whole label', async (t) => {
  const { url } = await startServer(t, {});
  const page = await pageText(`${url}/en/docs/`);
  assert.match(page, /placeholder="Place"/);
  assert.match(page, /for="q">Town, address, building ID, care home</);
});

it('the 3D page draws every building within its radius', async (t) => {
  const dataset = new FakeDataset();
  const asked: number[] = [];
  const sunlight = dataset.sunlight!;
  const near = sunlight.near.bind(sunlight);
  Object.assign(sunlight, {
    near: (...[lat, lon, radiusM, most]: Parameters<typeof near>) => {
      asked.push(most);
      return near(lat, lon, radiusM, most);
    },
  });
  const { url } = await startServer(t, { dataset });
  await pageText(`${url}/sunlight/building/${KNOWN.building}/3d/`);
  assert.ok(asked.includes(Infinity), String(asked));
});

it('the links of the header keep the case and the month, but nothing of an address that is refused', async (t) => {
  const { url } = await startServer(t);
  const linksOn = async (path: string): Promise<string[]> => {
    const page = await (await fetch(url + path, { headers: { accept: 'text/html' } })).text();
    const nav = /<nav aria-label.*?<\/nav>/s.exec(page)?.[0] ?? '';
    return [...nav.matchAll(/href="(\/(?:map|kaigo)\/[^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
  };
  assert.deepEqual(await linksOn('/kaigo/?care_level=4&income=2'), [
    '/map/?care_level=4&income=2',
    '/kaigo/?care_level=4&income=2',
  ]);
  assert.deepEqual(await linksOn('/map/?month=3&care_level=4'), ['/map/?month=3&care_level=4', '/kaigo/?care_level=4']);
  for (const path of ['/about/?month=3&care_level=4', '/map/?month=13']) {
    assert.deepEqual(await linksOn(path), ['/map/', '/kaigo/']);
  }
});
