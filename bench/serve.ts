import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openNewest } from '../src/dataset/open.ts';
import { Load, type Turn } from './serving/client.ts';
import { compareWithBare } from './serving/compare.ts';
import { cell, print, quantile } from './serving/output.ts';
import { findPostgis, Postgis } from './serving/postgis.ts';
import { memory, processorMicroseconds } from './serving/process-figures.ts';
import { builtSample } from './serving/sample.ts';
import { type RunningServer, startServer } from './serving/server.ts';
import { everySeries, NEAR_RADIUS, type Place, type Series } from './serving/targets.ts';

// Measures the server: its start, every operation beside plain node:http that sends the same bodies, and `near` beside
// PostGIS, all in one run.
//
//   npm run bench:serve -- [--seconds 5] [--only OPERATION] [DATA_FOLDER]     (without a folder: the bundled sample)
//
// The client is this process; each server has its own. They take short turns, and each ratio is the median over the
// turns, so that other work of the machine affects all alike. Ratios of processor times (Linux only) do not depend on
// other work. Requests are in random order and for different things, where possible for more of them than the server
// caches.

const CONNECTIONS = 16;
const TURN_MS = 250;
const WARM_UP_MS = 1500;
const STARTS = 5;
/** Turns of PostGIS are longer, since each starts its own client. */
const POSTGIS_TURNS = 3;
const NEAR_LIMIT = 50;
/** Limits for the start on an idle machine, milliseconds, and for the memory of the server after it, MB. */
const START_BUDGET = { ms: 500, residentMb: 150 };
/**
 * Least rate and processor-time ratio of an operation, as a share of plain node:http that encodes the text of each
 * answer.
 */
const BARS: Readonly<Record<string, number>> = {
  'sunlight-building': 0.75,
  'sunlight-building-full': 0.6,
  'sunlight-near': 1,
  'sunlight-town-buildings': 0.6,
  'kaigo-municipality': 0.6,
};

const { values, positionals } = parseArgs({
  options: { seconds: { type: 'string', default: '5' }, only: { type: 'string', default: '' } },
  allowPositionals: true,
});
const turns = Math.max(3, Math.round((Number(values.seconds) * 1000) / TURN_MS / 2));

const folder = mkdtempSync(join(tmpdir(), 'hidamari-bench-'));
try {
  await measure(positionals[0] ?? (await builtSample(folder)));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(data: string): Promise<void> {
  await measureStart(data);
  const { series, places } = await everySeries(data);
  // The log goes out of the process, as in production.
  const server = await startServer(['--data', data, '--rate-limit', 'off']);
  try {
    print(
      '\noperation                     bytes  of   req/s  p50 ms  p99 ms  of bare    CPU µs  of bare   bar  of ready bytes',
    );
    for (const one of series) if (one.operation.includes(values.only)) await compare(one, server);
    await comparePostgis(data, places, server);
    const { residentMb, ownMb } = memory(server.pid);
    print(`\nafter all this: resident ${residentMb.toFixed(0)} MB, its own ${ownMb.toFixed(0)} MB`);
  } finally {
    await server.stop();
  }
}

async function measureStart(data: string): Promise<void> {
  const starts: { ms: number; cpuMs: number; residentMb: number; ownMb: number }[] = [];
  for (let i = 0; i < STARTS; i++) {
    const server = await startServer(['--data', data, '--log-level', 'warn']);
    const cpuMs = processorMicroseconds(server.pid) / 1000;
    starts.push({ ms: server.startMs, cpuMs, ...memory(server.pid) });
    await server.stop();
  }
  const of = (name: keyof (typeof starts)[0]): string =>
    quantile(
      starts.map((start) => start[name]),
      0.5,
    ).toFixed(0);
  print(`start to first answer ${of('ms')} ms (budget ${START_BUDGET.ms}), CPU ${of('cpuMs')} ms`);
  print(
    `resident then ${of('residentMb')} MB (budget ${START_BUDGET.residentMb}), its own ${of('ownMb')} MB; medians of ${STARTS}`,
  );
}

async function compare({ operation, paths }: Series, server: RunningServer): Promise<void> {
  const one = await compareWithBare(paths, server, { folder, turns, connections: CONNECTIONS });
  const cells = [
    operation.padEnd(26),
    cell(one.bytes, 7),
    cell(paths.length, 6),
    cell(one.rate, 8),
    cell(one.p50, 8, 2),
    cell(one.p99, 8, 2),
    cell(one.rateOfBare, 9, 2),
    cell(one.cpu, 10, 1),
    cell(one.cpuOfBare, 9, 2),
    (BARS[operation]?.toFixed(2) ?? '').padStart(6),
    cell(one.cpuOfReadyBytes, 16, 2),
  ];
  print(cells.join(''));
}

/** The nearest 50 buildings of the same places, from the server over HTTP and from PostGIS over its own protocol. */
async function comparePostgis(data: string, places: readonly Place[], server: RunningServer): Promise<void> {
  if (places.length === 0) return;
  const found = findPostgis();
  if ('missing' in found) return print(`\nnear beside PostGIS: ${found.missing}`);
  const { dataset } = await openNewest(data);
  const [path, id] = [dataset!.folder, dataset!.manifest.dataset_id];
  await dataset!.close();
  const postgis = new Postgis(found.bin);
  const near = places.map(({ lat, lon }) => `/api/v1/sunlight/near?lat=${lat}&lon=${lon}&r=${NEAR_RADIUS}`);
  let load: Load | null = null;
  try {
    await postgis.start(path, places);
    const seconds = Math.max(1, Number(values.seconds) / POSTGIS_TURNS);
    await postgis.nearest(NEAR_RADIUS, NEAR_LIMIT, CONNECTIONS, seconds);
    load = new Load(server, near, CONNECTIONS);
    await load.run(WARM_UP_MS);
    const pairs: [Turn, { rate: number; cpu: number }][] = [];
    for (let i = 0; i < POSTGIS_TURNS; i++) {
      const ours = await load.run(seconds * 1000);
      pairs.push([ours, await postgis.nearest(NEAR_RADIUS, NEAR_LIMIT, CONNECTIONS, seconds)]);
    }
    const of = (figure: (pair: (typeof pairs)[0]) => number, digits: number): string =>
      quantile(pairs.map(figure), 0.5).toFixed(digits);
    print(`\nnear, ${NEAR_LIMIT} within ${NEAR_RADIUS} m, dataset ${id}, beside PostGIS with GiST (budget 5 times):`);
    print(
      `  ${of(([a]) => a.rate, 0)} a second, PostGIS ${of(([, b]) => b.rate, 0)}: ${of(([a, b]) => a.rate / b.rate, 1)} times`,
    );
    print(
      `  CPU ${of(([a]) => a.cpu, 0)} µs, PostGIS ${of(([, b]) => b.cpu, 0)} µs: ${of(([a, b]) => b.cpu / a.cpu, 1)} times`,
    );
  } finally {
    load?.close();
    await postgis.stop();
  }
}
