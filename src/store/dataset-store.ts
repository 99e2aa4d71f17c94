import { createHash, type KeyObject } from 'node:crypto';
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
import type { Verdict } from '../snapshot/prune.ts';
import { withdrawDataset } from '../snapshot/withdraw.ts';
import { type ObjectStore, putMade, StoreError, TooLargeError } from './object-store.ts';

/** Datasets in a store: `datasets/<dataset_id>/<file>`, the manifest last, so that one with a manifest is whole. */
const FOLDER = 'datasets/';

/** What changed with a dataset lies beside its files, and is none of them. */
const NOTE_OBJECT = 'changes.json';

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
  const note = notePath(dirname(folder), id);
  if (existsSync(note)) await store.put(`${FOLDER}${id}/${NOTE_OBJECT}`, note);
  await store.put(`${FOLDER}${id}/${MANIFEST_FILE}`, join(folder, MANIFEST_FILE));
  return Object.keys(files).length + 1;
}

/** The result of a look into a store: the newest whole dataset, now in the data folder, and a line for each newer one that was refused. */
interface Fetched {
  datasetId: string | null;
  refused: string[];
}

/** How the folders of datasets that are being copied begin: no server opens what begins with a dot. */
const COPYING = '.copy-';

/** What is copied out of a store. */
interface FetchOptions {
  /** The key with which a manifest must be signed; null: it need not be. */
  trusted?: KeyObject | null;
  /** Folders of datasets that were found damaged: their files are compared with the manifest, and copied again where they differ. */
  damaged?: ReadonlySet<string>;
}

/**
 * Copies the newest whole dataset of a store into a data folder, unless it is there. Every file is compared with the
 * manifest, which is checked first; one that is damaged, or not signed with the trusted key, is passed over for the next. A copy
 * that was broken off goes on where it was. For one process at a time.
 * @throws StoreError when the store cannot be read
 */
export async function fetchNewest(
  store: ObjectStore,
  dataFolder: string,
  { trusted = null, damaged = new Set() }: FetchOptions = {},
): Promise<Fetched> {
  const refused: string[] = [];
  const { manifests, withdrawn } = await manifestsIn(store, refused);
  for (const id of withdrawn) await withdrawDataset(join(dataFolder, id)).catch(ignoreNone);
  await removeCopies(
    dataFolder,
    manifests.map(({ dataset_id }) => dataset_id),
  );
  for (const found of manifests) {
    const { dataset_id: id } = found;
    const place = join(dataFolder, id);
    const there = await readManifest(place, trusted).catch(() => null);
    try {
      if (there === null) await copyDataset(store, found, place, trusted);
      else if (damaged.has(place)) await fetchFiles(store, id, there.files, place);
      // No signature covers a note.
      if (trusted === null && there === null) await copyNote(store, id, dataFolder);
      await removeCopies(dataFolder);
      return { datasetId: id, refused };
    } catch (error) {
      if (!(error instanceof DatasetError)) throw error;
      refused.push(error.message);
    }
  }
  return { datasetId: null, refused };
}

/** Copies what changed with a dataset, where the store has it. */
async function copyNote(store: ObjectStore, id: string, dataFolder: string): Promise<void> {
  const text = await store.read(`${FOLDER}${id}/${NOTE_OBJECT}`, MOST_NOTE_BYTES).catch(() => null);
  const note = text && noteIn(text.toString());
  if (note?.new.dataset_id === id) await writeNote(dataFolder, note);
}

