import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { Facility } from '../../src/contract/operations/kaigo-facility.ts';
import { MunicipalityTable } from '../../src/contract/operations/kaigo-municipality.ts';
import { FacilitiesNear } from '../../src/contract/operations/kaigo-near.ts';
import { BuildingFloor } from '../../src/contract/operations/sunlight-building-floor.ts';
import type { JsonBytes } from '../../src/formats/json-bytes.ts';
import { latinName } from '../../src/search/romaji.ts';
import { startServer } from '../support/api-server.ts';
import { tokyoExample } from '../support/example.ts';
import { FakeDataset, KNOWN } from '../support/fake-dataset.ts';
import { pageText as text } from '../support/page-text.ts';

const answer = <Value>(value: Value): JsonBytes<Value> => ({ toJSON: () => value }) as JsonBytes<Value>;

describe('what a server without a half shows', () => {
  it('no link leads to the half that is not there, and its pages say so in the language of the page', async (t) => {
    const dataset = new FakeDataset();
    Object.assign(dataset, { kaigo: null });
    dataset.manifest.halves.kaigo = null;
    const { url } = await startServer(t, { dataset });
    const building = `/sunlight/building/${KNOWN.building}/`;
    for (const path of ['/', '/sunlight/', building, '/search/?q=', '/docs/', '/nowhere/', '/kaigo/']) {
      for (const language of ['', '/en']) {
        const page = await text(url + language + path);
        // The page in the other language is the same page.
        const links = [...page.matchAll(/<a [^>]*?href="([^"]*)"(?! hreflang)/g)].map(([, href]) => href!);
        assert.ok(links.length > 5, path);
        assert.deepEqual(
          links.filter((href) => href.includes('/kaigo/')),
          [],
          language + path,
        );
      }
    }
    const [japanese, english] = [await text(`${url}/kaigo/`), await text(`${url}/en/kaigo/`)];
    assert.match(japanese, /介護施設のデータがありません/);
    assert.match(english, /no data on care homes/);
    // Waiting does not help.
    assert.ok(!/もう一度|時間をおいて/.test(japanese));
    assert.ok(!/again|emporar/.test(english));
    assert.ok(!(await text(`${url}/`)).includes('施設名'), 'what is looked for is there');
    assert.ok(
      !/介護|国勢調査/.test(/<h2>データ<\/h2>.*?<\/p>/.exec(await text(`${url}/about/`))?.[0] ?? assert.fail()),
    );
    assert.ok(!(await text(`${url}/sitemap.xml`)).includes('/kaigo/'));
  });

  it('without sunlight the first page is about care homes alone', async (t) => {
    const dataset = new FakeDataset();
    Object.assign(dataset, { sunlight: null });
    dataset.manifest.halves.sunlight = null;
    const { url } = await startServer(t, { dataset });
    const page = await text(`${url}/`);
    assert.ok(!/href="[^"]*\/(sunlight|map)\//.test(page));
    const head = page.slice(0, page.indexOf('<main'));
    assert.ok(!/樹木|建物ID|町名/.test(page) && !/日当たり|東京/.test(head));
    assert.ok(page.includes('介護施設の費用と人員を比べる'));
  });

  it('without towns the first page has a building as its example, and so has its JSON', async (t) => {
    const dataset = new FakeDataset();
    Object.assign(dataset.sunlight!, { towns: () => [], townSun: () => [], idsBeginning: () => [KNOWN.building] });
    Object.assign(dataset.manifest.files, {
      [`bulk/sunlight/${KNOWN.ward}.parquet`]: { bytes: 1, sha256: '', rows: 1 },
    });
    const [place] = dataset.search!.find('x', null, 1).places;
    const ward = { ...place!, kind: 'municipality', id: `${KNOWN.ward}6`, ward_code: null, municipality_code: null };
    Object.assign(dataset.search!, { find: () => ({ places: [ward], ignored: null }) });
    const { url } = await startServer(t, { dataset });
    assert.match(await text(`${url}/search/?q=x`), new RegExp(`"/sunlight/${KNOWN.ward}/">日当たり`));
    const home = await text(`${url}/`);
    assert.ok(home.includes(`href="/sunlight/building/${KNOWN.building}/"`));
    assert.match(home.slice(home.indexOf('<main')), /href="\/sunlight\/">区の一覧</);
    assert.ok((await text(`${url}/index.json`)).includes(`/api/v1/sunlight/building/${KNOWN.building}/full`));
    assert.match(await text(`${url}/sunlight/`), /町の境界がデータにない/);
    assert.match(await text(`${url}/sunlight/${KNOWN.ward}/`), new RegExp(`の建物の日当たり.*${KNOWN.building}`, 's'));
  });
});

it('a ward names its sunniest towns; a whole town has the mean and the list of its chome', async (t) => {
  const dataset = new FakeDataset();
  const sunlight = dataset.sunlight!;
  const [known] = sunlight.towns();
  const numbers = ['一', '二', '三', '四'];
  const chome = numbers.map((n, i) => ({ ...known!, town_code: `1310100100${i + 1}`, name: `千代田町${n}丁目` }));
  const sums = chome.map(({ town_code }, i) => ({
    ...{ town_code, buildings: i === 0 ? 5 : 30, classes: [35], brightest: [], darkest: [] },
    ...{ december_top_hours: i === 0 ? 9 : i + 1, december_first_hours: 1, annual_hours: 5 },
  }));
  const listed = sunlight.town(KNOWN.town, 1, 1)!.toJSON();
  const whole = { ...listed.town, town_code: '131010010', name: '千代田町' };
  Object.assign(sunlight, {
    towns: () => chome,
    townSun: () => sums,
    town: (code: string) => answer({ ...listed, town: chome.find((one) => one.town_code === code) ?? whole }),
  });
  const { url } = await startServer(t, { dataset });
  const ward = await text(`${url}/sunlight/${KNOWN.ward}/`);
  assert.match(ward, /aria-current="true">(五十音順|コード順)</, 'the list says its order');
  // The first has too few buildings.
  const links = numbers.slice(1).map((n, i) => `<a href="/sunlight/town/1310100100${i + 2}/">千代田町${n}丁目</a>`);
  assert.ok(ward.includes(`${links[2]}（4.0時間）・${links[1]}（3.0時間）・${links[0]}（2.0時間）`));
  const page = await text(`${url}/sunlight/town/131010010/`);
  // (5 × 9 + 30 × (2 + 3 + 4)) / 95
  assert.match(page, /95棟の平均で、.*<b>3\.32時間<\/b>/);
  for (const { town_code } of chome) assert.ok(page.includes(`href="/sunlight/town/${town_code}/"`), town_code);
});

