import {
  healthDocument,
  inputsDocument,
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
import { unavailable } from '../errors.ts';
import { nothingAt } from '../suggest.ts';
import { implement } from './implement.ts';

/** The handlers of search and site: the search and the documents of the service. */
export const SITE_HANDLERS = {
  search: implement(search, ({ q, kind, limit }, answers, { siteUrl }) => {
    const { places: matches, ignored } = answers.find(q, kind ?? null, limit + 1);
    const places = matches.slice(0, limit).map(({ page, api, ...place }) => ({
      ...place,
      page_url: siteUrl + page,
      api_url: api === null ? null : siteUrl + api,
    }));
    return found({ count: places.length, truncated: matches.length > limit, ignored, places });
  }),
  'landing-json': implement(landingDocument, (_, dataset, { siteUrl }) => found(landing(dataset, siteUrl))),
  openapi: implement(openapiDocument, (_, dataset, { siteUrl }) =>
    found(openApiDocument(contractOf(dataset), siteUrl)),
  ),
  schema: implement(schemaDocument, ({ name }, dataset, { siteUrl }) => {
    const schema = publishedSchemas(contractOf(dataset)).get(name);
    if (schema === undefined) return absent(nothingAt(`/schemas/${name}.json`));
    return found(schemaText(name, schema, siteUrl));
  }),
  'problems-json': implement(problemsDocument, (_, __, { siteUrl }) => found({ problems: problemPages(siteUrl) })),
  'problem-json': implement(problemDocument, ({ kind }, _, { siteUrl }) =>
    foundOr(problemPage(kind, siteUrl), () => nothingAt(`/problems/${kind}/index.json`)),
  ),
  'pricing-json': implement(pricingDocument, (_, __, { pricing }) => found(pricing)),
  inputs: implement(inputsDocument, (_, { manifest: { inputs } }) => found({ inputs })),
  health: implement(healthDocument, () => found({ status: 'ok' as const })),
  readiness: implement(readinessDocument, (_, dataset, { state }) => {
    if (state.isDraining) throw unavailable('The server is shutting down.');
    const halves = (['sunlight', 'kaigo'] as const).filter((half) => dataset[half] !== null);
    return found({ status: 'ready' as const, dataset_id: dataset.manifest.dataset_id, halves });
  }),
};
