import type { Facility } from '../contract/operations/kaigo-facility.ts';
import type { PlaceKind } from '../contract/operations/search.ts';
import { degreesApart, KM_PER_DEGREE, type LatLon } from '../geo/degree.ts';
import { sevenDecimals } from '../geo/rounding.ts';
import { cityOfWard, municipalityOfDigits } from '../kaigo/municipalities.ts';
import { homesFirst } from '../kaigo/services.ts';
import type { KaigoStore } from './kaigo-store.ts';
import { STATION_NEAR_KM, type Station } from './stations.ts';
import type { TownDirectory } from './town-directory.ts';

/** A search result. */
export interface Place {
  kind: PlaceKind;
  /**
   * Building ID, town code, facility ID or municipality code. A municipality outside the care half has its 5-digit
   * code.
   */
  id: string;
  name: string;
  /** Kana. */
  reading: string | null;
  address: string | null;
  /** 5 digits, for places in the sunlight half. */
  ward_code: string | null;
  /** 6 digits, for places in the care half. */
  municipality_code: string | null;
  /** Degrees. */
  lat: number | null;
  lon: number | null;
  /** Path of its page. */
  page: string;
  /** Path of its answer; null when no operation has one. */
  api: string | null;
}

/**
 * All places of the search index of a dataset: towns, facilities, municipalities, wards without facilities, and
 * stations.
 */
export function* searchPlaces(
  towns: TownDirectory | null,
  kaigo: KaigoStore | null,
  stations: readonly Station[],
): Generator<Place> {
  // By code without its check digit, as the sunlight half has it.
  const municipalityOf = new Map(
    (kaigo?.municipalities ?? []).map(({ municipality_code: code }) => [code.slice(0, 5), code]),
  );
  const wards = towns === null ? [] : wardPlaces(towns);
  const wardOf = new Map(wards.map((ward) => [ward.id, ward]));
  if (towns !== null) yield* townPlaces(towns, municipalityOf);
  if (kaigo !== null) yield* carePlaces(kaigo, wardOf);
  yield* wards.filter(({ id }) => !municipalityOf.has(id));
  for (const station of stations) yield stationPlace(station, towns, municipalityOf);
}

/**
 * A station as a place. It lies in the ward of its town; without a town in that of the nearest one. Without one within
 * `STATION_NEAR_KM` it is outside the data.
 */
function stationPlace(
  { name, reading, town_code, lat, lon }: Station,
  towns: TownDirectory | null,
  municipalityOf: ReadonlyMap<string, string>,
): Place {
  const ownTown = town_code === null ? null : (towns?.get(town_code) ?? null);
  const town = ownTown ?? (towns && nearestTown(towns, { lat, lon }));
  const position = new URLSearchParams({ lat: String(lat), lon: String(lon) });
  return {
    kind: 'station',
    id: `${lat},${lon}`,
    name: `${name}駅`,
    reading: reading === null ? null : `${reading}えき`,
    address: town?.ward_name ?? null,
    ward_code: town?.ward_code ?? null,
    municipality_code: municipalityOf.get(town?.ward_code ?? '') ?? null,
    lat,
    lon,
    page: `/map/?${position}`,
    api: `/api/v1/sunlight/near?${position}`,
  };
}

/** The town nearest to a station; null without one within `STATION_NEAR_KM`. */
function nearestTown(towns: TownDirectory, station: LatLon): ReturnType<TownDirectory['get']> {
  const { list } = towns;
  const distanceTo = (town: LatLon): number => degreesApart(town, station);
  const nearest = list.reduce((best, town) => (distanceTo(town) < distanceTo(best) ? town : best), list[0]);
  const isNear = nearest !== undefined && distanceTo(nearest) * KM_PER_DEGREE <= STATION_NEAR_KM;
  // An entry of the list lacks the name of the ward.
  return isNear ? towns.get(nearest.town_code) : null;
}

/** The towns with a name. A town with chome (本郷一丁目, 本郷二丁目) is also listed as a whole (本郷). */
function townPlaces(towns: TownDirectory, municipalityOf: ReadonlyMap<string, string>): Place[] {
  // The first nine digits of the code of a chome are the code of its whole town.
  const townCodes = new Set(towns.list.flatMap(({ town_code }) => [town_code.slice(0, 9), town_code]));
  return [...townCodes].flatMap((code): Place[] => {
    const town = towns.get(code);
    if (town === null || town.name === null) return [];
    const { name, reading, ward_code, ward_name, lat, lon } = town;
    const codes = { ward_code, municipality_code: municipalityOf.get(ward_code) ?? null };
    const paths = { page: `/sunlight/town/${code}/`, api: `/api/v1/sunlight/town/${code}/buildings` };
    return [{ kind: 'town', id: code, name, reading, address: ward_name + name, ...codes, lat, lon, ...paths }];
  });
}

