import type { Facility } from '../contract/operations/kaigo-facility.ts';
import type { BuildingSummary } from '../contract/sunlight-shapes.ts';
import { summaryAnswer } from '../record/answers.ts';
import type { BuildingBody, BuildingHead } from '../record/building-record.ts';
import { decodeBody, decodeHead } from '../record/codec.ts';
import { type DatasetFiles, openFiles } from '../snapshot/dataset-files.ts';
import { newestDataset } from '../snapshot/listing.ts';
import { KaigoStore } from './kaigo-store.ts';
import { SUNLIGHT_STORE, SunlightStore } from './sunlight-store.ts';
import { TOWNS_FILE, TownDirectory } from './town-directory.ts';

/** A building of a dataset. The methods decode its parts. */
export interface BuildingContents {
  id: string;
  /** Record and packed summary as stored. The same building has the same bytes in two datasets of one schema. */
  record: Uint8Array;
  packedSummary: Uint8Array;
  /** Decodes the part of the record for lists. */
  head(): BuildingHead;
  /** Decodes the rest of the record: faces, floors, shading sources. */
  body(): BuildingBody;
  /** The answer in lists, from the decoded head. */
  summary(head: BuildingHead): BuildingSummary;
}

/** A facility of a dataset. `json` is its stored answer. */
export interface FacilityContents {
  id: string;
  json: Buffer;
  /** The answer about the facility. */
  answer(): Facility;
}

/** The whole content of a dataset, in order of ID. */
export class DatasetContents {
  readonly files: DatasetFiles;
  readonly #towns: TownDirectory | null;
  readonly #kaigo: KaigoStore | null;

  private constructor(files: DatasetFiles, towns: TownDirectory | null, kaigo: KaigoStore | null) {
    this.files = files;
    this.#towns = towns;
    this.#kaigo = kaigo;
  }

  /**
   * Opens a dataset, or the newest dataset of a data folder.
   * @throws DatasetError when there is none, or it cannot be opened
   */
  static async open(path: string): Promise<DatasetContents> {
    const { folder } = await newestDataset(path);
    const files = await openFiles(folder);
    const { halves } = files.manifest;
    const towns = halves.sunlight ? TownDirectory.parse(await files.read(TOWNS_FILE)) : null;
    return new DatasetContents(files, towns, halves.kaigo ? await KaigoStore.open(files) : null);
  }

  /** All buildings, in order of ID. Empty without the sunlight half. */
  *buildings(): Generator<BuildingContents> {
    const towns = this.#towns;
    if (towns === null) return;
    const townName = (code: string): string | null => towns.name(code);
    const store = new SunlightStore(this.files.open(SUNLIGHT_STORE));
    for (const { buildingId: id, bytes: record, summary: packedSummary } of store.records('')) {
      yield {
        id,
        record,
        packedSummary,
        head: () => decodeHead(id, record),
        body: () => decodeBody(record),
        summary: (head) => summaryAnswer(head, townName),
      };
    }
  }

  /** All facilities. Empty without the care half. */
  *facilities(): Generator<FacilityContents> {
    const store = this.#kaigo;
    if (store === null) return;
    for (let number = 0; number < store.facilityCount; number++) {
      const json = store.facility(number);
      yield { id: store.facilityId(number), json, answer: () => JSON.parse(json.toString()) as Facility };
    }
  }

  close(): void {
    this.files.close();
  }
}
