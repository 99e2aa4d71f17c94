import { SERVICE_NAMES } from '../../contract/identifiers.ts';
import type { Language } from '../language.ts';
import { withQuery } from '../view.ts';

const NAMES = new Map<string, readonly [ja: string, en: string]>(
  SERVICE_NAMES.map(([code, ...names]) => [code, names]),
);
const ORDER = new Map<string, number>(SERVICE_NAMES.map(([code], i) => [code, i]));

/** The first services of `SERVICE_NAMES`, up to this one. */
const servicesUpTo = (last: string): string[] => [...ORDER.keys()].slice(0, [...ORDER.keys()].indexOf(last) + 1);

/** The services in which people live: up to group homes (320). */
export const HOMES: readonly string[] = servicesUpTo('320');

/** The services of a place where people live or stay over night: homes, multifunctional homes and short stays. */
export const STAYS: readonly string[] = servicesUpTo('230');

/** Homes of which each prefecture of Japan has some. */
export const COMMON_HOMES: readonly string[] = ['510', '540', '520', '550', '331', '320'];

/** Services that ended: 介護療養型医療施設, at the end of March 2024. */
export const ENDED: readonly string[] = ['530'];

/** Homes that take people of care level 3 and above, as a rule (介護保険法第8条). */
export const FROM_LEVEL_3: readonly string[] = ['510', '540'];

/** The name by which people know a service. */
export const serviceName = (code: string, language: Language): string =>
  NAMES.get(code)?.[language === 'ja' ? 0 : 1] ?? code;

/** The position of a service in lists: homes first, rental of equipment last. */
export const serviceOrder = (code: string): number => ORDER.get(code) ?? ORDER.size;

/**
 * The path of the page of homes around a place.
 * @param query besides the position: the case
 */
export const nearPath = (lat: number, lon: number, query: [string, string][] = []): string =>
  withQuery('/kaigo/near/', [['lat', String(lat)], ['lon', String(lon)], ...query]);
