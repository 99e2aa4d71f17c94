import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import {
  arrowBreaches,
  deepImports,
  entrances,
  idleExports,
  importCircle,
  importsOf,
  roomOf,
  type SourceText,
  scriptTexts,
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
  building: /^$/,
  geo: /^$/,
  solar: /^astronomy-engine$/,
  sunlight: /^$/,
  map: /^(pbf|geojson|@maplibre\/(geojson-vt|vt-pbf))$/,
  search: /^$/,
  kaigo: /^(typebox(\/value)?|geographiclib-geodesic|csv-parse\/sync)$/,
  contract: /^typebox(\/|$)/,
};

/** What no room imports, and everybody may: the program itself, its commands by name, and the client that is exported. */
const LIBRARY = ['reader', 'sun', 'fees', 'client'].map((name) => `src/library/${name}.ts`);
const ENTRIES = ['src/cli/commands.ts', ...LIBRARY];

/**
 * Files inside a room that tests import, each with the rule that is tested for itself, more closely than what the room offers
 * would let it. The list only gets shorter.
 */
const TESTED_FOR_THEMSELVES: Readonly<Record<string, string>> = {
  'api/billing/claim': 'claims of two servers on one payment, at instants that no request can be timed to',
  'cli/build-report': 'reports with findings that no small input has',
  'cli/bulk-keys': 'rules for secrets',
  'cli/log-output': 'a disk that has no room for the log',
  'cli/output': 'widths of characters in a terminal',
  'cli/progress': 'lines of a build and a fetch that did not happen, with times of their own',
  'cli/setting': 'parsing of every kind of setting',
  'fetch/tables': 'the choice among dated names of a list',
  'kaigo/rooms': 'numbers of rooms that homes here do not publish',
  'kaigo/values': 'the same for values of details',
  'pipeline/duplicates': 'which of two is kept, in every order',
  'pipeline/kaigo': 'a care half without the rest of a dataset',
  'plateau/xml/encoding': 'the same for encodings',
  'site/charts/shadow-chart': 'a note that is longer than any of a page',
  'sunlight/image-planes': 'places and bins there and back',
  'sunlight/repair': 'rings that no published model has',
  'sunlight/wasm': 'curves as they lie in the memory of the kernel',
  'terrain/mesh': 'cracks and distances of every triangle',
};
/** Imports of these by all tests together. Fewer is better: then the number here goes down with them. */
const MOST_DEEP_IMPORTS = 19;

/** In a pure room these would be a file, a clock, a socket or chance. */
const IMPURE =
  /\b(process\.|Date\.now|new Date\(\)|performance\.|fetch\(|Math\.random|setTimeout|setInterval|console\.)/;

const files = sourceTexts('src');
const scripts = scriptTexts('src');
const everything = scriptTexts('src', 'bench', 'samples', 'scripts', 'test');

describe('the rules', () => {
  it('rooms import only what the table in ARCHITECTURE.md allows', () => {
    const breaches = scripts.flatMap((file) => arrowBreaches(file, ARROWS).map((breach) => `${file.path}: ${breach}`));
    assert.deepEqual(breaches, []);
  });

  it('pure rooms touch no file, clock, network or node:*', () => {
    const breaches = files.flatMap((file) => {
      const packages = PURE[roomOf(file.path)];
      if (packages === undefined) return [];
      const foreign = importsOf(file).filter((target) => !target.startsWith('src/') && !packages.test(target));
      const [used] = IMPURE.exec(withoutComments(file.text)) ?? [];
      return [...foreign, ...(used === undefined ? [] : [used])].map((found) => `${file.path} uses ${found}`);
    });
    assert.deepEqual(breaches, []);
  });

  it('tests import what rooms offer to each other, or a rule that is tested for itself', (t) => {
    const found = deepImports(files, sourceTexts('test'), ENTRIES);
    const listed = Object.keys(TESTED_FOR_THEMSELVES).map((name) => `src/${name}.ts`);
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

  it('nothing is exported that nobody imports', () => {
    // What the kernel exports is used by name, without an import. What the library exports is for other programs.
    const idle = idleExports(everything).filter((line) => !/^src\/(sunlight\/assembly|library)\//.test(line));
    assert.deepEqual(idle, []);
  });

  it('ARCHITECTURE.md draws every room and every arrow, and no other', () => {
    const rooms = [...new Set(files.map(({ path }) => roomOf(path)))].sort();
    const drawn = [...ARCHITECTURE.matchAll(/^ {2}(\w+)\/ /gm)].flatMap(([, room]) => room ?? []);
    assert.deepEqual(drawn.sort(), rooms);
    assert.deepEqual(Object.keys(ARROWS).sort(), rooms);
    const used = new Set(
      scripts.flatMap((file) => importsOf(file).map((to) => `${roomOf(file.path)} → ${roomOf(to)}`)),
    );
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
    for (const comment of [
      "/** @import { X } from '../plateau/reader.ts' */",
      "/** @type {import('../plateau/reader.ts').X} */",
    ])
      assert.equal(arrowBreaches(file('src/api/x.js', comment), ARROWS).length, 1, comment);
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

  it('an export that nobody imports', () => {
    const one = file('src/geo/one.ts', 'export const a = 1;\nexport interface B {}\nexport async function c() {}');
    const of = (text: string): string[] => idleExports([one, file('src/geo/two.ts', text)]);
    assert.deepEqual(of(''), ['src/geo/one.ts: a', 'src/geo/one.ts: B', 'src/geo/one.ts: c']);
    assert.deepEqual(of("import { a as x, type B } from './one.ts';"), ['src/geo/one.ts: c']);
    assert.deepEqual(of("const { c } = await import('./one.ts');").length, 2);
    assert.deepEqual(of("/** @import { B } from './one.ts' */\nimport { a, c } from './one.ts';"), []);
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
