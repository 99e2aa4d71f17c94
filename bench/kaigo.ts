import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeNationalLists } from '../samples/kaigo-national.ts';
import type { Case } from '../src/contract/kaigo-cost.ts';
import type { KaigoAnswers } from '../src/dataset/kaigo.ts';
import { NO_FILTER, STANDARD_REQUEST } from '../src/dataset/kaigo.ts';
import { openNewest } from '../src/dataset/open.ts';
import { listZip, openZipEntry } from '../src/formats/zip.ts';
import { type BuildOptions, build } from '../src/pipeline/build.ts';
import { compareWithBare } from './serving/compare.ts';
import { cell, print, quantile } from './serving/output.ts';
import { startServer } from './serving/server.ts';

// Measures the care half: a table of 300 homes for the cases of families and in the usual orders, beside plain
// node:http that sends the same bytes; and builds of the published lists and of a national set made from them.
//
//   npm run bench:kaigo -- [--only tables|builds]
//
// The homes are real ones with their own rooms and fees, from the bundled list of service 510, moved into one
// municipality. Budgets: 5 ms of processor time for a table; 2 minutes and 1 GB for the national build. No table is
// cached: each page is made from the rows of the store. Ratios and processor time depend less on other work of the
// machine than elapsed time does.

const SELF = fileURLToPath(import.meta.url);
const REAL = fileURLToPath(new URL('../../shared/data/kaigo/', import.meta.url));
const BUNDLED = fileURLToPath(new URL('../samples/real/', import.meta.url));
const NATIONAL_ROWS = 260_000;
const HOMES = 300;
/** Setagaya, only because it is large. */
const PLACE = { code: '131121', name: '世田谷区' };
const SERVICE = '510';
const TURNS = 12;
const CONNECTIONS = 8;
/** Number of repeated answers of each page, within the process. */
const AGAIN = 20;

/** Every care level in every income stage but the standard one. */
const CASES = casesOf(10, null);
/** Cases that are requested before the measurement, so that the code is compiled. */
const OTHERS = [...casesOf(10, 'unit'), ...casesOf(10, 'private'), ...casesOf(10, 'shared')];

function casesOf(copaymentPercent: number, room: Case['room']): Case[] {
  return (['1', '2', '3-1', '3-2', 'taxed_380', 'taxed_690'] as const).flatMap((income) =>
    [1, 2, 3, 4, 5].map((careLevel) => ({ ...STANDARD_REQUEST.case, careLevel, copaymentPercent, income, room })),
  );
}

const { values, positionals } = parseArgs({
  options: { only: { type: 'string', default: '' } },
  allowPositionals: true,
});
if (positionals[0] === 'build') await measureBuild(positionals.slice(1));
else await all(values.only);

async function all(only: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'hidamari-bench-'));
  try {
    const lists = join(folder, 'bundled');
    await unpack('offices.zip', lists);
    if (only !== 'builds') await measureTables(folder, lists);
    if (only !== 'tables') measureBuilds(folder, lists);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function unpack(zip: string, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const entry of await listZip(join(BUNDLED, zip))) {
    const pieces: Uint8Array[] = [];
    for await (const piece of openZipEntry(join(BUNDLED, zip), entry)) pieces.push(piece);
    writeFileSync(join(folder, entry.name), Buffer.concat(pieces));
  }
}

/** The first homes of the bundled list, as if they all stood in one municipality. */
function writeOneTable(lists: string, folder: string): void {
  const name = `jigyosho_${SERVICE}.csv`;
  const [header = '', ...rows] = readFileSync(join(lists, name), 'utf8').trimEnd().split('\r\n');
  const moved = rows.slice(0, HOMES).map((row) => {
    const [, id, prefecture, , ...rest] = row.split(',');
    return [PLACE.code, id, prefecture, PLACE.name, ...rest].join(',');
  });
  mkdirSync(folder);
  writeFileSync(join(folder, name), `${[header, ...moved].join('\r\n')}\r\n`);
}

