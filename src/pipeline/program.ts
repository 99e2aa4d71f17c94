import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SRC = fileURLToPath(new URL('../', import.meta.url));

/** The rooms whose code decides what a dataset holds. */
const ROOMS = ['geo', 'solar', 'plateau', 'census', 'sunlight', 'kaigo', 'dataset', 'pipeline'];

/**
 * Identity of the program as far as results depend on it: SHA-256 over its source. A version number would not do:
 * what is left of a build before a change of the code must not be taken over after it.
 */
export function programDigest(): string {
  const hash = createHash('sha256').update(process.versions.node.split('.')[0]!);
  for (const room of ROOMS) {
    const names = readdirSync(join(SRC, room), { recursive: true, encoding: 'utf8' });
    for (const name of names.filter((file) => file.endsWith('.ts')).sort()) {
      hash.update(`\n${room}/${name}\n`).update(readFileSync(join(SRC, room, name)));
    }
  }
  return hash.digest('hex');
}

/** Version of the package. */
export const programVersion = (): string => JSON.parse(readFileSync(join(SRC, '../package.json'), 'utf8')).version;
