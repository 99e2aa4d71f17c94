import { isCorporateNumber } from '../src/kaigo/corporation.ts';
import { OFFICE_COLUMNS } from '../src/kaigo/lists/office-list.ts';
import { isMunicipalityCode } from '../src/kaigo/municipality-codes.ts';
import { serviceOf } from '../src/kaigo/services.ts';
import { cp932 } from './cp932.ts';
import { randomFrom } from './random.ts';

/**
 * Office lists and a detail table of invented care facilities in the special wards of Tokyo, in the published formats
 * and with the quirks of the published files in them.
 */

/** The 23 wards: the name and about where its middle lies, degrees. */
const WARDS: readonly [name: string, lat: number, lon: number][] = [
  ['千代田区', 35.694, 139.754],
  ['中央区', 35.671, 139.772],
  ['港区', 35.658, 139.752],
  ['新宿区', 35.694, 139.704],
  ['文京区', 35.708, 139.752],
  ['台東区', 35.713, 139.78],
  ['墨田区', 35.711, 139.802],
  ['江東区', 35.673, 139.817],
  ['品川区', 35.609, 139.73],
  ['目黒区', 35.642, 139.698],
  ['大田区', 35.561, 139.716],
  ['世田谷区', 35.647, 139.653],
  ['渋谷区', 35.662, 139.704],
  ['中野区', 35.707, 139.664],
  ['杉並区', 35.7, 139.636],
  ['豊島区', 35.726, 139.717],
  ['北区', 35.753, 139.734],
  ['荒川区', 35.736, 139.783],
  ['板橋区', 35.751, 139.709],
  ['練馬区', 35.736, 139.652],
  ['足立区', 35.775, 139.805],
  ['葛飾区', 35.743, 139.847],
  ['江戸川区', 35.707, 139.868],
];

/** What stands in every ward: a base name and the services of the office. */
const KINDS: readonly { title: string; reading: string; services: readonly string[]; count: number }[] = [
  { title: '特別養護老人ホーム', reading: 'トクベツヨウゴロウジンホーム', services: ['510', '210'], count: 4 },
  { title: '介護老人保健施設', reading: 'カイゴロウジンホケンシセツ', services: ['520', '220', '160'], count: 2 },
  { title: '小規模特別養護老人ホーム', reading: 'ショウキボトクベツヨウゴロウジンホーム', services: ['540'], count: 1 },
  { title: '介護医療院', reading: 'カイゴイリョウイン', services: ['550', '230'], count: 1 },
  { title: '介護付有料老人ホーム', reading: 'カイゴツキユウリョウロウジンホーム', services: ['331'], count: 4 },
  { title: 'グループホーム', reading: 'グループホーム', services: ['320'], count: 3 },
  { title: 'デイサービス', reading: 'デイサービス', services: ['150'], count: 3 },
  { title: 'デイホーム', reading: 'デイホーム', services: ['780'], count: 2 },
  { title: 'ヘルパーステーション', reading: 'ヘルパーステーション', services: ['110', '760'], count: 3 },
  { title: '福祉用具', reading: 'フクシヨウグ', services: ['170'], count: 1 },
  { title: 'ケアプラン', reading: 'ケアプラン', services: ['430'], count: 2 },
];

const PLACES: readonly [name: string, reading: string][] = [
  ['陽だまりの丘', 'ヒダマリノオカ'],
  ['日向', 'ヒナタ'],
  ['縁側', 'エンガワ'],
  ['木漏れ日', 'コモレビ'],
  ['朝顔', 'アサガオ'],
  ['小春', 'コハル'],
  ['若葉', 'ワカバ'],
  ['せせらぎ', 'セセラギ'],
  ['夕凪', 'ユウナギ'],
  ['花水木', 'ハナミズキ'],
  ['つばめ', 'ツバメ'],
  ['銀杏', 'イチョウ'],
];

const CORPORATIONS = ['陽だまり会', '日向福祉会', '木漏れ日会', '若葉会', '花水木会', '小春会', '銀杏会'];

