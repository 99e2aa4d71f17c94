import type { KeyObject } from 'node:crypto';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { FileLock } from '../formats/file-lock.ts';
import { makeFolder } from '../formats/files.ts';
import { programDigest } from '../pipeline/program.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { doShare } from '../work/build-by-store.ts';
import { StepWorker } from '../work/step-worker.ts';
import { STEP_KINDS, type StepKind } from '../work/steps.ts';
import { countText, remark, say } from './output.ts';
import { WORKERS_OPTION } from './setting.ts';
import { lockOption, openQueue, openSteps, queueOption, RUN, runOption, storeKeyOption, storeOption } from './store.ts';
import { stopSignal } from './this-process.ts';

interface Flags {
  store: ObjectStore;
  storeKey?: KeyObject;
  stage?: StepKind;
  shard: Shard;
  run?: string;
  queue?: string;
  lock: number;
  workers: number;
  cache: string;
}

/** One of `shares` shares of the steps. */
interface Shard {
  share: number;
  shares: number;
}

/** `hidamari work`: does the steps of builds on other machines. */
export function define(command: Command): void {
  command
    .description(
      'Does steps of builds that are coordinated by `hidamari build` elsewhere: what a step needs comes from the store, and ' +
        'its results go there. With --stage and --shard it does a share of the steps that a build has listed, and ends.',
    )
    .addOption(storeOption().makeOptionMandatory())
    .addOption(storeKeyOption())
    .addOption(new Option('--stage <stage>', 'do the steps that a build has listed for this stage').choices(STEP_KINDS))
    .addOption(
      new Option('--shard <i/n>', "a machine's share of n: 0/n to n-1/n, or 1/n to n/n")
        .argParser(shard)
        .default({ share: 0, shares: 1 }, '0/1'),
    )
    .addOption(runOption())
    .addOption(queueOption())
    .addOption(lockOption())
    .option(...WORKERS_OPTION)
    .option('--cache <dir>', 'folder for files fetched from the store', tmpdir())
    .action(run);
}

/** Takes steps from the queue until a signal comes, or does a share of the listed steps. */
async function run(flags: Flags, command: Command): Promise<void> {
  const { stage, shard: share, run: name = RUN, workers, cache } = flags;
  const store = openSteps(flags.store, flags.storeKey, command, remark);
  const queue = await openQueue(flags, store, command);
  if (queue === null && stage === undefined)
    command.error('error: nothing to do: give --queue, or --stage and --shard');
  if (queue !== null && stage !== undefined)
    command.error('error: --stage is for steps that are listed, --queue for those that are queued');
  const program = programDigest();
  makeFolder(cache);
  await removeAbandoned(cache);
  const folder = await mkdtemp(join(cache, FOLDER));
  const lock = FileLock.take(join(folder, 'lock'));
  const worker = new StepWorker(store, folder, workers, program, remark);
  try {
    if (queue !== null) {
      // The signals are handled before the line that names them.
      const stop = stopSignal();
      say(`Process ${process.pid} takes steps of program ${program.slice(0, 12)} from the queue; SIGTERM stops it`);
      const { takeSteps } = await import('../work/queue.ts');
      return await takeSteps(queue, worker, program, stop);
    }
    if (stage === undefined) return;
    const count = await doShare(store, { run: name, step: stage, ...share }, worker, program);
    say(count === 1 ? `1 step of ${stage} is done` : `${countText(count)} steps of ${stage} are done`);
  } finally {
    queue?.redis.disconnect();
    lock?.release();
    await worker.close();
  }
}

/** Prefix of the folders of workers. */
const FOLDER = 'hidamari-work-';
/** A folder that is younger may belong to a worker that has just started, milliseconds. */
const YOUNG_MS = 60_000;

/** Removes the folders of killed workers. */
async function removeAbandoned(cache: string): Promise<void> {
  for (const name of (await readdir(cache)).filter((entry) => entry.startsWith(FOLDER))) {
    // Not an error: another worker removes the same folder, or the folder belongs to another user.
    await removeIfAbandoned(join(cache, name)).catch(() => {});
  }
}

/** Removes the folder of a worker, unless the worker runs or may have just started. */
async function removeIfAbandoned(folder: string): Promise<void> {
  if (Date.now() - (await stat(folder)).mtimeMs < YOUNG_MS) return;
  const lock = FileLock.take(join(folder, 'lock'));
  if (lock === null) return;
  try {
    await rm(folder, { recursive: true, force: true });
  } finally {
    lock.release();
  }
}

/**
 * The value of `--shard`.
 * @throws InvalidArgumentError
 */
function shard(text: string): Shard {
  // `n/n` is the same share as `0/n`, so machines may count from 0 or from 1.
  const [share, shares] = text.split('/').map(Number);
  if (/^\d{1,6}\/\d{1,6}$/.test(text) && share <= shares && shares > 0) return { share, shares };
  throw new InvalidArgumentError('It must be i/n, such as 0/4 or 4/4.');
}
