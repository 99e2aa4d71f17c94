import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import type { Settings } from './settings.ts';

const FILE = 'bulk-key';

/**
 * The secrets that sign download URLs: the one in use, then the one before it. Without a setting the one in the state
 * folder, made at the first start; without a state folder a new one for each process.
 * @throws Error when the state folder cannot be read or written, or lies in the data folder
 */
export function bulkKeys({ bulkKey, bulkKeyPrevious, state, data }: Settings): [string, ...string[]] {
  if (state !== undefined && isInside(state, data)) {
    throw new Error(`--state ${state}: lies in the data folder, whose datasets are copied; choose another`);
  }
  const key = bulkKey ?? (state === undefined ? newKey() : keptKey(state));
  return bulkKeyPrevious === undefined ? [key] : [key, bulkKeyPrevious];
}

/** Whether download URLs end with this process, because nothing keeps their key. */
export const isKeyForgotten = ({ bulkKey, state, bulk }: Settings): boolean =>
  bulk === 'local' && bulkKey === undefined && state === undefined;

function keptKey(folder: string): string {
  const path = join(folder, FILE);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    // Of two servers that start at once, one writes and both read it.
    writeFileSync(path, `${newKey()}\n`, { flag: 'wx', mode: 0o600, flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const key = readFileSync(path, 'utf8').trim();
  if (key.length < 16)
    throw new Error(`${path}: expected a key of at least 16 characters; delete the file for a new one`);
  return key;
}

const isInside = (path: string, folder: string): boolean =>
  `${resolve(path)}${sep}`.startsWith(`${resolve(folder)}${sep}`);

const newKey = (): string => randomBytes(32).toString('base64url');
