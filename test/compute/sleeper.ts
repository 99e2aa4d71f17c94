import { parentPort, threadId, workerData } from 'node:worker_threads';
import { type Examples, READY, type Warming } from '../../src/compute/pool.ts';

interface Sleep {
  ms: number;
  /** `thread`: the number of the thread is the answer. */
  name: string;
  fault?: 'throws' | 'dies';
}

/** A thread for tests: works for so many milliseconds without a pause, then says who asked; or fails as it is told. */
parentPort?.on('message', (message: Sleep | Examples<Sleep>) => {
  if ('examples' in message) doExamples(message.examples);
  else doTask(message);
});

function doTask({ ms, name, fault }: Sleep): void {
  workFor(ms);
  if (fault === 'dies') process.exit(1);
  if (fault === 'throws') parentPort?.postMessage({ error: { name: 'RangeError', message: name } });
  else parentPort?.postMessage({ json: Buffer.from(JSON.stringify(name === 'thread' ? threadId : name)) });
}

/** The bytes that it reports are the number of examples. */
function doExamples(examples: readonly Sleep[]): void {
  for (const { ms, fault } of examples) {
    workFor(ms);
    if (fault === 'dies') process.exit(1);
  }
  parentPort?.postMessage({ isWarm: true, sceneBytes: examples.length } satisfies Warming);
}

/** What the start takes, and whether it fails. */
const { startMs = 0, startFails = false } = (workerData ?? {}) as { startMs?: number; startFails?: boolean };
workFor(startMs);
if (startFails) throw new Error('no start');
parentPort?.postMessage(READY);

function workFor(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}
