import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { buildRealSample, hasRealSample } from '../../samples/real/build.ts';
import { dayInJapan } from '../kaigo/price-list.ts';
import { listDatasets } from '../snapshot/listing.ts';
import { openOnce, type ReadyLines } from './listening.ts';
import { remark } from './output.ts';
import { serve } from './serve.ts';
import { timeOfBuild } from './setting.ts';
import { addSettings, type Settings } from './settings.ts';

/** `hidamari start`, which is `npm start`: serves the sample, or an existing dataset. */
export function define(command: Command): void {
  command.description(
    'Serves the newest dataset of the data folder, with the settings of `serve`. Where there is none yet, the ' +
      'bundled sample is built first: 8,291 buildings around Kanda, Marunouchi and Nihonbashi, and the care ' +
      'facilities of the 23 wards.',
  );
  addSettings(command).action(async (settings: Settings) => {
    if (!(await hasData(settings.data))) {
      // A port in use is reported before the build, not after it.
      await openOnce(settings.host, settings.port);
      await buildSample(settings.data, timeOfBuild(command));
    }
    // The log has a line for each request. On a terminal only problems are shown.
    const isQuiet = process.stderr.isTTY && command.getOptionValueSource('logLevel') === 'default';
    await serve({ ...settings, ...(isQuiet && { logLevel: 'warn' }) }, command.parent?.version() ?? '', startLines);
  });
}

/** The addresses and how to stop: a line for each on a terminal, one line of JSON for a program. */
const startLines: ReadyLines = ({ datasetId, siteUrl }, { pages }, metricsUrl) => {
  const [home, map, docs] = pages
    ? [`${siteUrl}/`, `${siteUrl}/map/`, `${siteUrl}/docs/`]
    : [null, null, `${siteUrl}/openapi.json`];
  const urls = { home, map, docs, metrics: metricsUrl };
  if (!process.stdout.isTTY) return [JSON.stringify({ dataset_id: datasetId, ...urls, pid: process.pid })];
  const lines = { ...urls, stop: 'Ctrl+C' };
  return Object.entries(lines).flatMap(([name, value]) => (value === null ? [] : `${name.padEnd(8)}${value}`));
};

/** Prints a line about the work; as JSON like the log, unless standard error is a terminal. */
function tell(msg: string): void {
  remark(process.stderr.isTTY ? msg : JSON.stringify({ time: Date.now(), msg }));
}

/**
 * False when the sample may be built there. True for an object store and for a damaged dataset, too: the sample never
 * replaces existing data, and `serve` reports the problem.
 */
async function hasData(data: string): Promise<boolean> {
  if (data.startsWith('s3://')) return true;
  if (!existsSync(data)) return false;
  const { datasets, refused } = await listDatasets(data);
  return datasets.length > 0 || refused.length > 0;
}

/** Builds the bundled sample: a piece of Tokyo, or the invented town where that is not in the package. */
async function buildSample(data: string, generatedAt: string): Promise<void> {
  tell('Building the bundled sample (once) …');
  const asOf = dayInJapan(new Date(generatedAt));
  if (hasRealSample()) {
    await buildRealSample({ out: data, asOf, workers: availableParallelism(), generatedAt });
    return;
  }
  tell('The piece of real Tokyo does not come with this package: an invented town takes its place.');
  const inventedTown = await import('../../samples/build.ts');
  const folder = await mkdtemp(join(tmpdir(), 'hidamari-sample-'));
  await inventedTown.buildSample(folder, { out: data, asOf, generatedAt });
  await rm(folder, { recursive: true });
}
