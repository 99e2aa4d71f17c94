import http from 'node:http';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type City, listCities } from '../fetch/city-models.ts';
import { CLIENT_DEFAULTS, Client, FetchError } from '../fetch/client.ts';
import {
  type Area,
  type Fetched,
  type FetchOptions,
  fetchInputs,
  INPUT_KINDS,
  type InputKind,
} from '../fetch/fetch-inputs.ts';
import { readPublishers } from '../fetch/publishers.ts';
import { isInJapan } from '../geo/grid-square.ts';
import { programVersion } from '../pipeline/program.ts';
import { bytesText, countText, remark, say, sayJson, table } from './output.ts';
import { fetchProgress } from './progress.ts';
import { commaList, oneOf } from './setting.ts';

/** The flags that `refresh` has too. */
export interface FetchFlags {
  city?: string[];
  area?: Area;
  year?: number;
  spec?: string;
  route: FetchOptions['route'];
  only: InputKind[];
  publishers?: string;
}

interface Flags extends FetchFlags {
  into?: string;
  list: boolean;
  json: boolean;
}

/** The kinds that are fetched without `--only`. */
const DEFAULT_KINDS: readonly InputKind[] = ['citygml', 'census', 'readings', 'offices'];

/** `hidamari fetch`: downloads publishers' files into an inputs folder. */
export function define(command: Command): void {
  command.description(
    'Fetches city models, census areas, readings and office lists into a folder for build --inputs. A second run fetches only what the publishers have changed; a run that was broken off goes on.',
  );
  addFetchOptions(command)
    .option('--into <dir>', 'inputs folder')
    .option('--list', 'list the cities that have a model: year, specification, size', false)
    .option('--json', 'progress as JSON lines on standard error, the outcome as JSON on standard output', false)
    .action(run);
}

/** Adds the flags of `FetchFlags` to a command. */
export const addFetchOptions = (command: Command): Command =>
  command
    .option(
      '--city <codes>',
      'codes with commas between: cities (5 digits), prefectures (2 digits), tokyo23 or all',
      cities,
    )
    .option('--area <lat,lon,km>', 'every grid square within a number of kilometres of a place', area)
    .option('--year <year>', 'year of the city models (default: the newest)', wholeYear)
    .option('--spec <version>', 'specification of the city models, such as 3.2 (default: the newest)')
    .option(
      '--route <route>',
      'catalogue: file by file; zip: out of the published zip',
      oneOf(['catalogue', 'zip']),
      'catalogue',
    )
    .addOption(
      new Option('--only <kinds>', `some of ${INPUT_KINDS.join(', ')}`)
        .argParser(kinds)
        .default([...DEFAULT_KINDS], 'all but addresses, landmarks, normals and terrain'),
    )
    .option('--publishers <file>', 'JSON file with other addresses, hosts or credits of the publishers');

/** The files to request. Ends the command when the flags contradict each other. */
export async function toFetch(flags: FetchFlags, into: string, command: Command): Promise<FetchOptions> {
  if ((flags.city === undefined) === (flags.area === undefined)) {
    return command.error('error: give either --city or --area; fetch --list shows the cities');
  }
  if (flags.area !== undefined && flags.route === 'zip') return command.error('error: --area needs --route catalogue');
  return {
    into,
    cities: flags.city ?? [],
    area: flags.area ?? null,
    edition: { year: flags.year ?? null, spec: flags.spec ?? null },
    route: flags.route,
    kinds: new Set(flags.only),
    publishers: await readPublishers(flags.publishers ?? null),
    client: newClient(),
  };
}

/** The client for publishers, with the proxy of the environment. */
function newClient(): Client {
  // Node.js before 24.14 does not have this function and reads no proxy from the environment.
  http.setGlobalProxyFromEnv?.();
  return new Client({ ...CLIENT_DEFAULTS, userAgent: userAgent() });
}

/** Fetches files, or lists the cities with a model. */
async function run(flags: Flags, command: Command): Promise<void> {
  if (flags.list) {
    const cities = await listCities(newClient(), (await readPublishers(flags.publishers ?? null)).plateau);
    return flags.json ? sayJson(cities) : sayCities(cities);
  }
  if (flags.into === undefined) return command.error('error: --into <dir> is missing: the folder for the files');
  const options = await toFetch(flags, flags.into, command);
  sayOutcome(await fetchInputs(options, fetchProgress(flags.json)), options.into, flags.json);
}

