import type { Findings } from './findings.ts';
import type { CleanRow } from './lists/clean-row.ts';
import { DETAIL_FIELDS } from './lists/detail-fields.ts';
import type { Detail } from './lists/details.ts';
import type { RegisterKind } from './lists/register-fields.ts';
import type { Register, RegisterHome } from './lists/registers.ts';
import { CITIES, MUNICIPALITIES, municipalityNamed, municipalityOf, PREFECTURES } from './municipalities.ts';
import { readPosition } from './position.ts';
import { serviceOf } from './services.ts';
import { cleanAddress, phoneNumber, plain, tidy } from './text.ts';

/** How a home of a register was found among the offices of the lists. */
export type MatchedBy = 'number' | 'name_and_address' | 'name_and_phone';

/** What a register says of a service. */
export interface RegisterEntry {
  home: RegisterHome;
  /** Null for a home that no office list has. */
  matchedBy: MatchedBy | null;
}

/** Registers, joined with the rows of the office lists. */
export interface JoinedRegisters {
  /** By office number and service. */
  entries: ReadonlyMap<string, RegisterEntry>;
  /** Homes that no office list has, as rows of a list. */
  added: CleanRow[];
}

/** The services of homes that no office list has. */
const SERVICE_OF_KIND: Record<RegisterKind, string> = { paid_home: '920', serviced_housing: '930' };

/** Joins homes of registers with the offices in which people live: by number, else by name and address, else by name and telephone. */
export function joinRegisters(
  rows: readonly CleanRow[],
  registers: readonly Register[],
  findings: Findings,
): JoinedRegisters {
  const entries = new Map<string, RegisterEntry>();
  const own = new Map<string, RegisterHome>();
  const offices = rows.filter(({ serviceCode }) => serviceOf(serviceCode)?.kind === 'residence');
  const find = finderOf(offices);
  for (const home of registers.flatMap(({ homes }) => homes)) {
    const found = find(home);
    if (found === 'several') {
      findings.note('register_ambiguous', home, home.name);
      continue;
    }
    // One building may be in two registers.
    const key =
      found === null
        ? `${nameKey(home.name)} ${addressKey(home.address)}`
        : found.row.facilityId + found.row.serviceCode;
    const isTwice = found === null ? own.has(key) : entries.has(key);
    if (isTwice) findings.note('register_duplicate', home, home.name);
    else if (found === null) own.set(key, home);
    else entries.set(key, { home, matchedBy: found.by });
  }
  const added = rowsOfHomes(own, new Set(rows.map(({ facilityId }) => facilityId)), findings);
  for (const { row, home } of added) entries.set(row.facilityId + row.serviceCode, { home, matchedBy: null });
  return { entries, added: added.map(({ row }) => row) };
}

/** What finds the office that a home of a register is. */
function finderOf(offices: readonly CleanRow[]) {
  const byNumber = Map.groupBy(offices, ({ facilityId }) => facilityId);
  const byAddress = Map.groupBy(offices, ({ name, address }) => `${nameKey(name)} ${addressKey(address ?? '')}`);
  const byPhone = Map.groupBy(offices, ({ name, phone }) => `${nameKey(name)} ${phone ?? ''}`);
  const only = (found: CleanRow[], by: MatchedBy) => {
    if (found.length === 0) return null;
    const isOne = new Set(found.map(({ facilityId }) => facilityId)).size === 1;
    return isOne ? { row: found[0], by } : ('several' as const);
  };
  return ({ facility_id, name, address, phone }: RegisterHome) => {
    const number = tidy(facility_id ?? '').toUpperCase();
    const telephone = phoneNumber(phone ?? '');
    return (
      only(byNumber.get(number) ?? [], 'number') ??
      only(byAddress.get(`${nameKey(name)} ${addressKey(address)}`) ?? [], 'name_and_address') ??
      (telephone === null ? null : only(byPhone.get(`${nameKey(name)} ${telephone}`) ?? [], 'name_and_phone'))
    );
  };
}

/** Words for the kind of a home that may stand in its name or not. */
const KIND_WORDS =
  /(介護付|住宅型|健康型)?有料老人ホーム|サービス付き?高齢者向け住宅|サ高住|特定施設入居者生活介護|軽費老人ホーム|ケアハウス|グループホーム/g;

/** A name without the words for its kind, in one spelling. */
function nameKey(name: string): string {
  const typed = plain(name);
  return typed.replace(KIND_WORDS, '').replace(/[「」『』（）()【】・]/g, '') || typed;
}

const KANJI_DIGITS = '〇一二三四五六七八九';

/** An address up to its number, in one spelling: 一丁目２番３号 陽だまりビル is 1-2-3. */
export function addressKey(address: string): string {
  const typed = address
    .normalize('NFKC')
    .replace(/\s/g, '')
    .replace(/([一二三四五六七八九]?)十([一二三四五六七八九]?)(?=丁目)/g, (_, tens: string, ones: string) =>
      String((tens === '' ? 1 : KANJI_DIGITS.indexOf(tens)) * 10 + (ones === '' ? 0 : KANJI_DIGITS.indexOf(ones))),
    )
    .replace(/[一二三四五六七八九](?=丁目)/g, (digit) => String(KANJI_DIGITS.indexOf(digit)))
    .replace(/(?<=\d)(丁目|番地の?|番|号|の|[-‐‑–—―−ーｰ])(?=\d)/g, '-')
    .replace(/(?<=\d)(丁目|番地|番|号)/g, '');
  const [numbered] = /^\D*\d+(-\d+)*/.exec(typed) ?? [];
  return numbered ?? typed;
}

