import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, type BuildOutcome, build } from '../../src/pipeline/build.ts';

/** One of the zips beside this file, whose contents and origin stand in `CREDITS.md`. */
const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Whether the piece of Tokyo lies here: the npm package leaves it out for its size. */
export const hasRealSample = (): boolean => existsSync(file('plateau.zip'));

/** Builds both halves of a dataset from the piece of real Tokyo that comes with the program. */
export async function buildRealSample(
  options: Pick<BuildOptions, 'out' | 'asOf' | 'workers' | 'generatedAt'>,
): Promise<BuildOutcome> {
  return await build({
    ...options,
    citygml: [file('plateau.zip')],
    towns: [file('census.zip')],
    readings: file('postal.zip'),
    normals: [file('sunshine.csv')],
    offices: [file('offices.zip')],
    details: [file('details.zip')],
    fees: null,
    resume: false,
    base: null,
    keepGoing: false,
  });
}
