import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The rooms and what each may import, types included, as in ARCHITECTURE.md. An arrow does not carry on. */
const ARROWS: Record<string, string[]> = {
  geo: [],
  solar: ['geo'],
  formats: [],
  http: [],
  contract: [],
  map: ['geo'],
  plateau: ['geo'],
  census: ['geo'],
  kaigo: ['geo'],
  sunlight: ['geo', 'solar'],
  city: ['formats', 'geo', 'plateau', 'sunlight'],
  dataset: ['census', 'city', 'contract', 'formats', 'geo', 'kaigo', 'map', 'plateau', 'solar', 'sunlight'],
  fetch: ['formats', 'geo'],
  site: ['contract', 'dataset'],
  api: ['contract', 'dataset', 'formats', 'http', 'site'],
  pipeline: ['census', 'city', 'dataset', 'formats', 'geo', 'kaigo', 'map', 'plateau', 'solar', 'sunlight'],
  cli: [
    'api',
    'census',
    'city',
    'contract',
    'dataset',
    'fetch',
    'formats',
    'geo',
    'http',
    'kaigo',
    'pipeline',
    'plateau',
    'site',
    'solar',
    'sunlight',
  ],
};

/** Rooms without files, clocks or sockets, and the packages they may use. */
const PURE: Record<string, RegExp> = {
  geo: /^$/,
  solar: /^astronomy-engine$/,
  sunlight: /^$/,
  map: /^(pbf|@maplibre\/(geojson-vt|vt-pbf))$/,
  kaigo: /^(typebox(\/value)?|geographiclib-geodesic|csv-parse\/sync)$/,
  contract: /^typebox(\/|$)/,
};

/** In a pure room these would be a file, a clock, a socket or chance. */
const IMPURE =
  /\b(process\.|Date\.now|new Date\(\)|performance\.|fetch\(|Math\.random|setTimeout|setInterval|console\.)/;

/** Most files are under 180 lines; what grows past this is two concepts in one file. */
const MOST_LINES = 500;

interface Import {
  /** `src/geo/plane.ts`, or the name of a package. */
  target: string;
  typeOnly: boolean;
}

const files = listFiles(join(ROOT, 'src')).map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));

describe('the arrows of ARCHITECTURE.md', () => {
  for (const { path, text } of files) {
    const room = roomOf(path);
    it(path, () => {
      assert.ok(room in ARROWS, `${room} is not a room of ARCHITECTURE.md`);
      const allowed = new Set([...ARROWS[room]!, room]);
      for (const { target } of importsOf(path, text)) {
        if (!target.startsWith('src/')) continue;
        assert.ok(
          allowed.has(roomOf(target)),
          `${path} imports ${target}: no arrow leads from ${room} to ${roomOf(target)}`,
        );
      }
    });
  }
});

describe('pure rooms touch no file, clock, network or node:*', () => {
  for (const { path, text } of files.filter(({ path }) => roomOf(path) in PURE)) {
    it(path, () => {
      for (const { target } of importsOf(path, text)) {
        if (target.startsWith('src/')) continue;
        assert.match(target, PURE[roomOf(path)]!, `${path} imports ${target}`);
      }
      const found = IMPURE.exec(withoutComments(text));
      assert.equal(found, null, `${path} uses ${found?.[0]}`);
    });
  }
});

describe('the rules', () => {
  it('no circle of imports between files, types aside', () => {
    const graph = new Map(
      files.map(({ path, text }) => [
        path,
        importsOf(path, text)
          .filter(({ typeOnly }) => !typeOnly)
          .map(({ target }) => target),
      ]),
    );
    assert.deepEqual(findCircle(graph), []);
  });

  it(`no file is longer than ${MOST_LINES} lines`, (t) => {
    const lengths = files.map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }));
    const long = lengths.filter(({ lines }) => lines > 180).sort((a, b) => b.lines - a.lines);
    t.diagnostic(
      `${files.length} files, ${long.length} above 180 lines: ${long.map((f) => `${f.path} ${f.lines}`).join(', ')}`,
    );
    assert.deepEqual(
      long.filter(({ lines }) => lines > MOST_LINES),
      [],
    );
  });

  it('ARCHITECTURE.md draws every room', () => {
    const text = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
    const rooms = [...new Set(files.map(({ path }) => roomOf(path)))];
    assert.deepEqual(
      rooms.filter((room) => !text.includes(`\n  ${room}/`)),
      [],
    );
  });
});

function listFiles(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return listFiles(path);
    return name.endsWith('.ts') ? [relative(ROOT, path)] : [];
  });
}

function roomOf(path: string): string {
  return path.split('/')[1]!;
}

/** Static and dynamic imports and re-exports, and `new URL('…', import.meta.url)`, which starts a worker. */
function importsOf(path: string, text: string): Import[] {
  const found: Import[] = [];
  const statement = /^\s*(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm;
  const expression = /\b(?:import\(\s*|new URL\(\s*)'([^']+)'/g;
  const code = withoutComments(text);
  for (const [, type, target] of code.matchAll(statement))
    found.push({ target: target!, typeOnly: type !== undefined });
  for (const [, target] of code.matchAll(expression)) found.push({ target: target!, typeOnly: false });
  return found
    .filter(({ target }) => !/^[a-z]+:\/\//.test(target))
    .map((one) =>
      one.target.startsWith('.') ? { ...one, target: relative(ROOT, resolve(ROOT, dirname(path), one.target)) } : one,
    );
}

/** Comments go, strings stay. Enough for imports, which hold no comment signs. */
function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
}

function findCircle(graph: Map<string, string[]>): string[] {
  const done = new Set<string>();
  const visit = (path: string, trail: string[]): string[] => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
    if (done.has(path)) return [];
    for (const next of graph.get(path) ?? []) {
      const circle = visit(next, [...trail, path]);
      if (circle.length > 0) return circle;
    }
    done.add(path);
    return [];
  };
  for (const path of graph.keys()) {
    const circle = visit(path, []);
    if (circle.length > 0) return circle;
  }
  return [];
}
