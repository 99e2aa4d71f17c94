/** `manifest.json` of a dataset: what it is made of and how to check it. */
export interface Manifest {
  schema_version: 1;
  dataset_id: string;
  /** RFC 3339; time of the build or SOURCE_DATE_EPOCH. */
  generated_at: string;
  /** Per half: date of the newest source record, YYYY-MM-DD, and the sources with their credit. */
  halves: { sunlight: HalfManifest | null; kaigo: HalfManifest | null };
  /** Year of the twelve days, e.g. 2026. */
  reference_year: number;
  program_version: string;
  /** The build report: everything read, served, merged, repaired and left out, with reasons and examples. */
  report: Record<string, unknown>;
  files: Record<string, { bytes: number; sha256: string; rows?: number }>;
}

export interface HalfManifest {
  data_through: string | null;
  sources: { name: string; url: string; attribution: string }[];
  /** One line ready to print. */
  attribution: string;
  counts: Record<string, number>;
}