async function measureTables(folder: string, lists: string): Promise<void> {
  const [offices, data] = [join(folder, 'one'), join(folder, 'table')];
  writeOneTable(lists, offices);
  await build(options(data, offices, [join(BUNDLED, 'details.zip')]));
  await measureFirst(data);
  const path = `/api/v1/kaigo/municipality/${PLACE.code}/${SERVICE}?sort=`;
  const ofCases = CASES.map(({ careLevel, income }) => `${path}cost&care_level=${careLevel}&income=${income}`);
  const server = await startServer(['--data', data, '--rate-limit', 'off']);
  try {
    print('\npage of the table             bytes   p50 ms  p99 ms  CPU µs  of bare  of ready bytes');
    const compare = async (title: string, paths: readonly string[]): Promise<void> => {
      const one = await compareWithBare(paths, server, { folder, turns: TURNS, connections: CONNECTIONS });
      const cells = [cell(one.bytes, 7), cell(one.p50, 9, 2), cell(one.p99, 8, 2), cell(one.cpu, 8)];
      print([title.padEnd(28), ...cells, cell(one.cpuOfBare, 9, 2), cell(one.cpuOfReadyBytes, 16, 2)].join(''));
    };
    await compare(`${CASES.length} cases, by cost`, ofCases);
    await compare(
      'the same, next page',
      ofCases.map((one) => `${one}&page=2`),
    );
    await compare('standard, by id', [`${path}id`]);
    await compare('standard, by cost', [`${path}cost`]);
  } finally {
    await server.stop();
  }
}

/**
 * Measures the first page of a new case, and the same page again, within the process: once in a process that has just
 * started, where much of the time is the compiler, and once in a process that has answered other cases before.
 */
async function measureFirst(data: string): Promise<void> {
  const { dataset } = await openNewest(data);
  if (dataset?.kaigo == null) throw new Error('no care half');
  try {
    const { kaigo } = dataset;
    const fresh = OTHERS.map((wanted) => milliseconds(() => askPage(kaigo, wanted)));
    const first = CASES.map((wanted) => milliseconds(() => askPage(kaigo, wanted)));
    const again = CASES.map((wanted) => {
      const times = Array.from({ length: AGAIN }, () => milliseconds(() => askPage(kaigo, wanted)));
      return quantile(times, 0.5);
    });
    print(`\ntable of ${HOMES} homes for a case          CPU ms, median    most  wanted`);
    const row = (title: string, times: number[]): void =>
      print(`${title.padEnd(40)}${cell(quantile(times, 0.5), 12, 2)}${cell(Math.max(...times), 8, 2)}${cell(5, 8)}`);
    print(`  (the very first of the process: ${fresh[0]?.toFixed(2)} ms)`);
    row(`first asked, the ${CASES.length} next of the process`, fresh.slice(1, CASES.length + 1));
    row(`first asked, after ${OTHERS.length} other cases`, first);
    row('asked again', again);
  } finally {
    await dataset.close();
  }
}

function askPage(kaigo: KaigoAnswers, wanted: Case): void {
  kaigo.municipality(PLACE.code, SERVICE, 'cost', 1, 100, { case: wanted, filter: NO_FILTER });
}

/** Processor time, milliseconds. */
function milliseconds(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function measureBuilds(folder: string, bundled: string): void {
  const published = existsSync(REAL);
  const lists = published ? join(REAL, 'offices') : bundled;
  const details = published ? join(REAL, 'tokuyo_detail_tokyo_saitama.csv') : join(BUNDLED, 'details.zip');
  print('\nbuild                              rows  CPU s  clock s  peak MB  dataset MB');
  if (published) showBuild('eight published lists', join(folder, 'real'), lists, details);
  const national = join(folder, 'lists');
  writeNationalLists(lists, national, NATIONAL_ROWS);
  showBuild('a national set made from them', join(folder, 'national'), national, details);
  print('wanted                                    120 s on a clock, 1000 MB');
}

interface Measured {
  rows: number;
  seconds: number;
  cpuSeconds: number;
  peakMb: number;
}

/** Builds in its own process, so that its memory can be measured. */
function showBuild(title: string, out: string, offices: string, details: string): void {
  const { stdout, stderr, status } = spawnSync(process.execPath, [SELF, 'build', out, offices, details], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  const { rows, seconds, cpuSeconds, peakMb } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Measured;
  const cells = [
    cell(rows, 9),
    cell(cpuSeconds, 7, 1),
    cell(seconds, 9, 1),
    cell(peakMb, 9),
    cell(sizeOf(out) / 1e6, 12),
  ];
  print([title.padEnd(30), ...cells].join(''));
}

function options(out: string, offices: string, details: string[]): BuildOptions {
  return {
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
  };
}

async function measureBuild([out = '', offices = '', ...details]: string[]): Promise<void> {
  const start = performance.now();
  const { report } = await build(options(out, offices, details));
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const measured: Measured = {
    rows: report.kaigo?.rows.served ?? 0,
    seconds: (performance.now() - start) / 1000,
    cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
    peakMb: maxRSS / 1024,
  };
  print(JSON.stringify(measured));
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}