it('what pages and the map load is there', async (t) => {
  const { url } = await startServer(t, { dataset: new FakeDataset() });
  const loaded = new Set<string>();
  for (const path of ['/', '/docs/', `/sunlight/building/${KNOWN.building}/`]) {
    for (const [, file] of (await text(url + path)).matchAll(/(?:href|src|content)="[^"]*(\/assets\/[^"]+)"/g))
      loaded.add(file!);
  }
  assert.ok(loaded.size >= 4, String([...loaded]));
  for (const path of loaded) assert.equal((await fetch(url + path)).status, 200, path);
});

describe('names in Latin letters', () => {
  const READINGS = {
    かんだあわじちょう1ちょうめ: 'Kandaawajicho 1-chome',
    おおてまち２ちょうめ: 'Otemachi 2-chome',
    まるのうち: 'Marunouchi',
    ちよだく: 'Chiyodaku',
    ちゅうおうく: 'Chuoku',
    にほんばしにんぎょうちょう: 'Nihonbashiningyocho',
    リバーサイドグリーン: 'Ribasaidogurin',
    // Vowels of two words, and long ones that look like them.
    ひろお5ちょうめ: 'Hiroo 5-chome',
    しもおちあい: 'Shimoochiai',
    しもおおさき: 'Shimoosaki',
    せどおか: 'Sedooka',
    にしのおもて: 'Nishinoomote',
    かつうら: 'Katsuura',
    とようら: 'Toyoura',
    せとうち: 'Setouchi',
    しんかみごとうちょう: 'Shinkamigotocho',
    みずうみ: 'Mizuumi',
    てんのうじ: 'Tennoji',
    はんのう: 'Hanno',
    つつみどおり: 'Tsutsumidori',
    こおりやま: 'Koriyama',
    とおの: 'Tono',
    のおがた: 'Nogata',
    ゆうらくちょう: 'Yurakucho',
    おうら: 'Ora',
  };
  for (const [reading, name] of Object.entries(READINGS)) it(name, () => assert.equal(latinName(reading), name));
  it('a reading that is not all kana has none', () => {
    for (const reading of ['', '神田', 'かんだ<b>']) assert.equal(latinName(reading), null);
  });
});

describe('homes near a place', () => {
  const row = tokyoExample(FacilitiesNear).facilities[0]!;
  /** A home that costs so much with usual additions; `excludes`: what that leaves out; `bill`: where its fees come from. */
  const home = (
    name: string,
    typical: number,
    excludes: string[] = [],
    bill: 'published_fees' | 'standard_fees' = 'published_fees',
  ): typeof row => {
    const cost = { low: typical - 1000, typical, high: typical + 1000 };
    const basis = {
      bill,
      additions: null,
      food: 'published',
      room: 'published',
      rent: null,
      management_fees: null,
    } as const;
    return {
      ...row,
      name,
      cost_estimate: {
        ...row.cost_estimate,
        monthly_yen: cost,
        after_refund: null,
        excludes,
        basis,
        room: null,
        other_rooms: [],
      },
    };
  };

  it('lead to pages of homes that have a link back to the results, with their place, sum and case', async (t) => {
    const dataset = new FakeDataset();
    const facilities = [{ ...home('Home', 100_000), facility_id: KNOWN.facility }];
    Object.assign(dataset.kaigo!, { near: () => answer({ ...tokyoExample(FacilitiesNear), facilities }) });
    const { url } = await startServer(t, { dataset });
    const crumbs = (page: string): string[] =>
      [...(/<nav class="crumbs".*?<\/nav>/s.exec(page)?.[0] ?? '').matchAll(/href="([^"]*)"><bdi>([^<]*)/g)].map(
        ([, href, name]) => `${name} ${href!.replaceAll('&amp;', '&')}`,
      );
    const search = `q=${encodeURIComponent('神田')}&max_yen=${encodeURIComponent('15万')}`;
    for (const [prefix, label] of [
      ['', '検索結果へ戻る：神田の近く・月150,000円以内'],
      ['/en', 'Back to the results: near 神田, up to ¥150,000 a month'],
    ] as const) {
      const results = `${prefix}/kaigo/near/?${search}&care_level=4`;
      const list = (await text(url + results)).replaceAll('&amp;', '&');
      const link =
        new RegExp(`href="(${prefix}/kaigo/facility/${KNOWN.facility}/\\?[^"]*)"`).exec(list)?.[1] ??
        assert.fail('no link');
      assert.ok(link.includes(search), link);
      const [own, sheet] = [await text(url + link), await text(url + link.replace('?', 'visit/?'))];
      const compared = await text(`${url}${prefix}/kaigo/compare/?f=${KNOWN.facility}&${search}&care_level=4`);
      for (const page of [own, sheet, compared])
        assert.ok(crumbs(page).includes(`${label} ${results}`), `${crumbs(page)}`);
      const [distance, leftOut] = prefix === '' ? ['距離（', '含まないもの'] : ['Distance, ', 'Not included'];
      assert.match(compared, new RegExp(`<th scope="row">${distance}.*?</th><td>[\\d.]+ k?m</td>`));
      assert.match(compared, new RegExp(`<th scope="row">${leftOut}</th><td>`));
      assert.match(own, /<input type="hidden" name="q" value="神田"><input type="hidden" name="max_yen" value="15万">/);
      // The boxes of the list lead to the comparison with the search too.
      assert.match(list, /compare\/"><input[^>]*name="care_level"[^>]*><input type="hidden" name="q"/);
    }
    // A sheet is shown at the home: its printed address has no sum. The form of the page keeps it.
    const printed = /class="print-only">[^<]*</.exec(
      await text(`${url}/kaigo/facility/${KNOWN.facility}/visit/?${search}&care_level=4`),
    );
    assert.match(printed?.[0] ?? '', /\/visit\/\?care_level=4</);
    const alone = crumbs(await text(`${url}/kaigo/facility/${KNOWN.facility}/?max_yen=150000`));
    assert.ok(!alone.some((one) => one.includes('検索結果')), 'no search without a place');
    const filters = `max_yen=${encodeURIComponent('15万')}&min_capacity=30&has=published_fees`;
    const ofTable = await text(`${url}/kaigo/facility/${KNOWN.facility}/?care_level=4&${filters}`);
    assert.match(crumbs(ofTable).at(-1)!, / \/kaigo\/\d{6}\/\d{3}\/\?care_level=4&/);
    assert.ok(crumbs(ofTable).at(-1)!.endsWith(filters), 'the filters of the table from which a visitor comes');
    const elsewhere = await text(`${url}/kaigo/facility/${KNOWN.facility}/?q=https://example.com/`);
    assert.match(crumbs(elsewhere).at(-1)!, / \/kaigo\/near\/\?q=https%3A%2F%2Fexample.com%2F$/);
  });

  it('do not cover each other on the plan, a line leads from a number to its place, and circles are whole', async (t) => {
    const dataset = new FakeDataset();
    // Six homes in two houses and one alone, 1,700 m to the west: the circle of 2 km is as near as the edge.
    const places = [...Array(3).fill([35.6927, 139.7633]), ...Array(3).fill([35.6927, 139.7634]), [35.6902, 139.7412]];
    const facilities = places.map(([lat, lon], i) => ({ ...home(`Home ${i}`, 100_000), lat, lon }));
    Object.assign(dataset.kaigo!, { near: () => answer({ ...tokyoExample(FacilitiesNear), facilities }) });
    const { url } = await startServer(t, { dataset });
    const page = await text(`${url}/kaigo/near/?lat=35.69&lon=139.76`);
    const numbers = (pattern: RegExp): number[][] => [...page.matchAll(pattern)].map((one) => one.slice(1).map(Number));
    const pins = numbers(/class="pin" cx="([\d.]+)" cy="([\d.]+)" r="(\d+)"/g);
    assert.equal(pins.length, places.length);
    for (const [i, [x = 0, y = 0, radius = 0]] of pins.entries()) {
      for (const [otherX = 0, otherY = 0] of pins.slice(i + 1))
        assert.ok(Math.hypot(x - otherX, y - otherY) >= 2 * radius, `${x} ${y} and ${otherX} ${otherY}`);
    }
    assert.equal(numbers(/<path class="leader"()/g).length, 5);
    const rings = numbers(/class="ring" cx="([\d.]+)" cy="[\d.]+" r="([\d.]+)"/g);
    assert.ok(rings.length > 2 && rings.every(([middle = 0, radius = 0]) => radius < middle), String(rings));
    assert.match(page, />2 km<\/text>/);
  });

  it('leave out those whose service does not take the level of the case, and say how many', async (t) => {
    const dataset = new FakeDataset();
    const closed = home('Closed', 100_000);
    const estimate = { ...closed.cost_estimate, monthly_yen: null, reason: 'not_for_support_level' as const };
    const facilities = [home('Open', 140_000), { ...closed, cost_estimate: estimate }];
    Object.assign(dataset.kaigo!, { near: () => answer({ ...tokyoExample(FacilitiesNear), facilities }) });
    const { url } = await startServer(t, { dataset });
    const page = await text(`${url}/kaigo/near/?lat=35.69&lon=139.76&care_level=support_2`);
    assert.match(page, /入居施設が1件あります/);
    assert.match(page, /要支援2の方が利用できないサービスの1件は除いています/);
    assert.ok(!page.includes('Closed'));
  });

  it('count those that one can pay and name the cheapest; a figure without rent is none of them', async (t) => {
    const dataset = new FakeDataset();
    const facilities = [
      home('Far', 160_000),
      home('<b>Near</b>', 140_000),
      home('Dearer', 145_000),
      home('Standard', 130_000, [], 'standard_fees'),
      home('Part', 20_000, ['rent', 'food']),
    ];
    const asked: unknown[] = [];
    Object.assign(dataset.kaigo!, {
      near: (...given: unknown[]) => {
        asked.push(given);
        const maxYen = given[6] === null ? Infinity : Number(given[6]);
        const isWithin = ({ cost_estimate: { monthly_yen } }: typeof row) =>
          (monthly_yen?.typical ?? Infinity) <= maxYen;
        return answer({ ...tokyoExample(FacilitiesNear), facilities: facilities.filter(isWithin) });
      },
    });
    const { url } = await startServer(t, { dataset });
    const page = await text(`${url}/en/kaigo/near/?lat=35.69&lon=139.76&care_level=5&max_yen=150000`);
    assert.match(
      page,
      /Of 5 homes within 2 km, 3 cost ¥150,000 a month or less\. Cheapest of the 2 that publish their fees: <bdi>&lt;b&gt;Near&lt;\/b&gt;<\/bdi>, with usual additions <b>¥140,000<\/b> a month\. One home that does not publish all fees would cost less, as far as standard fees show \(least: ¥130,000\)\./,
    );
    assert.match(page, /Not listed: 1 whose cost with rent and food is not known/);
    assert.deepEqual([page.includes('>Far<'), page.includes('>Part<')], [false, false]);
    assert.deepEqual((asked[0] as unknown[]).slice(0, 3), [35.69, 139.76, 2000]);
    assert.equal(((asked[0] as unknown[])[5] as { careLevel: number }).careLevel, 5);
    const none = await text(`${url}/en/kaigo/near/?lat=35.69&lon=139.76&max_yen=100000`);
    assert.match(none, /0 cost ¥100,000 a month or less\. The lowest cost with rent and food is ¥130,000 a month/);
    assert.match(none, /r=3000">Search within 3 km<\/a> <a href="[^"]*(?<!max_yen=[^"]*)">Search without a maximum/);
    const all = await text(`${url}/en/kaigo/near/?lat=35.69&lon=139.76`);
    assert.match(all, /5 homes within 2 km\./);
    const names = (html: string): string[] =>
      [...html.matchAll(/>(Far|Dearer|Standard|Part)</g)].map(([, name]) => name!);
    const [first] = names(await text(`${url}/en/kaigo/near/?lat=35.69&lon=139.76&sort=cost`));
    assert.deepEqual([names(all)[0], first], ['Far', 'Standard'], 'the nearest and the cheapest');
    for (const wrong of ['lat=35.69', 'lat=1&lon=2', 'lat=35.69&lon=139.76&r=7'])
      assert.equal((await fetch(`${url}/kaigo/near/?${wrong}`)).status, 400, wrong);
    const at = '/en/kaigo/near/?lat=35.69&lon=139.76';
    const much = await text(`${url}${at}&max_yen=much`);
    assert.match(much, /role="alert">“much” is not an amount/, 'a wrong sum keeps the form');
    assert.ok(much.includes('value="much"'));
    const sums = ['150,000', '15万', '１５０ ０００', '15万円', '15万円以内', '月15万くらい', '十五万円'].map((sum) =>
      text(`${url}${at}&max_yen=${encodeURIComponent(sum)}`),
    );
    for (const page of await Promise.all(sums)) assert.match(page, /cost ¥150,000 a month or less/);
    const kept = await fetch(`${url}/kaigo/near/?lat=35.69&lon=139.76`);
    assert.equal(kept.headers.get('cache-control'), 'private, no-store');
  });

  it('stand in two tables: a part of a bill never before a whole one, in either order', async (t) => {
    const dataset = new FakeDataset();
    const facilities = [home('Part', 25_000, ['food', 'rent']), home('Dear', 150_000), home('Cheap', 90_000)];
    const near = { ...tokyoExample(FacilitiesNear), comparable_cost: true, facilities };
    Object.assign(dataset.kaigo!, { near: () => answer(near) });
    const { url } = await startServer(t, { dataset });
    const page = async (query: string): Promise<string> => text(`${url}/kaigo/near/?lat=35.69&lon=139.76${query}`);
    const heading = (group: string): string => `<h2>${group}`;
    for (const [query, order] of [
      ['', ['Dear', 'Cheap']],
      ['&sort=cost', ['Cheap', 'Dear']],
    ] as const) {
      const list = (await page(query)).split('<form method="get" action="/kaigo/compare/">')[1]!;
      const marks = [heading('家賃・食費を含む'), ...order, heading('家賃・食費などが別'), 'Part'].map((mark) =>
        list.indexOf(mark),
      );
      assert.ok(marks[0]! >= 0 && marks.every((at, i) => i === 0 || at > marks[i - 1]!), `${query}: ${marks}`);
      assert.match(list, /3\. <a[^>]*><bdi>Part/);
    }
    near.facilities = facilities.slice(1);
    assert.ok(!(await page('')).includes(heading('家賃')), 'one kind needs no headings');
  });

  it('that cost the same least are all named, and counted where they are many', async (t) => {
    const dataset = new FakeDataset();
    let facilities = [home('<b>One', 140_000), home('Two', 140_000), home('Dear', 150_000)];
    Object.assign(dataset.kaigo!, {
      near: () => answer({ ...tokyoExample(FacilitiesNear), facilities }),
    });
    const { url } = await startServer(t, { dataset });
    const said = async (): Promise<string> =>
      /<p class="answer">.*?<\/p>/s.exec(await text(`${url}/en/kaigo/near/?lat=35.69&lon=139.76`))?.[0] ?? '';
    assert.match(
      await said(),
      /Cheapest of the 3 that publish their fees: <bdi>&lt;b&gt;One \(134 waiting\)<\/bdi>, <bdi>Two \(134 waiting\)<\/bdi>, with usual additions <b>¥140,000/,
    );
    facilities = ['A', 'B', 'C', 'D'].map((name) => home(name, 140_000));
    assert.match(await said(), /Of the 4 that publish their fees, 4 cost least: with usual additions <b>¥140,000/);
    // A home with standard fees ties too.
    facilities = [home('A', 140_000), home('B', 150_000), home('C', 140_000, [], 'standard_fees')];
    assert.match(await said(), /One home that does not publish all fees would cost the same/);
  });

  it('name the kind of room of each figure, and what is cheaper in another one', async (t) => {
    const dataset = new FakeDataset();
    const [shared, mixed, unknown] = [home('Shared', 122_850), home('Mixed', 130_830), home('Unknown', 140_000)];
    const yen = { low: 121_350, typical: 121_350, high: 121_350 };
    shared.cost_estimate.room = 'shared';
    mixed.cost_estimate.room = 'private';
    mixed.cost_estimate.other_rooms = [
      { room: 'shared', monthly_yen: yen, after_refund: yen },
      { room: 'unit', monthly_yen: yen, after_refund: { low: 150_000, typical: 160_000, high: 170_000 } },
    ];
    // Cheaper than the first home, but not than the room of another kind.
    const between = home('Between', 122_000);
    between.cost_estimate.basis!.bill = 'standard_fees';
    const facilities = [shared, mixed, unknown, between];
    Object.assign(facilities[0]!, { capacity: 1200 });
    Object.assign(dataset.kaigo!, {
      near: () => answer({ ...tokyoExample(FacilitiesNear), facilities }),
    });
    const { url } = await startServer(t, { dataset });
    const page = await text(`${url}/kaigo/near/?lat=35.69&lon=139.76`);
    assert.match(
      page,
      /最も安いのは<bdi>Shared<\/bdi>（多床室、1か月 標準的な加算込み <b>122,850円<\/b>）です。ほかの部屋も含めると、最も安いのは<bdi>Mixed<\/bdi>（多床室、1か月 121,350円）です。/,
    );
    assert.ok(!page.includes('これより安くなります'));
    const [, first, second, third] = page.split('<tr id="home-');
    assert.ok(first!.includes('多床室の金額') && first!.includes('1,200人'));
    // The list is in order of this figure, so a row shows it first.
    assert.match(first!, /<b>標準的な加算込み 122,850円<\/b><small>/);
    assert.match(
      second!,
      /従来型個室の金額<br>多床室なら 121,350円<br>ユニット型個室なら 150,000円から（標準的\u00a0160,000円）/,
    );
    assert.match(third!, /部屋の種類は不明/);
    assert.match(first!, /data-label="介護職員1人あたり利用者">[\d.]+人/);
  });

  it('of a country, prefectures come first and then their municipalities', async (t) => {
    const dataset = new FakeDataset();
    const [one] = dataset.kaigo!.municipalities();
    const there = [one!, { ...one!, municipality_code: '011002', prefecture: '北海道', name: '札幌市' }];
    Object.assign(dataset.kaigo!, { municipalities: () => there });
    const { url } = await startServer(t, { dataset });
    const country = await text(`${url}/kaigo/`);
    assert.ok(country.includes('/kaigo/01/"') && !country.includes('札幌市'));
    const prefecture = await text(`${url}/kaigo/01/`);
    assert.ok(prefecture.includes('札幌市') && /\/kaigo\/011002\/\d{3}\//.test(prefecture));
    assert.equal((await fetch(`${url}/kaigo/47/`)).status, 404);
  });
});

it('a search for a service near a place offers the homes there, also in several words of Latin letters', async (t) => {
  const dataset = new FakeDataset();
  const [place] = dataset.search!.find('', null, 1).places.concat(dataset.search!.find('x', null, 1).places);
  const towns = [{ ...place!, kind: 'town' as const, name: '神田神保町' }];
  Object.assign(dataset.search!, {
    find: (query: string) => ({ places: /^(神田|Kanda)$/i.test(query) ? towns : [], ignored: null }),
  });
  const { url } = await startServer(t, { dataset });
  const asked = {
    神田の特養: '神田',
    'とくよう　神田': '神田',
    '神田の近く 特養': '神田',
    '神田の 特養': '神田',
    'nursing homes near Kanda': 'Kanda',
    'special nursing home Kanda': 'Kanda',
  };
  for (const [query, where] of Object.entries(asked)) {
    const page = await text(`${url}/en/search/?${new URLSearchParams({ q: query })}`);
    assert.ok(page.includes(`/kaigo/near/?${new URLSearchParams({ q: where })}`), query);
  }
  assert.match(await text(`${url}/search/?${new URLSearchParams({ q: '九段下駅' })}`), /その駅は.*データにありません/);
  for (const query of ['〒101-0044', '１０１－００４４', '1010044']) {
    assert.match(
      await text(`${url}/search/?${new URLSearchParams({ q: query })}`),
      /この郵便番号の町は見つかりませんでした/,
      query,
    );
  }
});

it('a list that the data lacks is named, for a prefecture or for the country; else a municipality has 0 facilities', async (t) => {
  const dataset = new FakeDataset();
  const places = [
    ['131016', '千代田区', '東京都', ['510', '520', '540', '550', '331', '336']],
    ['011002', '札幌市', '北海道', ['520', '540', '550', '331']],
    ['011011', '札幌市中央区', '北海道', ['520', '540']],
  ] as const;
  const municipalities = places.map(([municipality_code, name, prefecture, services]) => ({
    ...{ municipality_code, name, prefecture, prefecture_code: municipality_code.slice(0, 2), facilities: 9 },
    services: services.map((service_code) => ({ service_code, facilities: 3 })),
  }));
  const table = tokyoExample(MunicipalityTable);
  const [found] = dataset.search!.find('x', null, 1).places;
  const sapporo = { ...found!, kind: 'municipality', id: '011002', name: '札幌市', municipality_code: '011002' };
  const near = tokyoExample(FacilitiesNear);
  const inSapporo = [{ ...near.compared_with[0]!, prefecture_code: '01' }];
  Object.assign(dataset.search!, { find: () => ({ places: [sapporo], ignored: null }) });
  Object.assign(dataset.kaigo!, {
    municipalities: () => municipalities,
    near: () => answer({ ...near, compared_with: inSapporo }),
    municipality: (code: string, service_code: string) =>
      answer({
        ...table,
        municipality: { ...table.municipality, municipality_code: code },
        service: { ...table.service, service_code },
        ...{ total: 0, facilities: [] },
      }),
  });
  const { url } = await startServer(t, { dataset });
  const [here, nowhere] = [
    'この都道府県の特別養護老人ホームの一覧は、このデータにありません',
    'グループホームの一覧は、このデータにありません',
  ];
  const where = `q=${encodeURIComponent('札幌市')}`;
  for (const [path, ...said] of [
    ['/kaigo/011011/510/', here],
    ['/kaigo/011011/320/', nowhere],
    ['/kaigo/011011/336/', 'この市区町村のこのサービスの施設は0件です'],
    ['/kaigo/011011/550/', 'この市区町村のこのサービスの施設は0件です'],
    ['/kaigo/01/', here, nowhere],
    ['/kaigo/near/?lat=43&lon=141', here, nowhere],
    ['/kaigo/near/?lat=43&lon=141&service=510', here],
    [`/search/?${where}`, here, nowhere],
    [`/search/?${where}${encodeURIComponent('の特養')}`, here],
    [`/search/?${where}${encodeURIComponent('のグループホーム')}`, nowhere],
  ] as const) {
    const page = await text(url + path);
    for (const words of said) assert.ok(page.includes(words), `${path}: ${words}`);
    if (!said.some((words) => words === nowhere)) assert.ok(!page.includes(nowhere), path);
  }
  assert.match(
    await text(`${url}/en/kaigo/011011/510/`),
    /For this prefecture the data has no list of: Special nursing homes\./,
  );
});

describe('a care home', () => {
  const home = tokyoExample(Facility);
  const [service] = home.services;
  const pagesOf = async (t: TestContext, more: Partial<Facility['services'][number]>) => {
    const dataset = new FakeDataset();
    Object.assign(dataset.kaigo!, { facility: () => answer({ ...home, services: [{ ...service!, ...more }] }) });
    const { url } = await startServer(t, { dataset });
    const path = `/kaigo/facility/${KNOWN.facility}/`;
    return [await text(url + path), await text(`${url}/en${path}`)] as const;
  };

  it('says which published fee is not used, whom homes of the law admit, and when places were free', async (t) => {
    const [ja, en] = await pagesOf(t, {
      service_code: '510',
      minimum_care_level: null,
      vacancies: 3,
      vacancies_on: '2026-10-01',
      waiting: 12,
      waiting_on: '2026-09-01',
      as_published: { food_yen_per_day: '<i>445', room_yen_per_day: '―' },
      ministry_url: 'https://www.kaigokensaku.mhlw.go.jp/13/?a=1&b=2',
    });
    assert.ok(
      ja.includes('公表システムのページ') && ja.includes('href="https://www.kaigokensaku.mhlw.go.jp/13/?a=1&amp;b=2"'),
    );
    assert.match(ja, /食費（1日）「<bdi>&lt;i&gt;445<\/bdi>」は、今の料金とは考えにくい（.*）ため計算に使っていません/);
    assert.ok(!ja.includes('「―」') && ja.includes('原則として要介護3以上'));
    assert.ok(ja.includes('3人（2026-10-01現在）') && ja.includes('12人（2026-09-01現在）'));
    assert.match(en, /fee for food \(a day\), “<bdi>&lt;i&gt;445<\/bdi>”, is unlikely to be the fee of today/);
    assert.ok(en.includes('3 (on 2026-10-01)') && en.includes('care level 3 or higher'));
  });

  it('has a sheet for a visit that asks what is not known, and what is unusual', async (t) => {
    const peers = { percentile: 91, known: 20, of: 40 };
    const turnover = { value: 31.5, prefecture: peers, japan: peers };
    const quality = { ...service!.quality!, turnover_percent: turnover, nurses_at_night: null };
    const estimate = service!.cost_estimate;
    const basis = { ...estimate.basis!, food: 'standard_refused' as const, room: 'published' as const };
    const additions = { low: 0, typical: 13_102, high: 15_245 };
    const dataset = new FakeDataset();
    const one = {
      ...service!,
      quality,
      waiting: null,
      as_published: { food_yen_per_day: '445' },
      vacancies: 2,
      filed_additions: null,
      cost_estimate: { ...estimate, basis, parts: { ...estimate.parts!, additions } },
    };
    Object.assign(dataset.kaigo!, { facility: () => answer({ ...home, services: [one] }) });
    const { url } = await startServer(t, { dataset });
    const page = await text(`${url}/kaigo/facility/${KNOWN.facility}/visit/`);
    for (const asked of [
      '公表されている「445円」',
      '離職率は31.5%',
      '夜間に看護職員',
      '待機者は何人',
      '処遇改善加算を含めて月13,102円',
    ])
      assert.ok(page.includes(asked), asked);
    const own = await text(`${url}/kaigo/facility/${KNOWN.facility}/`);
    assert.ok(own.includes('うち加算（処遇改善加算を含む）：0円〜15,245円・標準的 13,102円'), 'the same figure');
    for (const known of ['居住費は部屋の種類ごとに', '空きはありますか']) assert.ok(!page.includes(known), known);
  });

  it('the sheet for a visit asks about evacuation in a hazard zone, and about a rent in words', async (t) => {
    const estimate = service!.cost_estimate;
    const one = {
      ...service!,
      as_published: { rent_yen_per_month: '3万円～' },
      cost_estimate: { ...estimate, parts: { ...estimate.parts!, rent: null } },
    };
    const flood = { rank: 3, from_m: 3, to_m: 5, river: null, scenario: 'largest' };
    const dataset = new FakeDataset();
    const sheet = async (hazards: object): Promise<string> => {
      Object.assign(dataset.kaigo!, { facility: () => answer({ ...home, hazards, services: [one] }) });
      const { url } = await startServer(t, { dataset });
      return text(`${url}/kaigo/facility/${KNOWN.facility}/visit/`);
    };
    const inZone = await sheet({ flood, landslide: null });
    assert.ok(inZone.includes('避難確保計画') && inZone.includes('家賃の公表は「3万円～」です'));
    assert.ok(!(await sheet({ flood: { ...flood, rank: 0 }, landslide: [] })).includes('避難確保計画'));
  });

  it('the sheet for a visit asks about levels 1 and 2 only those whom the answer may concern', async (t) => {
    const dataset = new FakeDataset();
    const one = { ...service!, service_code: '510', minimum_care_level: null };
    Object.assign(dataset.kaigo!, { facility: () => answer({ ...home, services: [one] }) });
    const { url } = await startServer(t, { dataset });
    for (const [query, isAsked] of [
      ['', true],
      ['?care_level=2', true],
      ['?care_level=4&partner=1', true],
      ['?care_level=4', false],
      ['?care_level=4&partner=none', false],
      ['?partner=none', true],
    ] as const) {
      const sheet = await text(`${url}/kaigo/facility/${KNOWN.facility}/visit/${query}`);
      assert.equal(sheet.includes('要介護1・2でも入れる特例'), isAsked, query);
    }
  });

  it('the sheet for a visit tells the sun of its building with the interval of the model', async (t) => {
    const dataset = new FakeDataset();
    const { buildings, ...found } = dataset.sunlight!.near(0, 0, 2, 1).toJSON();
    const inside = { ...found, buildings: [{ ...buildings[0]!, building_id: KNOWN.building, distance_m: 0 }] };
    const { floor, faces, ...rest } = tokyoExample(BuildingFloor);
    const interval = { p10_hours: 2.1, p90_hours: 3.4 };
    const year = Array.from({ length: 12 }, (_, i) => ({ ...faces[0]!.months![0]!, month: i + 1, interval }));
    const computed = { ...rest, faces: faces.map((face) => ({ ...face, months: year, receptor_details: [] })) };
    Object.assign(dataset.sunlight!, { near: () => answer(inside) });
    Object.assign(dataset, { compute: async (demand: { floor: number }) => ({ ...computed, floor: demand.floor }) });
    const { url } = await startServer(t, { dataset });
    const sheet = await text(`${url}/kaigo/facility/${KNOWN.facility}/visit/`);
    assert.match(sheet, /この建物の日当たり：12月15日、.*（モデルの誤差で2\.1〜3\.4時間）.*建物は位置から推定しました/);
  });

  it('the words beside its costs follow the data', async (t) => {
    const estimate = service!.cost_estimate;
    const pageWith = async (more: object): Promise<string> =>
      (await pagesOf(t, { cost_estimate: { ...estimate, ...more } }))[0];
    const basis = { ...estimate.basis!, additions: 'typical' };
    const additions = { daily_units: 58, monthly_units: 0, confidence: 'confirmed' };
    const known = await pageWith({ basis, additions });
    assert.ok(known.includes('標準的な加算込み'), 'typical additions');
    assert.ok(!(await pageWith({ additions: null })).includes('標準的な加算込み'));
    const unknown = await pageWith({ monthly_yen: null, after_refund: null, parts: null, reason: 'no_units_known' });
    assert.ok(unknown.includes('当サイトの料金表に未収録です'));
  });

  it('says of which income stage a published fee is the limit', async (t) => {
    const dataset = new FakeDataset();
    const shown = { ...home, services: [{ ...service!, as_published: { food_yen_per_day: '1360' } }] };
    const lists = { stages: ['3-2'], until: '2026-07-31' };
    Object.assign(dataset.kaigo!, { facility: () => answer(shown), feeInLists: () => lists });
    const { url } = await startServer(t, { dataset });
    const [ja, en] = await Promise.all(
      ['', '/en'].map((language) => text(`${url}${language}/kaigo/facility/${KNOWN.facility}/`)),
    );
    assert.match(ja!, /「<bdi>1,360円<\/bdi>」は、第3段階②（.*?）の限度額（2026-07-31まで）と同じ/);
    assert.match(
      en!,
      /“<bdi>¥1,360<\/bdi>”, is the limit of stage 3-2 \(.*?\) \(until 2026-07-31\), so it is unlikely to be what/,
    );
  });

  it('stands beside others with how its staff was counted', async (t) => {
    const dataset = new FakeDataset();
    const staffing = {
      ...service!.staffing!,
      basis: 'fte' as const,
      users_per_care_staff: 2.5,
      users_from: 'capacity',
    };
    const rooms = { ...service!.rooms!, private: 1100 };
    const shown = { ...home, services: [{ ...service!, staffing, rooms, capacity: 1200, waiting: 1300 }] };
    Object.assign(dataset.kaigo!, { facility: () => answer(shown) });
    const { url } = await startServer(t, { dataset });
    const page = await text(`${url}/en/kaigo/compare/?f=${KNOWN.facility}`);
    assert.match(page, /2\.50<br><small>full-time equivalents, by capacity/);
    const japanese = await text(`${url}/kaigo/compare/?f=${KNOWN.facility}`);
    const reading = /<small>[^<]+<\/small><a class="no-print remove"/;
    assert.match(page, reading, 'the reading below the name');
    assert.doesNotMatch(japanese, reading);
    for (const value of ['2.50人<br>', '1,200人', '1,300人', '1,100室']) assert.ok(japanese.includes(value), value);
  });

  it('is set beside homes that count their staff as it does, in whole yen', async (t) => {
    const quartiles = (median: number) => ({ count: 9, lower_quartile: 1, median, upper_quartile: 9 });
    const places = (median: number) => ({ prefecture: quartiles(median), japan: null });
    const [, en] = await pagesOf(t, {
      staffing: { ...service!.staffing!, basis: 'fte', users_per_care_staff: 2.5 },
      compared_with: {
        cost: places(119_684.5),
        users_per_care_staff: places(1.11),
        users_per_care_staff_fte: places(3.33),
        occupancy: places(0.9),
      },
    });
    assert.ok(en.includes('median of the prefecture 3.33') && !en.includes('1.11'));
    assert.ok(en.includes('¥119,685') && !en.includes('119,684.5'));
  });
});

describe('a table of care homes', () => {
  const page = `/kaigo/${KNOWN.municipality}/510/`;

  it('can be saved for a spreadsheet under a name of its own', async (t) => {
    const { url } = await startServer(t, {});
    assert.match(await text(url + page), /<a href="\/kaigo\/\d{6}\/510\/table\.csv\?sort=cost">この表をCSVで/);
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await fetch(`${url}${page}table.csv?sort=cost`, { method });
      assert.equal(status, 200);
      const named = `attachment; filename="kaigo-${KNOWN.municipality}-510.csv"`;
      assert.equal(headers.get('content-disposition'), named, method);
    }
  });

  it('says in English that names are in Japanese, and in a case of low income what has to be applied for', async (t) => {
    const { url } = await startServer(t, {});
    assert.match(await text(`${url}/en${page}`), /Names and addresses are in Japanese; their spelling/);
    assert.match(await text(`${url}/en${page}?income=2`), /apply to the municipality/);
    assert.match(await text(`${url}${page}?income=3-2`), /認定を受けた場合で、預貯金などの条件/);
    assert.ok(!(await text(`${url}${page}?income=taxed_380`)).includes('預貯金'));
  });

  it('sums up whole bills apart from those without rent and food', async (t) => {
    const dataset = new FakeDataset();
    const table = tokyoExample(MunicipalityTable);
    const [row] = table.facilities;
    assert.ok(row !== undefined);
    const costing = (yen: number, bill: 'insured_part_only' | 'published_fees') => {
      const range = { low: yen, typical: yen, high: yen };
      const basis = { bill, food: null, room: null, rent: null, management_fees: null };
      return { ...row, cost_estimate: { ...row.cost_estimate, monthly_yen: range, after_refund: range, basis } };
    };
    const facilities = [costing(24_000, 'insured_part_only'), costing(150_000, 'published_fees')];
    Object.assign(dataset.kaigo!, { municipality: () => answer({ ...table, facilities, total: 2, page_count: 1 }) });
    const { url } = await startServer(t, { dataset });
    const said = /<p class="answer">.*?<\/p>/s.exec(await text(`${url}/en${page}`))?.[0] ?? '';
    assert.match(said, /Where the full cost is known/);
    assert.ok(said.includes('¥150,000') && !said.includes('24,000'), said);
  });

  it('says why no home has a figure, and leaves out columns that no home fills; a home without insured care has rent alone', async (t) => {
    const dataset = new FakeDataset();
    const table = tokyoExample(MunicipalityTable);
    const [row] = table.facilities;
    assert.ok(row !== undefined);
    const show = (cost: object, query = '') => {
      const facilities = [
        { ...row, staffing: null, capacity: null, opened_on: null, cost_estimate: { ...row.cost_estimate, ...cost } },
      ];
      Object.assign(dataset.kaigo!, {
        municipality: () => answer({ ...table, facilities, total: 1, page_count: 1, comparable_cost: false }),
      });
      return text(url + page + query);
    };
    const { url } = await startServer(t, { dataset });
    const nothing = { monthly_yen: null, after_refund: null, parts: null, basis: null };
    const goods = await show({ ...nothing, reason: 'goods' });
    assert.match(goods, /<p class="answer">1件。費用は推計できません。福祉用具の料金は品目によります。<\/p>/);
    assert.match(goods, /介護職員1人あたり利用者・定員・開設は、どの施設も公表値がありません/);
    assert.ok(!/<th scope="col"[^>]*>(定員|開設)</.test(goods) && !goods.includes('並べ順'));
    const range = (low: number, high: number) => ({ low, typical: (low + high) / 2, high });
    const home = await show(
      {
        monthly_yen: range(120_000, 130_000),
        after_refund: range(120_000, 130_000),
        reason: null,
        parts: {
          care: range(0, 0),
          additions: range(0, 0),
          residence: null,
          rent: range(50_000, 60_000),
          management_fees: range(30_000, 30_000),
          food: range(40_000, 40_000),
        },
        basis: {
          bill: 'published_fees',
          food: 'published',
          room: null,
          rent: 'register',
          management_fees: 'published',
        },
        excludes: ['insured_care', 'initial_payment'],
      },
      '?sort=id',
    );
    assert.match(home, /家賃・管理費・食費は.*120,000円.*から.*130,000円/);
    assert.match(home, /標準的 .*125,000円/);
    assert.match(home, /自己負担はこの金額に含みません/);
    assert.ok(!home.includes('処遇改善加算込み') && !home.includes('料金表 '));
  });
});

describe('hostile published text', () => {
  const NAME = `"><script>alert(1)</script>'\u202e${'長'.repeat(500)}`;

  it('stays text wherever it is shown, and only http and https become links', async (t) => {
    const dataset = new FakeDataset();
    const facility = {
      ...tokyoExample(Facility),
      name: NAME,
      name_kana: NAME,
      address: NAME,
      phone: NAME,
      url: 'javascript:alert(1)',
    };
    facility.services = facility.services.map((one) => ({ ...one, ministry_url: 'javascript:alert(1)' }));
    facility.corporation = { ...facility.corporation, name: NAME };
    const table = tokyoExample(MunicipalityTable);
    const rows = table.facilities.map((row) => ({ ...row, name: NAME, address: NAME }));
    const place = { ...dataset.search!.find('x', null, 1).places[0]!, name: NAME, reading: NAME, address: NAME };
    Object.assign(dataset.kaigo!, {
      facility: () => answer(facility),
      municipality: () => answer({ ...table, facilities: rows }),
    });
    dataset.search = {
      find: () => ({ places: [place, place], ignored: null }),
      municipality: () => place,
      blocks: () => [],
    };
    const { url } = await startServer(t, { dataset });
    const { facility: id, municipality } = KNOWN;
    const query = new URLSearchParams({ q: NAME, add: NAME, f: id });
    const paths = [`/kaigo/facility/${id}/`, `/kaigo/${municipality}/510/`, '/kaigo/compare/', '/search/'];
    for (const path of paths.flatMap((one) => [one, `/en${one}`])) {
      const page = await text(`${url}${path}?${/compare|search/.test(path) ? query : ''}`);
      assert.match(page, /&lt;script&gt;alert\(1\)/, path);
      assert.ok(!page.includes('<script>alert'), path);
      assert.ok(!/(href|src)="javascript:/i.test(page), path);
    }
  });

  it('of towns stays text on their pages and beside their buildings', async (t) => {
    const dataset = new FakeDataset();
    const sunlight = dataset.sunlight!;
    const town = { ...sunlight.towns()[0]!, name: NAME, reading: NAME, ward_name: NAME };
    const full = { ...sunlight.full(KNOWN.building)!.toJSON(), town_name: NAME };
    const listed = sunlight.town(KNOWN.town, 1, 100)!.toJSON();
    Object.assign(sunlight, {
      towns: () => [town],
      full: () => answer(full),
      town: () => answer({ ...listed, town }),
    });
    const { url } = await startServer(t, { dataset });
    const compared = `/compare/?b=${KNOWN.building}`;
    const paths = ['/sunlight/', `/sunlight/${town.ward_code}/`, `/sunlight/town/${KNOWN.town}/`, compared];
    for (const path of paths.flatMap((one) => [one, `/en${one}`])) {
      const page = await text(url + path);
      assert.ok(!page.includes('<script>alert'), path);
      // Behind a quotation mark that is not escaped an attribute would end.
      assert.ok(!page.includes('"&gt;&lt;script'), path);
      assert.match(page, /&lt;script&gt;alert\(1\)/, path);
    }
  });
});
