import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SERVICE_CODES } from '../../src/contract/identifiers.ts';
import { isCorporateNumber } from '../../src/kaigo/corporation.ts';
import { CITIES, cityOfWard, gradeOf, MUNICIPALITIES, municipalityNamed } from '../../src/kaigo/municipalities.ts';
import { isMunicipalityCode, PREFECTURES } from '../../src/kaigo/municipality-codes.ts';
import { geodesicMetres, isFar, middleOf, readPosition } from '../../src/kaigo/position.ts';
import { SERVICES } from '../../src/kaigo/services.ts';

test('every municipality and city has the right check digit, and no other is right', () => {
  for (const { code } of [...MUNICIPALITIES, ...CITIES]) {
    const right = Array.from({ length: 10 }, (_, digit) => code.slice(0, 5) + digit).filter(isMunicipalityCode);
    assert.deepEqual(right, [code]);
  }
  assert.ok(!isMunicipalityCode('13101') && !isMunicipalityCode('1310160') && !isMunicipalityCode('13101x'));
});

test('all municipalities of the country are there, small islands too; what the notice does not name has no area grade', () => {
  // 1,741 municipalities, with 171 wards instead of 20 designated cities.
  assert.equal(MUNICIPALITIES.length, 1741 - 20 + 171);
  assert.equal(new Set(MUNICIPALITIES.map(({ prefecture, name }) => prefecture + name)).size, MUNICIPALITIES.length);
  const codes = MUNICIPALITIES.map(({ code }) => code);
  assert.deepEqual(codes, [...codes].sort());
  const islands = MUNICIPALITIES.filter(({ code }) => /^13(36|38|40|42)/.test(code));
  assert.equal(
    islands.map(({ name }) => name).join(' '),
    '大島町 利島村 新島村 神津島村 三宅村 御蔵島村 八丈町 青ヶ島村 小笠原村',
  );
  assert.equal(MUNICIPALITIES.filter(({ prefecture }) => prefecture === '東京都').length, 23 + 26 + 5 + 8);
  assert.equal(municipalityNamed('東京都', '三宅村')?.code, '133817');
  assert.deepEqual(['131016', '133078', '133817'].map(gradeOf), ['1', '6', 'other']);
  // As the notice names them: municipalities with a grade, a designated city as one.
  const units = new Map(
    [...MUNICIPALITIES, ...CITIES].map(({ code, grade }) => [cityOfWard(code)?.code ?? code, grade]),
  );
  assert.equal([...units.values()].filter((grade) => grade !== 'other').length, 23 + 7 + 29 + 24 + 59 + 137 + 170);
});

test('the contract holds the codes of the same services', () => {
  assert.deepEqual(
    [...SERVICE_CODES],
    SERVICES.map(({ service_code }) => service_code),
  );
});

test('the twenty designated cities with their wards', () => {
  assert.equal(CITIES.length, 20);
  assert.equal(
    CITIES.reduce((sum, { wards }) => sum + wards.length, 0),
    171,
  );
  for (const { code, wards, prefecture } of CITIES) {
    assert.deepEqual(
      wards.map((ward) => cityOfWard(ward)!.code),
      wards.map(() => code),
    );
    assert.ok(wards.every((ward) => MUNICIPALITIES.find((one) => one.code === ward)!.prefecture === prefecture));
  }
  assert.equal(CITIES.find(({ name }) => name === '浜松市')!.wards.join(), '221384,221392,221406');
  // The special wards of Tokyo are municipalities of their own.
  assert.equal(cityOfWard('131016'), undefined);
});

test('corporate numbers by their check digit', () => {
  for (const number of ['7000012050002', '3430005001633', '5430002034592'])
    assert.ok(isCorporateNumber(number), number);
  for (const number of ['8000012050002', '700001205000', '70000120500021', '７000012050002', '']) {
    assert.ok(!isCorporateNumber(number), number);
  }
});

test('invalid positions and why each is invalid', () => {
  const fault = (lat: string, lon: string) => {
    const read = readPosition(lat, lon);
    return 'fault' in read ? read.fault : read.position;
  };
  assert.equal(fault('0.000000000000000', '0.000000000000000'), 'zero');
  assert.equal(fault('53.412910000000000', '-8.243889999999964'), 'fallback');
  assert.equal(fault('36.204824000000000', '138.252924000000000'), 'fallback');
  assert.equal(fault('60.22', '19.55'), 'abroad');
  assert.equal(fault('24.99', '121.30'), 'abroad');
  assert.equal(fault('139.7', '35.7'), 'swapped');
  assert.equal(fault('', '139.7'), 'missing');
  assert.deepEqual(fault('43.040969300000000', '141.287467099999960'), { lat: 43.0409693, lon: 141.2874671 });
  // The ends of the country are in it: Wakkanai, Yonaguni, Minami-Tori-shima, Okino-Tori-shima.
  for (const [lat, lon] of [
    ['45.52', '141.94'],
    ['24.45', '122.93'],
    ['24.28', '153.98'],
    ['20.42', '136.08'],
  ] as const) {
    assert.equal(typeof fault(lat, lon), 'object', lat);
  }
});

test('60 km from the middle of the municipality is the limit', () => {
  const middle = middleOf([
    { lat: 35, lon: 139 },
    { lat: 35.1, lon: 139 },
    { lat: 26, lon: 127 },
  ])!;
  assert.deepEqual(middle, { lat: 35, lon: 139 });
  // 60 km of the meridian at 35° are 0.54083 degrees.
  assert.ok(!isFar({ lat: 35.5408, lon: 139 }, middle));
  assert.ok(isFar({ lat: 35.5409, lon: 139 }, middle));
  assert.equal(middleOf([]), null);
});

test('distances on GRS 80, against lengths of its meridian and equator', () => {
  // Moritz, Geodetic Reference System 1980, table 1: quadrant of the meridian 10 001 965.7293 m, a = 6 378 137 m.
  assert.ok(Math.abs(geodesicMetres({ lat: 0, lon: 139 }, { lat: 90, lon: 139 }) - 10_001_965.7293) < 0.001);
  assert.ok(Math.abs(geodesicMetres({ lat: 0, lon: 139 }, { lat: 0, lon: 140 }) - (Math.PI * 6_378_137) / 180) < 0.001);
});

test('every municipality has the prefecture that its code names, and each of the 47 has municipalities', () => {
  for (const { code, prefecture } of MUNICIPALITIES) assert.equal(PREFECTURES.get(code.slice(0, 2)), prefecture, code);
  assert.equal(new Set(MUNICIPALITIES.map(({ prefecture }) => prefecture)).size, PREFECTURES.size);
});
