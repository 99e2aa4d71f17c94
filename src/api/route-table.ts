import { bulkFile } from '../contract/documents.ts';
import { LANGUAGES, prefixOf } from '../site/language.ts';
import { PAGES, TWINS } from '../site/pages.ts';
import { IMPLEMENTATIONS } from './operations.ts';
import { downloadRoute, operationRoute, pageRoute, type Route, twinRoute } from './routes.ts';

/** Answers of operations that stand beside the page which shows them. */
function twinRoutes(): Route[] {
  return TWINS.flatMap(({ path, operationId }) => {
    const implementation = IMPLEMENTATIONS.find(({ operation }) => operation.id === operationId);
    if (implementation === undefined) throw new Error(`no operation is named ${operationId}`);
    return LANGUAGES.map((language) => twinRoute(implementation, `${prefixOf(language)}${path}index.json`));
  });
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
