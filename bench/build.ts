import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bytesText, countText, durationText, table } from '../src/cli/output.ts';
import { SUNLIGHT_STORE } from '../src/dataset/sunlight-store.ts';
import { STAGES } from '../src/pipeline/progress.ts';
import { type MeasuredBuild, measureBuild } from './build/measure.ts';

/**
 * Builds wards of Tokyo from CityGML to a published dataset, and the care half from the office lists. Prints the time
 * and memory of each stage beside the budgets.
 * `npm run bench:build -- [--wards '13101 13101,13102 all'] [--citygml DIR] [--workers N]`: each of `--wards` is one
 * build. With `--citygml` it reads that folder instead of making one from ../shared/data.
 */
const SHARED = fileURLToPath(new URL('../../shared/', import.meta.url));
const ALL = '13101,13102,13103,13104,13105,13106';

if (!existsSync(join(SHARED, 'data')) || !existsSync(join(SHARED, 'tools'))) {
  console.log('skipped: bench:build needs the real data in ../shared/data and ../shared/tools, which are not there');
  process.exit();
}

/** Budgets of the design for the six wards on two cores. */
const BUDGET = { seconds: 180, peakBytes: 4e9, bytesPerBuilding: 1000, storeBytesPerBuilding: 1500 };

interface Measured extends MeasuredBuild {
  name: string;
  /** Number of served buildings; 0 for the care half. */
  buildings: number;
  storeBytes: number;
  datasetBytes: number;
}

const { values } = parseArgs({
  options: {
    wards: { type: 'string', default: '13101 13101,13102,13103 all' },
    citygml: { type: 'string' },
    workers: { type: 'string', default: String(Math.min(2, availableParallelism())) },
  },
});

const work = await mkdtemp(join(tmpdir(), 'hidamari-bench-'));
try {
  const sizes: Measured[] = [];
  const inputs = values.citygml ? [values.citygml] : values.wards.replaceAll('all', ALL).split(' ');
  for (const wards of inputs) {
    const citygml = values.citygml ?? writeWards(wards, join(work, 'citygml'));
    sizes.push(await measure(values.citygml ?? nameOf(wards), sunlightArgs(citygml)));
    if (!values.citygml) await rm(citygml, { recursive: true });
  }
  const kaigo = join(SHARED, 'data/kaigo');
  const care = existsSync(kaigo) ? [await measure('care half', ['--offices', kaigo])] : [];
  printTimes([...sizes, ...care]);
  printMemory(sizes);
  printBudgets(sizes);
} finally {
  await rm(work, { recursive: true, force: true });
}

/** The real buildings of some wards as CityGML files, one for each grid square. */
function writeWards(wards: string, folder: string): string {
  const source = join(SHARED, 'data/plateau/tokyo6wards.ndjson.gz');
  const { status } = spawnSync(process.execPath, [join(SHARED, 'tools/tokyo-citygml.mjs'), source, folder, wards], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`the CityGML of ${wards} could not be written`);
  return folder;
}

function nameOf(wards: string): string {
  if (wards === ALL) return 'six wards';
  const count = wards.split(',').length;
  return count > 1 ? `${count} wards` : `ward ${wards}`;
}

function sunlightArgs(citygml: string): string[] {
  const census = join(SHARED, 'data/census');
  const towns = ['--towns', census, '--readings', join(census, '13TOKYO.CSV')];
  return ['--citygml', citygml, '--workers', values.workers, ...towns];
}

async function measure(name: string, args: readonly string[]): Promise<Measured> {
  const out = join(work, 'out');
  const build = await measureBuild(['--out', out, ...args]);
  const { dataset, report } = build.outcome;
  const store = join(dataset, SUNLIGHT_STORE);
  const files: { bytes: number }[] = Object.values(
    JSON.parse(readFileSync(join(dataset, 'manifest.json'), 'utf8')).files,
  );
  const measured = {
    ...build,
    name,
    buildings: report.sunlight?.buildings.served ?? 0,
    storeBytes: existsSync(store) ? statSync(store).size : 0,
    datasetBytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
  };
  await rm(out, { recursive: true });
  return measured;
}

function mb(bytes: number | undefined): string {
  return bytes === undefined ? '–' : countText(Math.round(bytes / 1e6));
}

