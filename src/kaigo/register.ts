import { KANJI_NUMBER, kanjiNumber } from '../geo/chome.ts';
import type { Findings } from './findings.ts';
import { type CleanRow, noteFault, type RowArea } from './lists/clean-row.ts';
import { type Detail, NO_DETAIL } from './lists/details.ts';
import { addRow, MONTHLY_FEES, type RegisterHome, type RegisterKind } from './lists/registers.ts';
import { CITIES, cityOfWard, MUNICIPALITIES, municipalityNamed, withSameKe } from './municipalities.ts';
import { PREFECTURES } from './municipality-codes.ts';
import { readPosition } from './position.ts';
import { serviceOf } from './services.ts';
import { cleanAddress, phoneNumber, plain, reading, tidy } from './text.ts';

/** How a home of a register was found among the offices of the lists. */
export type MatchedBy = 'number' | 'name_and_address' | 'name_and_phone';

/** The entry of a service in a register. */
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

/** The services of homes that no office list has. Only a home with the designation of 331 may call itself 介護付. */
const SERVICE_OF_KIND: Record<RegisterKind, string> = {
  paid_home: '920',
  paid_home_with_care: '331',
  serviced_housing: '930',
};

/** A home of a register with its municipality. */
interface PlacedHome {
  home: RegisterHome;
  /** Null: not even the prefecture is known. */
  area: RowArea | null;
  /** With prefecture and municipality, if known. */
  address: string;
}

/**
 * Joins homes of registers with the offices in which people live: by number, else by name and address, else by name and
 * telephone.
 * @param asOf YYYY-MM-DD, the day of the estimates: homes that closed on this day or before it are left out
 */
export function joinRegisters(
  rows: readonly CleanRow[],
  homes: readonly RegisterHome[],
  asOf: string,
  findings: Findings,
): JoinedRegisters {
  const entries = new Map<string, RegisterEntry>();
  if (homes.length === 0) return { entries, added: [] };
  const unmatched = new Map<string, PlacedHome>();
  const offices = rows.filter(({ serviceCode }) => serviceOf(serviceCode)?.kind === 'residence');
  const findOffice = officeFinder(offices, findings);
  const isClosed = ({ closed, closed_on }: RegisterHome): boolean =>
    closed_on === null ? closed === 'yes' : closed_on <= asOf;
  for (const home of homes.filter(isClosed)) findings.note('register_closed', home, home.name);
  const prefectureOf = prefectureFinder(homes);
  for (const placedHome of homes.filter((home) => !isClosed(home)).map((home) => withArea(home, prefectureOf(home)))) {
    const { home } = placedHome;
    const match = findOffice(placedHome);
    if (match === 'several') {
      findings.note('register_ambiguous', home, home.name);
      continue;
    }
    if (match === null) {
      addHome(unmatched, `${nameKey(home.name)} ${addressKey(placedHome.address)}`, placedHome, findings);
    } else {
      const { row, by } = match;
      addHome(entries, row.facilityId + row.serviceCode, { home, matchedBy: by }, findings);
    }
  }
  const added = rowsOfHomes(unmatched, new Set(rows.map(({ facilityId }) => facilityId)), findings);
  for (const { row, home } of added) entries.set(row.facilityId + row.serviceCode, { home, matchedBy: null });
  return { entries, added: added.map(({ row }) => row) };
}

/** Adds a home under a key. A second home under it is noted, and completes the first if both are of one register. */
function addHome<T extends { home: RegisterHome }>(
  homes: Map<string, T>,
  key: string,
  added: T,
  findings: Findings,
): void {
  const earlier = homes.get(key)?.home;
  if (earlier === undefined) {
    homes.set(key, added);
    return;
  }
  findings.note('register_duplicate', added.home, added.home.name);
  // A register may have a row for each kind of room.
  if (earlier.file === added.home.file) addRow(earlier, added.home);
}

/** A fee of a month: its lowest and its highest sum. */
export interface FeeRange {
  low: number;
  high: number;
}

/** The fees of a home by a register; null where it says nothing. Common charges and support services are one fee. */
export function feesOfHome(home: RegisterHome): Record<'rent' | 'management' | 'food', FeeRange | null> {
  const [rent, charges, services, food] = MONTHLY_FEES.map(([least, most]): FeeRange | null => {
    const low = home[least];
    return low === null ? null : { low, high: Math.max(low, home[most] ?? low) };
  });
  const both = [charges, services].filter((fee) => fee != null);
  const sum = (end: keyof FeeRange): number => both.reduce((total, fee) => total + fee[end], 0);
  return {
    rent: rent ?? null,
    management: both.length === 0 ? null : { low: sum('low'), high: sum('high') },
    food: food ?? null,
  };
}

