import { join } from 'node:path';
import { cannotBeOpened, type DatasetFiles, type OpenOptions, openFiles } from '../snapshot/dataset-files.ts';
import { listDatasets } from '../snapshot/listing.ts';
import { readManifest } from '../snapshot/manifest.ts';
import type { Dataset } from './dataset.ts';
import type { DatasetKaigo } from './kaigo.ts';
import { openMap } from './map.ts';
import { openSearch } from './search.ts';
import { stationsOf } from './stations.ts';
import { DatasetSunlight } from './sunlight.ts';

/**
 * Opens a dataset. Small files are read and compared with the manifest now; the others are checked at each read. Writes
 * nothing.
 * @throws DatasetError naming the first file that is missing, damaged or of another size
 */
export async function openDataset(folder: string, options: OpenOptions = {}): Promise<Dataset> {
  const files = await openFiles(folder, options);
  const { manifest } = files;
  try {
    const sunlight = manifest.halves.sunlight ? await DatasetSunlight.open(files) : null;
    const kaigo = manifest.halves.kaigo ? await openKaigo(files) : null;
    return {
      manifest,
      folder: files.folder,
      files,
      sunlight,
      kaigo,
      map: openMap(files),
      search: openSearch(files, sunlight),
      stations: await stationsOf(files),
      close: async () => files.close(),
    };
  } catch (error) {
    files.close();
    throw cannotBeOpened(files.folder, error);
  }
}

/** Opens the care half. Its code and price rules are loaded only for a dataset that has it. */
async function openKaigo(files: DatasetFiles): Promise<DatasetKaigo> {
  const { DatasetKaigo } = await import('./kaigo.ts');
  return DatasetKaigo.open(files);
}

/** The result of opening the newest dataset: the dataset, and a line for each dataset that was refused. */
export interface Opened {
  dataset: Dataset | null;
  refused: string[];
  /** Folders of the datasets that could not be opened; `refused` says why. */
  failed?: readonly string[];
}

/** Options that select the dataset. */
interface OpenNewestOptions extends OpenOptions {
  /** The ID of the dataset that is already open. If it is the newest, nothing is opened. */
  unless?: string | undefined;
  /** Folders of datasets that were found damaged. They are skipped. */
  damaged?: ReadonlySet<string>;
}

/**
 * Opens the newest complete dataset below a data folder, or the folder itself when it is a dataset. Skips damaged
 * datasets: `refused` has a line about each, `failed` the folders of those that could not be opened now. The dataset is
 * null when there is none, or none newer than the one that is open.
 * @throws DatasetError when the folder cannot be read
 */
export async function openNewest(dataFolder: string, options: OpenNewestOptions = {}): Promise<Opened> {
  const { datasets, refused } = await listDatasets(dataFolder, options);
  const failed: string[] = [];
  for (const { folder, manifest } of datasets) {
    if (options.damaged?.has(folder)) {
      refused.push(`${folder}: was found damaged`);
      continue;
    }
    // It is open already, and the rest are older.
    if (manifest.dataset_id === options.unless) break;
    try {
      return { dataset: await openDataset(folder, { ...options, manifest }), refused, failed };
    } catch (error) {
      failed.push(folder);
      refused.push((error as Error).message);
    }
  }
  return { dataset: null, refused, failed };
}

/** Opens the dataset with this ID below a data folder; null when there is none or it is damaged. */
export async function openNamed(dataFolder: string, id: string, options: OpenOptions = {}): Promise<Dataset | null> {
  const folder = join(dataFolder, id);
  const manifest = await readManifest(folder, options.trusted ?? null).catch(() => null);
  return manifest?.dataset_id === id ? await openDataset(folder, { ...options, manifest }).catch(() => null) : null;
}
