import { parentPort, threadId, workerData } from 'node:worker_threads';
import { READY } from '../../src/supervision/task-threads.ts';

interface Sleep {
  ms: number;
  /** `thread`: the number of the thread is the answer. */
  name: string;
  fault?: 'throws' | 'dies';
}

/** A thread for tests: works for so many milliseconds without a pause, then says who asked; or fails as it is told. */
parentPort?.on('message', ({ ms, name, fault }: Sleep) => {
  workFor(ms);
  if (fault === 'dies') process.exit(1);
  if (fault === 'throws') parentPort?.postMessage({ error: { name: 'RangeError', message: name } });
  else {
    const result = Buffer.from(JSON.stringify(name === 'thread' ? threadId : name));
    parentPort?.postMessage({ result });
  }
});

/** What the start takes, and whether it fails. */
const { startMs = 0, startFails = false } = (workerData ?? {}) as { startMs?: number; startFails?: boolean };
workFor(startMs);
if (startFails) throw new Error('no start');
parentPort?.postMessage(READY);

function workFor(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}
