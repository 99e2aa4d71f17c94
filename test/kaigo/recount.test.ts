import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Facility } from '../../src/contract/operations/kaigo-facility.ts';
import { sharedData, skipWithout } from '../support/shared-data.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { buildTemporarily } from './support/build.ts';
import { type PlainRow, plainLists, plainTable } from './support/plain-rows.ts';
import { groupFindings, isSwapped, textFindings } from './support/recount-texts.ts';

/** Lines of the build report counted a second time, from the raw files and the rules as docs/kaigo.md states them. */
const DETAILS = 'kaigo/tokuyo_detail_tokyo_saitama.csv';
const skip = skipWithout('kaigo/offices', 'kaigo/offices-derived/jigyosho_510.csv', DETAILS);

const keyOf = (row: PlainRow) => `${row.事業所番号} ${row.service}`;
const placeOf = ({ file, line }: PlainRow) => `${file}:${line}`;

/** A number of details; null where the cell is empty. */
const number = (cell: string | undefined) => (cell === undefined || cell.trim() === '' ? null : Number(cell));

interface Found {
  implausible: string[];
  food: string[];
  room: string[];
  former: string[];
  /** Fees for rooms below the standard: whose they are, and where. */
  low: { claim: string; home: string; place: string }[];
}

/** Standard fees of a room from August 2026, those before, and every limit of a low-income stage that it has had since 2021. */
const ROOMS = {
  unit: { standard: 2066, before: [1970, 2006], limits: [820, 880, 1310, 1370, 1470] },
  unit_shared: { standard: 1728, before: [1640, 1668], limits: [490, 550, 1310, 1370, 1470] },
  private: { standard: 1231, before: [1150, 1171], limits: [320, 380, 420, 480, 820, 880, 980] },
  shared: { standard: 915, before: [840, 855], limits: [0, 370, 430, 530] },
} as const;
const FOOD = { standard: 1545, limits: [300, 390, 650, 680, 1360, 1420], before: [1380, 1392, 1445] };

function roomsOf(kind: string | undefined, isPrivate: boolean, isShared: boolean): (keyof typeof ROOMS)[] {
  if (kind === 'unit' && !isShared) return ['unit'];
  if (kind === 'unit') return isPrivate ? ['unit', 'private', 'shared'] : ['unit_shared', 'shared'];
  if (kind !== 'multi') return ['unit', 'unit_shared', 'private', 'shared'];
  if (isPrivate !== isShared) return isPrivate ? ['private'] : ['shared'];
  return ['private', 'shared'];
}

/**
 * What of one row of details cannot be right, given the places of the office list.
 * @param sharesStaff its staff is that of several homes
 */