const TOWNS = ['朝日町', '緑町', '桜台', '本町', '若葉台', '川端'];

/** A row of an office list by column. */
type Cells = Record<string, string>;

interface SampleOffice {
  id: string;
  cells: Cells;
  services: readonly string[];
}

/** The files of the sample: path and bytes, the same every time. */
export function kaigoFiles(): Map<string, Uint8Array> {
  const offices = sampleOffices();
  const files = new Map<string, Uint8Array>();
  const services = [...new Set(offices.flatMap((office) => office.services))].sort();
  for (const service of services) {
    const rows = offices
      .filter((office) => office.services.includes(service))
      .map((office) => cellsOfService(office, service));
    const text = officeList(service === '170' ? [...rows, rows[0]] : rows);
    // One list as a spreadsheet saves it, one with the name of the newer downloads.
    if (service === '550') files.set('offices/jigyosho_550.csv', cp932(text.slice(1)));
    else if (service === '320') files.set('offices/jigyosho_320_all_20260630180754.csv', Buffer.from(text));
    else files.set(`offices/jigyosho_${service}.csv`, Buffer.from(text));
  }
  files.set('details.csv', Buffer.from(detailTable(offices)));
  return files;
}

/** The text of an office list: byte order mark, 24 columns, CRLF. */
export function officeList(rows: readonly Cells[]): string {
  const header = OFFICE_COLUMNS.map((name) => (name === '方書(ビル名等)' ? '方書（ビル名等）' : name));
  const lines = rows.map((row) => OFFICE_COLUMNS.map((name) => quoted(row[name] ?? '')).join(','));
  return `\ufeff${[header.join(','), ...lines].join('\r\n')}\r\n`;
}

const quoted = (cell: string): string => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

function sampleOffices(): SampleOffice[] {
  const random = randomFrom(20260801);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const offices: SampleOffice[] = [];
  WARDS.forEach(([ward, lat, lon], w) => {
    let serial = 0;
    for (const { title, reading, services, count } of KINDS) {
      for (let i = 0; i < count; i++) {
        serial++;
        const [place, placeReading] = pick(PLACES);
        const corporation = Math.floor(random() * CORPORATIONS.length);
        const letter = services.includes('550') ? 'B' : '7';
        const id = `13${letter}${String(w + 1).padStart(2, '0')}${String(serial).padStart(4, '0')}${(serial * 7 + 1) % 10}`;
        const block = `${1 + Math.floor(random() * 5)}-${1 + Math.floor(random() * 20)}-${1 + Math.floor(random() * 15)}`;
        const cells: Cells = {
          都道府県コード又は市町村コード: municipalityCode(13101 + w),
          No: id,
          都道府県名: '東京都',
          市区町村名: ward,
          事業所名: `${title}　${place}`,
          事業所名カナ: `${reading}　${placeReading}`,
          住所: `東京都${ward}${pick(TOWNS)}${block}`,
          緯度: (lat + (random() - 0.5) * 0.024).toFixed(15),
          経度: (lon + (random() - 0.5) * 0.03).toFixed(15),
          電話番号: `03-${5000 + Math.floor(random() * 1000)}-${String(Math.floor(random() * 10000)).padStart(4, '0')}`,
          法人番号: corporateNumber(corporation),
          法人の名称: `社会福祉法人${pick(['', '', '　'])}${CORPORATIONS[corporation]}`,
          事業所番号: id,
          利用可能曜日: '平日,土曜日',
          定員: pick(['0', '', String(20 + Math.floor(random() * 80))]),
          URL: pick(['https://hidamari.example/', 'http://www.hidamari.example/care/', '']),
        };
        const number = offices.length;
        offices.push({ id, cells: { ...cells, ...QUIRKS[number % 48] }, services });
      }
    }
  });
  return offices;
}

