import type { Landing } from '../contract/documents.ts';
import type { Dataset } from '../dataset/dataset.ts';
import { exampleUrls } from './example-urls.ts';
import { escapeHtml, HTML, HTML_HEADERS, htmlPage } from './html.ts';
import { page } from './page.ts';

const ABOUT = 'Direct sun on the buildings of Tokyo, wall by wall and floor by floor, and care facilities compared.';

/** What the landing page and its JSON tell. */
export function landing(dataset: Dataset, siteUrl: string): Landing {
  // Also where every call is free: a page that may be cached cannot depend on a setting.
  const prices = { summary: 'What calls cost and how to pay', url: `${siteUrl}/pricing/` };
  return { name: 'Hidamari', description: ABOUT, urls: [...exampleUrls(dataset, siteUrl), prices] };
}

export const landingPage = page({
  id: 'landing',
  path: '/',
  parameters: [],
  mediaType: HTML,
  cache: 'public',
  headers: HTML_HEADERS,
  render: (_, { dataset, siteUrl }) => landingHtml(landing(dataset, siteUrl)),
});

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
