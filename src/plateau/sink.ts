import type { Building } from './building.ts';
import type { ReadIssue } from './issue.ts';

/** Takes what a reader finds, as it finds it. */
export interface BuildingSink {
  building(building: Building): void;
  issue(issue: ReadIssue): void;
}

/** What a file turned out to be. */
export interface FileSummary {
  file: string;
  bytes: number;
  /** `2.0` or `3.0`. */
  cityGmlVersion: string;
  /** Versions of uro whose namespace is bound, in order. */
  uroVersions: string[];
  /** EPSG codes found in `srsName`; empty: none is stated, and 6697 is taken. */
  epsg: number[];
  /** Buildings given out, and buildings of which nothing could be made (each with an issue). */
  buildings: number;
  leftOut: number;
  /** How many buildings have each level of detail in the file, used or not. */
  lods: Record<'lod0' | 'lod1' | 'lod2' | 'lod3', number>;
  /** City objects that are not buildings, by element, with their number. */
  otherObjects: Record<string, number>;
}
