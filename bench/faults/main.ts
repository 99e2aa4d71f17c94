import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { listFiles } from '../../src/formats/files.ts';
import { builtSample } from '../serving/sample.ts';
import { onlyDataset } from '../serving/soak.ts';
import { clockJumps } from './clock-jumps.ts';
import { damagedResume } from './damaged-resume.ts';
import { fullDisk, syncCost } from './disk.ts';
import type { Fault } from './fault.ts';
import { flippedBytes } from './flipped-bytes.ts';
import { addressFlood, bombs } from './floods.ts';
import { hostile } from './hostile.ts';
import { hostileBucket } from './hostile-bucket.ts';
import { hostileGeometry } from './hostile-geometry.ts';
import { hostileStore } from './hostile-store.ts';
import { killedBuilds } from './killed-builds.ts';
import { fullTable, slidingWindow } from './limits.ts';
import { cycledDatasets } from './named-datasets.ts';
import { othersWait } from './others-wait.ts';
import { slowDownloads } from './slow-downloads.ts';
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

// Tries faults on the bundled sample, with limits on number and time. Prints what was tried, what was lost, and the
// recovery time.
//
//   npm run bench:faults -- [--only flips,step-back,…] [--seed 1] [--dataset DIR] [--requests 100000] [--from 0]
//
// With `--dataset`, faults that only serve a dataset use this one (a data folder or a dataset in it, of any size).
// Faults that build, copy or damage a dataset still use the sample. `--requests` and `--from` are for `hostile`.
// `expiry` takes one hour and runs only when `--only` names it. The exit code is 1 when anything was lost, or when the
// program changed during the run: builds of two programs differ, which looks like a loss.

const FAULTS: Record<string, Fault> = {
  flips: flippedBytes,
  'step-back': stepBack,
  kills: killedBuilds,
  resume: damagedResume,
  store: hostileStore,
  bucket: hostileBucket,
  'full-disk': fullDisk,
  fsync: syncCost,
  bombs,
  geometry: hostileGeometry,
  flood: addressFlood,
  'full-table': fullTable,
  window: slidingWindow,
  computing: othersWait,
  hostile,
  downloads: slowDownloads,
  'named-datasets': cycledDatasets,
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
/** Faults that build, copy or damage a dataset. They always use the sample. */
const ON_THE_SAMPLE: readonly string[] = [
  'flips',
  'step-back',
  'kills',
  'resume',
  'bucket',
  'full-disk',
  'fsync',
  'bombs',
  'geometry',
  'flood',
  'swap',
  'deleted',
  'cut',
];
/** Takes an hour. */
const LONG = 'expiry';

const usual = Object.keys(FAULTS).filter((name) => name !== LONG);
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: usual.join() },
    seed: { type: 'string', default: '1' },
    dataset: { type: 'string' },
    requests: { type: 'string', default: '100000' },
    from: { type: 'string', default: '0' },
  },
});

/** SHA-256 of all files of the program. Every build and server that is started reads them again. */
async function digestOfProgram(): Promise<string> {
  const src = fileURLToPath(new URL('../../src', import.meta.url));
  const hash = createHash('sha256');
  for (const name of await listFiles(src)) hash.update(`${name}\n`).update(readFileSync(join(src, name)));
  return hash.digest('hex');
}

const program = await digestOfProgram();
const folder = mkdtempSync(join(tmpdir(), 'hidamari-faults-'));
try {
  const options = { requests: Number(values.requests), from: Number(values.from) };
  const given = values.dataset === undefined ? null : onlyDataset(values.dataset);
  const names = values.only.split(',');
  const isOnSample = (name: string): boolean => given === null || ON_THE_SAMPLE.includes(name);
  const sample = names.some(isOnSample) ? onlyDataset(await builtSample(folder)) : '';
  console.log('| fault | tried | lost | outcome | recovered within |\n|---|---|---|---|---|');
  for (const name of names) {
    const fault = FAULTS[name];
    if (fault === undefined) throw new Error(`--only ${name}: there are ${Object.keys(FAULTS).join(', ')}`);
    const own = join(folder, name);
    mkdirSync(own);
    const dataset = given === null || isOnSample(name) ? sample : given;
    const { fault: what, tried, lost, outcome, recoveryMs } = await fault(own, dataset, Number(values.seed), options);
    if ((await digestOfProgram()) !== program) {
      throw new Error(`src/ was changed while ${name} ran, so it counts for nothing: use a copy that nobody writes to`);
    }
    const recovered = recoveryMs === null ? '' : `${(recoveryMs / 1000).toFixed(2)} s`;
    console.log(`| ${what} | ${tried} | ${lost} | ${outcome} | ${recovered} |`);
    if (lost > 0) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
