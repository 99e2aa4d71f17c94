import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { fold, foldRomaji, romaji } from '../../src/search/romaji.ts';
import { addressOf, lookUps, termsOf } from '../../src/search/terms.ts';

describe('one spelling', () => {
  const SAME = [
    ['神田神保町一丁目', '神田神保町1丁目', '神田神保町１丁目', '神田神保町 1-', '神田神保町１－'],
    ['霞が関', '霞ヶ関', '霞ケ関'],
    ['丸の内', '丸ノ内', '丸ﾉ内'],
    ['かんだ', 'カンダ', 'ｶﾝﾀﾞ'],
    ['きょう', 'キョウ', 'きよう'],
    ['西二十三丁目', '西23丁目'],
    ['西十丁目', '西10丁目'],
    ['北一条西二丁目', '北1条西2丁目', '北１条西2-'],
    ['北二十四条西', '北24条西'],
    ['三番町', '3番町', '３番町'],
    ['大手町一丁目二番三号', '大手町1丁目2番3号', '大手町１－２－３号'],
    ['西一〇丁目', '西10丁目', '西十丁目'],
    ['麴町', '麹町'],
    ['瀧井病院', '滝井病院'],
    ['齊藤病院', '斉藤病院', '斎藤病院'],
    ['冨士ヶ丘病院', '富士ヶ丘病院'],
    ['萬生会', '万生会'],
    ['商會', '商会'],
    ['サンライフ・中央', 'サンライフ　中央', 'さんらいふ中央'],
  ];
  for (const spellings of SAME) {
    it(spellings.join(' '), () => assert.deepEqual(new Set(spellings.map(fold)), new Set([fold(spellings[0] ?? '')])));
  }
  it('what differs in meaning stays', () => {
    assert.notEqual(fold('三番町'), fold('二番町'));
    assert.notEqual(fold('鹿嶋市'), fold('鹿島市'));
  });
});

describe('romaji', () => {
  const READINGS = {
    かんだ: 'kanda',
    まるのうち: 'marunouchi',
    じんぼうちょう: 'jinbouchou',
    にほんばし: 'nihonbashi',
    べっしょ: 'bessho',
    まっちゃ: 'matcha',
    シェル: 'sheru',
    きゅうでん: 'kyuuden',
    ウェルフェア: 'werufea',
    スウィート: 'suwito',
    クォーレ: 'kwore',
    イェーナ: 'yena',
    くぅねる: 'kuneru',
  };
  for (const [reading, expected] of Object.entries(READINGS))
    it(reading, () => assert.equal(romaji(reading), expected));
  it('Ōtemachi, Otemachi, Ohtemachi', () => {
    for (const text of ['Ōtemachi', 'ootemachi', 'Ohtemachi', 'Oh-temati']) assert.equal(foldRomaji(text), 'otemachi');
  });
  it('Jimbōchō, jinbocho, jinbouchou', () => {
    for (const text of ['Jimbōchō', 'jinbocho', 'jinbouchou', 'JIMBO-CHO', 'zinbotyo'])
      assert.equal(foldRomaji(text), 'jinbocho');
  });
});

const finds = (query: string, place: Parameters<typeof termsOf>[0]): boolean =>
  lookUps(query)
    .flatMap(({ texts }) => texts)
    .some((look) => termsOf(place, 'town').some(({ text }) => text.startsWith(look)));

describe('a query finds a place', () => {
  const place = {
    name: '神田神保町一丁目',
    reading: 'かんだじんぼうちょう1ちょうめ',
    address: '千代田区神田神保町一丁目',
  };
  const queries = ['kanda', 'かんだ', 'カンダ', '神田', '神保町', '神保町1', 'Kanda Jimbocho', 'kandajinbocho 1-chome'];
  for (const query of [...queries, '東京都千代田区神田神保町1-3', '千代田区神田', '神田神保町１丁目']) {
    it(query, () => assert.equal(finds(query, place), true));
  }
  const STREETS = [
    ['北一条西', '札幌市中央区北1条西2-1'],
    ['北一条西二丁目', '北1条西2-1'],
    ['三番町', '千代田区三番町5-3'],
    ['三番町', '3番町5'],
    ['三番町', '三番町'],
    ['三番町', '三番'],
    ['三番町', '3番'],
    ['三番町', '三番丁'],
    ['大手町一丁目', '大手町一'],
    ['大手町一丁目', '大手町一丁'],
  ] as const;
  for (const [town, query] of STREETS) {
    const ward = town === '三番町' ? '千代田区' : '札幌市中央区';
    it(`${town} by ${query}`, () =>
      assert.equal(finds(query, { name: town, reading: null, address: ward + town }), true));
  }
  it('and not any other', () => assert.equal(finds('大手町', place), false));
});