/** True when both codes are known and not the same. */
const differ = (a: string | null | undefined, b: string | null): boolean => a != null && b !== null && a !== b;

/** The office of a home of a register, and how it was found. */
interface OfficeMatch {
  row: CleanRow;
  by: MatchedBy;
}

/**
 * Makes a function that finds the office of a home of a register. It returns null when no office fits, and `several`
 * when several do.
 */
function officeFinder(
  offices: readonly CleanRow[],
  findings: Findings,
): (home: PlacedHome) => OfficeMatch | 'several' | null {
  const byNumber = Map.groupBy(offices, ({ facilityId }) => facilityId);
  const byName = Map.groupBy(offices, ({ name }) => nameKey(name));
  const byPhone = Map.groupBy(offices, ({ name, phone }) => `${nameKey(name)} ${phone ?? ''}`);
  const matchIn = (rows: CleanRow[], by: MatchedBy): OfficeMatch | 'several' | null => {
    if (rows.length === 0) return null;
    const isOneOffice = new Set(rows.map(({ facilityId }) => facilityId)).size === 1;
    return isOneOffice ? { row: rows[0], by } : 'several';
  };
  /** True when the home and the office are known to be in different municipalities or prefectures. */
  const isElsewhere = ({ area }: PlacedHome, { municipalityCode, prefectureCode }: CleanRow): boolean =>
    differ(area?.municipalityCode, municipalityCode) || differ(area?.prefectureCode, prefectureCode);
  const rowsByNumber = (placed: PlacedHome): CleanRow[] => {
    const { home } = placed;
    const rows = byNumber.get(home.facility_id ?? '') ?? [];
    // A mistyped number may be that of another office, but hardly of one with the same name.
    const isOther = (row: CleanRow): boolean => isElsewhere(placed, row) && nameKey(row.name) !== nameKey(home.name);
    if (!rows.some(isOther)) return rows;
    findings.note('register_elsewhere', home, `${home.facility_id} is in ${rows[0]?.municipality}`);
    return [];
  };
  const rowsByAddress = (placed: PlacedHome): CleanRow[] => {
    const street = addressKey(streetOf(placed));
    const namesakes = byName.get(nameKey(placed.home.name)) ?? [];
    return namesakes.filter((row) => !isElsewhere(placed, row) && addressKey(row.address ?? '').endsWith(street));
  };
  return (placed: PlacedHome) => {
    const { home } = placed;
    const telephone = phoneNumber(home.phone ?? '');
    return (
      matchIn(rowsByNumber(placed), 'number') ??
      matchIn(rowsByAddress(placed), 'name_and_address') ??
      (telephone === null ? null : matchIn(byPhone.get(`${nameKey(home.name)} ${telephone}`) ?? [], 'name_and_phone'))
    );
  };
}

/** The address of a home behind its municipality. Some registers leave the municipality out. */
function streetOf({ area, address }: PlacedHome): string {
  const { prefecture = '', municipality = null } = area ?? {};
  // `withSameKe` keeps the length of a text.
  const start = municipality === null ? -1 : withSameKe(address).indexOf(withSameKe(municipality));
  if (municipality === null || start < 0) return address.replace(prefecture, '');
  return address.slice(start + municipality.length);
}

/**
 * Words for the kind of a home that its name may or may not have. グループホーム and ケアハウス are not among them: they are other
 * homes, often of the same name in the same house.
 */
const KIND_WORDS =
  /(介護付き?|住宅型|健康型)?有料老人ホーム|介護付き?ホーム|(サービス|サ)付き?高齢者(向け)?住宅|サ高住|特定施設(入居者生活介護)?/g;

/** A name without the words for its kind, in one spelling. */
function nameKey(name: string): string {
  const spelling = plain(name);
  return withSameKe(spelling.replace(KIND_WORDS, '').replace(/[「」『』（）()【】・]/g, '')) || spelling;
}

const KANJI_CHOME = new RegExp(`${KANJI_NUMBER}(?=丁目)`, 'g');

/** An address up to its number, in one spelling: 一丁目２番３号 陽だまりビル is 1-2-3. */
export function addressKey(address: string): string {
  const spelling = withSameKe(address.normalize('NFKC'))
    // A space between digits parts the house number from a room.
    .replace(/(?<!\d)\s|\s(?!\d)|大字/g, '')
    .replace(KANJI_CHOME, (number) => String(kanjiNumber(number)))
    .replace(/(?<=\d)(丁目|番地の?|番|号|の|[-‐‑–—―−ーｰ])(?=\d)/g, '-')
    .replace(/(?<=\d)(丁目|番地|番|号)/g, '');
  // 北3条西2-1 is one place: of the numbers behind 条 none may be lost.
  const [upToNumber] = /^\D*\d+((-|条[東西南北]?|線[東西南北]?)\d+)*/.exec(spelling) ?? [];
  return upToNumber ?? spelling;
}

