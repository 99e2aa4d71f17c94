import { municipalityCheckDigit } from '../contract/identifiers.ts';
import { PLACE_KINDS, type PlaceKind } from '../contract/operations/search.ts';
import { SortedFile } from '../formats/sorted-file.ts';
import { PREFECTURES } from '../kaigo/municipality-codes.ts';
import { fold } from '../search/romaji.ts';
import {
  addressOf,
  type LookUp,
  lookUps,
  PART_LENGTH,
  prefectureCodeByName,
  spellings,
  type Term,
} from '../search/terms.ts';
import type { DatasetFiles } from '../snapshot/dataset-files.ts';
import { ADDRESS_INDEX, AddressIndex } from './address-index.ts';
import { openGmlIds } from './gml-ids.ts';
import { exactTerms, idOfTerm, type NamedKind, placeKey, SEARCH_INDEX, termsBeginning } from './search-index.ts';
import type { Place } from './search-places.ts';
import type { SunlightAnswers } from './sunlight.ts';

export type { Place };

/** Most terms to read from one range of the index. A single letter can begin thousands of terms. */
const MOST_TERMS = 500;
/** Fewest letters at the start of a name for a search inside names. */
const SHORTEST_START = 2;

/** The search of a dataset. */
export interface SearchAnswers {
  /**
   * Finds places by IDs, blocks of addresses, and names. If there are none, places whose name contains the query.
   * @param kind of the results; null: any
   */
  find(query: string, kind: PlaceKind | null, limit: number): Found;
  /** The municipality of a code with five or six digits; null when the data does not have it. */
  municipality(code: string): Place | null;
  /** The blocks of a town in a municipality (5 digits); none without the address registry. */
  blocks(town: string, municipality: string): { number: string; lat: number; lon: number }[];
}

/** The results of a query. */
export interface Found {
  /** The best first. */
  places: Place[];
  /** Words of the query that were ignored; null: none. */
  ignored: string | null;
}

/**
 * Which terms of which places are compared with a text, and whether the whole term or its beginning; the best first.
 */
const RANKS: readonly { how: 'exact' | 'beginning'; by: Term['by']; kinds: readonly NamedKind[] }[] = [
  { how: 'exact', by: 'name', kinds: ['municipality', 'station', 'town', 'facility'] },
  { how: 'exact', by: 'reading', kinds: ['municipality', 'station', 'town', 'facility'] },
  { how: 'beginning', by: 'name', kinds: ['municipality', 'station', 'town'] },
  { how: 'beginning', by: 'reading', kinds: ['municipality', 'station', 'town'] },
  { how: 'beginning', by: 'name', kinds: ['facility'] },
  { how: 'beginning', by: 'reading', kinds: ['facility'] },
  { how: 'beginning', by: 'part', kinds: ['municipality', 'town', 'facility'] },
];

/**
 * Opens the search of a dataset; null without an index.
 * @throws Error when it is damaged
 */
export function openSearch(files: DatasetFiles, sunlight: SunlightAnswers | null): SearchAnswers | null {
  if (!(SEARCH_INDEX in files.manifest.files)) return null;
  const index = new SortedFile(files.open(SEARCH_INDEX));
  const byGmlId = openGmlIds(files);
  const addresses = ADDRESS_INDEX in files.manifest.files ? new AddressIndex(files) : null;
  return {
    municipality: (code) => municipalityAt(index, code),
    blocks: (town, municipality) => addresses?.blocks(town, municipality) ?? [],
    // In this order: what an ID or code names, blocks of an address, places by name; and if there are none, places whose
    // names contain the query.
    find(query, kind, limit) {
      const results = new Map<string, Place>();
      const gmlBuildings = byGmlId(query.trim()).flatMap((id) => (sunlight && buildingPlace(sunlight, id)) ?? []);
      for (const place of [...gmlBuildings, ...placesWithId(index, sunlight, idIn(query), limit)]) {
        if (kind === null || place.kind === kind) results.set(resultKey(place), place);
      }
      const wantsAddress = kind === null || kind === 'address';
      const blocks = wantsAddress && addresses !== null ? blocksOfAddress(addresses, index, query, limit) : [];
      for (const block of blocks) results.set(resultKey(block), block);
      const ignored = addNamed(results, index, { query, kind, limit });
      if (results.size === 0) {
        for (const place of placesContaining(index, fold(query), kind).take(limit))
          results.set(resultKey(place), place);
      }
      return { places: [...results.values()].slice(0, limit), ignored };
    },
  };
}

