import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { ROOT } from './run.ts';

/** A file of the program, by its path from the root of the repository. */
export interface SourceText {
  path: string;
  text: string;
}

/** Every TypeScript file below folders of the repository. */
export const sourceTexts = (...folders: string[]): SourceText[] => textsOf(folders, /\.ts$/);

/** Every file below folders that is TypeScript or JavaScript. */
export const scriptTexts = (...folders: string[]): SourceText[] => textsOf(folders, /\.(ts|m?js)$/);

function textsOf(folders: readonly string[], ending: RegExp): SourceText[] {
  const listed = folders.flatMap((folder) => listFiles(join(ROOT, folder)));
  return listed
    .filter((path) => ending.test(path))
    .map((path) => ({ path: relative(ROOT, path), text: readFileSync(path, 'utf8') }));
}

function listFiles(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? listFiles(path) : [path];
  });
}

/** `src/geo/plane.ts` lies in `geo`. */
export const roomOf = (path: string): string => path.split('/')[1] ?? '';

/**
 * What a file imports, types included: paths from the root, or names of packages. Imports, re-exports, `import(…)`,
 * types in JSDoc, and `new URL('….ts', import.meta.url)`, which starts a worker.
 */
export function importsOf({ path, text }: SourceText): string[] {
  const { importedFiles } = ts.preProcessFile(text, true, true);
  const workers = [...text.matchAll(/\bnew URL\(\s*'(\.[^']+\.ts)'/g)].flatMap(([, target]) => target ?? []);
  const documented = path.endsWith('.js')
    ? [...text.matchAll(/(?:\bimport\(|@import [^\n]* from )'(\.[^']+)'/g)].flatMap(([, target]) => target ?? [])
    : [];
  const targets = [...importedFiles.map(({ fileName }) => fileName), ...workers, ...documented];
  return targets.map((target) =>
    target.startsWith('.') ? relative(ROOT, resolve(ROOT, dirname(path), target)) : target,
  );
}

/** The files of a room that other rooms import, in order. */
export function entrances(sources: readonly SourceText[], room: string): string[] {
  const others = sources.filter(({ path }) => roomOf(path) !== room);
  const targets = others.flatMap(importsOf).filter((target) => target.startsWith('src/') && roomOf(target) === room);
  return [...new Set(targets)].sort();
}

/**
 * The imports by which tests reach into a room: imports of files that no other room imports, except those that
 * `entries` name.
 */
export function deepImports(
  sources: readonly SourceText[],
  tests: readonly SourceText[],
  entries: readonly string[],
): { test: string; target: string }[] {
  const offered = new Set(entries);
  for (const file of sources) {
    for (const target of importsOf(file)) if (roomOf(target) !== roomOf(file.path)) offered.add(target);
  }
  return tests.flatMap((file) =>
    importsOf(file)
      .filter((target) => target.startsWith('src/') && !offered.has(target))
      .map((target) => ({ test: file.path, target })),
  );
}

/** One line for each import that the table does not allow. Imports are not transitive. */
export function arrowBreaches(file: SourceText, arrows: Readonly<Record<string, readonly string[]>>): string[] {
  const room = roomOf(file.path);
  const allowed = arrows[room];
  if (allowed === undefined) return [`${file.path}: ${room} is not a room of ARCHITECTURE.md`];
  return importsOf(file)
    .filter((target) => target.startsWith('src/'))
    .filter((target) => roomOf(target) !== room && !allowed.includes(roomOf(target)))
    .map((target) => `${file.path} imports ${target}: no arrow leads from ${room} to ${roomOf(target)}`);
}

/** A cycle of imports between files, types included; empty when there is none. */
export function importCircle(files: readonly SourceText[]): string[] {
  const graph = new Map(files.map((file) => [file.path, importsOf(file)]));
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): string[] => {
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

/**
 * `path: name` of each export that no other file imports. For files that are imported as a whole, by `import(…)` or `*
 * as`, a use of the name is enough.
 */
export function idleExports(files: readonly SourceText[]): string[] {
  const used = new Set<string>();
  for (const { path, text } of files) {
    const use = (target: string, names: Iterable<string>): void => {
      const from = relative(ROOT, resolve(ROOT, dirname(path), target));
      for (const name of names) used.add(`${from}: ${name}`);
    };
    for (const [, names = '', target = ''] of text.matchAll(
      /@?\b(?:im|ex)port (?:type )?\{([^}]*)\} from '(\.[^']+)'/g,
    )) {
      const plain = names.split(',').map(
        (name) =>
          name
            .replace(/^\s*type\s/, '')
            .split(' as ')[0]
            ?.trim() ?? '',
      );
      use(target, plain);
      use(target.replace(/\.js$/, '.d.ts'), plain);
    }
    for (const [, target = ''] of text.matchAll(/(?:\bimport\(\s*|\* (?:as \w+ )?from )'(\.[^']+)'/g)) {
      use(target, text.match(/\w+/g) ?? []);
    }
  }
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(/^export (?:abstract |async )*(?:const|function\*?|class|interface|type|enum) (\w+)/gm)]
      .map(([, name]) => `${path}: ${name}`)
      .filter((line) => !used.has(line)),
  );
}
