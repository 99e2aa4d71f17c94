import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildRealSample } from '../samples/real/build.ts';
import { browserPath } from '../test/site/support/browser.ts';
import { firstPaints, type PaintedPage, PHONE } from './pages/first-paint.ts';
import { visitorTasks } from './pages/tasks.ts';
import { startBare } from './serving/bare.ts';
import { Client, Load } from './serving/client.ts';
import { against, cell, print, quantile } from './serving/output.ts';
import { startServer } from './serving/server.ts';

// Measures the pages and the map of the bundled sample against their budgets, in about a minute: `npm run bench:pages`.
// With a data folder as argument it measures that one and builds nothing. The phone is a Chromium with a slow network
// and a quarter of the processor; without a Chromium its rows say so.

const ACCEPT = 'Accept-Encoding: br, gzip\r\n';
const CONNECTIONS = 4;
const TURN_MS = 500;
/** Number of buildings: enough for different squares, few enough for a minute. */
const BUILDINGS = 40;
const ZOOMS = [8, 9, 10, 11, 12, 13, 14, 15];

const folder = mkdtempSync(join(tmpdir(), 'hidamari-bench-'));
try {
  await measure();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  const load = (): string => loadavg()[0]!.toFixed(1);
  print(`processors ${availableParallelism()}, load of the machine at the start ${load()}`);
  const data = process.argv[2] ?? folder;
  if (data === folder) await measureBuild();
  const server = await startServer(['--data', data, '--page-limit', 'off', '--rate-limit', 'off']);
  try {
    const pages = await examplePages(server.url);
    await measurePages(pages, server);
    await measureAnyFloor(server.url, pages);
    await measureTiles(server);
    const painted: PaintedPage[] = [
      { name: 'home', path: '/', budgetMs: 1000 },
      { name: 'building', path: pages.building, budgetMs: 1000 },
      { name: 'care table', path: pages['care table'], budgetMs: 1000 },
      { name: 'map', path: '/map/', budgetMs: 1500 },
    ];
    const browser = browserPath();
    if (browser === null) print('first paint: not measured, no Chromium on this machine');
    else {
      print(`phone: ${PHONE}`);
      for (const line of await firstPaints(browser, server.url, painted)) print(line);
      for (const line of await visitorTasks(browser, server.url)) print(line);
    }
  } finally {
    await server.stop();
  }
  print(`load of the machine at the end ${load()}`);
}

async function measureBuild(): Promise<void> {
  const [start, processor] = [performance.now(), process.cpuUsage()];
  const workers = availableParallelism();
  await buildRealSample({ out: folder, asOf: '2026-10-01', workers, generatedAt: '2026-10-01T00:00:00Z' });
  const { user, system } = process.cpuUsage(processor);
  const seconds = (performance.now() - start) / 1000;
  print(`sample build: ${seconds.toFixed(1)} s (${against(seconds, 15)}), CPU ${((user + system) / 1e6).toFixed(1)} s`);
}

interface ExamplePages {
  building: string;
  'care table': string;
  town: string;
}

/** Pages that exist in this dataset, from the examples of the landing document. */
async function examplePages(url: string): Promise<ExamplePages> {
  const { data } = (await (await fetch(`${url}/index.json`)).json()) as { data: { urls: { url: string }[] } };
  const found = (pattern: RegExp): string => {
    const match = data.urls.map((one) => pattern.exec(one.url)).find((one) => one !== null);
    if (match == null) throw new Error(`the server names no example like ${pattern}`);
    return match[1]!;
  };
  return {
    building: `/sunlight/building/${found(/building\/([\w-]+)\/full/)}/`,
    town: `/sunlight/town/${found(/town\/(\d+)\/buildings$/)}/`,
    'care table': `/kaigo/${found(/municipality\/(\d{6}\/\d{3})$/)}/`,
  };
}

