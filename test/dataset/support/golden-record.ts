import { OF_RECORD } from '../../../src/building/attributes.ts';
import type { BuildingRecord } from '../../../src/record/building-record.ts';

/** A record as a golden file writes it: typed arrays as lists. An attribute that is newer than the file is unknown. */
export interface GoldenRecord extends Omit<BuildingRecord, 'footprints'> {
  footprints: { rings: number[][] }[];
}

export const fromGolden = (record: GoldenRecord): BuildingRecord => ({
  ...(Object.fromEntries(OF_RECORD.map(({ key }) => [key, null])) as Partial<BuildingRecord>),
  ...record,
  footprints: record.footprints.map(({ rings }) => ({ rings: rings.map((ring) => Float64Array.from(ring)) })),
});
