import { holdsPositions, readAddressBlockNames, readAddressBlockPositions } from '../census/address-blocks.ts';
import { PublishedFileError } from '../census/published-file.ts';
import { readReadings } from '../census/readings.ts';
import { BUILT_IN_FEES } from '../kaigo/facts/built-in.ts';
import { Findings } from '../kaigo/findings.ts';
import { TableError } from '../kaigo/lists/decode.ts';
import { MappedTableError } from '../kaigo/lists/mapped-table.ts';
import { type OfficeRow, readOfficeList } from '../kaigo/lists/office-list.ts';
import { dayInJapan } from '../kaigo/price-list.ts';
import { readCareTable } from '../pipeline/care-tables.ts';
import { countZones, isHazardLayer } from '../pipeline/hazards.ts';
import { type Input, InputError, readInput } from '../pipeline/inputs.ts';
import { shapefileReport } from '../pipeline/towns.ts';

/** What a file of census or care data holds. */
export interface TableContents {
  name: string;
  kind: Input['kind'];
  /** Why it cannot be read; then the rest is empty. */
  error: string | null;
  /** Facts from its name or form: service, day of the extract. */
  about: Record<string, string>;
  records: number;
  /** Of these, how many lack something, by what. */
  gaps: Record<string, number>;
  /** What was not taken as published, by kind. */
  findings: Record<string, number>;
}

/** What the reader of a kind of file counts. */
type Counts = Omit<TableContents, 'name' | 'kind' | 'error'>;

const READERS: Partial<Record<Input['kind'], (input: Input) => Promise<Counts>>> = {
  office_list: officeList,
  table: careTable,
  shapefile: census,
  postal_names: postalNames,
  address_blocks: addressBlocks,
};

/** True when `inspectTable` can read a file. The main file of a shapefile is inspected together with its others. */
export const isTable = (input: Input): boolean =>
  isHazardLayer(input) || (input.kind in READERS && (input.kind !== 'shapefile' || /\.shp$/i.test(input.name)));

/** Reads a table as a build does, and counts. */
export async function inspectTable(input: Input): Promise<TableContents> {
  const { name, kind } = input;
  const nothing = { about: {}, records: 0, gaps: {}, findings: {} };
  const reader = isHazardLayer(input) ? hazardLayer : READERS[kind];
  try {
    return { name, kind, error: null, ...nothing, ...(await reader?.(input)) };
  } catch (error) {
    if (!FILE_ERRORS.some((type) => error instanceof type)) throw error;
    return { name, kind, error: (error as Error).message, ...nothing };
  }
}

/** Errors that say what is wrong with a file. */
const FILE_ERRORS = [InputError, PublishedFileError, TableError, MappedTableError];

/** Columns of an office list that a comparison needs, by their names in answers. */
const OFFICE_GAPS = {
  position: 'lat',
  phone: 'phone',
  capacity: 'capacity',
  corporate_number: 'corporateNumber',
  url: 'url',
} as const satisfies Record<string, keyof OfficeRow>;

/**
 * Counts the rows of an office list of the ministry, and the empty cells of some columns.
 * @throws InputError when its service is not known
 */
async function officeList(input: Input): Promise<Counts> {
  const findings = new Findings();
  const columns = Object.entries(OFFICE_GAPS);
  const gaps = Object.fromEntries(columns.map(([name]) => [name, 0]));
  const { serviceCode, extractedOn, rowsRead } = readOfficeList(
    await readInput(input),
    input.name,
    input.label,
    findings,
    (row) => {
      for (const [name, column] of columns) if (row[column].trim() === '') gaps[name]++;
    },
  );
  if (serviceCode === null) {
    const why = Object.values(findings.report()).map(({ meaning }) => meaning);
    throw new InputError(`${input.name}: ${why.join('; ')}`);
  }
  return {
    about: { service: serviceCode, extract: extractedOn ?? 'undated' },
    records: rowsRead,
    gaps,
    findings: countsOf(findings),
  };
}

/**
 * Counts the records, empty fields and findings of a table of details, a register or a list of filed additions. Reads it
 * by the mapping beside it, otherwise by a built-in one.
 */
async function careTable(input: Input): Promise<Counts> {
  const findings = new Findings();
  const gaps: Record<string, number> = {};
  let records = 0;
  const { form, tables } = await readCareTable(input, { fees: BUILT_IN_FEES, today: dayInJapan(new Date()) }, findings);
  for (const { rowsRead, rows } of tables) {
    records += rowsRead;
    for (const row of rows) {
      for (const [field, value] of Object.entries(row)) if (value === null) gaps[field] = (gaps[field] ?? 0) + 1;
    }
  }
  return { about: { form }, records, gaps, findings: countsOf(findings) };
}

/** Counts the records of a shapefile of the census, its towns, and what they lack. */
async function census(input: Input): Promise<Counts> {
  const { records, towns, water, without_area, without_code, without_name } = await shapefileReport(input);
  return {
    about: { towns: String(towns), water: String(water) },
    records,
    gaps: { without_area, without_code: without_code.count, without_name: without_name.count },
    findings: {},
  };
}

/** Counts flood or landslide zones. */
async function hazardLayer(input: Input): Promise<Counts> {
  const { flood_zones, landslide_zones, passed_over } = await countZones(input);
  return {
    about: { flood_zones: String(flood_zones), landslide_zones: String(landslide_zones) },
    records: flood_zones + landslide_zones + passed_over,
    gaps: { other_records: passed_over },
    findings: {},
  };
}

/** Counts the town names with kana. A gap is a name with two readings. */
async function postalNames(input: Input): Promise<Counts> {
  const { byMunicipality, ambiguous } = readReadings(await readInput(input), input.name);
  const records = [...byMunicipality.values()].reduce((sum, names) => sum + names.size, 0);
  const about = { municipalities: String(byMunicipality.size) };
  return { about, records, gaps: { two_readings: ambiguous.length }, findings: {} };
}

/** Names or positions of blocks of the address registry. */
async function addressBlocks(input: Input): Promise<Counts> {
  const bytes = await readInput(input);
  if (holdsPositions(input.name)) {
    const { rows, withoutPosition } = readAddressBlockPositions(bytes, input.name);
    return {
      about: { form: 'positions of blocks' },
      records: rows,
      gaps: { without_position: withoutPosition },
      findings: {},
    };
  }
  const { rows, abolished, withoutName } = readAddressBlockNames(bytes, input.name);
  return {
    about: { form: 'names of blocks' },
    records: rows,
    gaps: { abolished, without_name: withoutName },
    findings: {},
  };
}

/** The number of findings by kind. */
const countsOf = (findings: Findings): Record<string, number> =>
  Object.fromEntries(Object.entries(findings.report()).map(([kind, { count }]) => [kind, count]));
