import { municipalityCheckDigit } from '../contract/identifiers.ts';

/** True for a 6-digit code with the right check digit. */
export function isMunicipalityCode(text: string): boolean {
  return /^\d{6}$/.test(text) && municipalityCheckDigit(text) === text[5];
}

/** Prefecture names by code, 01 to 47. */
export const PREFECTURES: ReadonlyMap<string, string> = new Map(
  (
    '北海道 青森県 岩手県 宮城県 秋田県 山形県 福島県 茨城県 栃木県 群馬県 埼玉県 千葉県 ' +
    '東京都 神奈川県 新潟県 富山県 石川県 福井県 山梨県 長野県 岐阜県 静岡県 愛知県 ' +
    '三重県 滋賀県 京都府 大阪府 兵庫県 奈良県 和歌山県 鳥取県 島根県 岡山県 広島県 ' +
    '山口県 徳島県 香川県 愛媛県 高知県 福岡県 佐賀県 長崎県 熊本県 大分県 宮崎県 ' +
    '鹿児島県 沖縄県'
  )
    .split(' ')
    .map((name, i) => [String(i + 1).padStart(2, '0'), name]),
);

/**
 * The designated cities: first five digits of the city's own code, its name. The codes of their wards follow. The lists
 * have only wards. The special wards of Tokyo are municipalities of their own.
 */
export const DESIGNATED_CITIES: readonly [string, string][] = [
  ['01100', '札幌市'],
  ['04100', '仙台市'],
  ['11100', 'さいたま市'],
  ['12100', '千葉市'],
  ['14100', '横浜市'],
  ['14130', '川崎市'],
  ['14150', '相模原市'],
  ['15100', '新潟市'],
  ['22100', '静岡市'],
  ['22130', '浜松市'],
  ['23100', '名古屋市'],
  ['26100', '京都市'],
  ['27100', '大阪市'],
  ['27140', '堺市'],
  ['28100', '神戸市'],
  ['33100', '岡山市'],
  ['34100', '広島市'],
  ['40100', '北九州市'],
  ['40130', '福岡市'],
  ['43100', '熊本市'],
];

const CITY_DIGITS = new Set(DESIGNATED_CITIES.map(([digits]) => digits));

/** True when five digits are a designated city's own code. */
export const isDesignatedCity = (digits: string): boolean => CITY_DIGITS.has(digits);
