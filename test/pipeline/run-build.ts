import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, type BuildOutcome, build } from '../../src/pipeline/build.ts';
import type { BuildEvent } from '../../src/pipeline/progress.ts';

export const MAIN = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));

/** The time of every test build, so that the same input gives the same bytes. */
export const ENV = { ...process.env, SOURCE_DATE_EPOCH: '1760000000', CI: '1', NO_COLOR: '1' };

interface Run {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** Runs `hidamari build …` as a process of its own, on one thread unless told otherwise. `killAt` sees every event of its progress; true kills it with SIGKILL. */
export function runBuild(
  args: readonly string[],
  killAt?: (event: BuildEvent) => boolean,
  env: NodeJS.ProcessEnv = {},
): Promise<Run> {
  const all = killAt ? [...args, '--json'] : args;
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [MAIN, 'build', '--workers', '1', ...all], { env: { ...ENV, ...env } });
    const run: Run = { code: null, signal: null, stdout: '', stderr: '' };
    let seen = 0;
    child.stdout.on('data', (chunk) => {
      run.stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      run.stderr += chunk;
      if (!killAt) return;
      const lines = run.stderr.split('\n').slice(0, -1);
      for (; seen < lines.length; seen++) {
        if (lines[seen]!.startsWith('{') && killAt(JSON.parse(lines[seen]!))) child.kill('SIGKILL');
      }
    });
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ ...run, code, signal }));
  });
}

/** Runs a build in this process, on one thread unless told otherwise: starting another takes longer than such a build. It must succeed. */
export const built = (options: Pick<BuildOptions, 'out' | 'citygml'> & Partial<BuildOptions>): Promise<BuildOutcome> =>
  build({
    towns: [],
    readings: null,
    offices: [],
    details: [],
    fees: null,
    asOf: '2026-01-01',
    workers: 1,
    resume: false,
    base: null,
    keepGoing: false,
    generatedAt: new Date(Number(ENV.SOURCE_DATE_EPOCH) * 1000).toISOString().replace('.000', ''),
    ...options,
  });

/** SHA-256 of every file below a folder, by its path from there. */
export async function fingerprints(folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    found[path.slice(folder.length + 1)] = createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
  }
  return found;
}
