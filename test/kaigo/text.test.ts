import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Findings } from '../../src/kaigo/findings.ts';
import { csvRecords, linesOf, withoutBlankEnd } from '../../src/kaigo/lists/csv.ts';
import { decodeTable } from '../../src/kaigo/lists/decode.ts';
import { officeListName } from '../../src/kaigo/lists/office-list.ts';
import { cleanAddress, phoneNumber, reading, tidy, webAddress } from '../../src/kaigo/text.ts';
import { day, decimalNumber, numberRange, wholeNumber } from '../../src/kaigo/values.ts';

test('dates in every form that was met', () => {
  const forms: [string, string][] = [
    ['2017-08-01', '2017-08-01'],
    ['2013-6-1', '2013-06-01'],
    ['2013/6/1', '2013-06-01'],
    ['2013.6.1', '2013-06-01'],
    ['２０１３年６月１日', '2013-06-01'],
    ['20130601', '2013-06-01'],
    ['平成25年8月26日', '2013-08-26'],
    ['H25.8.26', '2013-08-26'],
    ['h25/8/26', '2013-08-26'],
    ['平25.8.26', '2013-08-26'],
    ['昭和63年4月1日', '1988-04-01'],
    ['S39-6-17', '1964-06-17'],
    ['令和元年5月1日', '2019-05-01'],
    ['H元.4.1', '1989-04-01'],
    ['R2.2.29', '2020-02-29'],
    ['大正15年12月24日', '1926-12-24'],
    ['0025-08-26', '2013-08-26'],
    ['0063-04-01', '1988-04-01'],
  ];
  for (const [text, expected] of forms) {
    const typed = day(text);
    assert.equal(typeof typed === 'string' ? typed : typed.value.day, expected, text);
  }
  for (const text of ['', '0000-00-00', ' ', '0000/0/0']) assert.equal(day(text), 'blank', text);
  for (const text of [
    '2013-02-30',
    '2013-13-01',
    '平成0年1月1日',
    '不明',
    '2013',
    '2013-6',
    '1700-01-01',
    '25-08-26-1',
  ]) {
    assert.equal(day(text), 'unreadable', text);
  }
});

test('every way of writing a day gives that day', () => {
  const days = fc.date({ min: new Date('1990-01-01'), max: new Date('2018-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(days, (date) => {
      const iso = date.toISOString().slice(0, 10);
      const [y, m, d] = iso.split('-').map(Number) as [number, number, number];
      for (const text of [
        `${y}-${m}-${d}`,
        `${y}年${m}月${d}日`,
        `平成${y - 1988}年${m}月${d}日`,
        `${String(y - 1988).padStart(4, '0')}-${m}-${d}`,
      ]) {
        const typed = day(text);
        assert.equal(typeof typed === 'string' ? typed : typed.value.day, iso, text);
      }
    }),
  );
});

test('numbers with commas, full-width digits and units', () => {
  for (const [text, value] of [
    ['60', 60],
    ['６０', 60],
    ['1,234', 1234],
    ['１，２３４円', 1234],
    ['60人', 60],
    ['60.0', 60],
    ['0', 0],
    ['5.5万円', 55_000],
    ['５５千円', 55_000],
    ['月額30,000円', 30_000],
    ['約58,000円', 58_000],
    ['48,600円（税込、30日）', 48_600],
    ['4万5千円', 45_000],
    ['２２万５，０００円', 225_000],
  ] as const) {
    assert.deepEqual(wholeNumber(text), { value }, text);
  }
  assert.deepEqual(decimalNumber('18.5'), { value: 18.5 });
  assert.deepEqual(decimalNumber('１８．５人'), { value: 18.5 });
  for (const text of ['', '  ']) assert.equal(wholeNumber(text), 'blank');
  for (const text of ['-1', '1,2', '12,34', 'x', '1e3', '約60', '60-70', '18.5'])
    assert.equal(wholeNumber(text), 'unreadable', text);
  for (const [text, low, high] of [
    ['55,000円～70,000円', 55_000, 70_000],
    ['5〜7万円', 50_000, 70_000],
    ['5〜7万円まで', 50_000, 70_000],
    ['55000-70000', 55_000, 70_000],
    ['2.5万円から3万円まで', 25_000, 30_000],
  ] as const) {
    assert.deepEqual(numberRange(text), { low, high }, text);
  }
  for (const text of ['', '55000', '70000～55000', '03-1234-x']) assert.equal(numberRange(text), null, text);
});

