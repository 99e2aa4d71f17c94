import type { Contract } from '../contract/contract.ts';
import { keptBy } from '../contract/kept-by.ts';
import { deprecationHeaders, type Operation } from '../contract/operation.ts';
import { absent } from '../contract/outcome.ts';
import { DATASET_ID, type Parameter } from '../contract/parameter.ts';
import { commonValues, filled } from '../contract/place.ts';
import type { Violations } from '../contract/violations.ts';
import type { Dataset } from '../dataset/dataset.ts';
import { Body, PackedBody } from '../http/body.ts';
import { MAP_ARCHIVE } from '../site/map/map-files.ts';
import { Packed, type Page, type PageBody, type PageOutcome, type PageValues } from '../site/page.ts';
import { type Call, type CallOutcome, contractBehind, type Implementation } from './operations/implementation.ts';
import { type PathValues, parameterReader } from './parameters.ts';
import type { Serving } from './serving.ts';
import { percentDecoded, quote } from './suggest.ts';

/** What stands behind a path, prepared for requests: an operation or a page. */
export interface Route {
  /** Of the operation or the page. */
  readonly id: string;
  readonly path: string;
  /** One line for people. */
  readonly summary: string;
  readonly kind: RouteKind;
  readonly parameters: readonly Parameter[];
  /** Its members in a line of the access log. */
  readonly logged: string;
  /** Whether a parameter of it says something about a person: then its URLs are not logged. */
  readonly hasPrivate: boolean;
  /** What a 200 costs, or each thing found with it. */
  readonly costUnits: number;
  /** Whether a request may name the dataset it is answered from. */
  readonly takesDatasetId: boolean;
  /** Whether it counts as a page for which something is computed: making it costs as much. */
  readonly isCostly: boolean;
  /** Whether it counts as a tile of the map. */
  readonly isTile: boolean;
  /** Whether the operator has to switch it on. */
  readonly isOptional: boolean;
  readonly mediaType: string;
  readonly cache: Page['cache'];
  /** Headers of what it shows, name and value in turn. */
  readonly headers: readonly string[];
  /** Headers of all its answers, errors too: that the operation ends. */
  readonly deprecation: readonly string[];
  /** The half of the dataset that it needs and that is not loaded; null where nothing is missing. */
  missingHalf(dataset: Dataset): string | null;
  /** The route in place of this one for a query; the same path can lead to answers of two operations. */
  variantFor?(query: string): Route | null;
  /** What the parameters of a request come to. */
  read(path: PathValues, query: string, dataset: Dataset | null): Call | Violations;
  /** The body of what was found. */
  bodyOf(found: unknown, serving: Serving, costUnits: number): Body;
}

/**
 * `api`: limited, authenticated, validated and charged; `document`: free, its query is not looked at; `page`: for
 * people; `comparison`: answers of operations side by side, limited and charged as they are; `download`: a file behind a
 * signed URL; `map`: the whole map as a file.
 */
export type RouteKind = 'api' | 'document' | 'page' | 'comparison' | 'download' | 'map';

/** The route of an operation. */
export function operationRoute(implementation: Implementation): Route {
  const { operation } = implementation;
  const { path, half, parameters, costUnits, cache, answer } = operation;
  const kind = isApiPath(path) ? 'api' : 'document';
  return {
    ...common(operation),
    summary: operation.summary,
    kind,
    parameters,
    costUnits,
    isOptional: operation.optional ?? false,
    mediaType: answer.form === 'envelope' ? 'application/json' : answer.mediaType,
    cache,
    headers: [],
    deprecation: deprecationHeaders(operation.deprecated),
    missingHalf: (dataset) => (implementation.isAvailable(dataset) ? null : half),
    read: kind === 'api' ? implementation.read : (values) => implementation.read(values, '', null),
    bodyOf: (found, serving, cost) =>
      answer.form === 'envelope' || answer.form === 'geojson'
        ? serving.withMeta(operation, found, cost)
        : Body.of(`${JSON.stringify(found)}\n`),
  };
}

/** An operation's answer at the address of the page that shows it: it is asked for, counted and paid as at its own. */
export function twinRoute(implementation: Implementation, path: string): Route {
  const route = operationRoute(implementation);
  return { ...route, ...common({ ...implementation.operation, path }) };
}

/**
 * The answer of an operation that stands at the twin of another one when the query names a parameter which its own path has:
 * `index.json?floor=7`.
 */
export function withVariant(twin: Route, implementation: Implementation, name: string): Route {
  const own = operationRoute(implementation);
  const variant: Route = {
    ...own,
    ...common({ ...implementation.operation, path: twin.path }),
    read(pathValues, query, dataset) {
      const rest = new URLSearchParams(query);
      const value = rest.getAll(name).join();
      rest.delete(name);
      return own.read({ ...pathValues, [name]: value }, rest.toString(), dataset);
    },
  };
  return { ...twin, variantFor: (query) => (new URLSearchParams(query).has(name) ? variant : null) };
}

