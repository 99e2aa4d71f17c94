import { bulkFile } from '../contract/documents.ts';
import { PAGES } from '../site/pages.ts';
import { IMPLEMENTATIONS } from './operations.ts';
import { downloadRoute, operationRoute, pageRoute, type Route } from './routes.ts';

/** Every path of the service: operations, pages, downloads. */
export const ROUTES: readonly Route[] = [
  ...IMPLEMENTATIONS.map(operationRoute),
  downloadRoute(bulkFile),
  ...PAGES.map(pageRoute),
];