test('telephone numbers', () => {
  const cases: [string, string | null][] = [
    ['03-6904-0105', '03-6904-0105'],
    ['０３－６９０４－０１０５', '03-6904-0105'],
    ['03‐6904–0105', '03-6904-0105'],
    ['（03）6904ー0105', '03-6904-0105'],
    ['0369040105', '0369040105'],
    ['090-1234-5678', '090-1234-5678'],
    ['代表', null],
    ['0', null],
    ['03-6904', null],
    ['0855-28-2188・', '0855-28-2188'],
    [':011-598-1613', '011-598-1613'],
    ['0962-63-5148.', '0962-63-5148'],
    ['050-1234-5678', '050-1234-5678'],
    ['0800-123-4567', '0800-123-4567'],
    ['0120-123-456', '0120-123-456'],
    ['0000000000', null],
    ['0054-639-1234', null],
    ['0980-989-6369', null],
    ['080-902-5550', null],
  ];
  for (const [text, expected] of cases) assert.equal(phoneNumber(text), expected, text);
});

test('web addresses', () => {
  const cases: [string, string | null][] = [
    ['http://www.hidamari.example', 'http://www.hidamari.example'],
    ['https://hidamari.example/a?b=c', 'https://hidamari.example/a?b=c'],
    ['tps.hidamari.example', 'http://tps.hidamari.example'],
    ['http.www.hidamari.example', 'http://www.hidamari.example'],
    ['www.hidamari.example/', 'http://www.hidamari.example/'],
    ['http:www.hidamari.example', 'http://www.hidamari.example'],
    ['http:/www.hidamari.example', 'http://www.hidamari.example'],
    ['https//www.hidamari.example', 'https://www.hidamari.example'],
    ['ｗｗｗ．ｈｉｄａｍａｒｉ．ｅｘａｍｐｌｅ', 'http://www.hidamari.example'],
    ['http://介護.example/', 'http://介護.example/'],
    ['info@hidamari.example', null],
    ['なし', null],
    ['http://', null],
    ['http://www/hidamari.example/', null],
  ];
  for (const [text, expected] of cases) assert.equal(webAddress(text), expected, text);
});

test('full-width digits and spaces become half-width, letters stay', () => {
  assert.equal(tidy('　Ｓ＆Ｎ　ケア１２３\u200b　'), 'Ｓ＆Ｎ ケア123');
  // What turns the direction of letters would turn all that follows on a page.
  assert.equal(tidy('\u202eABC特養\u200f'), 'ABC特養');
  assert.equal(reading('ﾋﾀﾞﾏﾘ の　オカ'), 'ヒダマリ ノ オカ');
  for (const villa of ['ウ゛ィラ', 'ウ　゛ィラ', 'ｳﾞｨﾗ', 'う゛ぃら', 'ヴィラ']) assert.equal(reading(villa), 'ヴィラ');
  assert.equal(reading('ハ゜ーク'), 'パーク');
});

