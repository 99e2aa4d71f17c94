import type { ModelAttributes } from '../building/attributes.ts';

/**
 * One building of a city model, as the reader returns it: the published values without the codes for "unknown".
 * Coordinates are in degrees; later stages project them.
 */
export interface Building extends ModelAttributes {
  /** `uro:buildingID` or `建物ID`; null when the file has none. */
  buildingId: string | null;
  /** `uro:branchID/uro:partID`: tells the bodies of one building apart. Absent when the file states neither. */
  body?: string;
  /** `gml:id` of the element, for messages. */
  gmlId: string | null;
  /** Its file, as named in reports, and the byte offset of its start tag. */
  source: { file: string; byte: number };
  /** One or more footprints, each raised from `baseM` to `topM`. */
  footprints: Footprint[];
  /** Lowest and highest z of the solid, metres above the vertical datum. */
  baseM: number;
  topM: number;
  /** The roof surfaces that cast its shade when `roof` is `surfaces`; else absent. */
  roofSurfaces?: RoofSurface[];
}

/** A plane polygon of a roof: rings `[lat, lon, z, …]`, outer ring first, first point not repeated. */
export interface RoofSurface {
  rings: Float64Array[];
}

/**
 * A polygon with holes in degrees: `rings[0]` is the outer ring, the rest are holes. Each ring is
 * `[lat, lon, lat, lon, …]`, open (the first point is not repeated), in the published direction.
 */
export interface Footprint {
  rings: Float64Array[];
}

/**
 * A published value that the reader changed or left out. The caller counts and reports every one.
 */
export interface ReadIssue {
  kind: IssueKind;
  /** `uro:buildingID` or `建物ID`; null when there is none. */
  buildingId: string | null;
  /** `gml:id` of the building, or null. */
  gmlId: string | null;
  file: string;
  /** Offset of the building's start tag. */
  byte: number;
  /** What was found, in words. */
  detail: string;
}

/** The kinds of issues: what each means, and what the reader does. */
export const ISSUE_KINDS = {
  no_geometry: 'no LOD0, LOD1 or LOD2 surface for a prism: left out',
  no_height: 'LOD0 only and no measured height: left out',
  too_large: 'more faces, points or metres than any building has, or a text of more than 8 MiB: left out',
  flat_solid: 'the solid has no height, and there is no measured height: left out',
  outside_japan: 'a ring with a point outside latitude 23.5–46, longitude 122–154: that surface is left out',
  impossible_z: 'a ring with a point below −1,000 m or above 10,000 m: that surface is left out',
  bad_id: 'the building ID is not five digits, "-bldg-", digits: treated as missing',
  several_ids: 'several building IDs in one building: the first is used',
  bad_value: 'a value that cannot be read or is impossible: unknown',
  bad_ring: 'a ring that cannot be read or has fewer than three points: that surface is left out',
  open_ring: 'a ring whose last point does not repeat the first: closed',
  unresolved_reference: 'an xlink:href to a surface outside the building: that surface is left out',
  no_bottom: 'a solid without a recognizable bottom: the next best geometry is used',
  tops_differ: 'several prisms with different tops, or a LOD1 with a podium: all are raised to the highest',
  lod0_part: 'a part has only LOD0 beside parts with a solid: a prism as high as the building',
  roof_open: 'LOD2 surfaces do not close a solid above the ground: the prism shades',
  roof_not_plane: 'a roof surface with a point more than 5 cm off its plane: the prism shades',
  roof_plan_differs: 'a roof whose plan differs from the footprint by more than 5 %: the prism shades',
  roof_apart: 'a LOD2 that begins over 20 m above or below the base of the building: the prism shades',
  roof_too_large: 'a roof of more than 10,000 points: the prism shades',
  roof_filled_down: 'roof surfaces above one another (decks, bridges, open ground floors): solid from the highest down',
} as const;

export type IssueKind = keyof typeof ISSUE_KINDS;

/**
 * Thrown for a file that is not CityGML of buildings. Nothing in it can be trusted, so the whole file is left out. The
 * message names the file, the byte, what was found, what was expected and what to do.
 */
export class CityGmlError extends Error {
  override name = 'CityGmlError';
  /** The file as named in reports. */
  file: string;
  /** Offset of the place in the file, or null when it is the file as a whole. */
  byte: number | null;

  constructor(file: string, byte: number | null, problem: string) {
    super(byte === null ? `${file}: ${problem}` : `${file}: byte ${byte}: ${problem}`);
    this.file = file;
    this.byte = byte;
  }
}

/** Receives buildings and issues while a file is read. */
export interface BuildingSink {
  /** Takes a building that was read. */
  building(building: Building): void;
  /** Takes what is wrong with a building, which may be left out. */
  issue(issue: ReadIssue): void;
}

/** What a file contains. */
export interface FileSummary {
  file: string;
  bytes: number;
  /** `2.0` or `3.0`. */
  cityGmlVersion: string;
  /** Versions of the uro namespaces in the file, sorted. */
  uroVersions: string[];
  /** EPSG codes found in `srsName`. Empty when none is stated; 6697 is assumed then. */
  epsg: number[];
  /** Buildings returned, and buildings left out (each with an issue). */
  buildings: number;
  leftOut: number;
  /** How many buildings have each level of detail in the file, used or not. */
  lods: Record<'lod0' | 'lod1' | 'lod2' | 'lod3', number>;
  /** The number of other city objects, by element. */
  otherObjects: Record<string, number>;
}
