import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { stationReadings } from '../../src/search/station-readings.ts';

/** Towns near each other, with the readings of the postal file. */
const town = (name: string, reading: string | null, lat = 35.69, ward = ['千代田区', 'ちよだく']) => ({
  name,
  reading,
  wardName: ward[0]!,
  wardReading: ward[1]!,
  lat,
  lon: 139.77,
});

const readingOf = stationReadings([
  town('外神田一丁目', 'そとかんだ1ちょうめ'),
  town('内神田三丁目', 'うちかんだ3ちょうめ'),
  town('神田神保町一丁目', 'かんだじんぼうちょう1ちょうめ'),
  town('神田小川町二丁目', 'かんだおがわまち2ちょうめ'),
  town('大手町一丁目', 'おおてまち1ちょうめ'),
  town('高円寺北一丁目', 'こうえんじきた1ちょうめ'),
  town('四谷', 'よつや'),
  town('霞が関一丁目', null),
  town('東日暮里', 'ひがしにっぽり'),
  town('西日暮里', 'にしにっぽり'),
  town('小原', 'おはら'),
  town('小原本町', 'こはらほんちょう'),
  town('上原', 'うえはら'),
  town('三田', 'さんだ', 34.9),
  town('下連雀', 'しもれんじゃく', 35.5, ['三鷹市', 'みたかし']),
  town('北一条西', 'きた1じょうにし', 43.06, ['札幌市中央区', 'さっぽろし ちゅうおうく']),
]);

describe('the reading of a station', () => {
  const at = (name: string, lat = 35.69): string | null => readingOf({ name, lat, lon: 139.77 });
  const FOUND = {
    大手町: 'おおてまち',
    神田: 'かんだ',
    神保町: 'じんぼうちょう',
    小川町: 'おがわまち',
    高円寺: 'こうえんじ',
    四ツ谷: 'よつや',
    西日暮里: 'にしにっぽり',
    日暮里: 'にっぽり',
    東京: 'とうきょう',
  };
  for (const [name, reading] of Object.entries(FOUND)) it(name, () => assert.equal(at(name), reading));

  it('is that of its municipality', () =>
    assert.deepEqual([at('三鷹', 35.5), at('札幌', 43.06)], ['みたか', 'さっぽろ']));

  it('is not known where no town near it has the name, or where the parts of the name have other readings', () => {
    // 三田 is far away, 霞ケ関 has two readings in the postal file, 上 of 上原 is not かみ, 御茶ノ水 is no town.
    for (const name of ['三田', '霞ケ関', '原', '御茶ノ水', '三鷹']) assert.equal(at(name), null, name);
    assert.equal(at('小原'), 'おはら', 'the town of exactly this name decides');
  });
});
