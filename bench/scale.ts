import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import { Queue, WaitingChildrenError, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { gridSquareBounds, gridSquareCentre, gridSquareNeighbours } from '../src/geo/grid-square.ts';
import { zoneOf } from '../src/geo/zones.ts';
import { Part } from '../src/pipeline/part.ts';
import { type PlannedSquare, planBuild } from '../src/pipeline/plan.ts';
import { type ComputeStep, nameOf } from '../src/work/steps.ts';
import { RedisServer, skipWithoutRedis } from '../test/support/redis-server.ts';
import { memoryRow } from './scale-memory.ts';

/**
 * `npm run bench:scale`: measures plan and queue of a country, part by part. The country is generated from a seed:
 * towns around centres, 20 million buildings. Nothing is computed, but every step goes through a real Redis. `--memory
 * 1,4,16` really builds cities of these numbers of grid squares, and prints the peak memory of coordinator and worker.
 */
const { values } = parseArgs({
  options: { buildings: { type: 'string', default: '20000000' }, memory: { type: 'string' } },
});
/**
 * Centres of towns (first-order squares from Kyushu to Hokkaido), and the number of buildings in the square at their
 * middle.
 */
const CENTRES = {
  '5339': 2600,
  '5235': 2200,
  '5236': 1800,
  '5030': 1600,
  '5740': 1300,
  '6441': 1500,
  '5132': 1300,
  '4830': 900,
};
const OUTSKIRTS = 250;

const ends: (() => unknown)[] = [];
try {
  const redis = skipWithoutRedis ? null : await RedisServer.start({ after: (end) => ends.push(end) });
  if (values.memory === undefined) await main(redis);
  else if (redis === null) console.log(`skipped: ${skipWithoutRedis}`);
  else await memory(values.memory.split(',').map(Number), redis.url);
} finally {
  for (const end of ends.reverse()) await end();
}

async function memory(sizes: readonly number[], redis: string): Promise<void> {
  const rows = [];
  for (const size of sizes) rows.push(await memoryRow(size, redis));
  console.table(rows);
  console.log('coordinator_mb, worker_mb: most memory of either process (VmHWM), each with one thread');
}

async function main(redis: RedisServer | null): Promise<void> {
  const squares = country(Number(values.buildings));
  const buildings = squares.reduce((sum, square) => sum + square.buildings, 0);
  const codes = [...new Set(squares.map(({ square }) => square.slice(0, 4)))].sort();
  console.log(
    `a country of ${buildings.toLocaleString('en')} buildings in ${squares.length} grid squares, ${codes.length} parts`,
  );
  if (redis === null) console.log(`the queue is skipped: ${skipWithoutRedis}`);
  const rows: Row[] = [];
  for (const code of codes) rows.push(await rowOf(squares, code, redis));
  const all: Row = {
    part: 'all, one after another',
    squares: sum(rows, 'squares'),
    buildings: sum(rows, 'buildings'),
    plan_s: round(sum(rows, 'plan_s')),
    tasks_mb: round(sum(rows, 'tasks_mb')),
    queue_s: round(sum(rows, 'queue_s')),
    redis_mb: Math.max(...rows.map(({ redis_mb }) => redis_mb)),
    rss_mb: Math.max(...rows.map(({ rss_mb }) => rss_mb)),
  };
  console.table([...rows.sort((a, b) => b.buildings - a.buildings).slice(0, 6), all]);
  console.log(
    'redis_mb: peak of its memory; rss_mb: memory of this process, which plans, holds the country and works the queue',
  );
}

interface Row {
  part: string;
  squares: number;
  buildings: number;
  plan_s: number;
  tasks_mb: number;
  queue_s: number;
  redis_mb: number;
  rss_mb: number;
}

/** Plans one part with its surroundings, and sends its steps through the queue. */
async function rowOf(squares: readonly PlannedSquare[], code: string, redis: RedisServer | null): Promise<Row> {
  const part = new Part([code]);
  const near = squares.filter(({ square }) => part.isInReach(square));
  const start = performance.now();
  const plan = planBuild(
    near.map((square) => (part.owns(square.square) ? square : { ...square, served: 0 })),
    { program: 'bench' },
  );
  const plan_s = (performance.now() - start) / 1000;
  let bytes = 0;
  const keys = plan.units.map((unit) => {
    const merged = unit.needs.map(({ square }) => createHash('sha256').update(square).digest('hex'));
    const step: ComputeStep = { step: 'compute', program: 'bench', unit, merged };
    bytes += JSON.stringify(step).length;
    return nameOf(step).key;
  });
  const queue = redis === null ? { seconds: 0, megabytes: 0 } : await throughQueue(code, keys, redis.url);
  return {
    part: code,
    squares: plan.units.length,
    buildings: plan.totals.served,
    plan_s: round(plan_s),
    tasks_mb: round(bytes / 1e6),
    queue_s: round(queue.seconds),
    redis_mb: round(queue.megabytes),
    rss_mb: Math.round(process.memoryUsage.rss() / 1e6),
  };
}

/** A job for the part, with a child for each step. A worker takes each and returns it at once. */
async function throughQueue(
  code: string,
  keys: string[],
  url: string,
): Promise<{ seconds: number; megabytes: number }> {
  const connection = new Redis(url, { maxRetriesPerRequest: null });
  const builds = new Queue(`build-${code}`, { connection });
  const steps = new Queue('steps', { connection });
  const start = performance.now();
  let isAdded = false;
  let done = (): void => {};
  const isDone = new Promise<void>((resolve) => (done = resolve));
  const coordinator = new Worker(
    builds.name,
    async (job, token) => {
      const parent = { id: job.id ?? code, queue: job.queueQualifiedName };
      if (!isAdded) {
        const opts = { parent, attempts: 5, removeOnComplete: true, ignoreDependencyOnFailure: true };
        await steps.addBulk(
          keys.map((key) => ({
            name: 'compute',
            data: { step: 'compute', key },
            opts: { ...opts, jobId: `${code}-${key}` },
          })),
        );
        isAdded = true;
      }
      if (await job.moveToWaitingChildren(token ?? '')) throw new WaitingChildrenError();
      done();
    },
    { connection },
  );
  const worker = new Worker(steps.name, async () => {}, { connection, concurrency: 8 });
  await builds.add('build', {}, { jobId: `build-${code}`, removeOnComplete: true });
  await isDone;
  const seconds = (performance.now() - start) / 1000;
  const [, peak] = /used_memory_peak:(\d+)/.exec(await connection.info('memory')) ?? [];
  await Promise.all([coordinator.close(), worker.close()]);
  await Promise.all([builds.close(), steps.close()]);
  connection.disconnect();
  return { seconds, megabytes: Number(peak) / 1e6 };
}

/** Squares around the centres, ring by ring until all buildings are placed; squares nearer to a centre have more. */
function country(most: number): PlannedSquare[] {
  const found = new Map<string, PlannedSquare>();
  let left = most;
  let edge = Object.entries(CENTRES).map(([code, middle]) => ({ square: `${code}4444`, middle, ring: 0 }));
  while (left > 0) {
    const next: typeof edge = [];
    for (const { square, middle, ring } of edge) {
      if (found.has(square) || left <= 0) continue;
      const count = Math.min(left, Math.round(OUTSKIRTS + middle * Math.exp(-ring / 12)));
      found.set(square, squareOf(square, count, Math.round(12 + 180 * Math.exp(-ring / 4))));
      left -= count;
      for (const neighbour of gridSquareNeighbours(square)) {
        if (!found.has(neighbour)) next.push({ square: neighbour, middle, ring: ring + 1 });
      }
    }
    edge = next;
  }
  return [...found.values()];
}

/** The summary that a merge makes of a square of houses up to a height. */
function squareOf(square: string, count: number, highest: number): PlannedSquare {
  const { lat, lon } = gridSquareCentre(square);
  const digest = createHash('sha256').update(square).digest('hex');
  const counts = Array.from({ length: highest }, (_, rung) => Math.max(1, Math.round(count * Math.exp(-rung / 6))));
  const digests = counts.map((_, rung) => createHash('sha256').update(`${square} ${rung}`).digest('hex').slice(0, 32));
  const ladder = { lowest: 4, counts, digests };
  return {
    square,
    zone: zoneOf(lat, lon),
    buildings: count,
    served: count,
    ...gridSquareBounds(square),
    lowestBase: 0,
    emptyParts: { unknown: 0, missing: 0 },
    ladder,
    digest,
    placeholders: [],
  };
}

function sum(rows: readonly Row[], column: Exclude<keyof Row, 'part'>): number {
  return rows.reduce((total, row) => total + row[column], 0);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