function printTimes(measured: readonly Measured[]): void {
  const row = (name: string, value: (of: Measured) => string): string[] => [name, ...measured.map(value)];
  const perBuilding = (name: string, value: (of: Measured) => string): string[] =>
    row(name, (of) => (of.buildings > 0 ? value(of) : '–'));
  const seconds = (value: number | undefined): string => (value === undefined ? '–' : value.toFixed(1));
  const rows = [
    row('', ({ name }) => name),
    perBuilding('buildings', ({ buildings }) => countText(buildings)),
    perBuilding('CityGML, MB', ({ outcome }) => mb(outcome.report.sunlight!.files.bytes)),
    ...STAGES.map((stage) => row(`${stage}, s`, ({ outcome }) => seconds(outcome.seconds[stage]))),
    row('whole build, wall s', ({ wallSeconds }) => seconds(wallSeconds)),
    row('whole build, CPU s', ({ cpuSeconds }) => seconds(cpuSeconds)),
    perBuilding('CPU ms per building', (of) => ((of.cpuSeconds * 1000) / of.buildings).toFixed(2)),
    row('peak memory, MB', ({ peak }) => mb(peak.resident)),
    row('  of it not of files, MB', ({ peak }) => mb(peak.own)),
    perBuilding('store, bytes per building', (of) => countText(Math.round(of.storeBytes / of.buildings))),
    perBuilding('dataset, bytes per building', (of) => countText(Math.round(of.datasetBytes / of.buildings))),
  ];
  for (const line of table(rows)) console.log(line);
  console.log();
}

/** Bytes of memory per additional building, from the smaller to the larger build. */
function growth(smaller: Measured, larger: Measured, bytes: (of: Measured) => number | undefined): number {
  return ((bytes(larger) ?? 0) - (bytes(smaller) ?? 0)) / (larger.buildings - smaller.buildings);
}

/** Prints the peak of every stage, and its growth from one size to the next. */
function printMemory(sizes: readonly Measured[]): void {
  const row = (name: string, bytes: (of: Measured) => number | undefined): string[] => [
    name,
    ...sizes.map((of) => mb(bytes(of))),
    ...sizes.slice(1).map((larger, i) => countText(Math.round(growth(sizes[i], larger, bytes)))),
  ];
  const steps = sizes.slice(1).map(({ name }, i) => `bytes a building, ${sizes[i].name} to ${name}`);
  const stages = STAGES.filter((stage) => sizes.some(({ peaks }) => peaks[stage]));
  const rows = [
    ['peak memory by stage, MB', ...sizes.map(({ name }) => name), ...steps],
    ...stages.map((stage) => row(stage, ({ peaks }) => peaks[stage]?.resident)),
    row('whole build', ({ peak }) => peak.resident),
    row('  of it not of files', ({ peak }) => peak.own),
  ];
  for (const line of table(rows)) console.log(line);
  console.log();
}

function printBudgets(sizes: readonly Measured[]): void {
  const against = (what: string, value: number, budget: number, text: (value: number) => string): void =>
    console.log(`${value <= budget ? 'within' : 'OVER  '} ${what}: ${text(value)} (budget ${text(budget)})`);
  const [first, last] = [sizes[0], sizes.at(-1)!];
  const bytes = (value: number): string => bytesText(Math.round(value));
  against('time', last.wallSeconds, BUDGET.seconds, (value) => durationText(value * 1000));
  against('peak memory', last.peak.resident, BUDGET.peakBytes, bytes);
  against('store per building', last.storeBytes / last.buildings, BUDGET.storeBytesPerBuilding, bytes);
  if (sizes.length < 2) return;
  // Compares the smallest and the largest size only: the peaks of one size differ by tens of megabytes between runs.
  const perBuilding = growth(first, last, ({ peak }) => peak.resident);
  against(`memory per further building, ${first.name} to ${last.name}`, perBuilding, BUDGET.bytesPerBuilding, bytes);
  const ratio = last.cpuSeconds / last.buildings / (first.cpuSeconds / first.buildings);
  console.log(`CPU per building, last against first: ${ratio.toFixed(2)} (1: linear)`);
}
