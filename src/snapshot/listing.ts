import type { KeyObject } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isMissing } from '../formats/files.ts';
import type { OpenOptions } from './dataset-files.ts';
import { DatasetError, MANIFEST_FILE, type Manifest, readManifest } from './manifest.ts';

/** A dataset that can be opened. */
interface ListedDataset {
  folder: string;
  manifest: Manifest;
  /** When it was put in place. */
  placedMs: number;
}

/** The datasets of a data folder. */
interface DatasetListing {
  /** The newest first: by `generated_at`, then by the time at which it was put in place, then by ID. */
  datasets: ListedDataset[];
  /** A line for each folder that has no readable manifest. */
  refused: string[];
}

/** The datasets of a data folder. Names that begin with a dot (drafts of builds) are skipped. */
export async function listDatasets(dataFolder: string, { trusted = null }: OpenOptions = {}): Promise<DatasetListing> {
  const folders = await datasetFolders(resolve(dataFolder));
  // All at once: on a busy server each wait takes as long as the requests before it, so all manifests share one.
  const results = await Promise.all(folders.map((folder) => placedManifest(folder, trusted)));
  const datasets = results.filter((result) => typeof result !== 'string');
  const refused = results.filter((result) => typeof result === 'string');
  datasets.sort(
    (a, b) =>
      Date.parse(b.manifest.generated_at) - Date.parse(a.manifest.generated_at) ||
      b.placedMs - a.placedMs ||
      (a.manifest.dataset_id < b.manifest.dataset_id ? -1 : 1),
  );
  return { datasets, refused };
}

/**
 * The newest dataset of a data folder. For the folder of a dataset: that dataset.
 * @throws DatasetError when there is none
 */
export async function newestDataset(folder: string): Promise<ListedDataset> {
  const { datasets, refused } = await listDatasets(folder);
  if (datasets.length > 0) return datasets[0];
  throw new DatasetError(refused[0] ?? `${folder}: holds no dataset; hidamari build makes one`);
}

/**
 * True when a data folder has a dataset with this ID, which is the name of its folder. Names that begin with a dot are of
 * drafts. The check is one look at the disk, so clients may ask for any ID.
 * @param id without slashes
 */
export async function hasDataset(dataFolder: string, id: string): Promise<boolean> {
  if (id.startsWith('.')) return false;
  return await stat(join(dataFolder, id, MANIFEST_FILE)).then(
    () => true,
    () => false,
  );
}

/** The manifest of a folder, and when it was put in place; or why it cannot be read. */
async function placedManifest(folder: string, trusted: KeyObject | null): Promise<ListedDataset | string> {
  try {
    const [manifest, { mtimeMs }] = await Promise.all([
      readManifest(folder, trusted),
      // 0: the file has gone since it was read.
      stat(join(folder, MANIFEST_FILE)).catch(() => ({ mtimeMs: 0 })),
    ]);
    return { folder, manifest, placedMs: mtimeMs };
  } catch (error) {
    return (error as Error).message;
  }
}

/**
 * The folders that may be datasets: the folder itself when it has a manifest, otherwise those in it.
 * @throws DatasetError when the folder cannot be read
 */
async function datasetFolders(dataFolder: string): Promise<string[]> {
  try {
    const entries = await readdir(dataFolder, { withFileTypes: true });
    if (entries.some(({ name }) => name === MANIFEST_FILE)) return [dataFolder];
    return entries
      .filter((entry) => !entry.isFile() && !entry.name.startsWith('.'))
      .map(({ name }) => join(dataFolder, name))
      .sort();
  } catch (error) {
    if (isMissing(error))
      throw new DatasetError(`${dataFolder}: there is no such folder: build a dataset with hidamari build --out`);
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR')
      throw new DatasetError(`${dataFolder}: is a file; expected a data folder, or the folder of a dataset`);
    throw new DatasetError(`${dataFolder}: ${(error as Error).message}`);
  }
}
