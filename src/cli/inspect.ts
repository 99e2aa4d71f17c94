import type { Command } from 'commander';
import { findAllInputs, type Input, InputError, type InputKind, openInput } from '../pipeline/inputs.ts';
import { CityGmlError, type FileSummary, ISSUE_KINDS, type IssueKind } from '../plateau/building.ts';
import { readBuildings } from '../plateau/reader.ts';
import { type BuildingCounts, type IssueCount, Survey } from '../plateau/survey.ts';
import type { TableContents } from './inspect-tables.ts';
import { bytesText, countText, say, sayJson, sayTable, styled } from './output.ts';

/** What `hidamari inspect --json` prints. */
interface Inspection {
  /** CityGML files of buildings, in order of name. */
  building_files: BuildingFile[];
  /** All buildings of all readable files. */
  total: BuildingCounts;
  /** Values that the reader did not take as published, by kind. */
  issues: IssuesOfKind[];
  /** Census areas, postal names, office lists and detail tables. */
  tables: TableContents[];
  /** All other files. */
  other_files: { name: string; kind: InputKind; bytes: number }[];
  /** Things that could not be opened, such as a damaged zip in a folder, and why. */
  not_opened: { name: string; error: string }[];
}

interface BuildingFile {
  name: string;
  bytes: number;
  /** Why the file cannot be read; then all following members are null. */
  error: string | null;
  contents: {
    citygml_version: string;
    uro_versions: string[];
    epsg: number[];
    /** Buildings with each level of detail, used or not. */
    lods: FileSummary['lods'];
    buildings: number;
    left_out: number;
    other_objects: Record<string, number>;
  } | null;
}

interface IssuesOfKind extends IssueCount {
  kind: IssueKind;
  meaning: string;
}

/** `hidamari inspect`: shows what published files contain. */
export function define(command: Command): void {
  command
    .argument('<path...>', 'folders, files, or zips as published (read without unpacking)')
    .option('--json', 'print JSON')
    .action(async (paths: string[], options: { json?: boolean }) => {
      const notOpened: Inspection['not_opened'] = [];
      const inputs = await findAllInputs(paths, (name, error) => notOpened.push({ name, error }));
      for (const name of await unknownAmong(paths, inputs)) notOpened.push({ name, error: `${name}: ${UNKNOWN}` });
      const inspection = { ...(await inspect(inputs)), not_opened: notOpened };
      if (options.json) sayJson(inspection);
      else print(inspection);
      const unread = [...inspection.building_files, ...inspection.tables].some(({ error }) => error !== null);
      if (unread || notOpened.length > 0) process.exitCode = 1;
    });
}

/** The problem of a path that is not a published file. */
const UNKNOWN =
  'no published file that is known: neither by its name nor by its ending (datasets are looked at by hidamari verify and diff)';

/** Those of the paths that are not published files; all paths, also folders, when no published file was found. */
async function unknownAmong(paths: string[], inputs: Input[]): Promise<string[]> {
  const { isTable } = await loadTables();
  const unknown = inputs.filter((input) => input.kind === 'other' && !isTable(input));
  if (unknown.length === inputs.length) return paths;
  // A file inside a zip (an `entry`) or inside a folder is none of the paths.
  return unknown.filter(({ path, entry }) => entry === null && paths.includes(path)).map(({ name }) => name);
}

/** Loads the checks of tables, which load slowly: `--help` must not wait for them. */
const loadTables = () => import('./inspect-tables.ts');

/** Reads every file and counts what it contains. */
async function inspect(inputs: Input[]): Promise<Omit<Inspection, 'not_opened'>> {
  const { inspectTable, isTable } = await loadTables();
  const survey = new Survey();
  const files: BuildingFile[] = [];
  for (const input of inputs) if (input.kind === 'buildings') files.push(await inspectBuildings(input, survey));
  const tables: TableContents[] = [];
  for (const input of inputs.filter(isTable)) tables.push(await inspectTable(input));
  const others = inputs.filter((input) => input.kind !== 'buildings' && !isTable(input));
  return {
    building_files: files,
    total: survey.counts,
    issues: (Object.entries(survey.issues) as [IssueKind, IssueCount][]).map(([kind, issues]) => ({
      kind,
      meaning: ISSUE_KINDS[kind],
      ...issues,
    })),
    tables,
    other_files: others.map(({ name, kind, size }) => ({ name, kind, bytes: size })),
  };
}

/** Reads a file of buildings. Adds its buildings and issues to the survey. */
async function inspectBuildings(input: Input, survey: Survey): Promise<BuildingFile> {
  const { name, size } = input;
  try {
    const summary = await readBuildings(name, openInput(input), survey);
    const contents = {
      citygml_version: summary.cityGmlVersion,
      uro_versions: summary.uroVersions,
      epsg: summary.epsg,
      lods: summary.lods,
      buildings: summary.buildings,
      left_out: summary.leftOut,
      other_objects: summary.otherObjects,
    };
    return { name, bytes: summary.bytes, error: null, contents };
  } catch (error) {
    if (!(error instanceof CityGmlError || error instanceof InputError)) throw error;
    return { name, bytes: size, error: error.message, contents: null };
  }
}

