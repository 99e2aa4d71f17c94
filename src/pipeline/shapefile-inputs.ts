import { stat } from 'node:fs/promises';
import type { Input } from './inputs.ts';

/** The key of a file name. Extensions may have either case: `R2KA13101.SHP` belongs to `r2ka13101.dbf`. */
export const fileKey = (name: string): string => name.toLowerCase();

/** The file of a shapefile with another extension; undefined when `inputs` do not have it. */
export function siblingOf(shp: Input, extension: 'dbf' | 'prj', inputs: readonly Input[]): Input | undefined {
  const wanted = fileKey(shp.name.replace(/shp$/i, extension));
  return inputs.find(({ name }) => fileKey(name) === wanted);
}

/** Adds the table and projection beside a `.shp` that was given by its path. */
export async function withSiblings(inputs: readonly Input[]): Promise<Input[]> {
  const known = new Set(inputs.map(({ name }) => fileKey(name)));
  const all = [...inputs];
  for (const shp of inputs) {
    if (shp.entry !== null || !/\.shp$/i.test(shp.path)) continue;
    for (const extension of ['dbf', 'prj', 'DBF', 'PRJ']) {
      const path = shp.path.replace(/shp$/i, extension);
      const status = await stat(path).catch(() => null);
      if (!status?.isFile() || known.has(fileKey(path))) continue;
      const label = shp.label.replace(/shp$/i, extension);
      known.add(fileKey(path));
      all.push({ name: path, label, kind: 'shapefile', size: status.size, path, entry: null });
    }
  }
  return all;
}
