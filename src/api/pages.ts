import { openApiDocument } from '../contract/openapi.ts';
import { OPERATIONS } from '../contract/operations.ts';
import { PROBLEM_KINDS, type ProblemKind, type ProblemName, problemType } from '../contract/problems.ts';
import { publishedSchemas, schemaDocument } from '../contract/schema-document.ts';
import { Body } from '../http/body.ts';
import { pricing, pricingHtml } from './billing/pricing.ts';
import { exampleUrls } from './example-urls.ts';
import type { Exchange } from './exchange.ts';
import { escapeHtml, htmlPage, withCode } from './html.ts';
import { LOOKUPS } from './lookups.ts';

const ABOUT = 'Direct sun on the buildings of Tokyo, wall by wall and floor by floor, and care facilities compared.';

type Render = (exchange: Exchange) => Body | null;

const asJson = (value: unknown): Body => Body.of(`${JSON.stringify(value)}\n`);

/** By operation: the pages that are not the envelope around a look-up. */
const PAGES: Readonly<Record<string, Render>> = {
  landing: (exchange) => Body.of(landingHtml(landing(exchange))),
  'landing-json': (exchange) => exchange.serving.envelope(exchange.route!.operation, landing(exchange)),
  openapi: ({ service }) => asJson(openApiDocument(OPERATIONS, service.siteUrl)),
  schema: ({ pathValues, service }) => {
    const name = pathValues.name!;
    const schema = publishedSchemas(OPERATIONS).get(name);
    return schema === undefined ? null : asJson(schemaDocument(name, schema, service.siteUrl));
  },
  problem: (exchange) => {
    const kind = problemKind(exchange);
    return kind === null ? null : Body.of(problemHtml(kind));
  },
  'problem-json': (exchange) => {
    const kind = problemKind(exchange);
    return kind === null ? null : exchange.serving.envelope(exchange.route!.operation, kind);
  },
  pricing: ({ service }) => Body.of(pricingHtml(service.billing?.terms ?? null)),
  'pricing-json': ({ service, serving, route }) =>
    serving.envelope(route!.operation, pricing(service.billing?.terms ?? null)),
  health: () => asJson({ status: 'ok' }),
  readiness: ({ serving: { dataset } }) => {
    const halves = (['sunlight', 'kaigo'] as const).filter((half) => dataset[half] !== null);
    return asJson({ status: 'ready', dataset_id: dataset.manifest.dataset_id, halves });
  },
};

/** A page; null when there is no such page. */
export function renderPage(exchange: Exchange): Body | null {
  const { operation } = exchange.route!;
  const page = PAGES[operation.id];
  return page === undefined
    ? exchange.serving.envelope(operation, LOOKUPS[operation.id]!.find(exchange))
    : page(exchange);
}

interface Landing {
  name: string;
  description: string;
  urls: { summary: string; url: string }[];
}

function landing({ serving, service: { siteUrl } }: Exchange): Landing {
  // Also where every call is free: a page that may be cached cannot depend on a setting.
  const prices = { summary: 'What calls cost and how to pay', url: `${siteUrl}/pricing/` };
  return { name: 'Hidamari', description: ABOUT, urls: [...exampleUrls(serving.dataset, siteUrl), prices] };
}

function landingHtml({ name, description, urls }: Landing): string {
  const items = urls.map(
    ({ summary, url }) =>
      `<li><a href="${escapeHtml(url)}">${escapeHtml(summary)}</a><br><code>${escapeHtml(url)}</code>`,
  );
  return htmlPage(
    'Direct sun on buildings',
    `<h1>${name} 陽だまり</h1><p>${escapeHtml(description)}</p><h2>Try</h2><ul>${items.join('\n')}</ul>` +
      '<p>The interface is described in <a href="/openapi.json">openapi.json</a>; this page for programs: ' +
      '<a href="/index.json">index.json</a>.</p>',
  );
}

type ProblemPage = { kind: ProblemName; type: string } & ProblemKind;

function problemKind({ pathValues, service }: Exchange): ProblemPage | null {
  const kind = pathValues.kind!;
  if (!Object.hasOwn(PROBLEM_KINDS, kind)) return null;
  const name = kind as ProblemName;
  const { status, title, when, remedy } = PROBLEM_KINDS[name];
  return { kind: name, type: problemType(service.siteUrl, name), status, title, when, remedy };
}

function problemHtml({ kind, status, title, when, remedy }: ProblemPage): string {
  return htmlPage(
    title,
    `<h1>${escapeHtml(title)}</h1><p><code>${kind}</code>, HTTP status ${status}</p>` +
      `<h2>When</h2><p>${withCode(when)}</p><h2>What to do</h2><p>${withCode(remedy)}</p>` +
      '<p><a href="index.json">This page as JSON</a></p>',
  );
}
