import Type from 'typebox';
import { inPath } from '../contract/parameters.ts';
import { problemPage as problemOf } from '../contract/problems.ts';
import { escapeHtml, HTML, HTML_HEADERS, htmlPage, withCode } from './html.ts';
import { page } from './page.ts';

/** What a problem kind means; the `type` of a problem points here. */
export const problemPage = page({
  id: 'problem',
  path: '/problems/{kind}/',
  parameters: [inPath('kind', Type.String(), 'Name of the problem kind.', 'not-found')],
  mediaType: HTML,
  cache: 'public',
  headers: HTML_HEADERS,
  render(values, { siteUrl }) {
    const problem = problemOf(values.kind, siteUrl);
    if (problem === null) return null;
    const { kind, status, title, when, remedy } = problem;
    return htmlPage(
      title,
      `<h1>${escapeHtml(title)}</h1><p><code>${kind}</code>, HTTP status ${status}</p>` +
        `<h2>When</h2><p>${withCode(when)}</p><h2>What to do</h2><p>${withCode(remedy)}</p>` +
        '<p><a href="index.json">This page as JSON</a></p>',
    );
  },
});
