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
import { operationsIn } from '../../contract/extent.ts';
import { openApiDocument } from '../../contract/openapi.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { problemPage, problemPages } from '../../contract/problems.ts';
import { publishedSchemas, schemaDocument as schemaText } from '../../contract/schema-document.ts';
import { extentOf } from '../../dataset/dataset.ts';
import { landing } from '../../site/landing.ts';
import { quote } from '../echo.ts';
import { Unavailable } from '../unavailable.ts';
import { implement } from './implementation.ts';

const nothingAt = (path: string): string => `There is nothing at ${quote(path)}.`;

export const landingJson = implement(landingDocument, {
  find: (_, dataset, { service }) => landing(dataset, service.siteUrl),
});

export const openapi = implement(openapiDocument, {
  find: (_, dataset, { service }) =>
    openApiDocument(operationsIn(OPERATIONS, extentOf(dataset)), service.siteUrl, extentOf(dataset)),
});

export const schema = implement(schemaDocument, {
  find({ name }, dataset, { service }) {
    const found = publishedSchemas(operationsIn(OPERATIONS, extentOf(dataset))).get(name);
    return found === undefined ? null : schemaText(name, found, service.siteUrl);
  },
  absent: ({ name }) => nothingAt(`/schemas/${name}.json`),
});

export const problemsJson = implement(problemsDocument, {
  find: (_, __, { service }) => ({ problems: problemPages(service.siteUrl) }),
});

export const problemJson = implement(problemDocument, {
  find: ({ kind }, _, { service }) => problemPage(kind, service.siteUrl),
  absent: ({ kind }) => nothingAt(`/problems/${kind}/index.json`),
});

export const pricingJson = implement(pricingDocument, {
  find: (_, __, { service }) => service.pricing,
});

export const health = implement(healthDocument, { find: () => ({ status: 'ok' }) });

export const readiness = implement(readinessDocument, {
  find(_, dataset, { service }) {
    if (service.draining) throw new Unavailable('The server is shutting down.');
    const halves = (['sunlight', 'kaigo'] as const).filter((half) => dataset[half] !== null);
    return { status: 'ready', dataset_id: dataset.manifest.dataset_id, halves };
  },
});
