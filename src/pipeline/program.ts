import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SRC = fileURLToPath(new URL('../', import.meta.url));

/** The rooms whose code decides what a dataset holds: all that `pipeline` stands on. */
export const PROGRAM_ROOMS = [
  'building',
  'geo',
  'solar',
  'plateau',
  'census',
  'sunlight',
  'supervision',
  'city',
  'kaigo',
  'map',
  'landmarks',
  'terrain',
  'contract',
  'formats',
  'search',
  'weather',
  'record',
  'snapshot',
  'dataset',
  'export',
  'pipeline',
];

/** What a program is made of, as source and as a package that was compiled from it. */
const PROGRAM_FILE = /\.(ts|js|mjs|cjs|wasm)$/;
/** A package may bring the digest with it, in a file beside its rooms that is written when the package is made. */
const DIGEST_FILE = 'program.sha256';

/**
 * Identity of the program as far as results depend on it: SHA-256 over its files. A version number would not do:
 * what is left of a build before a change of the code must not be taken over after it.
 */
export function programDigest(src = SRC): string {
  const made = join(src, DIGEST_FILE);
  if (existsSync(made)) return readFileSync(made, 'utf8').trim();
  const hash = createHash('sha256').update(process.versions.node.split('.')[0]);
  for (const room of PROGRAM_ROOMS) {
    const names = readdirSync(join(src, room), { recursive: true, encoding: 'utf8' });
    for (const name of names.filter((file) => PROGRAM_FILE.test(file)).sort()) {
      hash.update(`\n${room}/${name}\n`).update(readFileSync(join(src, room, name)));
    }
  }
  return hash.digest('hex');
}

/** Version of the package. */
export const programVersion = (): string => JSON.parse(readFileSync(join(SRC, '../package.json'), 'utf8')).version;
