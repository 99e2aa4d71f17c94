import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sourceTexts } from './support/house-rules.ts';
import {
  assertedLines,
  hasReason,
  longFunctions,
  moduleObjects,
  mutableBindings,
  syntaxOf,
} from './support/syntax-rules.ts';

/**
 * Bindings of modules that are written after the module is loaded, each with the reason why it stays. What a function leaves
 * in one is there for the next call, on any path: state belongs to an object that somebody owns.
 */
const EXCEPTIONS: Readonly<Record<string, string>> = {};

/** Objects of classes that modules make once; each with the reason why it may be one for all. */
const OBJECTS: Readonly<Record<string, string>> = {
  'compute/thread.ts: thread': 'the file is the thread: it makes what the thread is, and nobody imports a value of it',
  'dataset/sunlight-json.ts: FACE': 'texts laid out once, never written again',
  'dataset/sunlight-json.ts: MONTH': 'the same',
  'dataset/sunlight-json.ts: SUMMARY': 'the same',
  'dataset/sunlight-json.ts: WINDOW_END': 'the same',
  'dataset/sunlight-json.ts: WINDOW_START': 'the same',
  'http/client-address.ts: MAPPED': 'a list of networks, filled while the module is loaded',
  'kaigo/position.ts: GRS80': 'an ellipsoid',
  'pipeline/worker.ts: thread': 'the file is the thread of a build',
  'site/map/map-files.ts: MAP_ASSETS':
    'files of the program, packed when they are first asked for: the same for everybody',
  'site/pages.ts: assets': 'files of the program, read once',
};

/** The most lines of `src` that may claim by `!` that a value is there. A better type is nearly always at hand. */
const MOST_LINES = 20;

/** What is longer says why in its comment. */
const MOST_LINES_OF_FUNCTION = 60;

const files = sourceTexts('src').map(({ path, text }) => ({ path, text, syntax: syntaxOf(text) }));
/** What is compiled to WebAssembly has its variables in each instance. */
const modules = files.filter(({ path }) => !path.startsWith('src/sunlight/assembly/'));

describe('bindings of modules', () => {
  /** `file: name` of all that a rule finds. */
  const foundBy = (rule: typeof mutableBindings): string[] =>
    modules.flatMap(({ path, syntax }) => rule(syntax).map((bound) => `${path.slice('src/'.length)}: ${bound}`)).sort();

  it('no module keeps what its functions write', () => {
    const excepted = Object.keys(EXCEPTIONS).sort();
    assert.deepEqual(foundBy(mutableBindings), excepted, 'no more than what is excepted, and nothing that is gone');
  });

  it('an object that a module makes once for all has a reason', () => {
    const listed = Object.keys(OBJECTS).sort();
    assert.deepEqual(foundBy(moduleObjects), listed, 'its methods may write to it: give it an owner');
  });

  it('the rules bite', () => {
    for (const [text, expected] of [
      ['let a = 0; const f = () => a;', ['a']],
      ['const a = new Uint8Array(4); function f() { a[0] = 1; }', ['a']],
      ['const a = new Map(); export const f = (k: string) => a.set(k, 1);', ['a']],
      ['const a: number[] = []; class C { m() { a.push(1); } }', ['a']],
      ['const a = { n: 0 }; const f = () => a.n++;', ['a']],
      ['const a = [0, 0]; const f = () => { [a[0], a[1]] = [1, 2]; };', ['a']],
      ['class C { static n = 0; }', ['n']],
      ['const a = new Map(); a.set(1, 2); export const f = () => a.get(1);', []],
      ['const a = [1]; const f = (a: number[]) => a.push(2);', []],
      ['const a = [1]; const f = () => { const a = [0]; a[0] = 2; };', []],
      ['const a = [1]; const f = () => a.toSorted();', []],
    ] as const) {
      assert.deepEqual(mutableBindings(syntaxOf(text)), expected, text);
    }
    assert.deepEqual(
      moduleObjects(syntaxOf('const a = new Squares(), b = new Map(); const f = () => new Squares();')),
      ['a'],
    );
  });
});

describe('non-null assertions', () => {
  const asserted = files.map((file) => ({ ...file, lines: assertedLines(file.syntax) }));

  it('each has a reason', () => {
    assert.deepEqual(
      asserted.flatMap(({ path, text, lines }) => (hasReason(text) ? [] : lines.map((line) => `${path}:${line}`))),
      [],
      'take a type that says it, or write "// `!`: why the value is there"',
    );
  });

  it(`there are no more than ${MOST_LINES} lines of them`, (t) => {
    const lines = asserted.flatMap(({ path, lines }) => lines.map((line) => `${path}:${line}`));
    t.diagnostic(`${lines.length} lines: ${lines.join(', ')}`);
    assert.ok(lines.length <= MOST_LINES, lines.join(', '));
  });

  it('a reason without an assertion is an old one', () => {
    const old = asserted.filter(({ text, lines }) => hasReason(text) && lines.length === 0);
    assert.deepEqual(
      old.map(({ path }) => path),
      [],
    );
  });

  it('the rule bites', () => {
    assert.deepEqual(assertedLines(syntaxOf('const a = b!.c;\nconst d = e![0]!;')), [1, 2]);
    assert.deepEqual(assertedLines(syntaxOf("const a = !b || c !== 1; const text = 'b!'; let d!: number;")), []);
    assert.equal(hasReason('const a = b!.c; // sure'), false);
    assert.equal(hasReason('// `!`: made above\nconst a = b!.c;'), true);
    assert.equal(hasReason('/**\n * A thing. `!`: made above.\n */\nconst a = b!.c;'), true);
  });
});

describe('functions', () => {
  it(`none is longer than ${MOST_LINES_OF_FUNCTION} lines without a reason beside it`, () => {
    const found = files.flatMap(({ path, syntax }) =>
      longFunctions(syntax, MOST_LINES_OF_FUNCTION).map((one) => `${path}:${one}`),
    );
    assert.deepEqual(found, []);
  });

  it('the rule bites', () => {
    const long = (comment: string) => syntaxOf(`${comment}\nfunction f() {\n\n\n}`);
    assert.deepEqual(longFunctions(long(''), 3), ['2 f, 4 lines']);
    assert.deepEqual(longFunctions(long('/** Over 3 lines: a table. */'), 3), []);
    assert.deepEqual(longFunctions(long(''), 4), []);
  });
});
