import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { listDay, readSources } from '../fetch/sources-lock.ts';
import type { InputOrigin } from '../pipeline/provenance.ts';
import { progressListener } from './build-progress.ts';

/** The input paths of a build. */
export interface InputPaths {
  citygml: string[];
  towns: string[];
  readings?: string;
  addresses: string[];
  normals: string[];
  landmarks: string[];
  terrain: string[];
  offices: string[];
  details: string[];
  registers: string[];
  filings: string[];
  hazards: string[];
  /** Datasets of parts, instead of city models. */
  parts?: string[];
  /** Days of the office lists of an inputs folder, by their paths. */
  listDays?: ReadonlyMap<string, string>;
  /** The origins of the files of an inputs folder. */
  origins?: InputOrigin[];
}

/**
 * Adds the folders of an inputs folder, by the names that `fetch` gives them. A folder that is useless without others
 * is left out with a remark.
 */
export async function withInputs<T extends InputPaths>(given: T, folder: string, json: boolean): Promise<T> {
  const add = (paths: string[], name: string, needed: string[] | null, what = ''): string[] => {
    const path = join(folder, name);
    if (!existsSync(path)) return paths;
    if (holdsFiles(path) && needed?.length !== 0) return [...paths, path];
    const why = holdsFiles(path) ? `left out, since there are no ${what}` : 'holds no file; built without';
    progressListener(json)({ event: 'remark', message: `${path}: ${why}` });
    return paths;
  };
  const citygml = add(given.citygml, 'citygml', null);
  const offices = add(given.offices, 'offices', null);
  const models = given.parts ? null : citygml;
  const towns = add(given.towns, 'census', models, 'city models');
  const [readings] = given.readings ? [given.readings] : add([], 'readings', towns, 'census areas');
  const addresses = add(given.addresses, 'addresses', models, 'city models');
  const normals = add(given.normals, 'normals', models, 'city models');
  const landmarks = add(given.landmarks, 'landmarks', models, 'city models');
  const terrain = add(given.terrain, 'terrain', models, 'city models');
  const ofCare = (name: 'details' | 'registers' | 'filings' | 'hazards') => ({
    [name]: add(given[name], name, offices, 'office lists'),
  });
  const care = { ...ofCare('details'), ...ofCare('registers'), ...ofCare('filings'), ...ofCare('hazards') };
  const listDays = new Map<string, string>();
  const origins: InputOrigin[] = [];
  for (const [path, source] of await readSources(folder)) {
    const { url, edition = null, fetched_at, sha256 } = source;
    origins.push({ file: path, path: join(folder, path), url, edition, fetched_at, sha256 });
    const day = path.startsWith('offices/') ? listDay(source) : null;
    if (day !== null) listDays.set(join(folder, path), day);
  }
  const days = { listDays, origins };
  return { ...given, citygml, towns, readings, addresses, normals, landmarks, terrain, offices, ...care, ...days };
}

/** True for a file, or for a folder with a completely fetched file. */
function holdsFiles(path: string): boolean {
  if (!statSync(path).isDirectory()) return true;
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries.some((entry) => !entry.isDirectory() && !/\.part(\.json)?$/.test(entry.name));
}
