import { createPublicKey, type KeyObject, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { listFiles, nullIfMissing, syncToDisk } from '../formats/files.ts';
import { CHECKSUMS_FILE, describeFile } from './dataset-files.ts';
import {
  DatasetError,
  type FileManifest,
  MANIFEST_FILE,
  type Manifest,
  readManifest,
  SCHEMA_VERSION,
  sealedText,
  WITHDRAWN_FILE,
} from './manifest.ts';
import { checkFiles } from './verification.ts';

/** The manifest before publication. The files are added then. */
export type DraftManifest = Omit<Manifest, 'schema_version' | 'files' | 'seal'>;

/** Prefix of the folders of unfinished datasets. No server opens a folder whose name begins with a dot. */
const DRAFT = '.draft-';
/** Prefix of the folders of damaged or older datasets that are being replaced. */
const REPLACED = '.replaced-';
/** Prefix of the folders of datasets that are being removed. */
export const REMOVED = '.removed-';

/** Makes an empty folder for a new dataset, beside the finished ones. Returns its path. */
export async function startDraft(dataFolder: string): Promise<string> {
  await mkdir(dataFolder, { recursive: true });
  // Not by `mkdtemp`, whose folders are private to one user: a server often runs as another.
  const draft = join(dataFolder, DRAFT + randomBytes(6).toString('hex'));
  await mkdir(draft);
  return draft;
}

/** Removes the remains of interrupted builds. Only the build that works in the data folder may call it. */
export async function removeLeftovers(dataFolder: string): Promise<void> {
  for (const name of await readdir(dataFolder)) {
    if (name.startsWith(DRAFT) || name.startsWith(REPLACED) || name.startsWith(REMOVED))
      await rm(join(dataFolder, name), { recursive: true });
  }
}

/** Options of a publication. */
interface PublishOptions {
  /** Number of rows of those files that are tables, by name. */
  rows?: Readonly<Record<string, number>>;
  /** Private Ed25519 key with which the manifest is signed. */
  signKey?: KeyObject | null;
}

/**
 * Makes a dataset of a draft: hashes every file, writes the manifest, syncs everything to disk, and renames the folder.
 * So a dataset is complete or absent. An existing complete dataset of the same ID stays and the draft is removed; a
 * damaged one is replaced.
 * @returns the dataset's folder.
 */
export async function publishDataset(
  dataFolder: string,
  draft: string,
  manifest: DraftManifest,
  { rows = {}, signKey = null }: PublishOptions = {},
): Promise<string> {
  const files = await describeFiles(draft, rows);
  const missing = Object.keys(rows).filter((name) => !(name in files));
  if (missing.length > 0) throw new Error(`${draft}: rows are given of ${missing.join(', ')}, which was not written`);
  await writeFile(join(draft, MANIFEST_FILE), sealedText(inOrder(manifest, files), signKey));
  await syncToDisk(join(draft, MANIFEST_FILE));
  for (const folder of foldersOf(draft, Object.keys(files))) await syncToDisk(folder);
  const target = join(dataFolder, manifest.dataset_id);
  if (!(await isComplete(target, signKey))) return moveIntoPlace(dataFolder, draft, manifest.dataset_id);
  await rm(draft, { recursive: true, force: true });
  return target;
}

/**
 * Syncs every file, and writes the checksums of all blocks. Returns the entry of each file in the manifest, by name.
 * @param rows number of rows of the files that are tables, by name
 */
async function describeFiles(
  draft: string,
  rows: Readonly<Record<string, number>>,
): Promise<Record<string, FileManifest>> {
  const names = (await listFiles(draft)).filter((name) => name !== MANIFEST_FILE && name !== CHECKSUMS_FILE);
  const files: Record<string, FileManifest> = {};
  const checksums: Buffer[] = [];
  for (const name of names) {
    const path = join(draft, name);
    await syncToDisk(path);
    const { bytes, sha256, blocks } = await describeFile(path);
    files[name] = { bytes, sha256, ...(name in rows ? { rows: rows[name] as number } : {}) };
    checksums.push(littleEndian(blocks));
  }
  const path = join(draft, CHECKSUMS_FILE);
  await writeFile(path, Buffer.concat(checksums));
  await syncToDisk(path);
  const { bytes, sha256 } = await describeFile(path);
  files[CHECKSUMS_FILE] = { bytes, sha256 };
  return files;
}

/** Numbers as u32, little-endian. */
function littleEndian(numbers: Uint32Array): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [i, number] of numbers.entries()) bytes.writeUInt32LE(number, 4 * i);
  return bytes;
}

