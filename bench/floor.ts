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
import { SteadyLoad } from './serving/steady.ts';
import { computedTargets, type SquareTargets, shuffled } from './serving/targets.ts';

// Measures results computed on demand, through the server: floors, their intervals, points and skies of random
// buildings. It requests them in grid squares that the server has not used and in those it has used, alone and beside
// look-ups at a constant rate. It compares look-ups of the same bodies in plain node:http, and measures floors per
// second with all threads busy.
//
//   npm run bench:floor -- [--starts 3] [--seconds 5] [--look-ups 500] [DATA_FOLDER]     (without a folder: the bundled sample)
//
// Each kind has its own server. Except for the very first request, it is measured after the server has compiled its
// code. Requests are sent one after the other, except where all threads must be busy.

const KINDS = ['floor', 'interval', 'point', 'sky'] as const;
type Kind = (typeof KINDS)[number];
/** The requests in a grid square, by kind. */
const ASKED: Readonly<Record<Kind, keyof SquareTargets>> = {
  floor: 'floors',
  interval: 'intervals',
  point: 'points',
  sky: 'skies',
};
/** Number of grid squares, and number of those that are requested alternately alone and beside look-ups. */
const MOST_SQUARES = 200;
const TURN = 5;
/** The requests in a grid square after the first one. */
const FURTHER = 2;
/** Number of floors for the busy connections. None is requested twice. */
const BUSY_FLOORS = 8000;
/** Number of these before the measurement starts. */
const MOST_WARM_UP = 200;
/** More than two per thread, so that a thread never waits for a client. */
const BUSY_CONNECTIONS = 4;
/**
 * A server compiles its code two seconds after its start. It has finished when it uses less than this share of a
 * processor this many times in a row.
 */
const WARM_UP_AFTER_MS = 2500;
const IDLE_MS = 500;
const IDLE_TIMES = 4;
const IDLE_SHARE = 0.01;
/** Number of connections and threads. Two floors are computed at a time for one client. */
const client = (number: number): string => `X-Forwarded-For: 192.0.2.${number}\r\n`;

const { values, positionals } = parseArgs({
  options: {
    starts: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5' },
    'look-ups': { type: 'string', default: '500' },
  },
  allowPositionals: true,
});
const threads = availableParallelism();

/**
 * Answers of one kind: the milliseconds of each, and the processor time of all, ms; NaN when others share the process.
 */
interface Row {
  times: number[];
  cpuMs: number;
}
type Rows = Map<string, Row>;