test('addresses begin with prefecture and municipality, once', () => {
  const cases: [published: string, prefecture: string, municipality: string, expected: string][] = [
    ['東京都練馬区東京都練馬区土支田2-31-5', '東京都', '練馬区', '東京都練馬区土支田2-31-5'],
    ['練馬区土支田２‐３１‐５', '東京都', '練馬区', '東京都練馬区土支田2-31-5'],
    ['1180-1結の郷', '宮城県', '角田市', '宮城県角田市1180-1結の郷'],
    ['北25条西16丁目2番1号', '北海道', '札幌市北区', '北海道札幌市北区北25条西16丁目2番1号'],
    ['北区北25条西16丁目', '北海道', '札幌市北区', '北海道札幌市北区北25条西16丁目'],
    ['札幌市北区新川6条', '北海道', '札幌市北区', '北海道札幌市北区新川6条'],
    ['石狩郡当別町本町1', '北海道', '当別町', '北海道石狩郡当別町本町1'],
    ['東京都三宅島三宅村神着1', '東京都', '三宅村', '東京都三宅島三宅村神着1'],
    ['東京都港区緑町1', '東京都', '千代田区', '東京都港区緑町1'],
    ['山梨県　南都留郡　富士河口湖町　船津　3172', '山梨県', '富士河口湖町', '山梨県南都留郡 富士河口湖町 船津 3172'],
    ['愛知県常滑市常滑市本町1-13', '愛知県', '常滑市', '愛知県常滑市本町1-13'],
  ];
  for (const [published, prefecture, municipality, expected] of cases) {
    assert.equal(cleanAddress(published, '', prefecture, municipality).address, expected, published);
  }
  const house = (building: string) => cleanAddress('東京都港区緑町1陽だまりビル', building, '東京都', '港区').address;
  assert.equal(house('陽だまりビル'), '東京都港区緑町1 陽だまりビル');
  assert.equal(house('　日向棟　２階'), '東京都港区緑町1陽だまりビル 日向棟 2階');
  assert.equal(cleanAddress(' 　', '', '東京都', '港区').address, null);
});

test('the building of a list stands apart from the number of the house', () => {
  const cases: [published: string, building: string, expected: string][] = [
    ['東京都墨田区京島１－１８－１０１０１', '１０１', '東京都墨田区京島1-18-10 101'],
    ['京島1丁目44番2F', '2F', '東京都墨田区京島1丁目44番 2F'],
    ['東京都墨田区京島4番25号302', '302', '東京都墨田区京島4番25号 302'],
    ['東京都墨田区京島1-1 陽だまりビル 2階', '陽だまりビル　2階', '東京都墨田区京島1-1 陽だまりビル 2階'],
    ['東京都墨田区京島1-7-31OMMビル3階OMMビル3階', 'OMMビル3階', '東京都墨田区京島1-7-31 OMMビル3階'],
    ['京島2-6　３８ビル６０１３８ビル６０１', '３８ビル６０１', '東京都墨田区京島2-6 38ビル601'],
    // There is no building.
    ['東京都墨田区京島1-17-18なし', 'なし', '東京都墨田区京島1-17-18'],
    ['東京都墨田区京島4番25号-', '-', '東京都墨田区京島4番25号'],
    // The text of the building is a part of the number.
    ['京島1-12F2F', '2F', '東京都墨田区京島1-12F 2F'],
    ['東京都墨田区京島2-7-25 橘ビル', '25 橘ビル', '東京都墨田区京島2-7-25 橘ビル'],
    ['東京都墨田区京島1-4-4', '1-4-4', '東京都墨田区京島1-4-4'],
    ['東京都墨田区京島59番地1', '1', '東京都墨田区京島59番地1'],
    ['京島59番地1', '京島59番地1', '東京都墨田区京島59番地1'],
  ];
  for (const [published, building, expected] of cases) {
    const { address, buildingRepeated } = cleanAddress(published, building, '東京都', '墨田区');
    assert.deepEqual([address, buildingRepeated], [expected, true], published);
  }
});

test('a clean address is unchanged', () => {
  const texts = fc.array(fc.constantFrom('東京都', '練馬区', '北区', '町', '1-2', '　', '土支田', '郡'), {
    maxLength: 8,
  });
  fc.assert(
    fc.property(texts, (parts) => {
      const once = cleanAddress(parts.join(''), '', '東京都', '練馬区').address;
      if (once !== null) assert.equal(cleanAddress(once, '', '東京都', '練馬区').address, once);
    }),
  );
});

test('records have their line numbers with any line ending', () => {
  const cells = fc.array(fc.constantFrom('あ', 'a,b', 'say "ah"', '', 'two\nlines', ' x '), {
    minLength: 2,
    maxLength: 4,
  });
  fc.assert(
    fc.property(cells, fc.array(cells, { maxLength: 20 }), fc.constantFrom('\n', '\r\n'), (header, rows, eol) => {
      const table = [header, ...rows.map((row) => header.map((_, i) => row[i] ?? ''))].filter(
        (row) => row.join('') !== '',
      );
      const text = table.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join(eol);
      const records = [...csvRecords([text])];
      assert.deepEqual(
        records.map(({ values }) => values),
        table,
      );
      let line = 1;
      table.forEach((row, i) => {
        assert.equal(records[i]!.line, line);
        line += row.join('').split('\n').length;
      });
    }),
  );
});

