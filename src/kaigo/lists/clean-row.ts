import { OPEN_DAYS } from '../../contract/kaigo-facility.ts';
import type { LatLon } from '../../geo/degree.ts';
import { isCorporateNumber } from '../corporation.ts';
import type { AsPublished, FileLine, Findings } from '../findings.ts';
import { CITIES, type Grade, municipalityNamed, municipalityOrCity } from '../municipalities.ts';
import { isMunicipalityCode, PREFECTURES } from '../municipality-codes.ts';
import { mostPlaces } from '../plausible.ts';
import { type PositionFault, readPosition } from '../position.ts';
import { cleanAddress, hasWideText, isKatakana, isReading, phoneNumber, reading, tidy, webAddress } from '../text.ts';
import { wholeNumber } from '../values.ts';
import type { OfficeRow } from './office-list.ts';

/** One row of an office list after cleaning. Unknown values and those that are not believed are null. */
export interface CleanRow extends FileLine {
  serviceCode: string;
  facilityId: string;
  prefectureCode: string;
  prefecture: string;
  /** Null when it cannot be determined. */
  municipalityCode: string | null;
  municipality: string | null;
  grade: Grade | null;
  name: string;
  kana: string | null;
  address: string | null;
  phone: string | null;
  fax: string | null;
  url: string | null;
  /** Kinds of days on which it is open; null when not published. */
  openDays: readonly OpenDay[] | null;
  openDaysNote: string | null;
  /** Whether people with disabilities use the service together with the elderly; null when not published. */
  sharedCare: boolean | null;
  /** Standards by which it is designated (通常の指定, 共生型, 基準該当), for care and for disability; null when not published. */
  careDesignation: string | null;
  disabilityDesignation: string | null;
  corporateNumber: string | null;
  corporation: string | null;
  capacity: number | null;
  /** Null without a believed position; `positionFault` has the reason. */
  position: LatLon | null;
  positionFault: PositionFault | null;
  asPublished: AsPublished;
}

/** Cleans one row; everything that had to be done is noted. */
export function cleanRow(row: OfficeRow, findings: Findings): CleanRow {
  const asPublished: AsPublished = {};
  const area = municipalityOfRow(row, findings);
  const location = readPosition(row.lat, row.lon);
  const fault = 'fault' in location ? location.fault : null;
  const { file, line, lat, lon } = row;
  if (fault !== null) noteFault(fault, { lat, lon }, { file, line }, asPublished, findings);
  return {
    file: row.file,
    line: row.line,
    serviceCode: row.serviceCode,
    facilityId: row.facilityId,
    ...area,
    ...namesOf(row, findings),
    address: addressOf(row, area, asPublished, findings),
    phone: phoneOf('phone', row, asPublished, findings),
    fax: phoneOf('fax', row, asPublished, findings),
    openDays: openDaysOf(row, asPublished, findings),
    openDaysNote: tidy(row.daysNote) || null,
    sharedCare: SHARED.get(tidy(row.shared)) ?? null,
    careDesignation: tidy(row.careDesignation) || null,
    disabilityDesignation: tidy(row.disabilityDesignation) || null,
    url: urlOf(row, asPublished, findings),
    ...corporationOf(row, asPublished, findings),
    capacity: capacityOf(row, asPublished, findings),
    position: 'position' in location ? location.position : null,
    positionFault: fault,
    asPublished,
  };
}

/** The municipality of a row, with its prefecture. `municipalityCode` is null when only the prefecture is certain. */
export type RowArea = Pick<CleanRow, 'prefectureCode' | 'prefecture' | 'municipalityCode' | 'municipality' | 'grade'>;

/** The municipality of a row: the present one of its code, or else of its names; or else a former or unknown one. */
function municipalityOfRow(row: OfficeRow, findings: Findings): RowArea {
  const [prefecture, name] = [tidy(row.prefecture), tidy(row.municipality)];
  const publishedCode = row.municipalityCode || 'no code';
  const byCode = municipalityOrCity(row.municipalityCode);
  const current = byCode ?? municipalityNamed(prefecture, name);
  if (current === undefined) {
    const area = formerArea(row, prefecture, name);
    if (area.municipalityCode === null)
      findings.note('municipality_unknown', row, `${publishedCode}, ${prefecture}${name}`);
    return area;
  }
  if (byCode === undefined) findings.note('municipality_recovered', row, `${publishedCode}, ${current.name}`);
  return {
    prefectureCode: current.code.slice(0, 2),
    prefecture: current.prefecture,
    municipalityCode: current.code,
    municipality: current.name,
    grade: current.grade,
  };
}

/**
 * The area of a row whose municipality does not exist today. A valid code is that of a former municipality, and is
 * kept. Otherwise only the prefecture is certain, by its name or by the number of the office.
 */
