import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cp932 } from '../../samples/cp932.ts';
import { readReadings, townPostalCodes, townReading } from '../../src/census/readings.ts';

const row = (kana: string, name: string, code = '13101', zip = '1000001') =>
  `${code},"100  ","${zip}","ﾄｳｷｮｳﾄ","ﾁﾖﾀﾞｸ","${kana}","東京都","千代田区","${name}",0,0,0,0,0,0\r\n`;
const read = (text: string) => readReadings(cp932(text), '13TOKYO.CSV');
const reading = (text: string, name: string, ward = '13101') => townReading(name, ward, read(text));

describe('readings', () => {
  it('are hiragana of the half-width kana, voiced marks joined', () => {
    assert.equal(reading(row('ｲｲﾀﾞﾊﾞｼ', '飯田橋'), '飯田橋'), 'いいだばし');
    assert.equal(reading(row('ｾﾝﾀｰﾎﾟｰﾄ', 'センターポート'), 'センターポート'), 'せんたーぽーと');
  });

  it('of a chome are number and ちょうめ', () => {
    const file = row('ﾏﾙﾉｳﾁ(ﾂｷﾞﾉﾋﾞﾙｦﾉｿﾞｸ)', '丸の内（次のビルを除く）');
    assert.equal(reading(file, '丸の内一丁目'), 'まるのうち1ちょうめ');
    assert.equal(reading(file, '丸の内十二丁目'), 'まるのうち12ちょうめ');
    assert.equal(reading(file, '丸の内'), 'まるのうち');
  });

  it('know one name in two spellings', () => {
    assert.equal(reading(row('ｶｽﾐｶﾞｾｷ', '霞が関'), '霞ヶ関一丁目'), 'かすみがせき1ちょうめ');
    assert.equal(reading(row('ｶｽﾐｶﾞｵｶﾏﾁ', '霞ケ丘町'), '霞ヶ丘町'), 'かすみがおかまち');
  });

  it('are null for a name, a ward or a file line that does not say', () => {
    const file = row('ｲｶﾆｹｲｻｲｶﾞﾅｲﾊﾞｱｲ', '以下に掲載がない場合') + row('ｶﾝﾀﾞﾐｻｷﾁｮｳ', '神田三崎町');
    assert.equal(reading(file, '三崎町一丁目'), null);
    assert.equal(reading(file, '神田三崎町', '13102'), null);
    assert.equal(reading(file, '以下に掲載がない場合'), null);
  });

  it('of one name read two ways in one ward are left out and named', () => {
    const readings = read(
      row('ｱｻﾋﾁｮｳ', '朝日町') + row('ｱｻﾋﾏﾁ', '朝日町', '13101', '1000002') + row('ｱｻﾋﾏﾁ', '朝日町', '13102'),
    );
    assert.deepEqual(readings.ambiguous, ['13101 朝日町']);
    assert.equal(townReading('朝日町', '13101', readings), null);
    assert.equal(townReading('朝日町', '13102', readings), 'あさひまち');
  });

  it('run over several lines while a bracket is open', () => {
    const file =
      row('ﾋﾅﾀ(1-3ﾁｮｳﾒ､', '陽向（１～３丁目、') + row('4ﾁｮｳﾒ)', '４丁目）') + row('ﾕｳﾅｷﾞ', '夕凪', '13101', '1000002');
    const readings = read(file);
    assert.deepEqual([...readings.byMunicipality.get('13101')!.keys()].sort(), ['夕凪', '陽向'].sort());
    assert.equal(townReading('陽向四丁目', '13101', readings), 'ひなた4ちょうめ');
  });

  it('may come in UTF-8 with full-width kana', () => {
    const text = row('マルノウチ', '丸の内').replace('ﾄｳｷｮｳﾄ', 'トウキョウト');
    const readings = readReadings(Buffer.from(`\ufeff${text}`), 'utf_ken_all.csv');
    assert.equal(townReading('丸の内二丁目', '13101', readings), 'まるのうち2ちょうめ');
  });

  it('from a file that is something else: the line and what it should be', () => {
    const broken = `${row('ﾏﾙﾉｳﾁ', '丸の内')}名前,読み\r\n`;
    assert.throws(
      () => read(broken),
      /13TOKYO\.CSV, line 2: not a row of Japan Post's postal codes .*2 columns beginning "名前,読み"/,
    );
    assert.throws(() => read(''), /13TOKYO\.CSV: empty/);
  });
});

describe('postal codes', () => {
  const file = [
    ['丸の内（次のビルを除く）', '1000005'],
    ['丸の内新丸の内ビルディング（地階・階層不明）', '1006590'],
    ['丸の内新丸の内ビルディング（１階）', '1006501'],
    ['芝（１～３丁目）', '1050014'],
    ['芝（４、５丁目）', '1080014'],
    ['芝浦（１丁目）', '1050023'],
    ['芝浦（２丁目、３丁目）', '1080023'],
    ['芝浦シーバンス（２階）', '1056702'],
    ['西早稲田（２丁目１番１～２３号、２番）', '1690052'],
    ['西早稲田（その他）', '1690051'],
    ['江戸川（１～３丁目、４丁目１～１４番）', '1320013'],
    ['日の出（１丁目を除く）', '2790013'],
    ['若葉（１丁目～３丁目）', '1600011'],
    ['若葉（４・５丁目）', '1600012'],
    ['若葉（６－８丁目）', '1600013'],
    ['以下に掲載がない場合', '1000000'],
  ].map(([name, zip]) => row('ｶﾅ', name!, '13101', zip));
  const codes = {
    丸の内一丁目: ['1000005', '1006501', '1006590'],
    芝三丁目: ['1050014'],
    芝四丁目: ['1080014'],
    芝: ['1050014', '1080014'],
    芝浦一丁目: ['1050023', '1056702'],
    芝浦三丁目: ['1056702', '1080023'],
    西早稲田一丁目: ['1690051'],
    西早稲田二丁目: ['1690051', '1690052'],
    若葉二丁目: ['1600011'],
    若葉四丁目: ['1600012'],
    若葉七丁目: ['1600013'],
    江戸川二丁目: ['1320013'],
    江戸川四丁目: ['1320013'],
    江戸川五丁目: [],
    日の出二丁目: ['2790013'],
    大手町一丁目: [],
  };
  for (const [town, expected] of Object.entries(codes))
    it(`of ${town}`, () => assert.deepEqual(townPostalCodes(town, '13101', read(file.join(''))), expected));
});
