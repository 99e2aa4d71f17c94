import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { describe, it } from 'node:test';
import v8 from 'node:v8';
import { WorkerPool } from '../../src/pipeline/worker-pool.ts';

const SCRIPT = new URL('./dying-worker.ts', import.meta.url);
const task = (kind: string, name = kind) => ({ kind, name });

async function withPool(size: number, work: (pool: WorkerPool) => Promise<void>): Promise<void> {
  const pool = new WorkerPool(SCRIPT, size);
  try {
    await work(pool);
  } finally {
    await pool.stop();
  }
}

describe('the worker pool', () => {
  it('answers more tasks than it has workers', () =>
    withPool(2, async (pool) => {
      const names = Array.from({ length: 9 }, (_, i) => `task ${i}`);
      assert.deepEqual(await Promise.all(names.map((name) => pool.run(task('answer', name)))), names);
    }));

  it('takes tasks again after a rest', () =>
    withPool(2, async (pool) => {
      assert.equal(await pool.run(task('answer', 'before')), 'before');
      await pool.stop();
      assert.equal(await pool.run(task('answer', 'after')), 'after');
    }));

  it('leaves the settings of V8 as they are without it', async (t) => {
    const { stdout } = spawnSync(process.execPath, ['--v8-options'], { encoding: 'utf8', maxBuffer: 1 << 24 });
    const defaults = new Set([...stdout.matchAll(/default: (--\S+)/g)].map(([, flag]) => flag));
    const set: string[] = [];
    const { mock } = t.mock.method(v8, 'setFlagsFromString', (flag: string) => set.push(flag));
    syncBuiltinESMExports();
    try {
      await withPool(1, async (pool) => assert.equal(await pool.run(task('answer')), 'answer'));
    } finally {
      mock.restore();
      syncBuiltinESMExports();
    }
    const last = new Map(set.map((flag) => [flag.replace(/^--(no-)?|=.*$/g, ''), flag]));
    assert.equal(set.length, 2 * last.size);
    assert.deepEqual(
      [...last.values()].filter((flag) => !defaults.has(flag)),
      [],
    );
  });

  it('goes on after a task that failed, whose error keeps its message, name and code', () =>
    withPool(1, async (pool) => {
      await assert.rejects(pool.run(task('fail', 'a.gml')), {
        name: 'TaskError',
        message: 'a.gml: broken',
        causeName: 'CityGmlError',
        code: 'ENOSPC',
      });
      assert.equal(await pool.run(task('answer', 'b.gml')), 'b.gml');
    }));

  for (const [kind, why] of [
    ['exit', /a worker thread died while it worked on square 1: it ended with code 3/],
    ['throw', /a worker thread died while it worked on square 1: a bug/],
  ] as const) {
    it(`fails everything when a worker dies (${kind})`, () =>
      withPool(2, async (pool) => {
        const sleeping = pool.run(task('sleep'));
        const dying = pool.run(task(kind, 'square 1'));
        const waiting = pool.run(task('answer'));
        for (const each of [dying, sleeping, waiting]) await assert.rejects(each, { message: why });
        await assert.rejects(pool.run(task('answer')), { message: why }, 'later tasks too');
      }));
  }
});
