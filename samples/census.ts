import { cp932 } from './cp932.ts';
import { type Point, toLatLon, WARD_BORDER, WARDS } from './place.ts';
import { type ShapeColumn, type ShapeRecord, shapefile } from './shapefile.ts';

/** A small area of the sample: a rectangle of the town, or of the river beside it. */
interface SampleArea {
  code: string;
  ward: (typeof WARDS)[keyof typeof WARDS];
  name: string;
  water?: boolean;
  /** West, south, east, north in metres. */
  box: [number, number, number, number];
}

const { north, south } = WARDS;

/** A town with chome in each ward, one without, one in two parts, one where nobody built, and the river. */
const AREAS: SampleArea[] = [
  { code: '13122901001', ward: north, name: '朝霧ヶ丘一丁目', box: [-300, WARD_BORDER, 0, 230] },
  { code: '13122901002', ward: north, name: '朝霧ヶ丘二丁目', box: [0, WARD_BORDER, 120, 230] },
  { code: '131229020', ward: north, name: '陽向', box: [120, WARD_BORDER, 300, 230] },
  { code: '131229030', ward: north, name: '夕凪', box: [-300, 230, 300, 400] },
  { code: '13123901001', ward: south, name: '日和町一丁目', box: [-300, -70, 0, WARD_BORDER] },
  { code: '13123901002', ward: south, name: '日和町二丁目', box: [0, -70, 300, WARD_BORDER] },
  { code: '131239020', ward: south, name: '木漏日', box: [-300, -200, -60, -70] },
  { code: '13123903001', ward: south, name: '南風一丁目', box: [-60, -200, 200, -70] },
  { code: '131239020', ward: south, name: '木漏日', box: [200, -200, 300, -70] },
  { code: '131239040', ward: south, name: '水面調査区', water: true, box: [-300, -300, 300, -200] },
];

const COLUMNS: ShapeColumn[] = [
  { name: 'KEY_CODE', type: 'C', width: 11 },
  { name: 'PREF', type: 'C', width: 2 },
  { name: 'CITY', type: 'C', width: 3 },
  { name: 'PREF_NAME', type: 'C', width: 12 },
  { name: 'CITY_NAME', type: 'C', width: 16 },
  { name: 'S_NAME', type: 'C', width: 96 },
  { name: 'HCODE', type: 'N', width: 4 },
  { name: 'X_CODE', type: 'N', width: 15 },
  { name: 'Y_CODE', type: 'N', width: 15 },
];

/** The shapefiles of the sample's wards in the form of the 2020 census, by file name. */
export function censusFiles(): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  for (const ward of Object.values(WARDS)) {
    const records = AREAS.filter((area) => area.ward === ward).map(record);
    for (const [extension, bytes] of Object.entries(shapefile(records, COLUMNS)))
      files.set(`r2ka${ward.code}.${extension}`, bytes);
  }
  return files;
}

function record({ code, ward, name, water, box: [west, bottom, east, top] }: SampleArea): ShapeRecord {
  const corners: Point[] = [
    [west, bottom],
    [west, top],
    [east, top],
    [east, bottom],
  ];
  const [lat, lon] = toLatLon([(west + east) / 2, (bottom + top) / 2]);
  return {
    rings: [corners.map((corner) => toLatLon(corner).reverse() as [number, number])],
    attributes: {
      KEY_CODE: code,
      PREF: '13',
      CITY: ward.code.slice(2),
      PREF_NAME: '東京都',
      CITY_NAME: ward.name,
      S_NAME: name,
      HCODE: water ? '8154' : '8101',
      X_CODE: lon.toFixed(6),
      Y_CODE: lat.toFixed(6),
    },
  };
}

/** The readings the sample's postal file knows; it spells one name otherwise, and does not know 夕凪. */
const READINGS: [ward: SampleArea['ward'], kana: string, name: string][] = [
  [north, 'ｲｶﾆｹｲｻｲｶﾞﾅｲﾊﾞｱｲ', '以下に掲載がない場合'],
  [north, 'ｱｻｷﾞﾘｶﾞｵｶ', '朝霧ケ丘'],
  [north, 'ﾋﾅﾀ', '陽向'],
  [south, 'ｲｶﾆｹｲｻｲｶﾞﾅｲﾊﾞｱｲ', '以下に掲載がない場合'],
  [south, 'ｺﾓﾚﾋﾞ', '木漏日'],
  [south, 'ﾊｴ(1-3ﾁｮｳﾒ)', '南風（１～３丁目）'],
  [south, 'ﾋﾖﾘﾁｮｳ', '日和町'],
];

/** Town names with readings in the form of Japan Post's postal codes, cp932. */
export function readingsFile(): Uint8Array {
  const lines = READINGS.map(([ward, kana, name], i) => {
    const texts = ['ﾄｳｷｮｳﾄ', ward.kana, kana, '東京都', ward.name, name].map((text) => `"${text}"`).join(',');
    return `${ward.code},"100  ","100${String(9000 + i)}",${texts},0,0,0,0,0,0\r\n`;
  });
  return cp932(lines.join(''));
}
