import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileDigest, listFiles, syncToDisk } from '../formats/files.ts';
import { type FileManifest, MANIFEST_FILE, type Manifest, readManifest, SCHEMA_VERSION } from './manifest.ts';
import { sizeComplaints } from './open.ts';

/** What a build says of its dataset; the files are found and hashed when it is published. */
export type DraftManifest = Omit<Manifest, 'schema_version' | 'files'>;

/** Where a dataset is written before it is complete: beside the finished ones, under a name that is never opened. */
export const draftFolder = (dataFolder: string, datasetId: string): string => join(dataFolder, `.draft-${datasetId}`);

/** Makes an empty draft folder, in place of one that an earlier build left. Returns its path. */
export async function startDraft(dataFolder: string, datasetId: string): Promise<string> {
  const draft = draftFolder(dataFolder, datasetId);
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true });
  return draft;
}

/**
 * Makes a dataset of a draft: hashes every file in it, writes the manifest, waits for the disk, and moves the folder
 * into place in one step, so that it is there whole or not at all. `rows`: of the files that are tables.
 * Returns the dataset's folder. A whole dataset of that ID that is there already stays, and the draft goes; a
 * damaged one makes way.
 */
export async function publishDataset(
  dataFolder: string,
  draft: string,
  manifest: DraftManifest,
  rows: Readonly<Record<string, number>> = {},
): Promise<string> {
  const files: Record<string, FileManifest> = {};
  for (const name of await listFiles(draft)) {
    if (name === MANIFEST_FILE) continue;
    const path = join(draft, name);
    await syncToDisk(path);
    files[name] = { ...(await fileDigest(path)), ...(name in rows ? { rows: rows[name]! } : {}) };
  }
  const strangers = Object.keys(rows).filter((name) => !(name in files));
  if (strangers.length > 0)
    throw new Error(`${draft}: rows are given of ${strangers.join(', ')}, which was not written`);
  const text = JSON.stringify(inOrder(manifest, files), null, 2);
  await writeFile(join(draft, MANIFEST_FILE), `${text}\n`);
  await syncToDisk(join(draft, MANIFEST_FILE));
  for (const folder of foldersOf(draft, Object.keys(files))) await syncToDisk(folder);
  return moveIntoPlace(dataFolder, draft, manifest.dataset_id);
}

/** The manifest with its members in the order of its type, whatever order the build gave them in. */
const inOrder = (manifest: DraftManifest, files: Manifest['files']): Manifest => ({
  schema_version: SCHEMA_VERSION,
  dataset_id: manifest.dataset_id,
  generated_at: manifest.generated_at,
  halves: { sunlight: manifest.halves.sunlight, kaigo: manifest.halves.kaigo },
  reference_year: manifest.reference_year,
  program_version: manifest.program_version,
  report: manifest.report,
  files,
});

async function moveIntoPlace(dataFolder: string, draft: string, id: string): Promise<string> {
  const place = join(dataFolder, id);
  if (await isWhole(place)) {
    await rm(draft, { recursive: true, force: true });
    return place;
  }
  const aside = join(dataFolder, `.damaged-${id}`);
  await rm(aside, { recursive: true, force: true });
  await rename(place, aside).catch(ignoreMissing);
  await rename(draft, place);
  await syncToDisk(dataFolder);
  await rm(aside, { recursive: true, force: true });
  return place;
}

/** Is there a dataset whose manifest can be read and whose files have their sizes? */
async function isWhole(folder: string): Promise<boolean> {
  try {
    return (await sizeComplaints(folder, await readManifest(folder))).length === 0;
  } catch {
    return false;
  }
}

function foldersOf(draft: string, names: readonly string[]): Set<string> {
  const folders = new Set([draft]);
  for (const name of names) {
    for (let below = dirname(name); below !== '.'; below = dirname(below)) folders.add(join(draft, below));
  }
  return folders;
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
