import { buildingsByWard } from '../dataset/sunlight.ts';
import { latinMunicipality, latinName } from '../search/romaji.ts';
import { PREFECTURES } from '../search/terms.ts';
import type { PageAsk } from './view.ts';

/** A name for readers of the page: in English its reading in Latin letters, followed by the name. */
export function readable({ language }: Pick<PageAsk, 'language'>, name: string, reading: string | null): string {
  const latin = language === 'en' && reading !== null ? latinName(reading) : null;
  return latin === null ? name : `${latin} (${name})`;
}

/** The name of a town for readers of the page, in English with its reading; its code when it has no name. */
export function townNamed(ask: PageAsk, code: string, name: string | null): string {
  if (name === null) return code;
  const reading = ask.language === 'en' ? ask.dataset.sunlight?.town(code, 1, 1)?.toJSON().town.reading : null;
  return readable(ask, name, reading ?? null);
}

/** A ward with buildings. Its name is its code when the data does not know it. */
export interface Ward {
  code: string;
  name: string;
  hasTowns: boolean;
}

/** The codes of the wards with buildings, each with the code of one of its towns; null when its towns are not in the data. */
export function townOfEachWard({ sunlight, manifest }: PageAsk['dataset']): Map<string, string | null> {
  const townOfWard = new Map<string, string | null>();
  for (const { ward_code, town_code } of sunlight?.towns() ?? []) townOfWard.set(ward_code, town_code);
  for (const code of buildingsByWard(manifest).keys()) if (!townOfWard.has(code)) townOfWard.set(code, null);
  return townOfWard;
}

/** The wards with buildings, in order of code. */
export function wardsOf({ dataset }: PageAsk): Ward[] {
  const { sunlight, search } = dataset;
  if (sunlight === null) return [];
  const wards = Array.from(townOfEachWard(dataset), ([code, town]): Ward => {
    // Any town of a ward has the name of the ward.
    return town === null
      ? { code, name: search?.municipality(code)?.name ?? code, hasTowns: false }
      : { code, name: sunlight.town(town, 1, 1)?.toJSON().town.ward_name ?? code, hasTowns: true };
  });
  return wards.sort((a, b) => Number(a.code) - Number(b.code));
}

/** The name for readers of a ward whose towns are not in the data: as the search knows it, otherwise its code. */
export const wardWithoutTowns = (ask: PageAsk, code: string): string =>
  wardNamed(ask, code, ask.dataset.search?.municipality(code)?.name ?? code);

/**
 * The name of a ward or municipality for readers of the page: in English its Latin name, followed by the name.
 * @param code of five or six digits
 */
export function wardNamed(ask: PageAsk, code: string, name: string): string {
  const latin = latinWard(ask, code);
  return latin === null ? name : `${latin} (${name})`;
}

/** A municipality with its prefecture for readers: 東京都千代田区, or in English `Chiyoda-ku, Tokyo (東京都千代田区)`. */
export function placeNamed(ask: PageAsk, code: string, prefecture: string, name: string): string {
  const latin = latinWard(ask, code);
  const fullName = prefecture + name;
  return latin === null ? fullName : `${latin}, ${prefectureNamed(ask, code, prefecture)} (${fullName})`;
}

/**
 * The name of a prefecture in the language of the page.
 * @param code of the prefecture or of a place in it: it begins with the prefecture's two digits
 */
export function prefectureNamed({ language }: Pick<PageAsk, 'language'>, code: string, name: string): string {
  return language === 'ja' ? name : (PREFECTURES[Number(code.slice(0, 2)) - 1] ?? name);
}

/** The name of a ward or municipality in Latin letters; null on Japanese pages and when its reading is unknown. */
export function latinWard(ask: PageAsk, code: string): string | null {
  if (ask.language === 'ja') return null;
  return latinMunicipality(ask.dataset.search?.municipality(code)?.reading ?? '');
}
