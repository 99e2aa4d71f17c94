import assert from 'node:assert/strict';
import { closeSync, cpSync, fstatSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import type { Dataset } from '../../src/dataset/dataset.ts';
import { openDataset, openNewest } from '../../src/dataset/open.ts';
import type { SearchAnswers } from '../../src/dataset/search.ts';
import { writeSearchIndex } from '../../src/dataset/search-index.ts';
import { STATIONS_FILE, writeStations } from '../../src/dataset/stations.ts';
import { writeSunlight } from '../../src/dataset/sunlight-writer.ts';
import { verifyDataset } from '../../src/dataset/verify.ts';
import { readGeoJson } from '../../src/landmarks/geojson.ts';
import { stationsOnce } from '../../src/landmarks/landmark.ts';
import { stationsOf, withReadings } from '../../src/pipeline/landmarks.ts';
import { readTownPaths } from '../../src/pipeline/towns.ts';
import { publishDataset, startDraft } from '../../src/snapshot/publish.ts';
import { bulkWriter, CREDIT, draftManifest, encoded } from '../dataset/support/dataset.ts';
import { records } from '../dataset/support/records.ts';
import { writeKaigo } from '../kaigo/support/build.ts';
import { startServer } from '../support/api-server.ts';
import { pageText } from '../support/page-text.ts';
import { ROOT } from '../support/run.ts';
import { tempFolder } from '../support/temp-folder.ts';

const RECORDS = fc
  .sample(records, { numRuns: 20, seed: 3 })
  .map((record, i) => ({ ...record, buildingId: `13101-bldg-${100 + i}`, townCode: null }));

/** Stations as 国土数値情報 publishes them, without readings. */
const N02 = JSON.stringify({
  type: 'FeatureCollection',
  features: [
    ['神田', 139.7709, 35.6917],
    ['大手町', 139.7662, 35.6846],
    ['新日本橋', 139.7733, 35.6889],
    // Outside the towns of the sample.
    ['浦和', 139.6571, 35.8586],
  ].map(([name, lon, lat]) => ({
    properties: { N02_003: '線', N02_005: name },
    geometry: { type: 'LineString', coordinates: [[lon, lat]] },
  })),
});

describe('search on the real sample', () => {
  let dataset: Dataset;
  let search: SearchAnswers;
  let folder: string;
  const cleanups: (() => void)[] = [];

  before(async () => {
    const out = tempFolder({ after: (cleanup: () => void) => void cleanups.push(cleanup) } as never);
    const sample = (name: string): string => join(ROOT, 'samples/real', name);
    const draft = await startDraft(out);
    const { towns } = await readTownPaths([sample('census.zip')], sample('postal.zip'));
    const rows = await writeSunlight(draft, encoded(RECORDS), towns, bulkWriter(draft, RECORDS));
    const kaigo = await writeKaigo(
      { offices: [sample('offices.zip')], asOf: '2026-06-01', builtOn: '2026-06-01' },
      draft,
    );
    Object.assign(rows, kaigo.rows);
    const { landmarks } = readGeoJson(N02, 'N02-23_Station.geojson');
    await writeStations(join(draft, STATIONS_FILE), stationsOf(withReadings(stationsOnce(landmarks), towns), towns));
    await writeSearchIndex(draft, { sunlight: true, kaigo: true, stations: true });
    const plain = draftManifest(CREDIT.dataset_id);
    const manifest = { ...plain, halves: { ...plain.halves, kaigo: kaigo.half.manifest } };
    folder = await publishDataset(out, draft, manifest, { rows });
    dataset = await openDataset(folder);
    assert.ok(dataset.search !== null);
    search = dataset.search;
  });
  after(async () => {
    await dataset.close();
    for (const cleanup of cleanups) cleanup();
  });

  /** Query, kind of the first result, and its name or the beginning of it. */
  const TABLE = [
    ['大手町一丁目', 'town', '大手町一丁目'],
    ['大手町１丁目', 'town', '大手町一丁目'],
    ['大手町1-3', 'town', '大手町一丁目'],
    ['東京都千代田区大手町1-3', 'town', '大手町一丁目'],
    ['神田司町2丁目2', 'town', '神田司町'],
    ['丸ノ内', 'town', '丸の内'],
    ['駿河台', 'town', '神田駿河台'],
    ['Marunouchi', 'town', '丸の内'],
    ['Nihonbashi', 'town', '日本橋'],
    ['Marunouchi 1-chome', 'town', '丸の内一丁目'],
    ['東京都千代田区丸の内１丁目９−１ 東京駅', 'town', '丸の内一丁目'],
    ['千代田区', 'municipality', '千代田区'],
    ['千代田', 'municipality', '千代田区'],
    ['ちよだく', 'municipality', '千代田区'],
    ['Chiyoda City', 'municipality', '千代田区'],
    ['131016', 'municipality', '千代田区'],
    ['13101', 'municipality', '千代田区'],
    ['江戸川', 'municipality', '江戸川区'],
    ['ロイヤル足立', 'facility', '特別養護老人ホーム ロイヤル足立'],
    ...['神田', '神田駅', 'かんだ', 'カンダ駅', 'かんだえき', 'Kanda', 'Kanda Station', 'kanda sta.', 'kanda eki'].map(
      (query) => [query, 'station', '神田駅'] as const,
    ),
    ['大手町駅', 'station', '大手町駅'],
    ['おおてまち', 'station', '大手町駅'],
    ['新日本橋', 'station', '新日本橋駅'],
    // Postal codes: of all chome, beside an address, in full width.
    ...['100-0005', '〒100-0005', '１００－０００５', '1000005', '100ー0005', '〒 100 0005', '〒100-6590'].map(
      (query) => [query, 'town', '丸の内'] as const,
    ),
    ['〒101-0044 千代田区鍛冶町2', 'town', '鍛冶町二丁目'],
    ['千代田区鍛冶町2 〒101-0044', 'town', '鍛冶町二丁目'],
    // Other spellings and ways to speak.
    ['ﾏﾙﾉｳﾁ', 'town', '丸の内'],
    ['マルノウチ２丁目', 'town', '丸の内二丁目'],
    ['丸の内 二丁目', 'town', '丸の内二丁目'],
    ['おおてまち1ちょうめ', 'town', '大手町一丁目'],
    ['大手町１－３－１', 'town', '大手町一丁目'],
    ['千代田区の丸の内', 'town', '丸の内'],
    ['千代田区　丸の内', 'town', '丸の内'],
    ['神田ヶ司町', 'town', '神田司町'],
    ['お丸の内', 'town', '丸の内'],
    ['丸の内パークビル', 'town', '丸の内'],
    ['丸ノ内ビルディング', 'town', '丸の内'],
    ['大手町タワー', 'station', '大手町駅'],
    ['chiyoda ward', 'municipality', '千代田区'],
    ['chiyoda', 'municipality', '千代田区'],
    ['チヨダ', 'municipality', '千代田区'],
    ['Edogawa City', 'municipality', '江戸川区'],
    ['東京都江戸川区', 'municipality', '江戸川区'],
    // Slips on a phone.
    ['丸の内二丁め', 'town', '丸の内二丁目'],
    ['丸の内二町目', 'town', '丸の内二丁目'],
    ['丸の内 2 丁目', 'town', '丸の内二丁目'],
    ['丸の内２の１', 'town', '丸の内二丁目'],
    ['丸の内にちょうめ', 'town', '丸の内二丁目'],
    ['まるのうちにちょうめ', 'town', '丸の内二丁目'],
    ['丸の内の日当たり', 'town', '丸の内'],
    ['日当たり 丸の内', 'town', '丸の内'],
    ['丸の内付近', 'town', '丸の内'],
    ['千代田丸の内', 'town', '丸の内'],
    ['千代田 丸の内', 'town', '丸の内'],
    ['八重洲辺り', 'town', '八重洲'],
    ['神田北乘物町', 'town', '神田北乗物町'],
    ['おうてまち', 'station', '大手町駅'],
    ['神田えき', 'station', '神田駅'],
  ] as const;
  for (const [query, kind, name] of TABLE) {
    it(query, () => {
      const [first] = search.find(query, null, 10).places;
      assert.equal(first?.kind, kind);
      assert.ok(first?.name.startsWith(name), first?.name);
    });
  }

  it('a station outside the towns of the data has no ward', () => {
    const wardsOf = (q: string) => search.find(q, 'station', 1).places.map((place) => [place.name, place.address]);
    assert.deepEqual(wardsOf('浦和駅'), [['浦和駅', null]]);
    assert.deepEqual(wardsOf('神田駅'), [['神田駅', '千代田区']]);
  });

  it('homes near a station name the station, and its ward where it is known', async (t) => {
    const { url } = await startServer(t, { open: () => openNewest(join(folder, '..')) });
    for (const [q, name] of [
      ['神田駅', '千代田区の神田駅'],
      ['浦和駅', '浦和駅'],
    ] as const)
      assert.ok((await pageText(`${url}/kaigo/near/?q=${encodeURIComponent(q)}`)).includes(`<bdi>${name}</bdi>`), q);
  });

  it('a station that the data lacks leads to its town before offices beside it', () => {
    const [first] = search.find('丸の内駅', null, 5).places;
    assert.deepEqual([first?.kind, first?.name], ['town', '丸の内']);
  });

  for (const [q, name] of [
    ['須田丁', '神田須田町'],
    ['神田須田丁', '神田須田町'],
    ['丸々内', '丸の内'],
    ['丸内', '丸の内'],
    ['日本ばし', '日本橋'],
    ['神田すだちょう', '神田須田町'],
    ['銀坐', '銀座'],
    ['ginnza', '銀座'],
    ['八重洲びるぢんぐ', '八重洲'],
  ] as const) {
    it(`${q} offers ${name} without a chome`, async (t) => {
      const { url } = await startServer(t, { open: () => openNewest(join(folder, '..')) });
      const page = await pageText(`${url}/search/?q=${encodeURIComponent(q)}`);
      const offered = /もしかして：.*/.exec(page)?.[0] ?? '';
      assert.match(offered, new RegExp(`<a class="button"[^>]*>${name}</a>`));
    });
  }

  it('the name of a home behind its municipality finds it, and not one of that name elsewhere', () => {
    const homes = search
      .find('千代田区', 'facility', 200)
      .places.filter(({ municipality_code: code }) => code === '131016');
    const others = homes.filter(({ name }) => !name.startsWith('千代田区')).slice(0, 20);
    assert.ok(others.length > 5);
    for (const { id, name } of others) {
      const { places, ignored } = search.find(`千代田区 ${name}`, null, 5);
      assert.ok(
        places.some((one) => one.id === id),
        name,
      );
      assert.equal(ignored, null);
      assert.deepEqual(
        search.find(`港区 ${name}`, null, 5).places.filter((one) => one.id === id),
        [],
      );
    }
  });

  it('an address that only offices have brings its town, too', () => {
    const addresses = search.find('千代田区', 'facility', 200).places.map(({ address }) => address ?? '');
    const towns = addresses.flatMap((address) => {
      const [written, town] = /(?<=千代田区)(\D+\d)-\d+/.exec(address) ?? [];
      const [found] = town === undefined ? [] : search.find(town, 'town', 1).places;
      return written === undefined || found === undefined ? [] : [{ written, name: found.name }];
    });
    const { written, name } = towns[0] ?? assert.fail('no office');
    const places = search.find(written, null, 20).places.map((one) => (one.kind === 'town' ? one.name : one.kind));
    assert.deepEqual(new Set(places), new Set(['facility', name]));
  });

  it('an address in Latin letters is looked for in the municipality it names', () => {
    for (const query of [
      '1-9-1 Marunouchi, Chiyoda-ku, Tokyo 100-0005',
      'Marunouchi 1-9-1, Chiyoda City, Tokyo, Japan',
    ]) {
      const { places, ignored } = search.find(query, null, 5);
      assert.deepEqual([places.map(({ name }) => name), ignored], [['丸の内一丁目'], null]);
    }
    const elsewhere = search.find('Nihonbashi, Chiyoda-ku', null, 1);
    assert.deepEqual([elsewhere.places[0]?.name, elsewhere.ignored], ['日本橋', 'Chiyoda-ku']);
  });

  it('a municipality is found by its code of five or six digits, and by no other', () => {
    for (const code of ['13101', '131016']) assert.equal(search.municipality(code)?.name, '千代田区', code);
    for (const code of ['131017', '13999', '1310', '131016 ', '13101101', 'ちよだく', ''])
      assert.equal(search.municipality(code), null, code);
  });

  it('whatever of an address in Latin letters nothing found lies in is said, and nothing else', () => {
    const IGNORED = {
      'Marunouchi, Osaka': 'Osaka',
      'Marunouchi, Chiyoda-ku, Osaka': 'Osaka',
      'Marunouchi, Tokyo-to': null,
      'Marunouchi, Tokyo, Japan': null,
      'Marunouchi, Shibuya-ku, Tokyo, Japan': 'Shibuya-ku',
      'Marunouchi Tower, Shibuya-ku': 'Tower, Shibuya-ku',
      'Nakano, Nagano': 'Nagano',
      'Nakano, Tokyo': null,
      // Areas are looked up as far as an address has them.
      'Marunouchi, Chiyoda-ku, Tokyo, Osaka, Nagoya, Kyoto': 'Osaka, Nagoya, Kyoto',
    };
    for (const [query, ignored] of Object.entries(IGNORED)) {
      const found = search.find(query, null, 3);
      assert.deepEqual([query, found.ignored], [query, ignored]);
      assert.ok(found.places.length > 0, query);
    }
  });

  it('a station or a landmark brings no facilities that only begin alike, and what was left away', () => {
    for (const query of ['Tokyo Station', '東京駅', 'Tokyo Skytree'])
      assert.deepEqual(search.find(query, null, 5), { places: [], ignored: null });
    for (const [query, left] of [
      ['丸の内駅', '駅'],
      ['Marunouchi Station', 'Station'],
    ] as const) {
      const { places, ignored } = search.find(query, null, 5);
      assert.deepEqual([places[0]?.kind, places[0]?.name, ignored], ['town', '丸の内', left]);
    }
    const { places, ignored } = search.find('Tokyo Station, Chiyoda-ku', null, 5);
    assert.deepEqual([places.map(({ name }) => name), ignored], [['千代田区'], 'Tokyo Station']);
    assert.ok(search.find('Tokyo Station', 'facility', 5).places.length > 0, 'facilities where they are asked for');
  });

  it('kanda, かんだ and 神田 find the same towns of Kanda', () => {
    const names = (query: string) => search.find(query, 'town', 20).places.map(({ name }) => name.slice(0, 2));
    for (const query of ['kanda', 'かんだ', 'カンダ', '神田'])
      assert.ok(
        names(query)
          .slice(0, 5)
          .every((name) => name === '神田'),
      );
  });

  it('a municipality brings the codes of both halves, a town those of its ward', () => {
    const codes = (query: string) =>
      search.find(query, null, 1).places.map((one) => [one.ward_code, one.municipality_code]);
    assert.deepEqual(codes('千代田区'), [['13101', '131016']]);
    assert.deepEqual(codes('大手町一丁目'), [['13101', '131016']]);
    assert.deepEqual(codes('江戸川区'), [[null, '131237']]);
  });

  it('an ID may be written in full width and with other hyphens', () => {
    assert.equal(search.find('１３１０１－ｂｌｄｇ－１０７', null, 1).places[0]?.id, '13101-bldg-107');
    assert.equal(search.find('13101‐BLDG‐107', null, 1).places[0]?.id, '13101-bldg-107');
  });

  it('kind and limit hold', () => {
    const facilities = search.find('中央', 'facility', 20).places;
    assert.equal(facilities.length, 20);
    assert.ok(facilities.every(({ kind }) => kind === 'facility'));
    assert.equal(search.find('中央', null, 3).places.length, 3);
  });

  it('an exact building ID comes first, the beginning of one lists those that begin so', () => {
    const id = '13101-bldg-107';
    assert.equal(search.find(id, null, 10).places[0]?.id, id);
    assert.ok(
      search.find(id.slice(0, 12), 'building', 20).places.every((place) => place.id.startsWith(id.slice(0, 12))),
    );
  });

  it('every name and reading finds itself', () => {
    const { sunlight, kaigo } = dataset;
    const tables = kaigo!
      .municipalities()
      .flatMap(({ municipality_code, services }) =>
        services.flatMap(({ service_code }) => kaigo!.rows(municipality_code, service_code, 'id') ?? []),
      );
    const facilities = new Map(tables.map(({ facility_id }) => [facility_id, kaigo!.facility(facility_id)!.toJSON()]));
    const places: { kind: 'town' | 'municipality' | 'facility'; name: string | null; reading: string | null }[] = [
      ...sunlight!.towns().map(({ name, reading }) => ({ kind: 'town' as const, name, reading })),
      ...kaigo!.municipalities().map(({ name }) => ({ kind: 'municipality' as const, name, reading: null })),
      ...[...facilities.values()].map((one) => ({ kind: 'facility' as const, name: one.name, reading: one.name_kana })),
    ];
    assert.ok(places.length > 1000);
    for (const { kind, name, reading } of places) {
      for (const text of [name, reading].filter((one) => one !== null)) {
        const found = search.find(text, kind, 20).places;
        assert.ok(
          found.some((place) => place.name === name || (reading !== null && place.reading === reading)),
          `${kind} ${text}`,
        );
      }
    }
  });

  it('verify makes the index again', async () => {
    const { differences, checked } = await verifyDataset(folder);
    assert.deepEqual(differences, []);
    assert.ok((checked.names ?? 0) > 1000);
  });

  it('from a damaged index comes the right answer or 503, never another', async (t) => {
    const copy = join(tempFolder(t), 'data', 'copy');
    cpSync(folder, copy, { recursive: true });
    const { url } = await startServer(t, { open: () => openNewest(join(copy, '..')) });
    const ask = async (query: string) => {
      const answer = await fetch(`${url}/api/v1/search?q=${encodeURIComponent(query)}`);
      const { data } = (await answer.json()) as { data?: { places: { id: string }[] } };
      return { status: answer.status, ids: data?.places.map(({ id }) => id) };
    };
    const right = TABLE.map(([query]) => search.find(query, null, 10).places.map(({ id }) => id));
    const file = openSync(join(copy, 'search.index'), 'r+');
    // All that names and terms lie in; the directory behind them is in memory.
    for (let at = 0; at < fstatSync(file).size - 60_000; at += 5000) writeSync(file, '!', at);
    closeSync(file);
    const statuses = new Set<number>();
    for (const [i, [query]] of TABLE.entries()) {
      const { status, ids } = await ask(query);
      statuses.add(status);
      if (status === 200) assert.deepEqual(ids, right[i], query);
    }
    assert.ok(statuses.has(503), [...statuses].join());
  });
});

it('the index of a dataset without names is empty, whole, and finds buildings by ID', async (t) => {
  const out = tempFolder(t);
  const draft = await startDraft(out);
  const rows = await writeSunlight(draft, encoded(RECORDS), [], bulkWriter(draft, RECORDS));
  await writeSearchIndex(draft, { sunlight: true, kaigo: false });
  const folder = await publishDataset(out, draft, draftManifest(CREDIT.dataset_id), { rows });
  assert.deepEqual((await verifyDataset(folder)).differences, []);
  const dataset = await openDataset(folder);
  t.after(() => dataset.close());
  assert.deepEqual(dataset.search?.find('千代田区', null, 10).places, []);
  assert.equal(dataset.search?.find('13101-bldg-107', null, 10).places[0]?.id, '13101-bldg-107');
});
