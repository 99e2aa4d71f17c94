import { bulkFile } from '../contract/documents.ts';
import { LANGUAGES, prefixOf } from '../site/language.ts';
import { PAGES, TWINS } from '../site/pages.ts';
import type { Implementation } from './operations/implementation.ts';
import { IMPLEMENTATIONS } from './operations.ts';
import { downloadRoute, operationRoute, pageRoute, type Route, twinRoute, withVariant } from './routes.ts';

/** Answers of operations that stand beside the page which shows them. */
function twinRoutes(): Route[] {
  return TWINS.flatMap(({ path, operationId, twinWith }) =>
    LANGUAGES.map((language) => {
      const twin = twinRoute(implementationOf(operationId), `${prefixOf(language)}${path}index.json`);
      return twinWith == null ? twin : withVariant(twin, implementationOf(twinWith.operationId), twinWith.parameter);
    }),
  );
}

function implementationOf(operationId: string): Implementation {
  const found = IMPLEMENTATIONS.find(({ operation }) => operation.id === operationId);
  if (found === undefined) throw new Error(`no operation is named ${operationId}`);
  return found;
}

/** Every path of the service: operations, downloads, pages and their twins; without pages, those of problems stay. */
export function routesFor(hasPages: boolean): readonly Route[] {
  return [
    ...IMPLEMENTATIONS.map(operationRoute),
    downloadRoute(bulkFile),
    ...(hasPages ? twinRoutes() : []),
    ...PAGES.filter(({ staysWithoutPages }) => hasPages || staysWithoutPages).map(pageRoute),
  ];
}
