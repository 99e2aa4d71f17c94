import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bytesText, countText, durationText, table } from '../src/cli/output.ts';
import { SUNLIGHT_STORE } from '../src/dataset/sunlight.ts';
import type { BuildOutcome } from '../src/pipeline/build.ts';
import { STAGES } from '../src/pipeline/progress.ts';

/**
 * Builds wards of Tokyo from CityGML to a published dataset and prints where the time and the memory go, against the
 * budgets. `npm run bench:build -- [--wards 13101,13101-13103,all] [--citygml DIR] [--workers N]`: each of `--wards`
 * is one build; `--citygml` takes a folder in place of making one from ../shared/data.
 */
const SHARED = fileURLToPath(new URL('../../shared/', import.meta.url));
const MAIN = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));
const ALL = '13101,13102,13103,13104,13105,13106';

if (!existsSync(join(SHARED, 'data')) || !existsSync(join(SHARED, 'tools'))) {
  console.log('skipped: bench:build needs the real data in ../shared/data and ../shared/tools, which are not there');
  process.exit();
}

/** Budgets of the design for the six wards on two cores. */
const BUDGET = { seconds: 180, peakBytes: 4e9, bytesPerBuilding: 1000, storeBytesPerBuilding: 1500 };

interface Measured {
  name: string;
  buildings: number;
  inputBytes: number;
  outcome: BuildOutcome;
  wallSeconds: number;
  /** Of the process with all its threads. */
  cpuSeconds: number;
  /** Proportional set size: what is its own and its share of what several processes or mappings hold. */
  peakBytes: number;
  /** Of that, what is not the content of a file (which the system takes back at need). */
  anonymousBytes: number;
  storeBytes: number;
  datasetBytes: number;
}

const { values } = parseArgs({
  options: {
    wards: { type: 'string', default: `13101 13101,13102,13103 ${ALL}` },
    citygml: { type: 'string' },
    workers: { type: 'string', default: String(Math.min(2, availableParallelism())) },
  },
});

const work = await mkdtemp(join(tmpdir(), 'hidamari-bench-'));
try {
  const measured: Measured[] = [];
  const inputs = values.citygml ? [values.citygml] : values.wards.split(' ');
  for (const [i, wards] of inputs.entries()) {
    const citygml = values.citygml ?? writeWards(wards, join(work, `citygml-${i}`));
    measured.push(await measure(values.citygml ?? nameOf(wards), citygml, join(work, `out-${i}`)));
    if (!values.citygml) await rm(citygml, { recursive: true });
    await rm(join(work, `out-${i}`), { recursive: true });
  }
  print(measured);
} finally {
  await rm(work, { recursive: true, force: true });
}

/** The real buildings of some wards as CityGML files, one for each grid square. */
function writeWards(wards: string, folder: string): string {
  const source = join(SHARED, 'data/plateau/tokyo6wards.ndjson.gz');
  const { status } = spawnSync(process.execPath, [join(SHARED, 'tools/tokyo-citygml.mjs'), source, folder, wards], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0)
    throw new Error(
      `the CityGML of ${wards} could not be written: this bench needs ../shared/data and ../shared/tools`,
    );
  return folder;
}

function nameOf(wards: string): string {
  if (wards === ALL) return 'six wards';
  const count = wards.split(',').length;
  return count > 1 ? `${count} wards` : `ward ${wards}`;
}

