import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { generateSample } from '../../samples/generate.ts';
import { digestOf, runBuild } from './damaged-resume.ts';
import type { Fault } from './fault.ts';

const RUNS = 12;

/** Kills a build over an older dataset at a random time, and resumes it. */
export const killedBuilds: Fault = async (folder, _dataset, seed) => {
  const { citygml } = generateSample(join(folder, 'sample'));
  const whole = join(folder, 'whole');
  const start = performance.now();
  await runBuild(whole, citygml, []);
  const fullMs = performance.now() - start;
  const expected = await digestOf(whole);
  let [lost, longest, state] = [0, 0, seed];
  for (let run = 0; run < RUNS; run++) {
    const out = join(folder, 'out');
    rmSync(out, { recursive: true, force: true });
    state = (state * 48271) % 0x7fffffff;
    await runBuild(out, citygml, [], Math.round(((state % 1000) / 1000) * fullMs));
    const again = performance.now();
    const code = await runBuild(out, citygml, ['--resume']);
    longest = Math.max(longest, performance.now() - again);
    if (code !== 0 || (await digestOf(out)) !== expected) lost++;
  }
  return {
    fault: 'a build killed (SIGKILL) at a time of chance, then resumed',
    tried: RUNS,
    lost,
    outcome: 'resumed to the same bytes',
    recoveryMs: longest,
  };
};
