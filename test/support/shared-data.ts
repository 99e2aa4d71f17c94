import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../shared/data/', import.meta.url));

/** Absolute path of a real input under `../shared/data`; null without that folder. */
export function sharedData(path: string): string | null {
  const full = ROOT + path;
  return existsSync(full) ? full : null;
}

/** `skip` option for node:test: false when all paths exist, otherwise the reason. */
export function skipWithout(...paths: string[]): false | string {
  const missing = paths.filter((path) => sharedData(path) === null);
  return missing.length === 0 ? false : `real data not here: ../shared/data/${missing.join(', ')}`;
}
