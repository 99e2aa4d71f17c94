import { bulkFile } from '../contract/documents.ts';
import { OPERATION_TABLE, type OperationId } from '../contract/operations.ts';
import { LANGUAGES, prefixOf } from '../site/language.ts';
import { mapArchive } from '../site/map/map-files.ts';
import { COMPARISON_TWINS, siteRoutes, TWINS } from '../site/pages.ts';
import { type BaseMap, type Route, routeOf } from '../site/route.ts';
import type { TwinWith } from '../site/view.ts';
import { comparisonRoute } from './comparison.ts';
import { KAIGO_HANDLERS } from './operations/kaigo.ts';
import { SITE_HANDLERS } from './operations/site.ts';
import { SUNLIGHT_HANDLERS } from './operations/sunlight.ts';

/** The route of every operation. A missing or misplaced operation is a type error. */
const OPERATION_ROUTES: { readonly [Id in OperationId]: Route & { readonly id: Id } } = {
  ...SUNLIGHT_HANDLERS,
  ...KAIGO_HANDLERS,
  ...SITE_HANDLERS,
  // It has no handler: the step `download` sends the file (`bulk-download.ts`).
  'bulk-file': routeOf({ ...bulkFile, kind: 'download' }),
};

/**
 * The routes of the twins: `index.json` below a page answers the operation whose data the page shows, in each language.
 * A twin is read, counted and paid like the operation's own path. With `twinWith` it has a variant: another operation
 * that answers when the query has a certain parameter.
 */
function twinRoutes(): Route[] {
  return TWINS.flatMap(({ path, operationId, twinWith }) =>
    LANGUAGES.flatMap((language) => {
      const route = operationRoute(operationId);
      const twinPath = `${prefixOf(language)}${path}index.json`;
      // Some operations have the path of their twin.
      if (twinPath === route.path) return [];
      return { ...route, path: twinPath, variant: twinWith === null ? null : variantAt(twinPath, twinWith) };
    }),
  );
}

/**
 * The variant of a twin: the operation that answers when the query has `parameter`, as in `index.json?floor=7`. At its
 * own path that operation may have the parameter in the path; here it is in the query.
 */
function variantAt(path: string, { parameter, operationId }: TwinWith): Route['variant'] {
  const route = operationRoute(operationId);
  const parameters = route.parameters.map((ofRoute) =>
    ofRoute.name === parameter ? { ...ofRoute, in: 'query' as const } : ofRoute,
  );
  return { parameter, route: { ...route, path, parameters } };
}

/**
 * The route of an operation.
 * @throws Error when there is none, which is an error of the program
 */
function operationRoute(operationId: string): Route {
  const route = Object.values<Route>(OPERATION_ROUTES).find(({ id }) => id === operationId);
  if (route === undefined) throw new Error(`no operation is named ${operationId}`);
  return route;
}

/**
 * All routes of the service: operations, pages, the twins of pages, and files.
 * @param hasPages false: no pages, except those of problems, because the problems of the API link to them
 */
export function routesFor({
  hasPages,
  baseMap = null,
}: {
  hasPages: boolean;
  baseMap?: BaseMap | null;
}): readonly Route[] {
  const operations = OPERATION_TABLE.map(({ id }) => OPERATION_ROUTES[id]);
  const pages = siteRoutes(baseMap);
  if (!hasPages) return [...operations, ...pages.filter(({ staysWithoutPages }) => staysWithoutPages)];
  const comparisons = COMPARISON_TWINS.map((twin) => comparisonRoute(twin, operationRoute));
  return [...operations, mapArchive, ...twinRoutes(), ...comparisons, ...pages];
}
