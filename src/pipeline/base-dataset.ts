import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeSquare } from '../city/square-file.ts';
import { readSquareIndex } from '../city/square-index.ts';
import { openDataset } from '../dataset/open.ts';
import { SUNLIGHT_STORE } from '../dataset/sunlight.ts';
import { SunlightStore } from '../dataset/sunlight-store.ts';
import type { EncodedBuilding } from '../dataset/sunlight-store-writer.ts';
import { textAt } from '../formats/text-column.ts';
import type { PlannedUnit } from './plan.ts';
import { encodeResults } from './result-file.ts';

/** A finished dataset from which the results of unchanged squares are taken over. */
export class BaseDataset {
  readonly #store: SunlightStore;
  readonly #fingerprints: ReadonlyMap<string, string | null>;

  private constructor(store: SunlightStore, fingerprints: ReadonlyMap<string, string | null>) {
    this.#store = store;
    this.#fingerprints = fingerprints;
  }

  /** Throws `DatasetError` for a folder that is no whole dataset. Null when it has no sunlight half. */
  static async open(folder: string): Promise<BaseDataset | null> {
    const dataset = await openDataset(folder);
    await dataset.close();
    if (!dataset.manifest.halves.sunlight) return null;
    const index = await readSquareIndex(folder);
    const fingerprints = new Map(index.map(({ square, fingerprint }) => [square, fingerprint]));
    return new BaseDataset(new SunlightStore(join(folder, SUNLIGHT_STORE)), fingerprints);
  }

  /** The bytes of a unit's result file, or null when the base was computed from something else. */
  resultsOf(unit: PlannedUnit, squareFile: string): Uint8Array | null {
    if (this.#fingerprints.get(unit.square) !== unit.fingerprint) return null;
    const { square } = decodeSquare(readFileSync(squareFile), squareFile);
    const buildings: EncodedBuilding[] = [];
    for (let row = 0; row < square.count; row++) {
      const buildingId = textAt(square.ids, row);
      if (buildingId === null) continue;
      const bytes = this.#store.record(buildingId);
      if (!bytes) return null;
      // LMDB hands out a view on a larger buffer: its `length` counts, not that of its memory.
      buildings.push({ buildingId, bytes: Uint8Array.from(bytes.subarray(0, bytes.length)) });
    }
    return encodeResults({ square: unit.square, fingerprint: unit.fingerprint }, buildings);
  }

  close(): Promise<void> {
    return this.#store.close();
  }
}
