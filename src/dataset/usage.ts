/** Names of the usage codes (code list `Building_usage` of Project PLATEAU). */
const USAGE_NAMES: Readonly<Record<string, string>> = {
  '401': 'office',
  '402': 'commercial',
  '403': 'hotel',
  '404': 'commercial_complex',
  '411': 'house',
  '412': 'apartment',
  '413': 'house_with_shop',
  '414': 'apartment_with_shop',
  '415': 'house_with_workshop',
  '421': 'government',
  '422': 'education_welfare',
  '431': 'transport_warehouse',
  '441': 'factory',
  '451': 'agriculture',
  '452': 'utility',
  '453': 'defence',
  '454': 'other',
  '461': 'unknown',
};

/** The name of a usage code; null when there is no code or the list does not hold it. */
export const usageName = (code: string | null): string | null => (code === null ? null : (USAGE_NAMES[code] ?? null));
