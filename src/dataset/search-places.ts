import type { Facility } from '../contract/operations/kaigo-facility.ts';
import type { KaigoStore } from './kaigo-store.ts';
import type { TownDirectory } from './towns.ts';
import { degrees7 } from './units.ts';

export const PLACE_KINDS = ['building', 'town', 'facility', 'municipality'] as const;
export type PlaceKind = (typeof PLACE_KINDS)[number];

/** Something that a search finds. */
export interface Place {
  kind: PlaceKind;
  id: string;
  name: string;
  /** Kana. */
  reading: string | null;
  address: string | null;
  /** Degrees. */
  lat: number | null;
  lon: number | null;
  /** Path of its page. */
  page: string;
}

/** Everything that the search index of a dataset holds: towns, their wards, facilities and municipalities. */
export function placesOf(towns: TownDirectory | null, kaigo: KaigoStore | null): Place[] {
  const municipalities = kaigo === null ? { facilities: [], municipalities: [] } : carePlaces(kaigo);
  const known = new Set(municipalities.municipalities.map(({ id }) => id.slice(0, 5)));
  const wards = towns === null ? [] : wardPlaces(towns).filter(({ id }) => !known.has(id));
  const named = towns === null ? [] : townPlaces(towns);
  return [...named, ...municipalities.facilities, ...municipalities.municipalities, ...wards];
}

/** Towns with a name; towns made of chome too. */
function townPlaces(towns: TownDirectory): Place[] {
  const codes = new Set(towns.list.flatMap(({ town_code }) => [town_code.slice(0, 9), town_code]));
  return [...codes].flatMap((code): Place[] => {
    const town = towns.get(code);
    if (town === null || town.name === null) return [];
    const { name, reading, ward_name, lat, lon } = town;
    return [
      { kind: 'town', id: code, name, reading, address: ward_name + name, lat, lon, page: `/sunlight/town/${code}/` },
    ];
  });
}

function wardPlaces(towns: TownDirectory): Place[] {
  const byWard = Map.groupBy(towns.list, ({ ward_code }) => ward_code);
  return [...byWard].map(([id, members]) => {
    const name = towns.get(members[0]?.town_code ?? '')?.ward_name ?? id;
    const page = `/sunlight/${id}/`;
    return { kind: 'municipality', id, name, reading: null, address: null, ...middleOf(members), page };
  });
}

function carePlaces(store: KaigoStore): { facilities: Place[]; municipalities: Place[] } {
  const positions = new Map<string, { lat: number; lon: number }[]>();
  const facilities = Array.from({ length: store.facilityCount }, (_, i): Place => {
    const facility = JSON.parse(store.facility(i).toString()) as Facility;
    const { facility_id: id, name, name_kana: reading, address, municipality_code, lat, lon } = facility;
    if (lat !== null && lon !== null && municipality_code !== null) {
      const others = positions.get(municipality_code) ?? [];
      positions.set(municipality_code, others);
      others.push({ lat, lon });
    }
    return { kind: 'facility', id, name, reading, address, lat, lon, page: `/kaigo/facility/${id}/` };
  });
  const municipalities = store.municipalities.map(({ municipality_code: id, name, prefecture, services }): Place => {
    const page = `/kaigo/${id}/${services[0]?.service_code}/`;
    const middle = middleOf(positions.get(id) ?? []);
    return { kind: 'municipality', id, name, reading: null, address: prefecture + name, ...middle, page };
  });
  return { facilities, municipalities };
}

function middleOf(points: readonly { lat: number; lon: number }[]): Pick<Place, 'lat' | 'lon'> {
  if (points.length === 0) return { lat: null, lon: null };
  const mean = (of: (point: { lat: number; lon: number }) => number): number =>
    degrees7(points.reduce((sum, point) => sum + of(point), 0) / points.length);
  return { lat: mean(({ lat }) => lat), lon: mean(({ lon }) => lon) };
}
