import type { ComputedBuilding } from '../dataset/sunlight-bulk.ts';
import { type WardBulk, writeWardBulk } from '../dataset/sunlight-writer.ts';
import { mergedResults, ResultReader } from './result-file.ts';
import type { Task } from './worker-pool.ts';

/** The bulk file of one ward is written from the results of its grid squares. */
export interface BulkTask extends Task {
  kind: 'bulk';
  bulk: WardBulk;
  /** The result files in which buildings of the ward are. */
  results: string[];
}

/** Runs it. Returns the rows. Throws when a result file cannot be read or the bulk file cannot be written. */
export function writeBulkOf({ bulk, results }: BulkTask): Promise<number> {
  const readers = results.map((path) => new ResultReader(path));
  return writeWardBulk(bulk, buildingsOf(bulk, readers));
}

/** In order of ID, for the prefixes are in order. */
function* buildingsOf({ prefixes }: WardBulk, readers: readonly ResultReader[]): Generator<ComputedBuilding> {
  for (const prefix of prefixes) yield* mergedResults(readers, prefix);
}
