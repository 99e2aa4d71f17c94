/**
 * Something about one building that the reader did not take as published: it is said, counted by the caller, and
 * never silently lost.
 */
export interface ReadIssue {
  kind: IssueKind;
  /** `uro:buildingID` or `建物ID`, or null where there is none. */
  buildingId: string | null;
  /** `gml:id` of the building, or null. */
  gmlId: string | null;
  file: string;
  /** Offset of the building's start tag. */
  byte: number;
  /** What was found, in words. */
  detail: string;
}

/** Every kind of issue, what it means and what becomes of the building. */
export const ISSUE_KINDS = {
  no_geometry: 'no LOD0, LOD1 or LOD2 surface to make a prism from: left out',
  no_height: 'LOD0 only and no measured height: left out',
  flat_solid: 'the solid has no height and no measured height stands in: left out',
  outside_japan: 'a ring with a point outside latitude 23.5–46, longitude 122–154: that surface is left out',
  impossible_z: 'a ring with a point below −1,000 m or above 10,000 m: that surface is left out',
  bad_id: 'the building ID is not five digits, "-bldg-", digits: taken as having none',
  several_ids: 'several building IDs in one building: the first is taken',
  bad_value: 'a height, number of storeys or date that cannot be read: taken as unknown',
  bad_ring: 'a ring that cannot be read or has fewer than three points: that surface is left out',
  open_ring: 'a ring whose last point does not repeat the first: closed',
  unresolved_reference: 'an xlink:href to a surface that the building does not hold: that surface is left out',
  no_bottom: 'a solid in which no bottom can be found: the next best geometry is taken',
  tops_differ: 'several prisms with different tops: all are raised to the highest',
} as const;

export type IssueKind = keyof typeof ISSUE_KINDS;

/**
 * A file that is not the CityGML of buildings that this program reads: nothing of it can be trusted, so it is left
 * out as a whole. The message names the file, the byte, what was found, what was expected and what to do.
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