function judge(row: PlainRow, places: number | null, sharesStaff: boolean, found: Found): void {
  const [total, care, nurses] = [number(row.staff_total), number(row.staff_care), number(row.staff_nurse)];
  let capacity = number(row.capacity);
  const at = (field: string) => `${placeOf(row)}: ${field}`;
  // The law holds 540 to 29 places.
  if (capacity !== null && (capacity < 1 || capacity > (row.service_code === '540' ? 29 : 1000))) {
    found.implausible.push(at('capacity'));
    capacity = null;
  }
  if (total !== null && total < (care ?? 0) + (nurses ?? 0)) found.implausible.push(at('staff_total'));
  // Rooms of so many beds are those of a house with several homes.
  const published = /^(true|1)$/i.test(row.capacity_estimated ?? '') ? places : (places ?? capacity);
  const beds = (number(row.rooms_private) ?? 0) + (number(row.rooms_multi_beds) ?? number(row.rooms_multi) ?? 0);
  const isHouse = published !== null && beds > 1.5 * published;
  if (isHouse) {
    const columns = ['rooms_private', 'rooms_multi', 'rooms_multi_beds'];
    const fields = ['rooms_private', 'rooms_shared', 'rooms_shared_beds'];
    fields.forEach((field, i) => {
      if ((row[columns[i] ?? ''] ?? '') !== '') found.implausible.push(at(field));
    });
  }
  const users = places ?? capacity;
  const ratio = users === null || care === null || care === 0 ? 1 : users / care;
  const isEstimate = places === null && /^(true|1)$/i.test(row.capacity_estimated ?? '');
  // Those of the files fit the users of all their homes.
  if (!sharesStaff && (ratio < 0.5 || ratio > 10)) found.implausible.push(at(isEstimate ? 'capacity' : 'care_staff'));
  const food = number(row.fee_food_per_day);
  const wasStandard = food !== null && FOOD.before.includes(food);
  if (wasStandard) found.former.push(at('food_yen_per_day'));
  else if (food !== null) {
    const inBounds = food >= 0.8 * FOOD.standard && food <= 2 * FOOD.standard;
    if (!inBounds || FOOD.limits.includes(food)) found.food.push(at('food_yen_per_day'));
  }
  const room = number(row.fee_room_per_day);
  if (room === null) return;
  const has = (cell: string | undefined) => !isHouse && (number(cell) ?? 0) > 0;
  const kinds = roomsOf(row.room_kind, has(row.rooms_private), has(row.rooms_multi));
  const away = (kind: keyof typeof ROOMS) => Math.abs(ROOMS[kind].standard - room);
  const nearest = kinds.toSorted((a, b) => away(a) - away(b))[0]!;
  const { standard } = ROOMS[nearest];
  const is = (which: 'before' | 'limits') =>
    kinds.some((kind) => (ROOMS[kind][which] as readonly number[]).includes(room));
  if (room === standard) return;
  if (is('before')) found.former.push(at('room_yen_per_day'));
  else if (is('limits') || room < 0.6 * standard || room > 3 * standard) found.room.push(at('room_yen_per_day'));
  else if (room < standard) {
    const claim = `${row.corp_name?.normalize('NFKC').replace(/\s/g, '')} ${row.service_code} ${nearest} ${room}`;
    found.low.push({ claim, home: row.office_id ?? '', place: at('room_yen_per_day') });
  }
}

/** Fees below the standard that no other home of the corporation asks for the same kind of room. */
const alone = (low: Found['low']) =>
  low.filter(({ claim, home }) => !low.some((other) => other.claim === claim && other.home !== home));

/** Homes of one corporation and site that publish the same staff once more. */
function sharedStaff(rows: readonly PlainRow[]): string[] {
  const key = (row: PlainRow) =>
    [row.corp_name, row.service_code, row.staff_total, row.staff_care, row.staff_nurse].join(' ');
  const at = (row: PlainRow): Point => ({ lat: Number(row.lat), lon: Number(row.lon) });
  return rows.flatMap((row) => {
    const same = rows.filter((other) => other !== row && key(other) === key(row) && metres(at(other), at(row)) < 300);
    return row.staff_care === '' || same.length === 0 ? [] : [row.office_id ?? ''];
  });
}

const RADIUS = 6_371_000;
interface Point {
  lat: number;
  lon: number;
}

/** Metres on the sphere, which is good to half a per cent. */
function metres(a: Point, b: Point): number {
  const rad = Math.PI / 180;
  const h =
    Math.sin(((b.lat - a.lat) * rad) / 2) ** 2 +
    Math.cos(a.lat * rad) * Math.cos(b.lat * rad) * Math.sin(((b.lon - a.lon) * rad) / 2) ** 2;
  return 2 * RADIUS * Math.asin(Math.sqrt(h));
}

const median = (values: number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
};

interface Placed extends Point {
  row: PlainRow;
  code: string;
}

/** A degree of latitude is longer anywhere. */
const LATITUDE_METRES = 110_000;

/** The six other spots nearest to one, the nearest first. */
function nearestSix(one: Placed, spots: readonly Placed[]): { code: string; away: number }[] {
  const nearest: { code: string; away: number }[] = [];
  for (const other of spots) {
    const farthest = nearest[5]?.away ?? Infinity;
    if (Math.abs(other.lat - one.lat) * LATITUDE_METRES > farthest) continue;
    const away = metres(one, other);
    if (away <= 0.01 || away >= farthest) continue;
    nearest.push({ code: other.code, away });
    nearest.sort((a, b) => a.away - b.away);
    nearest.length = Math.min(nearest.length, 6);
  }
  return nearest;
}

