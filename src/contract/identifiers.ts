import type { ParameterRule } from './parameter.ts';
import { Type } from './schema.ts';

/** The identifiers of the contract, each with the pattern that a parameter is held to. */
export const BuildingId = Type.String({
  pattern: '^\\d{5}-bldg-\\d+$',
  description: 'Building ID of the 3D city model (`uro:buildingID`): 5-digit municipality code, `-bldg-`, digits.',
  examples: ['13101-bldg-365'],
});

export const TownCode = Type.String({
  pattern: '^\\d{9}(\\d{2})?$',
  description:
    'Small-area code of the 2020 national census (KEY_CODE): 11 digits, or 9 where the town has no chome. ' +
    'The 9 digits of a town that has chome stand for all of them.',
  examples: ['13101001001'],
});

/** The 23 special wards of Tokyo. */
export const WARD_PATTERN = '^131(0[1-9]|1\\d|2[0-3])$';

export const WardCode = Type.String({
  pattern: WARD_PATTERN,
  description: 'Code of one of the 23 special wards of Tokyo, `13101` (Chiyoda) to `13123` (Edogawa).',
  examples: ['13101'],
});

/** The identifiers of the care half. */
export const FacilityId = Type.String({
  pattern: '^\\d{2}[0-9A-Z]\\d{7}$',
  description: 'Office number, 10 characters: digits, but the third may be a letter.',
  examples: ['1370100018'],
});

export const MunicipalityCode = Type.String({
  pattern: '^\\d{6}$',
  description:
    'Municipality code, 6 digits of which the last is a check digit. The code of a designated city stands for all its wards.',
  examples: ['131016'],
});

export const PrefectureCode = Type.String({
  pattern: '^(0[1-9]|[1-3]\\d|4[0-7])$',
  description: 'Prefecture code, 01 to 47.',
  examples: ['13'],
});

/** The 35 services of the ministry's open data by the number in their file names. */
export const SERVICE_CODES = [
  '110',
  '120',
  '130',
  '140',
  '150',
  '155',
  '160',
  '170',
  '210',
  '220',
  '230',
  '320',
  '331',
  '332',
  '334',
  '335',
  '336',
  '337',
  '361',
  '362',
  '364',
  '410',
  '430',
  '510',
  '520',
  '530',
  '540',
  '550',
  '551',
  '710',
  '720',
  '730',
  '760',
  '770',
  '780',
] as const;

export const ServiceCode = Type.String({
  pattern: '^\\d{3}$',
  description: 'Service number, 3 digits.',
  examples: ['510'],
});

const WEIGHTS = [6, 5, 4, 3, 2];

/** The last digit of a municipality code follows from the others (JIS X 0402: weights 6 to 2, modulus 11). */
export const MUNICIPALITY_CHECK_DIGIT: ParameterRule = {
  name: 'municipality-check-digit',
  says: 'a municipality code whose last digit is the check digit of the first five',
  holds: (code) => {
    const sum = WEIGHTS.reduce((total, weight, i) => total + weight * Number(code[i]), 0);
    return (11 - (sum % 11)) % 10 === Number(code[5]);
  },
};
