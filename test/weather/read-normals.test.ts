import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { cp932 } from '../../samples/cp932.ts';
import { shapefile } from '../../samples/shapefile.ts';
import { readNormalPaths, servedNormals } from '../../src/pipeline/normals.ts';
import {
  readEpwShares,
  readHourShares,
  readMeshGml,
  readMeshTable,
  readPlacedNormals,
  readStationList,
  readStationNormals,
  stationOfFile,
} from '../../src/weather/read-normals.ts';
import { sharedData, skipWithout } from '../support/shared-data.ts';
import { writeFiles } from '../support/small-city.ts';
import { tempFolder } from '../support/temp-folder.ts';

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

/** The words by which the GML names its columns: those of sunshine, and numbers for the others. */
const GML_COLUMNS = G02.map((number, i) => {
  if (i === 0) return '3次メッシュコード';
  if (i === 70) return '年合計日照時間';
  return i >= 58 && i < 70 ? `${i - 57}月日照時間` : number;
});

/** The GML of G02: a coverage whose columns have names and whose tuples are grid squares. */
const meshGml = (
  rows: readonly (readonly string[])[],
  separator = ',',
): string => `<?xml version="1.0" encoding="UTF-8"?>
<ksj:Dataset xmlns:ksj="http://nlftp.mlit.go.jp/ksj/schemas/ksj-app" xmlns:gml="http://www.opengis.net/gml/3.2">
<gml:rangeSet><gml:DataBlock><gml:rangeParameters><gml:valueComponents>
${GML_COLUMNS.map((name, i) => (i === 0 ? `<gml:CategoryList codeSpace="x.xml">${name}</gml:CategoryList>` : `<gml:CountList>${name}</gml:CountList>`)).join('\n')}
</gml:valueComponents></gml:rangeParameters>
<gml:tupleList>
${rows.map((row) => row.join(separator)).join('\n')}
</gml:tupleList></gml:DataBlock></gml:rangeSet></ksj:Dataset>`;

/** Monthly normals of a station: no header, values in six characters. */
const stationFile = (station: string): string =>
  [
    ['0500', TOKYO.map(() => 100), 100],
    ['3500', TOKYO.map((hours) => Math.round(hours * 10)), 19268],
  ]
    .map(
      ([element, months, year]) =>
        `11,${station},${element},30,1991,2020,${[...(months as number[]), year].map((value) => `${String(value).padStart(6)},8`).join(',')}`,
    )
    .join('\n');

describe('mesh normals (国土数値情報 G02)', () => {
  const tenths = TOKYO.map((hours) => Math.round(hours * 10));
  const sea = meshRow('53394700', new Array(12).fill(999999), 999999);
  const rows = [meshRow('53394611', tenths, 19268), sea, meshRow('53394701', new Array(12).fill(-9999), -9999)];

  it('gives hours by grid square and counts squares without a normal', () => {
    const { squares, unknown } = readMeshTable(dbaseTable(G02, rows), 'G02.dbf');
    assert.deepEqual([...squares], [['53394611', TOKYO]]);
    assert.equal(unknown, 2);
  });

  it('are the same in the GML, in words and with commas or spaces', () => {
    for (const [separator, encode] of [
      [',', bytes],
      [', ', cp932],
      [' ', bytes],
    ] as const) {
      const read = readMeshGml(encode(meshGml(rows, separator)), 'G02-22_5339-jgd.xml');
      assert.deepEqual(read, { squares: new Map([['53394611', TOKYO]]), unknown: 2 });
    }
  });

  for (const [what, text, message] of [
    ['another GML', '<gml:Dataset/>', /G02\.xml: has no column G02_059 \(1月日照時間\)/],
    ['one that is cut off', meshGml(rows).slice(0, -60), /has no complete gml:tupleList; get it again/],
    ['a tuple that is too short', meshGml([rows[0]!.slice(1)]), /has 83 values; expected 84 for each grid square/],
    [
      'columns of something else',
      meshGml([meshRow('53394611', tenths, 900)]),
      /grid square 1: the months add up to 19268/,
    ],
  ] as const) {
    it(`refuses ${what}, naming the file`, () => assert.throws(() => readMeshGml(bytes(text), 'G02.xml'), message));
  }

  for (const [what, columns, table, message] of [
    ['another table', ['KEY_CODE'], [['131010010']], /no column G02_059.*expected the attributes of 国土数値情報 G02/],
    [
      'a code that is none',
      G02,
      [meshRow('5339', tenths, 19268)],
      /record 1: the code is "5339"; expected the 8 digits/,
    ],
    [
      'columns of something else',
      G02,
      [meshRow('53394611', tenths, 900)],
      /record 1: the months add up to 19268, the year is 900/,
    ],
    [
      'another unit',
      G02,
      [meshRow('53394611', TOKYO, 1926.8)],
      /the year has 192\.\d hours of sunshine; expected 800 to 3000/,
    ],
  ] as const) {
    it(`refuses ${what}, naming file and record`, () => {
      assert.throws(() => readMeshTable(dbaseTable(columns, table), 'G02.dbf'), message);
    });
  }
});

