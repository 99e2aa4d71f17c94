import facts from './facts/services.json' with { type: 'json' };

/** One of the 35 services of the ministry's open data, or a kind of home that is only in registers. */
export interface Service {
  /** The number in the name of the office list. */
  service_code: string;
  /** The official spelling; the lists spell some names in two ways. */
  name: string;
  short_name: string | null;
  kind: string;
  /** Last day of a service that has ended, YYYY-MM-DD. */
  ended_on?: string;
  /** True for homes that no office list has (docs/registers.md). */
  from_registers?: boolean;
}

/**
 * The 35 services and the two kinds of homes in registers, in order of code. Source: the ministry's open data, as named
 * in the facts file.
 */
export const SERVICES: readonly Service[] = facts.services;

const BY_CODE = new Map(SERVICES.map((service) => [service.service_code, service]));

/** The service of a 3-digit code, or undefined for a code that does not exist. */
export function serviceOf(code: string): Service | undefined {
  return BY_CODE.get(code);
}

/** The official name of a service; its code when there is no such service. */
export const officialServiceName = (code: string): string => serviceOf(code)?.name ?? code;

/** Kinds of service, from those in which people live to those that visit them. */
const KINDS = [
  'institution',
  'residence',
  'multifunction',
  'short_stay',
  'day',
  'home_visit',
  'care_management',
  'equipment',
];

/** Compares the services of one facility: a home before a day service before visits; ties by code. */
export function homesFirst(a: string, b: string): number {
  const rank = (code: string) => KINDS.indexOf(BY_CODE.get(code)?.kind ?? '');
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
