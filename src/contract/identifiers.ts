import Type from 'typebox';

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