const folder = mkdtempSync(join(tmpdir(), 'hidamari-bench-'));
try {
  await measure(positionals[0] ?? (await builtSample(folder)));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(data: string): Promise<void> {
  const squares = await computedTargets(data, MOST_SQUARES, BUSY_FLOORS);
  const rows: Rows = new Map();
  const bodies = new Map<string, string>();
  for (let start = 0; start < Number(values.starts); start++) {
    for (const kind of KINDS) {
      const kept = kind === 'floor' ? bodies : new Map<string, string>();
      await onServer(data, (server) => askKind(server, kind, squares, start, rows, kept));
    }
  }
  await askBare(bodies, rows);
  print(`${squares.length} grid squares, ${values.starts} starts, load average ${loadavg()[0].toFixed(1)}`);
  print(`beside: ${values['look-ups']} look-ups of other buildings a second`);
  print(`\n${''.padEnd(52)}asked  p50 ms  p99 ms  longest  CPU ms`);
  for (const [name, { times, cpuMs }] of rows) {
    if (times.length === 0) continue;
    const at = (share: number): number => quantile(times, share);
    const cells = [cell(at(0.5), 8, 2), cell(at(0.99), 8, 2), cell(at(1), 9, 2)];
    if (!Number.isNaN(cpuMs)) cells.push(cell(cpuMs / times.length, 8, 2));
    print(name.padEnd(50) + cell(times.length, 7) + cells.join(''));
  }
  await onServer(data, async (server) => {
    await untilWarm(server.pid);
    await askBusy(server, squares);
  });
}

async function onServer(data: string, use: (server: RunningServer) => Promise<void>): Promise<void> {
  // Reading a large dataset in the background would keep the server from becoming idle.
  const quiet = ['--rate-limit', 'off', '--check-rate', '0', '--log-level', 'warn'];
  const own = ['--point', 'on', '--trust-proxy', '127.0.0.1', '--compute-threads', `${threads}`];
  const server = await startServer(['--data', data, ...quiet, ...own]);
  try {
    await use(server);
  } finally {
    await server.stop();
  }
}

/**
 * Sends requests to a server that has just started, in some squares alone and in some beside look-ups. The order
 * changes at the next start.
 */
async function askKind(
  server: RunningServer,
  kind: Kind,
  squares: readonly SquareTargets[],
  start: number,
  rows: Rows,
  bodies: Map<string, string>,
): Promise<void> {
  const paths = squares.map((square) => square[ASKED[kind]].slice(start * (1 + FURTHER)));
  const [veryFirst, ...others] = paths;
  await askFor(server, rowOf(rows, `${kind}, the first of the server`), veryFirst.slice(0, 1), bodies);
  await untilWarm(server.pid);
  const load = new SteadyLoad(server.port, lookUps(squares), Number(values['look-ups']));
  for (let turn = 0; turn * TURN < others.length; turn++) {
    const asked = others.slice(turn * TURN, (turn + 1) * TURN);
    const isBeside = (turn + start) % 2 === 1;
    const row = (name: string): Row => rowOf(rows, `${kind}, ${name}${isBeside ? ', beside' : ''}`, !isBeside);
    const work = async (): Promise<void> => {
      const firsts = asked.flatMap((of) => of.slice(0, 1));
      const further = asked.flatMap((of) => of.slice(1, 1 + FURTHER));
      await askFor(server, row('its grid square never seen'), firsts, bodies);
      await askFor(server, row('its grid square seen before'), further, bodies);
      await askFor(server, row('the same again'), [...firsts, ...further], bodies);
    };
    await (isBeside ? load.beside(work) : work());
  }
  rowOf(rows, `look-ups beside ${ASKED[kind]}`, false).times.push(...load.times);
}

/** Look-ups of buildings that have no other requests; of all buildings when there are no such ones. */
function lookUps(squares: readonly SquareTargets[]): string[] {
  const asked = Number(values.starts) * (1 + FURTHER);
  const others = squares.flatMap(({ summaries }) => summaries.slice(asked));
  return shuffled(others.length > 0 ? others : squares.flatMap(({ summaries }) => summaries));
}

function rowOf(rows: Rows, name: string, isAlone = true): Row {
  const row = rows.get(name) ?? { times: [], cpuMs: isAlone ? 0 : Number.NaN };
  rows.set(name, row);
  return row;
}

/** Sends requests one after the other on its own connection, because the server closes an idle one. */
async function askFor(
  server: RunningServer,
  row: Row,
  paths: readonly string[],
  bodies: Map<string, string>,
): Promise<void> {
  const connection = new Client(server.port);
  const before = processorMicroseconds(server.pid);
  for (const path of paths) {
    const begin = performance.now();
    const body = await connection.get(path);
    row.times.push(performance.now() - begin);
    bodies.set(path, Buffer.concat(body).toString());
  }
  row.cpuMs += (processorMicroseconds(server.pid) - before) / 1000;
  connection.close();
}

/** Waits until the server has compiled its code, that is until it stays idle for some time. */
async function untilWarm(pid: number): Promise<void> {
  await delay(WARM_UP_AFTER_MS);
  for (let idle = 0; idle < IDLE_TIMES; ) {
    const before = processorMicroseconds(pid);
    await delay(IDLE_MS);
    const busy = (processorMicroseconds(pid) - before) / (1000 * IDLE_MS);
    idle = busy < IDLE_SHARE ? idle + 1 : 0;
  }
}

/** Plain `node:http` looks up the bodies of the floors. */
async function askBare(bodies: ReadonlyMap<string, string>, rows: Rows): Promise<void> {
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

/** Requests other floors, each once, on enough connections to keep all threads busy. */
async function askBusy(server: RunningServer, squares: readonly SquareTargets[]): Promise<void> {
  const most = Math.max(...squares.map(({ floors }) => floors.length));
  const paths = Array.from({ length: most }, (_, n) => squares.flatMap(({ floors }) => floors[n] ?? [])).flat();
  // Threads start with the first requests, and each prepares its squares. Both are left out of the lasting rate.
  const warmUp = Math.min(Math.floor(paths.length / 3), MOST_WARM_UP, squares.length * threads * 2);
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
