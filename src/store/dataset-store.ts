import { hash, type KeyObject } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { FileLock } from '../formats/file-lock.ts';
import { fileDigest, freeBytes, syncToDisk } from '../formats/files.ts';
import { MOST_NOTE_BYTES, noteIn, notePath, writeNote } from '../snapshot/change-note.ts';
import {
  DatasetError,
  isDatasetId,
  MANIFEST_FILE,
  type Manifest,
  MOST_MANIFEST_BYTES,
  manifestComplaint,
  readManifest,
  WITHDRAWN_FILE,
} from '../snapshot/manifest.ts';
import { decisionOn, type Verdict } from '../snapshot/prune.ts';
import { withdrawDataset } from '../snapshot/publish.ts';
import { type ObjectStore, putMade, StoreError, TooLargeError } from './object-store.ts';

/**
 * Datasets in a store: `datasets/<dataset_id>/<file>`. The manifest is written last, so a dataset with a manifest is
 * complete.
 */
const FOLDER = 'datasets/';

/** True when a dataset was generated before another one of the same ID. */
const isOlder = (a: Pick<Manifest, 'generated_at'>, b: Pick<Manifest, 'generated_at'>): boolean =>
  Date.parse(a.generated_at) < Date.parse(b.generated_at);

/** The change note of a dataset. It is not a file of the dataset. */
const NOTE_OBJECT = 'changes.json';

/**
 * Copies a dataset into a store. Existing files stay. An older dataset of the same inputs has the same ID; it is
 * replaced, because by its date it would not be the newest.
 * @param sent called with the name of each file after it is stored
 * @returns the number of its files
 * @throws DatasetError when it is damaged, or withdrawn from the store
 */
export async function sendDataset(store: ObjectStore, folder: string, sent: (name: string) => void): Promise<number> {
  const manifest = await readManifest(folder);
  const { dataset_id: id, files } = manifest;
  if (await isWithdrawn(store, id))
    throw new DatasetError(`${store.address}: ${id} was withdrawn; hidamari withdraw --undo brings it back`);
  const bytes = await manifestOf(store, id, MOST_MANIFEST_BYTES);
  // The stored manifest, or a text that says what is wrong with it. That does not matter: it is overwritten below.
  const stored = Buffer.isBuffer(bytes) ? manifestIn(bytes, id) : 'has no manifest that can be read';
  if (typeof stored !== 'string' && isOlder(stored, manifest)) {
    for (const name of [MANIFEST_FILE, ...Object.keys(stored.files), NOTE_OBJECT]) {
      await store.remove(`${FOLDER}${id}/${name}`);
    }
  }
  for (const [name, { bytes, sha256 }] of Object.entries(files)) {
    const path = join(folder, ...name.split('/'));
    const actual = await fileDigest(path);
    if (actual.bytes !== bytes || actual.sha256 !== sha256)
      throw new DatasetError(`${path}: is not the file of the manifest; hidamari verify says more`);
    await store.put(`${FOLDER}${id}/${name}`, path);
    sent(name);
  }
  const note = notePath(dirname(folder), id);
  if (existsSync(note)) await store.put(`${FOLDER}${id}/${NOTE_OBJECT}`, note);
  await store.put(`${FOLDER}${id}/${MANIFEST_FILE}`, join(folder, MANIFEST_FILE));
  return Object.keys(files).length + 1;
}

/** True for a dataset that an operator has taken out of service in the store. */
export const isWithdrawn = (store: ObjectStore, id: string): Promise<boolean> =>
  store.has(`${FOLDER}${id}/${WITHDRAWN_FILE}`);

/**
 * The result of a check of a store: the newest complete dataset, now in the data folder, and a line for each newer one
 * that was refused.
 */
interface Fetched {
  datasetId: string | null;
  refused: string[];
}

/** Prefix of the folders of datasets that are being copied. No server opens a folder whose name begins with a dot. */
const COPYING = '.copy-';

