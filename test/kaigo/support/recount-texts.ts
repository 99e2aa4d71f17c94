import type { PlainRow } from './plain-rows.ts';

/** Places of rows whose texts the report counts, by the names of its lines, from the raw columns and the rules of docs/kaigo.md. */
export function textFindings(rows: readonly PlainRow[]): Record<string, string[]> {
  const where = (test: (row: PlainRow) => boolean) => rows.filter(test).map(({ file, line }) => `${file}:${line}`);
  const known = municipalities(rows);
  const both = (test: (text: string) => boolean) =>
    rows.flatMap((row) =>
      [row.電話番号, row.FAX番号]
        .filter((text = '') => text.trim() !== '' && test(text))
        .map(() => `${row.file}:${row.line}`),
    );
  return {
    text_width: where((row) => /[０-９　]/.test(`${row.事業所名}${row.事業所名カナ}${row.住所}${row.電話番号}`)),
    name_missing: where((row) => blank(row.事業所名)),
    kana_missing: where((row) => blank(row.事業所名カナ)),
    address_missing: where((row) => blank(row.住所)),
    phone_text: both((text) => !isPhone(text)),
    url_none: where((row) => !blank(row.URL) && !isHost(hostOf(row.URL ?? ''))),
    url_text: where(
      (row) => !blank(row.URL) && isHost(hostOf(row.URL ?? '')) && !/^\s*https?:\/\//i.test(row.URL ?? ''),
    ),
    address_prefix: where((row) => !blank(row.住所) && prefixes(row, known).missing),
    address_repeated: where((row) => !blank(row.住所) && prefixes(row, known).repeated),
    building_repeated: where((row) => {
      const house = plain(row['方書（ビル名等）']);
      return house !== '' && plain(row.住所).includes(house);
    }),
  };
}

/** Corporations and offices that the report names, by what their rows say in different ways. @param rows each office and service once */
export function groupFindings(
  rows: readonly PlainRow[],
  isNumber: (text: string) => boolean,
): Record<string, string[]> {
  const several = (key: (row: PlainRow) => string, value: (row: PlainRow) => string) =>
    [...Map.groupBy(rows, key)]
      .filter(([name, own]) => name !== '' && new Set(own.map(value).filter((one) => one !== '')).size > 1)
      .map(([name]) => name);
  const number = ({ 法人番号: text = '' }: PlainRow) => (isNumber(text) ? text : '');
  const office = ({ 事業所番号: id = '' }: PlainRow) => id;
  return {
    corporation_names: several(number, (row) => spaced(row.法人の名称)),
    facility_several_services: several(office, ({ service = '' }) => service),
    facility_corporations: several(office, number),
    facility_names: several(office, (row) => spaced(isSwapped(row) ? row.事業所名カナ : row.事業所名)),
  };
}

/** The reading stands where the name should. */
export const isSwapped = ({ 事業所名: name = '', 事業所名カナ: kana = '' }: PlainRow): boolean =>
  /^[\p{Script=Katakana}ーｰ・･ﾞﾟ\s()（）]+$/u.test(name) && /[\p{Script=Han}\p{Script=Hiragana}]/u.test(kana);

const blank = (text = '') => text.trim() === '';
const spaced = (text = '') =>
  text
    .replace(/[０-９]/g, (digit) => String(digit.charCodeAt(0) - 0xff10))
    .replace(/[\s　]+/g, ' ')
    .trim();
const plain = (text = '') => spaced(text).replace(/(?<=\d)[‐‑‒–—―−－ーｰ](?=\d)/g, '-');

/** Ten digits from 0 on, not from 00, or eleven from 020, 050 to 090 on; in up to four groups, and nothing else but what parts them and stray signs at the ends. */
function isPhone(text: string): boolean {
  const groups = text
    .normalize('NFKC')
    .replace(/\s/g, '')
    .replace(/^[:.,、・]|[:.,、・]$/g, '')
    .split(/[-‐‑‒–—―−ー─()（）/]+/)
    .filter((group) => group !== '');
  const digits = groups.join('');
  const isLong = ['020', '050', '060', '070', '080', '090'].includes(digits.slice(0, 3));
  return (
    /^0[1-9]\d{8,9}$/.test(digits) &&
    digits.length === 10 + Number(isLong) &&
    groups.length <= 4 &&
    (groups[0] ?? '').length > 1
  );
}

/** What stands where the host should. */
function hostOf(text: string): string {
  const typed = text.normalize('NFKC').replace(/\s/g, '');
  const scheme = /^(https?:\/+|h?t?tps?([:;]\/*|\/+|\.?(?=www\.)))/i.exec(typed)?.[0] ?? '';
  return typed.slice(scheme.length).split(/[/?#]/, 1)[0] ?? '';
}

/** A host is of labels, the last of letters; an e-mail address is none. */
function isHost(host: string): boolean {
  const labels = host.replace(/:\d+$/, '').split('.');
  return (
    labels.length > 1 &&
    labels.every((one) => /^[\p{L}\p{N}_-]+$/u.test(one)) &&
    /^\p{L}{2,}$/u.test(labels.at(-1) ?? '')
  );
}

/** 鎌ヶ谷市 as 鎌ケ谷市. */
const withKe = (text: string): string => text.replaceAll('ヶ', 'ケ');

/** How often prefecture and municipality stand before an address. */
function prefixes(row: PlainRow, known: ReadonlySet<string>): { missing: boolean; repeated: boolean } {
  let rest = withKe(plain(row.住所));
  const counts = { prefecture: 0, municipality: 0 };
  const names = { prefecture: row.都道府県名 ?? '', municipality: withKe(row.市区町村名 ?? '') };
  for (let again = true; again; ) {
    again = false;
    for (const name of ['prefecture', 'municipality'] as const) {
      if (names[name] === '' || !rest.startsWith(names[name])) continue;
      rest = rest.slice(names[name].length).trimStart();
      counts[name]++;
      again = true;
    }
  }
  // Behind a county, or in another municipality: the address names it itself.
  const county = names.municipality !== '' && new RegExp(`^.{1,5}[郡島] ?${names.municipality}`).test(rest);
  const starts = Array.from({ length: 9 }, (_, i) => names.prefecture + rest.slice(0, i + 2));
  const names_itself = county || starts.some((start) => known.has(start));
  const missing = counts.prefecture === 0 || (counts.municipality === 0 && !names_itself && names.municipality !== '');
  return { missing, repeated: counts.prefecture > 1 || counts.municipality + Number(county) > 1 };
}

/** Every municipality that a row names, and the city of each ward, behind its prefecture. */
function municipalities(rows: readonly PlainRow[]): Set<string> {
  return new Set(
    rows.flatMap(({ 都道府県名: prefecture = '', 市区町村名: name = '' }) => {
      const city = /^(.+市).+区$/.exec(name)?.[1];
      return [prefecture + name, ...(city === undefined ? [] : [prefecture + city])].map(withKe);
    }),
  );
}
