import ts from 'typescript';

/** A parsed file. */
export const syntaxOf = (text: string): ts.SourceFile =>
  ts.createSourceFile('module.ts', text, ts.ScriptTarget.Latest, true);

/** The lines of a file with a non-null assertion, from 1. */
export function assertedLines(source: ts.SourceFile): number[] {
  const lines = new Set<number>();
  const visit = (node: ts.Node): void => {
    if (ts.isNonNullExpression(node)) lines.add(source.getLineAndCharacterOfPosition(node.end).line + 1);
    node.forEachChild(visit);
  };
  visit(source);
  return [...lines];
}

/** True when a comment "`!`: …", for the file or at each line, says why the values exist. */
export const hasReason = (text: string): boolean => /(\/\/|\*) (.*[.:] )?`!`: \S/.test(text);

/** `line name, lines` of each function over a number of lines whose comment does not say why ("Over … lines: …"). */
export function longFunctions(source: ts.SourceFile, most: number): string[] {
  const { text } = source;
  const lineOf = (position: number): number => source.getLineAndCharacterOfPosition(position).line + 1;
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const lines = lineOf(node.end) - lineOf(node.getStart(source)) + 1;
      const hasReason = text.slice(node.getFullStart(), node.getStart(source)).includes(`Over ${most} lines: `);
      const name = node.name?.getText(source) ?? ts.SyntaxKind[node.kind];
      if (lines > most && !hasReason) found.push(`${lineOf(node.getStart(source))} ${name}, ${lines} lines`);
    }
    node.forEachChild(visit);
  };
  visit(source);
  return found;
}

/** Objects of the platform that their users never write. */
const PLAIN = /^(Set|Map|WeakMap|RegExp|URL|Date|TextDecoder|TextEncoder|Intl\.\w+|\w+Array|AsyncLocalStorage)$/;

/** Methods that change their array, typed array, map or set. */
const CHANGING = new Set(
  'set add delete clear push pop shift unshift splice sort reverse fill copyWithin append write writeDoubleLE writeUInt32LE'.split(
    ' ',
  ),
);

/** The bindings of a module that its functions write: `let` and `var`, and constants whose content changes. */
export function mutableBindings(source: ts.SourceFile): string[] {
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

/** The constants of a module with an object of a class outside the platform. */
export function moduleObjects(source: ts.SourceFile): string[] {
  return source.statements.filter(ts.isVariableStatement).flatMap(({ declarationList: { declarations } }) =>
    declarations.flatMap(({ name, initializer }) => {
      if (initializer === undefined || !ts.isNewExpression(initializer)) return [];
      return PLAIN.test(initializer.expression.getText(source)) ? [] : namesIn(name);
    }),
  );
}

/** The root name of a write: `a` of `a[0] = 1`, `a.b++`, `a.push(1)`. */
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

/** True for a member, or for members in a pattern. A name alone is not a member, and constants cannot be assigned. */
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

/** Parameters and variables of a function, including inner blocks. */
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
