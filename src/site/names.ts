import { memoized } from '../contract/memoized.ts';
import type { Facility } from '../contract/operations/kaigo-facility.ts';
import type { TownList } from '../contract/operations/sunlight-towns.ts';
import { STATION_NEAR_KM } from '../dataset/stations.ts';
import { buildingsByWard, townOf } from '../dataset/sunlight.ts';
import { directionOf } from '../geo/compass.ts';
import { degreesApart, type LatLon } from '../geo/degree.ts';
import { azimuthDeg, LocalPlane } from '../geo/plane.ts';
import { latinMunicipality, latinName } from '../search/romaji.ts';
import { PREFECTURES } from '../search/terms.ts';
import { type PageAsk, textsOf } from './view.ts';

/** A name for readers of the page: in English its reading in Latin letters, followed by the name. */
export function readable({ language }: Pick<PageAsk, 'language'>, name: string, reading: string | null): string {
  const latin = language === 'en' && reading !== null ? latinName(reading) : null;
  return latin === null ? name : `${latin} (${name})`;
}

/** The name of a town for readers of the page, in English with its reading; its code when it has no name. */
export function townNamed(ask: PageAsk, code: string, name: string | null): string {
  if (name === null) return code;
  const reading = ask.language === 'en' ? townOf(ask.dataset.sunlight, code)?.reading : null;
  return readable(ask, name, reading ?? null);
}

/** A town of a list, or a whole town with chome. */
type ListedTown = Pick<TownList[number], 'town_code' | 'name' | 'reading' | 'ward_code'>;

/**
 * The names of towns for readers, by code; without a name the code. When a ward has several towns of one name, each name
 * is followed by what tells the town apart (`apartBy`).
 */
export function namesInLists(ask: PageAsk, listed: readonly ListedTown[]): Map<string, string> {
  const wards = new Set(listed.map(({ ward_code }) => ward_code));
  const towns = (ask.dataset.sunlight?.towns() ?? []).filter(({ ward_code }) => wards.has(ward_code));
  return new Map(
    listed.map((town) => {
      const { town_code: code, name, reading } = town;
      if (name === null) return [code, code];
      const others = towns.filter((one) => one.ward_code === town.ward_code && one.town_code !== code);
      const apart = others.some((one) => one.name === name) ? apartBy(ask, town, others) : null;
      const called = readable(ask, name, reading);
      return [code, apart === null ? called : textsOf(ask).frame.apart(called, apart)];
    }),
  );
}

/**
 * What tells a town from its namesakes in the ward: for a town with chome its first and last one, otherwise the nearest
 * town of another name. That town must be nearer to this town than to each namesake. Null when there is none.
 * @param others the other towns of its ward
 */
function apartBy(ask: PageAsk, { town_code: code, name }: ListedTown, others: TownList): string | null {
  const { frame } = textsOf(ask);
  const called = (town: ListedTown): string => readable(ask, town.name ?? town.town_code, town.reading);
  const chome = others.filter(({ town_code }) => town_code.startsWith(code));
  if (chome.length > 0) return frame.fromTo(called(chome[0]), called(chome[chome.length - 1]));
  const own = townOf(ask.dataset.sunlight, code);
  if (own === undefined) return null;
  const namesakes = others.filter((one) => one.name === name);
  const [nearest] = others
    .filter((one) => one.name !== null && one.name !== name)
    .filter((one) => namesakes.every((other) => degreesApart(one, own) < degreesApart(one, other)))
    .sort((a, b) => degreesApart(a, own) - degreesApart(b, own));
  return nearest === undefined ? null : frame.near(called(nearest));
}

/** A ward with buildings. Its name is its code when the data does not know it. */
export interface Ward {
  code: string;
  name: string;
  hasTowns: boolean;
}

/** True when the data has towns. */
export const hasTowns = ({ dataset }: Pick<PageAsk, 'dataset'>): boolean => (dataset.sunlight?.towns().length ?? 0) > 0;

/**
 * The codes of the wards with buildings, each with the code of one of its towns (any of them has the name of the ward);
 * null when its towns are not in the data.
 */
export const townOfEachWard = memoized(
  ({ sunlight, manifest }: PageAsk['dataset']): ReadonlyMap<string, string | null> => {
    const townOfWard = new Map<string, string | null>();
    for (const { ward_code, town_code } of sunlight?.towns() ?? []) townOfWard.set(ward_code, town_code);
    for (const code of buildingsByWard(manifest).keys()) if (!townOfWard.has(code)) townOfWard.set(code, null);
    return townOfWard;
  },
);

/** The wards with buildings, in order of code. */
export function wardsOf({ dataset }: PageAsk): Ward[] {
  const { sunlight, search } = dataset;
  if (sunlight === null) return [];
  const wards = Array.from(townOfEachWard(dataset), ([code, town]): Ward => {
    return town === null
      ? { code, name: search?.municipality(code)?.name ?? code, hasTowns: false }
      : { code, name: townOf(sunlight, town)?.ward_name ?? code, hasTowns: true };
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

/** Where a place lies from the nearest station: 渋谷駅の北東350 m. Null when none is known within `STATION_NEAR_KM`. */
export function fromStation(ask: PageAsk, { lat, lon }: LatLon): string | null {
  const nearest = new LocalPlane(lat, lon).nearest(ask.dataset.stations, 1000 * STATION_NEAR_KM);
  if (nearest === null) return null;
  const { place: station, east, north } = nearest;
  const { frame } = textsOf(ask);
  // The place as seen from the station: the other way round.
  const direction = frame.faces[directionOf(azimuthDeg(-east, -north))];
  const roundedMetres = Math.round(Math.hypot(east, north) / 10) * 10;
  return frame.fromStation(readable(ask, station.name, station.reading), direction, roundedMetres);
}

/**
 * The reading of the name of a home: its kana on a Japanese page, Latin letters on an English one if its kana can be
 * written in them. Empty when it adds nothing to the name.
 */
export function kanaOf(
  { language }: Pick<PageAsk, 'language'>,
  { name, name_kana: kana }: Pick<Facility, 'name' | 'name_kana'>,
): string {
  if (kana === null) return '';
  const latin = language === 'en' ? latinName(kana) : null;
  const addedKana = kana === name ? '' : kana;
  return latin ?? addedKana;
}
