import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { groupOf, PACK_KINDS, PACKS_FILE, type PacksAbout, townPageKey } from '../src/client/packs.ts';
import { StaticClient } from '../src/client/static-client.ts';
import { DatasetContents } from '../src/dataset/contents.ts';
import { rangeServer } from '../test/support/range-server.ts';
import { hidamari } from '../test/support/run.ts';
import { print } from './serving/output.ts';
import { startServer } from './serving/server.ts';

// Prints the sizes of an export as files, then compares random answers of the static client, through a server that
// only supports ranges, with those of `hidamari serve`, byte by byte: `npm run bench:static -- DATA [--answers 10000] [--seed 1] [--static DIR]`. The exit code is 1
// when an answer differs or needs too many requests.

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    answers: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    static: { type: 'string' },
  },
});
const [data = 'data'] = positionals;
const MOST_REQUESTS = 2;

/** A generator of random numbers from 0 to 1 with a seed (xorshift). */
function randomOf(seed: number): () => number {
  let state = seed * 2654435761 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

const temp = mkdtempSync(join(tmpdir(), 'hidamari-bench-'));
const server = await startServer(['--data', data, '--rate-limit', 'off']);
const folder = options.static ?? join(temp, 'static');
if (options.static === undefined) {
  const { code, stderr } = await hidamari(['export', data, '--static', folder, '--site-url', server.url]);
  if (code !== 0) throw new Error(stderr);
}
printSizes();
/** The address in the files; it differs from that of the server when they were exported before. */
const { tails } = JSON.parse(readFileSync(join(folder, PACKS_FILE), 'utf8')) as PacksAbout;
const site = /"inputs_url":"([^"]+)\/inputs\.json"/.exec(tails.building)?.[1] ?? server.url;
const ranges = await rangeServer(folder);
try {
  process.exitCode = (await compare()) ? 0 : 1;
} finally {
  ranges.close();
  await server.stop();
  rmSync(temp, { recursive: true, force: true });
}

/** Prints the bytes of the packs of each kind, of the other folders, and of all. */
function printSizes(): void {
  const sizes = new Map<string, { files: number; bytes: number }>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const [top = '', , kind = ''] = relative(folder, join(entry.parentPath, entry.name)).split(sep);
    const { size } = statSync(join(entry.parentPath, entry.name));
    const group =
      top === 'packs' ? `packs of ${kind.replace('.dict', '')}` : /^(bulk|tiles)$/.test(top) ? top : 'pages and lists';
    for (const name of [group, 'all']) {
      const known = sizes.get(name) ?? { files: 0, bytes: 0 };
      sizes.set(name, { files: known.files + 1, bytes: known.bytes + size });
    }
  }
  for (const [name, { files, bytes }] of sizes) print(`${name}: ${files} files, ${(bytes / 1e6).toFixed(1)} MB`);
}

async function compare(): Promise<boolean> {
  const random = randomOf(Number(options.seed));
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const contents = await DatasetContents.open(data);
  const [ids, facilities]: [string[], string[]] = [[], []];
  for (const { id } of contents.buildings()) ids.push(id);
  for (const { id } of contents.facilities()) facilities.push(id);
  contents.close();
  const towns = (await json<{ town_code: string }[]>('/sunlight/towns.json')).data.map(({ town_code }) => town_code);
  const client = await StaticClient.open(ranges.url);
  const keys = { buildings: ids, towns: towns.map((code: string) => townPageKey(code, 1)), facilities, near: [] };
  const groups = Object.fromEntries(
    PACK_KINDS.map((kind) => [kind, [...new Set(keys[kind].map((key: string) => groupOf(kind, key)))]]),
  );
  await client.warm({ ...groups, near: Array.from({ length: 20 }, (_, i) => String(350 + i)) });
  print(`warm: ${ranges.counted.requests} requests, ${(ranges.counted.bytes / 1e6).toFixed(1)} MB`);
  const kinds = ['building', 'full', 'near', 'town', ...(facilities.length > 0 ? ['facility'] : [])] as const;
  const seen = Object.fromEntries(kinds.map((kind) => [kind, { answers: 0, different: 0, most: 0, bytes: 0 }]));
  for (let i = 0; i < Number(options.answers); i++) {
    const kind = pick(kinds);
    const before = { ...ranges.counted };
    const [path, answer] = await one(kind);
    const of = seen[kind];
    if (of === undefined) continue;
    of.answers++;
    of.most = Math.max(of.most, ranges.counted.requests - before.requests);
    of.bytes += ranges.counted.bytes - before.bytes;
    const response = await fetch(server.url + path);
    const expected = response.status === 404 ? null : (await response.text()).replaceAll(server.url, site);
    if (expected === answer) continue;
    of.different++;
    if (of.different <= 3)
      print(`differs: ${path}\n  server ${expected?.slice(0, 300)}\n  files  ${answer?.slice(0, 300)}`);
  }
  for (const [kind, { answers, different, most, bytes }] of Object.entries(seen))
    print(
      `${kind}: ${answers} answers, ${different} differ, at most ${most} requests, ${(bytes / answers / 1000).toFixed(1)} kB each`,
    );
  return Object.values(seen).every(({ different, most }) => different === 0 && most <= MOST_REQUESTS);

  async function json<T>(path: string): Promise<{ data: T }> {
    return (await (await fetch(server.url + path)).json()) as { data: T };
  }

  async function one(kind: (typeof kinds)[number]): Promise<[path: string, answer: string | null]> {
    if (kind === 'near') {
      const {
        data: { lat, lon },
      } = await json<{ lat: number; lon: number }>(`/api/v1/sunlight/building/${pick(ids)}`);
      const at = [lat + (random() - 0.5) / 100, lon + (random() - 0.5) / 100].map(
        (degrees) => Math.round(degrees * 1e6) / 1e6,
      );
      const radius = pick([10, 50, 100, 100, 300]);
      const [a = 0, b = 0] = at;
      return [`/api/v1/sunlight/near?lat=${a}&lon=${b}&r=${radius}`, await client.near(a, b, radius)];
    }
    if (kind === 'town') {
      const [code, page] = [pick<string>(towns), pick([1, 1, 2, 3])];
      return [`/api/v1/sunlight/town/${code}/buildings?page=${page}`, await client.town(code, page)];
    }
    if (kind === 'facility') {
      const id = pick(facilities);
      return [`/api/v1/kaigo/facility/${id}`, await client.facility(id)];
    }
    // One in fifty has an unknown building.
    const id = random() < 0.02 ? `${pick(ids)}9999999` : pick(ids);
    const path = `/api/v1/sunlight/building/${id}`;
    return kind === 'building' ? [path, await client.building(id)] : [`${path}/full`, await client.full(id)];
  }
}
