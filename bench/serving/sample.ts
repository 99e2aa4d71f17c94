import { join } from 'node:path';
import { generateSample } from '../../samples/generate.ts';
import { build } from '../../src/pipeline/build.ts';

/** Builds the bundled sample, both halves, below `folder`. Returns the data folder. */
export async function buildSample(folder: string): Promise<string> {
  const { citygml, towns, readings, offices, details } = generateSample(join(folder, 'sample'));
  const out = join(folder, 'built');
  await build({
    out,
    citygml: [citygml],
    towns: [towns],
    readings,
    offices: [offices],
    details: [details],
    fees: null,
    asOf: '2026-01-01',
    workers: 1,
    resume: false,
    base: null,
    keepGoing: false,
    generatedAt: '2026-01-01T00:00:00Z',
  });
  return out;
}
