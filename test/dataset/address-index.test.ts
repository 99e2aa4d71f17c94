import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type AddressBlock, AddressIndex, writeAddresses } from '../../src/dataset/address-index.ts';
import { CheckedFile } from '../../src/formats/checked-file.ts';
import { fold } from '../../src/search/romaji.ts';
import { lookUps } from '../../src/search/terms.ts';
import { tempFolder } from '../support/temp-folder.ts';

const block = (id: string, city: string, town: string, number: string): AddressBlock => ({
  id,
  city,
  town,
  number,
  lat: 35.7,
  lon: 139.7 + Number(id.slice(-3)) / 1000,
});

describe('blocks by address', () => {
  let index: AddressIndex;
  let file: CheckedFile;
  before(async () => {
    const path = join(tempFolder({ after }), 'addresses.index');
    await writeAddresses(path, [
      block('1310160001003005', '千代田区', '飯田橋三丁目', '5'),
      block('1310160001003015', '千代田区', '飯田橋三丁目', '15'),
      block('1310240021000005', '中央区', '日本橋小網町', '5'),
      block('1312190002003001', '足立区', '千住三丁目', '1'),
      block('1320990005003001', '町田市', '本町三丁目', '1'),
      block('1322070005001001', '東大和市', '中央一丁目', '1'),
      block('1330370002000010', '瑞穂町', '箱根ケ崎', '10'),
      block('0110110001002001', '札幌市中央区', '北一条西二丁目', '1'),
      block('1310160044000005', '千代田区', '三番町', '5'),
      block('1410460012000010', '横浜市中区', '本町三丁目', '1'),
      block('1421320003001001', '大和市', '中央一丁目', '1'),
    ]);
    file = await CheckedFile.asItIs(path);
    index = new AddressIndex({ open: () => file });
  });
  after(() => file.close());

  const found = (address: string): string[] =>
    [...index.find(fold(address), () => [])].map(({ address: at }) => at ?? '');

  const FOUND: [query: string, addresses: string[]][] = [
    ['飯田橋3-5', ['千代田区飯田橋三丁目5番']],
    ['飯田橋三丁目5番1号', ['千代田区飯田橋三丁目5番']],
    ['飯田橋3-15-1', ['千代田区飯田橋三丁目15番']],
    ['千代田区飯田橋３－５－１', ['千代田区飯田橋三丁目5番']],
    ['日本橋小網町5-3', ['中央区日本橋小網町5番']],
    ['本町3-1', ['町田市本町三丁目1番', '横浜市中区本町三丁目1番']],
    ['町田市本町3-1', ['町田市本町三丁目1番']],
    ['中区本町3-1', ['横浜市中区本町三丁目1番']],
    ['横浜市中区本町3-1', ['横浜市中区本町三丁目1番']],
    ['足立区本町3-1', []],
    ['大和市中央1-1', ['大和市中央一丁目1番']],
    ['東大和市中央1-1', ['東大和市中央一丁目1番']],
    ['西多摩郡瑞穂町箱根ヶ崎10', ['瑞穂町箱根ケ崎10番']],
    ['北1条西2-1', ['札幌市中央区北一条西二丁目1番']],
    ['札幌市中央区北１条西２丁目１', ['札幌市中央区北一条西二丁目1番']],
    ['三番町5', ['千代田区三番町5番']],
    ['千代田区3番町5-3', ['千代田区三番町5番']],
    ['中央1-1', ['東大和市中央一丁目1番', '大和市中央一丁目1番']],
    ['飯田橋3', []],
    ['飯田橋3-4', []],
    ['飯田橋', []],
    ['5', []],
  ];
  for (const [query, addresses] of FOUND) it(query, () => assert.deepEqual(found(query), addresses));

  it('a floor or a room behind a house number is no part of it', () => {
    for (const query of ['飯田橋3-1 5F', '飯田橋３－１　５０１号室', 'Iidabashi 3-1 5F']) {
      for (const text of lookUps(query)[0]?.texts ?? []) assert.deepEqual(found(text), [], query);
    }
    assert.deepEqual(found(lookUps('飯田橋3-5 15F')[0]?.texts[0] ?? ''), ['千代田区飯田橋三丁目5番']);
  });

  it('a town by its reading', () => {
    const named = (reading: string): string[] => (reading === 'いいだばし3-' ? ['飯田橋三丁目'] : []);
    assert.equal([...index.find(fold('いいだばし3-5'), named)][0]?.id, '1310160001003005');
  });

  it('a query of nothing but numbers costs no more look-ups than an address', () => {
    let lookUps = 0;
    const counting = (): string[] => {
      lookUps++;
      return [];
    };
    assert.deepEqual([...index.find(fold('区1'.repeat(50)), counting)], []);
    assert.ok(lookUps <= 6, `${lookUps} look-ups`);
  });
});
