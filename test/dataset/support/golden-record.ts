import type { BuildingRecord } from '../../../src/record/building-record.ts';

/** A record as a golden file writes it: typed arrays as lists. */
export interface GoldenRecord extends Omit<BuildingRecord, 'footprints' | 'faces'> {
  footprints: { rings: number[][] }[];
  faces: (Omit<BuildingRecord['faces'][number], 'sunMinutes' | 'unshadedMinutes'> & {
    sunMinutes: number[];
    unshadedMinutes: number[];
  })[];
}

export const fromGolden = (record: GoldenRecord): BuildingRecord => ({
  ...record,
  footprints: record.footprints.map(({ rings }) => ({ rings: rings.map((ring) => Float64Array.from(ring)) })),
  faces: record.faces.map((face) => ({
    ...face,
    sunMinutes: Float64Array.from(face.sunMinutes),
    unshadedMinutes: Float64Array.from(face.unshadedMinutes),
  })),
});
