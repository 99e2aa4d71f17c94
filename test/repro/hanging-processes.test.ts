import assert from 'node:assert/strict';
import cluster from 'node:cluster';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { NOTHING_COMPUTED } from '../../src/api/metrics.ts';
import { MemoryDailyUnits } from '../../src/http/daily-units.ts';
import { NO_LIMITS } from '../../src/http/rate-limiter.ts';
import { Primary } from '../../src/workers/primary.ts';
import { serveCity, smallDataset } from '../support/served-city.ts';
import { tempFolder } from '../support/temp-folder.ts';

const HOUSE = '/api/v1/sunlight/building/13101-bldg-1';

// One of several processes is stopped (SIGSTOP), as if it hung. Before, every request that counts waited for the
// primary forever, and /metrics waited for a worker.

describe('of several processes one hangs', () => {
  const folder = tempFolder({ after });
  let data: string;
  before(async () => {
    data = await smallDataset(folder);
  });

  const statusOf = async (url: string, path: string): Promise<[number, string | null]> => {
    const answer = await fetch(url + path, {
      headers: { connection: 'close' },
      signal: AbortSignal.timeout(20_000),
    });
    await answer.text();
    return [answer.status, answer.headers.get('retry-after')];
  };

  test('the primary: its workers answer, count alone and refuse what has to be computed, until it goes on', async (t) => {
    const limit = 5;
    const path = join(folder, 'log');
    const fd = openSync(path, 'a');
    const server = await serveCity(t, ['--data', data, '--workers', '2', '--rate-limit', String(limit)], fd);
    closeSync(fd);
    assert.deepEqual(await statusOf(server.url, HOUSE), [200, null]);
    server.child.kill('SIGSTOP');
    const [status, retryAfter] = await statusOf(server.url, `${HOUSE}/floor/1`);
    assert.equal(status, 503);
    assert.ok(Number(retryAfter) > 0);
    const seen = await Promise.all(Array.from({ length: 40 }, () => statusOf(server.url, HOUSE)));
    const answered = seen.filter(([status]) => status === 200).length;
    assert.equal(seen.filter(([status]) => status === 429).length, 40 - answered);
    assert.ok(answered >= limit - 1 && answered <= 2 * limit, `${answered} of 40 answered by two workers, each alone`);
    server.child.kill('SIGCONT');
    const said = (message: string): boolean => readFileSync(path, 'utf8').includes(`"msg":"${message}`);
    while (!said('the primary answers: workers count together')) await delay(50);
    assert.ok(said('the primary does not answer: this worker counts alone and computes nothing'));
    while ((await server.metric('hidamari_computations_waiting')) !== 0) await delay(50);
    assert.equal(await server.stop(20), 0);
  });

  test('a worker: /metrics does not wait for it', async (t) => {
    const server = await serveCity(t, ['--data', data, '--workers', '2', '--rate-limit', 'off'], 'ignore');
    const { pid } = server.child;
    const [worker] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
    process.kill(worker!, 'SIGSTOP');
    assert.equal(await server.metric('hidamari_workers'), 2);
    assert.deepEqual(await statusOf(server.url, HOUSE), [200, null]);
    process.kill(worker!, 'SIGCONT');
    assert.equal(await server.stop(20), 0);
  });

  /** Workers whose program is `hanging-worker.ts`, and the lines of their primary's log. */
  const primaryOf = (workers: number, args: string[], times: { lookMs: number; startMs?: number }) => {
    const lines: string[] = [];
    const primary = new Primary({
      workers,
      port: 0,
      secrets: ['x'],
      limiters: NO_LIMITS,
      dailyUnits: new MemoryDailyUnits(),
      downloads: { take: () => 'all' },
      computer: { reserve: () => null, forget() {}, ...NOTHING_COMPUTED },
      log: pino({ base: undefined }, { write: (line: string) => void lines.push(line) }),
      write: () => {},
      ended: () => {},
      ...times,
    });
    cluster.setupPrimary({ exec: join(import.meta.dirname, 'hanging-worker.ts'), args });
    const said = () => lines.map((line) => JSON.parse(line) as { msg: string; signal?: string });
    return { primary, said: () => said().map(({ msg, signal }) => [msg, signal]) };
  };
  const stop = async (primary: Primary): Promise<void> => {
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGKILL');
    await primary.stop();
  };

  test('a worker that leaves questions unanswered is ended, and another takes its place', async () => {
    const { primary, said } = primaryOf(1, [], { lookMs: 20 });
    await primary.start();
    while (primary.deaths === 0) await delay(20);
    while (primary.size === 0) await delay(20);
    assert.deepEqual(said().slice(0, 2), [
      ['a worker does not answer and is ended', undefined],
      ['a worker has ended: another takes its place', 'SIGKILL'],
    ]);
    await stop(primary);
  });

  // Before, the primary waited for it forever, and so did the landing document, /metrics and SIGTERM.
  test('so is one that hangs before it serves; the server begins with the one that takes its place', async () => {
    const mark = join(folder, 'has-hung');
    const { primary, said } = primaryOf(1, [mark], { lookMs: 5000, startMs: 4000 });
    assert.deepEqual(await primary.start(), { datasetId: 'worker 1', siteUrl: '' });
    assert.deepEqual([primary.deaths, primary.size], [1, 1]);
    assert.deepEqual(said(), [
      ['a worker does not start in time and is ended', undefined],
      ['a worker has ended: another takes its place', 'SIGKILL'],
    ]);
    await stop(primary);
  });

  // Before, the time limit was always the same, and a server with slow workers never started.
  test('what takes its place has twice as long: all may just be slow', async () => {
    const { primary, said } = primaryOf(1, ['slow'], { lookMs: 5000, startMs: 500 });
    assert.deepEqual(await primary.start(), { datasetId: 'worker 1', siteUrl: '' });
    assert.ok(said().length >= 2, 'it was ended at least once');
    await stop(primary);
  });

  test('at its end the server does not wait for a worker that hangs before it serves', async () => {
    const mark = join(folder, 'hangs-at-the-end');
    const { primary } = primaryOf(1, [mark], { lookMs: 5000 });
    const started = primary.start().catch(({ message }: Error) => message);
    while (!existsSync(mark)) await delay(20);
    await primary.stop();
    assert.equal(await started, 'worker 1 could not start');
  });
});