/**
 * Homes that no list has, as rows with numbers of their own: prefecture, R, seven digits made from what identifies the
 * home.
 * @param usedIds the office numbers of all lists; the new ones are added
 */
function rowsOfHomes(
  homes: ReadonlyMap<string, PlacedHome>,
  usedIds: Set<string>,
  findings: Findings,
): { row: CleanRow; home: RegisterHome }[] {
  // The lists of several cities may each count from 1.
  const idOf = (key: string, { home, area }: PlacedHome): string =>
    home.register_number === null ? key : `${area?.municipalityCode} ${home.register_number}`;
  // In order of what identifies them, so that the order of the files does not matter.
  const homesWithId = [...homes].map(([key, placed]) => ({ id: idOf(key, placed), key, ...placed }));
  homesWithId.sort((a, b) => (`${a.id} ${a.key}` < `${b.id} ${b.key}` ? -1 : 1));
  return homesWithId.flatMap(({ id, home, area, address }) => {
    if (area === null) {
      findings.note('register_row', home, `no prefecture: ${home.address}`);
      return [];
    }
    if (area.municipalityCode === null) findings.note('register_municipality', home, home.address);
    if (home.kind === 'paid_home_with_care') findings.note('register_with_care', home, home.name);
    let number = hashOf(`${home.kind} ${id}`);
    const facilityId = () => `${area.prefectureCode}R${String(number).padStart(7, '0')}`;
    while (usedIds.has(facilityId())) number = (number + 1) % NUMBERS;
    usedIds.add(facilityId());
    return [{ row: rowOf(home, facilityId(), area, address, findings), home }];
  });
}

/** Numbers of homes have seven digits, as the ID of a home has behind its R. */
const NUMBERS = 10_000_000;
const FNV_BASIS = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** FNV-1a of the code units of a text, as a number of seven digits. */
function hashOf(text: string): number {
  let hash = FNV_BASIS;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), FNV_PRIME) >>> 0;
  return hash % NUMBERS;
}

/**
 * A home with its municipality, and its address with the names of prefecture and municipality.
 * @param prefectureCode undefined: not known
 */
function withArea(home: RegisterHome, prefectureCode: string | undefined): PlacedHome {
  const area = prefectureCode === undefined ? null : areaOfHome(home, prefectureCode);
  const building = '';
  const cleanedAddress = cleanAddress(home.address, building, area?.prefecture ?? '', area?.municipality ?? '').address;
  return { home, area, address: cleanedAddress ?? tidy(home.address) };
}

/** A text without spaces: registers write them or not. */
const withoutSpaces = (text: string | null): string => tidy(text ?? '').replace(/\s/g, '');

/** The area of a home in a prefecture. The municipality is the one that the register names, else that of its address. */
function areaOfHome(home: RegisterHome, prefectureCode: string): RowArea {
  const prefecture = PREFECTURES.get(prefectureCode) ?? '';
  const withoutPrefecture = (text: string) => (text.startsWith(prefecture) ? text.slice(prefecture.length) : text);
  const [name, address] = [home.municipality, home.address].map(withoutSpaces).map(withoutPrefecture) as [
    string,
    string,
  ];
  const municipality =
    municipalityNamed(prefecture, name) ??
    longestNameIn(MUNICIPALITIES, prefecture, address) ??
    // The list of municipalities has the wards of a designated city, but an address may name only the city.
    longestNameIn(CITIES, prefecture, address);
  return {
    prefectureCode,
    prefecture,
    municipalityCode: municipality?.code ?? null,
    municipality: municipality?.name ?? null,
    grade: municipality?.grade ?? null,
  };
}

/**
 * Makes a function that gives the code of the prefecture of a home. It may be named by neither the address nor the register.
 * Then the municipality tells it; where several prefectures have such a municipality (府中市, or 北区 of Tokyo, Osaka, …), it is
 * that of most other homes of the file. Undefined: it cannot be known.
 */
