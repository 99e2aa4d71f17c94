import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { randomFrom } from '../samples/random.ts';
import { fingerprints } from '../test/pipeline/run-build.ts';
import { RedisServer, skipWithoutRedis } from '../test/support/redis-server.ts';
import { CLI } from '../test/support/run.ts';
import { cityGml, townsInSquares, writeFiles } from '../test/support/small-city.ts';

/**
 * `npm run bench:kills`: builds with a queue and kills workers with SIGKILL at random moments, again and again. Then
 * compares every file with that of a build on one machine. `--citygml PATH` reads another city.
 */
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    citygml: { type: 'string' },
    workers: { type: 'string', default: '1' },
  },
});

const ENV = { ...process.env, SOURCE_DATE_EPOCH: '1790000000', CI: '1' };
/** Seconds after which a silent machine counts as lost. */
const LOCK_S = 2;

const folder = mkdtempSync(join(tmpdir(), 'hidamari-bench-'));
const ends: (() => unknown)[] = [];
try {
  if (skipWithoutRedis) console.log(`skipped: ${skipWithoutRedis}`);
  else await main();
} finally {
  for (const end of ends) await end();
  rmSync(folder, { recursive: true, force: true });
}

async function main(): Promise<void> {
  const city = values.citygml ?? (await generated());
  const plain = await timed(() => ended(hidamari('build', '--out', join(folder, 'plain'), '--citygml', city)));
  const reference = JSON.stringify(await fingerprints(datasetIn('plain')));
  const { url } = await RedisServer.start({ after: (end) => ends.push(end) });
  const next = randomFrom(Number(values.seed));
  let kills = 0;
  let builds = 0;
  let same = 0;
  let seconds = 0;
  while (kills < Number(values.kills)) {
    const name = `build-${builds++}`;
    const shared = ['--queue', url, '--store', join(folder, `${name}-store`), '--lock', String(LOCK_S)];
    const coordinator = hidamari('build', '--out', join(folder, name), '--citygml', city, ...shared);
    const done = ended(coordinator);
    seconds += await timed(async () => {
      let worker: ChildProcess | null = null;
      while (coordinator.exitCode === null) {
        worker = hidamari('work', '--workers', values.workers, ...shared);
        const until = kills < Number(values.kills) ? 800 + next() * plain * 1000 : 1e9;
        await Promise.race([done, delay(until, null, { ref: false })]);
        worker.kill('SIGKILL');
        if (coordinator.exitCode === null) kills++;
      }
      await done;
    });
    if (JSON.stringify(await fingerprints(datasetIn(name))) === reference) same++;
    for (const left of [name, `${name}-store`]) rmSync(join(folder, left), { recursive: true, force: true });
  }
  console.log(`one machine: ${plain.toFixed(1)} s`);
  console.log(
    `${kills} workers killed (seed ${values.seed}) in ${builds} builds of ${(seconds / builds).toFixed(1)} s each`,
  );
  console.log(`${same} of ${builds} datasets have the bytes of one machine in every file`);
  if (same < builds) process.exitCode = 1;
}

async function generated(): Promise<string> {
  const city = join(folder, 'city');
  const towns = townsInSquares(12, 60);
  await writeFiles(city, Object.fromEntries(towns.map((houses, i) => [`town${i}.gml`, cityGml(houses)])));
  return city;
}

function hidamari(...args: string[]): ChildProcess {
  const child = spawn(process.execPath, [CLI, ...args], { env: ENV, stdio: ['ignore', 'ignore', 'inherit'] });
  ends.push(() => child.kill('SIGKILL'));
  return child;
}

async function ended(child: ChildProcess): Promise<void> {
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${child.spawnargs.join(' ')}: ended with ${code}`);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

function datasetIn(out: string): string {
  const [dataset] = readdirSync(join(folder, out)).filter((name) => !name.startsWith('.'));
  if (dataset === undefined) throw new Error(`${out}: no dataset`);
  return join(folder, out, dataset);
}
