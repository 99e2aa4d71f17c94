import { rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { openFiles } from './dataset-files.ts';
import { releaseSeized, seizeDataset } from './in-use.ts';
import { listDatasets } from './listing.ts';
import { MANIFEST_FILE, type Manifest } from './manifest.ts';
import { REMOVED } from './publish.ts';

/** Whether a dataset stays, and why. */
export interface Verdict {
  dataset_id: string;
  folder: string;
  generated_at: string;
  bytes: number;
  fate: 'keep' | 'remove';
  why: string;
}

/** How long download URLs of a replaced dataset may still work, milliseconds. */
const DOWNLOADS_END_MS = 60 * 60 * 1000;

/**
 * The datasets of a data folder, newest first, and which of them would be removed if the newest `keep` complete ones
 * stayed. A damaged one is removed when a complete one is newer. Of a dataset with several folders (a copy, a symbolic
 * link) one counts, and the others stay. Folders without a readable manifest stay; `refused` has a line for each.
 * @param nowMs milliseconds since 1970
 */
export async function pruneVerdicts(
  dataFolder: string,
  keep: number,
  nowMs: number,
): Promise<{ verdicts: Verdict[]; refused: string[] }> {
  const { datasets, refused } = await listDatasets(dataFolder);
  const verdicts: Verdict[] = [];
  let completeCount = 0;
  /** When the next newer complete dataset was put in place; null: there is none. */
  let replacedAtMs: number | null = null;
  const judged = new Set<string>();
  for (const { folder, manifest } of datasets) {
    const { dataset_id, generated_at } = manifest;
    const about = { dataset_id, folder, generated_at, bytes: bytesOf(manifest) };
    if (judged.has(dataset_id)) {
      verdicts.push({ ...about, fate: 'keep', why: 'another folder of the same dataset' });
      continue;
    }
    judged.add(dataset_id);
    const fault = await faultOf(folder);
    const decision = decisionOn(fault, completeCount, keep);
    // Servers may still answer the download URLs that they gave out before.
    const hasDownloads = replacedAtMs !== null && nowMs - replacedAtMs < DOWNLOADS_END_MS;
    if (decision.fate === 'remove' && hasDownloads)
      verdicts.push({ ...about, fate: 'keep', why: 'its downloads may work for up to an hour' });
    else verdicts.push({ ...about, ...decision });
    if (fault === null) {
      completeCount++;
      replacedAtMs = (await stat(join(folder, MANIFEST_FILE))).mtimeMs;
    }
  }
  return { verdicts, refused };
}

/**
 * Whether a dataset stays if the newest `keep` complete ones do, and why.
 * @param fault why the dataset is not complete; null when it is
 * @param newerCount number of complete datasets that are newer
 */
export function decisionOn(fault: string | null, newerCount: number, keep: number): Pick<Verdict, 'fate' | 'why'> {
  if (fault === null && newerCount < keep)
    return { fate: 'keep', why: newerCount === 0 ? 'the newest complete one' : 'to keep' };
  if (newerCount === 0) return { fate: 'keep', why: `newer than every complete one: ${fault}` };
  return { fate: 'remove', why: fault ?? 'older than the ones to keep' };
}

/** The bytes of all files of a dataset. */
const bytesOf = ({ files }: Manifest): number => Object.values(files).reduce((sum, { bytes }) => sum + bytes, 0);

/** Why a dataset cannot be opened; null when it can. */
async function faultOf(folder: string): Promise<string | null> {
  try {
    (await openFiles(folder)).close();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/**
 * Removes a dataset. False when a process has it open. It is first renamed, so that no process finds half of it. The
 * next build or removal deletes the rest of an interrupted removal.
 * @param dryRun only finds out whether it could be removed
 */
export async function removeDataset(folder: string, dryRun: boolean): Promise<boolean> {
  const lock = seizeDataset(folder);
  if (lock === null) return false;
  try {
    if (dryRun) return true;
    const renamed = join(dirname(folder), REMOVED + basename(folder));
    await rm(renamed, { recursive: true, force: true });
    await rename(folder, renamed);
    await rm(renamed, { recursive: true, force: true });
  } finally {
    releaseSeized(folder, lock);
  }
  return true;
}
