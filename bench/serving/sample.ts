import { join } from 'node:path';
import { buildSample } from '../../samples/build.ts';

/** Builds the bundled sample below `folder`, as of a fixed day. Returns the data folder. */
export async function builtSample(folder: string): Promise<string> {
  const out = join(folder, 'built');
  const generatedAt = '2026-01-01T00:00:00Z';
  await buildSample(join(folder, 'sample'), { out, asOf: '2026-01-01', workers: 1, generatedAt });
  return out;
}
