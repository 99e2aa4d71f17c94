import { romaji } from '../search/romaji.ts';
import type { PageAsk } from './view.ts';

/**
 * A reading in kana as English readers write it: `かんだあわじちょう1ちょうめ` gives `Kandaawajicho 1-chome`, `ちよだく`
 * gives `Chiyoda-ku`. Null where it is not all kana.
 */
export function latinName(reading: string): string | null {
  const [, base = '', chome] = /^(.*?)(?:(\d+)ちょうめ)?$/u.exec(reading.normalize('NFKC').trim()) ?? [];
  const text = romaji(base)
    .replace(/^oo/, 'o')
    .replace(/uu/g, 'u')
    // Not in まるのうち, where the vowels belong to two words.
    .replace(/(?<!n)ou/g, 'o');
  if (!/^[a-z '-]+$/.test(text)) return null;
  const name = text[0].toUpperCase() + text.slice(1);
  return chome === undefined ? name : `${name} ${chome}-chome`;
}

/** A name as a reader of the page can say it: in English its reading in Latin letters, the name behind it. */
export function readable({ language }: Pick<PageAsk, 'language'>, name: string, reading: string | null): string {
  const latin = language === 'en' && reading !== null ? latinName(reading) : null;
  return latin === null ? name : `${latin} (${name})`;
}

/** The name of a town, readable; its code where it has none. */
export function townNamed(ask: PageAsk, code: string, name: string | null): string {
  if (name === null) return code;
  const reading = ask.language === 'en' ? ask.dataset.sunlight?.town(code, 1, 1)?.toJSON().town.reading : null;
  return readable(ask, name, reading ?? null);
}

/** The name of a ward or municipality, readable. @param code of five or six digits */
export function wardNamed(ask: PageAsk, code: string, name: string): string {
  if (ask.language === 'ja') return name;
  const latin = latinName(ask.dataset.search?.find(code, 'municipality', 1).places[0]?.reading ?? '');
  return latin === null ? name : `${latin.replace(/(?<=.)(ku|shi)$/, '-$1')} (${name})`;
}