function formerArea(row: OfficeRow, prefecture: string, name: string): RowArea {
  const codesPrefecture = row.municipalityCode.slice(0, 2);
  const isFormer = isMunicipalityCode(row.municipalityCode) && PREFECTURES.has(codesPrefecture) && name !== '';
  const namedPrefecture = [...PREFECTURES].find(([, prefectureName]) => prefectureName === prefecture)?.[0];
  const prefectureCode = isFormer ? codesPrefecture : (namedPrefecture ?? row.facilityId.slice(0, 2));
  const cityOfWard = CITIES.find((city) => city.prefecture === prefecture && name.startsWith(city.name));
  return {
    prefectureCode,
    prefecture: PREFECTURES.get(prefectureCode) ?? prefecture,
    municipalityCode: isFormer ? row.municipalityCode : null,
    municipality: name || null,
    // A former ward has the area grade of its city.
    grade: cityOfWard?.grade ?? null,
  };
}

/** Name and reading of an office. A row that has them in each other's place is put right. */
function namesOf(row: OfficeRow, findings: Findings): Pick<CleanRow, 'name' | 'kana'> {
  if ([row.name, row.kana, row.address, row.phone].some(hasWideText)) findings.note('text_width', row);
  // A name can mix hiragana with katakana, or have kanji. A reading does neither; only ゔ stands in some for ヴ.
  const kanaText = row.kana.replaceAll('ゔ', '');
  const isMixed = /\p{Script=Hiragana}/u.test(kanaText) && /\p{Script=Katakana}/u.test(kanaText);
  const isSwapped = isKatakana(row.name) && (isMixed || /\p{Script=Han}/u.test(kanaText));
  if (isSwapped) findings.note('kana_swapped', row, `${row.name} / ${row.kana}`);
  const [name, kana] = isSwapped ? [tidy(row.kana), reading(row.name)] : [tidy(row.name), reading(row.kana)];
  if (name === '') findings.note('name_missing', row);
  if (kana === '') findings.note('kana_missing', row);
  else if (!isReading(kana)) findings.note('kana_other', row, kana);
  return { name: name || row.facilityId, kana: kana || null };
}

/** The address with prefecture and municipality; null, and noted, when there is none. */
function addressOf(row: OfficeRow, area: RowArea, asPublished: AsPublished, findings: Findings): string | null {
  const clean = cleanAddress(row.address, row.building, area.prefecture, area.municipality ?? '');
  if (clean.address === null) findings.note('address_missing', row);
  if (clean.prefixed) findings.note('address_prefix', row, row.address);
  if (clean.repeated) findings.note('address_repeated', row, row.address);
  if (clean.buildingRepeated) findings.note('building_repeated', row, row.building);
  if (clean.prefixed || clean.repeated) asPublished.address = row.address;
  return clean.address;
}

/** A telephone or fax number. A text that is not one is noted and kept as published. */
function phoneOf(name: 'phone' | 'fax', row: OfficeRow, asPublished: AsPublished, findings: Findings): string | null {
  const text = row[name];
  if (text.trim() === '') return null;
  const phone = phoneNumber(text);
  if (phone === null) {
    findings.note('phone_text', row, text);
    asPublished[name] = text;
  }
  return phone;
}

export type OpenDay = (typeof OPEN_DAYS)[number];

/** All sets of open days; bit i of the index stands for day i. The offices of a country share these sixteen arrays. */
const OPEN_DAY_SETS: readonly (readonly OpenDay[])[] = Array.from({ length: 2 ** OPEN_DAYS.length }, (_, bits) =>
  OPEN_DAYS.filter((_, i) => bits & (1 << i)),
);

/** The words for days in the lists. */
const DAY_WORDS: ReadonlyMap<string, OpenDay> = new Map([
  ['平日', 'weekday'],
  ['土曜日', 'saturday'],
  ['土曜', 'saturday'],
  ['日曜日', 'sunday'],
  ['日曜', 'sunday'],
  ['祝日', 'holiday'],
]);

/** The words for shared care in the lists. */
const SHARED: ReadonlyMap<string, boolean> = new Map([
  ['あり', true],
  ['なし', false],
]);

/** The days of a row. Unknown words are noted and kept as published. */
function openDaysOf(row: OfficeRow, asPublished: AsPublished, findings: Findings): readonly OpenDay[] | null {
  const words = tidy(row.days)
    .split(/[,、，・\s]+/)
    .filter((word) => word !== '');
  if (words.length === 0) return null;
  const days = words.flatMap((word) => DAY_WORDS.get(word) ?? []);
  const hasUnknownWord = days.length < words.length;
  if (hasUnknownWord) {
    findings.note('days_unknown', row, row.days);
    asPublished.open_days = row.days;
  }
  return days.length === 0 ? null : sharedSetOf(days);
}

/** The array of {@link OPEN_DAY_SETS} with these days. */
function sharedSetOf(days: readonly OpenDay[]): readonly OpenDay[] | null {
  const bits = OPEN_DAYS.reduce((mask, day, i) => (days.includes(day) ? mask | (1 << i) : mask), 0);
  return OPEN_DAY_SETS[bits] ?? null;
}

