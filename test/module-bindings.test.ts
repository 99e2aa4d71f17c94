import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

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
  'pipeline/worker.ts: squares': 'the file is the thread of a build',
  'pipeline/worker.ts: towns': 'the same',
  'pipeline/worker.ts: townsFile': 'the same',
  'site/map/map-files.ts: MAP_ASSETS':
    'files of the program, packed when they are first asked for: the same for everybody',
  'site/pages.ts: assets': 'files of the program, read once',
};
/** Of the platform, and never written by those who have them. */
const PLAIN = /^(Set|Map|WeakMap|RegExp|URL|Date|TextDecoder|TextEncoder|Intl\.\w+|\w+Array|AsyncLocalStorage)$/;

/** Methods that change the array, typed array, map or set on which they are called. */
const CHANGING = new Set(
  'set add delete clear push pop shift unshift splice sort reverse fill copyWithin append write writeDoubleLE writeUInt32LE'.split(
    ' ',
  ),
);

/** The bindings of a module that are written by its functions: `let` and `var`, and constants whose content changes. */
function mutableBindings(text: string): string[] {
  const source = ts.createSourceFile('module.ts', text, ts.ScriptTarget.Latest, true);
  const found = new Set<string>();
  const constants = new Set<string>();
  for (const statement of source.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    const isConst = (statement.declarationList.flags & ts.NodeFlags.Const) !== 0;
    for (const { name } of statement.declarationList.declarations) {
      for (const bound of namesIn(name)) (isConst ? constants : found).add(bound);
    }
  }
  const visit = (node: ts.Node, inFunction: boolean, shadowed: ReadonlySet<string>): void => {
    const isFunction = ts.isFunctionLike(node) || ts.isClassStaticBlockDeclaration(node);
    const hidden = isFunction ? new Set([...shadowed, ...localNames(node)]) : shadowed;
    if (inFunction) {
      const target = writtenBy(node);
      if (target !== null && constants.has(target) && !hidden.has(target)) found.add(target);
    }
    if (ts.isPropertyDeclaration(node) && isStatic(node) && !isReadonly(node)) found.add(node.name.getText(source));
    node.forEachChild((child) => visit(child, inFunction || isFunction, hidden));
  };
  visit(source, false, new Set());
  return [...found];
}

/** The constants of a module that hold an object of a class which is not of the platform. */
function moduleObjects(text: string): string[] {
  const source = ts.createSourceFile('module.ts', text, ts.ScriptTarget.Latest, true);
  return source.statements.filter(ts.isVariableStatement).flatMap(({ declarationList: { declarations } }) =>
    declarations.flatMap(({ name, initializer }) => {
      if (initializer === undefined || !ts.isNewExpression(initializer)) return [];
      return PLAIN.test(initializer.expression.getText(source)) ? [] : namesIn(name);
    }),
  );
}

/** The name at the root of what a node writes to: `a` of `a[0] = 1`, `a.b++`, `a.push(1)`. */
function writtenBy(node: ts.Node): string | null {
  if (ts.isBinaryExpression(node) && isAssignment(node.operatorToken.kind)) return memberRoot(node.left);
  if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) {
    const steps = node.operator === ts.SyntaxKind.PlusPlusToken || node.operator === ts.SyntaxKind.MinusMinusToken;
    return steps ? memberRoot(node.operand) : null;
  }
  if (ts.isDeleteExpression(node)) return memberRoot(node.expression);
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const { name, expression } = node.expression;
    return CHANGING.has(name.text) ? rootOf(expression) : null;
  }
  return null;
}

const isAssignment = (kind: ts.SyntaxKind): boolean =>
  kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;

/** Of a member, or of members in a pattern; a name alone is no member, and constants cannot be assigned. */
function memberRoot(node: ts.Expression): string | null {
  if (ts.isArrayLiteralExpression(node)) return node.elements.map(memberRoot).find((name) => name !== null) ?? null;
  return ts.isIdentifier(node) ? null : rootOf(node);
}

function rootOf(node: ts.Expression): string | null {
  if (ts.isIdentifier(node)) return node.text;
  if (
    ts.isPropertyAccessExpression(node) ||
    ts.isElementAccessExpression(node) ||
    ts.isNonNullExpression(node) ||
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node)
  ) {
    return rootOf(node.expression);
  }
  return null;
}

/** Parameters and variables of a function, those of inner blocks too. */
function localNames(node: ts.Node): string[] {
  const names: string[] = [];
  const collect = (inner: ts.Node): void => {
    if (ts.isVariableDeclaration(inner) || ts.isParameter(inner)) names.push(...namesIn(inner.name));
    if (inner === node || !ts.isFunctionLike(inner)) inner.forEachChild(collect);
  };
  collect(node);
  return names;
}

function namesIn(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => (ts.isOmittedExpression(element) ? [] : namesIn(element.name)));
}

const isStatic = (node: ts.PropertyDeclaration): boolean =>
  node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword) ?? false;
const isReadonly = (node: ts.PropertyDeclaration): boolean =>
  node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ReadonlyKeyword) ?? false;

const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  // What is compiled to WebAssembly has its variables in each instance.
  .filter((name) => name.endsWith('.ts') && !name.startsWith('sunlight/assembly/'))
  .sort();

/** `file: name` of all that a rule finds. */
const foundBy = (rule: (text: string) => string[]): string[] =>
  files.flatMap((name) => rule(readFileSync(join(ROOT, 'src', name), 'utf8')).map((bound) => `${name}: ${bound}`));

test('no module keeps what its functions write', () => {
  const found = foundBy(mutableBindings);
  assert.deepEqual(
    found,
    Object.keys(EXCEPTIONS).sort(),
    'what is found is what is excepted: no more, and nothing that is gone',
  );
});

test('an object that a module makes once for all has a reason', () => {
  const found = foundBy(moduleObjects);
  assert.deepEqual(found.sort(), Object.keys(OBJECTS).sort(), 'its methods may write to it: give it an owner');
});

test('the rule bites', () => {
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
    assert.deepEqual(mutableBindings(text), expected, text);
  }
  assert.deepEqual(moduleObjects('const a = new Squares(), b = new Map(); const f = () => new Squares();'), ['a']);
});
