import type { Building, BuildingSink, IssueKind, ReadIssue } from './building.ts';

/** Counts of a set of buildings. */
export interface BuildingCounts {
  buildings: number;
  with_id: number;
  without_id: number;
  with_measured_height: number;
  with_storeys: number;
  with_usage: number;
  with_date: number;
  /** Buildings by the level of detail that their prisms come from. */
  from_lod: { lod0: number; lod1: number; lod2: number };
  with_several_prisms: number;
  with_inner_rings: number;
  /** Prisms, and the vertices of all their rings. */
  prisms: number;
  vertices: number;
  /** Buildings by usage code. */
  usages: Record<string, number>;
  /** Degrees and metres; null without buildings. */
  bounds: { south: number; west: number; north: number; east: number; low_m: number; high_m: number } | null;
}

/** The number of issues of one kind, and the first 20 of them. */
export interface IssueCount {
  count: number;
  examples: { building_id: string | null; gml_id: string | null; file: string; byte: number; detail: string }[];
}

/** The examples that are kept of each kind of issue. */
const MOST_EXAMPLES = 20;

/** Counts buildings and issues as they are read. */
export class Survey implements BuildingSink {
  counts: BuildingCounts = {
    buildings: 0,
    with_id: 0,
    without_id: 0,
    with_measured_height: 0,
    with_storeys: 0,
    with_usage: 0,
    with_date: 0,
    from_lod: { lod0: 0, lod1: 0, lod2: 0 },
    with_several_prisms: 0,
    with_inner_rings: 0,
    prisms: 0,
    vertices: 0,
    usages: {},
    bounds: null,
  };
  issues: Partial<Record<IssueKind, IssueCount>> = {};

  /** Counts a building. */
  building(building: Building): void {
    const { counts } = this;
    counts.buildings++;
    if (building.buildingId === null) counts.without_id++;
    else counts.with_id++;
    if (building.measuredHeightM !== null) counts.with_measured_height++;
    if (building.storeys !== null) counts.with_storeys++;
    if (building.createdOn !== null) counts.with_date++;
    if (building.usageCode !== null) {
      counts.with_usage++;
      counts.usages[building.usageCode] = (counts.usages[building.usageCode] ?? 0) + 1;
    }
    counts.from_lod[`lod${building.lod}`]++;
    counts.prisms += building.footprints.length;
    if (building.footprints.length > 1) counts.with_several_prisms++;
    if (building.footprints.some(({ rings }) => rings.length > 1)) counts.with_inner_rings++;
    this.#extendBounds(building);
  }

  /** Adds the vertices of a building, and widens the bounds to include it. */
  #extendBounds({ footprints, baseM, topM }: Building): void {
    const { counts } = this;
    counts.bounds ??= { south: 90, west: 180, north: -90, east: -180, low_m: baseM, high_m: topM };
    const { bounds } = counts;
    bounds.low_m = Math.min(bounds.low_m, baseM);
    bounds.high_m = Math.max(bounds.high_m, topM);
    for (const { rings } of footprints) {
      for (const ring of rings) {
        counts.vertices += ring.length / 2;
        for (let i = 0; i < ring.length; i += 2) {
          bounds.south = Math.min(bounds.south, ring[i]);
          bounds.north = Math.max(bounds.north, ring[i]);
          bounds.west = Math.min(bounds.west, ring[i + 1]);
          bounds.east = Math.max(bounds.east, ring[i + 1]);
        }
      }
    }
  }

  /** Counts an issue, and keeps it as an example while there are fewer than `MOST_EXAMPLES`. */
  issue({ kind, buildingId, gmlId, file, byte, detail }: ReadIssue): void {
    this.issues[kind] ??= { count: 0, examples: [] };
    const entry = this.issues[kind];
    entry.count++;
    if (entry.examples.length < MOST_EXAMPLES)
      entry.examples.push({ building_id: buildingId, gml_id: gmlId, file, byte, detail });
  }
}
