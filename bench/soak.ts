import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { builtSample } from './serving/sample.ts';
import { onlyDataset, type SoakSample, soak } from './serving/soak.ts';
import { isRising, type Trend, trendOf } from './serving/trend.ts';

// Runs a mixed load over every operation while the dataset changes every 20 seconds, then sends SIGTERM with requests
// in progress.
//
//   npm run bench:soak -- [--minutes 10] [--clients 8] [DATA_FOLDER …]     (without a folder: the bundled sample)
//
// The exit code is 1 when a request failed, a dataset stayed open, the memory in use keeps rising, or requests in
// progress at SIGTERM were not answered.

const SECONDS_PER_SWAP = 20;
/** Fewer points give no useful trend: this is two minutes of load. */
const LEAST_SAMPLES = 3;
/** The first half does not count for the slope: caches fill, code is compiled, and the allocator's arenas grow. */
const WARM_UP_SHARE = 0.5;

const { values, positionals } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, clients: { type: 'string', default: '8' } },
  allowPositionals: true,
});

const folder = mkdtempSync(join(tmpdir(), 'hidamari-soak-'));
try {
  const data = join(folder, 'data');
  mkdirSync(data);
  const datasets = positionals.length > 0 ? positionals.map(onlyDataset) : [onlyDataset(await builtSample(folder))];
  const swaps = Math.max(1, Math.round((Number(values.minutes) * 60) / SECONDS_PER_SWAP));
  const report = await soak({
    datasets,
    folder: data,
    swaps,
    secondsPerSwap: SECONDS_PER_SWAP,
    clients: Number(values.clients),
    listener: show,
  });
  const { requests, statuses, failures, times, held, samples, drained, exitCode } = report;
  const quantile = (share: number): string => (times[Math.floor(times.length * share)] ?? Number.NaN).toFixed(1);
  const last = samples.at(-1)!;
  console.log(`${requests} requests, ${(requests / last.seconds).toFixed(0)} a second: ${JSON.stringify(statuses)}`);
  console.log(`p50 ${quantile(0.5)} ms, p99 ${quantile(0.99)} ms, longest ${quantile(0.999999)} ms`);
  const settled = samples.slice(Math.floor(samples.length * WARM_UP_SHARE));
  const isLevel = settled.length < LEAST_SAMPLES || reportMemory(settled);
  console.log(`at SIGTERM ${drained.inFlight} requests in flight, ${drained.answered} answered; exit code ${exitCode}`);
  console.log(`${samples.length} swaps; datasets held at the end: ${held.length}; failures: ${failures.length}`);
  for (const line of failures) console.log(`  ${line}`);
  const isWhole = failures.length === 0 && held.length <= 3 && drained.answered === drained.inFlight && exitCode === 0;
  if (!isWhole || !isLevel) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function show({ seconds, requests, liveMb, ownMb, fileMb, openFiles }: SoakSample): void {
  console.log(
    `${seconds.toFixed(0).padStart(5)} s ${String(requests).padStart(8)} requests, memory in use ${liveMb.toFixed(1)} MB, ` +
      `of its own ${ownMb.toFixed(0)} MB, of files ${fileMb.toFixed(0)} MB, ${openFiles} files open`,
  );
}

/** True when the memory in use does not rise. */
function reportMemory(settled: readonly SoakSample[]): boolean {
  const trend = (of: (sample: SoakSample) => number): Trend =>
    trendOf(settled.map((sample) => ({ seconds: sample.seconds, value: of(sample) })));
  const live = trend(({ liveMb }) => liveMb);
  console.log(`in the second half, ${settled.length} samples:`);
  console.log(`  memory in use ${trendText(live)}: ${isRising(live) ? 'RISING' : 'level'}`);
  console.log(`  of its own ${trendText(trend(({ ownMb }) => ownMb))}`);
  return !isRising(live);
}

function trendText({ mean, slope, error }: Trend): string {
  return `${mean.toFixed(1)} MB, ${slope.toFixed(2)} ± ${error.toFixed(2)} MB a minute`;
}
