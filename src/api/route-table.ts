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
  // It sends a file and looks nothing up: `bulk-download.ts`.
  'bulk-file': routeOf({ ...bulkFile, kind: 'download', deprecated: undefined }),
};

/**
 * A second path for an operation: `index.json` below the page that shows the same data, in each language. Such a path
 * is read, counted and paid like the operation's own path.
 */
function twinRoutes(): Route[] {
  return TWINS.flatMap(({ path, operationId, twinWith }) =>
    LANGUAGES.flatMap((language) => {
      const route = operationRoute(operationId);
      const at = `${prefixOf(language)}${path}index.json`;
      if (at === route.path) return [];
      return { ...route, path: at, variant: twinWith === null ? null : variantAt(at, twinWith) };
    }),
  );
}

/**
 * The variant of a twin: another operation answers when the query has a parameter that this operation has in its own
 * path, as in `index.json?floor=7`.
 */
function variantAt(path: string, { parameter, operationId }: TwinWith): Route['variant'] {
  const route = operationRoute(operationId);
  const parameters = route.parameters.map((one) => (one.name === parameter ? { ...one, in: 'query' as const } : one));
  return { parameter, route: { ...route, path, parameters } };
}

function operationRoute(operationId: string): Route {
  const found = Object.values<Route>(OPERATION_ROUTES).find(({ id }) => id === operationId);
  if (found === undefined) throw new Error(`no operation is named ${operationId}`);
  return found;
}

/**
 * All paths of the service: operations, downloads, pages and their twins. Without pages, only the problem pages stay.
 */
export function routesFor(hasPages: boolean, baseMap: BaseMap | null = null): readonly Route[] {
  const comparisons = COMPARISON_TWINS.map((twin) => comparisonRoute(twin, operationRoute));
  return [
    ...OPERATION_TABLE.map(({ id }) => OPERATION_ROUTES[id]),
    ...(hasPages ? [mapArchive, ...twinRoutes(), ...comparisons] : []),
    ...siteRoutes(baseMap).filter(({ staysWithoutPages }) => hasPages || staysWithoutPages),
  ];
}
