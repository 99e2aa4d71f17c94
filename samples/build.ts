import type { BuildOptions, BuildOutcome } from '../src/pipeline/build.ts';
import { build } from '../src/pipeline/build.ts';
import { generateSample } from './generate.ts';

/** Writes the sample's files under `folder` and builds both halves of a dataset from them. */
export async function buildSample(
  folder: string,
  options: Pick<BuildOptions, 'out' | 'asOf' | 'workers' | 'generatedAt'>,
): Promise<BuildOutcome> {
  const { citygml, towns, readings, offices, details } = generateSample(folder);
  return await build({
    ...options,
    citygml: [citygml],
    towns: [towns],
    readings,
    offices: [offices],
    details: [details],
    fees: null,
    resume: false,
    base: null,
    keepGoing: false,
  });
}
