import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SRC = fileURLToPath(new URL('../', import.meta.url));

/** The rooms whose code affects a dataset: all rooms that `pipeline` uses. */
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

/** The files of a program, as source and as a compiled package. */
const PROGRAM_FILE = /\.(ts|js|mjs|cjs|wasm)$/;
/** The file with the digest of a package: it is written when the package is made, with the Node of then. */
const DIGEST_FILE = 'program.sha256';

/**
 * Identifies the program as far as results depend on it: SHA-256 over its files and Node's major version. A version
 * number is not enough: after a change of the code, a build must not reuse what was computed before it.
 */
export function programDigest(src = SRC): string {
  // A package has its digest in a file, written when it was made.
  const digestFile = join(src, DIGEST_FILE);
  if (existsSync(digestFile)) return readFileSync(digestFile, 'utf8').trim();
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
