import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ComputePool } from '../../src/compute/pool.ts';
import { WorkerPool } from '../../src/pipeline/worker-pool.ts';

/**
 * A thread that answers each task with an expression. `turns` counts the started threads. The threads numbered in
 * `hanging` hang at their start.
 */
const script = (hanging: readonly number[], answer: string): URL =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`
      import { parentPort, workerData } from 'node:worker_threads';
      const rest = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
      const turn = Atomics.add(workerData.turns, 0, 1);
      if (${JSON.stringify(hanging)}.includes(turn)) rest();
      parentPort.on('message', (task) => parentPort.postMessage(${answer}));
      parentPort.postMessage('ready');
    `)}`,
  );

const turns = (): Int32Array => new Int32Array(new SharedArrayBuffer(4));
const LIMITS = {
  threads: 1,
  deadlineMs: 60_000,
  graceMs: 1000,
  mostWaiting: 4,
  mostWaitingOfClient: 4,
  atOncePerClient: 4,
};

// Before, a thread that hung before it was ready kept its place forever: every answer was late, and a build stopped.

it('a computing thread that hangs at its start is ended and said, and another takes its place', async (t) => {
  const said: string[] = [];
  const pool = new ComputePool<object>(script([0], '{ result: new Uint8Array([49]) }'), {
    ...LIMITS,
    startMs: 1500,
    threadData: { turns: turns() },
    hangs: (reason) => said.push(reason),
  });
  t.after(() => pool.close());
  const ask = () => pool.reserve('client')!.compute({}, new AbortController().signal).then(String);
  await assert.rejects(ask(), { name: 'ThreadEnded' });
  assert.equal(await ask(), '1');
  assert.deepEqual([said, pool.deaths], [['it has not started after 1.5 s'], 1]);
});

// Before, a start that took longer than the limit was ended each time: on a slow machine no thread ever became ready.
it('the next has twice as long for its start, until one answers', { timeout: 60_000 }, async (t) => {
  const said: string[] = [];
  const answer = '(task.dies && process.exit(), { result: new Uint8Array([49]) })';
  const pool = new ComputePool<object>(script([0, 1, 3], answer), {
    ...LIMITS,
    startMs: 1500,
    threadData: { turns: turns() },
    hangs: (reason) => said.push(reason),
  });
  t.after(() => pool.close());
  const ask = (task: object) => pool.reserve('client')!.compute(task, new AbortController().signal).then(String);
  for (let i = 0; i < 2; i++) await assert.rejects(ask({}), { name: 'ThreadEnded' });
  assert.deepEqual(said, ['it has not started after 1.5 s', 'it has not started after 3 s']);
  // A thread that answers shows that the machine is not too slow, so hangs are counted from 0 again.
  assert.equal(await ask({}), '1');
  for (let i = 0; i < 2; i++) await assert.rejects(ask({ dies: true }), { name: 'ThreadEnded' });
  assert.equal(said[2], 'it has not started after 1.5 s');
});

it('a thread is not ended at its first task because that was late: the next task finds it ready', async (t) => {
  const begun = turns();
  const pool = new ComputePool<object>(script([], '(rest(task.ms), { result: new Uint8Array([49]) })'), {
    ...LIMITS,
    deadlineMs: 300,
    graceMs: 10,
    startMs: 60_000,
    threadData: { turns: begun },
  });
  t.after(() => pool.close());
  const ask = (ms: number) => pool.reserve('client')!.compute({ ms }, new AbortController().signal).then(String);
  await assert.rejects(ask(1000), { name: 'TooLate' });
  let answer = '';
  // On a busy machine the next may be late, too.
  while (answer === '') answer = await ask(0).catch(({ name }: Error) => assert.equal(name, 'TooLate') ?? '');
  assert.deepEqual([answer, Atomics.load(begun, 0)], ['1', 1]);
});

it('a thread of a build that hangs at its start gives its task to another', async (t) => {
  const said: string[] = [];
  const replaced = (problem: string): void => void said.push(problem);
  const pool = new WorkerPool(script([0], '{ result: task.name }'), 1, {
    workerData: { turns: turns() },
    startMs: 1500,
    replaced,
  });
  t.after(() => pool.stop());
  const tasks = ['one', 'two'].map((name) => pool.run<string>({ kind: 'test', name }));
  assert.deepEqual(await Promise.all(tasks), ['one', 'two']);
  assert.deepEqual(said, ['a worker thread has not started within 1.5 s: another takes its place']);
});

// Before, a build ended at once when three threads that started together were slow, or when the main thread was blocked
// for a minute.
it('threads of a build that hang together count once', async (t) => {
  const said: string[] = [];
  const pool = new WorkerPool(script([0, 1, 2, 3], '{ result: task.name }'), 4, {
    workerData: { turns: turns() },
    startMs: 1500,
    replaced: (problem) => void said.push(problem),
  });
  t.after(() => pool.stop());
  const names = ['one', 'two', 'three', 'four'];
  assert.deepEqual(await Promise.all(names.map((name) => pool.run<string>({ kind: 'test', name }))), names);
  assert.ok(said.length >= 4, `${said.length} were replaced`);
});

it('time in which this thread is held up is not counted', async (t) => {
  const said: string[] = [];
  const pool = new WorkerPool(script([], '{ result: task.name }'), 1, {
    workerData: { turns: turns() },
    startMs: 1500,
    replaced: (problem) => void said.push(problem),
  });
  t.after(() => pool.stop());
  const task = pool.run<string>({ kind: 'test', name: 'one' });
  Atomics.wait(turns(), 0, 0, 3000);
  assert.equal(await task, 'one');
  assert.deepEqual(said, []);
});

it('a build of which every thread hangs at its start fails and says so', async (t) => {
  const pool = new WorkerPool(script([0, 1, 2], '{ result: null }'), 1, {
    workerData: { turns: turns() },
    startMs: 50,
  });
  t.after(() => pool.stop());
  await assert.rejects(pool.run({ kind: 'test', name: 'square 1' }), {
    message: 'a worker thread has not started within 0.2 s, nor have 2 before it',
  });
});
