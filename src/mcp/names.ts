import { SERVICES } from '../contract/identifiers.ts';
import { CITIES, MUNICIPALITIES } from '../kaigo/municipalities.ts';
import { fold, foldRomaji, isLatin, romaji } from '../search/romaji.ts';
import { prefectureCalled } from '../search/terms.ts';

/** A municipality or designated city that a name can mean. */
interface Named {
  /** Six digits. */
  code: string;
  name: string;
}

type ByName = Map<string, Named[]>;

/**
 * Municipalities by their names, in three maps. The first that has a name decides: full names (`千代田区`, `chiyodaku`,
 * with the city or prefecture of a ward), wards without their city, names without their last word (`千代田`, `chiyoda`).
 */
const BY_NAME: readonly [full: ByName, ward: ByName, short: ByName] = [new Map(), new Map(), new Map()];

for (const { code, prefecture, name, reading } of [...MUNICIPALITIES, ...CITIES]) {
  const words = reading.split(' ').map(romaji);
  const latin = [words.join(''), [...words].reverse().join('')];
  const full = [fold(name), fold(prefecture + name), ...latin.map(foldRomaji)];
  const city = /^.+市(?=.+区$)/u.exec(name)?.[0];
  const ward = city === undefined ? [] : [fold(name.slice(city.length)), foldRomaji(words.at(-1) ?? '')];
  const short = [...full, ...ward].map((key) => key.replace(/(.)([区市町村]|ku|shi|cho|machi|mura|son)$/u, '$1'));
  for (const [i, keys] of [full, ward, short].entries())
    for (const key of new Set(keys)) {
      const known = BY_NAME[i]?.get(key) ?? [];
      BY_NAME[i]?.set(key, [...known, { code, name: prefecture + name }]);
    }
}

const named = (key: string): readonly Named[] => BY_NAME.find((names) => names.has(key))?.get(key) ?? [];

/** The municipalities that a name can mean: `千代田区`, `東京都千代田区`, `Chiyoda-ku`, `Chiyoda City, Tokyo`. */
export function municipalitiesCalled(text: string): readonly Named[] {
  const parts = text.split(',').map((part) => part.trim());
  if (!parts.every(isLatin)) return named(fold(text));
  const keys = parts.map((part) => foldRomaji(part.replace(/[\s-]+(city|ward|town|village)$/i, '')));
  const prefectures = parts.slice(1).map(prefectureCalled);
  const all = named(keys.join(''));
  if (all.length > 0) return all;
  return named(keys[0] ?? '').filter(({ code }) => prefectures.every((own) => own === null || code.startsWith(own)));
}

/** Usual short names of services that `SERVICES` writes out. */
const SHORT_NAMES: Readonly<Record<string, string>> = { 特養: '510', 老健: '520', 通所介護: '150', 短期入所: '210' };

const plural = (name: string): string => name.replace(/[\s-]+/g, ' ').replace(/s$/, '');
const SERVICE_CODES = new Map([
  ...Object.entries(SHORT_NAMES),
  ...SERVICES.flatMap(([code, name, english]): [string, string][] => [
    [name, code],
    [plural(english.toLowerCase()), code],
  ]),
]);

/** The code of a service by its name or usual short name; undefined when no service has it. */
export const serviceCalled = (text: string): string | undefined =>
  SERVICE_CODES.get(text) ?? SERVICE_CODES.get(plural(text.toLowerCase()));
