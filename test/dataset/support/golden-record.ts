import type { BuildingRecord } from '../../../src/record/building-record.ts';

/** A record as a golden file writes it: typed arrays as lists. */
export interface GoldenRecord extends Omit<BuildingRecord, 'footprints'> {
  footprints: { rings: number[][] }[];
}

export const fromGolden = (record: GoldenRecord): BuildingRecord => ({
  ...record,
  footprints: record.footprints.map(({ rings }) => ({ rings: rings.map((ring) => Float64Array.from(ring)) })),
});
