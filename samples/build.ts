import { availableParallelism } from 'node:os';
import { type BuildOutcome, build } from '../src/pipeline/build.ts';
import { generateSample } from './generate.ts';

/** What the invented town says in the place of the publishers' credits. */
const INVENTED = {
  name: '架空の町（見本データ）',
  url: 'https://creativecommons.org/licenses/by/4.0/',
  attribution: '架空の町の見本データ：実在の建物・事業所ではありません (invented sample data)',
};

/** How the sample is built, where it is not as `npm start` builds it. */
interface SampleOptions {
  /** The data folder. */
  out: string;
  /** When the dataset says it was made; RFC 3339. */
  generatedAt: string;
  /** Day whose price list is used, `YYYY-MM-DD`. */
  asOf: string;
  workers?: number;
}

/** Writes the sample's files under `folder` and builds both halves of a dataset from them. */
export async function buildSample(folder: string, options: SampleOptions): Promise<BuildOutcome> {
  const { citygml, towns, readings, offices, details } = generateSample(folder);
  return await build({
    workers: availableParallelism(),
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
    credit: INVENTED,
  });
}
