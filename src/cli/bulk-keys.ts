import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { FileLock } from '../formats/file-lock.ts';
import { whyNotMade } from '../formats/files.ts';
import type { Settings } from './settings.ts';

const FILE = 'bulk-key';

/** How long another server may take to make the key. */
const LOCK_PATIENCE_MS = 5000;

/**
 * The secrets that sign download URLs: the current one, then the previous one. Without a setting it is the secret in
 * the state folder, made at the first start; without a state folder each process makes its own.
 * @throws Error when the state folder cannot be read or written, or is in the data folder
 */
export function bulkKeys({ bulkKey, bulkKeyPrevious, state, data }: Settings): [string, ...string[]] {
  if (state !== undefined && isInside(state, data)) {
    throw new Error(`--state ${state}: lies in the data folder, whose datasets are copied; choose another`);
  }
  const key = bulkKey ?? (state === undefined ? newKey() : keptKey(state));
  return bulkKeyPrevious === undefined ? [key] : [key, bulkKeyPrevious];
}

/** True when download URLs become invalid at the end of this process, because their key is not stored. */
export const isKeyForgotten = ({ bulkKey, state, bulk }: Settings): boolean =>
  bulk === 'local' && bulkKey === undefined && state === undefined;

function keptKey(folder: string): string {
  const path = join(folder, FILE);
  const kept = keyAt(path);
  if (kept !== null) return kept;
  // Of two servers that start at the same time, one makes the key and both read it.
  let lock: FileLock | null;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    lock = FileLock.take(`${path}.lock`, LOCK_PATIENCE_MS);
  } catch (error) {
    throw cannotWrite(path, whyNotMade(folder, error));
  }
  if (lock === null) throw new Error(`${path}.lock: another server is making the key; start again`);
  try {
    return keyAt(path) ?? madeKey(path);
  } finally {
    lock.release();
  }
}

const cannotWrite = (path: string, error: unknown): Error =>
  new Error(`${path}: the key of download URLs cannot be written: ${(error as Error).message}`, { cause: error });

/**
 * Reads the key in a file; null when there is none. An empty file counts as none: a full disk or a loss of power may
 * leave one.
 */
function keyAt(path: string): string | null {
  let key: string;
  try {
    key = readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  if (key === '') return null;
  if (key.length < 16)
    throw new Error(`${path}: expected a key of at least 16 characters; delete the file for a new one`);
  return key;
}

function madeKey(path: string): string {
  const key = newKey();
  const half = `${path}.half`;
  try {
    writeFileSync(half, `${key}\n`, { mode: 0o600, flush: true });
    renameSync(half, path);
  } catch (error) {
    rmSync(half, { force: true });
    throw cannotWrite(path, error);
  }
  return key;
}

const isInside = (path: string, folder: string): boolean =>
  `${resolve(path)}${sep}`.startsWith(`${resolve(folder)}${sep}`);

const newKey = (): string => randomBytes(32).toString('base64url');
