import type { KeyObject } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Dataset } from './dataset.ts';
import { cannotBeOpened, type OpenOptions, openFiles } from './dataset-files.ts';
import { DatasetKaigo } from './kaigo.ts';
import { DatasetError, MANIFEST_FILE, type Manifest, readManifest } from './manifest.ts';
import { openMap } from './map.ts';
import { openSearch } from './search.ts';
import { DatasetSunlight } from './sunlight.ts';

/**
 * Opens one dataset. Its small files are read and compared with the manifest, the others are checked as they are read.
 * Nothing is written into its folder. Throws as `openFiles`.
 */
export async function openDataset(folder: string, options: OpenOptions = {}): Promise<Dataset> {
  const files = await openFiles(folder, options);
  const { manifest } = files;
  try {
    const sunlight = manifest.halves.sunlight ? await DatasetSunlight.open(files) : null;
    const kaigo = manifest.halves.kaigo ? await DatasetKaigo.open(files) : null;
    return {
      manifest,
      folder: files.folder,
      files,
      sunlight,
      kaigo,
      map: openMap(files),
      search: openSearch(files, sunlight),
      close: async () => files.close(),
    };
  } catch (error) {
    files.close();
    throw cannotBeOpened(files.folder, error);
  }
}

/** What an attempt to open the newest dataset gave: the dataset, and a line for each one that was refused on the way. */
export interface Opened {
  dataset: Dataset | null;
  refused: string[];
}

/** Which of the datasets of a folder is opened. */
interface OpenNewestOptions extends OpenOptions {
  /** The ID of the dataset that is open already: nothing is opened when that one is the newest. */
  unless?: string | undefined;
  /** Folders of datasets that were found damaged: they are passed over. */
  damaged?: ReadonlySet<string>;
}

/**
 * Opens the newest complete dataset below a data folder, or the folder itself where it is a dataset. Newer ones
 * that are damaged are passed over and named in `refused`. Throws `DatasetError` when the folder cannot be read.
 */
export async function openNewest(dataFolder: string, options: OpenNewestOptions = {}): Promise<Opened> {
  const { manifests, refused } = await listDatasets(dataFolder, options);
  for (const { folder, manifest } of manifests) {
    if (options.damaged?.has(folder)) {
      refused.push(`${folder}: was found damaged`);
      continue;
    }
    if (manifest.dataset_id === options.unless) break;
    try {
      return { dataset: await openDataset(folder, options), refused };
    } catch (error) {
      refused.push((error as Error).message);
    }
  }
  return { dataset: null, refused };
}

/** Opens the dataset of an ID below a data folder; null where there is none that is whole. */
export async function openNamed(dataFolder: string, id: string, options: OpenOptions = {}): Promise<Dataset | null> {
  const { manifests } = await listDatasets(dataFolder, options);
  const found = manifests.find(({ manifest }) => manifest.dataset_id === id);
  return found === undefined ? null : openDataset(found.folder, options).catch(() => null);
}

interface DatasetListing {
  /** The newest first: by `generated_at`, then by the time at which it was put in place, then by ID. */
  manifests: { folder: string; manifest: Manifest }[];
  /** A line for each folder that has no readable manifest. */
  refused: string[];
}

/** The datasets below a data folder; names that begin with a dot (drafts of builds) are none. */
export async function listDatasets(dataFolder: string, { trusted = null }: OpenOptions = {}): Promise<DatasetListing> {
  // All at once: under load, each wait would take as long as the requests that come before.
  const folders = await candidates(resolve(dataFolder));
  const read = await Promise.all(folders.map((folder) => placedManifest(folder, trusted)));
  const found = read.filter((one) => typeof one !== 'string');
  const refused = read.filter((one) => typeof one === 'string');
  found.sort(
    (a, b) =>
      Date.parse(b.manifest.generated_at) - Date.parse(a.manifest.generated_at) ||
      b.placed - a.placed ||
      (a.manifest.dataset_id < b.manifest.dataset_id ? -1 : 1),
  );
  return { manifests: found.map(({ folder, manifest }) => ({ folder, manifest })), refused };
}

/** The manifest of a folder and when it was put in place, milliseconds; what is wrong with it where it cannot be read. */
async function placedManifest(
  folder: string,
  trusted: KeyObject | null,
): Promise<{ folder: string; manifest: Manifest; placed: number } | string> {
  try {
    const [manifest, { mtimeMs }] = await Promise.all([
      readManifest(folder, trusted),
      stat(join(folder, MANIFEST_FILE)).catch(() => ({ mtimeMs: 0 })),
    ]);
    return { folder, manifest, placed: mtimeMs };
  } catch (error) {
    return (error as Error).message;
  }
}

async function candidates(dataFolder: string): Promise<string[]> {
  try {
    const entries = await readdir(dataFolder, { withFileTypes: true });
    if (entries.some(({ name }) => name === MANIFEST_FILE)) return [dataFolder];
    return entries
      .filter((entry) => !entry.isFile() && !entry.name.startsWith('.'))
      .map(({ name }) => join(dataFolder, name))
      .sort();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT')
      throw new DatasetError(`${dataFolder}: there is no such folder: build a dataset with hidamari build --out`);
    if (code === 'ENOTDIR')
      throw new DatasetError(`${dataFolder}: is a file; expected a data folder, or the folder of a dataset`);
    throw new DatasetError(`${dataFolder}: ${(error as Error).message}`);
  }
}
