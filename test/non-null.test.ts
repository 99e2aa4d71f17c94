import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import ts from 'typescript';
import { sourceTexts } from './support/house-rules.ts';

/** The most lines of `src` that may claim by `!` that a value is there. A better type is nearly always at hand. */
const MOST_LINES = 20;

/** The lines of a text that hold a non-null assertion, 1 for the first. */
function assertedLines(text: string): number[] {
  const source = ts.createSourceFile('module.ts', text, ts.ScriptTarget.Latest, true);
  const lines = new Set<number>();
  const visit = (node: ts.Node): void => {
    if (ts.isNonNullExpression(node)) lines.add(source.getLineAndCharacterOfPosition(node.end).line + 1);
    node.forEachChild(visit);
  };
  visit(source);
  return [...lines];
}

/** Whether a comment says "`!`: …", once for the file or at each line: why the values are there. */
const hasReason = (text: string): boolean => /(\/\/|\*) (.*[.:] )?`!`: \S/.test(text);

const files = sourceTexts('src').map(({ path, text }) => ({ path, text, lines: assertedLines(text) }));

describe('non-null assertions', () => {
  it('each has a reason', () => {
    assert.deepEqual(
      files.flatMap(({ path, text, lines }) => (hasReason(text) ? [] : lines.map((line) => `${path}:${line}`))),
      [],
      'take a type that says it, or write "// `!`: why the value is there"',
    );
  });

  it(`there are no more than ${MOST_LINES} lines of them`, (t) => {
    const lines = files.flatMap(({ path, lines }) => lines.map((line) => `${path}:${line}`));
    t.diagnostic(`${lines.length} lines: ${lines.join(', ')}`);
    assert.ok(lines.length <= MOST_LINES, lines.join(', '));
  });

  it('a reason without an assertion is an old one', () => {
    const old = files.filter(({ text, lines }) => hasReason(text) && lines.length === 0);
    assert.deepEqual(
      old.map(({ path }) => path),
      [],
    );
  });

  it('the rule bites', () => {
    assert.deepEqual(assertedLines('const a = b!.c;\nconst d = e![0]!;'), [1, 2]);
    assert.deepEqual(assertedLines("const a = !b || c !== 1; const text = 'b!'; let d!: number;"), []);
    assert.equal(hasReason('const a = b!.c; // sure'), false);
    assert.equal(hasReason('// `!`: made above\nconst a = b!.c;'), true);
    assert.equal(hasReason('/**\n * A thing. `!`: made above.\n */\nconst a = b!.c;'), true);
  });
});
