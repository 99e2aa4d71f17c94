import { CITIES, municipalityNamed, withSameKe } from './municipalities.ts';

/** Invisible characters: without width, or changing the direction of text. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/**
 * Published text in one spelling: digits and spaces made half-width, runs of spaces one, none at the ends;
 * invisible characters dropped.
 */
export function tidy(text: string): string {
  return text
    .replace(/[０-９]/g, (digit) => digit.normalize('NFKC'))
    .replace(INVISIBLE, '')
    .replace(/[\s\u00a0\u3000]+/g, ' ')
    .trim();
}

/** A text for comparisons: half-width, without spaces and invisible characters. */
export function plain(text: string): string {
  return text.normalize('NFKC').replace(INVISIBLE, '').replace(/\s/g, '');
}

/** Removes control characters such as NUL, which are never part of a value. Line breaks and tabs stay. */
export function withoutControls(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is about them
  return text.replace(/[\u0000-\u0008\u000e-\u001f\u007f-\u009f]/g, '');
}

/** True for a text with full-width digits or spaces. */
export function hasWideText(text: string): boolean {
  return /[０-９\u3000]/.test(text);
}

/** All forms of hyphen and dash that stand between digits. */
const DASHES = /[-‐‑‒–—―−－ーｰ─]/g;

/** True for a cell with dashes alone: it says nothing. */
export const isDash = (text: string): boolean => text !== '' && text.replace(DASHES, '') === '';

/** Numbers of mobile and internet telephones have eleven digits, all others ten; none begins with 00. */
const MOBILE = /^0[256789]0/;

/**
 * A telephone number with ASCII digits and hyphens, grouped as published; null when it is not one. A stray sign before or
 * behind it is dropped: 0855-28-2188・
 */
export function phoneNumber(text: string): string | null {
  const phone = text
    .normalize('NFKC')
    .replace(DASHES, '-')
    .replace(/[()（）/]/g, '-')
    .replace(/\s/g, '')
    .replace(/-+/g, '-')
    .replace(/^[-:.,、・]+|[-:.,、・]+$/g, '');
  const digits = phone.replaceAll('-', '');
  const isGrouped = /^0[1-9]\d*(-\d+){0,3}$/.test(phone);
  return isGrouped && digits.length === (MOBILE.test(digits) ? 11 : 10) ? phone : null;
}

