import { BUILDING_ID } from '../building/attributes.ts';
import type { ParameterRule } from './parameter.ts';
import { Type } from './schema.ts';

/** The identifiers of the contract, with the patterns of the parameters. */
export const BuildingId = Type.String({
  pattern: BUILDING_ID.source,
  description: 'Building ID of the 3D city model (`uro:buildingID`): 5-digit municipality code, `-bldg-`, digits.',
  examples: ['$building_id'],
});

export const TownCode = Type.String({
  pattern: '^\\d{9}(\\d{2})?$',
  description:
    'Small-area code of the 2020 national census (KEY_CODE): 11 digits, or 9 where the town has no chome. ' +
    'The 9 digits of a town that has chome stand for all of them.',
  examples: ['$town_code'],
});

/** The 23 special wards of Tokyo. */
export const WARD_PATTERN = '^131(0[1-9]|1\\d|2[0-3])$';

export const WardCode = Type.String({
  pattern: WARD_PATTERN,
  description: 'Code of one of the 23 special wards of Tokyo, `13101` (Chiyoda) to `13123` (Edogawa).',
  examples: ['$ward_code'],
});

/** The identifiers of the care half. */
export const FacilityId = Type.String({
  pattern: '^\\d{2}[0-9A-Z]\\d{7}$',
  description: 'Office number, 10 characters: digits, but the third may be a letter.',
  examples: ['$facility_id'],
});

export const MunicipalityCode = Type.String({
  pattern: '^\\d{6}$',
  description:
    'Municipality code, 6 digits of which the last is a check digit. The code of a designated city stands for all its wards.',
  examples: ['$municipality_code'],
});

export const PrefectureCode = Type.String({
  pattern: '^(0[1-9]|[1-3]\\d|4[0-7])$',
  description: 'Prefecture code, 01 to 47.',
  examples: ['13'],
});

/**
 * The 35 services of the ministry's open data, by the number in their file names, and 920 and 930 for homes of
 * registers, each with the everyday name in Japanese and English (the official names are in `kaigo/services.ts`). Homes
 * come first, rental and sale of equipment last.
 */
export const SERVICE_NAMES = [
  ['510', '特別養護老人ホーム', 'Special nursing homes'],
  ['540', '地域密着型特養', 'Small special nursing homes'],
  ['520', '介護老人保健施設', 'Geriatric health facilities'],
  ['550', '介護医療院', 'Care and medical institutions'],
  ['530', '介護療養型医療施設', 'Long-term care wards'],
  ['331', '介護付有料老人ホーム', 'Fee-based homes with care'],
  ['332', '特定施設（軽費老人ホーム）', 'Low-cost homes with care'],
  ['334', '特定施設（サ高住）', 'Serviced housing with care'],
  ['335', '有料老人ホーム（外部サービス）', 'Fee-based homes, outside services'],
  ['336', '軽費老人ホーム（外部サービス）', 'Low-cost homes, outside services'],
  ['337', 'サ高住（外部サービス）', 'Serviced housing, outside services'],
  ['361', '地域密着型有料老人ホーム', 'Small fee-based homes'],
  ['362', '地域密着型軽費老人ホーム', 'Small low-cost homes'],
  ['364', '地域密着型サ高住', 'Small serviced housing'],
  ['920', '有料老人ホーム（住宅型など）', 'Fee-based homes'],
  ['930', 'サービス付き高齢者向け住宅', 'Serviced housing'],
  ['320', 'グループホーム', 'Group homes'],
  ['730', '小規模多機能型', 'Multifunctional small homes'],
  ['770', '看護小規模多機能型', 'Multifunctional with nursing'],
  ['551', '短期入所（介護医療院）', 'Short stays, medical institutions'],
  ['210', 'ショートステイ', 'Short stays'],
  ['220', '短期入所（老健）', 'Short stays, health facilities'],
  ['230', '短期入所（病院等）', 'Short stays, hospitals'],
  ['150', 'デイサービス', 'Day services'],
  ['155', '療養通所介護', 'Day services with nursing'],
  ['160', 'デイケア', 'Day rehabilitation'],
  ['720', '認知症対応型通所介護', 'Dementia day services'],
  ['780', '地域密着型通所介護', 'Small day services'],
  ['110', '訪問介護', 'Home visits'],
  ['120', '訪問入浴介護', 'Bathing at home'],
  ['130', '訪問看護', 'Nursing at home'],
  ['140', '訪問リハビリ', 'Rehabilitation at home'],
  ['710', '夜間対応型訪問介護', 'Night visits'],
  ['760', '定期巡回・随時対応', 'Regular and on-call visits'],
  ['430', '居宅介護支援', 'Care management'],
  ['170', '福祉用具貸与', 'Rental of equipment'],
  ['410', '福祉用具販売', 'Sale of equipment'],
] as const;

export const SERVICE_CODES = SERVICE_NAMES.map(([code]) => code).sort();

export const ServiceCode = Type.String({
  pattern: '^\\d{3}$',
  description: 'Service number, 3 digits.',
  examples: ['510'],
});

/** Weights of the first five digits of a municipality code (JIS X 0402). */
const WEIGHTS = [6, 5, 4, 3, 2];

/**
 * The check digit of a municipality code, which is its sixth digit (JIS X 0402, modulus 11).
 * @param code at least the first five digits
 */
export function municipalityCheckDigit(code: string): string {
  const sum = WEIGHTS.reduce((total, weight, i) => total + weight * Number(code[i]), 0);
  const checkNumber = 11 - (sum % 11);
  return String(checkNumber % 10);
}

export const MUNICIPALITY_CHECK_DIGIT: ParameterRule = {
  name: 'municipality-check-digit',
  says: 'a municipality code whose last digit is the check digit of the first five',
  holds: (code) => municipalityCheckDigit(code) === code[5],
};