/** The route of a page. */
export function pageRoute(page: Page): Route {
  const { id, parameters, mediaType, cache, headers } = page;
  const readerOf = keptBy(({ place }: Contract) => {
    const values = commonValues(place);
    return parameterReader(parameters.map((one) => ({ ...one, example: filled(one.example, values) })));
  });
  return {
    ...common(page),
    isTile: page.isTile ?? false,
    isCostly: page.isCostly ?? false,
    summary: id,
    kind: 'page',
    parameters,
    costUnits: 0,
    isOptional: false,
    mediaType,
    cache,
    headers,
    deprecation: [],
    missingHalf: () => null,
    read(pathValues, query, dataset) {
      const reader = readerOf(contractBehind(dataset));
      const { values, violations } = reader.readKnown(pathValues, query);
      if (violations !== null) return violations;
      return {
        key: id + reader.keyOf(values),
        isPrivate: reader.isPrivate(values),
        headers: dispositionOf(page, values),
        find: ({ path: asked, dataset, service: { siteUrl, pricing, slot, draining, baseMap = null }, compute }) => {
          const state = { isDamaged: slot.isDamaged, isDraining: draining };
          const outcome = page.render(values, { dataset, siteUrl, pricing, compute, baseMap, state });
          const orAbsent = (rendered: PageOutcome): CallOutcome =>
            rendered ?? absent(`There is nothing at ${quote(asked)}.`);
          return outcome instanceof Promise ? outcome.then(orAbsent) : orAbsent(outcome);
        },
      };
    },
    bodyOf: (found) => pageBody(found as PageBody),
  };
}

const dispositionOf = ({ fileName }: Page, values: PageValues): string[] =>
  fileName === undefined ? [] : ['Content-Disposition', `attachment; filename="${fileName(values)}"`];

function pageBody(found: PageBody): Body {
  if (found instanceof Packed) return new PackedBody(found.gzip, found.brotli);
  return Body.of(found);
}

/** The route of signed downloads; `bulk-download.ts` answers them. */
export function downloadRoute(operation: Operation): Route {
  return fileRoute('download', operation);
}

/** The route of the whole map; it is answered there, too. */
export const mapRoute = (): Route => ({ ...fileRoute('map', MAP_ARCHIVE), isTile: true });

function fileRoute(kind: 'download' | 'map', file: Pick<Page, 'id' | 'path' | 'parameters'>): Route {
  return {
    ...common(file),
    summary: file.id,
    kind,
    parameters: file.parameters,
    costUnits: 0,
    isOptional: false,
    mediaType: 'application/octet-stream',
    cache: 'no-store',
    headers: [],
    deprecation: [],
    missingHalf: () => null,
    read: notRead,
    bodyOf: notRead,
  };
}

function notRead(): never {
  throw new Error('downloads are not looked up');
}

function common({ id, path, parameters }: Pick<Page, 'id' | 'path' | 'parameters'>) {
  return {
    id,
    path,
    logged: `"operation":"${id}","path":"${path}",`,
    hasPrivate: parameters.some(({ isPrivate, isLogged }) => isPrivate || isLogged === false),
    takesDatasetId: parameters.some(({ name }) => name === DATASET_ID),
    isTile: false,
    isCostly: false,
  };
}

/** What a path leads to, with its percent-decoded parameters. */
export interface Found {
  route: Route;
  pathValues: PathValues;
}

const NO_VALUES = {};

/**
 * Finds the route of a path: one that is written so, else the first whose parameters fit. A parameter is anything between two slashes, also nothing: its own rules judge it.
 * Null where there is no such path, or one that is not percent-encoded UTF-8.
 */
export function routeFinder(routes: readonly Route[]): (path: string) => Found | null {
  const fixed = new Map<string, Found>();
  const templates: { start: string; pattern: RegExp; names: string[]; route: Route }[] = [];
  for (const route of routes) {
    const start = route.path.split('{', 1).join();
    if (start === route.path) fixed.set(route.path, { route, pathValues: NO_VALUES });
    else templates.push({ start, pattern: pathPattern(route.path), names: pathNames(route.path), route });
  }
  return (asked) => {
    const path = asked.includes('%') ? withoutNeedlessEscapes(asked) : asked;
    const known = fixed.get(path);
    if (known !== undefined) return known;
    for (const { start, pattern, names, route } of templates) {
      const match = path.startsWith(start) ? pattern.exec(path) : null;
      if (match === null) continue;
      const pathValues = decodedGroups(match, names);
      return pathValues === null ? null : { route, pathValues };
    }
    return null;
  };
}

/** A path template as a pattern whose groups are the parameters. */
function pathPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '([^/]*)')}$`);
}

/** The names of a path template's parameters. */
const pathNames = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? []);

/** The groups by name, without their percent-encoding; null when one is not UTF-8. */
function decodedGroups(groups: readonly string[], names: readonly string[]): PathValues | null {
  const values: Record<string, string> = {};
  for (const [i, name] of names.entries()) {
    const value = percentDecoded(groups[i + 1] ?? '');
    if (value === null) return null;
    values[name] = value;
  }
  return values;
}

/** Characters that need no escape mean the same with one (RFC 3986, 6.2.2.2). */
function withoutNeedlessEscapes(path: string): string {
  return path.replace(/%[0-9a-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : code;
  });
}

/** Whether a path belongs to the interface, known or not. */
export function isApiPath(path: string): boolean {
  return path.startsWith('/api/') || path === '/api';
}