/** Number of places to read for each wanted result when results must lie in an area. */
const PLACES_PER_RESULT = 20;
/** Most areas of a query to look up (ward, city, prefecture). Each takes a millisecond. */
const MOST_AREAS = 4;

/**
 * Adds the results of the first look-up that finds something, up to the limit. They come after the results that are
 * already there (IDs, blocks).
 * @returns the words of the query that were ignored; null: none
 */
function addNamed(
  found: Map<string, Place>,
  index: SortedFile,
  { query, kind, limit }: { query: string; kind: PlaceKind | null; limit: number },
): string | null {
  // `around`: the areas in which the place lies by the query (ward, city, prefecture).
  const { place: placeName, around } = addressOf(query);
  const namedAreas = around.slice(0, MOST_AREAS).map((name) => areaNamed(index, name));
  const prefecture = [...PREFECTURES.values()].find((name) => placeName.startsWith(name) && placeName !== name);
  const areas = prefecture === undefined ? namedAreas : [...namedAreas, prefectureArea(prefecture)];
  const earlierResults = found.size;
  const hasBlocks = [...found.values()].some((one) => one.kind === 'address');
  const attempts = attemptsFor(index, query, namedAreas);
  for (const attempt of attempts) {
    // In areas more places are looked at, because those outside are dropped.
    const most = areas.length === 0 ? Math.max(limit, PLACES_PER_RESULT) : PLACES_PER_RESULT * limit;
    const places = [...placesNamed(index, attempt, kind, found).take(most)];
    const { chosen, missed } = inMostOf(areas, places);
    for (const place of outsideMunicipalitiesLast(chosen).slice(0, Math.max(0, limit - found.size)))
      found.set(resultKey(place), place);
    if (chosen.length > 0) {
      // A query with a number may be an address. Then offices alone are not what it asks for.
      const areOffices = chosen.every((place) => place.kind === 'facility');
      if (areOffices && kind === null && /\d/.test(fold(placeName)))
        addTown(
          found,
          index,
          attempts.filter(({ ignored }) => ignored === null || ignored === attempt.ignored),
        );
      // Areas in which not all of these places lie were ignored, too.
      const ignored = [attempt.ignored, ...missed, ...around.slice(MOST_AREAS)].filter((words) => words !== null);
      return ignored.length === 0 ? null : ignored.join(', ');
    }
    // An ID has found results: the query is no name. After a block the look-ups go on, because they find its town.
    if (earlierResults > 0 && !hasBlocks) return null;
  }
  return null;
}

/**
 * The look-ups of a query in their order. Those that need the index are made only when the ones before found nothing.
 * @param areas that the query names around the place: a ward, a city
 */
function* attemptsFor(index: SortedFile, query: string, areas: readonly { name: string }[]): Generator<Attempt> {
  const { place } = addressOf(query);
  const inQuery = lookUps(query);
  const firstThatIgnores = inQuery.findIndex(({ ignored }) => ignored !== null);
  const wholeCount = firstThatIgnores < 0 ? inQuery.length : firstThatIgnores;
  // First those of the whole query, at last those that ignore words of it.
  yield* inQuery.slice(0, wholeCount);
  yield* withMunicipality(index, place);
  yield* behindMunicipality(index, place);
  yield* inQuery.slice(wholeCount);
  for (const { name } of areas) yield { texts: spellings(name), ignored: place, hasFacilities: false };
}

/** Most letters of a municipality without its 区 or 市 before a town: 千代田丸の内. */
const MOST_LETTERS_OF_MUNICIPALITY = 5;

