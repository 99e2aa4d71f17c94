import { chmodSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run } from '../../support/run.ts';

/** The package as `npm install` leaves it in an empty folder. */
export interface Installed {
  /** The folder in which it was installed. */
  folder: string;
  /** The package's own folder below it. */
  own: string;
  /** The command. */
  program: string;
  /** The tree that it was made from. */
  tree: string;
  /** Data folder with a dataset of the generated town, built by the package. */
  data: string;
}

/** Unpacks a package below a folder, beside the dependencies that are installed here. @throws Error of tar */
export async function install(tarball: string, folder: string): Promise<Pick<Installed, 'folder' | 'own' | 'program'>> {
  const modules = join(folder, 'node_modules');
  const own = join(modules, 'hidamari');
  mkdirSync(join(modules, '.bin'), { recursive: true });
  mkdirSync(own);
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (!name.startsWith('.')) symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  const { code, stderr } = await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', own]);
  if (code !== 0) throw new Error(stderr);
  const program = join(own, 'bin/hidamari.mjs');
  chmodSync(program, 0o755);
  symlinkSync(program, join(modules, '.bin/hidamari'));
  return { folder, own, program };
}
