import {
  healthDocument,
  landingDocument,
  openapiDocument,
  pricingDocument,
  problemDocument,
  problemsDocument,
  readinessDocument,
  schemaDocument,
} from '../../contract/documents.ts';
import { openApiDocument } from '../../contract/openapi.ts';
import { search } from '../../contract/operations/search.ts';
import { absent, found, foundOr } from '../../contract/outcome.ts';
import { problemPage, problemPages } from '../../contract/problems.ts';
import { publishedSchemas, schemaDocument as schemaText } from '../../contract/schema-document.ts';
import { contractOf, landing } from '../../site/example-urls.ts';
import { Unavailable } from '../handler-errors.ts';
import { quote } from '../suggest.ts';
import { implement } from './implementation.ts';

const nothingAt = (path: string): string => `There is nothing at ${quote(path)}.`;

/** What belongs to neither half: the search and the documents of the service. */
export const SITE_HANDLERS = {
  search: implement(search, ({ q, kind, limit }, answers, { service: { siteUrl } }) => {
    const { places: matches, ignored } = answers.find(q, kind ?? null, limit + 1);
    const places = matches.slice(0, limit).map(({ page, api, ...place }) => ({
      ...place,
      page_url: siteUrl + page,
      api_url: api === null ? null : siteUrl + api,
    }));
    return found({ count: places.length, truncated: matches.length > limit, ignored, places });
  }),
  'landing-json': implement(landingDocument, (_, dataset, { service }) => found(landing(dataset, service.siteUrl))),
  openapi: implement(openapiDocument, (_, dataset, { service }) =>
    found(openApiDocument(contractOf(dataset), service.siteUrl)),
  ),
  schema: implement(schemaDocument, ({ name }, dataset, { service }) => {
    const schema = publishedSchemas(contractOf(dataset)).get(name);
    if (schema === undefined) return absent(nothingAt(`/schemas/${name}.json`));
    return found(schemaText(name, schema, service.siteUrl));
  }),
  'problems-json': implement(problemsDocument, (_, __, { service }) =>
    found({ problems: problemPages(service.siteUrl) }),
  ),
  'problem-json': implement(problemDocument, ({ kind }, _, { service }) =>
    foundOr(problemPage(kind, service.siteUrl), () => nothingAt(`/problems/${kind}/index.json`)),
  ),
  'pricing-json': implement(pricingDocument, (_, __, { service }) => found(service.pricing)),
  health: implement(healthDocument, () => found({ status: 'ok' as const })),
  readiness: implement(readinessDocument, (_, dataset, { service }) => {
    if (service.draining) throw new Unavailable('The server is shutting down.');
    const halves = (['sunlight', 'kaigo'] as const).filter((half) => dataset[half] !== null);
    return found({ status: 'ready' as const, dataset_id: dataset.manifest.dataset_id, halves });
  }),
};
