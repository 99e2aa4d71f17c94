import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setInterval } from 'node:timers/promises';
import { CLI } from '../test/support/run.ts';
import { cityGml, townsInSquares, writeFiles } from '../test/support/small-city.ts';
import { tempFolder } from '../test/support/temp-folder.ts';
import { readProc } from './build/measure.ts';

/** Number of houses in a grid square of the generated cities, as in a suburb of Tokyo. */
const HOUSES = 500;
const POLL_MS = 50;

interface MemoryRow {
  buildings: number;
  squares: number;
  coordinator_mb: number;
  worker_mb: number;
  dataset_mb: number;
  seconds: number;
}

/**
 * Builds a city of this number of grid squares with a queue. Returns the peak memory of the coordinator and the worker.
 */
export async function memoryRow(squares: number, redis: string): Promise<MemoryRow> {
  const ends: (() => unknown)[] = [];
  const folder = tempFolder({ after: (end) => ends.push(end) });
  try {
    const city = join(folder, 'city');
    const towns = townsInSquares(squares, HOUSES);
    await writeFiles(city, Object.fromEntries(towns.map((houses, i) => [`town${i}.gml`, cityGml(houses)])));
    const shared = ['--queue', redis, '--store', join(folder, 'store'), '--workers', '1'];
    const start = performance.now();
    const worker = hidamari(['work', ...shared, '--cache', folder]);
    const build = hidamari(['build', ...shared, '--out', join(folder, 'data'), '--citygml', city, '--json']);
    const [coordinator, helper] = [peakOf(build.child), peakOf(worker.child)];
    const { dataset } = JSON.parse(await build.printed);
    const seconds = (performance.now() - start) / 1000;
    worker.child.kill('SIGTERM');
    await worker.printed;
    const { files } = JSON.parse(readFileSync(join(dataset, 'manifest.json'), 'utf8'));
    const bytes = Object.values<{ bytes: number }>(files).reduce((sum, file) => sum + file.bytes, 0);
    return {
      buildings: squares * HOUSES,
      squares,
      coordinator_mb: Math.round(await coordinator),
      worker_mb: Math.round(await helper),
      dataset_mb: Math.round(bytes / 1e6),
      seconds: Math.round(seconds),
    };
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

/** Runs a program; returns its output when it ends with exit code 0. */
function hidamari(args: string[]): { child: ChildProcess; printed: Promise<string> } {
  const env = { ...process.env, SOURCE_DATE_EPOCH: '1790000000' };
  const child = spawn(process.execPath, [CLI, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, err]: [string[], string[]] = [[], []];
  child.stdout.on('data', (text) => out.push(String(text)));
  child.stderr.on('data', (text) => err.push(String(text)));
  const printed = once(child, 'close').then(([code]) => {
    if (code === 0) return out.join('');
    throw new Error(`${args[0]} has ended with ${code}: ${err.join('').slice(-500)}`);
  });
  return { child, printed };
}

/** Peak resident memory (Linux) of a process, MB, after it has ended. */
async function peakOf({ pid = 0 }: ChildProcess): Promise<number> {
  let peak = 0;
  for await (const _ of setInterval(POLL_MS)) {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readProc(pid, 'status')) ?? [];
    if (kilobytes === undefined) return peak;
    peak = Number(kilobytes) / 1000;
  }
  return peak;
}
