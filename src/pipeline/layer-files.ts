import { stat } from 'node:fs/promises';
import { type Input, InputError, LARGEST_HELD } from './inputs.ts';

/** The layers among some files. */
interface LayerFiles {
  /** In order of name. */
  layers: Input[];
  /** The same data in another file, which is not read. */
  sameData: Input[];
  /** Every file, with the tables that belong to shapefiles. */
  all: Input[];
}

/**
 * Chooses the files of layers of 国土数値情報. A download has the same data several times: as GeoJSON and as shapefile,
 * and a shapefile for each encoding, also in different folders. Two files whose names differ only in the extension have
 * the same data when one is GeoJSON and one a shapefile, or when their sizes are equal. GeoJSON has priority, unless it
 * is too large to read.
 */
export async function layerFiles(inputs: readonly Input[], isLayer: (input: Input) => boolean): Promise<LayerFiles> {
  const all = await withSiblings(inputs);
  const files: LayerFiles = { layers: [], sameData: [], all };
  for (const sameName of Map.groupBy(all.filter(isLayer), stemOf).values()) {
    const geoJson = sameName.filter((file) => !isShapefile(file));
    const shapes = sameName.filter(isShapefile);
    const isReadable = geoJson.every(({ size }) => size <= LARGEST_HELD);
    const [chosen, others] =
      geoJson.length > 0 && (isReadable || shapes.length === 0) ? [geoJson, shapes] : [shapes, geoJson];
    const sizes = new Set<number>();
    for (const file of chosen) {
      if (sizes.has(file.size)) files.sameData.push(file);
      else files.layers.push(file);
      sizes.add(file.size);
    }
    files.sameData.push(...others);
  }
  return files;
}

/** True for the main file of a shapefile. */
export const isShapefile = ({ name }: Input): boolean => /\.shp$/i.test(name);

/** The file name without its extension. */
const stemOf = ({ name }: Input): string => (name.split('/').at(-1) ?? name).replace(/\.[^.]+$/, '').toLowerCase();

/** The key of a file name. Extensions may have either case: `R2KA13101.SHP` belongs to `r2ka13101.dbf`. */
export const fileKey = (name: string): string => name.toLowerCase();

/** The file of a shapefile with another extension; undefined when `inputs` do not have it. */
export function siblingOf(shp: Input, extension: 'dbf' | 'prj', inputs: readonly Input[]): Input | undefined {
  const wanted = fileKey(shp.name.replace(/shp$/i, extension));
  return inputs.find(({ name }) => fileKey(name) === wanted);
}

/**
 * The table of a shapefile.
 * @throws InputError when `inputs` do not have it
 */
export function tableOf(shp: Input, inputs: readonly Input[]): Input {
  const table = siblingOf(shp, 'dbf', inputs);
  if (table !== undefined) return table;
  throw new InputError(`${shp.name}: its table (.dbf) is missing; keep the published files together`);
}

/** The inputs, and the table and projection beside each `.shp` that was given by its path. */
export async function withSiblings(inputs: readonly Input[]): Promise<Input[]> {
  const keys = new Set(inputs.map(({ name }) => fileKey(name)));
  const all = [...inputs];
  for (const shp of inputs) {
    if (shp.entry !== null || !/\.shp$/i.test(shp.path)) continue;
    // Some disks tell dbf from DBF. On others both name one file, which is added once.
    for (const extension of ['dbf', 'prj', 'DBF', 'PRJ']) {
      const path = shp.path.replace(/shp$/i, extension);
      const status = await stat(path).catch(() => null);
      if (!status?.isFile() || keys.has(fileKey(path))) continue;
      const label = shp.label.replace(/shp$/i, extension);
      keys.add(fileKey(path));
      all.push({ name: path, label, kind: 'shapefile', size: status.size, path, entry: null });
    }
  }
  return all;
}