/** The wards of the towns, at the middle of their towns. */
function wardPlaces(towns: TownDirectory): Place[] {
  const byWard = Map.groupBy(towns.list, ({ ward_code }) => ward_code);
  return [...byWard].map(([id, members]) => {
    const [firstMember] = members;
    // The entries of the list lack the name of the ward.
    const firstTown = firstMember === undefined ? null : towns.get(firstMember.town_code);
    const name = firstTown?.ward_name ?? id;
    const reading = municipalityOfDigits(id)?.reading ?? towns.wardReadings.get(id) ?? null;
    const codes = { ward_code: id, municipality_code: null };
    const paths = { page: `/sunlight/${id}/`, api: null };
    return { kind: 'municipality', id, name, reading, address: null, ...codes, ...middleOf(members), ...paths };
  });
}

/** The facts of a facility that a search needs. */
type CareFacts = Pick<Facility, 'facility_id' | 'name' | 'name_kana' | 'address' | 'municipality_code' | 'lat' | 'lon'>;

/** Parses the facts of a facility. They come before `location` in its JSON; the long rest is not parsed. */
function careFacts(json: Buffer): CareFacts {
  const end = json.indexOf(',"location":');
  if (end < 0) throw new Error('a facility without its location');
  return JSON.parse(`${json.toString('utf8', 0, end)}}`) as CareFacts;
}

/**
 * The facilities, and then their municipalities, each at the middle of its facilities. Those of a designated city are the
 * facilities of its wards.
 * @param wardOf the wards of the sunlight half, by code
 */
function* carePlaces(store: KaigoStore, wardOf: ReadonlyMap<string, Place>): Generator<Place> {
  const positions = new Map<string, LatLon[]>();
  for (let i = 0; i < store.facilityCount; i++) {
    const {
      facility_id: id,
      name,
      name_kana: reading,
      address,
      municipality_code,
      lat,
      lon,
    } = careFacts(store.facility(i));
    if (lat !== null && lon !== null && municipality_code !== null) {
      for (const code of [municipality_code, cityOfWard(municipality_code)?.code]) {
        if (code === undefined) continue;
        const others = positions.get(code) ?? [];
        positions.set(code, others);
        others.push({ lat, lon });
      }
    }
    // The first five digits of a municipality's code are the code of its ward.
    const ward = municipality_code === null ? undefined : wardOf.get(municipality_code.slice(0, 5));
    const codes = { ward_code: ward?.id ?? null, municipality_code };
    const paths = { page: `/kaigo/facility/${id}/`, api: `/api/v1/kaigo/facility/${id}` };
    yield { kind: 'facility', id, name, reading, address, ...codes, lat, lon, ...paths };
  }
  for (const { municipality_code: id, name, prefecture, services } of store.municipalities) {
    const ward = wardOf.get(id.slice(0, 5));
    // Its page and its API path are those of its main service.
    const [mainService] = services.map(({ service_code }) => service_code).sort(homesFirst);
    const pathOfMainService = `${id}/${mainService}`;
    const codes = { ward_code: ward?.id ?? null, municipality_code: id };
    const middle = middleOf(positions.get(id) ?? []);
    const paths = { page: `/kaigo/${pathOfMainService}/`, api: `/api/v1/kaigo/municipality/${pathOfMainService}` };
    const reading = municipalityOfDigits(id.slice(0, 5))?.reading ?? null;
    yield { kind: 'municipality', id, name, reading, address: prefecture + name, ...codes, ...middle, ...paths };
  }
}

/** The mean of points; nulls when there are none. */
function middleOf(points: readonly LatLon[]): Pick<Place, 'lat' | 'lon'> {
  if (points.length === 0) return { lat: null, lon: null };
  const mean = (axis: 'lat' | 'lon'): number =>
    sevenDecimals(points.reduce((sum, point) => sum + point[axis], 0) / points.length);
  return { lat: mean('lat'), lon: mean('lon') };
}
