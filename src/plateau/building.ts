/**
 * What the reader gives for one building of a city model: the published values, cleaned of the
 * "unknown" codes but not interpreted. Coordinates stay in degrees; the plane comes later.
 */
export interface Building {
  /** `uro:buildingID` or `建物ID`; null where the file has none. */
  buildingId: string | null;
  /** `uro:branchID/uro:partID`: which body of the building it is; absent where the file states neither. */
  body?: string;
  /** `uro:city`: the municipality, of a designated city the ward, 5 digits; absent where the file has none. */
  cityCode?: string;
  /** `gml:id` of the element, for messages. */
  gmlId: string | null;
  /** Where it stands: the file as named in reports, and the byte offset of its start tag. */
  source: { file: string; byte: number };
  /** The level of detail the prisms come from. 2 means: a prism from the ground and the highest roof. */
  lod: 0 | 1 | 2;
  /** One or more footprints, each raised from `baseM` to `topM`. */
  footprints: Footprint[];
  /** Lowest and highest z of the solid, metres above the vertical datum. */
  baseM: number;
  topM: number;
  /** As published; null for missing, 0 and -9999. */
  measuredHeightM: number | null;
  /** Storeys above ground as published; null for missing, 0 and 9999. */
  storeys: number | null;
  /** Code of `bldg:usage` as published, or null. */
  usageCode: string | null;
  /** Where height and base come from. */
  heightSource: 'solid' | 'measured_height';
  baseSource: 'solid' | 'lod0' | 'assumed_zero';
  /** `core:creationDate` or the newest survey date found, `YYYY-MM-DD`, or null. */
  createdOn: string | null;
}

/**
 * A polygon with holes in degrees: `rings[0]` is the outer ring, the rest are holes. Each ring is
 * `[lat, lon, lat, lon, …]`, open (the first point is not repeated), in the published direction.
 */
export interface Footprint {
  rings: Float64Array[];
}
