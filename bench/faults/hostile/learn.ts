import { hash } from 'node:crypto';
import { join } from 'node:path';
import { OPERATIONS } from '../../../src/contract/operations.ts';
import { PROBLEM_KINDS } from '../../../src/contract/problems.ts';
import { MAP_FILE } from '../../../src/dataset/map.ts';
import { tileAt } from '../../../src/geo/web-tile.ts';
import { readManifest } from '../../../src/snapshot/manifest.ts';
import type { RunningServer } from '../../serving/server.ts';
import { computedTargets } from '../../serving/targets.ts';
import { Draw } from './draw.ts';
import type { Known, KnownFile, KnownTarget } from './shots.ts';
import { ROUTES, validTarget } from './targets.ts';

/** Number of grid squares to take buildings from, and number of buildings in all. */
const SQUARES = 12;
const BUILDINGS = 60;
/** Number of targets of each route with random values. */
const TARGETS_OF_A_ROUTE = 3;
const MUNICIPALITIES = 10;
const ZOOMS = [10, 12, 14, 15];

/**
 * Records the answers of an idle server: every route with values of its dataset, each requested twice.
 * @param wrong gets a line for each cacheable answer that differs the second time
 */
export async function learn(server: RunningServer, dataset: string, seed: number, wrong: string[]): Promise<Known> {
  const { dataset_id, files } = await readManifest(dataset);
  const computed = await computedTargets(dataset, SQUARES, BUILDINGS);
  const buildings = await buildingsOf(
    server,
    computed.flatMap(({ summaries }) => summaries),
  );
  const care = await careOf(server);
  const ids = buildings.map(({ building_id }) => building_id);
  const tiles = ZOOMS.flatMap((z) => buildings.slice(0, 10).map(({ lat, lon }) => tileAt(z, lat, lon)));
  const values = {
    dataset_id: [dataset_id],
    building_id: ids,
    ids: ids.map((id, i) => [id, ...ids.slice(i + 1, i + 3)].join()),
    b: ids.map((id, i) => `${id}:${1 + (i % 5)}:S,${ids[(i * 7) % ids.length]}`),
    add: ids,
    q: [
      ...ids.slice(0, 5),
      ...buildings.flatMap(({ town_name }) => town_name ?? []).slice(0, 20),
      ...care.facilities.slice(0, 5),
    ],
    town_code: buildings.flatMap(({ town_code }) => town_code ?? []),
    ward: buildings.map(({ ward_code }) => ward_code),
    ward_code: buildings.map(({ ward_code }) => ward_code),
    code: buildings.map(({ ward_code }) => ward_code),
    lat: buildings.map(({ lat }) => String(lat)),
    lon: buildings.map(({ lon }) => String(lon)),
    f: care.facilities.map((id, i) => [id, ...care.facilities.slice(i + 1, i + 3)].join()),
    facility_id: care.facilities,
    municipality_code: care.tables.map(([municipality]) => municipality),
    service_code: care.tables.map(([, service]) => service),
    prefecture_code: ['13', '11'],
    half: ['sunlight', 'kaigo'],
    kind: Object.keys(PROBLEM_KINDS),
    name: OPERATIONS.map(({ id }) => id),
    z: tiles.map(({ z }) => String(z)),
    x: tiles.map(({ x }) => String(x)),
    y: tiles.map(({ y }) => String(y)),
  };
  const draw = new Draw(seed, -1);
  const asked = ROUTES.filter(({ kind }) => kind !== 'download' && kind !== 'map');
  const candidates = new Set([
    ...server.targets.filter((target) => target.startsWith('/')),
    ...asked.flatMap((route) => Array.from({ length: TARGETS_OF_A_ROUTE }, () => validTarget(route, values, draw))),
    ...computed.flatMap(({ floors, points, skies, summaries }) => [...floors, ...points, ...skies, ...summaries]),
    ...summariesOf(computed).map((target) => `${target}/full`),
    ...tiles.map(({ z, x, y }) => `/tiles/${dataset_id}/${z}/${x}/${y}.mvt`),
    ...care.tables.map(([municipality, service]) => `/api/v1/kaigo/municipality/${municipality}/${service}?sort=cost`),
  ]);
  const targets: KnownTarget[] = [];
  for (const target of candidates) targets.push(await answerTo(server, target, wrong));
  return { values, targets, files: await filesOf(server, dataset, Object.keys(files), dataset_id) };
}