function prefectureFinder(homes: readonly RegisterHome[]): (home: RegisterHome) => string | undefined {
  const codeWhere = (isNamed: (name: string) => boolean): string | undefined =>
    PREFECTURES.entries().find(([, name]) => isNamed(name))?.[0];
  const possibleOf = (home: RegisterHome): ReadonlySet<string> => {
    const address = withoutSpaces(home.address);
    const prefecture = tidy(home.prefecture ?? '');
    const stated = codeWhere((name) => address.startsWith(name)) ?? codeWhere((name) => name === prefecture);
    return stated === undefined ? prefecturesWith(withoutSpaces(home.municipality) || address) : new Set([stated]);
  };
  const countsByFile = new Map<string, Map<string, number>>();
  const possible = new Map(homes.map((home) => [home, possibleOf(home)]));
  for (const [{ file }, prefectures] of possible) {
    const [only, ...others] = prefectures;
    if (only === undefined || others.length > 0) continue;
    const counts = countsByFile.get(file) ?? new Map<string, number>();
    countsByFile.set(file, counts.set(only, (counts.get(only) ?? 0) + 1));
  }
  return (home) => {
    const prefectures = [...(possible.get(home) ?? [])];
    if (prefectures.length < 2) return prefectures[0];
    const [common] = [...(countsByFile.get(home.file) ?? [])].sort(([, a], [, b]) => b - a)[0] ?? [];
    return prefectures.find((one) => one === common);
  };
}

/** The codes of the prefectures with a municipality that an address begins with. An address may name a ward without its city. */
function prefecturesWith(address: string): Set<string> {
  const isBeginning = beginsAddress(address);
  const isPlace = ({ code, name }: { code: string; name: string }): boolean => {
    const city = cityOfWard(code);
    return isBeginning({ name }) || (city !== undefined && isBeginning({ name: name.slice(city.name.length) }));
  };
  return new Set([...MUNICIPALITIES, ...CITIES].filter(isPlace).map(({ code }) => code.slice(0, 2)));
}

/** The municipality with the longest name that an address begins with. */
function longestNameIn<M extends { prefecture: string; name: string }>(
  municipalities: readonly M[],
  prefecture: string,
  address: string,
): M | undefined {
  const isBeginning = beginsAddress(address);
  return municipalities
    .filter((municipality) => municipality.prefecture === prefecture && isBeginning(municipality))
    .sort((a, b) => b.name.length - a.name.length)[0];
}

/** Returns a function that tells whether an address begins with a municipality; a county (郡) may precede it. */
function beginsAddress(address: string): (municipality: { name: string }) => boolean {
  const spelling = withSameKe(address);
  const behindCounty = spelling.replace(/^[^市区町村\d]{1,5}郡/, '');
  return ({ name }) => spelling.startsWith(withSameKe(name)) || behindCounty.startsWith(withSameKe(name));
}

/** Makes an office row of a home that only a register has. */
function rowOf(home: RegisterHome, facilityId: string, area: RowArea, address: string, findings: Findings): CleanRow {
  const published = { lat: String(home.lat ?? ''), lon: String(home.lon ?? '') };
  const location = readPosition(published.lat, published.lon);
  const phone = phoneNumber(home.phone ?? '');
  if (phone === null && home.phone !== null) findings.note('phone_text', home, home.phone);
  const row: CleanRow = {
    file: home.file,
    line: home.line,
    serviceCode: SERVICE_OF_KIND[home.kind],
    facilityId,
    ...area,
    name: tidy(home.name),
    kana: home.name_kana === null ? null : reading(home.name_kana),
    address,
    phone,
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
    position: 'position' in location ? location.position : null,
    positionFault: 'fault' in location ? location.fault : null,
    asPublished: {},
  };
  if (row.positionFault !== null) noteFault(row.positionFault, published, home, row.asPublished, findings);
  return row;
}

/** Details, completed by the register. Of a fee that is a range there, the lowest sum is taken (see `costFactsOf`). */
export function withRegister(
  detail: Detail | undefined,
  home: RegisterHome,
  key: Pick<CleanRow, 'facilityId' | 'serviceCode'>,
): Detail {
  const base: Detail = detail ?? {
    ...NO_DETAIL,
    facility_id: key.facilityId,
    service_code: key.serviceCode,
    file: home.file,
    line: home.line,
    as_published: {},
  };
  const { rent, management, food } = feesOfHome(home);
  const hasFood = base.food_yen_per_month !== null || base.food_yen_per_day !== null;
  return {
    ...base,
    as_published: { ...home.as_published, ...base.as_published },
    rent_yen_per_month: base.rent_yen_per_month ?? rent?.low ?? null,
    management_yen_per_month: base.management_yen_per_month ?? management?.low ?? null,
    food_yen_per_month: hasFood ? base.food_yen_per_month : (food?.low ?? null),
    deposit_yen: base.deposit_yen ?? home.deposit_yen,
    opened_on: base.opened_on ?? home.opened_on,
  };
}
