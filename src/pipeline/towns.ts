import { stat } from 'node:fs/promises';
import { type Readings, readReadings } from '../census/readings.ts';
import type { Town } from '../census/town.ts';
import { type CensusShapefile, readTowns, type TownReport } from '../census/towns.ts';
import { findInputs, type Input, InputError, readInput } from './inputs.ts';

export interface TownsRead {
  /** In order of code. */
  towns: Town[];
  report: TownReport;
  /** All files that were read: census first, then readings. */
  inputs: Input[];
}

/**
 * Reads the towns and their readings.
 * @param paths of the census shapefiles: folders, `.shp` files, zips
 * @param readingsPath Japan Post's postal code file, or a zip or folder with it, or null
 * @throws InputError, CensusFileError
 */
export async function readTownPaths(paths: string[], readingsPath: string | null): Promise<TownsRead> {
  const found = await findInputs(paths, ['shapefile']);
  const census = await withSiblings(found.inputs);
  const files = await readShapefiles(census);
  const postal = readingsPath === null ? [] : (await findInputs([readingsPath], ['postal_names'])).inputs;
  const read = await Promise.all(postal.map(async (input) => readReadings(await readInput(input), input.name)));
  return { ...readTowns(files, read.length === 0 ? null : together(read)), inputs: [...census, ...postal] };
}

/**
 * The content of one shapefile, which may be in a zip with others.
 * @throws InputError, CensusFileError
 */
export async function shapefileReport(shp: Input): Promise<TownReport> {
  const { inputs } = await findInputs([shp.path], ['shapefile']);
  const own = (await withSiblings(inputs)).filter(({ name }) => stem(name) === stem(shp.name));
  return readTowns(await readShapefiles(own), null).report;
}

const stem = (name: string): string => fileKey(name).replace(/\.[^./]*$/, '');

const together = (files: Readings[]): Readings => ({
  byMunicipality: new Map(files.flatMap(({ byMunicipality }) => [...byMunicipality])),
  municipalities: new Map(files.flatMap(({ municipalities }) => [...municipalities])),
  ambiguous: files.flatMap(({ ambiguous }) => ambiguous),
});

/** Adds the table and projection that lie beside a `.shp` given by its path. */
async function withSiblings(inputs: Input[]): Promise<Input[]> {
  const all = new Map(inputs.map((input) => [fileKey(input.name), input]));
  for (const shp of inputs) {
    if (shp.entry !== null || !/\.shp$/i.test(shp.path)) continue;
    for (const extension of ['dbf', 'prj', 'DBF', 'PRJ']) {
      const path = shp.path.replace(/shp$/i, extension);
      const status = await stat(path).catch(() => null);
      if (!status?.isFile() || all.has(fileKey(path))) continue;
      const label = shp.label.replace(/shp$/i, extension);
      all.set(fileKey(path), { name: path, label, kind: 'shapefile', size: status.size, path, entry: null });
    }
  }
  return [...all.values()];
}

async function readShapefiles(inputs: Input[]): Promise<CensusShapefile[]> {
  const byKey = new Map(inputs.map((input) => [fileKey(input.name), input]));
  const files: CensusShapefile[] = [];
  for (const shp of inputs.filter(({ name }) => /\.shp$/i.test(name))) {
    const dbf = byKey.get(fileKey(shp.name.replace(/shp$/i, 'dbf')));
    const prj = byKey.get(fileKey(shp.name.replace(/shp$/i, 'prj')));
    files.push({
      name: shp.name,
      shp: await readInput(shp),
      dbf: dbf ? await readInput(dbf) : null,
      prj: prj ? (await readInput(prj)).toString('latin1') : null,
    });
  }
  if (files.length === 0) throw new InputError(`${inputs[0].name}: the .shp file that belongs to it is missing`);
  return files;
}

/** The key of a file name. Extensions may have either case: `R2KA13101.SHP` belongs to `r2ka13101.dbf`. */
const fileKey = (name: string): string => name.toLowerCase();