/** Options of a copy from a store. */
interface FetchOptions {
  /** The key with which a manifest must be signed; null: no signature is needed. */
  trusted?: KeyObject | null;
  /** Folders of damaged datasets: their files are compared with the manifest, and copied again where they differ. */
  damaged?: ReadonlySet<string>;
}

/**
 * Copies the newest complete dataset of a store into a data folder, unless it is there. The manifest is checked first;
 * then every file is compared with it. A damaged dataset, or one without the signature of the trusted key, is skipped
 * for the next older one. An interrupted copy is continued. Only one process may do this at a time.
 * @throws StoreError when the store cannot be read
 */
export async function fetchNewest(
  store: ObjectStore,
  dataFolder: string,
  { trusted = null, damaged = new Set() }: FetchOptions = {},
): Promise<Fetched> {
  const refused: string[] = [];
  const { manifests, withdrawn } = await manifestsIn(store, refused);
  for (const id of withdrawn) await withdrawDataset(join(dataFolder, id)).catch(ignoreDatasetError);
  // Removes unfinished copies of datasets that the store no longer has. The others may be continued below.
  await removeCopies(
    dataFolder,
    manifests.map(({ dataset_id }) => dataset_id),
  );
  for (const stored of manifests) {
    const { dataset_id: id } = stored;
    const folder = join(dataFolder, id);
    const local = await readManifest(folder, trusted).catch(() => null);
    // The same inputs, built again, have the same ID.
    const mustCopy = local === null || isOlder(local, stored);
    try {
      if (mustCopy) await copyDataset(store, stored, folder, trusted);
      else if (damaged.has(folder)) await fetchFiles(store, id, local.files, folder);
      // A change note is not signed: with a trusted key it is not copied.
      if (trusted === null && mustCopy) await copyNote(store, id, dataFolder);
      // Unfinished copies of older datasets are not needed any more.
      await removeCopies(dataFolder);
      return { datasetId: id, refused };
    } catch (error) {
      if (!(error instanceof DatasetError)) throw error;
      refused.push(error.message);
    }
  }
  return { datasetId: null, refused };
}

/** Copies the change note of a dataset, if the store has one. A dataset is served without it too. */
async function copyNote(store: ObjectStore, id: string, dataFolder: string): Promise<void> {
  const text = await store.read(`${FOLDER}${id}/${NOTE_OBJECT}`, MOST_NOTE_BYTES).catch(() => null);
  const note = text && noteIn(text.toString());
  if (note?.new.dataset_id === id) await writeNote(dataFolder, note);
}

/**
 * Copies a dataset into a folder beside the target, and then renames it. So the target is complete or absent.
 * @throws DatasetError when the dataset cannot be opened; StoreError when the store cannot be read
 */