/** What the published files have too: of every 48 offices, some have one of these. */
const QUIRKS: Record<number, Cells> = {
  2: { 緯度: '0.000000000000000', 経度: '0.000000000000000' },
  4: { 緯度: '53.412910000000000', 経度: '-8.243889999999964' },
  5: { 緯度: '36.204824000000000', 経度: '138.252924000000000' },
  6: { 緯度: '26.212400000000000', 経度: '127.680900000000000' },
  7: { 住所: '朝日町１丁目２番３号' },
  8: { 電話番号: '０３－５０００－１２３４', URL: 'info@hidamari.example' },
  9: { 法人番号: '' },
  10: { 法人番号: '1234567890123' },
  11: { 定員: '20170814', URL: 'www.hidamari.example' },
  12: { '方書(ビル名等)': '陽だまりビル　２階' },
  13: { 緯度: '139.700000000000000', 経度: '35.700000000000000' },
  14: { 事業所名カナ: 'ひだまりのいえ' },
};

/** The same office as one of its services lists it: some differ in name from the first. */
function cellsOfService({ cells, services }: SampleOffice, service: string): Cells {
  const { name } = serviceOf(service)!;
  const differs = service !== services[0] && cells.No.endsWith('6');
  return { ...cells, サービスの種類: name, ...(differs && { 事業所名: `${cells.事業所名}　${name}` }) };
}

/** The corporate number of the n-th invented corporation, with its check digit. */
function corporateNumber(n: number): string {
  const digits = `99999${String(n).padStart(7, '0')}`;
  const number = Array.from({ length: 9 }, (_, check) => `${check + 1}${digits}`).find(isCorporateNumber);
  if (number === undefined) throw new Error(`${digits}: no check digit fits`);
  return number;
}

function municipalityCode(digits: number): string {
  const code = Array.from({ length: 10 }, (_, check) => `${digits}${check}`).find(isMunicipalityCode);
  if (code === undefined) throw new Error(`${digits}: no check digit fits`);
  return code;
}

const DETAIL_COLUMNS = [
  'office_id',
  'service_code',
  'capacity',
  'capacity_estimated',
  'opened',
  'rooms_private',
  'rooms_multi',
  'rooms_multi_beds',
  'staff_total',
  'staff_nurse',
  'staff_care',
  'waiting',
  'fee_room_per_day',
  'fee_food_per_day',
  'room_kind',
] as const;

/** Details of the nursing homes, with dates and numbers in every form, one for nobody and one twice. */
function detailTable(offices: readonly SampleOffice[]): string {
  const random = randomFrom(20260802);
  const upTo = (most: number) => Math.floor(random() * most);
  const rows = offices
    .filter(({ services }) => services.includes('510') || services.includes('540'))
    .map(({ id, services }, i) => {
      const unit = random() < 0.6;
      const places = services[0] === '540' ? 29 : 50 + upTo(80);
      const [year, month, day] = [1990 + upTo(35), 1 + upTo(12), 1 + upTo(28)];
      const dates = [
        `${year}-${month}-${day}`,
        `${year}/${month}/${day}`,
        `平成${1 + upTo(30)}年${month}月${day}日`,
        '0025-08-26',
      ];
      return [
        id,
        services[0],
        String(places),
        i % 3 === 0 ? 'True' : '',
        i % 17 === 0 ? '0000-00-00' : dates[i % dates.length],
        unit ? String(places) : String(upTo(10)),
        unit ? '' : String(Math.round(places / 4)),
        '',
        i % 13 === 0 ? '６４' : String(Math.round(places * 0.9)),
        String(3 + upTo(6)),
        String(Math.round(places * (0.4 + random() * 0.3))),
        i % 11 === 0 ? '1,234' : String(upTo(200)),
        i % 5 === 0 ? '' : unit ? '2066' : '915',
        i % 5 === 0 ? '' : '1545',
        unit ? 'unit' : 'multi',
      ];
    });
  const nobody = ['1399999990', ...rows[0].slice(1)];
  const all = [[...DETAIL_COLUMNS], ...rows, nobody, rows[1]];
  return `${all.map((row) => row.map((cell) => quoted(cell)).join(',')).join('\n')}\n`;
}
