import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { ComputePool, type PoolLimits } from '../../src/compute/pool.ts';

interface Sleep {
  ms: number;
  name: string;
  fault?: 'throws' | 'dies';
}

const SCRIPT = new URL('./sleeper.ts', import.meta.url);

function poolOf(t: TestContext, limits: Partial<PoolLimits> = {}): ComputePool<Sleep> {
  const all = {
    threads: 2,
    deadlineMs: 20_000,
    graceMs: 50,
    startMs: 20_000,
    mostWaiting: 8,
    mostWaitingOfClient: 8,
    atOncePerClient: 2,
    ...limits,
  };
  const pool = new ComputePool<Sleep>(SCRIPT, all);
  t.after(() => pool.close());
  return pool;
}

const never = new AbortController().signal;

/** Gives the pool a task; its result, or the name of its error. */
async function run(pool: ComputePool<Sleep>, client: string, task: Sleep, signal = never): Promise<string> {
  const place = pool.reserve(client);
  if (place === null) return 'no place';
  try {
    return JSON.parse((await place.compute(task, signal)).toString());
  } catch (error) {
    return (error as Error).name;
  }
}

test('tasks run on threads; what goes wrong there is known here, and the next task runs', async (t) => {
  const pool = poolOf(t, { threads: 1 });
  assert.equal(await run(pool, 'a', { ms: 1, name: 'first' }), 'first');
  assert.equal(await run(pool, 'a', { ms: 1, name: 'x', fault: 'throws' }), 'RangeError');
  assert.equal(await run(pool, 'a', { ms: 1, name: 'x', fault: 'dies' }), 'ThreadEnded');
  assert.equal(await run(pool, 'a', { ms: 1, name: 'last' }), 'last');
  assert.deepEqual(pool.counts, { done: 2, failed: 2, late: 0, abandoned: 0, refused: 0 });
  assert.deepEqual([pool.waiting, pool.running], [0, 0]);
});

test('a part of an answer that was begun earlier has only what is left of the deadline', async (t) => {
  const pool = poolOf(t, { threads: 1 });
  const late = pool.reserve('a')?.compute({ ms: 1, name: 'x' }, never, 20_000);
  await assert.rejects(late ?? Promise.resolve(), { name: 'TooLate' });
  assert.equal(await run(pool, 'a', { ms: 1, name: 'next' }), 'next');
  assert.deepEqual(pool.counts, { done: 1, failed: 0, late: 1, abandoned: 0, refused: 0 });
});

test('the line has a bound, one client has a smaller one, and a place that is given up is free', async (t) => {
  const pool = poolOf(t, { mostWaiting: 3, mostWaitingOfClient: 2 });
  const [one, two] = [pool.reserve('a'), pool.reserve('a')];
  assert.ok(one && two);
  assert.equal(pool.reserve('a'), null);
  const three = pool.reserve('b');
  assert.ok(three);
  assert.equal(pool.reserve('c'), null);
  one.leave();
  one.leave();
  const four = pool.reserve('c');
  assert.ok(four);
  assert.equal(pool.waiting, 3);
  for (const place of [two, three, four]) place.leave();
  assert.equal(pool.waiting, 0);
  assert.equal(pool.counts.refused, 2);
});

test('of one client two run at once and a third waits', async (t) => {
  const pool = poolOf(t, { threads: 3 });
  const ask = (client: string, name: string) => run(pool, client, { ms: 50, name });
  // Until all three threads are ready.
  const threads = () => Promise.all(['a', 'b', 'c'].map((client) => ask(client, 'thread')));
  while (new Set(await threads()).size < 3);
  const all = [ask('a', 'a1'), ask('a', 'a2'), ask('a', 'a3'), ask('a', 'a4')];
  assert.deepEqual([pool.running, pool.waiting], [2, 2]);
  all.push(ask('b', 'b1'));
  assert.deepEqual([pool.running, pool.waiting], [3, 2]);
  assert.deepEqual(await Promise.all(all), ['a1', 'a2', 'a3', 'a4', 'b1']);
});

test('who was served longest ago is next, whoever asked first; a place alone is not served', async (t) => {
  const pool = poolOf(t, { threads: 1, mostWaiting: 9 });
  await run(pool, 'z', { ms: 1, name: 'warm' });
  const served: string[] = [];
  const ask = async (name: string) => served.push(await run(pool, name.charAt(0), { ms: 5, name }));
  const idle = pool.reserve('d');
  await Promise.all(['a1', 'a2', 'a3', 'b1', 'c1', 'b2', 'a4'].map(ask));
  assert.deepEqual(served, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
  assert.equal(pool.waiting, 1);
  idle?.leave();
});

test('a task that is late is given up with its thread; so is one that nobody waits for', async (t) => {
  const pool = poolOf(t, { threads: 1, deadlineMs: 300 });
  await run(pool, 'a', { ms: 1, name: 'warm' });
  const begin = performance.now();
  assert.equal(await run(pool, 'a', { ms: 60_000, name: 'x' }), 'TooLate');
  assert.ok(performance.now() - begin < 5000);
  const patient = poolOf(t, { threads: 1 });
  await run(patient, 'c', { ms: 1, name: 'warm' });
  const gone = new AbortController();
  const [running, waiting] = [run(patient, 'a', { ms: 60_000, name: 'x' }, gone.signal), new AbortController()];
  const queued = run(patient, 'b', { ms: 1, name: 'y' }, waiting.signal);
  await delay(50);
  waiting.abort();
  assert.equal(await queued, 'Abandoned');
  gone.abort();
  assert.equal(await running, 'Abandoned');
  assert.equal(await run(patient, 'c', { ms: 1, name: 'next' }), 'next');
  assert.equal(await run(patient, 'c', { ms: 1, name: 'x' }, AbortSignal.abort()), 'Abandoned');
  assert.deepEqual(patient.counts, { done: 2, failed: 0, late: 0, abandoned: 3, refused: 0 });
});

test('a thread that starts more slowly than the deadline gets to its start, and then answers', async (t) => {
  const pool = poolOf(t, { threads: 1, deadlineMs: 150, threadData: { startMs: 400 } });
  const outcomes: string[] = [];
  while (outcomes.at(-1) !== 'x' && outcomes.length < 20) outcomes.push(await run(pool, 'a', { ms: 1, name: 'x' }));
  assert.equal(outcomes[0], 'TooLate');
  assert.equal(outcomes.at(-1), 'x', outcomes.join());
});

test('clients that go do not cost the others their thread, where it is soon done', async (t) => {
  const pool = poolOf(t, { threads: 1, graceMs: 5000 });
  const thread = () => run(pool, 'b', { ms: 1, name: 'thread' });
  const before = await thread();
  for (let i = 0; i < 5; i++) {
    const gone = new AbortController();
    const asked = run(pool, 'a', { ms: 20, name: 'x' }, gone.signal);
    gone.abort();
    assert.equal(await asked, 'Abandoned');
  }
  assert.equal(await thread(), before);
});

test('threads that cannot start fail the tasks, one each', async (t) => {
  const pool = poolOf(t, { threads: 1, threadData: { startFails: true } });
  const outcomes = await Promise.all([1, 2, 3].map((i) => run(pool, 'a', { ms: i, name: 'x' })));
  assert.deepEqual([outcomes, pool.counts.failed], [['ThreadEnded', 'ThreadEnded', 'ThreadEnded'], 3]);
});
