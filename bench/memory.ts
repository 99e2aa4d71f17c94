import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { tileAt } from '../src/geo/web-tile.ts';
import { Client } from './serving/client.ts';
import { LiveMemory, memory } from './serving/process-figures.ts';
import { type RunningServer, startServer } from './serving/server.ts';
import { onlyDataset } from './serving/soak.ts';
import { computedTargets, type Place, type SquareTargets, shuffled } from './serving/targets.ts';

// Measures the memory of a server with full caches: it gets every kind of request for random buildings and places.
//
//   npm run bench:memory -- [--minutes 5] [--clients 8] DATA_FOLDER [-- arguments of serve]
//
// Prints a line every 20 seconds. There is no budget: docs/operating.md has the figures.

const SECONDS_PER_SAMPLE = 20;
const SQUARES = 400;
const BUILDINGS = 8000;
const ZOOMS = [12, 13, 14, 15, 16];

const { values, positionals } = parseArgs({
  options: { minutes: { type: 'string', default: '5' }, clients: { type: 'string', default: '8' } },
  allowPositionals: true,
});
const [data, ...args] = positionals;
if (data === undefined) throw new Error('usage: npm run bench:memory -- [--minutes 5] [--clients 8] DATA_FOLDER');

const folder = mkdtempSync(join(tmpdir(), 'hidamari-memory-'));
try {
  const live = new LiveMemory(join(folder, 'live'));
  const open = ['--rate-limit', 'off', '--page-limit', 'off', '--point', 'on', '--log-level', 'warn'];
  const server = await startServer(['--data', data, ...open, ...args], live);
  try {
    const paths = await everyPath(data, server);
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
        // Other benches check the status: a random page may be that of a floor that does not exist.
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
    server.child.kill('SIGKILL');
  }
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

/** Paths of each kind of request, for random buildings of the whole city. */
async function everyPath(data: string, { url }: RunningServer): Promise<string[][]> {
  const squares = await computedTargets(data, SQUARES, BUILDINGS);
  const of = (kind: keyof SquareTargets): string[] => shuffled(squares.flatMap((square) => square[kind]));
  const summaries = of('summaries');
  const pages = summaries.map((path) => path.replace('/api/v1', ''));
  const places = of('points').map((path) => new URL(path, url).searchParams);
  const at = places.map((place) => ({ lat: Number(place.get('lat')), lon: Number(place.get('lon')) }));
  const towns = (await dataOf(`${url}/sunlight/towns.json`)) as { town_code: string }[];
  return [
    ...[summaries, summaries.map((path) => `${path}/full`), of('floors'), of('points'), of('skies')],
    at.map(({ lat, lon }) => `/api/v1/sunlight/near?lat=${lat.toFixed(6)}&lon=${lon.toFixed(6)}&r=100`),
    shuffled(towns.map(({ town_code }) => `/api/v1/sunlight/town/${town_code}/buildings`)),
    pages.map((path) => `${path}/`),
    pages.map((path) => `${path}/sun.svg`),
    pages.map((path) => `${path}/3d/`),
    tilesAt(at, onlyDataset(data)),
  ];
}

async function dataOf(address: string): Promise<unknown> {
  return ((await (await fetch(address)).json()) as { data: unknown }).data;
}

function tilesAt(places: readonly Place[], dataset: string): string[] {
  const id = dataset.slice(dataset.lastIndexOf('/') + 1);
  const tiles = places.flatMap(({ lat, lon }) => ZOOMS.map((zoom) => tileAt(zoom, lat, lon)));
  return shuffled(tiles.map(({ z, x, y }) => `/tiles/${id}/${z}/${x}/${y}.mvt`));
}