/** Positions abroad, too far from the middle of their municipality, and amid the offices of one other. */
function positions(rows: readonly PlainRow[]): { abroad: string[]; far: string[]; elsewhere: string[] } {
  const abroad: string[] = [];
  const placed = rows.flatMap((row): Placed[] => {
    const [lat, lon] = [Number(row.緯度), Number(row.経度)];
    if (row.緯度 === '' || (lat === 0 && lon === 0) || /^(53\.41291|36\.204824)0*$/.test(row.緯度 ?? '')) return [];
    if (lat >= 20 && lat <= 46 && lon >= 122 && lon <= 154) {
      return [{ row, lat, lon, code: row.都道府県コード又は市町村コード ?? '' }];
    }
    abroad.push(placeOf(row));
    return [];
  });
  const far = new Set<Placed>();
  for (const all of Map.groupBy(placed, ({ code }) => code).values()) {
    const middle = { lat: median(all.map(({ lat }) => lat)), lon: median(all.map(({ lon }) => lon)) };
    for (const one of all) if (metres(one, middle) > 60_000) far.add(one);
  }
  const near = placed.filter((one) => !far.has(one));
  const byCode = Map.groupBy(near, ({ code }) => code);
  const spots = [...new Map(near.map((one) => [`${one.lat.toFixed(7)} ${one.lon.toFixed(7)}`, one])).values()];
  const elsewhere = near.filter((one) => {
    const others = byCode.get(one.code)?.filter((other) => other.row.事業所番号 !== one.row.事業所番号) ?? [];
    const alike =
      others.length > 0
        ? others
        : near.filter(({ code }) => code.slice(0, 2) === one.code.slice(0, 2) && code !== one.code);
    const own = Math.min(...alike.map((other) => metres(one, other)));
    if (own === Infinity || own <= 5000) return false;
    const around = nearestSix(one, spots);
    const last = around[5]?.away ?? Infinity;
    if (last > 5000 || own <= 4 * last) return false;
    const areOfAnother = (digits: number) =>
      around.every(({ code }) => {
        const area = code.slice(0, digits);
        return area === around[0]?.code.slice(0, digits) && area !== one.code.slice(0, digits);
      });
    return areOfAnother(6) || areOfAnother(2);
  });
  return { abroad, far: [...far].map(({ row }) => placeOf(row)), elsewhere: elsewhere.map(({ row }) => placeOf(row)) };
}

/** Whether the first digit of a corporate number follows from the other twelve. */
function hasCheckDigit(text: string): boolean {
  if (!/^\d{13}$/.test(text)) return false;
  const digits = [...text].map(Number);
  const sum = digits.slice(1).reduce((total, digit, i) => total + digit * (i % 2 === 0 ? 2 : 1), 0);
  return digits[0] === 9 - (sum % 9);
}

const plainName = (name: string) => name.normalize('NFKC').replace(/\s/g, '');