/** A scheme with slips: ttps://, http:/, http;//, http//, http.www. */
const WRITTEN_SCHEME = /^h?t?tp(s?)(?:[:;]\/*|\/+|\.?(?=www\.))(?=[^/])/i;
/** The scheme, the host, and a port, path or query. */
const WEB_ADDRESS = /^https?:\/\/([^/?#:@]+)(:\d+)?([/?#]|$)/i;
/** A name of two labels or more: example.jp, 例.jp. */
const HOST = /^([\p{L}\p{N}_-]+\.)+\p{L}{2,}$/u;

/**
 * A web address with its scheme; null when the text is not one (an e-mail address, words). A mistyped scheme is mended, a
 * bare host gets `http`.
 */
export function webAddress(text: string): string | null {
  const address = text.normalize('NFKC').replace(/\s/g, '');
  const [scheme = '', s = ''] = WRITTEN_SCHEME.exec(address) ?? [];
  const url = /^https?:\/\/[^/]/i.test(address) ? address : `http${s.toLowerCase()}://${address.slice(scheme.length)}`;
  const [, host = ''] = WEB_ADDRESS.exec(url) ?? [];
  return HOST.test(host) && URL.canParse(url) ? url : null;
}

/** A mark of voicing as a sign of its own, also behind a space: ウ゛ is ヴ. */
const MARKS: readonly [apart: RegExp, combining: string][] = [
  [/\s*[゛ﾞ]/g, '\u3099'],
  [/\s*[゜ﾟ]/g, '\u309a'],
];

/** A reading in full-width katakana: half-width kana and hiragana are turned into it. */
export function reading(text: string): string {
  const joined = MARKS.reduce((rest, [apart, combining]) => rest.replace(apart, combining), text.normalize('NFC'));
  return tidy(joined.normalize('NFKC')).replace(/[ぁ-ゖ]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) + 0x60));
}

/** True for a valid reading: katakana, and the digits, letters and signs of names. */
export function isReading(text: string): boolean {
  return /\p{Script=Katakana}/u.test(text) && !/[\p{Script=Han}\p{Script=Hiragana}]/u.test(text);
}

/** Whether a text is written in katakana alone, full-width or half-width. */
export function isKatakana(text: string): boolean {
  return /^[\p{Script=Katakana}ー・\s()]+$/u.test(text.normalize('NFKC'));
}

/** A cleaned address and what had to be done to it. */
interface CleanAddress {
  /** Null when there was none. */
  address: string | null;
  /** The prefecture or the municipality was put before it. */
  prefixed: boolean;
  /** Its beginning stood there twice. */
  repeated: boolean;
  /** The building's column repeats the address. */
  buildingRepeated: boolean;
}

const DASH_BETWEEN_DIGITS = /(?<=\d)[‐‑‒–—―−－ーｰ](?=\d)/g;
/** A county or an island may precede a town's name: 石狩郡当別町, 三宅島三宅村. */
const BEFORE_TOWN = /^.{1,5}[郡島]$/;

/**
 * An address that begins with prefecture and municipality, once each, with half-width digits and spaces and with
 * the building behind it. An address in another municipality than the row's keeps its own.
 * @param prefecture of the row's municipality, such as 北海道
 * @param municipality such as 札幌市中央区; empty when not known
 */
export function cleanAddress(
  published: string,
  building: string,
  prefecture: string,
  municipality: string,
): CleanAddress {
  const street = tidy(published).replace(DASH_BETWEEN_DIGITS, '-');
  const house = tidy(building).replace(DASH_BETWEEN_DIGITS, '-');
  if (street === '') return { address: null, prefixed: false, repeated: false, buildingRepeated: false };
  const { rest, prefectures, municipalities } = withoutPrefix(street, prefecture, municipality);
  const isInCounty = standsBehindCounty(rest, municipality);
  // Behind a county (石狩郡当別町) the municipality is still in `rest`: it is not added, and counts as one more.
  const hasOther = municipalities === 0 && beginsWithMunicipality(rest, prefecture);
  const addedMunicipality = isInCounty || hasOther ? '' : municipality;
  return {
    address: prefecture + addedMunicipality + withBuilding(rest, house),
    prefixed: prefectures === 0 || (municipalities === 0 && addedMunicipality !== ''),
    repeated: prefectures > 1 || municipalities + Number(isInCounty) > 1,
    buildingRepeated: house !== '' && rest.includes(house),
  };
}

/**
 * An address with its building behind it, once. Most lists repeat it there without a space, so that 1-18-10 and 101 would be
 * read as 1-18-10101. The text of the building may also be a part of the number: 2-7- and 25 橘ビル, 安慶名 and 1-4-4.
 */
function withBuilding(address: string, building: string): string {
  if (building === '') return address;
  // Lists that repeat it behind the address also repeat that there is none.
  if (isDash(building) || building === 'なし')
    return address.endsWith(building) ? address.slice(0, -building.length).trimEnd() : address;
  if (!address.includes(building)) return `${address} ${building}`;
  if (!address.endsWith(building) || address === building) return address;
  let street = address.slice(0, -building.length).trimEnd();
  if (street.endsWith(building)) {
    // The building stood in the address already. Digits may instead be those of the number: 1-12F and 2F.
    const rest = street.slice(0, -building.length);
    if (/\p{L}/u.test(building) && !/\d\d/.test(rest.slice(-1) + building[0])) street = rest.trimEnd();
  }
  const isPartOfNumber = street.endsWith('-') || (/^[\d-]+$/.test(building) && !/[\d号]$/.test(street));
  return isPartOfNumber ? address : `${street} ${building}`;
}

/** The rest after prefecture and municipality, and how often each occurred: some lists repeat them (東京都港区東京都港区). */
function withoutPrefix(address: string, prefecture: string, municipality: string) {
  const cityOfWard = CITIES.find(({ name }) => municipality.startsWith(name) && municipality !== name);
  let rest = address;
  let prefectures = 0;
  let municipalities = 0;
  let lengthBefore: number;
  do {
    lengthBefore = rest.length;
    if (prefecture !== '' && rest.startsWith(prefecture)) {
      rest = rest.slice(prefecture.length).trimStart();
      prefectures++;
    }
    if (municipality !== '' && withSameKe(rest).startsWith(withSameKe(municipality))) {
      rest = rest.slice(municipality.length).trimStart();
      municipalities++;
    }
  } while (rest.length < lengthBefore);
  // An address may name a ward without its city.
  const wardName = cityOfWard === undefined ? '' : municipality.slice(cityOfWard.name.length);
  if (municipalities === 0 && wardName !== '' && withSameKe(rest).startsWith(withSameKe(wardName))) {
    return { rest: rest.slice(wardName.length), prefectures, municipalities };
  }
  return { rest, prefectures, municipalities };
}

/** Whether a text begins with a county or an island and then the municipality. */
function standsBehindCounty(text: string, municipality: string): boolean {
  const index = municipality === '' ? -1 : withSameKe(text).indexOf(withSameKe(municipality));
  return index > 0 && BEFORE_TOWN.test(text.slice(0, index).trimEnd());
}

/** Lengths of the names of municipalities, in characters. */
const [SHORTEST_NAME, LONGEST_NAME] = [2, 10];

/** True when the text after the prefecture begins with the name of one of its municipalities or designated cities. */
function beginsWithMunicipality(rest: string, prefecture: string): boolean {
  for (let end = SHORTEST_NAME; end <= Math.min(rest.length, LONGEST_NAME); end++) {
    const name = rest.slice(0, end);
    if (!/[市区町村]$/.test(name)) continue;
    if (municipalityNamed(prefecture, name) !== undefined) return true;
    // The wards of a designated city are municipalities, the city itself is none.
    if (CITIES.some((city) => city.prefecture === prefecture && city.name === name)) return true;
  }
  return false;
}

/** A text without the mark of a footnote at its end: 青葉※1, 3万円（注2）. A text that is only a mark stays. */
export const withoutFootnote = (text: string): string =>
  text.replace(/(?<=.)\s*(?:※\s*[\d０-９]*|[*＊][\d０-９]+|[(（]注[\d０-９]*[)）])$/u, '');