/** Prints an inspection for people. */
function print({ building_files, total, issues, tables, other_files, not_opened }: Inspection): void {
  const hasFiles = building_files.length > 0;
  if (hasFiles) {
    printFiles(building_files);
    say();
    printTotal(total, building_files);
  }
  if (issues.length > 0) {
    say();
    say(styled('bold', 'Not taken as published'));
    for (const { kind, meaning, count, examples } of issues) {
      say(`  ${countText(count)} × ${kind}: ${meaning}`);
      for (const { building_id, gml_id, file, byte, detail } of examples.slice(0, MOST_EXAMPLES)) {
        say(`      ${building_id ?? gml_id ?? 'a building'} (${file}, byte ${byte}): ${detail}`);
      }
    }
  }
  if (tables.length > 0) {
    if (hasFiles) say();
    printTables(tables);
  }
  if (other_files.length > 0) {
    if (hasFiles || tables.length > 0) say();
    printOthers(other_files);
  }
  for (const { error } of not_opened) say(styled('red', `cannot be read: ${error}`));
}

/** Limit of the printed examples of each kind. */
const MOST_EXAMPLES = 3;

/** Prints a line for each file of buildings, its error if any, and what else is in the files. */
function printFiles(files: BuildingFile[]): void {
  const rows = files.map(({ name, bytes, contents }) => {
    if (contents === null) return [name, bytesText(bytes), 'cannot be read'];
    const { citygml_version, uro_versions, epsg, lods, buildings, left_out } = contents;
    // A file without a CRS is read as EPSG:6697.
    const crs = epsg.length > 0 ? epsg.map((code) => `EPSG:${code}`).join(', ') : 'none (6697)';
    const counts = [lods.lod0, lods.lod1, lods.lod2, lods.lod3, buildings, left_out].map(countText);
    return [name, bytesText(bytes), citygml_version, uro_versions.join(', '), crs, ...counts];
  });
  const heading = ['file', 'size', 'CityGML', 'uro', 'CRS', 'LOD0', 'LOD1', 'LOD2', 'LOD3', 'buildings', 'left out'];
  sayTable([heading, ...rows]);
  for (const { error } of files) if (error !== null) say(styled('red', `cannot be read: ${error}`));
  const sums = new Map<string, number>();
  for (const { contents } of files) {
    for (const [name, count] of Object.entries(contents?.other_objects ?? {}))
      sums.set(name, (sums.get(name) ?? 0) + count);
  }
  for (const [name, count] of sums) say(`passed over in these files: ${countText(count)} ${name}`);
}

/** Prints the counts and bounds of all buildings. */
function printTotal(total: BuildingCounts, files: BuildingFile[]): void {
  const share = (count: number) => (total.buildings === 0 ? '' : `${((100 * count) / total.buildings).toFixed(1)} %`);
  const row = (what: string, count: number) => [`  ${what}`, countText(count), share(count)];
  const leftOut = files.reduce((sum, { contents }) => sum + (contents?.left_out ?? 0), 0);
  sayTable([
    ['buildings', '', ''],
    row('that can be used', total.buildings),
    ['  left out', countText(leftOut), ''],
    row('with a building ID', total.with_id),
    row('with a measured height', total.with_measured_height),
    row('with storeys', total.with_storeys),
    row('with usage', total.with_usage),
    row('with a date', total.with_date),
    row('from LOD1', total.from_lod.lod1),
    row('from LOD2', total.from_lod.lod2),
    row('from LOD0', total.from_lod.lod0),
    row('with several prisms', total.with_several_prisms),
    row('with inner rings', total.with_inner_rings),
  ]);
  const usages = Object.entries(total.usages).sort((a, b) => b[1] - a[1]);
  if (usages.length > 0)
    say(`  usage codes: ${usages.map(([code, count]) => `${code} × ${countText(count)}`).join(', ')}`);
  if (total.bounds !== null) {
    const { south, west, north, east, low_m, high_m } = total.bounds;
    const [s, w, n, e] = [south, west, north, east].map((degrees) => degrees.toFixed(5));
    say(`  latitude ${s} to ${n}, longitude ${w} to ${e}, height ${low_m.toFixed(1)} to ${high_m.toFixed(1)} m`);
  }
}

/** Limit of the printed kinds of gaps or findings of a table. */
const MOST_KINDS = 4;

/** The most frequent kinds, the largest first; `--json` has all. */
function largestCounts(counts: Record<string, number>): string {
  const nonzero = Object.entries(counts).filter(([, count]) => count > 0);
  if (nonzero.length === 0) return '–';
  const largest = nonzero.sort(([, a], [, b]) => b - a).slice(0, MOST_KINDS);
  const more = nonzero.length > MOST_KINDS ? ` and ${nonzero.length - MOST_KINDS} more` : '';
  return largest.map(([kind, count]) => `${countText(count)} ${kind}`).join(', ') + more;
}

/** Prints a line for each table, and its error if any. */
function printTables(tables: TableContents[]): void {
  const rows = tables.map(({ name, kind, error, about, records, gaps, findings }) => {
    if (error !== null) return [name, kind, 'cannot be read'];
    const facts = Object.entries(about).map(([what, value]) => `${what} ${value}`);
    return [name, kind, countText(records), facts.join(', '), largestCounts(gaps), largestCounts(findings)];
  });
  sayTable([['file', 'kind', 'records', 'about', 'without', 'findings'], ...rows]);
  for (const { error } of tables) if (error !== null) say(styled('red', `cannot be read: ${error}`));
}

/** Other files by kind, with a few names: there may be thousands of textures. */
function printOthers(files: Inspection['other_files']): void {
  const byKind = Map.groupBy(files, ({ kind }) => kind);
  const rows = [...byKind].map(([kind, list]) => {
    const names = list.slice(0, MOST_EXAMPLES).map(({ name }) => name);
    const more = list.length > MOST_EXAMPLES ? ` and ${countText(list.length - MOST_EXAMPLES)} more` : '';
    const bytes = list.reduce((sum, file) => sum + file.bytes, 0);
    return [kind, countText(list.length), bytesText(bytes), names.join(', ') + more];
  });
  sayTable([['other files', 'number', 'size', ''], ...rows]);
}