/** Homes that no list has, as rows with numbers of their own: prefecture, R, seven digits made from what identifies the home. */
function rowsOfHomes(
  homes: ReadonlyMap<string, RegisterHome>,
  taken: Set<string>,
  findings: Findings,
): { row: CleanRow; home: RegisterHome }[] {
  // In order of what identifies them, so that the order of the files does not matter.
  const identified = [...homes].map(([key, home]) => ({ id: home.register_number ?? key, home }));
  identified.sort((a, b) => (a.id < b.id ? -1 : 1));
  return identified.flatMap(({ id, home }) => {
    const place = placeOf(home, findings);
    if (place === null) return [];
    let number = hashOf(`${home.kind} ${id}`);
    const numbered = () => `${place.prefectureCode}R${String(number).padStart(7, '0')}`;
    while (taken.has(numbered())) number = (number + 1) % NUMBERS;
    taken.add(numbered());
    return [{ row: rowOf(home, numbered(), place), home }];
  });
}

const NUMBERS = 10_000_000;

/** FNV-1a of the code units of a text, as a number of seven digits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash % NUMBERS;
}

type Place = Pick<CleanRow, 'prefectureCode' | 'prefecture' | 'municipalityCode' | 'municipality' | 'grade'>;

/** The municipality of a home: as the register names it, else by the beginning of its address. Null, noted: not even the prefecture is known. */
function placeOf(home: RegisterHome, findings: Findings): Place | null {
  const address = tidy(home.address).replace(/\s/g, '');
  const byAddress = [...PREFECTURES].find(([, name]) => address.startsWith(name));
  const byName = [...PREFECTURES].find(([, name]) => name === tidy(home.prefecture ?? ''));
  const [prefectureCode = '', prefecture = ''] = byName ?? byAddress ?? [];
  if (prefectureCode === '') {
    findings.note('register_row', home, `no prefecture: ${home.address}`);
    return null;
  }
  const rest = address.startsWith(prefecture) ? address.slice(prefecture.length) : address;
  const named = municipalityNamed(prefecture, tidy(home.municipality ?? ''));
  const city = named === undefined ? longest(CITIES, prefecture, rest) : undefined;
  const found = named ?? longest(MUNICIPALITIES, prefecture, rest) ?? city;
  if (found === undefined) {
    findings.note('register_municipality', home, home.address);
    return { prefectureCode, prefecture, municipalityCode: null, municipality: null, grade: null };
  }
  const { grade } = municipalityOf(found.code) ?? found;
  return { prefectureCode, prefecture, municipalityCode: found.code, municipality: found.name, grade };
}

/** The municipality with the longest name that an address begins with; a county (郡) may stand before it. */
function longest<M extends { prefecture: string; name: string }>(
  all: readonly M[],
  prefecture: string,
  address: string,
): M | undefined {
  const without = address.replace(/^[^市区町村\d]{1,5}郡/, '');
  return all
    .filter((one) => one.prefecture === prefecture && (address.startsWith(one.name) || without.startsWith(one.name)))
    .sort((a, b) => b.name.length - a.name.length)[0];
}

function rowOf(home: RegisterHome, facilityId: string, place: Place): CleanRow {
  const position = home.lat === null || home.lon === null ? null : readPosition(String(home.lat), String(home.lon));
  const { address } = cleanAddress(home.address, '', place.prefecture, place.municipality ?? '');
  return {
    file: home.file,
    line: home.line,
    serviceCode: SERVICE_OF_KIND[home.kind],
    facilityId,
    ...place,
    name: tidy(home.name),
    kana: home.name_kana === null ? null : tidy(home.name_kana),
    address,
    phone: phoneNumber(home.phone ?? ''),
    fax: null,
    url: home.url,
    openDays: null,
    openDaysNote: null,
    sharedCare: null,
    careDesignation: null,
    disabilityDesignation: null,
    corporateNumber: null,
    corporation: home.corporation === null ? null : tidy(home.corporation),
    capacity: home.capacity,
    position: position !== null && 'position' in position ? position.position : null,
    positionFault: position === null ? 'missing' : 'fault' in position ? position.fault : null,
    asPublished: {},
  };
}

/** Details with what the register says, where they are silent. */
export function withRegister(
  detail: Detail | undefined,
  home: RegisterHome,
  key: Pick<CleanRow, 'facilityId' | 'serviceCode'>,
): Detail {
  const empty = Object.fromEntries(Object.keys(DETAIL_FIELDS).map((name) => [name, null])) as unknown as Detail;
  const base: Detail = detail ?? {
    ...empty,
    facility_id: key.facilityId,
    service_code: key.serviceCode,
    file: home.file,
    line: home.line,
    as_published: {},
  };
  const fees = [home.management_yen_per_month, home.service_yen_per_month].filter((fee) => fee !== null);
  const hasFood = base.food_yen_per_month !== null || base.food_yen_per_day !== null;
  return {
    ...base,
    rent_yen_per_month: base.rent_yen_per_month ?? home.rent_yen_per_month,
    management_yen_per_month:
      base.management_yen_per_month ?? (fees.length === 0 ? null : fees.reduce((sum, fee) => sum + fee, 0)),
    food_yen_per_month: hasFood ? base.food_yen_per_month : home.food_yen_per_month,
    deposit_yen: base.deposit_yen ?? home.deposit_yen,
    opened_on: base.opened_on ?? home.opened_on,
  };
}
