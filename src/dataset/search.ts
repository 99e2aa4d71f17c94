import { SortedFile } from '../formats/sorted-file.ts';
import { lookUps, PART_LENGTH } from '../search/terms.ts';
import type { DatasetFiles } from './files.ts';
import { placeKey, RANKS, SEARCH_INDEX, termRange } from './search-index.ts';
import { PLACE_KINDS, type Place, type PlaceKind } from './search-places.ts';
import type { SunlightAnswers } from './sunlight.ts';

/** Terms that are looked at for one rank: a single letter begins thousands. */
const MOST_TERMS = 500;

/** What a query finds in a dataset. */
export interface SearchAnswers {
  /** @param kind null: of any kind */
  find(query: string, kind: PlaceKind | null, limit: number): Place[];
}

/** Opens the search of a dataset; without an index it finds nothing but IDs of buildings. Throws when it is damaged. */
export function openSearch(files: DatasetFiles, sunlight: SunlightAnswers | null): SearchAnswers {
  const index = SEARCH_INDEX in files.manifest.files ? new SortedFile(files.open(SEARCH_INDEX)) : null;
  return {
    find(query, kind, limit) {
      const text = query.trim();
      const found = new Map<string, Place>();
      const add = (place: Place): void => {
        if (kind === null || place.kind === kind) found.set(`${place.kind}:${place.id}`, place);
      };
      for (const place of buildings(sunlight, text, limit)) add(place);
      if (index === null) return [...found.values()];
      for (const place of placesWithId(index, text)) add(place);
      for (const lookUp of lookUps(text)) {
        for (const reference of named(index, lookUp)) {
          if (found.size >= limit) break;
          if (!found.has(reference)) for (const place of placeAt(index, reference)) add(place);
        }
        if (found.size > 0) break;
      }
      return [...found.values()].slice(0, limit);
    },
  };
}

/** The building of an ID, else those whose IDs begin so. */
function buildings(sunlight: SunlightAnswers | null, text: string, limit: number): Place[] {
  if (sunlight === null || !/^\d{5}-bldg-\d*$/.test(text)) return [];
  const exact = sunlight.summary(text) === null ? sunlight.idsBeginning(text, limit) : [text];
  return exact.flatMap((id): Place[] => {
    const building = sunlight.summary(id)?.toJSON();
    if (building === undefined) return [];
    const { lat, lon, town_name: address } = building;
    return [{ kind: 'building', id, name: id, reading: null, address, lat, lon, page: `/sunlight/building/${id}/` }];
  });
}

/** Towns, facilities and municipalities of exactly this ID. */
const placesWithId = (index: SortedFile, id: string): Place[] =>
  PLACE_KINDS.flatMap((kind) => placeAt(index, `${kind}:${id}`));

function placeAt(index: SortedFile, reference: string): Place[] {
  const bytes = index.get(placeKey(reference));
  return bytes === undefined ? [] : [JSON.parse(bytes.toString()) as Place];
}

/** References to what a text is the beginning of a term of, the best first. */
function* named(index: SortedFile, text: string): Generator<string> {
  for (const rank of RANKS) {
    const { start, end } = termRange(rank, rank > '4' ? text.slice(0, PART_LENGTH) : text);
    let looked = 0;
    for (const [key] of index.range(start, end)) {
      yield key.toString().split('\0')[1] ?? '';
      if (++looked === MOST_TERMS) break;
    }
  }
}