it('what is left away of a query is named, but for the number of a block', () => {
  const ignored = (query: string) => lookUps(query).map((lookUp) => lookUp.ignored);
  assert.deepEqual(ignored('神田司町2-2'), [null, null, null]);
  assert.deepEqual(ignored('神田駅'), [null, '駅', null]);
  assert.deepEqual(ignored('Chiyoda Ward'), [null, null]);
  assert.deepEqual(ignored('神田司町2-2 コーポ山田'), [null, 'コーポ山田', 'コーポ山田', 'コーポ山田']);
  for (const query of ['湯島 3 丁目', '湯島 3-10 5F 501号室', '北12条 西3丁目', 'Ginza 4 chome'])
    assert.ok(
      ignored(query)
        .slice(0, 2)
        .every((one) => one === null),
      query,
    );
  const tower = lookUps('Tokyo Tower');
  assert.deepEqual(
    tower.map(({ texts, ignored, hasFacilities }) => [texts, ignored, hasFacilities]),
    [
      [['tokyotower'], null, true],
      [['tokyo'], 'Tower', false],
    ],
  );
});

it('words behind the number of an address do not take its chome away', () => {
  for (const query of ['銀座4丁目 三越', '銀座四丁目 三越', '銀座4 三越']) {
    const [whole, upToNumber] = lookUps(query);
    assert.deepEqual([whole?.ignored, upToNumber?.texts[0], upToNumber?.ignored], [null, '銀座4', '三越']);
  }
});

it('an address in Latin letters is parted into the place, its number behind it, and what it lies in', () => {
  const written = '1-9-1 Marunouchi, Chiyoda-ku, Tokyo 100-0005';
  assert.deepEqual(addressOf(written), { place: 'Marunouchi 1-9-1', around: ['Chiyoda-ku', 'Tokyo'] });
  assert.deepEqual(
    lookUps(written)
      .slice(0, 2)
      .map(({ texts }) => texts),
    [
      ['marunouchi1-9-1', 'marunochi1-9-1'],
      ['marunouchi1-', 'marunochi1-'],
    ],
  );
  for (const postal of ['〒100-0005 ', '１００－０００５　', '1000005']) {
    assert.deepEqual(addressOf(`${postal}千代田区丸の内1`), { place: '千代田区丸の内1', around: [] });
  }
  assert.deepEqual(addressOf('丸の内, 千代田区'), { place: '丸の内, 千代田区', around: [] });
});

it('a town is found by its reading from the middle', () => {
  const place = { name: '神田小川町', reading: 'かんだおがわまち', address: null };
  const terms = termsOf(place, 'town').map(({ text }) => text);
  for (const text of ['おがわまち', 'ogawamachi', 'わまち']) assert.ok(terms.includes(text), text);
  assert.equal(new Set(terms).size, terms.length);
  assert.ok(!termsOf(place, 'facility').some(({ text }) => text === 'おがわまち'), 'of a home only its words');
});

it('every name, reading and address finds itself', () => {
  const text = (letters: string) => fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 20 });
  const name = text('神田丸内の町ノヶケが一二三丁目条番123アかー・ ABx');
  const kana = text('かんだじゃっょちうーカ 1');
  fc.assert(
    fc.property(name, kana, (name, reading) => {
      if (fold(name).replace(/-$/, '') === '') return;
      assert.ok(finds(name, { name, reading, address: null }), name);
      if (fold(reading) !== '') assert.ok(finds(reading, { name: 'x', reading, address: null }), reading);
    }),
    { numRuns: 2000, seed: 7 },
  );
});

it('an address of an unknown town is looked up by its municipality, the smallest first', () => {
  const last = (query: string) =>
    lookUps(query)
      .slice(-2)
      .map(({ texts, ignored }) => [texts[0], ignored]);
  assert.deepEqual(last('神奈川県横浜市西区みなとみらい'), [
    ['横浜市西区', 'みなとみらい'],
    ['横浜市', '西区みなとみらい'],
  ]);
  assert.deepEqual(lookUps('新宿区').length, 1);
});

it('what is asked about a place does not belong to its name', () => {
  const names = (query: string) => lookUps(query)[0]!.texts;
  for (const query of ['新宿区で日当たりのいい所', '日当たりの良い町 新宿区', '新宿区のマンション', '新宿区 5階の部屋'])
    assert.ok(names(query).includes('新宿区'), query);
});