const summariesOf = (computed: Awaited<ReturnType<typeof computedTargets>>): string[] =>
  computed.flatMap(({ summaries }) => summaries);

async function answerTo({ url }: RunningServer, target: string, wrong: string[]): Promise<KnownTarget> {
  const ask = async () => {
    const answer = await fetch(url + target, { redirect: 'manual', headers: { 'accept-encoding': 'identity' } });
    const digest = hash('sha256', Buffer.from(await answer.arrayBuffer()));
    const { status, headers } = answer;
    return { status, etag: headers.get('etag'), digest, cache: headers.get('cache-control') ?? '' };
  };
  const [first, second] = [await ask(), await ask()];
  const { status, etag, digest, cache } = second;
  if (status >= 500) wrong.push(`quiet: ${status} for ${target}`);
  if (mayDiffer(target, status, cache)) return { target, status, etag, digest: null };
  if (first.digest !== digest || first.status !== status) wrong.push(`quiet: two answers to ${target}`);
  return { target, status, etag, digest };
}

/**
 * True when two answers to the same request may differ: signed URLs and the state of the server change, refusals depend
 * on what the client accepts, and a comparison may lack results that were not computed in time.
 */
const mayDiffer = (target: string, status: number, cache: string): boolean =>
  status >= 400 || cache === 'no-store' || target.includes('/compare/');

interface FoundBuilding {
  building_id: string;
  town_code: string | null;
  town_name: string | null;
  ward_code: string;
  lat: number;
  lon: number;
}

async function dataOf<T>({ url }: RunningServer, target: string): Promise<T | null> {
  const answer = await fetch(url + target);
  const body = (await answer.json()) as { data?: T };
  return body.data ?? null;
}

async function buildingsOf(server: RunningServer, summaries: readonly string[]): Promise<FoundBuilding[]> {
  const found: FoundBuilding[] = [];
  for (const target of summaries) {
    const one = await dataOf<FoundBuilding>(server, target);
    if (one !== null) found.push(one);
  }
  return found;
}

/** Care tables, and facilities in them; none when the dataset has no care half. */
async function careOf(server: RunningServer): Promise<{ tables: [string, string][]; facilities: string[] }> {
  type Places = { municipalities: { municipality_code: string; services: { service_code: string }[] }[] };
  const places = await dataOf<Places>(server, '/api/v1/kaigo/municipalities');
  const tables = (places?.municipalities ?? [])
    .filter(({ services }) => services.length > 0)
    .slice(0, MUNICIPALITIES)
    .flatMap(({ municipality_code, services }) =>
      services.slice(0, 3).map(({ service_code }): [string, string] => [municipality_code, service_code]),
    );
  const facilities: string[] = [];
  for (const [municipality, service] of tables) {
    const target = `/api/v1/kaigo/municipality/${municipality}/${service}`;
    const page = await dataOf<{ facilities: { facility_id: string }[] }>(server, target);
    facilities.push(...(page?.facilities ?? []).slice(0, 5).map(({ facility_id }) => facility_id));
  }
  return { tables, facilities };
}

/** Bulk files by their signed URLs, and the whole map. */
async function filesOf(
  server: RunningServer,
  dataset: string,
  names: readonly string[],
  id: string,
): Promise<KnownFile[]> {
  const files: KnownFile[] = [];
  for (const name of names) {
    const [, half, code] = /^bulk\/(sunlight|kaigo)\/(\w+)\.parquet$/.exec(name) ?? [];
    if (half === undefined || code === undefined) continue;
    const offer = await dataOf<{ url: string; bytes: number }>(server, `/api/v1/${half}/bulk/${code}`);
    if (offer === null) continue;
    const { pathname, search } = new URL(offer.url);
    files.push({ target: pathname + search, path: join(dataset, name), bytes: offer.bytes });
  }
  const length = (await fetch(`${server.url}/tiles/${id}.pmtiles`, { method: 'HEAD' })).headers.get('content-length');
  if (names.includes(MAP_FILE))
    files.push({ target: `/tiles/${id}.pmtiles`, path: join(dataset, MAP_FILE), bytes: Number(length) });
  return files;
}