async function copyDataset(
  store: ObjectStore,
  found: StoredManifest,
  place: string,
  trusted: KeyObject | null,
): Promise<void> {
  const id = found.dataset_id;
  const draft = join(dirname(place), COPYING + id);
  try {
    await mkdir(draft, { recursive: true });
    await writeFile(join(draft, MANIFEST_FILE), await sameManifest(store, found));
    await syncToDisk(join(draft, MANIFEST_FILE));
    // What this program would not open, such as a dataset of another form, is not copied at every look.
    const { files } = await readManifest(draft, trusted);
    await checkRoom(draft, files);
    await fetchFiles(store, id, files, draft);
    await rm(place, { recursive: true, force: true }); // Of a dataset that is not whole.
    await rename(draft, place);
    await syncToDisk(dirname(place));
  } catch (error) {
    // What has come of a store that does not answer any more is kept.
    if (!(error instanceof StoreError)) await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

/** The lock of the one process that copies into a data folder; null while another has it. */
export const takeCopyLock = (dataFolder: string): FileLock | null => FileLock.take(join(dataFolder, '.copying'));

/** Removes copies that a server has broken off and will not continue. Does nothing while a process copies into the data folder. */
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

/** Removes copies that were broken off, but for those of datasets which may still be wanted. */
async function removeCopies(dataFolder: string, wanted: readonly string[] = []): Promise<void> {
  for (const name of await readdir(dataFolder)) {
    if (name.startsWith(COPYING) && !wanted.includes(name.slice(COPYING.length)))
      await rm(join(dataFolder, name), { recursive: true, force: true });
  }
}

/**
 * Removes all datasets of a store but the newest `keep` that are whole, and those newer than these: the manifest goes last, so that
 * what is broken off is found again. What has no manifest, such as a dataset on its way there, and what another version of the
 * program reads are left alone.
 * @param dryRun only says what would go
 * @returns what has become of each, newest first, and a line for each that could not be read
 * @throws StoreError
 */
export async function pruneStored(
  store: ObjectStore,
  keep: number,
  dryRun: boolean,
): Promise<{ verdicts: Omit<Verdict, 'folder'>[]; refused: string[] }> {
  const refused: string[] = [];
  const verdicts: Omit<Verdict, 'folder'>[] = [];
  let good = 0;
  for (const found of (await manifestsIn(store, refused)).manifests) {
    const { dataset_id, generated_at } = found;
    const { files } = JSON.parse((await sameManifest(store, found)).toString()) as Manifest;
    const names = Object.keys(files).map((name) => `${FOLDER}${dataset_id}/${name}`);
    const bytes = Object.values(files).reduce((sum, file) => sum + file.bytes, 0);
    const missing = await firstMissing(store, names);
    const about = { dataset_id, generated_at, bytes };
    const isFirst = good === 0;
    if (missing === null && good++ < keep) {
      verdicts.push({ ...about, fate: 'keep', why: isFirst ? 'the newest that is whole' : 'wanted' });
    } else if (isFirst) {
      verdicts.push({ ...about, fate: 'keep', why: `newer than any that is whole: ${missing} is missing` });
    } else {
      const why = missing === null ? 'older than those that are wanted' : `${missing} is missing`;
      verdicts.push({ ...about, fate: 'remove', why });
      const all = [...names, ...[NOTE_OBJECT, MANIFEST_FILE].map((name) => `${FOLDER}${dataset_id}/${name}`)];
      if (!dryRun) for (const name of all) await store.remove(name);
    }
  }
  return { verdicts, refused };
}

/**
 * Takes a dataset of a store out of service, or back into it, as `withdrawDataset` does.
 * @returns the ID of the newest dataset now
 * @throws DatasetError where there is no such dataset, or no other one
 */
export async function withdrawStored(store: ObjectStore, id: string, undo: boolean): Promise<string | null> {
  const place = `${FOLDER}${id}/`;
  const names = [place + MANIFEST_FILE, place + WITHDRAWN_FILE];
  const [from = '', to = ''] = undo ? names.reverse() : names;
  const text = isDatasetId(id) ? await store.read(from, MOST_MANIFEST_BYTES) : null;
  if (text === null)
    throw new DatasetError(
      `${store.address}: ${id} ${undo ? 'is not withdrawn' : 'is no dataset that could be withdrawn'}`,
    );
  const { manifests } = await manifestsIn(store, []);
  if (!undo && manifests.every(({ dataset_id }) => dataset_id === id))
    throw new DatasetError(`${store.address}: holds no other dataset that could be served in place of ${id}`);
  await putMade(store, to, tmpdir(), (path) => writeFile(path, text));
  await store.remove(from);
  return (await manifestsIn(store, [])).manifests[0]?.dataset_id ?? null;
}

/** A copy that is not there, or is withdrawn already. */
function ignoreNone(error: unknown): void {
  if (!(error instanceof DatasetError)) throw error;
}

async function firstMissing(store: ObjectStore, names: readonly string[]): Promise<string | null> {
  for (const name of names) if (!(await store.has(name))) return name;
  return null;
}

/** A dataset of a store by what its manifest said when it was read. */
interface StoredManifest extends Pick<Manifest, 'dataset_id' | 'generated_at'> {
  /** SHA-256 of the manifest: the one that is copied later must be the same. */
  sha256: string;
}

/** Bytes of all manifests that are read in one look, so that a store cannot keep a server reading. */
const MOST_LOOKED_AT = 2 ** 30;
/** Lines about datasets that are refused, of one look. */
const MOST_REFUSED = 20;

/** Those that this version of the program reads, the newest first, and the IDs of those that were withdrawn. */
async function manifestsIn(
  store: ObjectStore,
  refused: string[],
): Promise<{ manifests: StoredManifest[]; withdrawn: string[] }> {
  const manifests: StoredManifest[] = [];
  const withdrawn: string[] = [];
  let room = MOST_LOOKED_AT;
  let more = 0;
  const refuse = (line: string): void => {
    if (refused.length < MOST_REFUSED) refused.push(line);
    else more++;
  };
  for (const name of await store.list(FOLDER)) {
    if (!name.endsWith('/')) continue;
    const id = name.slice(0, -1);
    if (!isDatasetId(id)) {
      refuse(`${store.address}/${FOLDER}: ${JSON.stringify(name.slice(0, 100))} is no name of a dataset`);
      continue;
    }
    const text = await manifestOf(store, id, Math.min(room, MOST_MANIFEST_BYTES));
    if (text instanceof DatasetError) refuse(text.message);
    if (text === null && (await store.has(`${FOLDER}${id}/${WITHDRAWN_FILE}`))) withdrawn.push(id);
    if (text === null || text instanceof DatasetError) continue;
    room -= text.length;
    const found = manifestIn(text, id);
    if (typeof found === 'string') refuse(`${store.address}/${FOLDER}${name}${MANIFEST_FILE}: ${found}`);
    else manifests.push({ dataset_id: id, generated_at: found.generated_at, sha256: sha256Of(text) });
  }
  if (more > 0) refused.push(`${store.address}/${FOLDER}: ${more} more are refused`);
  const time = ({ generated_at }: StoredManifest): number => Date.parse(generated_at);
  manifests.sort((a, b) => time(b) - time(a) || (a.dataset_id < b.dataset_id ? -1 : 1));
  return { manifests, withdrawn };
}

/**
 * The bytes of a manifest; null where there is none, an error where it is larger than a manifest may be.
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

const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/**
 * The manifest of a dataset as it was when it was looked at.
 * @throws DatasetError where it is another now, or none
 */
async function sameManifest(store: ObjectStore, { dataset_id: id, sha256 }: StoredManifest): Promise<Buffer> {
  const text = await manifestOf(store, id, MOST_MANIFEST_BYTES);
  if (text instanceof DatasetError) throw text;
  if (text === null) throw new DatasetError(`${store.address}/${FOLDER}${id}: has no manifest any more`);
  if (sha256Of(text) === sha256) return text;
  throw new DatasetError(`${store.address}/${FOLDER}${id}/${MANIFEST_FILE}: has changed since it was looked at`);
}

/**
 * Copies the files of a dataset into a folder; what is there and right stays.
 * @throws DatasetError for a file that is missing or another than the manifest says
 */
async function fetchFiles(store: ObjectStore, id: string, files: Manifest['files'], folder: string): Promise<void> {
  for (const [name, expected] of Object.entries(files)) {
    const path = join(folder, ...name.split('/'));
    const object = `${FOLDER}${id}/${name}`;
    if (await isAsExpected(path, expected)) continue;
    const isThere = await store.get(object, path, expected.bytes).catch((error: unknown) => {
      throw error instanceof TooLargeError
        ? new DatasetError(`${error.message}: is not the file of the manifest`)
        : error;
    });
    if (!isThere) throw new DatasetError(`${store.address}/${object}: is missing`);
    if (!(await isAsExpected(path, expected))) {
      throw new DatasetError(`${store.address}/${object}: damaged: is not the file of the manifest`);
    }
    await syncToDisk(path);
  }
}

/** @throws Error before the disk is filled, where what is still to come does not fit */
async function checkRoom(folder: string, files: Manifest['files']): Promise<void> {
  let wanted = 0;
  for (const [name, { bytes }] of Object.entries(files)) {
    const found = await stat(join(folder, ...name.split('/'))).catch(() => null);
    if (found?.size !== bytes) wanted += bytes;
  }
  const free = await freeBytes(folder);
  if (wanted <= free) return;
  throw new Error(`no room: ${wanted} bytes of a dataset are to come and ${free} are free; make room`);
}

async function isAsExpected(path: string, { bytes, sha256 }: { bytes: number; sha256: string }): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found?.size === bytes && (await fileDigest(path)).sha256 === sha256;
}
