import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { generateSample } from '../../samples/generate.ts';
import { listDatasets } from '../dataset/open.ts';
import { build } from '../pipeline/build.ts';
import { remark } from './output.ts';
import { serve } from './serve.ts';
import { addSettings, type Settings } from './settings.ts';

/** `hidamari start`, which is `npm start`: something to look at, whatever there is. */
export function register(program: Command): void {
  const command = program
    .command('start')
    .summary('serve; where there is no dataset yet, build the bundled sample first')
    .description(
      'Serves the newest dataset of the data folder, with the settings of `serve`. Where there is none yet, the ' +
        'bundled sample is built first: a small invented town in the published formats.',
    );
  addSettings(command).action(async (settings: Settings) => {
    if (!(await hasDataset(settings.data))) await buildSample(settings.data);
    await serve(settings, program.version() ?? '');
  });
}

/** Also true for a damaged one: the sample never stands in for somebody's own data, and `serve` says what is wrong. */
async function hasDataset(data: string): Promise<boolean> {
  if (!existsSync(data)) return false;
  const { manifests, refused } = await listDatasets(data);
  return manifests.length > 0 || refused.length > 0;
}

async function buildSample(data: string): Promise<void> {
  remark('Building the bundled sample (once) …');
  const folder = await mkdtemp(join(tmpdir(), 'hidamari-sample-'));
  try {
    const { citygml, towns, readings, offices, details } = generateSample(folder);
    const generatedAt = new Date().toISOString().replace(/\.\d{3}Z$/, 'Z');
    await build({
      out: data,
      citygml: [citygml],
      towns: [towns],
      readings,
      offices: [offices],
      details: [details],
      fees: null,
      asOf: generatedAt.slice(0, 10),
      workers: availableParallelism(),
      resume: false,
      base: null,
      keepGoing: false,
      generatedAt,
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