async function copyDataset(
  store: ObjectStore,
  stored: StoredManifest,
  target: string,
  trusted: KeyObject | null,
): Promise<void> {
  const id = stored.dataset_id;
  const draft = join(dirname(target), COPYING + id);
  try {
    await mkdir(draft, { recursive: true });
    await writeFile(join(draft, MANIFEST_FILE), await sameManifest(store, stored));
    await syncToDisk(join(draft, MANIFEST_FILE));
    // The manifest is read before the files are copied: of a dataset that this program cannot open, for example one of
    // another schema version, no file is copied.
    const { files } = await readManifest(draft, trusted);
    await checkRoom(draft, files);
    await fetchFiles(store, id, files, draft);
    await rm(target, { recursive: true, force: true }); // Remains of an incomplete dataset.
    await rename(draft, target);
    await syncToDisk(dirname(target));
  } catch (error) {
    // When the store stops answering, the copied part is kept.
    if (!(error instanceof StoreError)) await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

/** The lock of the process that copies into a data folder; null while another process has it. */
export const takeCopyLock = (dataFolder: string): FileLock | null => FileLock.take(join(dataFolder, '.copying'));

/**
 * Removes interrupted copies that no server will continue. Does nothing while a process copies into the data folder.
 */
export async function removeAbandonedCopies(dataFolder: string): Promise<void> {
  if (!(await readdir(dataFolder)).some((name) => name.startsWith(COPYING))) return;
  const lock = takeCopyLock(dataFolder);
  if (lock === null) return;
  try {
    await removeCopies(dataFolder);
  } finally {
    lock.release();
  }
}

/** Removes interrupted copies, except those of datasets that may still be wanted. */
async function removeCopies(dataFolder: string, wanted: readonly string[] = []): Promise<void> {
  for (const name of await readdir(dataFolder)) {
    if (name.startsWith(COPYING) && !wanted.includes(name.slice(COPYING.length)))
      await rm(join(dataFolder, name), { recursive: true, force: true });
  }
}

/**
 * Removes the datasets of a store that are older than its newest `keep` complete ones. A dataset loses its manifest
 * last, so an interrupted removal is found again. Datasets without a manifest (for example one that is being uploaded)
 * and those of other program versions stay.
 * @param dryRun only lists what would be removed
 * @returns the verdict on each, newest first, and a line for each that could not be read
 * @throws StoreError
 */
export async function pruneStored(
  store: ObjectStore,
  { keep, dryRun }: { keep: number; dryRun: boolean },
): Promise<{ verdicts: Omit<Verdict, 'folder'>[]; refused: string[] }> {
  const refused: string[] = [];
  const verdicts: Omit<Verdict, 'folder'>[] = [];
  let completeCount = 0;
  for (const stored of (await manifestsIn(store, refused)).manifests) {
    const { dataset_id, generated_at } = stored;
    // Fails if the manifest was replaced meanwhile.
    const { files } = JSON.parse((await sameManifest(store, stored)).toString()) as Manifest;
    const names = Object.keys(files).map((name) => `${FOLDER}${dataset_id}/${name}`);
    const bytes = Object.values(files).reduce((sum, file) => sum + file.bytes, 0);
    const missing = await firstMissing(store, names);
    const decision = decisionOn(missing === null ? null : `${missing} is missing`, completeCount, keep);
    verdicts.push({ dataset_id, generated_at, bytes, ...decision });
    if (decision.fate === 'remove' && !dryRun) {
      const manifestLast = [NOTE_OBJECT, MANIFEST_FILE].map((name) => `${FOLDER}${dataset_id}/${name}`);
      for (const name of [...names, ...manifestLast]) await store.remove(name);
    }
    if (missing === null) completeCount++;
  }
  return { verdicts, refused };
}

/**
 * Takes a dataset of a store out of service, by renaming its manifest.
 * @returns the ID of the newest dataset now; null when this program can read none
 * @throws DatasetError when there is no such dataset, or no other one
 */
export async function withdrawStored(store: ObjectStore, id: string): Promise<string | null> {
  const manifest = await bytesOfManifest(store, id, MANIFEST_FILE);
  if (manifest === null) throw new DatasetError(`${store.address}: ${id} is no dataset that could be withdrawn`);
  const { manifests } = await manifestsIn(store);
  if (manifests.every(({ dataset_id }) => dataset_id === id))
    throw new DatasetError(`${store.address}: holds no other dataset that could be served in place of ${id}`);
  return moveManifest(store, id, manifest, MANIFEST_FILE, WITHDRAWN_FILE);
}

/**
 * Takes a withdrawn dataset of a store back into service.
 * @returns the ID of the newest dataset now
 * @throws DatasetError when there is no such dataset
 */
export async function reinstateStored(store: ObjectStore, id: string): Promise<string | null> {
  const manifest = await bytesOfManifest(store, id, WITHDRAWN_FILE);
  if (manifest === null) throw new DatasetError(`${store.address}: ${id} is not withdrawn`);
  return moveManifest(store, id, manifest, WITHDRAWN_FILE, MANIFEST_FILE);
}

/** The bytes of a dataset's manifest under one of its two names; null when there is none, or the ID is invalid. */
async function bytesOfManifest(store: ObjectStore, id: string, name: string): Promise<Buffer | null> {
  return isDatasetId(id) ? store.read(`${FOLDER}${id}/${name}`, MOST_MANIFEST_BYTES) : null;
}

/** Stores a manifest under its new name, then removes the old one. Returns what the store now serves: its newest dataset. */
async function moveManifest(
  store: ObjectStore,
  id: string,
  manifest: Buffer,
  oldName: string,
  newName: string,
): Promise<string | null> {
  // A store takes files only.
  await putMade(store, `${FOLDER}${id}/${newName}`, tmpdir(), (path) => writeFile(path, manifest));
  await store.remove(`${FOLDER}${id}/${oldName}`);
  return (await manifestsIn(store)).manifests[0]?.dataset_id ?? null;
}

/** Ignores the error of `withdrawDataset` for a dataset that does not exist in the folder, or is already withdrawn. */
function ignoreDatasetError(error: unknown): void {
  if (!(error instanceof DatasetError)) throw error;
}

/** The first name that the store does not have; null when it has all. */
async function firstMissing(store: ObjectStore, names: readonly string[]): Promise<string | null> {
  for (const name of names) if (!(await store.has(name))) return name;
  return null;
}

/** A dataset of a store, as its manifest described it when it was read. */
interface StoredManifest extends Pick<Manifest, 'dataset_id' | 'generated_at'> {
  /** SHA-256 of the manifest. The manifest that is copied later must have the same one. */
  sha256: string;
}

/** Limit of the bytes of all manifests in one check, so that a store cannot keep a server reading. */
const MOST_BYTES_A_CHECK = 2 ** 30;
/** Limit of the lines about refused datasets in one check. */
const MOST_REFUSED = 20;

/**
 * The datasets that this program can read, newest first, and the IDs of withdrawn ones.
 * @param refused gets a line for each dataset that this program cannot read, or for whose manifest no bytes of
 *   {@link MOST_BYTES_A_CHECK} are left
 * @throws StoreError when the store cannot be read
 */
async function manifestsIn(
  store: ObjectStore,
  refused: string[] = [],
): Promise<{ manifests: StoredManifest[]; withdrawn: string[] }> {
  const manifests: StoredManifest[] = [];
  const withdrawn: string[] = [];
  let bytesLeft = MOST_BYTES_A_CHECK;
  let unlisted = 0;
  const refuse = (line: string): void => {
    if (refused.length < MOST_REFUSED) refused.push(line);
    else unlisted++;
  };
  for (const name of await store.list(FOLDER)) {
    if (!name.endsWith('/')) continue;
    const id = name.slice(0, -1);
    if (!isDatasetId(id)) {
      refuse(`${store.address}/${FOLDER}: ${JSON.stringify(name.slice(0, 100))} is no name of a dataset`);
      continue;
    }
    const text = await manifestOf(store, id, Math.min(bytesLeft, MOST_MANIFEST_BYTES));
    if (text instanceof DatasetError) refuse(text.message);
    if (text === null && (await store.has(`${FOLDER}${id}/${WITHDRAWN_FILE}`))) withdrawn.push(id);
    if (text === null || text instanceof DatasetError) continue;
    bytesLeft -= text.length;
    const manifest = manifestIn(text, id);
    if (typeof manifest === 'string') refuse(`${store.address}/${FOLDER}${name}${MANIFEST_FILE}: ${manifest}`);
    else manifests.push({ dataset_id: id, generated_at: manifest.generated_at, sha256: hash('sha256', text) });
  }
  if (unlisted > 0) refused.push(`${store.address}/${FOLDER}: ${unlisted} more are refused`);
  const time = ({ generated_at }: StoredManifest): number => Date.parse(generated_at);
  manifests.sort((a, b) => time(b) - time(a) || (a.dataset_id < b.dataset_id ? -1 : 1));
  return { manifests, withdrawn };
}

/**
 * The bytes of a manifest; null when there is none; an error when it is too large.
 * @throws StoreError when the store cannot be read
 */
async function manifestOf(store: ObjectStore, id: string, most: number): Promise<Buffer | null | DatasetError> {
  try {
    return await store.read(`${FOLDER}${id}/${MANIFEST_FILE}`, most);
  } catch (error) {
    if (error instanceof TooLargeError) return new DatasetError(error.message);
    throw error;
  }
}

/** The manifest in a text, or what is wrong with it. */
function manifestIn(text: Buffer, id: string): Manifest | string {
  let value: unknown;
  try {
    value = JSON.parse(text.toString());
  } catch (error) {
    return `damaged: ${(error as Error).message}`;
  }
  const complaint = manifestComplaint(value);
  if (complaint !== null) return complaint;
  const manifest = value as Manifest;
  return manifest.dataset_id === id ? manifest : `is the manifest of ${manifest.dataset_id}`;
}

/**
 * The manifest of a dataset, unchanged since the check.
 * @throws DatasetError when it has changed or is gone
 */
async function sameManifest(store: ObjectStore, { dataset_id: id, sha256 }: StoredManifest): Promise<Buffer> {
  const text = await manifestOf(store, id, MOST_MANIFEST_BYTES);
  if (text instanceof DatasetError) throw text;
  if (text === null) throw new DatasetError(`${store.address}/${FOLDER}${id}: has no manifest any more`);
  if (hash('sha256', text) === sha256) return text;
  throw new DatasetError(`${store.address}/${FOLDER}${id}/${MANIFEST_FILE}: has changed since it was looked at`);
}

/**
 * Copies the files of a dataset into a folder. Correct files that exist stay.
 * @throws DatasetError for a file that is missing or differs from the manifest
 */
async function fetchFiles(store: ObjectStore, id: string, files: Manifest['files'], folder: string): Promise<void> {
  for (const [name, expected] of Object.entries(files)) {
    const path = join(folder, ...name.split('/'));
    const object = `${FOLDER}${id}/${name}`;
    if (await isAsExpected(path, expected)) continue;
    const exists = await store.get(object, path, expected.bytes).catch((error: unknown) => {
      throw error instanceof TooLargeError
        ? new DatasetError(`${error.message}: is not the file of the manifest`)
        : error;
    });
    if (!exists) throw new DatasetError(`${store.address}/${object}: is missing`);
    if (!(await isAsExpected(path, expected))) {
      throw new DatasetError(`${store.address}/${object}: damaged: is not the file of the manifest`);
    }
    await syncToDisk(path);
  }
}

/**
 * Checks before a copy that the missing files fit on the disk. A file of another size is missing: it is copied as a whole.
 * @throws Error when they do not fit
 */
async function checkRoom(folder: string, files: Manifest['files']): Promise<void> {
  let missingBytes = 0;
  for (const [name, { bytes }] of Object.entries(files)) {
    const status = await stat(join(folder, ...name.split('/'))).catch(() => null);
    if (status?.size !== bytes) missingBytes += bytes;
  }
  const free = await freeBytes(folder);
  if (missingBytes <= free) return;
  throw new Error(`no room: ${missingBytes} bytes of a dataset are to come and ${free} are free; make room`);
}

/** Whether a file has the size and the SHA-256 of its entry in the manifest. */
async function isAsExpected(path: string, { bytes, sha256 }: { bytes: number; sha256: string }): Promise<boolean> {
  const status = await stat(path).catch(() => null);
  return status?.size === bytes && (await fileDigest(path)).sha256 === sha256;
}