/** Bytes over the wire and times of pages, beside plain `node:http` that sends the same bodies. */
async function measurePages(pages: ExamplePages, server: { url: string; port: number; pid: number }): Promise<void> {
  print('page           bytes (br)   p50 ms  p99 ms  answers/s  of bare');
  for (const [name, path] of Object.entries({ home: '/', ...pages, map: '/map/', search: '/search/' })) {
    const coded = (await bodyOf(server.port, path, ACCEPT)).length;
    const bodies = join(folder, 'bodies');
    writeFileSync(bodies, `${JSON.stringify([path, (await bodyOf(server.port, path, '')).toString()])}\n`);
    const bare = await startBare(bodies);
    const loads = [new Load(server, [path], CONNECTIONS, ''), new Load(bare, [path], CONNECTIONS, '')] as const;
    const [mine, theirs] = [await loads[0].run(TURN_MS), await loads[1].run(TURN_MS)];
    for (const one of loads) one.close();
    bare.child.kill();
    const [p50, p99] = [quantile(mine.times, 0.5), quantile(mine.times, 0.99)];
    print(
      `${name.padEnd(14)} ${cell(coded, 10)} ${cell(p50, 8, 2)} ${cell(p99, 7, 2)} ${cell(mine.rate, 10)} ${cell(mine.rate / theirs.rate, 8, 2)}  bytes ${against(coded, 60 * 1024)}`,
    );
  }
}

/** Buildings of a town with their second floor, in order, for requests of floors that were not requested before. */
async function measureAnyFloor(url: string, { town }: ExamplePages): Promise<void> {
  const answer = await fetch(`${url}${town}index.json`);
  const { data } = (await answer.json()) as { data: { buildings: { building_id: string; storeys: number | null }[] } };
  const tall = data.buildings.filter(({ storeys }) => (storeys ?? 0) >= 4).slice(0, BUILDINGS);
  const times: number[] = [];
  for (const { building_id } of tall) {
    const begin = performance.now();
    const page = await fetch(`${url}/sunlight/building/${building_id}/?floor=2`);
    await page.arrayBuffer();
    if (page.status === 200) times.push(performance.now() - begin);
  }
  const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)];
  print(
    `building, a floor that is computed (${times.length} of them): p50 ${p50.toFixed(1)} ms (${against(p50, 60)}), p99 ${p99.toFixed(1)} ms`,
  );
}

async function measureTiles(server: { url: string; port: number; pid: number }): Promise<void> {
  const { dataset_id } = (await (await fetch(`${server.url}/readyz`)).json()) as { dataset_id: string };
  const { data } = (await (await fetch(`${server.url}/sunlight/towns.json`)).json()) as {
    data: { lat: number; lon: number }[];
  };
  const [lats, lons] = [data.map(({ lat }) => lat), data.map(({ lon }) => lon)];
  const all: string[] = [];
  print('tiles (gzip)   tiles   p50 KB   p95 KB   max KB');
  for (const zoom of ZOOMS) {
    const xs = lons.map((lon) => Math.floor(((lon + 180) / 360) * 2 ** zoom));
    const ys = lats.map((lat) =>
      Math.floor((0.5 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI)) * 2 ** zoom),
    );
    const sizes: number[] = [];
    for (let x = Math.min(...xs); x <= Math.max(...xs); x++) {
      for (let y = Math.min(...ys); y <= Math.max(...ys); y++) {
        const path = `/tiles/${dataset_id}/${zoom}/${x}/${y}.mvt`;
        const tile = await fetch(server.url + path, { headers: { 'accept-encoding': 'gzip' } });
        await tile.arrayBuffer();
        if (tile.status !== 200) continue;
        sizes.push(Number(tile.headers.get('content-length')) / 1000);
        all.push(path);
      }
    }
    if (sizes.length === 0) continue;
    const [p50, p95] = [quantile(sizes, 0.5), quantile(sizes, 0.95)];
    const budget = zoom === 15 ? `   p95 ${against(p95, 250)}, max ${against(Math.max(...sizes), 500)}` : '';
    print(
      `zoom ${String(zoom).padEnd(9)} ${cell(sizes.length, 5)} ${cell(p50, 8, 1)} ${cell(p95, 8, 1)} ${cell(Math.max(...sizes), 8, 1)}${budget}`,
    );
  }
  const load = new Load(server, all, CONNECTIONS, ACCEPT);
  await load.run(TURN_MS);
  const { rate, cpu } = await load.run(TURN_MS * 4);
  load.close();
  print(
    `tiles served: ${rate.toFixed(0)} a second (${rate >= 5000 ? 'within' : 'OVER'}: at least 5000), CPU ${cpu.toFixed(0)} µs each`,
  );
}

async function bodyOf(port: number, path: string, headers: string): Promise<Buffer> {
  const client = new Client(port, headers);
  const body = Buffer.concat(await client.get(path));
  client.close();
  return body;
}
