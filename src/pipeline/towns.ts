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
 * @throws InputError for paths without these files
 * @throws PublishedFileError for a file that does not have the published form
 */
export async function readTownPaths(paths: string[], readingsPath: string | null): Promise<TownsRead> {
  const census = await withSiblings((await findInputs(paths, ['shapefile'])).inputs);
  const files = await readShapefiles(census);
  const postal = readingsPath === null ? [] : (await findInputs([readingsPath], ['postal_names'])).inputs;
  const readings = await Promise.all(postal.map(async (input) => readReadings(await readInput(input), input.name)));
  return { ...readTowns(files, readings.length === 0 ? null : joinReadings(readings)), inputs: [...census, ...postal] };
}

/**
 * The counts of one shapefile, which may be in a zip with others.
 * @throws InputError when a file of it is missing
 * @throws PublishedFileError for a file that does not have the published form
 */
export async function shapefileReport(shp: Input): Promise<TownReport> {
  const { inputs } = await findInputs([shp.path], ['shapefile']);
  const files = (await withSiblings(inputs)).filter(({ name }) => stem(name) === stem(shp.name));
  return readTowns(await readShapefiles(files), null).report;
}

/** A file name without its extension, for comparison. */
const stem = (name: string): string => fileKey(name).replace(/\.[^./]*$/, '');

/** The readings of several files in one. */
const joinReadings = (files: Readings[]): Readings => ({
  byMunicipality: new Map(files.flatMap(({ byMunicipality }) => [...byMunicipality])),
  municipalities: new Map(files.flatMap(({ municipalities }) => [...municipalities])),
  postalCodes: new Map(files.flatMap(({ postalCodes }) => [...postalCodes])),
  ambiguous: files.flatMap(({ ambiguous }) => ambiguous),
});

/**
 * The contents of the shapefiles among some files.
 * @throws InputError when there is none
 */
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
