import { bulkFile } from '../contract/documents.ts';
import { OPERATION_TABLE, type OperationId } from '../contract/operations.ts';
import { LANGUAGES, prefixOf } from '../site/language.ts';
import type { BaseMap } from '../site/page.ts';
import { COMPARISON_TWINS, pagesWith, TWINS } from '../site/pages.ts';
import { comparisonRoute } from './comparison.ts';
import type { Implementation } from './operations/implementation.ts';
import { KAIGO_HANDLERS } from './operations/kaigo.ts';
import { SITE_HANDLERS } from './operations/site.ts';
import { SUNLIGHT_HANDLERS } from './operations/sunlight.ts';
import { downloadRoute, mapRoute, operationRoute, pageRoute, type Route, twinRoute, withVariant } from './routes.ts';

/** Operations whose answer is a file, which is sent and not found: `bulk-download.ts`. */
type Download = 'bulk-file';

/** The handler of every operation: one that is missing, or of another operation, is a type error. */
const HANDLERS: { readonly [Id in Exclude<OperationId, Download>]: Implementation<Id> } = {
  ...SUNLIGHT_HANDLERS,
  ...KAIGO_HANDLERS,
  ...SITE_HANDLERS,
};

/** Every operation with its handler, in the order of the contract. */
const IMPLEMENTATIONS: readonly Implementation[] = OPERATION_TABLE.flatMap(({ id }) =>
  id === 'bulk-file' ? [] : [HANDLERS[id]],
);

/** Answers of operations that stand beside the page which shows them. */
function twinRoutes(): Route[] {
  return TWINS.flatMap(({ path, operationId, twinWith }) =>
    LANGUAGES.flatMap((language) => {
      const implementation = implementationOf(operationId);
      const at = `${prefixOf(language)}${path}index.json`;
      if (at === implementation.operation.path) return [];
      const twin = twinRoute(implementation, at);
      return twinWith == null ? twin : withVariant(twin, implementationOf(twinWith.operationId), twinWith.parameter);
    }),
  );
}

/** Answers side by side at the pages that compare. */
const comparisonRoutes = (): Route[] => COMPARISON_TWINS.map((twin) => comparisonRoute(twin, implementationOf));

function implementationOf(operationId: string): Implementation {
  const found = IMPLEMENTATIONS.find(({ operation }) => operation.id === operationId);
  if (found === undefined) throw new Error(`no operation is named ${operationId}`);
  return found;
}

/** Every path of the service: operations, downloads, pages and their twins; without pages, those of problems stay. */
export function routesFor(hasPages: boolean, baseMap: BaseMap | null = null): readonly Route[] {
  return [
    ...IMPLEMENTATIONS.map(operationRoute),
    downloadRoute(bulkFile),
    ...(hasPages ? [mapRoute(), ...twinRoutes(), ...comparisonRoutes()] : []),
    ...pagesWith(baseMap)
      .filter(({ staysWithoutPages }) => hasPages || staysWithoutPages)
      .map(pageRoute),
  ];
}
