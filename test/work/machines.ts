import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { BuildOptions } from '../../src/pipeline/build.ts';
import type { ObjectStore } from '../../src/store/object-store.ts';
import { byStore } from '../../src/work/build-by-store.ts';
import { byQueue, type QueueBuild, type QueueOptions, queueRedis } from '../../src/work/queue.ts';
import { StepStore } from '../../src/work/step-store.ts';
import { built, ENV } from '../pipeline/run-build.ts';
import { CLI } from '../support/run.ts';

/** Seconds for which a machine may be silent in the tests. */
export const LOCK_S = 1;
/** The first of the pauses before a step that has failed is tried again, milliseconds. */
const RETRY_MS = 50;

/** `hidamari work` as a process of its own, which ends with the test. */
export class Machine {
  readonly #child: ChildProcess;
  readonly #exit: Promise<unknown>;
  output = '';

  constructor(
    test: { after(fn: () => unknown): unknown },
    { queue, store, cli = CLI, env = {} }: { queue: string; store: string; cli?: string; env?: NodeJS.ProcessEnv },
    more: readonly string[] = [],
  ) {
    const args = [cli, 'work', '--queue', queue, '--store', store, '--workers', '1', '--lock', String(LOCK_S), ...more];
    this.#child = spawn(process.execPath, args, { env: { ...ENV, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#exit = once(this.#child, 'exit');
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (chunk) => {
        this.output += chunk;
      });
    }
    test.after(() => this.end('SIGKILL'));
  }

  /** Ends it; gives its exit code. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    this.resume();
    this.#child.kill(signal);
    return this.ended();
  }

  pause(): void {
    this.#child.kill('SIGSTOP');
  }

  resume(): void {
    this.#child.kill('SIGCONT');
  }

  /** Its exit code, once it has ended. */
  async ended(): Promise<number | null> {
    await this.#exit;
    return this.#child.exitCode;
  }
}

/** Builds by way of a queue, with the coordinator in this process. */
export async function builtByQueue(
  url: string,
  bucket: ObjectStore,
  options: Pick<BuildOptions, 'out' | 'citygml' | 'terrain'>,
  {
    run = null,
    notes = [],
    ...patience
  }: { run?: string | null; notes?: string[] } & Pick<QueueOptions, 'waitForWorkersMs' | 'tellMs'> = {},
): Promise<string> {
  const store = new StepStore(bucket, null);
  const redis = queueRedis(url, (line) => notes.push(line));
  const opened: QueueBuild[] = [];
  const queue = {
    redis,
    store,
    lockMs: LOCK_S * 1000,
    retryMs: RETRY_MS,
    ...patience,
    note: (line: string) => notes.push(line),
  };
  try {
    const makeRunner = byStore(
      store,
      byQueue(queue, run, (build) => opened.push(build)),
    );
    return (await built({ ...options, makeRunner })).dataset;
  } finally {
    for (const build of opened) await build.close();
    redis.disconnect();
  }
}

/** Waits until the store of a folder holds so many results of a step. */
export async function untilDone(folder: string, step: string, file: string | null, least: number): Promise<void> {
  for (;;) {
    const keys = existsSync(join(folder, step)) ? readdirSync(join(folder, step)) : [];
    const done = keys.filter((key) => file === null || existsSync(join(folder, step, key, file)));
    if (done.length >= least) return;
    await delay(10);
  }
}
