import {
  copyFileSync,
  cpSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { generateSample } from '../../samples/generate.ts';
import { digestOf, runBuild } from './damaged-resume.ts';
import type { Fault } from './fault.ts';

const RUNS = 16;

/**
 * In the store of a build, one object is flipped, cut, emptied, removed, or replaced by the bytes of another. The next
 * build uses this store.
 */
export const hostileStore: Fault = async (folder, _dataset, seed) => {
  const { citygml } = generateSample(join(folder, 'sample'));
  const [whole, store, key] = [join(folder, 'whole'), join(folder, 'store'), join(folder, 'key')];
  writeFileSync(key, 'k'.repeat(64));
  await runBuild(whole, citygml, ['--store', store, '--store-key', key]);
  const expected = await digestOf(whole);
  const names = readdirSync(store, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(store, name)).isFile())
    .sort();
  const at = (run: number): string => names[(seed + run * 7) % names.length] as string;
  let lost = 0;
  let longest = 0;
  for (let run = 0; run < RUNS; run++) {
    const [own, out] = [join(folder, 'own'), join(folder, 'out')];
    for (const path of [own, out]) rmSync(path, { recursive: true, force: true });
    cpSync(store, own, { recursive: true });
    damage(join(own, at(run)), join(own, at(run + 1)), run);
    const start = performance.now();
    const code = await runBuild(out, citygml, ['--store', own, '--store-key', key]);
    longest = Math.max(longest, performance.now() - start);
    if (code !== 0 || (await digestOf(out)) !== expected) lost++;
  }
  return {
    fault: 'a store of which one object is flipped, cut, emptied, removed or swapped',
    tried: RUNS,
    lost,
    outcome: 'built to the same bytes',
    recoveryMs: longest,
  };
};

function damage(path: string, other: string, run: number): void {
  const { size } = statSync(path);
  if (run % 5 === 0) truncateSync(path, 0);
  else if (run % 5 === 1) truncateSync(path, size >> 1);
  else if (run % 5 === 2) rmSync(path);
  else if (run % 5 === 3) copyFileSync(other, path);
  else {
    const bytes = readFileSync(path);
    const place = (run * 7919) % size;
    bytes[place] = (bytes[place] ?? 0) ^ 1;
    writeFileSync(path, bytes);
  }
}
