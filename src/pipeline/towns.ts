import { type Readings, readReadings } from '../census/readings.ts';
import type { Town } from '../census/town.ts';
import { type CensusShapefile, readTowns, type TownReport } from '../census/towns.ts';
import { findInputs, type Input, InputError, readInput } from './inputs.ts';
import { fileKey, siblingOf, withSiblings } from './layer-files.ts';

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

async function readShapefiles(inputs: Input[]): Promise<CensusShapefile[]> {
  const files: CensusShapefile[] = [];
  for (const shp of inputs.filter(({ name }) => /\.shp$/i.test(name))) {
    const [dbf, prj] = [siblingOf(shp, 'dbf', inputs), siblingOf(shp, 'prj', inputs)];
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
