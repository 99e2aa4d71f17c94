import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { shapefile } from '../../samples/shapefile.ts';
import { readEpwShares, readHourShares, readMeshNormals, readPlacedNormals } from '../../src/weather/read-normals.ts';
import { sharedData, skipWithout } from '../support/shared-data.ts';

const TOKYO = [192.6, 170.4, 175.3, 178.8, 179.6, 124.2, 151.4, 174.2, 126.7, 129.4, 149.8, 174.4];
const HOURS_OF_TOKYO = 'weather/tokyo_hour_of_day_TMY.csv';
const bytes = (text: string): Uint8Array => Buffer.from(text);

/** The attribute table of a shapefile. */
const dbaseTable = (names: readonly string[], rows: readonly (readonly string[])[]): Uint8Array =>
  shapefile(
    rows.map((row) => ({ rings: [], attributes: Object.fromEntries(names.map((name, i) => [name, row[i]])) })),
    names.map((name) => ({ name, type: 'C', width: 11 })),
  ).dbf;

/** The attributes of G02 from the code to the sunshine of the year. */
const G02 = Array.from({ length: 84 }, (_, index) => `G02_${String(index + 1).padStart(3, '0')}`);

function meshRow(code: string, tenths: readonly (number | string)[], year: number | string): string[] {
  const row = G02.map(() => '0');
  row[0] = code;
  for (const [month, value] of tenths.entries()) row[58 + month] = String(value);
  row[70] = String(year);
  return row;
}

describe('mesh normals (国土数値情報 G02)', () => {
  const tenths = TOKYO.map((hours) => Math.round(hours * 10));

  it('gives hours by grid square and counts squares without a normal', () => {
    const table = dbaseTable(G02, [
      meshRow('53394611', tenths, 19270),
      meshRow('53394700', new Array(12).fill('-9999'), '-9999'),
    ]);
    const { squares, unknown } = readMeshNormals(table, 'G02.dbf');
    assert.deepEqual([...squares], [['53394611', TOKYO]]);
    assert.equal(unknown, 1);
  });

  for (const [what, columns, rows, message] of [
    ['another table', ['KEY_CODE'], [['131010010']], /no column G02_059.*expected the attributes of 国土数値情報 G02/],
    [
      'a code that is none',
      G02,
      [meshRow('5339', tenths, 19270)],
      /record 1: G02_001 is "5339"; expected the 8 digits/,
    ],
    [
      'columns of something else',
      G02,
      [meshRow('53394611', tenths, 900)],
      /record 1:.*add up to 19268, G02_071 is 900/,
    ],
    [
      'another unit',
      G02,
      [meshRow('53394611', TOKYO, 1926.8)],
      /the year has 192\.\d hours of sunshine; expected 800 to 3000/,
    ],
  ] as const) {
    it(`refuses ${what}, naming file and record`, () => {
      assert.throws(() => readMeshNormals(dbaseTable(columns, rows), 'G02.dbf'), message);
    });
  }
});

describe('normals of places', () => {
  const rows = (
    change: (month: number, hours: number) => string | null = (month, hours) => `35.69,139.75,${month},${hours}`,
  ) =>
    ['# Tokyo, 1991–2020', 'lat,lon,month,hours', ...TOKYO.flatMap((hours, i) => change(i + 1, hours) ?? [])].join(
      '\n',
    );

  it('takes twelve rows for a place', () => {
    assert.deepEqual(readPlacedNormals(bytes(rows()), 'n.csv'), [{ lat: 35.69, lon: 139.75, hours: TOKYO }]);
  });

  for (const [what, text, message] of [
    [
      'a month that is missing',
      rows((m, h) => (m === 3 ? null : `35.69,139.75,${m},${h}`)),
      /n\.csv:\d+: 35\.69, 139\.75 has no month 3/,
    ],
    [
      'a month that stands twice',
      `${rows()}\n35.69,139.75,12,100`,
      /n\.csv:15: month 12 of 35\.69, 139\.75 stands twice/,
    ],
    [
      'swapped degrees',
      rows((m, h) => `139.75,35.69,${m},${h}`),
      /n\.csv:3: lat is "139\.75"; expected a number from 20 to 46/,
    ],
    ['minutes', rows((m, h) => `35.69,139.75,${m},${h * 60}`), /n\.csv:3: hours is "11556"/],
    ['a day in place of the month', rows((m, h) => `35.69,139.75,${m},${h / 30}`), /the year has 64\.2 hours/],
    ['another header', rows().replace('hours', 'stunden'), /no column hours; expected lat,lon,month,hours/],
  ] as const) {
    it(`refuses ${what}, naming the line`, () => assert.throws(() => readPlacedNormals(bytes(text), 'n.csv'), message));
  }
});

describe('shares by hour', () => {
  const table = (share: (month: number, hour: number) => number): string =>
    [
      'month,hour,share',
      ...TOKYO.flatMap((_, m) => Array.from({ length: 12 }, (_, h) => `${m + 1},${h + 6},${share(m, h)}`)),
    ].join('\n');

  it('takes a table; hours that are missing have none', () => {
    const shares = readHourShares(bytes(table(() => 0.5)), 's.csv');
    assert.deepEqual([shares[0][5], shares[0][6], shares[11][17], shares[11][18]], [0, 0.5, 0.5, 0]);
  });

  it('refuses percent, and a month in which the middle of the day is dark', () => {
    assert.throws(
      () => readHourShares(bytes(table(() => 50)), 's.csv'),
      /s\.csv:2: share is "50"; expected a number from 0 to 1/,
    );
    assert.throws(
      () => readHourShares(bytes(table((m) => (m === 5 ? 0 : 0.5))), 's.csv'),
      /month 6 has no sunshine from 10:00 to 14:00/,
    );
  });

  it('counts the hours of an EPW file with direct radiation of sunshine', () => {
    const hours = [1, 2].flatMap((day) =>
      TOKYO.flatMap((_, m) =>
        Array.from({ length: 24 }, (_, h) => {
          const direct = h >= 6 && h < 18 ? (day === 1 ? 500 : 119) : 0;
          return `1999,${m + 1},${day},${h + 1},0,?,5,3,50,101325,0,0,300,200,${direct},80,0,0,0,0`;
        }),
      ),
    );
    const header = ['LOCATION,Tokyo,-,JPN', ...new Array(7).fill('COMMENTS')];
    const shares = readEpwShares(bytes([...header, ...hours].join('\r\n')), 't.epw');
    assert.deepEqual([shares[0][5], shares[0][6], shares[11][17], shares[11][18]], [0, 0.5, 0.5, 0]);
    assert.throws(() => readEpwShares(bytes(hours.join('\n')), 't.epw'), /t\.epw:1: expected LOCATION/);
  });

  it('reads the shares of Tokyo', { skip: skipWithout(HOURS_OF_TOKYO) }, () => {
    const text = readFileSync(sharedData(HOURS_OF_TOKYO) ?? '', 'utf8');
    const rows = text
      .split('\n')
      .filter((line) => /^\d/.test(line))
      .map((line) => line.split(','));
    const table = rows.map(([month, ending, share]) => `${month},${Number(ending) - 1},${share}`);
    const shares = readHourShares(bytes(['month,hour,share', ...table].join('\n')), 'tokyo.csv');
    assert.equal(shares[0][8], 0.77);
  });
});
