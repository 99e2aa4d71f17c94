import type { KeyObject } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatasetError, MANIFEST_FILE, type Manifest, readManifest } from '../dataset/manifest.ts';
import { startDraft } from '../dataset/publish.ts';
import { fileDigest, syncToDisk } from '../formats/files.ts';
import type { ObjectStore } from './object-store.ts';

/** Datasets in a store: `datasets/<dataset_id>/<file>`, the manifest last, so that one with a manifest is whole. */
const FOLDER = 'datasets/';

/** Copies a dataset into a store; what is there already stays. @returns how many files it has */
export async function sendDataset(store: ObjectStore, folder: string, sent: (name: string) => void): Promise<number> {
  const { dataset_id: id, files } = await readManifest(folder);
  for (const [name, { bytes, sha256 }] of Object.entries(files)) {
    const path = join(folder, ...name.split('/'));
    const found = await fileDigest(path);
    if (found.bytes !== bytes || found.sha256 !== sha256) {
      throw new DatasetError(`${path}: is not the file of the manifest; hidamari verify says more`);
    }
    await store.put(`${FOLDER}${id}/${name}`, path);
    sent(name);
  }
  await store.put(`${FOLDER}${id}/${MANIFEST_FILE}`, join(folder, MANIFEST_FILE));
  return Object.keys(files).length + 1;
}

/** What a look into a store gave: the dataset that was copied, if any, and a line for each newer one that was refused. */
export interface Fetched {
  datasetId: string | null;
  refused: string[];
}

/**
 * Copies the newest whole dataset of a store into a data folder, unless it is there. Every file is compared with the
 * manifest, which comes last; one that is damaged, or not signed with the trusted key, is passed over for the next.
 * @throws StoreError when the store cannot be read
 */
export async function fetchNewest(store: ObjectStore, dataFolder: string, trusted: KeyObject | null): Promise<Fetched> {
  const refused: string[] = [];
  for (const { dataset_id: id, files } of await manifestsIn(store, refused)) {
    const place = join(dataFolder, id);
    if (await isThere(place, trusted)) return { datasetId: null, refused };
    const draft = await startDraft(dataFolder);
    try {
      await fetchFiles(store, id, files, draft);
      await readManifest(draft, trusted);
      await rm(place, { recursive: true, force: true }); // Of a dataset that is not whole.
      await rename(draft, place);
      await syncToDisk(dataFolder);
      return { datasetId: id, refused };
    } catch (error) {
      await rm(draft, { recursive: true, force: true });
      if (await isThere(place, trusted)) return { datasetId: id, refused }; // Another replica was quicker.
      if (!(error instanceof DatasetError)) throw error;
      refused.push(error.message);
    }
  }
  return { datasetId: null, refused };
}

/** The newest first. */
async function manifestsIn(store: ObjectStore, refused: string[]): Promise<Manifest[]> {
  const manifests: Manifest[] = [];
  for (const name of await store.list(FOLDER)) {
    const text = name.endsWith('/') ? await store.read(`${FOLDER}${name}${MANIFEST_FILE}`) : null;
    if (text === null) continue;
    try {
      const manifest: Manifest = JSON.parse(text.toString());
      if (`${manifest.dataset_id}/` === name) manifests.push(manifest);
      else refused.push(`${store.address}/${FOLDER}${name}: its manifest is that of ${manifest.dataset_id}`);
    } catch (error) {
      refused.push(`${store.address}/${FOLDER}${name}: ${(error as Error).message}`);
    }
  }
  const time = ({ generated_at }: Manifest): number => Date.parse(generated_at);
  return manifests.sort((a, b) => time(b) - time(a) || (a.dataset_id < b.dataset_id ? -1 : 1));
}

async function isThere(folder: string, trusted: KeyObject | null): Promise<boolean> {
  return readManifest(folder, trusted).then(
    () => true,
    () => false,
  );
}

/** @throws DatasetError for a file that is missing or another than the manifest says */
async function fetchFiles(store: ObjectStore, id: string, files: Manifest['files'], draft: string): Promise<void> {
  for (const [name, { bytes, sha256 }] of Object.entries(files)) {
    const path = join(draft, ...name.split('/'));
    const object = `${FOLDER}${id}/${name}`;
    if (path !== join(draft, name) || name.split('/').includes('..')) {
      throw new DatasetError(`${store.address}/${object}: a file outside the dataset`);
    }
    if (!(await store.get(object, path))) throw new DatasetError(`${store.address}/${object}: is missing`);
    const found = await fileDigest(path);
    if (found.bytes !== bytes || found.sha256 !== sha256) {
      throw new DatasetError(`${store.address}/${object}: damaged: is not the file of the manifest`);
    }
    await syncToDisk(path);
  }
  const manifest = await store.read(`${FOLDER}${id}/${MANIFEST_FILE}`);
  if (manifest === null) throw new DatasetError(`${store.address}/${FOLDER}${id}: has no manifest any more`);
  await writeFile(join(draft, MANIFEST_FILE), manifest);
  await syncToDisk(join(draft, MANIFEST_FILE));
}