test('the report equals a second count of the raw files', { skip }, async (t) => {
  const folder = tempFolder(t);
  const offices = sharedData('kaigo/offices')!;
  // A newer list of service 550 with its first hundred offices: the older one counts no more.
  const newer = join(folder, 'jigyosho_550_all_20260709180754.csv');
  const old = readFileSync(join(offices, 'jigyosho_550.csv'), 'utf8').split('\r\n');
  writeFileSync(newer, `${old.slice(0, 101).join('\r\n')}\r\n`);
  const lists = [offices, sharedData('kaigo/offices-derived')!];
  const all = [
    ...lists.flatMap(plainLists).filter(({ service }) => service !== '550'),
    ...plainTable(newer).map((row): PlainRow => ({ ...row, service: '550' })),
  ];
  const rows = [...new Map(all.toReversed().map((row) => [keyOf(row), row])).values()];
  const byKey = new Map(rows.map((row) => [keyOf(row), row]));
  const mostPlaces = ({ service }: PlainRow) => (service === '540' ? 29 : 1000);
  const listed = (row: PlainRow) => {
    const places = /^\d+$/.test(row.定員 ?? '') ? Number(row.定員) : 0;
    return places > 0 && places <= mostPlaces(row) ? places : null;
  };
  const details: Found = { implausible: [], food: [], room: [], former: [], low: [] };
  const detailRows = plainTable(sharedData(DETAILS)!);
  const sharing = sharedStaff(detailRows);
  for (const row of detailRows) {
    const office = byKey.get(`${row.office_id} ${row.service_code}`);
    if (office !== undefined) judge(row, listed(office), sharing.includes(row.office_id ?? ''), details);
  }
  const { abroad, far, elsewhere } = positions(rows);

  await buildTemporarily({ offices: [...lists, newer], details: [sharedData(DETAILS)!] }, ({ half, answers, ids }) => {
    const { findings } = half.report;
    const same = (kind: string, places: string[]) => {
      const { count, examples } = findings[kind] ?? { count: 0, examples: [] };
      assert.equal(count, places.length, kind);
      const known = new Set(places);
      for (const example of examples) {
        assert.ok(
          known.has(example) ||
            known.has(example.split(': ')[0]!) ||
            known.has(example.split(': ').slice(0, 2).join(': ')),
          example,
        );
      }
    };
    same('file_superseded', ['jigyosho_550.csv']);
    same('detail_implausible', details.implausible);
    same('fee_food', details.food);
    same('fee_room', details.room);
    same('fee_former', details.former);
    same(
      'fee_unsupported',
      alone(details.low).map(({ place }) => place),
    );
    same('detail_staff_shared', sharing);
    same('position_abroad', abroad);
    same('position_far', far);
    same('position_elsewhere', elsewhere);
    const where = (test: (row: PlainRow) => boolean) => all.filter(test).map(placeOf);
    same(
      'capacity_text',
      where((row) => row.定員 !== '' && (!/^\d+$/.test(row.定員 ?? '') || Number(row.定員) > mostPlaces(row))),
    );
    same(
      'corporation_number',
      where(({ 法人番号: text = '' }) => text !== '' && !hasCheckDigit(text.normalize('NFKC').trim())),
    );
    same('kana_swapped', where(isSwapped));
    for (const [kind, places] of Object.entries({ ...textFindings(all), ...groupFindings(rows, hasCheckDigit) })) {
      same(kind, places);
    }

    // What stands in columns of its own is served, and corporations without a number have a probable one.
    const facilities = ids.map((id): Facility => JSON.parse(JSON.stringify(answers.facility(id))));
    const services = facilities.flatMap((one) => one.services);
    const served = (test: (one: (typeof services)[number]) => boolean) => services.filter(test).length;
    const counted = (column: string) => rows.filter((row) => (row[column] ?? '').trim() !== '').length;
    assert.equal(services.length, rows.length);
    assert.deepEqual(
      [
        served((one) => one.open_days !== null),
        served((one) => one.open_days_note !== null),
        served((one) => one.shared_care !== null),
        served((one) => one.care_designation !== null),
        served((one) => one.disability_designation !== null),
      ],
      [
        counted('利用可能曜日'),
        counted('利用可能曜日特記事項'),
        counted('高齢者の方と障害者の方が同時一体的に利用できるサービス'),
        counted('介護保険の通常の指定基準を満たしている'),
        counted('障害福祉の通常の指定基準を満たしている'),
      ],
    );
    const known = rows.filter((row) => hasCheckDigit(row.法人番号 ?? ''));
    const numbers = Map.groupBy(known, (row) => plainName(row.法人の名称 ?? ''));
    const probable = [...Map.groupBy(rows, (row) => row.事業所番号)].filter(([, own]) => {
      const name = plainName(own[0]?.法人の名称 ?? '');
      const owners = new Set(numbers.get(name)?.map((row) => row.法人番号));
      return own.every((row) => !hasCheckDigit(row.法人番号 ?? '')) && name !== '' && owners.size === 1;
    });
    assert.equal(facilities.filter(({ corporation }) => corporation.probable_number !== null).length, probable.length);
  });
});
