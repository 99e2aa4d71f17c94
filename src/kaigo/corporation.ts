import { plain } from './text.ts';

/** Corporations by their corporate number (法人番号), over all services and prefectures. */

/** One corporation, from all its offices together. */
export interface Corporation {
  /** The most common spelling of the name; null when no office has one. */
  name: string | null;
  /** The other spellings, the most common first. */
  nameVariants: string[];
  /** Distinct offices in the whole data. */
  officesTotal: number;
  /** Distinct offices by prefecture code. */
  officesByPrefecture: ReadonlyMap<string, number>;
}

/** The facts of one row about its corporation. */
interface CorporationMention {
  facilityId: string;
  prefectureCode: string;
  corporateNumber: string | null;
  corporation: string | null;
}

/**
 * True for a corporate number: 13 digits, of which the first is the check digit 9 − (Σ Pₙ·Qₙ mod 9), with Pₙ the n-th
 * of the other twelve from the right and Qₙ 1 for odd n, 2 for even (法人番号の指定等に関する省令 第2条).
 */
export function isCorporateNumber(text: string): boolean {
  if (!/^\d{13}$/.test(text)) return false;
  let sum = 0;
  for (let n = 1; n <= 12; n++) sum += Number(text[13 - n]) * (n % 2 === 1 ? 1 : 2);
  return 9 - (sum % 9) === Number(text[0]);
}

/** Every corporation with a known number, by number. An office counts once, with any number of services. */
export function countCorporations(mentions: Iterable<CorporationMention>): Map<string, Corporation> {
  const entries = new Map<string, { names: Map<string, number>; offices: Map<string, string> }>();
  for (const { facilityId, prefectureCode, corporateNumber, corporation } of mentions) {
    if (corporateNumber === null) continue;
    let entry = entries.get(corporateNumber);
    if (entry === undefined) {
      entry = { names: new Map(), offices: new Map() };
      entries.set(corporateNumber, entry);
    }
    if (!entry.offices.has(facilityId)) entry.offices.set(facilityId, prefectureCode);
    if (corporation !== null) entry.names.set(corporation, (entry.names.get(corporation) ?? 0) + 1);
  }
  const corporations = new Map<string, Corporation>();
  for (const [number, { names, offices }] of entries) {
    const [name = null, ...nameVariants] = mostCommonFirst(names);
    const officesByPrefecture = new Map<string, number>();
    for (const code of offices.values()) officesByPrefecture.set(code, (officesByPrefecture.get(code) ?? 0) + 1);
    corporations.set(number, { name, nameVariants, officesTotal: offices.size, officesByPrefecture });
  }
  return corporations;
}

/** Texts by frequency, the most common first, ties in order of code units. */
function mostCommonFirst(counts: ReadonlyMap<string, number>): string[] {
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([text]) => text);
}

/** The corporate number of each name, in every spelling of the data; null when several corporations have the name. */
export function numbersByName(corporations: ReadonlyMap<string, Corporation>): Map<string, string | null> {
  const numbers = new Map<string, string | null>();
  for (const [number, { name, nameVariants }] of corporations) {
    for (const spelling of new Set([name ?? '', ...nameVariants].map(plain))) {
      if (spelling !== '') numbers.set(spelling, numbers.has(spelling) ? null : number);
    }
  }
  return numbers;
}
