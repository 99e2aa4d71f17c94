import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { tileAt } from '../src/map/tile-grid.ts';
import { Client } from './serving/client.ts';
import { LiveMemory, memory } from './serving/process-figures.ts';
import { type RunningServer, startServer } from './serving/server.ts';
import { onlyDataset } from './serving/soak.ts';
import { computedTargets, everySeries, type Place, shuffled } from './serving/targets.ts';

// What a server of a dataset takes of memory once its caches are full: every kind of request, about things drawn by chance.
//   npm run bench:memory -- [--minutes 5] [--clients 8] DATA_FOLDER [-- arguments of serve]
// Prints a line every 20 seconds. There is no bar: docs/performance.md has the figures.

const SECONDS_PER_SAMPLE = 20;
const SQUARES = 200;
const COMPUTED = 1000;
const PAGES = 1000;
const ZOOMS = [12, 13, 14, 15, 16];

const { values, positionals } = parseArgs({
  options: { minutes: { type: 'string', default: '5' }, clients: { type: 'string', default: '8' } },
  allowPositionals: true,
});
const [data, ...args] = positionals;
if (data === undefined) throw new Error('usage: npm run bench:memory -- [--minutes 5] [--clients 8] DATA_FOLDER');

const folder = mkdtempSync(join(tmpdir(), 'hidamari-memory-'));
try {
  const paths = await everyPath(data);
  const live = new LiveMemory(join(folder, 'live'));
  const open = ['--rate-limit', 'off', '--page-limit', 'off', '--point', 'on', '--log-level', 'warn'];
  const server = await startServer(['--data', data, ...open, ...args], live);
  await show(server, live, 0, 0);
  const begin = performance.now();
  let asked = 0;
  let next = begin + SECONDS_PER_SAMPLE * 1000;
  const end = begin + Number(values.minutes) * 60_000;
  const clients = Array.from({ length: Number(values.clients) }, async () => {
    const client = new Client(server.port);
    while (performance.now() < end) {
      const group = paths[asked % paths.length];
      const path = group?.[Math.floor(asked++ / paths.length) % group.length];
      // What is not 200 is judged by other benches: a page may be that of a floor which is not there.
      if (path !== undefined) await client.get(path).catch(() => {});
    }
    client.close();
  });
  const sampling = (async () => {
    for (; next < end; next += SECONDS_PER_SAMPLE * 1000) {
      await new Promise((resolve) => setTimeout(resolve, next - performance.now()));
      await show(server, live, (performance.now() - begin) / 1000, asked);
    }
  })();
  await Promise.all([...clients, sampling]);
  await show(server, live, (performance.now() - begin) / 1000, asked);
  process.exitCode = (await server.stop()) === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function show({ child, pid }: RunningServer, live: LiveMemory, seconds: number, asked: number): Promise<void> {
  const inUse = await live.of(child);
  const { ownMb, fileMb } = memory(pid);
  console.log(
    `${seconds.toFixed(0).padStart(5)} s ${String(asked).padStart(8)} requests, memory in use ${inUse.toFixed(1)} MB, ` +
      `of its own ${ownMb.toFixed(0)} MB, of files ${fileMb.toFixed(0)} MB`,
  );
}

/** Paths of each kind of request, in an order of chance. */
async function everyPath(data: string): Promise<string[][]> {
  const { series, places } = await everySeries(data);
  const squares = await computedTargets(data, SQUARES, COMPUTED);
  const of = (kind: 'floors' | 'points' | 'skies'): string[] => shuffled(squares.flatMap((square) => square[kind]));
  const ids = squares.flatMap(({ summaries }) => summaries.map((path) => path.slice(path.lastIndexOf('/') + 1)));
  const pages = shuffled(ids)
    .slice(0, PAGES)
    .map((id) => `/sunlight/building/${id}/`);
  const drawings = shuffled(ids)
    .slice(0, PAGES)
    .map((id) => `/sunlight/building/${id}/sun.svg`);
  const asked = series.filter(({ operation }) => !operation.endsWith('-bulk')).map(({ paths }) => paths);
  return [...asked, of('floors'), of('points'), of('skies'), pages, drawings, tilesAt(places, onlyDataset(data))];
}

function tilesAt(places: readonly Place[], dataset: string): string[] {
  const id = dataset.slice(dataset.lastIndexOf('/') + 1);
  return shuffled(
    places.flatMap(({ lat, lon }) =>
      ZOOMS.map((zoom) => {
        const { z, x, y } = tileAt(zoom, lat, lon);
        return `/tiles/${id}/${z}/${x}/${y}.mvt`;
      }),
    ),
  );
}
