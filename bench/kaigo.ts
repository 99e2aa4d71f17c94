import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeNationalLists } from '../samples/kaigo-national.ts';
import { NO_FILTER } from '../src/dataset/kaigo-table.ts';
import { openNewest } from '../src/dataset/open.ts';
import { build } from '../src/pipeline/build.ts';

/**
 * The care half measured: `npm run bench:kaigo`. Builds the real office lists and a national set of 260,000 rows made
 * from them, each in a process of its own, and compares a municipality's table with bare `node:http` sending the same
 * bytes, in turn, by the medians of what each answers in a second of CPU time.
 */
const REAL = fileURLToPath(new URL('../../shared/data/kaigo/', import.meta.url));
const ROWS = 260_000;
const ROUNDS = 5;
const SECONDS = 1.5;
const CONNECTIONS = 8;

interface Measured {
  seconds: number;
  cpuSeconds: number;
  peakMb: number;
}

if (process.argv[2] === 'build') await measureBuild(process.argv[3], process.argv[4], process.argv.slice(5));
else if (process.argv[2] === 'bare') await serveBare();
else if (!existsSync(REAL)) console.log('the real office lists are not here: ../shared/data/kaigo');
else await all();

async function all(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'hidamari-bench-'));
  try {
    const offices = join(REAL, 'offices');
    const details = [join(REAL, 'tokuyo_detail_tokyo_saitama.csv')];
    show('eight real lists', builtApart(join(folder, 'real'), offices, details), '< 15 s');
    const national = join(folder, 'lists');
    const rows = writeNationalLists(offices, national, ROWS);
    const measured = builtApart(join(folder, 'national'), national, details);
    show(`${rows} rows`, measured, '< 120 s, < 1000 MB');
    console.log(`  dataset: ${(sizeOf(join(folder, 'national')) / 1e6).toFixed(0)} MB`);
    await measureCases(join(folder, 'national'));
    await compareTable(join(folder, 'real'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function show(what: string, { seconds, cpuSeconds, peakMb }: Measured, wanted: string): void {
  console.log(
    `${what}: ${seconds.toFixed(1)} s (CPU ${cpuSeconds.toFixed(1)} s), peak ${peakMb.toFixed(0)} MB; wanted ${wanted}`,
  );
}

/** Builds in a process of its own, so that its memory is its own. */
function builtApart(out: string, offices: string, details: string[]): Measured {
  const args = [fileURLToPath(import.meta.url), 'build', out, offices, ...details];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout.trim().split('\n').at(-1)!);
}

async function measureBuild(out: string, offices: string, details: string[]): Promise<void> {
  const start = performance.now();
  await build({
    out,
    citygml: [],
    towns: [],
    readings: null,
    offices: [offices],
    details,
    fees: null,
    asOf: '2026-11-20',
    workers: 1,
    resume: false,
    base: null,
    keepGoing: false,
    generatedAt: '2026-11-20T00:00:00Z',
  });
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const measured: Measured = {
    seconds: (performance.now() - start) / 1000,
    cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
    peakMb: maxRSS / 1024,
  };
  console.log(JSON.stringify(measured));
}

/** Fee-based homes of Yokohama: the first hundred of 217 rows, in two orders. */
async function compareTable(data: string): Promise<void> {
  const main = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));
  const server = spawn(process.execPath, [main, 'serve', '--data', data, '--port', '0', '--rate-limit', 'off'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  try {
    const port = await portOf(server);
    for (const sort of ['id', 'cost', 'cost&care_level=4&income=3-1']) {
      const path = `/api/v1/kaigo/municipality/141003/331?sort=${sort}`;
      const body = await (await fetch(`http://127.0.0.1:${port}${path}`)).text();
      const bare = spawn(process.execPath, [fileURLToPath(import.meta.url), 'bare'], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      bare.stdin.end(body);
      const barePort = await portOf(bare);
      const rates = { bare: [] as number[], ours: [] as number[] };
      for (let round = 0; round < ROUNDS; round++) {
        rates.bare.push(await rateOf(bare, barePort, path));
        rates.ours.push(await rateOf(server, port, path));
      }
      bare.kill();
      const [a, b] = [median(rates.bare), median(rates.ours)];
      console.log(
        `table sorted by ${sort} (${Buffer.byteLength(body)} bytes): ${b.toFixed(0)} answers per CPU second, ` +
          `bare node:http ${a.toFixed(0)}: ratio ${(b / a).toFixed(2)}; wanted ${sort.includes('&') ? 0.3 : 0.5}`,
      );
    }
  } finally {
    server.kill();
  }
}

/** The first page of the largest table, for each case that a family can have, none of them asked before. */
async function measureCases(data: string): Promise<void> {
  const { dataset } = await openNewest(data);
  if (dataset === null) throw new Error('no dataset');
  try {
    const { kaigo } = dataset;
    if (kaigo === null) throw new Error('no care half');
    const tables = kaigo
      .municipalities()
      .flatMap(({ municipality_code, services }) =>
        services
          .filter(({ service_code }) => ['331', '510', '520'].includes(service_code))
          .map(({ service_code, facilities }) => ({ municipality_code, service_code, facilities })),
      );
    const [largest] = tables.sort((a, b) => Math.abs(a.facilities - 300) - Math.abs(b.facilities - 300));
    if (largest === undefined) throw new Error('no table');
    const milliseconds: number[] = [];
    for (const careLevel of [1, 2, 3, 4, 5]) {
      for (const income of ['1', '2', '3-1', '3-2', 'taxed_380', 'taxed_690'] as const) {
        const wanted = { careLevel, copaymentPercent: 10, income, room: null };
        const before = process.cpuUsage();
        kaigo.municipality(largest.municipality_code, largest.service_code, 'cost', 1, 100, {
          case: wanted,
          filter: NO_FILTER,
        });
        const { user, system } = process.cpuUsage(before);
        milliseconds.push((user + system) / 1000);
      }
    }
    console.log(
      `table of ${largest.facilities} facilities for a case not asked before: ${median(milliseconds).toFixed(2)} ms ` +
        `(most ${Math.max(...milliseconds).toFixed(2)} ms); wanted 5 ms`,
    );
  } finally {
    await dataset.close();
  }
}

/** A server that sends what it was given on its standard input, and nothing else. */
async function serveBare(): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const length = String(body.length);
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': length });
    response.end(body);
  });
  server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as { port: number }).port}`));
}

/** The port that a server's first lines name. */
function portOf(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const read = (chunk: Buffer) => {
      text += chunk;
      const port = /127\.0\.0\.1:(\d+)/.exec(text)?.[1];
      if (port !== undefined) resolve(port);
    };
    server.stdout?.on('data', read);
    server.stderr?.on('data', read);
    server.on('exit', () => reject(new Error(`no server: ${text}`)));
  });
}

/**
 * Answers per second of the server's CPU time, over some connections that each wait for an answer before they ask
 * again: what else runs on the machine hardly matters.
 */
async function rateOf(server: ChildProcess, port: string, path: string): Promise<number> {
  const until = performance.now() + SECONDS * 1000;
  const before = cpuSeconds(server.pid!);
  const counts = await Promise.all(Array.from({ length: CONNECTIONS }, () => askUntil(port, path, until)));
  return counts.reduce((a, b) => a + b, 0) / (cpuSeconds(server.pid!) - before);
}

/** CPU time that a process has used, of all its threads (Linux: proc(5), utime and stime in hundredths of a second). */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function askUntil(port: string, path: string, until: number): Promise<number> {
  const request = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(request));
    let count = 0;
    let left = 0;
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      if (left === 0) {
        const end = chunk.indexOf('\r\n\r\n');
        left = Number(/content-length: (\d+)/i.exec(chunk.toString('latin1', 0, end))![1]) + end + 4;
      }
      left -= chunk.length;
      if (left > 0) return;
      count++;
      if (performance.now() < until) socket.write(request);
      else {
        socket.destroy();
        resolve(count);
      }
    });
  });
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1];
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}
