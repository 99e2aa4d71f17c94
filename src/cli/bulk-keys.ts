import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { FileLock } from '../formats/file-lock.ts';
import { isMissing, makeFolder } from '../formats/files.ts';
import type { Settings } from './settings.ts';

/** Name of the key's file in the state folder. */
const FILE = 'bulk-key';

/** How long another server may take to make the key, milliseconds. */
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
  const key = bulkKey ?? (state === undefined ? newKey() : storedKey(state));
  return bulkKeyPrevious === undefined ? [key] : [key, bulkKeyPrevious];
}

/** True when download URLs become invalid at the end of this process, because their key is not stored. */
export const isKeyForgotten = ({ bulkKey, state, bulk }: Settings): boolean =>
  bulk === 'local' && bulkKey === undefined && state === undefined;

/**
 * The key in a state folder, made if there is none.
 * @throws Error when it cannot be read or written
 */
function storedKey(folder: string): string {
  const path = join(folder, FILE);
  const stored = keyAt(path);
  if (stored !== null) return stored;
  // Of two servers that start at the same time, one makes the key and both read it.
  let lock: FileLock | null;
  try {
    makeFolder(folder, 0o700);
    lock = FileLock.take(`${path}.lock`, LOCK_PATIENCE_MS);
  } catch (error) {
    throw cannotWrite(path, error);
  }
  if (lock === null) throw new Error(`${path}.lock: another server is making the key; start again`);
  try {
    return keyAt(path) ?? makeKey(path);
  } finally {
    lock.release();
  }
}

/** The error when the key cannot be written. */
const cannotWrite = (path: string, error: unknown): Error =>
  new Error(`${path}: the key of download URLs cannot be written: ${(error as Error).message}`, { cause: error });

/**
 * The key in a file; null when there is none. An empty file counts as none: a full disk or a loss of power may leave
 * one.
 * @throws Error when the file cannot be read, or its key is too short
 */
function keyAt(path: string): string | null {
  let key: string;
  try {
    key = readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (isMissing(error)) return null;
    throw new Error(`${path}: the key of download URLs cannot be read: ${(error as Error).message}`, { cause: error });
  }
  if (key === '') return null;
  if (key.length < 16)
    throw new Error(`${path}: expected a key of at least 16 characters; delete the file for a new one`);
  return key;
}

/**
 * Makes a key and stores it. The file appears only when it is complete.
 * @throws Error when it cannot be written
 */
function makeKey(path: string): string {
  const key = newKey();
  const draft = `${path}.half`;
  try {
    writeFileSync(draft, `${key}\n`, { mode: 0o600, flush: true });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw cannotWrite(path, error);
  }
  return key;
}

/** True when a path is a folder or lies in it. */
const isInside = (path: string, folder: string): boolean =>
  `${resolve(path)}${sep}`.startsWith(`${resolve(folder)}${sep}`);

/** A random key of 256 bits. */
const newKey = (): string => randomBytes(32).toString('base64url');
