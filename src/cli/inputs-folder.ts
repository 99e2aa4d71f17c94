import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { listDay, readSources } from '../fetch/sources-lock.ts';
import type { InputOrigin } from '../pipeline/provenance.ts';
import { progressListener } from './progress.ts';

/** The flags of input paths. Each has a folder in an inputs folder, and may be useless without another flag. */
const PATH_FLAGS = {
  citygml: { subfolder: 'citygml', needed: null },
  offices: { subfolder: 'offices', needed: null },
  towns: { subfolder: 'census', needed: 'citygml' },
  addresses: { subfolder: 'addresses', needed: 'citygml' },
  normals: { subfolder: 'normals', needed: 'citygml' },
  landmarks: { subfolder: 'landmarks', needed: 'citygml' },
  terrain: { subfolder: 'terrain', needed: 'citygml' },
  details: { subfolder: 'details', needed: 'offices' },
  registers: { subfolder: 'registers', needed: 'offices' },
  filings: { subfolder: 'filings', needed: 'offices' },
  hazards: { subfolder: 'hazards', needed: 'offices' },
} as const;
type PathFlag = keyof typeof PATH_FLAGS;
const FLAGS = Object.keys(PATH_FLAGS) as PathFlag[];

/** The flags that others need, in words. */
const CONTENTS = { citygml: 'city models', offices: 'office lists', towns: 'census areas' };

/** The input paths of a build. */
export interface InputPaths extends Record<PathFlag, string[]> {
  readings?: string;
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
 * @returns the flags with these paths, where each fetched file came from, and the day of each fetched office list
 */
export async function withInputs<T extends Partial<InputPaths>>(
  flags: T,
  folder: string,
  json: boolean,
): Promise<T & InputPaths> {
  const paths = Object.fromEntries(FLAGS.map((name) => [name, flags[name] ?? []])) as Record<PathFlag, string[]>;
  /** The path of a subfolder, as a list; no path when the subfolder is empty or useless. */
  const usable = (subfolder: string, needed: keyof typeof CONTENTS | null): string[] => {
    const path = join(folder, subfolder);
    if (!existsSync(path)) return [];
    const leaveOut = (why: string): string[] => {
      progressListener(json)({ event: 'remark', message: `${path}: ${why}` });
      return [];
    };
    if (!holdsFiles(path)) return leaveOut('holds no file; built without');
    // `--parts` joins datasets of parts, which have the buildings already.
    const isPartJoin = needed === 'citygml' && flags.parts !== undefined;
    if (needed === null || paths[needed].length > 0 || isPartJoin) return [path];
    return leaveOut(`left out, since there are no ${CONTENTS[needed]}`);
  };
  for (const name of FLAGS) {
    const { subfolder, needed } = PATH_FLAGS[name];
    paths[name] = [...paths[name], ...usable(subfolder, needed)];
  }
  const [readings] = flags.readings === undefined ? usable('readings', 'towns') : [flags.readings];
  const listDays = new Map<string, string>();
  const origins: InputOrigin[] = [];
  for (const [path, source] of await readSources(folder)) {
    const { url, edition = null, fetched_at, sha256 } = source;
    origins.push({ file: path, path: join(folder, path), url, edition, fetched_at, sha256 });
    const day = path.startsWith('offices/') ? listDay(source) : null;
    if (day !== null) listDays.set(join(folder, path), day);
  }
  return { ...flags, ...paths, readings, listDays, origins };
}

/** True for a file, or for a folder with a completely fetched file. */
function holdsFiles(path: string): boolean {
  if (!statSync(path).isDirectory()) return true;
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries.some((entry) => !entry.isDirectory() && !/\.part(\.json)?$/.test(entry.name));
}
