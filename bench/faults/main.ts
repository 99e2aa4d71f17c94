import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { builtSample } from '../serving/sample.ts';
import { onlyDataset } from '../serving/soak.ts';
import { clockJumps } from './clock-jumps.ts';
import { damagedResume } from './damaged-resume.ts';
import { fullDisk, syncCost } from './disk.ts';
import type { Fault } from './fault.ts';
import { flippedBytes } from './flipped-bytes.ts';
import { addressFlood, bombs } from './floods.ts';
import { killedBuilds } from './killed-builds.ts';
import { othersWait } from './others-wait.ts';
import { stepBack } from './step-back.ts';
import { urlExpiry } from './url-expiry.ts';
import {
  closedLog,
  cutFiles,
  deletedWhileServing,
  killedWorkers,
  memoryGroups,
  memoryLimit,
  swapUnderLoad,
} from './while-serving.ts';

// Faults, bounded in number and time, on the bundled sample: what was tried, what was lost, how long it took to recover.
//   npm run bench:faults -- [--only flips,step-back,…] [--seed 1]
// `--only expiry` takes a real hour, and is left out unless it is named. Ends with 1 when anything was lost.

const FAULTS: Record<string, Fault> = {
  flips: flippedBytes,
  'step-back': stepBack,
  kills: killedBuilds,
  resume: damagedResume,
  'full-disk': fullDisk,
  fsync: syncCost,
  bombs,
  flood: addressFlood,
  computing: othersWait,
  swap: swapUnderLoad,
  deleted: deletedWhileServing,
  clock: clockJumps,
  log: closedLog,
  memory: memoryLimit,
  cgroup: memoryGroups,
  workers: killedWorkers,
  cut: cutFiles,
  expiry: urlExpiry,
};
/** Takes an hour. */
const LONG = 'expiry';

const usual = Object.keys(FAULTS).filter((name) => name !== LONG);
const { values } = parseArgs({
  options: { only: { type: 'string', default: usual.join() }, seed: { type: 'string', default: '1' } },
});

const folder = mkdtempSync(join(tmpdir(), 'hidamari-faults-'));
try {
  const dataset = onlyDataset(await builtSample(folder));
  console.log('| fault | tried | lost | outcome | recovered within |\n|---|---|---|---|---|');
  for (const name of values.only.split(',')) {
    const fault = FAULTS[name];
    if (fault === undefined) throw new Error(`--only ${name}: there are ${Object.keys(FAULTS).join(', ')}`);
    const own = join(folder, name);
    mkdirSync(own);
    const { fault: what, tried, lost, outcome, recoveryMs } = await fault(own, dataset, Number(values.seed));
    const recovered = recoveryMs === null ? '' : `${(recoveryMs / 1000).toFixed(2)} s`;
    console.log(`| ${what} | ${tried} | ${lost} | ${outcome} | ${recovered} |`);
    if (lost > 0) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
