import { readFileSync } from 'node:fs';
import { decodeSquare } from '../city/square-file.ts';
import { parseSquareIndex, SQUARES_INDEX } from '../city/square-summary.ts';
import { SUNLIGHT_STORE, SunlightStore } from '../dataset/sunlight-store.ts';
import { DamageError } from '../formats/checked-file.ts';
import { textAt } from '../formats/column-file.ts';
import { decodeBody } from '../record/codec.ts';
import type { ComputedBuilding } from '../record/face-hours.ts';
import { packFaceHours } from '../record/face-hours.ts';
import { type DatasetFiles, openFiles } from '../snapshot/dataset-files.ts';
import type { PlannedUnit } from './plan.ts';
import { encodeResults } from './result-file.ts';

/** A finished dataset whose results are reused for unchanged squares. */
export class BaseDataset {
  readonly #files: DatasetFiles;
  readonly #store: SunlightStore;
  readonly #fingerprints: ReadonlyMap<string, string | null>;

  private constructor(files: DatasetFiles, fingerprints: ReadonlyMap<string, string | null>) {
    this.#files = files;
    this.#store = new SunlightStore(files.open(SUNLIGHT_STORE));
    this.#fingerprints = fingerprints;
  }

  /**
   * Opens a dataset. Null when it has no sunlight half.
   * @throws DatasetError for a folder that is not a complete dataset
   */
  static async open(folder: string): Promise<BaseDataset | null> {
    const files = await openFiles(folder, { hold: true });
    let base: BaseDataset | null = null;
    try {
      if (files.manifest.halves.sunlight) {
        const index = parseSquareIndex(await files.read(SQUARES_INDEX));
        base = new BaseDataset(files, new Map(index.map(({ square, fingerprint }) => [square, fingerprint])));
      }
    } finally {
      // Without a `BaseDataset`, which closes the files later, they are closed here: also after an error.
      if (base === null) files.close();
    }
    return base;
  }

  /**
   * The bytes of the result file of a grid square, made from the records of this dataset; null when it was computed
   * from other data or lacks a building.
   */
  resultsOf(unit: Pick<PlannedUnit, 'square' | 'fingerprint'>, squareFile: string): Uint8Array | null {
    if (this.#fingerprints.get(unit.square) !== unit.fingerprint) return null;
    const { square } = decodeSquare(readFileSync(squareFile), squareFile);
    const buildings: ComputedBuilding[] = [];
    for (let row = 0; row < square.count; row++) {
      const buildingId = textAt(square.ids, row);
      // A building without an ID only shades: it has no result.
      if (buildingId === null) continue;
      const computed = this.#computed(buildingId);
      if (computed === null) return null;
      buildings.push(computed);
    }
    return encodeResults({ square: unit.square, fingerprint: unit.fingerprint }, buildings);
  }

  /** The result of a building in the base; null when it is missing or damaged. Then the square is computed. */
  #computed(buildingId: string): ComputedBuilding | null {
    try {
      const bytes = this.#store.record(buildingId);
      return bytes ? { buildingId, bytes, hours: packFaceHours(decodeBody(bytes).faces) } : null;
    } catch (error) {
      if (error instanceof DamageError) return null;
      throw error;
    }
  }

  close(): void {
    this.#files.close();
  }
}