/** Exit code: some files could not be fetched; the others were stored. */
export const INCOMPLETE = 5;

/** Limit of the printed names of files that could not be fetched. */
const MOST_SHOWN = 50;

/**
 * Prints the outcome of a fetch. Sets the exit code when some files could not be fetched.
 * @throws FetchError when no file could be fetched
 */
function sayOutcome(outcome: Fetched, into: string, json: boolean): void {
  const { fetched, unchanged, bytes, failed, withdrawn, absent: tilesWithoutElevation } = outcome;
  if (json) sayJson(outcome);
  else {
    const gone = withdrawn.length === 0 ? '' : `, ${countText(withdrawn.length)} withdrawn`;
    const noElevation =
      tilesWithoutElevation === 0 ? '' : `, ${countText(tilesWithoutElevation)} places without elevation`;
    say(
      `${countText(fetched)} files fetched (${bytesText(bytes)}), ${countText(unchanged)} unchanged${gone}${noElevation}, in ${into}`,
    );
  }
  if (failed.length === 0) return;
  const lines = failed.slice(0, MOST_SHOWN).map(({ path, reason }) => `  ${path}: ${reason}`);
  if (failed.length > MOST_SHOWN) lines.push(`  and ${countText(failed.length - MOST_SHOWN)} more; --json names all`);
  const failures = lines.join('\n');
  if (fetched + unchanged === 0) {
    throw new FetchError(
      `none of ${countText(failed.length)} files could be fetched; run it again to go on\n${failures}`,
    );
  }
  const all = countText(fetched + unchanged + failed.length);
  remark(`${countText(failed.length)} of ${all} files could not be fetched; run it again to go on\n${failures}`);
  process.exitCode = INCOMPLETE;
}

/** Prints the cities with a model as a table. */
function sayCities(cities: readonly City[]): void {
  const rows = cities.map(({ code, name, year, spec, bytes }) => [
    code,
    name,
    String(year),
    spec,
    bytes === null ? '–' : bytesText(bytes),
  ]);
  for (const line of table([['code', 'city', 'year', 'specification', 'size'], ...rows])) say(line);
}

/**
 * The User-Agent of requests to publishers.
 * @throws FetchError when the contact address is not valid in a header
 */
function userAgent(): string {
  const contact = process.env.HIDAMARI_CONTACT;
  if (contact !== undefined && !/^[ -~]*$/.test(contact)) {
    throw new FetchError(
      'HIDAMARI_CONTACT: give an address in ASCII, such as you@example.org: it goes into an HTTP header',
    );
  }
  return `hidamari/${programVersion()} (${contact ?? 'set HIDAMARI_CONTACT to an address for publishers to write to'})`;
}

/**
 * The value of `--city`.
 * @throws InvalidArgumentError
 */
function cities(text: string): string[] {
  // The codes of the 23 wards of Tokyo follow each other.
  if (text === 'tokyo23') return Array.from({ length: 23 }, (_, i) => String(13101 + i));
  const isCode = (code: string): boolean => /^(\d{5}|0[1-9]|[1-3]\d|4[0-7]|all)$/.test(code);
  const problem = 'no city (5 digits, such as 13101), no prefecture (01 to 47) and not all';
  return [...new Set(commaList(text, isCode, problem))].sort();
}

/**
 * The value of `--area`.
 * @throws InvalidArgumentError
 */
function area(text: string): Area {
  const [lat, lon, km, ...more] = text.split(',').map(Number);
  if (lat === undefined || lon === undefined || km === undefined || more.length > 0) {
    throw new InvalidArgumentError('Expected LAT,LON,KM, such as 35.681,139.767,2.');
  }
  if (!isInJapan(lat, lon)) throw new InvalidArgumentError('The place is not in Japan.');
  if (!(km > 0 && km <= 50)) throw new InvalidArgumentError('Expected more than 0 and at most 50 km.');
  return { lat, lon, km };
}

/**
 * The value of `--only`.
 * @throws InvalidArgumentError
 */
function kinds(text: string): InputKind[] {
  const isKind = (name: string): boolean => INPUT_KINDS.some((kind) => kind === name);
  const names = commaList(text, isKind, `not one of ${INPUT_KINDS.join(', ')}`);
  return INPUT_KINDS.filter((kind) => names.includes(kind));
}

/** @throws InvalidArgumentError */
function wholeYear(text: string): number {
  if (!/^20\d\d$/.test(text)) throw new InvalidArgumentError('Expected a year such as 2023.');
  return Number(text);
}