async function measure(name: string, citygml: string, out: string): Promise<Measured> {
  const census = join(SHARED, 'data/census');
  const args = [MAIN, 'build', '--out', out, '--citygml', citygml, '--workers', values.workers, '--json'];
  args.push('--towns', census, '--readings', join(census, '13TOKYO.CSV'));
  const start = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr = (stderr + chunk).slice(-2000);
  });
  const usage = { peakBytes: 0, anonymousBytes: 0, cpuSeconds: 0 };
  const sampling = setInterval(() => sample(child.pid!, usage), 100);
  const code = await new Promise((resolve) => child.on('close', resolve));
  clearInterval(sampling);
  if (code !== 0) throw new Error(`the build of ${name} ended with ${code}: ${stderr}`);
  const outcome: BuildOutcome = JSON.parse(stdout);
  const files = JSON.parse(readFileSync(join(outcome.dataset, 'manifest.json'), 'utf8')).files as Record<
    string,
    { bytes: number }
  >;
  return {
    name,
    buildings: outcome.report.sunlight!.buildings.served,
    inputBytes: outcome.report.sunlight!.files.bytes,
    outcome,
    wallSeconds: (performance.now() - start) / 1000,
    ...usage,
    storeBytes: statSync(join(outcome.dataset, SUNLIGHT_STORE)).size,
    datasetBytes: Object.values(files).reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** Reads what Linux says of a process (a build is one, with threads): memory and processor time. */
function sample(pid: number, usage: Pick<Measured, 'peakBytes' | 'anonymousBytes' | 'cpuSeconds'>): void {
  try {
    const memory = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    const bytes = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(memory)?.[1]) * 1024;
    usage.peakBytes = Math.max(usage.peakBytes, bytes('Pss'));
    usage.anonymousBytes = Math.max(usage.anonymousBytes, bytes('Pss_Anon'));
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    usage.cpuSeconds = (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    // It has just ended: the last sample stands.
  }
}

function print(measured: readonly Measured[]): void {
  const row = (name: string, value: (of: Measured) => string): string[] => [name, ...measured.map(value)];
  const seconds = (value: number | undefined): string => (value === undefined ? '–' : value.toFixed(1));
  const rows = [
    row('', ({ name }) => name),
    row('buildings', ({ buildings }) => countText(buildings)),
    row('CityGML, MB', ({ inputBytes }) => countText(Math.round(inputBytes / 1e6))),
    ...STAGES.map((stage) => row(`${stage}, s`, ({ outcome }) => seconds(outcome.seconds[stage]))),
    row('whole build, wall s', ({ wallSeconds }) => seconds(wallSeconds)),
    row('whole build, CPU s', ({ cpuSeconds }) => seconds(cpuSeconds)),
    row('CPU ms per building', ({ cpuSeconds, buildings }) => ((cpuSeconds * 1000) / buildings).toFixed(2)),
    row('peak memory, MB', ({ peakBytes }) => countText(Math.round(peakBytes / 1e6))),
    row('  of it not of files, MB', ({ anonymousBytes }) => countText(Math.round(anonymousBytes / 1e6))),
    row('store, bytes per building', ({ storeBytes, buildings }) => countText(Math.round(storeBytes / buildings))),
    row('dataset, bytes per building', ({ datasetBytes, buildings }) =>
      countText(Math.round(datasetBytes / buildings)),
    ),
  ];
  for (const line of table(rows)) console.log(line);
  const [first, last] = [measured[0]!, measured.at(-1)!];
  console.log();
  const against = (what: string, value: string, budget: string, reached: boolean): void =>
    console.log(`${reached ? 'within' : 'OVER  '} ${what}: ${value} (budget ${budget})`);
  against(
    'time',
    durationText(last.wallSeconds * 1000),
    durationText(BUDGET.seconds * 1000),
    last.wallSeconds <= BUDGET.seconds,
  );
  against('peak memory', bytesText(last.peakBytes), bytesText(BUDGET.peakBytes), last.peakBytes <= BUDGET.peakBytes);
  const store = last.storeBytes / last.buildings;
  against(
    'store per building',
    bytesText(Math.round(store)),
    bytesText(BUDGET.storeBytesPerBuilding),
    store <= BUDGET.storeBytesPerBuilding,
  );
  if (measured.length < 2) return;
  for (const [i, larger] of measured.slice(1).entries()) {
    const smaller = measured[i]!;
    const growth = (larger.peakBytes - smaller.peakBytes) / (larger.buildings - smaller.buildings);
    against(
      `memory per further building, ${smaller.name} to ${larger.name}`,
      bytesText(Math.round(growth)),
      bytesText(BUDGET.bytesPerBuilding),
      growth <= BUDGET.bytesPerBuilding,
    );
  }
  const ratio = last.cpuSeconds / last.buildings / (first.cpuSeconds / first.buildings);
  console.log(`CPU per building, last against first: ${ratio.toFixed(2)} (1: linear)`);
}
