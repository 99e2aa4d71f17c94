import assert from 'node:assert/strict';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, renameSync, statfsSync } from 'node:fs';
import { connect } from 'node:net';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { built } from '../pipeline/run-build.ts';
import { hidamari } from '../support/run.ts';
import { type ServedCity, serveCity, smallDataset } from '../support/served-city.ts';
import { tempFolder } from '../support/temp-folder.ts';

const HOUSE = '/api/v1/sunlight/building/13101-bldg-1';

describe('hidamari serve --workers', () => {
  const folder = tempFolder({ after });
  let data: string;
  before(async () => {
    data = await smallDataset(folder);
  });
  let count = 0;

  /** A server of three workers, and the lines of its log so far. */
  async function start(t: Parameters<typeof serveCity>[0], ...args: string[]) {
    const path = join(folder, `log-${count++}`);
    const fd = openSync(path, 'a');
    const server = await serveCity(t, ['--data', data, '--workers', '3', ...args], fd).catch((error) => {
      throw new Error(`${error.message}\n${readFileSync(path, 'utf8')}`);
    });
    closeSync(fd);
    const log = () =>
      readFileSync(path, 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    return { server, log };
  }

  /** The status of a path, asked on a connection of its own. */
  const statusOf = async ({ url }: ServedCity, path: string): Promise<number> => {
    const answer = await fetch(url + path, { headers: { connection: 'close' } });
    await answer.text();
    return answer.status;
  };

  const until = async (holds: () => boolean | Promise<boolean>, what: string): Promise<void> => {
    for (let i = 0; i < 400; i++) {
      if (await holds()) return;
      await delay(50);
    }
    assert.fail(what);
  };

  const workersOf = (log: Record<string, unknown>[]): unknown[] => [
    ...new Set(log.filter(({ msg }) => msg === 'request').map(({ worker }) => worker)),
  ];

  test('one client has one limit over all processes; lines of the log are whole and name the worker', async (t) => {
    const { server, log } = await start(t);
    const statuses = await Promise.all(Array.from({ length: 60 }, () => statusOf(server, HOUSE)));
    assert.equal(statuses.filter((status) => status === 200).length, 20);
    assert.equal(statuses.filter((status) => status === 429).length, 40);
    const answer = await fetch(server.url + HOUSE);
    assert.match(answer.headers.get('ratelimit')!, /^"default";r=0;t=\d+$/);
    assert.equal(await server.metric('hidamari_workers'), 3);
    // Of the machine, and of each process.
    const { bavail, bsize } = statfsSync(data);
    const free = await server.metric('hidamari_data_free_bytes');
    assert.ok(Math.abs(free - bavail * bsize) < 0.1 * bavail * bsize, `${free} bytes free`);
    const limit = await server.metric('hidamari_memory_limit_bytes');
    assert.ok(limit > 1e8 && limit <= totalmem(), `${limit} bytes of memory`);
    for (const worker of ['primary', '1', '2', '3']) {
      const resident = await server.metric(`process_resident_memory_bytes\\{worker="${worker}"\\}`);
      assert.ok(resident > 1e7 && resident < limit, `${resident} bytes of ${worker}`);
      assert.ok((await server.metric(`nodejs_eventloop_lag_p99_seconds\\{worker="${worker}"\\}`)) >= 0, worker);
    }
    assert.equal(
      await server.metric('hidamari_rate_limited_total{client_class="anonymous"}'.replace(/[{}]/g, '\\$&')),
      41,
    );
    assert.equal(await server.stop(20), 0);
    assert.equal(log().filter(({ msg }) => msg === 'request').length, 61);
    assert.ok(workersOf(log()).length > 1, 'several have answered');
    assert.deepEqual(log().at(-1)!.msg, 'stopped');
    assert.equal(log().filter(({ msg, worker }) => msg === 'stopped' && worker !== undefined).length, 3);
  });

  describe('without a limit, one server for all', () => {
    const ends: (() => void)[] = [];
    let server: ServedCity;
    let log: () => Record<string, unknown>[];
    before(async () => {
      const test = { after: (end: () => void) => ends.push(end) };
      ({ server, log } = await start(test, '--rate-limit', 'off', '--compute-threads', '1'));
    });
    after(async () => {
      const code = await server.stop(20);
      for (const end of ends) end();
      assert.equal(code, 0);
    });

    test('SIGHUP reaches all workers', async () => {
      await built({ out: data, citygml: [join(folder, 'city')], generatedAt: '2026-01-02T00:00:00Z' });
      const other = join(folder, 'other');
      const { dataset, dataset_id } = await built({
        out: other,
        citygml: [join(folder, 'city')],
        towns: [],
        generatedAt: '2027-01-02T00:00:00Z',
      });
      renameSync(dataset, join(data, `${dataset_id}-newer`));
      server.child.kill('SIGHUP');
      const moved = () => log().filter(({ msg }) => /serving a new dataset|stays/.test(String(msg)));
      await until(() => moved().length === 3, 'all three have looked');
      assert.deepEqual(
        moved()
          .map(({ worker }) => worker)
          .sort(),
        [1, 2, 3],
      );
    });

    test('floors are computed for all by the primary; what a client gives up is given up there', async () => {
      const floors = await Promise.all(
        ['', '?face=S', '', '?face=S'].map((face) => statusOf(server, `${HOUSE}/floor/1${face}`)),
      );
      assert.deepEqual(new Set(floors), new Set([200]));
      const done = await server.metric('hidamari_computations_total\\{outcome="done"\\}');
      assert.ok(done >= 2, `${done} computed`);
      const socket = connect(server.port, '127.0.0.1');
      socket.write(`GET ${HOUSE}/sky?face=S HTTP/1.1\r\nHost: x\r\n\r\n`);
      await once(socket, 'connect');
      socket.destroy();
      await until(async () => (await server.metric('hidamari_computations_waiting')) === 0, 'nobody waits');
      assert.equal(await statusOf(server, `${HOUSE}/floor/1`), 200);
    });

    test('a worker that is killed is replaced and counted; others answer meanwhile, and counters do not fall', async () => {
      for (let i = 0; i < 12; i++) assert.equal(await statusOf(server, HOUSE), 200);
      const requests =
        'hidamari_requests_total\\{operation="sunlight-building",status="200",client_class="anonymous"\\}';
      assert.equal(await server.metric(requests), 12);
      const children = readFileSync(`/proc/${server.child.pid}/task/${server.child.pid}/children`, 'utf8');
      process.kill(Number(children.trim().split(' ')[0]), 'SIGKILL');
      let failed = 0;
      for (let i = 0; i < 30; i++) await statusOf(server, HOUSE).catch(() => failed++);
      assert.ok(failed <= 1, `${failed} failed: those that the dead one had`);
      await until(async () => (await server.metric('hidamari_workers')) === 3, 'another has taken its place');
      assert.equal(await server.metric('hidamari_worker_deaths_total'), 1);
      assert.ok((await server.metric(requests)) >= 12 + 20, 'what the dead one had told is kept');
      const ends = (): unknown[] =>
        log()
          .filter(({ msg }) => msg === 'a worker has ended: another takes its place')
          .map(({ signal }) => signal);
      await until(async () => ends().length > 0, 'the log says so');
      assert.deepEqual(ends(), ['SIGKILL']);
    });
  });

  test('SIGTERM ends when what is in flight is answered; SIGKILL of the primary leaves nobody behind', async (t) => {
    const { server } = await start(t, '--shutdown-delay', '2');
    const ended = once(server.child, 'exit');
    server.child.kill('SIGTERM');
    await until(async () => (await statusOf(server, '/readyz')) === 503, 'it says that it ends');
    assert.equal(await statusOf(server, HOUSE), 200);
    assert.deepEqual(await ended, [0, null]);
    const second = await start(t);
    const { pid } = second.server.child;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
    assert.equal(children.length, 3);
    second.server.child.kill('SIGKILL');
    const isThere = (child: number): boolean => {
      try {
        return process.kill(child, 0);
      } catch {
        return false;
      }
    };
    await until(() => !children.some(isThere), 'workers have ended');
  });

  test('what is wrong is said once, in one line', async (t) => {
    const { server } = await start(t);
    const cases: [string[], RegExp, number][] = [
      [
        ['--data', data, '--port', String(server.port)],
        /port \d+ on 127\.0\.0\.1 is taken; choose another with --port/,
        1,
      ],
      [['--data', join(folder, 'nowhere'), '--port', '0'], /there is no such folder/, 1],
      [['--data', data, '--workers', '0'], /whole number from 1 to 64/, 2],
    ];
    const runs = await Promise.all(cases.map(([args]) => hidamari(['serve', '--workers', '2', ...args])));
    for (const [i, [, message, code]] of cases.entries()) {
      const run = runs[i]!;
      const lines = run.stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
      assert.deepEqual([run.code, lines.length], [code, 1], run.stderr);
      assert.match(lines[0]!, message);
    }
  });
});
