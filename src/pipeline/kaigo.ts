import type { HalfManifest } from '../dataset/manifest.ts';

/** What `hidamari build` hands over for the care-facility half. */
export interface KaigoBuildOptions {
  /** `--offices`: folders, files or zips that hold office lists. */
  offices: string[];
  /** `--details`: tables of users, staff, rooms, opening dates and fees; may be empty. */
  details: string[];
  /** `--fees`: a fee table of the same schema as the built-in one, or null for that. */
  fees: string | null;
  /** `--as-of`: the day whose price list is used, YYYY-MM-DD. */
  asOf: string;
  /** The staging folder of the dataset; files are written below it. */
  out: string;
  /** One line about the work, for the progress display. */
  progress?: (line: string) => void;
}

/** What the half gives to the manifest. */
export interface KaigoHalf {
  manifest: HalfManifest;
  /** Everything read, served, merged, repaired and left out, with reasons and examples. */
  report: Record<string, unknown>;
  /** Files written, relative to `out`, with `/`; rows where a file is a table. */
  files: { name: string; rows?: number }[];
  /** What the half was made from, for the dataset's ID: label and SHA-256 of each input, in order of label. */
  inputs: { label: string; sha256: string }[];
  /** What else it depends on, for the dataset's ID. */
  settings: { as_of: string; price_list: string };
}

export type BuildKaigo = (options: KaigoBuildOptions) => Promise<KaigoHalf>;