test('a table is the same, however its bytes are cut into pieces', () => {
  const parts = fc.array(fc.constantFrom('あ', 'a', ',', '"', '""', ' ', '\n', '\r\n', '\r', '\n\n'), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(parts, fc.array(fc.nat(80), { maxLength: 6 }), (texts, cuts) => {
      const text = texts.join('');
      const places = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length];
      const pieces = places.slice(1).map((end, i) => text.slice(places[i], end));
      assert.deepEqual([...csvRecords(pieces)], [...csvRecords([text])]);
    }),
  );
});

test('lines end with LF or CRLF, or with CR in a text without LF', () => {
  assert.deepEqual([...linesOf(['a\r', '\nb\n', '\nc\rd'])], ['a', 'b', '', 'c\rd']);
  assert.deepEqual([...linesOf(['a\rb', '\r', 'c'])], ['a', 'b', 'c']);
  assert.deepEqual([...linesOf([])], ['']);
  assert.deepEqual([...withoutBlankEnd(['a', '', ' ', 'b', '', ' '])], ['a', '', ' ', 'b']);
});

test('a file larger than what is decoded at a time is whole, and a bad byte is found on its line', () => {
  const findings = new Findings();
  const text = Array.from({ length: 60_000 }, (_, i) => `${i},陽だまり`).join('\r\n');
  const bytes = Buffer.from(`\ufeff${text}`);
  assert.ok(bytes.length > 1.1 * 2 ** 20);
  assert.equal([...decodeTable(bytes, 'whole.csv', findings)].join(''), text);
  assert.deepEqual(findings.report(), {});
  bytes[bytes.indexOf('59000,陽') + 7] = 0xff;
  const damaged = [...decodeTable(bytes, 'damaged.csv', findings)].join('');
  assert.equal(damaged.split('\n').length, 60_000);
  assert.match(findings.report().file_bytes!.examples[0]!, /damaged\.csv.*59001/);
});

test('one broken record costs one record, and stray quotes none', () => {
  const lines = ['a,b', '1,2', '3,"4', '5,6', '7,8"9"', '10,"1""1"', '7"8,9"1', '7"8,9"1,2', '"1"2,"3,4"5', '12,13'];
  assert.deepEqual(
    [...csvRecords([lines.join('\r\n')])].map(({ line, values, strayQuotes }) => [
      line,
      values?.join('|') ?? null,
      strayQuotes,
    ]),
    [
      [1, 'a|b', false],
      [2, '1|2', false],
      [3, null, false],
      [4, '5|6', false],
      [5, '7|8"9"', true],
      [6, '10|1"1', false],
      [7, '7"8|9"1', true],
      [8, null, false],
      [9, '"1"2|"3,4"5', true],
      [10, '12|13', false],
    ],
  );
});

test('office lists by their names, old and new', () => {
  const cases: [string, ReturnType<typeof officeListName>][] = [
    ['jigyosho_510.csv', { serviceCode: '510', extractedOn: null, stamp: '' }],
    ['a/b\\jigyosho_510.CSV', { serviceCode: '510', extractedOn: null, stamp: '' }],
    ['jigyosho_510_all_20260709180754.csv', { serviceCode: '510', extractedOn: '2026-07-09', stamp: '20260709180754' }],
    ['jigyosho_510_all.csv', { serviceCode: '510', extractedOn: null, stamp: '' }],
    ['jigyosho_510_13_20260709.csv', { serviceCode: '510', extractedOn: '2026-07-09', stamp: '20260709' }],
    ['jigyosho_51.csv', null],
    ['jigyosho_5100.csv', null],
    ['jigyosho_510.txt', null],
    ['offices.csv', null],
  ];
  for (const [name, expected] of cases) assert.deepEqual(officeListName(name), expected, name);
});
