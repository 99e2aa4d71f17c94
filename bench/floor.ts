import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startBare } from './serving/bare.ts';
import { Client } from './serving/client.ts';
import { cell, print, quantile } from './serving/output.ts';
import { processorMicroseconds } from './serving/process-figures.ts';
import { builtSample } from './serving/sample.ts';
import { type RunningServer, startServer } from './serving/server.ts';
import { computedTargets, type SquareTargets } from './serving/targets.ts';

// What is computed on demand, measured through the server: floors and points, cold and warm, beside bare node:http that
// looks the same bodies up, and floors a second with all threads busy.
//   npm run bench:floor -- [--starts 3] [--seconds 5] [DATA_FOLDER]     (without a folder: the bundled sample)
//
// Cold is measured on servers that have not seen the place, since a server forgets no square that it has seen of a small
// dataset; but for the first of all they have compiled their code, as servers do after their start. Requests come one after the other, except where all threads are to be busy.

/** Squares that a server is asked for, and further floors and points of all of them together. */
const MOST_SQUARES = 40;
const FURTHER = 60;
/** Floors that each of the busy connections asks for at most, so that none is asked for twice. */
const BUSY_FLOORS = 4000;
/** More than two for a thread: a thread never waits for a client. */
const BUSY_CONNECTIONS = 4;
/** A server begins two seconds after its start; with less than this share of a processor so many times in turn it is done. */
const WARM_UP_AFTER_MS = 2500;
const IDLE_MS = 500;
const IDLE_TIMES = 4;
const IDLE_SHARE = 0.01;
/** Of connections and threads; one client has two floors computed at once. */
const client = (number: number): string => `X-Forwarded-For: 192.0.2.${number}\r\n`;

const { values, positionals } = parseArgs({
  options: { starts: { type: 'string', default: '3' }, seconds: { type: 'string', default: '5' } },
  allowPositionals: true,
});
const threads = availableParallelism();

/** Answers of one kind: of each its milliseconds, and the processor time of all of them, ms. */
interface Row {
  times: number[];
  cpuMs: number;
}