/**
 * The look-ups of a place behind a municipality that lacks its 区 or 市: 新宿大久保 and 新宿 大久保 are 新宿区大久保. The name of
 * the municipality ends in kanji, and the place has two letters or more.
 */
function withMunicipality(index: SortedFile, written: string): LookUp[] {
  const place = written.replace(/\s/g, '');
  const lengths = Array.from({ length: MOST_LETTERS_OF_MUNICIPALITY }, (_, i) => i + 1);
  return lengths.flatMap((length) => {
    const [name, town] = [place.slice(0, length), place.slice(length)];
    if (town.length < 2 || !/\p{Script=Han}$/u.test(name)) return [];
    const isMunicipality = (suffix: string): boolean => {
      const { start, end } = exactTerms('municipality', 'name', fold(name + suffix));
      return index.range(start, end).next().done !== true;
    };
    const texts = ['区', '市']
      .filter(isMunicipality)
      .flatMap((suffix) => spellings(name + suffix + town).filter((text) => text !== ''));
    return texts.length === 0 ? [] : [{ texts, ignored: null, hasFacilities: false }];
  });
}

/** The look-up of the words behind a municipality, in it: 南陽園 of 杉並区 南陽園. */
function behindMunicipality(index: SortedFile, place: string): Attempt[] {
  const [, name = '', rest = ''] = /^(\S+[区市町村])\s+(.+)$/u.exec(place) ?? [];
  const { start, end } = exactTerms('municipality', 'name', fold(name));
  if (rest === '' || index.range(start, end).next().done === true) return [];
  const texts = spellings(rest).filter((text) => text !== '');
  return [{ texts, ignored: null, hasFacilities: true, within: areaNamed(index, name) }];
}

/**
 * Adds the town of an address for which only offices were found: the first town that one of the later look-ups finds.
 * @param laterLookUps without those that ignore more words, because their town could be another one
 */
function addTown(found: Map<string, Place>, index: SortedFile, laterLookUps: Iterable<Attempt>): void {
  for (const lookUp of laterLookUps) {
    const [town] = placesNamed(index, lookUp, 'town', found).take(1);
    if (town === undefined) continue;
    found.set(resultKey(town), town);
    return;
  }
}

/** A look-up; with an area, of the places in it alone. */
type Attempt = LookUp & { within?: Area };

/** An area named in the query. */
interface Area {
  name: string;
  /** @param code of a place's municipality, five digits; empty when not known */
  has(code: string): boolean;
}

/** The area of a name: the prefecture with this name, and the municipalities whose name equals it or begins with it. */
function areaNamed(index: SortedFile, name: string): Area {
  const prefecture = prefectureCodeByName(name);
  // Only look-ups with the whole name, in which no word is ignored.
  const texts = lookUps(name).flatMap((lookUp) => (lookUp.ignored === null ? lookUp.texts : []));
  const codes = new Set([...matches(index, texts, 'municipality').take(MOST_TERMS)].map(({ id }) => id.slice(0, 5)));
  return { name, has: (code) => codes.has(code) || code.slice(0, 2) === prefecture };
}

/** A prefecture before an address in Japanese. Places whose prefecture the data do not know may lie in it. */
const prefectureArea = (name: string): Area => ({
  name,
  has: (code) => code === '' || PREFECTURES.get(code.slice(0, 2)) === name,
});

/**
 * The places that lie in the most areas, and the names of the areas in which not all of these places lie.
 */
function inMostOf(areas: readonly Area[], places: readonly Place[]): { chosen: readonly Place[]; missed: string[] } {
  const located = places.map((place) => ({
    place,
    within: areas.filter((area) => area.has(municipalityDigits(place))),
  }));
  const most = Math.max(0, ...located.map(({ within }) => within.length));
  const chosen = located.filter(({ within }) => within.length === most);
  const missed = areas.filter((area) => !chosen.every(({ within }) => within.includes(area)));
  return { chosen: chosen.map(({ place }) => place), missed: missed.map(({ name }) => name) };
}

