import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ComputePool } from '../../src/compute/pool.ts';
import { WorkerPool } from '../../src/pipeline/worker-pool.ts';

/**
 * A thread that reports a file before each of its messages, as threads do under `node --watch`. `answer` is the result
 * of a task.
 */
const script = (first: string, answer: string): URL =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`
      import { parentPort } from 'node:worker_threads';
      const say = (message) => {
        parentPort.postMessage({ 'watch:import': ['file:///x.ts'] });
        parentPort.postMessage(message);
      };
      parentPort.on('message', () => say(${answer}));
      ${first}
    `)}`,
  );

// `npm run dev` ended two seconds after its start with "Cannot destructure property 'name' of 'answer.error'".
it('a thread that computes is not taken to have answered by a file that it reports', async (t) => {
  const limits = {
    threads: 1,
    deadlineMs: 10_000,
    graceMs: 1000,
    startMs: 10_000,
    mostWaiting: 4,
    mostWaitingOfClient: 4,
    atOncePerClient: 4,
  };
  const thread = script("say('ready');", '{ result: new Uint8Array([49]) }');
  const pool = new ComputePool<string>(thread, limits);
  t.after(() => pool.close());
  const answers = ['a', 'b'].map((task) => pool.reserve('client')!.compute(task, new AbortController().signal));
  assert.deepEqual((await Promise.all(answers)).map(String), ['1', '1']);
});

it('nor is a thread that builds', async (t) => {
  const pool = new WorkerPool(script("say('ready');", "{ result: 'done' }"), 1);
  t.after(() => pool.stop());
  const tasks = ['one', 'two'].map((name) => pool.run<string>({ kind: 'test', name }));
  assert.deepEqual(await Promise.all(tasks), ['done', 'done']);
});
