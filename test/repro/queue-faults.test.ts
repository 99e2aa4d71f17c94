import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { UnrecoverableError, Worker } from 'bullmq';
import { mapInParallel } from '../../src/formats/in-parallel.ts';
import { DirectoryStore } from '../../src/store/object-store.ts';
import { QueueBuild, queueRedis, takeSteps } from '../../src/work/queue.ts';
import { StepStore } from '../../src/work/step-store.ts';
import { freePort } from '../support/free-port.ts';
import { RedisServer, skipWithoutRedis } from '../support/redis-server.ts';
import { tempFolder } from '../support/temp-folder.ts';

const PROGRAM = 'a'.repeat(64);
const [FIRST, SECOND] = ['1', '2'].map((digit) => ({ step: 'read' as const, key: digit.repeat(64) }));

/** A coordinator with its own connection. It waits for workers for less time than lies between two looks at the queue. */
function coordinator(t: TestContext, url: string, store: StepStore, program = PROGRAM, run = 'run') {
  const redis = queueRedis(url, () => {});
  const options = { redis, store, lockMs: 1000, retryMs: 10, waitForWorkersMs: 1000, note: () => {} };
  t.after(() => redis.disconnect());
  return { build: new QueueBuild(options, program, run), redis };
}

it('a build on a queue that cannot be reached gives up as --wait-for-workers says, and ends', {
  timeout: 30_000,
}, async (t) => {
  const store = new StepStore(new DirectoryStore(tempFolder(t)), null);
  const { build } = coordinator(t, `redis://127.0.0.1:${await freePort()}`, store);
  await assert.rejects(
    build.doSteps([FIRST!], () => {}),
    /no machine has taken steps for \d+ s/,
  );
  await build.close();
});

for (const isSecondDone of [false, true])
  it(`a repeated build tries again what failed in the run before, whose coordinator was killed; other steps are ${isSecondDone ? 'done' : 'running'}`, {
    skip: skipWithoutRedis,
    timeout: 60_000,
  }, async (t) => {
    const folder = tempFolder(t);
    const store = new StepStore(new DirectoryStore(folder), null);
    const { url } = await RedisServer.start(t);
    const connection = queueRedis(url, () => {});
    t.after(() => connection.disconnect());
    let isBroken = true;
    const tries: string[] = [];
    const worker = new Worker(
      `hidamari-steps-${PROGRAM.slice(0, 16)}`,
      async ({ data: { key } }) => {
        tries.push(key);
        if (key === FIRST!.key && isBroken) throw new UnrecoverableError('ENOSPC');
        while (isBroken) await delay(50);
        writeFileSync(join(folder, 'done'), 'x');
        await store.putMade(`read/${key}/list`, folder, async (path) => writeFileSync(path, 'x'));
      },
      { connection, concurrency: 2 },
    );
    t.after(() => worker.close(true));
    const killed = coordinator(t, url, store);
    void killed.build.doSteps([FIRST!, SECOND!], () => {}).catch(() => {});
    while (tries.length < 2) await delay(50);
    await delay(500);
    // As when its process is killed: nothing is told to Redis.
    killed.redis.disconnect();
    t.after(() => killed.build.close());
    isBroken = false;
    // With the last step done, the job of the build is taken before the first look at the queue.
    if (isSecondDone) await delay(500);
    const repeated = coordinator(t, url, store);
    await repeated.build.doSteps([FIRST!, SECOND!], () => {});
    await repeated.build.close();
    assert.equal(tries.filter((key) => key === FIRST!.key).length, 2);
  });

it('the end of a build does not end the workers of another build by the same program', {
  skip: skipWithoutRedis,
  timeout: 30_000,
}, async (t) => {
  const store = new StepStore(new DirectoryStore(tempFolder(t)), null);
  const { url } = await RedisServer.start(t);
  const [ending, going, other] = [
    coordinator(t, url, store, PROGRAM, 'ending'),
    coordinator(t, url, store, PROGRAM, 'going'),
    coordinator(t, url, store, 'b'.repeat(64), 'other'),
  ];
  while ((await going.redis.hlen('hidamari:programs')) < 3) await delay(20);
  await ending.build.close();
  const worker = { threads: { failure: null, size: 1 }, do: async () => {} };
  const options = { redis: going.redis, store, lockMs: 1000, note: () => {} };
  await takeSteps(options, worker as never, PROGRAM, delay(300));
  await assert.rejects(takeSteps(options, worker as never, 'c'.repeat(64), delay(300)), /the build is by program/);
  await Promise.all([going.build.close(), other.build.close()]);
});

it('after a failure no other item is begun, and the running ones end first', async () => {
  const [begun, ended]: number[][] = [[], []];
  const work = async (item: number): Promise<void> => {
    begun!.push(item);
    await delay(5);
    if (item === 3) throw new Error('three');
    await delay(20);
    ended!.push(item);
  };
  await assert.rejects(
    mapInParallel(
      Array.from({ length: 100 }, (_, i) => i),
      8,
      work,
    ),
    /three/,
  );
  assert.equal(begun!.length, 8);
  assert.equal(ended!.length, 7);
});