/** Identifies a place among the results. */
const resultKey = ({ kind, id }: { kind: PlaceKind; id: string }): string => `${kind}:${id}`;

/**
 * The results of a look-up: each once, without those already found. Facilities are among them where the look-up finds
 * any (`hasFacilities`), and always when only facilities are wanted.
 */
function* placesNamed(
  index: SortedFile,
  { texts, hasFacilities, within }: Attempt,
  kind: PlaceKind | null,
  found: ReadonlyMap<string, Place>,
): Generator<Place> {
  const seen = new Set(found.keys());
  for (const match of matches(index, texts, kind)) {
    const wantsFacilities = hasFacilities || kind === 'facility';
    if (match.kind === 'facility' && !wantsFacilities) continue;
    if (seen.has(resultKey(match))) continue;
    seen.add(resultKey(match));
    const place = placeAt(index, match.kind, match.id);
    if (place !== null && (within === undefined || within.has(municipalityDigits(place)))) yield place;
  }
}

/**
 * Places in the same order, but municipalities outside the sunlight half behind towns: 信濃町 is the town in Tokyo before
 * the one in Nagano.
 */
function outsideMunicipalitiesLast(places: readonly Place[]): readonly Place[] {
  const isOutside = ({ kind, ward_code }: Place): boolean => kind === 'municipality' && ward_code === null;
  const hasTown = places.some(({ kind }) => kind === 'town');
  return hasTown ? places.toSorted((a, b) => Number(isOutside(a)) - Number(isOutside(b))) : places;
}

/** The code of a place's municipality, five digits; empty when it is not known. */
const municipalityDigits = ({ ward_code, municipality_code }: Place): string =>
  (ward_code ?? municipality_code ?? '').slice(0, 5);

/** The names of the towns with a reading. A hyphen at its end leads to the block: `kandasuda-1`. */
const townNamesByReading = (index: SortedFile, reading: string): string[] =>
  rangesOf('exact', 'town', 'reading', reading.replace(/-$/, '')).flatMap(({ start, end }) =>
    [...index.range(start, end)].flatMap(([key]) => placeAt(index, 'town', idOfTerm(key))?.name ?? []),
  );

/** The blocks of an address. The town may be given by name or by reading. */
function blocksOfAddress(addresses: AddressIndex, index: SortedFile, query: string, limit: number): Place[] {
  const townNames = (reading: string): string[] => townNamesByReading(index, reading);
  // Of the look-ups of a query only the first has the whole text.
  const wholeTexts = lookUps(query)[0]?.texts ?? [];
  const places = wholeTexts.flatMap((address) => [...addresses.find(address, townNames).take(limit)]);
  return places.slice(0, limit).map((place) => {
    // The ID of a block begins with the six digits of its municipality.
    const code = place.id.slice(0, 6);
    // Null for a municipality that the index does not have: it has no page.
    return { ...place, municipality_code: placeAt(index, 'municipality', code) === null ? null : code };
  });
}

/** Normalizes a query that may be an ID: usual width, plain hyphens, also for the blanks around `bldg`, no other blanks. */
const idIn = (query: string): string =>
  query
    .normalize('NFKC')
    .replace(/[‐‑‒–—―−ーｰ]/g, '-')
    .trim()
    .replace(/(?<=^\d{5}) +(?=bldg)|(?<=^\d{5}[ -]bldg) +/gi, '-')
    .replace(/\s/g, '');

/** The places with exactly this ID or code, and buildings whose ID begins with it. */
function placesWithId(index: SortedFile, sunlight: SunlightAnswers | null, id: string, limit: number): Place[] {
  const others = PLACE_KINDS.flatMap(
    (kind) => (kind === 'municipality' ? municipalityAt(index, id) : placeAt(index, kind, id)) ?? [],
  );
  const places = [...buildings(sunlight, id.toLowerCase(), limit), ...others];
  // A ward that is not in the census is known only by its buildings.
  return places.length === 0 && /^\d{5}$/.test(id) ? buildings(sunlight, `${id}-bldg-`, limit) : places;
}

