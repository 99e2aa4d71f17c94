import type {
  FullAnswer,
  NearAnswer,
  PointAnswer,
  SummaryAnswer,
  TownBuildingsAnswer,
  TownListEntry,
} from './answer.ts';
import type { DatasetFiles } from './files.ts';
import type { Manifest } from './manifest.ts';

/**
 * An open dataset, as the API sees it. Every answer is the `data` member of the envelope, ready to be
 * written as JSON, with its keys in the order of the documentation. `null` means: there is no such thing.
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
  close(): Promise<void>;
}

/** A JSON value ready to be sent; its exact shape is fixed by the schemas in contract/. */
export type Answer = object;

/**
 * An answer that lies in the dataset as the bytes of its JSON (UTF-8): it can be written as it stands, without being
 * parsed and put together again. `JSON.stringify` gives the same. Good until the dataset is asked again.
 */
export class JsonBytes<Value = unknown> {
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  toJSON(): Value {
    return JSON.parse(this.bytes.toString()) as Value;
  }
}

export interface SunlightAnswers {
  summary(buildingId: string): JsonBytes<SummaryAnswer> | null;
  full(buildingId: string): FullAnswer | null;
  near(lat: number, lon: number, radiusM: number, limit: number): JsonBytes<NearAnswer>;
  /** One page (from 1) of a town's buildings; null for an unknown town or a page past the last. */
  town(townCode: string, page: number, pageSize: number): JsonBytes<TownBuildingsAnswer> | null;
  /** One free receptor: no wall, all directions. `heightM` is above the base of the building nearest to the point. */
  point(lat: number, lon: number, heightM: number): Promise<PointAnswer>;
  towns(): readonly TownListEntry[];
  /** The ward's Parquet file; null when the ward has no buildings in the dataset. */
  bulk(wardCode: string): BulkFile | null;
}

export type FacilitySort = 'id' | 'cost' | 'staff' | 'opened';

export interface KaigoAnswers {
  facility(facilityId: string): JsonBytes | null;
  /** Null for a municipality that is not in the data or a page past the last. */
  municipality(code: string, service: string, sort: FacilitySort, page: number, pageSize: number): JsonBytes | null;
  near(lat: number, lon: number, radiusM: number, service: string | null, limit: number): Answer;
  municipalities(): Answer[];
  bulk(prefectureCode: string): BulkFile | null;
}

export interface BulkFile {
  /** Path relative to the dataset's folder, with `/`; also the name under which it is signed. */
  name: string;
  /** Absolute path on this machine. */
  path: string;
  rows: number;
  bytes: number;
  sha256: string;
}
