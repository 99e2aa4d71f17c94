import { bulkFile } from '../dataset/dataset-files.ts';
import { kaigoBulkName } from '../dataset/kaigo-store-format.ts';
import { listDatasets } from '../dataset/open.ts';
import { sunlightBulkName } from '../dataset/sunlight.ts';
import type { FindBulk } from './bulk-shelf.ts';

const NAMES = { sunlight: sunlightBulkName, kaigo: kaigoBulkName };

/**
 * Finds bulk files of every dataset in the data folder: a URL works on each server that has the folder, whichever dataset
 * that one serves, and after a restart.
 */
export function bulkInFolder(dataFolder: string): FindBulk {
  return async (datasetId, half, code) => {
    const { manifests } = await listDatasets(dataFolder);
    const found = manifests.find(({ manifest }) => manifest.dataset_id === datasetId);
    return found === undefined ? null : bulkFile(found.folder, found.manifest, NAMES[half](code));
  };
}
