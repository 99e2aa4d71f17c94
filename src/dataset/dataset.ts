import type { Extent } from '../contract/extent.ts';
import type { DatasetFiles } from './files.ts';
import type { KaigoAnswers } from './kaigo.ts';
import type { Manifest } from './manifest.ts';
import type { MapAnswers } from './map.ts';
import type { SearchAnswers } from './search.ts';
import type { SunlightAnswers } from './sunlight.ts';

/**
 * An open dataset, as the API sees it. Every answer is the `data` member of the envelope, with its keys in the order of
 * the documentation. `null` means: there is no such thing.
 */
export interface Dataset {
  manifest: Manifest;
  /** Its folder, absolute. */
  folder: string;
  /** Its files, of which nothing is given out unchecked. */
  files: Pick<DatasetFiles, 'open' | 'read'>;
  /** Null when the dataset was built without city models. */
  sunlight: SunlightAnswers | null;
  /** Null when it was built without office lists. */
  kaigo: KaigoAnswers | null;
  /** Null when there are no buildings to draw. */
  map: MapAnswers | null;
  /** Towns, facilities, municipalities and buildings by name and ID; null without an index. */
  search: SearchAnswers | null;
  close(): Promise<void>;
}

/** What the sunlight half covers; null within the 23 wards of Tokyo, and without that half. */
export const extentOf = ({ manifest }: Pick<Dataset, 'manifest'>): Extent | null =>
  manifest.halves.sunlight?.extent ?? null;
