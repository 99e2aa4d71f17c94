import { readFileSync } from 'node:fs';
import { officeList } from '../../../samples/kaigo.ts';
import { randomFrom } from '../../../samples/random.ts';
import { DAY_TEXTS } from '../../oracle/care-facts.ts';

type Cells = Record<string, string>;

/** One service of one invented office: its rows as published, and where they stand. */
interface GeneratedService {
  service: string;
  facilityId: string;
  municipality: string;
  grade: string;
  office: Cells;
  /** By field of the mapping; null where there are no details. */
  detail: Cells | null;
  listPlace: string;
  detailPlace: string;
}

interface GeneratedCare {
  services: GeneratedService[];
  /** By path: lists, details and their mapping. */
  files: Map<string, string>;
  /** Rows that repeat another or belong to none, by line of the report. */
  spare: Record<string, string[]>;
}

const factsFile = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../src/kaigo/facts/${name}.json`, import.meta.url), 'utf8'));
type Municipality = [code: string, prefecture: string, name: string, grade: string];
const { municipalities: MUNICIPALITIES } = factsFile('municipalities') as { municipalities: Municipality[] };
const { services: SERVICES } = factsFile('services') as { services: { service_code: string; name: string }[] };

const HOMES = ['510', '520', '540', '550', '210', '220', '320', '331', '361'];
const NAMES = ['ひだまり', 'ヒナタ', 'ｺﾓﾚﾋﾞ', 'ＡＢＣホーム', '縁側 の家'];
const CORPORATIONS = ['社会福祉法人青空会', '医療法人若葉会', '株式会社小春', '社会福祉法人花水木'];
const OPEN = ['', '平日', '平日,土曜日', '平日,土曜日,日曜日,祝日'];

/** Yen and counts that lie on, beside and between the bounds and limits of docs/kaigo.md; a dot is an empty cell. */
const CHOICES: Readonly<Record<string, string>> = {
  capacity: '. . 10 29 40 60 1000 99999 0',
  users: '. . 0 1 8 23 30 57 90 2000 2001',
  waiting: '. 5 10000 10001',
  rooms_private: '. 0 10 29 60 90 1001',
  rooms_shared: '. 0 0 10 20',
  rooms_shared_beds: '. . 0 5 40 80',
  staff_total: '. 5 64 1000 1001',
  care_staff: '. 0 1 16 20 35 40 81 600',
  nurses: '. 0 7 1200',
  staff_left: '. . 0 3 15 16 300',
  experienced_percent: '. . 0 40 100 101',
  experience_years: '. . 3 7 12 61',
  qualified_staff: '. . 0 8 20 36',
  qualified_percent: '. . . 50 65 101',
  nurses_at_night: '. . 0 1 2 101',
  food_yen_per_day: '. . 445 300 650 680 1235 1236 1360 1392 1445 1545 1600 3090 3091 99 100 10001 無料 ―',
  food_yen_per_month: '. . . 300 41760 43350 44795 37079 37080 40800 42160 46350 92700 92701 3000 300001 実費',
  room_yen_per_day: '. . 0 377 430 437 549 697 820 855 880 915 1000 1171 1231 1239 1470 1728 2066 6198 6199 応相談',
  unit_room_yen_per_day: '. . . 820 1239 1370 2006 2066 3000',
  private_room_yen_per_day: '. . . 480 738 739 1000 1171 1231 1668',
  shared_room_yen_per_day: '. . . 0 377 430 548 549 697 855 915',
  rent_yen_per_month: '. 0 65000 3000000 3000001',
  management_yen_per_month: '. 0 30000 1000001',
};
const WORDS: Readonly<Record<string, readonly string[]>> = {
  opened_on: Object.keys(DAY_TEXTS),
  capacity_estimated: ['', '', 'はい'],
  room_kind: ['', 'ユニット型', '従来型'],
  staff_basis: ['', '人数', '常勤換算'],
};

/** A mapping of columns that are named as the fields are. */
const MAPPING = {
  schema: 'hidamari-details/1',
  fields: {
    ...Object.fromEntries(
      ['facility_id', 'service_code', ...Object.keys(CHOICES), ...Object.keys(WORDS)].map((name) => [
        name,
        { column: name },
      ]),
    ),
    capacity_estimated: { column: 'capacity_estimated', values: { はい: 'yes' } },
    room_kind: { column: 'room_kind', values: { ユニット型: 'unit', 従来型: 'conventional' } },
    staff_basis: { column: 'staff_basis', values: { 常勤換算: 'fte', 人数: 'head_count' } },
  },
};

/** A number with the check digit of a corporate number before it: nine less the weighted sum modulo nine. */
function corporateNumber(twelve: string): string {
  const sum = [...twelve].reduce((all, digit, i) => all + Number(digit) * (i % 2 === 0 ? 2 : 1), 0);
  return `${9 - (sum % 9)}${twelve}`;
}

/** The rows written so far. */
class Rows {
  readonly services: GeneratedService[] = [];
  readonly lists = new Map<string, Cells[]>();
  readonly details: Cells[] = [];
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#random() * list.length)] as T;
  }

  /** Where the last row of a list stands. */
  lastOf(service: string): string {
    return `jigyosho_${service}.csv:${(this.lists.get(service)?.length ?? 0) + 1}`;
  }

  /** A service of an office, of five in four cases with details. */
  add(service: string, office: Cells, [code, , , grade]: Municipality): void {
    const cells: Cells = {
      ...office,
      サービスの種類: SERVICES.find((one) => one.service_code === service)?.name ?? '',
      定員: this.pick(['60', '80', '29', '0', '', '２９', '30人', '99999', '-5', '多数']),
    };
    this.lists.set(service, [...(this.lists.get(service) ?? []), cells]);
    const facilityId = office.事業所番号 ?? '';
    const detail = this.pick([true, true, true, true, false]) ? this.#detail() : null;
    if (detail !== null) this.details.push({ ...detail, facility_id: facilityId, service_code: service });
    this.services.push({
      service,
      facilityId,
      municipality: code,
      grade,
      office: cells,
      detail,
      listPlace: this.lastOf(service),
      detailPlace: `details.csv:${this.details.length + 1}`,
    });
  }

  #detail(): Cells {
    const numbers = Object.entries(CHOICES).map(([field, all]) => [field, this.#spell(this.pick(all.split(' ')))]);
    const words = Object.entries(WORDS).map(([field, values]) => [field, this.pick(values)]);
    return Object.fromEntries([...numbers, ...words]) as Cells;
  }

  /** As people type numbers into forms. */
  #spell(value: string): string {
    if (!/^\d+$/.test(value)) return value === '.' ? '' : value;
    const wide = value.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit)));
    return this.pick([value, value, Number(value).toLocaleString('en-US'), wide, `${value}円`]);
  }

  /** Every sixth office has no position; the others lie within 2 km of a middle. */
  office(nth: number, [code, prefecture, municipality]: Municipality, middle: readonly [number, number]): Cells {
    const [lat, lon] = middle.map((degrees) => (degrees + (this.#random() - 0.5) / 30).toFixed(6));
    const isPlaced = this.pick([true, true, true, true, true, false]);
    const id = `${code.slice(0, 2)}7${String(nth).padStart(7, '0')}`;
    const corporation = this.pick([0, 1, 2, 3, 4, 5]);
    const name = CORPORATIONS[corporation % 4] ?? '';
    const numbers = [`01000000000${corporation}`, '010000000009'].map(corporateNumber);
    return {
      都道府県コード又は市町村コード: code,
      No: id,
      都道府県名: prefecture,
      市区町村名: municipality,
      事業所名: this.pick(NAMES) + nth,
      事業所名カナ: 'ホーム',
      住所: `${prefecture}${municipality}本町1-1`,
      法人番号: this.pick([...numbers, '', '1234567890123']),
      法人の名称: this.pick([name, name, name.replace('会', '　会')]),
      事業所番号: id,
      利用可能曜日: this.pick(OPEN),
      緯度: isPlaced ? (lat ?? '') : '',
      経度: isPlaced ? (lon ?? '') : '',
    };
  }

  /** The table of details and its mapping. */
  detailFiles(): [string, string][] {
    const header = Object.keys(MAPPING.fields);
    const quoted = (cell = '') => (cell.includes(',') ? `"${cell}"` : cell);
    const lines = [header, ...this.details.map((row) => header.map((name) => quoted(row[name])))];
    return [
      ['details.csv', `\ufeff${lines.map((cells) => cells.join(',')).join('\r\n')}\r\n`],
      ['details.mapping.json', JSON.stringify(MAPPING)],
    ];
  }
}

/** Small office lists and details of invented facilities in four municipalities, the same for the same seed. */
export function generateCare(seed: number, codes: readonly string[]): GeneratedCare {
  const rows = new Rows(randomFrom(seed));
  const { services, lists, details } = rows;
  const [, prefecture] = rows.pick(MUNICIPALITIES);
  const towns = [0, 1, 2, 3].map((i) => rows.pick(MUNICIPALITIES.filter((one) => i > 1 || one[1] === prefecture)));
  for (const service of codes) {
    for (let i = HOMES.includes(service) ? 22 : 9; i > 0; i--) {
      const town = rows.pick(towns);
      const nth = towns.findIndex(([code]) => code === town[0]);
      const office = rows.office(services.length, town, [35 + nth / 4, 139 + nth / 7]);
      rows.add(service, office, town);
      if (service === '510' && i % 5 === 0) rows.add('210', office, town);
    }
  }
  // A row and a detail once more, and a detail of an office that no list has.
  const [{ service, office, facilityId }] = services as [GeneratedService];
  lists.get(service)?.push({ ...office, 定員: '60', 法人番号: corporateNumber('010000000000') });
  const again: Cells = { facility_id: details[0]?.facility_id ?? '', service_code: service, users: '3' };
  details.push(again, { ...again, facility_id: `${facilityId.slice(0, 2)}79999999` });
  return {
    services,
    files: new Map([
      ...[...lists].map(([code, cells]): [string, string] => [`lists/jigyosho_${code}.csv`, officeList(cells)]),
      ...rows.detailFiles(),
    ]),
    spare: {
      row_duplicate: [rows.lastOf(service)],
      ...(office.緯度 === '' && { position_missing: [rows.lastOf(service)] }),
      detail_duplicate: [`details.csv:${details.length}`],
      detail_unknown: [`details.csv:${details.length + 1}`],
    },
  };
}
