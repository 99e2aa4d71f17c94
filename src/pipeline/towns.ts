import { stat } from 'node:fs/promises';
import { type Readings, readReadings } from '../census/readings.ts';
import type { Town } from '../census/town.ts';
import { type CensusShapefile, readTowns, type TownReport } from '../census/towns.ts';
import { findInputs, type Input, InputError, readInput } from './inputs.ts';

export interface TownsRead {
  /** In order of code. */
  towns: Town[];
  report: TownReport;
  /** Every file that was read: census first, then readings. */
  inputs: Input[];
}

/**
 * Reads the towns under the given paths (folders, `.shp` files, zips) with their readings.
 * @param paths where the census shapefiles are
 * @param readingsPath Japan Post's postal code file, or a zip or folder that holds it, or null
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
 * What one shapefile holds, also where it lies in a zip beside others.
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

/** A `.shp` that was named outright brings its table and projection, which lie beside it. */
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

/** Extensions come in either case: `R2KA13101.SHP` goes with `r2ka13101.dbf`. */
const fileKey = (name: string): string => name.toLowerCase();