/** The web address of a row. A text that is not one is noted and kept as published; an address that was completed is noted. */
function urlOf(row: OfficeRow, asPublished: AsPublished, findings: Findings): string | null {
  if (row.url.trim() === '') return null;
  const url = webAddress(row.url);
  if (url === null) {
    findings.note('url_none', row, row.url);
    asPublished.url = row.url;
  } else if (!/^https?:\/\//i.test(row.url.trim())) findings.note('url_text', row, row.url);
  return url;
}

/** The corporation, and its number if it can be one. A wrong number is noted and kept as published. */
function corporationOf(
  row: OfficeRow,
  asPublished: AsPublished,
  findings: Findings,
): Pick<CleanRow, 'corporateNumber' | 'corporation'> {
  const number = row.corporateNumber.normalize('NFKC').replace(/\s/g, '');
  const corporation = tidy(row.corporation) || null;
  if (isCorporateNumber(number)) return { corporateNumber: number, corporation };
  if (number === '') findings.note('corporation_missing', row);
  else {
    findings.note('corporation_number', row, row.corporateNumber);
    asPublished.corporate_number = row.corporateNumber;
  }
  return { corporateNumber: null, corporation };
}

/** The capacity of a row; null, and noted, when there is none. An impossible text is kept in `asPublished`. */
function capacityOf(row: OfficeRow, asPublished: AsPublished, findings: Findings): number | null {
  const capacity = wholeNumber(row.capacity);
  if (capacity === 'blank') {
    findings.note('capacity_missing', row);
    return null;
  }
  if (capacity === 'unreadable' || capacity.value > mostPlaces(row.serviceCode)) {
    findings.note('capacity_text', row, row.capacity);
    asPublished.capacity = row.capacity;
    return null;
  }
  if (capacity.value === 0) {
    findings.note('capacity_zero', row);
    return null;
  }
  return capacity.value;
}

/** The finding that counts each fault. */
const FAULT_FINDINGS = {
  missing: 'position_missing',
  zero: 'position_zero',
  fallback: 'position_fallback',
  swapped: 'position_swapped',
  abroad: 'position_abroad',
  far: 'position_far',
  elsewhere: 'position_elsewhere',
  census: 'position_census',
} as const;

/** Counts a fault of a position and keeps what was published (texts, or the numbers that were read). */
export function noteFault(
  fault: PositionFault,
  { lat, lon }: { lat: string | number; lon: string | number },
  place: FileLine,
  asPublished: AsPublished,
  findings: Findings,
): void {
  const position = `${lat},${lon}`;
  findings.note(FAULT_FINDINGS[fault], place, position);
  const isEmpty = lat === '' && lon === '';
  if (!isEmpty) asPublished.position = position;
}

/** Fields whose texts many rows share, and fields with texts of one row. */
const SHARED_TEXTS = [
  'prefecture',
  'municipality',
  'openDaysNote',
  'careDesignation',
  'disabilityDesignation',
  'corporateNumber',
  'corporation',
] as const satisfies readonly (keyof CleanRow)[];
const OWN_TEXTS = [
  'facilityId',
  'name',
  'kana',
  'address',
  'phone',
  'fax',
  'url',
] as const satisfies readonly (keyof CleanRow)[];

/**
 * Gives rows copies of their texts. A text that was cut out of a list would keep the whole list in memory, and the lists
 * of a country would be most of the memory of a build.
 */
export class RowTexts {
  readonly #shared = new Map<string, string>();
  readonly #encoder = new TextEncoder();
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #buffer = new Uint8Array(1 << 12);

  /** Replaces the texts of a row by copies, so that the row does not keep its list in memory. */
  detach(row: CleanRow): CleanRow {
    for (const name of OWN_TEXTS) {
      const text = row[name];
      if (text !== null) row[name] = this.#copy(text);
    }
    for (const name of SHARED_TEXTS) {
      const text = row[name];
      if (text !== null) row[name] = this.#shareable(text);
    }
    for (const [name, text] of Object.entries(row.asPublished)) row.asPublished[name] = this.#copy(text);
    return row;
  }

  /** A copy of a text that all rows with this text share. */
  #shareable(text: string): string {
    const copy = this.#shared.get(text);
    if (copy !== undefined) return copy;
    // The copy is also the key: the text itself would keep its list in memory.
    const newCopy = this.#copy(text);
    this.#shared.set(newCopy, newCopy);
    return newCopy;
  }

  /**
   * A copy that does not keep the list in memory: text decoded from bytes is no part of another text. A code unit takes
   * at most 3 bytes of UTF-8.
   */
  #copy(text: string): string {
    if (3 * text.length > this.#buffer.length) this.#buffer = new Uint8Array(3 * text.length);
    const { written } = this.#encoder.encodeInto(text, this.#buffer);
    return this.#decoder.decode(this.#buffer.subarray(0, written));
  }
}
