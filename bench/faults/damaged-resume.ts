import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateSample } from '../../samples/generate.ts';
import { listFiles } from '../../src/formats/files.ts';
import type { Fault } from './fault.ts';

const RUNS = 35;
const MAIN = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));

/** Resumes a killed build. One of its files is empty, cut, or full of zeros, as after a power failure. */
export const damagedResume: Fault = async (folder, _dataset, seed) => {
  const { citygml } = generateSample(join(folder, 'sample'));
  const killed = join(folder, 'killed');
  await runBuild(killed, citygml, [], 'Compute sunlight');
  const whole = join(folder, 'whole');
  await runBuild(whole, citygml, []);
  const expected = await digestOf(whole);
  const names = filesBelow(join(killed, '.build'));
  let lost = 0;
  let longest = 0;
  for (let run = 0; run < RUNS; run++) {
    const out = join(folder, 'resumed');
    rmSync(out, { recursive: true, force: true });
    cpSync(killed, out, { recursive: true });
    const path = join(out, '.build', names[(seed + run * 7) % names.length] as string);
    const { size } = statSync(path);
    if (run % 3 === 0) truncateSync(path, 0);
    else if (run % 3 === 1) truncateSync(path, size >> 1);
    else writeFileSync(path, new Uint8Array(size));
    const start = performance.now();
    const code = await runBuild(out, citygml, ['--resume']);
    longest = Math.max(longest, performance.now() - start);
    if (code !== 0 || (await digestOf(out)) !== expected) lost++;
  }
  return {
    fault: 'a resumed build of which one file is empty, cut or zeroed',
    tried: RUNS,
    lost,
    outcome: 'resumed to the same bytes',
    recoveryMs: longest,
  };
};

/**
 * Runs a build and returns its exit code. `killAt` kills it when it prints this text, or after this number of
 * milliseconds.
 */
export function runBuild(
  out: string,
  citygml: string,
  flags: string[],
  killAt?: string | number,
): Promise<number | null> {
  const args = [MAIN, 'build', '--out', out, '--citygml', citygml, '--workers', '1', ...flags];
  const env = { ...process.env, SOURCE_DATE_EPOCH: '1760000000', CI: '1', NO_COLOR: '1' };
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += chunk;
      if (typeof killAt === 'string' && said.includes(killAt)) child.kill('SIGKILL');
    });
    const timer = typeof killAt === 'number' ? setTimeout(() => child.kill('SIGKILL'), killAt) : undefined;
    child.on('close', () => clearTimeout(timer));
    child.on('error', reject);
    child.on('close', resolve);
  });
}

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort();

/** One digest of the only dataset in a data folder. */
export async function digestOf(data: string): Promise<string> {
  const hash = createHash('sha256');
  for (const name of await listFiles(data)) hash.update(`${name}\n`).update(readFileSync(join(data, name)));
  return hash.digest('hex');
}
