import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { FileLock } from '../formats/file-lock.ts';
import { DatasetError, MANIFEST_FILE } from './manifest.ts';

/*
 * A process that serves a dataset holds a shared lock on `.serving/<folder>` in the data folder; removing the dataset takes
 * that lock exclusively.
 */
const SERVING = '.serving';

function lockPath(folder: string): string {
  return join(dirname(folder), SERVING, basename(folder));
}

/**
 * Holds a dataset so that no process removes it; null where the data folder cannot be written, in which case none can remove
 * it by this user's rights either.
 * @throws DatasetError when it is being removed, or has been
 */
export function holdDataset(folder: string): FileLock | null {
  const isThere = () => existsSync(join(folder, MANIFEST_FILE));
  if (!isThere()) return null; // it cannot be opened either
  const path = lockPath(folder);
  let lock: FileLock | null;
  try {
    mkdirSync(dirname(path), { recursive: true });
    lock = FileLock.share(path);
  } catch {
    return null;
  }
  if (lock !== null && isThere()) return lock;
  lock?.release();
  throw new DatasetError(`${folder}: is being removed`);
}

/** Takes a dataset to remove it, or null while a process holds it. */
export function seizeDataset(folder: string): FileLock | null {
  const path = lockPath(folder);
  mkdirSync(dirname(path), { recursive: true });
  return FileLock.take(path);
}

/** Removes the file of a lock that was seized, and releases it. */
export function endOf(folder: string, lock: FileLock): void {
  rmSync(lockPath(folder), { force: true });
  lock.release();
}