describe('normals of stations, as JMA publishes them', () => {
  const LIST = [
    '地点番号,地点名,,,緯度,,経度,,標高',
    ',漢字,カナ,ローマ字,度,分,度,分,m',
    '47412,札幌　　,ｻｯﾎﾟﾛ,SAPPORO,43, 3.6,141,19.7, 17.4',
    '47662,東京　　,ﾄｳｷｮｳ,TOKYO,35,41.5,139,45.0, 25.2',
  ].join('\n');

  it('are rows of element 3500 with remarks', () => {
    assert.deepEqual(readStationNormals(bytes(stationFile('47662')), 's.csv'), TOKYO);
    assert.equal(stationOfFile('a.zip/normal_surface/monthly/nml_sfc_m_47662.csv'), '47662');
    assert.equal(stationOfFile('normal_amedas_monthly/area_44/nml_amd_m_44132.csv'), '44132');
    assert.equal(stationOfFile('normal_surface/daily/nml_sfc_d_47662.csv'), null);
  });

  for (const [what, change] of [
    ['the normal is for reference only', (text: string) => text.replaceAll(',8', ',7')],
    ['there is none', (text: string) => text.replace(/^11,47662,3500.*$/m, '')],
    ['a month is missing', (text: string) => text.replace('  1242,8', '     0,0')],
  ] as const) {
    it(`are not used where ${what}`, () => {
      assert.equal(readStationNormals(bytes(change(stationFile('47662'))), 's.csv'), null);
    });
  }

  it('have their places in the list, in cp932', () => {
    const places = readStationList(cp932(LIST), 'surface_station_index.csv');
    assert.deepEqual([...places.keys()], ['47412', '47662']);
    assert.ok(Math.abs(places.get('47662')!.lat - 35.69167) < 1e-5 && places.get('47662')!.lon === 139.75);
  });

  for (const [what, read, message] of [
    [
      'a row that is cut off',
      () => readStationNormals(bytes('11,47662,3500,30,1991,2020,1926,8'), 's.csv'),
      /s\.csv:1: has 8 cells; expected 32/,
    ],
    [
      'something else',
      () => readStationNormals(bytes('a,b,c'), 's.csv'),
      /has no elements; expected rows such as 11,47662,3500/,
    ],
    [
      'a list without places',
      () => readStationList(bytes('47662,東京,,,x,y,,'), 'l.csv'),
      /l\.csv:1: the place of station 47662 is "x y {1,2}"/,
    ],
    ['an empty list', () => readStationList(bytes('地点番号'), 'l.csv'), /l\.csv: has no stations/],
  ] as const) {
    it(`${what} is refused`, () => assert.throws(read, message));
  }

  it('a build reads them from the archive, GML beside a shapefile once, and the credits follow', async (t) => {
    const folder = tempFolder(t);
    await writeFiles(folder, {
      'normal_surface/monthly/nml_sfc_m_47662.csv': stationFile('47662'),
      'normal_surface/monthly/nml_sfc_m_47412.csv': stationFile('47412').replaceAll(',8', ',7'),
      'normal_surface/daily/nml_sfc_d_47662.csv': '15,47662,3500,30,1991,2020, 1,    60,8',
      'normal_surface/regional_average/monthly/region_01.csv': 'a,b',
      'mesh/G02-22_5339-jgd.xml': meshGml([
        meshRow(
          '53394611',
          TOKYO.map((hours) => Math.round(hours * 10)),
          19268,
        ),
      ]),
      'mesh/KS-META-G02-22_5339-jgd.xml': '<x/>',
    });
    writeFileSync(join(folder, 'normal_surface/surface_station_index.csv'), cp932(LIST));
    const both = await readNormalPaths([folder]);
    assert.deepEqual([both.mesh.get('53394611'), both.places.length, both.report.stations_unknown], [TOKYO, 1, 1]);
    assert.deepEqual(
      both.credits.map(({ name }) => name),
      ['国土数値情報 平年値（気候）メッシュデータ', '気象庁 平年値（日照時間）'],
    );
    assert.ok(!both.report.files.some((file) => file.includes('daily')));
    const served = servedNormals(both, ['53394611', '53394612', '64414278']);
    assert.deepEqual([served.squares.get('53394612'), served.squares.has('64414278')], [TOKYO, false]);

    writeFileSync(
      join(folder, 'mesh/G02-22_5339-jgd.dbf'),
      dbaseTable(G02, [meshRow('53394611', new Array(12).fill(999999), 999999)]),
    );
    const table = await readNormalPaths([join(folder, 'mesh'), join(folder, 'normal_surface')]);
    assert.deepEqual(
      [table.report.mesh_squares, table.report.mesh_unknown],
      [0, 1],
      'the shapefile is read, not the GML',
    );
    assert.equal(table.credits.length, 1);
    const alone = join(folder, 'normal_surface/monthly');
    await assert.rejects(
      readNormalPaths([alone]),
      /the place of station 47662 is not known: give surface_station_index\.csv/,
    );
  });
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
    [
      'more sunshine than daylight',
      rows((m, h) => `35.69,139.75,${m},${m === 1 ? 400 : h}`),
      /n\.csv:3: month 1 has 400 hours of sunshine; expected at most 292, all that are possible at 35\.69, 139\.75/,
    ],
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
