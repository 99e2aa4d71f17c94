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
import { problemPage, problemPages } from '../../contract/problems.ts';
import { publishedSchemas, schemaDocument as schemaText } from '../../contract/schema-document.ts';
import { contractOf, landing } from '../../site/example-urls.ts';
import { Unavailable } from '../handler-errors.ts';
import { quote } from '../suggest.ts';
import { implement } from './implementation.ts';

const nothingAt = (path: string): string => `There is nothing at ${quote(path)}.`;

/** What belongs to neither half: the search and the documents of the service. */
export const SITE_HANDLERS = {
  search: implement(search, {
    find({ q, kind, limit }, answers, { service: { siteUrl } }) {
      const { places: found, ignored } = answers.find(q, kind ?? null, limit + 1);
      const places = found.slice(0, limit).map(({ page, api, ...place }) => ({
        ...place,
        page_url: siteUrl + page,
        api_url: api === null ? null : siteUrl + api,
      }));
      return { count: places.length, truncated: found.length > limit, ignored, places };
    },
  }),
  'landing-json': implement(landingDocument, {
    find: (_, dataset, { service }) => landing(dataset, service.siteUrl),
  }),
  openapi: implement(openapiDocument, {
    find: (_, dataset, { service }) => openApiDocument(contractOf(dataset), service.siteUrl),
  }),
  schema: implement(schemaDocument, {
    find({ name }, dataset, { service }) {
      const found = publishedSchemas(contractOf(dataset)).get(name);
      return found === undefined ? null : schemaText(name, found, service.siteUrl);
    },
    absent: ({ name }) => nothingAt(`/schemas/${name}.json`),
  }),
  'problems-json': implement(problemsDocument, {
    find: (_, __, { service }) => ({ problems: problemPages(service.siteUrl) }),
  }),
  'problem-json': implement(problemDocument, {
    find: ({ kind }, _, { service }) => problemPage(kind, service.siteUrl),
    absent: ({ kind }) => nothingAt(`/problems/${kind}/index.json`),
  }),
  'pricing-json': implement(pricingDocument, {
    find: (_, __, { service }) => service.pricing,
  }),
  health: implement(healthDocument, { find: () => ({ status: 'ok' }) }),
  readiness: implement(readinessDocument, {
    find(_, dataset, { service }) {
      if (service.draining) throw new Unavailable('The server is shutting down.');
      const halves = (['sunlight', 'kaigo'] as const).filter((half) => dataset[half] !== null);
      return { status: 'ready', dataset_id: dataset.manifest.dataset_id, halves };
    },
  }),
};