/** The municipality of a code. Five digits are enough; a sixth must be the check digit. */
function municipalityAt(index: SortedFile, code: string): Place | null {
  const digits = /^\d{5}(?=\d?$)/.exec(code)?.[0];
  if (digits === undefined) return null;
  const sixDigits = digits + municipalityCheckDigit(digits);
  if (code !== digits && code !== sixDigits) return null;
  // A municipality has six digits. In a dataset without the care half, a ward has five.
  return placeAt(index, 'municipality', sixDigits) ?? placeAt(index, 'municipality', digits);
}

/** The building with this ID; otherwise buildings whose IDs begin with the text. */
function buildings(sunlight: SunlightAnswers | null, text: string, limit: number): Place[] {
  if (sunlight === null || !/^\d{5}-bldg-\d*$/.test(text)) return [];
  const ids = sunlight.summary(text) === null ? sunlight.idsBeginning(text, limit) : [text];
  return ids.flatMap((id) => buildingPlace(sunlight, id) ?? []);
}

/** A building as a result; null when the dataset does not have it. */
function buildingPlace(sunlight: SunlightAnswers, id: string): Place | null {
  const building = sunlight.summary(id)?.toJSON();
  if (building === undefined) return null;
  const { lat, lon, town_name: address, ward_code } = building;
  return {
    kind: 'building',
    id,
    name: id,
    reading: null,
    address,
    ward_code,
    municipality_code: null,
    lat,
    lon,
    page: `/sunlight/building/${id}/`,
    api: `/api/v1/sunlight/building/${id}`,
  };
}

/** The place of the index with this kind and ID; null when there is none. */
function placeAt(index: SortedFile, kind: PlaceKind, id: string): Place | null {
  const bytes = index.get(placeKey(kind, id));
  return bytes === undefined ? null : (JSON.parse(bytes.toString()) as Place);
}

/**
 * Places whose name contains the whole text, for a text by which nothing else is found. They are looked up by the kanji
 * or the hiragana with which the text begins; of what is found, the places whose names contain the whole text are kept.
 * None if these letters are fewer than {@link SHORTEST_START}, or if they are the whole text, by which nothing was
 * found.
 */
function* placesContaining(index: SortedFile, text: string, kind: PlaceKind | null): Generator<Place> {
  const [start = ''] = /^(\p{Script=Han}+|\p{Script=Hiragana}+)/u.exec(text) ?? [];
  if (start.length < SHORTEST_START || start === text) return;
  const lookUp = { texts: [start], ignored: null, hasFacilities: true };
  const foundBefore = new Map<string, Place>();
  const places = placesNamed(index, lookUp, kind, foundBefore).take(MOST_TERMS);
  for (const place of places) if (fold(place.name).includes(text)) yield place;
}

/**
 * Kind and ID of the places with a term that equals one of the texts or begins with it, in the order of {@link RANKS}.
 * A place may occur more than once.
 * @param wanted the only kind to find; null: all kinds
 */
function* matches(
  index: SortedFile,
  texts: readonly string[],
  wanted: PlaceKind | null,
): Generator<{ kind: NamedKind; id: string }> {
  for (const { how, by, kinds } of RANKS) {
    for (const kind of kinds) {
      if (wanted !== null && wanted !== kind) continue;
      for (const text of texts) {
        for (const { start, end } of rangesOf(how, kind, by, text)) {
          for (const [key] of index.range(start, end).take(MOST_TERMS)) yield { kind, id: idOfTerm(key) };
        }
      }
    }
  }
}

/** The key ranges of a text. `大手町1` must also find 大手町一丁目, which the index has as `大手町1-`. */
function rangesOf(how: 'exact' | 'beginning', kind: NamedKind, by: Term['by'], text: string) {
  if (how === 'exact') return [text, `${text}-`].map((exactText) => exactTerms(kind, by, exactText));
  // Parts of names are stored only up to this length.
  const start = by === 'part' ? text.slice(0, PART_LENGTH) : text;
  return [termsBeginning(kind, by, start)];
}
