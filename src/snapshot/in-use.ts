import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { FileLock } from '../formats/file-lock.ts';
import { DatasetError, MANIFEST_FILE } from './manifest.ts';

/**
 * A folder in the data folder. A process that serves a dataset holds a shared lock on the file with the name of its
 * folder; a process that removes it holds the lock alone.
 */
const SERVING = '.serving';

/** The path of the lock of a dataset. */
function lockPath(folder: string): string {
  return join(dirname(folder), SERVING, basename(folder));
}

/**
 * Holds a dataset so that no process removes it. Null for a folder without a manifest, which cannot be opened; and when
 * this user cannot write to the data folder, and so cannot remove it.
 * @throws DatasetError when it is being removed, or has been
 */
export function holdDataset(folder: string): FileLock | null {
  const hasManifest = () => existsSync(join(folder, MANIFEST_FILE));
  if (!hasManifest()) return null;
  const path = lockPath(folder);
  let lock: FileLock | null;
  try {
    mkdirSync(dirname(path), { recursive: true });
    lock = FileLock.share(path);
  } catch {
    return null;
  }
  if (lock !== null && hasManifest()) return lock;
  // Another process has the lock to remove the dataset, or removed it before it was locked here.
  lock?.release();
  throw new DatasetError(`${folder}: is being removed`);
}

/** Locks a dataset to remove it; null while a process serves it. */
export function seizeDataset(folder: string): FileLock | null {
  const path = lockPath(folder);
  mkdirSync(dirname(path), { recursive: true });
  return FileLock.take(path);
}

/** Releases the lock of `seizeDataset` and removes its file. */
export function releaseSeized(folder: string, lock: FileLock): void {
  rmSync(lockPath(folder), { force: true });
  lock.release();
}
