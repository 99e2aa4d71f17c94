import { type Contract, pageParametersFor } from '../contract/contract.ts';
import { memoized } from '../contract/memoized.ts';
import type { Parameter } from '../contract/parameter.ts';
import type { Violations } from '../contract/problems.ts';
import type { Route, Values } from '../site/route.ts';
import { type PathValues, parameterReader } from './parameters.ts';
import { percentDecoded } from './suggest.ts';

/** Reads the parameters of a request. Checks them against the bounds of the contract's place. */
export function readValues(route: Route, path: PathValues, query: string, contract: Contract): Values | Violations {
  if (route.read !== null) return route.read(query, contract);
  return readersOf(route)(contract)(path, query);
}

/**
 * Makes the reader of a route's parameters.
 * @param others names of the query that are read elsewhere
 */
export const readerOf = (route: Route, contract: Contract, others: readonly string[]) =>
  parameterReader(parametersFor(route, contract), { isForm: route.kind === 'page', others });

/** The readers of the parameters of a route, one for each contract. */
const readersOf = memoized((route: Route) =>
  // A twin with a variant takes the name that selects the variant.
  memoized((contract: Contract) => readerOf(route, contract, route.variant ? [route.variant.parameter] : [])),
);

/** The parameters of a route, with the bounds and examples of a place. */
function parametersFor({ id, kind, parameters }: Route, { operations, place }: Contract): readonly Parameter[] {
  if (kind === 'page') return pageParametersFor(parameters, place);
  const ofOperation = operations.find((operation) => operation.id === id)?.parameters ?? [];
  return parameters.map((parameter) => {
    const atPlace = ofOperation.find(({ name }) => name === parameter.name) ?? parameter;
    // A route may take from the query what is in the path of its operation, as the variant of a twin does.
    return { ...atPlace, in: parameter.in };
  });
}

/** The route of a path, with the percent-decoded values of its path parameters. */
export interface RouteMatch {
  route: Route;
  pathValues: PathValues;
}

const NO_VALUES = {};

/**
 * Finds the route of a path: first a path without parameters, then the first template that matches. A parameter matches
 * any text between two slashes, even none; its schema is checked later. Null when no route matches or the path is not
 * percent-encoded UTF-8.
 */
export function routeFinder(routes: readonly Route[]): (path: string) => RouteMatch | null {
  const fixed = new Map<string, RouteMatch>();
  const templates: { start: string; pattern: RegExp; names: string[]; route: Route }[] = [];
  for (const route of routes) {
    const [start = ''] = route.path.split('{', 1);
    if (start === route.path) fixed.set(route.path, { route, pathValues: NO_VALUES });
    else templates.push({ start, pattern: pathPattern(route.path), names: pathNames(route.path), route });
  }
  return (requestPath) => {
    const path = requestPath.includes('%') ? withoutNeedlessEscapes(requestPath) : requestPath;
    const fixedMatch = fixed.get(path);
    if (fixedMatch !== undefined) return fixedMatch;
    for (const { start, pattern, names, route } of templates) {
      const match = path.startsWith(start) ? pattern.exec(path) : null;
      if (match === null) continue;
      const pathValues = decodedGroups(match, names);
      return pathValues === null ? null : { route, pathValues };
    }
    return null;
  };
}

/** A path template as a pattern with a group for each parameter. */
function pathPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '([^/]*)')}$`);
}

/** The names of the parameters in a path template. */
const pathNames = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? []);

/**
 * The groups of a match by name, percent-decoded; null when one is not UTF-8.
 * @param match the whole path, then a group for each name
 */
function decodedGroups(match: readonly string[], names: readonly string[]): PathValues | null {
  const values: Record<string, string> = {};
  for (const [i, name] of names.entries()) {
    const value = percentDecoded(match[i + 1] ?? '');
    if (value === null) return null;
    values[name] = value;
  }
  return values;
}

/** Decodes characters that need no percent-encoding. The meaning of the path does not change (RFC 3986, 6.2.2.2). */
function withoutNeedlessEscapes(path: string): string {
  return path.replace(/%[0-9a-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : code;
  });
}

/** True for every path of the API, known or not. */
export function isApiPath(path: string): boolean {
  return path.startsWith('/api/') || path === '/api';
}