const folder = mkdtempSync(join(tmpdir(), 'hidamari-bench-'));
try {
  await measure(positionals[0] ?? (await builtSample(folder)));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(data: string): Promise<void> {
  const squares = (await computedTargets(data, BUSY_FLOORS)).slice(0, MOST_SQUARES);
  const rows = new Map<string, Row>();
  const bodies = new Map<string, string>();
  for (let start = 0; start < Number(values.starts); start++) {
    await onServer(data, (server) => askKind(server, 'floor', squares, start, rows, bodies));
    await onServer(data, (server) => askKind(server, 'point', squares, start, rows, new Map()));
  }
  await askBare(bodies, rows);
  print(`${squares.length} grid squares, ${values.starts} starts, load average ${loadavg()[0].toFixed(1)}`);
  print(`\n${''.padEnd(44)}asked  p50 ms  p99 ms  longest  CPU ms`);
  for (const [name, { times, cpuMs }] of rows) {
    const at = (share: number): number => quantile(times, share);
    const cells = [cell(at(0.5), 8, 2), cell(at(0.99), 8, 2), cell(at(1), 9, 2), cell(cpuMs / times.length, 8, 2)];
    print(name.padEnd(44) + cell(times.length, 5) + cells.join(''));
  }
  await onServer(data, (server) => askBusy(server, squares));
}

async function onServer(data: string, use: (server: RunningServer) => Promise<void>): Promise<void> {
  const own = ['--rate-limit', 'off', '--point', 'on', '--trust-proxy', '127.0.0.1', '--compute-threads', `${threads}`];
  const server = await startServer(['--data', data, '--log-level', 'warn', ...own]);
  try {
    await use(server);
  } finally {
    await server.stop();
  }
}

/** Asks a server that has just started: the first of every square, further ones by chance, and the same again. */
async function askKind(
  server: RunningServer,
  kind: 'floor' | 'point',
  squares: readonly SquareTargets[],
  start: number,
  rows: Map<string, Row>,
  bodies: Map<string, string>,
): Promise<void> {
  const paths = squares.map((square) => square[`${kind}s`]);
  const nth = (n: number): string[] => paths.flatMap((of) => of[n + start * FURTHER] ?? []);
  const [veryFirst, ...firsts] = nth(0);
  const further = Array.from({ length: FURTHER - 1 }, (_, n) => nth(n + 1)).flat();
  const connection = new Client(server.port);
  const ask = async (name: string, asked: readonly string[]): Promise<void> => {
    const row = rows.get(name) ?? { times: [], cpuMs: 0 };
    rows.set(name, row);
    const before = processorMicroseconds(server.pid);
    for (const path of asked) {
      const begin = performance.now();
      const body = await connection.get(path);
      row.times.push(performance.now() - begin);
      bodies.set(path, Buffer.concat(body).toString());
    }
    row.cpuMs += (processorMicroseconds(server.pid) - before) / 1000;
  };
  await ask(`${kind}, the first of the server`, [veryFirst]);
  await untilWarm(server.pid);
  await ask(`${kind}, the first of its grid square`, firsts);
  await ask(`${kind}, its grid square seen before`, further.slice(0, FURTHER));
  await ask(`${kind}, the same again`, [veryFirst, ...firsts, ...further.slice(0, FURTHER)]);
  connection.close();
}

/** Waits until a server has begun to compile its code and done so: until it has little to do for a while. */
async function untilWarm(pid: number): Promise<void> {
  await delay(WARM_UP_AFTER_MS);
  for (let idle = 0; idle < IDLE_TIMES; ) {
    const before = processorMicroseconds(pid);
    await delay(IDLE_MS);
    const busy = (processorMicroseconds(pid) - before) / (1000 * IDLE_MS);
    idle = busy < IDLE_SHARE ? idle + 1 : 0;
  }
}

/** Bare `node:http` looks the bodies of the floors up. */
async function askBare(bodies: ReadonlyMap<string, string>, rows: Map<string, Row>): Promise<void> {
  const file = join(folder, 'bodies');
  writeFileSync(file, [...bodies].map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  const bare = await startBare(file);
  const connection = new Client(bare.port);
  const times: number[] = [];
  const before = processorMicroseconds(bare.pid);
  for (const path of bodies.keys()) {
    const begin = performance.now();
    await connection.get(path);
    times.push(performance.now() - begin);
  }
  rows.set('bare node:http, the same floors', { times, cpuMs: (processorMicroseconds(bare.pid) - before) / 1000 });
  connection.close();
  bare.child.kill();
}

/** Other floors on enough connections that all threads are busy, none of them twice. */
async function askBusy(server: RunningServer, squares: readonly SquareTargets[]): Promise<void> {
  const most = Math.max(...squares.map(({ floors }) => floors.length));
  const paths = Array.from({ length: most }, (_, n) => squares.flatMap(({ floors }) => floors[n] ?? [])).flat();
  // Threads start with their first demands, and squares are made ready by each: neither is the rate that lasts.
  const warmUp = Math.min(Math.floor(paths.length / 3), squares.length * threads * 2);
  let next = 0;
  const turn = async (isOver: () => boolean): Promise<number> => {
    const from = next;
    const work = Array.from({ length: threads * BUSY_CONNECTIONS }, async (_, i) => {
      const connection = new Client(server.port, client(1 + (i % 200)));
      while (!isOver() && next < paths.length) await connection.get(paths[next++]);
      connection.close();
    });
    await Promise.all(work);
    return next - from;
  };
  await turn(() => next >= warmUp);
  const [begin, before] = [performance.now(), processorMicroseconds(server.pid)];
  const floors = await turn(() => performance.now() - begin > Number(values.seconds) * 1000);
  const seconds = (performance.now() - begin) / 1000;
  const cpuMs = (processorMicroseconds(server.pid) - before) / 1000;
  print(`\n${floors} other floors on ${threads} busy threads: ${(floors / seconds).toFixed(0)} a second by the clock,`);
  print(
    `${(cpuMs / floors).toFixed(2)} ms of processor time each (${((threads * 1000 * floors) / cpuMs).toFixed(0)} a second ` +
      `on ${threads} processors of its own); the server had ${(cpuMs / 1000 / seconds).toFixed(2)} of ${threads}`,
  );
}
