import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { CLIENT_DEFAULTS, Client } from '../../src/fetch/client.ts';
import { type FetchEvent, type FetchOptions, fetchInputs } from '../../src/fetch/fetch-inputs.ts';
import { LOCK_FILE, type Source } from '../../src/fetch/sources-lock.ts';
import { hidamari as command } from '../support/run.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { writeZip } from '../support/write-zip.ts';
import type { Replica } from './replica.ts';

/*
 * What the tests of downloads publish on a replica of the publishers, and how they look at what came of it.
 */

export const MODEL = (name: string, bytes = 200_000): string =>
  `<?xml version="1.0"?><core:CityModel>${name}${' '.repeat(bytes)}</core:CityModel>\n`;

/** Puts two cities with one file each, a census zip, names and lists on the replica. */
export function publish(
  replica: Replica,
  test: TestContext,
  idleMs = 20_000,
): { folder: string; options: FetchOptions } {
  replica.files.clear();
  replica.requests.length = 0;
  replica.mostOpen = replica.open;
  const folder = tempFolder(test);
  const zip = zipOf(folder, { 'a.shp': 'x' });
  const file = (code: string) => ({ code, maxLod: 1, url: `${replica.origin}/models/${code}.gml`, fileSize: null });
  const city = (cityCode: string, year: number, spec: string, codes: string[]) => ({
    cityCode,
    year,
    registrationYear: year,
    spec,
    url: 'unused',
    files: { bldg: codes.map(file) },
  });
  const cities = [
    city('13101', 2020, '2.3', ['53394500']),
    city('13101', 2023, '3.2', ['53394600', '53394601']),
    city('13102', 2023, '3.4', ['53394610']),
  ];
  replica.put('/catalogue/13101,13102?types=bldg', JSON.stringify({ cities }));
  replica.put('/catalogue/13101?types=bldg', JSON.stringify({ cities: cities.slice(0, 2) }));
  for (const code of ['53394600', '53394601', '53394610']) replica.put(`/models/${code}.gml`, MODEL(code));
  replica.put('/census?code=13101', zip);
  replica.put('/census?code=13102', zip);
  replica.put('/postal.zip', zip);
  replica.put('/care.html', '<a href="/care/jigyosho_510_all_20260701.csv">510</a>');
  replica.put('/care/jigyosho_510_all_20260701.csv', 'new,list\n');
  for (const service of ['110', '520']) replica.put(`/care/jigyosho_${service}.csv`, `list,of ${service}\n`);
  const client = new Client({
    ...CLIENT_DEFAULTS,
    backoffMs: 1,
    idleMs,
    tries: 3,
    tilesPerSecond: 500,
    userAgent: 'test',
  });
  const options: FetchOptions = {
    into: join(folder, 'inputs'),
    cities: ['13101'],
    area: null,
    edition: { year: null, spec: null },
    route: 'catalogue',
    kinds: new Set(['citygml']),
    publishers: replica.publishers(),
    client,
  };
  return { folder, options };
}

function zipOf(folder: string, members: Record<string, string>): Buffer {
  const path = join(folder, 'members.zip');
  writeZip(
    path,
    Object.entries(members).map(([name, data]) => ({ name, data })),
  );
  return readFileSync(path);
}

export const lockOf = ({ into }: FetchOptions): Record<string, Source> =>
  JSON.parse(readFileSync(join(into, LOCK_FILE), 'utf8')).files;

export async function fetchAll(options: FetchOptions) {
  const events: FetchEvent[] = [];
  const outcome = await fetchInputs(options, (event) => events.push(event));
  return { ...outcome, remarks: events.flatMap((event) => (event.event === 'remark' ? [event.message] : [])) };
}

export const first = 'citygml/13101/53394600_bldg.gml';
/** True when at least a byte of the model `first` is in its part. */
export const hasBegun =
  ({ into }: FetchOptions) =>
  (): boolean =>
    (statSync(join(into, `${first}.part`), { throwIfNoEntry: false })?.size ?? 0) > 0;
export const inputs = ({ into }: FetchOptions, path = first): string => readFileSync(join(into, path), 'utf8');

const NO_PROXY = Object.fromEntries(
  ['HTTP_PROXY', 'http_proxy', 'NO_PROXY', 'no_proxy'].map((name) => [name, undefined]),
);

/** Runs the command without the proxy that the machine may have. `env` is added to the environment. */
export const hidamari = (
  args: string[],
  env: Record<string, string> = {},
  killAt?: () => Promise<unknown>,
  signal: NodeJS.Signals = 'SIGKILL',
) => command(args, { env: { ...NO_PROXY, ...env }, ...(killAt && { killAt, signal }) });
