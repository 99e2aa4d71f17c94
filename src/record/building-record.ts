import type { RecordAttributes } from '../building/attributes.ts';
import type { ShadingSource } from '../city/shading-sources.ts';
import type { Box } from '../geo/grid-square.ts';
import { isDesignatedCity } from '../kaigo/municipality-codes.ts';
import type { Footprint } from '../plateau/building.ts';
import type { FaceSunlight } from '../sunlight/result.ts';
import type { SunlightSummary } from '../sunlight/summary.ts';
import { type BitReader, type BitWriter, riceContext } from './bit-stream.ts';

/**
 * A served building in the dataset. A compute worker encodes it, the store keeps it, and the API decodes it on request.
 * Summary, full answer and Parquet row are made from it.
 */
export interface BuildingRecord extends RecordAttributes {
  buildingId: string;
  /** Ward or municipality: the prefix of the ID, unless that is the code of a designated city. */
  wardCode: string;
  /** KEY_CODE of the town that contains the representative point, or null. */
  townCode: string | null;
  /** Representative point, degrees. */
  lat: number;
  lon: number;
  /** Lowest and highest z of the solid, metres. */
  baseM: number;
  topM: number;
  footprints: Footprint[];
  floors: { floor: number; heightM: number }[];
  faces: FaceSunlight[];
  shadingSources: ShadingSource[];
  /** Share of all blocked time in which the building's own walls are highest, 0 to 1; 0 when nothing is blocked. */
  selfShadedShare: number;
}

/** The part of a record for lists of buildings: its summary and its footprint. */
export interface BuildingHead extends Omit<BuildingRecord, keyof BuildingBody> {
  /** Null for a building without walls. */
  summary: SunlightSummary | null;
}

/** The rest, which is decoded only for the full answer. */
export type BuildingBody = Pick<BuildingRecord, 'floors' | 'faces' | 'shadingSources' | 'selfShadedShare'>;

/** The box around the footprint and the representative point. */
export function boxOf({ lat, lon, footprints }: Pick<BuildingHead, 'lat' | 'lon' | 'footprints'>): Box {
  const box = { south: lat, west: lon, north: lat, east: lon };
  for (const { rings } of footprints) {
    for (const ring of rings) {
      for (let i = 0; i < ring.length; i += 2) {
        box.south = Math.min(box.south, ring[i]);
        box.north = Math.max(box.north, ring[i]);
        box.west = Math.min(box.west, ring[i + 1]);
        box.east = Math.max(box.east, ring[i + 1]);
      }
    }
  }
  return box;
}

/** The usual form of an ID: its number has no leading zero and fits 32 bits. */
const USUAL_ID = /^(\d{5})-bldg-(0|[1-9]\d{0,8})$/;

/** A code of a municipality or ward. */
const CODE = /^\d{5}$/;

/** Bits of a number of five digits. */
export const MUNICIPALITY_BITS = 17;
/** Bits of a face: eight directions. */
export const FACE_BITS = 3;
/** About how many bits the number in an ID has: where its Rice code begins. */
const ID_NUMBER_BITS = 16;

/** The first five digits of an ID: the municipality that numbered the building. */
export const prefixOf = (buildingId: string): string => buildingId.slice(0, 5);

/** True when the prefix of an ID is the code of a designated city, so that it does not name the ward. */
export const idNamesCity = (buildingId: string): boolean => isDesignatedCity(prefixOf(buildingId));

/**
 * The ward (municipality) of a building: the prefix of its ID. If that is a designated city (14100 横浜市), it is `uro:city`
 * (14101 鶴見区), provided this code is larger than the city's in the same prefecture, as the codes of wards are.
 */
export function wardCodeOf(buildingId: string, cityCode: string | null = null): string {
  const prefix = prefixOf(buildingId);
  if (cityCode === null || !CODE.test(cityCode) || !isDesignatedCity(prefix)) return prefix;
  return cityCode.slice(0, 2) === prefix.slice(0, 2) && cityCode > prefix ? cityCode : prefix;
}

/** Writes an ID: ward and number in the usual form, otherwise its text. */
export function writeBuildingId(out: BitWriter, buildingId: string): void {
  const [, ward, number] = USUAL_ID.exec(buildingId) ?? [];
  const isUsual = ward !== undefined;
  out.flag(isUsual);
  if (isUsual) {
    out.bits(Number(ward), MUNICIPALITY_BITS);
    // A new context: it expects numbers of about so many bits.
    out.rice(Number(number), riceContext(ID_NUMBER_BITS));
  } else {
    out.text(buildingId);
  }
}

/** Reads what `writeBuildingId` wrote. */
export function readBuildingId(from: BitReader): string {
  const isUsual = from.flag();
  if (!isUsual) return from.text();
  // The usual form: 13101-bldg-4825.
  const ward = String(from.bits(MUNICIPALITY_BITS)).padStart(5, '0');
  return `${ward}-bldg-${from.rice(riceContext(ID_NUMBER_BITS))}`;
}