/** The manifest with its members in a fixed order. */
const inOrder = (manifest: DraftManifest, files: Manifest['files']): Omit<Manifest, 'seal'> => ({
  schema_version: SCHEMA_VERSION,
  dataset_id: manifest.dataset_id,
  generated_at: manifest.generated_at,
  halves: { sunlight: manifest.halves.sunlight, kaigo: manifest.halves.kaigo },
  reference_year: manifest.reference_year,
  program_version: manifest.program_version,
  inputs: manifest.inputs,
  report: manifest.report,
  files,
});

/**
 * Moves a dataset that was built elsewhere on the same disk into a data folder, in one step. It replaces an older one
 * of the same inputs, which has the same ID. The time of the move decides which of equally new datasets is newest.
 * It also begins the time for which download URLs of the dataset before it still work.
 * @returns the dataset's folder
 */
export async function adoptDataset(dataFolder: string, built: string, id: string): Promise<string> {
  const now = new Date();
  await utimes(join(built, MANIFEST_FILE), now, now);
  return moveIntoPlace(dataFolder, built, id);
}

/** Moves a finished folder to the path of its dataset, and removes an older dataset there. Returns that path. */
async function moveIntoPlace(dataFolder: string, draft: string, id: string): Promise<string> {
  const target = join(dataFolder, id);
  const replaced = join(dataFolder, `${REPLACED}${id}`);
  // One may be left by a process that ended here.
  await rm(replaced, { recursive: true, force: true });
  await rename(target, replaced).catch(nullIfMissing);
  await rename(draft, target);
  await syncToDisk(dataFolder);
  await rm(replaced, { recursive: true, force: true });
  return target;
}

/** True for a dataset whose files agree with its manifest, signed with the key if there is one. */
async function isComplete(folder: string, signKey: KeyObject | null): Promise<boolean> {
  try {
    const manifest = await readManifest(folder, signKey && createPublicKey(signKey));
    for await (const { difference } of checkFiles(folder, manifest)) if (difference !== null) return false;
    return true;
  } catch {
    return false;
  }
}

/** The draft and all folders in it that have files. */
function foldersOf(draft: string, names: readonly string[]): Set<string> {
  const folders = new Set([draft]);
  for (const name of names) {
    for (let below = dirname(name); below !== '.'; below = dirname(below)) folders.add(join(draft, below));
  }
  return folders;
}

/**
 * Takes a dataset out of service, by renaming its manifest. Without a manifest no server opens it; a server that has it
 * open continues until its next check.
 * @throws DatasetError when there is no such dataset
 */
export async function withdrawDataset(folder: string): Promise<void> {
  await renameManifest(folder, MANIFEST_FILE, WITHDRAWN_FILE, 'no dataset that could be withdrawn');
}

/**
 * Takes a withdrawn dataset back into service.
 * @throws DatasetError when there is no such dataset
 */
export async function reinstateDataset(folder: string): Promise<void> {
  await renameManifest(folder, WITHDRAWN_FILE, MANIFEST_FILE, 'is not withdrawn');
}

/** @throws DatasetError with the complaint when the folder has no file of the old name */
async function renameManifest(folder: string, oldName: string, newName: string, complaint: string): Promise<void> {
  if (!existsSync(join(folder, oldName))) throw new DatasetError(`${folder}: ${complaint}`);
  await rename(join(folder, oldName), join(folder, newName));
  await syncToDisk(folder);
}
