import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generateSample } from '../../samples/generate.ts';
import { listFiles, syncToDisk } from '../../src/formats/files.ts';
import { digestOf, runBuild } from './damaged-resume.ts';
import type { Fault } from './fault.ts';

/** Measures how much the wait for the disk adds to publishing a dataset. */
export const syncCost: Fault = async (folder, dataset) => {
  const runs = 3;
  let [longest, bytes] = [0, 0];
  const names = await listFiles(dataset);
  for (let run = 0; run < runs; run++) {
    const copy = join(folder, String(run));
    cpSync(dataset, copy, { recursive: true });
    bytes = names.reduce((sum, name) => sum + statSync(join(copy, name)).size, 0);
    const start = performance.now();
    for (const name of names) await syncToDisk(join(copy, name));
    for (const below of new Set(names.map((name) => dirname(join(copy, name))))) await syncToDisk(below);
    longest = Math.max(longest, performance.now() - start);
  }
  return {
    fault: `fsync of the ${names.length} files and the folders of a dataset of ${(bytes / 1e6).toFixed(1)} MB before its rename`,
    tried: runs,
    lost: 0,
    outcome: `${longest.toFixed(0)} ms at most`,
    recoveryMs: null,
  };
};

/** Builds on a disk that is too small, then on one with enough space. */
export const fullDisk: Fault = async (folder) => {
  const { citygml } = generateSample(join(folder, 'sample'));
  const whole = join(folder, 'whole');
  await runBuild(whole, citygml, []);
  const expected = await digestOf(whole);
  const disk = join(folder, 'disk');
  mkdirSync(disk);
  const sizes = ['256k', '512k', '1m', '2m'];
  let [tried, lost, longest] = [0, 0, 0];
  for (const size of sizes) {
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'none', disk]).status !== 0) break;
    try {
      tried++;
      const out = join(disk, 'data');
      await runBuild(out, citygml, []);
      const published = existsSync(out) ? readdirSync(out).filter((name) => !name.startsWith('.')) : [];
      spawnSync('mount', ['-o', 'remount,size=200m', disk]);
      const start = performance.now();
      if (published.length === 0 && (await runBuild(out, citygml, ['--resume'])) !== 0) lost++;
      longest = Math.max(longest, performance.now() - start);
      if ((await digestOf(out)) !== expected) lost++;
    } finally {
      spawnSync('umount', ['--lazy', disk]);
    }
  }
  return {
    fault: `a build on a disk of ${sizes.join(', ')}, resumed with room`,
    tried,
    lost,
    outcome:
      tried === 0
        ? 'not tried: no file system of its own can be mounted here'
        : 'nothing is published; resumed to the same bytes',
    recoveryMs: longest,
  };
};
