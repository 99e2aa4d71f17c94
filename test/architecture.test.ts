import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import {
  arrowBreaches,
  deepImports,
  entrances,
  importCircle,
  importsOf,
  roomOf,
  type SourceText,
  sourceTexts,
} from './support/house-rules.ts';
import { ROOT } from './support/run.ts';

const ARCHITECTURE = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');

/** What each room may import, types included, from the table in ARCHITECTURE.md. An arrow does not carry on. */
const ARROWS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  [...ARCHITECTURE.matchAll(/^\| (`[^|]*`) \| (no other room|[`\w, ]+) \|$/gm)].flatMap(([, rooms, targets]) =>
    quoted(rooms).map((room) => [room, quoted(targets)]),
  ),
);

/** By room the files through which others enter it, from the second table there. */
const FRONTS = Map.groupBy(
  [...ARCHITECTURE.matchAll(/^\| `(\w+)`(?:, [\w ]+)? \| ([\w/-]+(?: · [\w/-]+)+) \|$/gm)].flatMap(
    ([, room = '', names = '']) => names.split(' · ').map((name) => ({ room, path: `src/${room}/${name}.ts` })),
  ),
  ({ room }) => room,
);

/** Rooms without files, clocks or sockets, and the packages they may use. */
const PURE: Record<string, RegExp> = {
  geo: /^$/,
  solar: /^astronomy-engine$/,
  sunlight: /^$/,
  map: /^(pbf|geojson|@maplibre\/(geojson-vt|vt-pbf))$/,
  search: /^$/,
  kaigo: /^(typebox(\/value)?|geographiclib-geodesic|csv-parse\/sync)$/,
  contract: /^typebox(\/|$)/,
};

/** What no room imports, and everybody may: the program itself, and its commands by name. */
const ENTRIES = ['src/cli/commands.ts'];

/**
 * Files inside a room that tests import: each holds a rule that is tested for itself, more closely than what the room offers
 * would let it. The list only gets shorter.
 */
const TESTED_FOR_THEMSELVES = {
  api: 'access-log billing/claim billing/payment-metrics operations/sunlight parameters route-table routes suggest',
  census: 'dbase',
  cli: 'build-progress build-report bulk-keys log-output output setting settings',
  compute: 'fair-queue',
  dataset: 'cell cell-cursor kaigo-cases kaigo-store kaigo-verify search-places sunlight-json sunlight-store-writer',
  fetch: 'sources-lock tables',
  kaigo: 'lists/csv published-fees text values',
  pipeline: 'duplicates kaigo kaigo-inputs result-file',
  plateau: 'position-parser xml/encoding',
  site: 'charts/skyline-labels frame/discovery kaigo/table-csv routes texts/texts',
  sunlight: 'image-planes kernel-module repair wasm',
};
/** Imports of these by all tests together. Fewer is better: then the number here goes down with them. */
const MOST_DEEP_IMPORTS = 70;

/** In a pure room these would be a file, a clock, a socket or chance. */
const IMPURE =
  /\b(process\.|Date\.now|new Date\(\)|performance\.|fetch\(|Math\.random|setTimeout|setInterval|console\.)/;

/** Most files are under 180 lines; what grows past this is two concepts in one file. */
const MOST_LINES = 500;

const files = sourceTexts('src');

describe('the arrows of ARCHITECTURE.md', () => {
  for (const file of files) it(file.path, () => assert.deepEqual(arrowBreaches(file, ARROWS), []));
});

describe('pure rooms touch no file, clock, network or node:*', () => {
  for (const { path, text } of files.filter(({ path }) => roomOf(path) in PURE)) {
    it(path, () => {
      for (const target of importsOf({ path, text })) {
        if (target.startsWith('src/')) continue;
        assert.match(target, PURE[roomOf(path)] ?? /^$/, `${path} imports ${target}`);
      }
      const found = IMPURE.exec(withoutComments(text));
      assert.equal(found, null, `${path} uses ${found?.[0]}`);
    });
  }
});

describe('the rules', () => {
  it('tests import what rooms offer to each other, or a rule that is tested for itself', (t) => {
    const found = deepImports(files, sourceTexts('test'), ENTRIES);
    const listed = Object.entries(TESTED_FOR_THEMSELVES).flatMap(([room, names]) =>
      names.split(' ').map((name) => `src/${room}/${name}.ts`),
    );
    t.diagnostic(`${found.length} imports of ${new Set(found.map(({ target }) => target)).size} files inside rooms`);
    const strange = found.filter(({ target }) => target.endsWith('.ts') && !listed.includes(target));
    assert.deepEqual(strange, [], 'import a file that another room imports, too: it is what the room offers');
    const idle = listed.filter((name) => !found.some(({ target }) => target === name));
    assert.deepEqual(idle, [], 'take these off the list: no test needs them');
    assert.ok(found.length <= MOST_DEEP_IMPORTS, `${found.length} deep imports, ${MOST_DEEP_IMPORTS} at most`);
  });

  it('large rooms are entered through their front', () => {
    assert.ok(FRONTS.size > 0);
    for (const [room, front] of FRONTS) {
      const entered = entrances(files, room);
      assert.deepEqual(entered, front.map(({ path }) => path).sort(), `the front of ${room} in ARCHITECTURE.md`);
    }
  });

  it('no circle of imports between files, types included', () => {
    assert.deepEqual(importCircle(sourceTexts('src', 'bench', 'samples', 'scripts', 'test')), []);
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

  it('ARCHITECTURE.md draws every room and every arrow, and no other', () => {
    const rooms = [...new Set(files.map(({ path }) => roomOf(path)))].sort();
    const drawn = [...ARCHITECTURE.matchAll(/^ {2}(\w+)\/ /gm)].flatMap(([, room]) => room ?? []);
    assert.deepEqual(drawn.sort(), rooms);
    assert.deepEqual(Object.keys(ARROWS).sort(), rooms);
    const used = new Set(files.flatMap((file) => importsOf(file).map((to) => `${roomOf(file.path)} → ${roomOf(to)}`)));
    const idle = Object.entries(ARROWS).flatMap(([from, targets]) => targets.map((to) => `${from} → ${to}`));
    assert.deepEqual(
      idle.filter((arrow) => !used.has(arrow)),
      [],
      'arrows along which nothing is imported',
    );
  });

  it('ARCHITECTURE.md names files and folders that exist', () => {
    const named = [...ARCHITECTURE.matchAll(/`([\w.-]+\/[\w./-]*)`/g)].flatMap(([, path]) => path ?? []);
    const missing = named.filter(
      (path) => path !== 'node_modules/.bin' && !existsSync(join(ROOT, path)) && !existsSync(join(ROOT, 'src', path)),
    );
    assert.deepEqual(missing, []);
  });
});

describe('the rules bite', () => {
  const file = (path: string, text: string): SourceText => ({ path, text });

  it('an arrow that is not there, in every form of import', () => {
    for (const statement of [
      "import { x } from '../plateau/reader.ts';",
      "import type { X } from '../plateau/reader.ts';",
      "export * from '../plateau/reader.ts';",
      "const x = await import('../plateau/reader.ts');",
      "const worker = new URL('../plateau/reader.ts', import.meta.url);",
    ]) {
      assert.equal(arrowBreaches(file('src/api/x.ts', statement), ARROWS).length, 1, statement);
      assert.deepEqual(arrowBreaches(file('src/city/x.ts', statement), ARROWS), []);
    }
    assert.equal(arrowBreaches(file('src/nowhere/x.ts', ''), ARROWS).length, 1);
  });

  it('a test that reaches into a room', () => {
    const inside = file('src/geo/inside.ts', '');
    const front = file('src/geo/front.ts', "import { x } from './inside.ts';");
    const other = file('src/api/x.ts', "import type { Y } from '../geo/front.ts';");
    const test = file('test/geo/x.test.ts', "import '../../src/geo/front.ts';\nimport '../../src/geo/inside.ts';");
    const found = [{ test: 'test/geo/x.test.ts', target: 'src/geo/inside.ts' }];
    assert.deepEqual(deepImports([inside, front, other], [test], []), found);
    assert.deepEqual(deepImports([inside, front, other], [test], ['src/geo/inside.ts']), []);
  });

  it('a file of a room that another room imports', () => {
    const other = file('src/api/x.ts', "import type { Y } from '../geo/inside.ts';\nimport './own.ts';");
    assert.deepEqual(entrances([other], 'geo'), ['src/geo/inside.ts']);
    assert.deepEqual(entrances([other], 'api'), []);
  });

  it('a circle of types', () => {
    const one = file('src/geo/one.ts', "import type { Two } from './two.ts';");
    const two = file('src/geo/two.ts', "import type { One } from './one.ts';");
    assert.deepEqual(importCircle([one, two]), ['src/geo/one.ts', 'src/geo/two.ts', 'src/geo/one.ts']);
    assert.deepEqual(importCircle([one, file('src/geo/two.ts', '')]), []);
  });
});

/** The words of a cell that stand in backticks. */
function quoted(cell = ''): string[] {
  return [...cell.matchAll(/`(\w+)`/g)].flatMap(([, word]) => word ?? []);
}

/** Comments go, strings stay. */
function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
}
