import { PROBLEM_KINDS, PROBLEM_NAMES, type ProblemName } from '../../contract/problems.ts';
import { type Html, html } from '../markup.ts';
import { notFound, type PageAsk, type PageResult, type PageView, pageLink, textsOf } from '../view.ts';

/** Every kind of problem. */
export function problemsPage(ask: PageAsk): PageResult {
  const { prose } = textsOf(ask);
  const rows = PROBLEM_NAMES.map(
    (name) =>
      html`<tr><th scope="row"><a href="${pageLink(ask, `/problems/${name}/`)}">${prose.problemTitles[name]}</a><small>${name}</small></th><td class="number">${PROBLEM_KINDS[name].status}</td><td>${prose.problemHelp[name]}</td></tr>`,
  );
  return {
    kind: 'page',
    title: prose.problemsTitle,
    description: prose.problemsLead,
    main: html`<h1>${prose.problemsTitle}</h1><p>${prose.problemsLead}</p><div class="scroll" tabindex="0" role="region" aria-label="${prose.problemsTitle}"><table><thead><tr><th scope="col">${prose.kind}</th><th scope="col" class="number">${prose.status}</th><th scope="col">${prose.details}</th></tr></thead><tbody>${rows}</tbody></table></div>`,
  };
}

/** What one kind of problem means. */
export function problemPage(ask: PageAsk): PageResult {
  const { prose } = textsOf(ask);
  const kind = PROBLEM_NAMES.find((name) => name === ask.values.kind);
  if (kind === undefined) return notFound(`There is no kind of problem named ${ask.values.kind}.`);
  const { status, when, remedy } = PROBLEM_KINDS[kind];
  const title = prose.problemTitles[kind]!;
  return {
    kind: 'page',
    title,
    description: prose.problemHelp[kind]!,
    crumbs: [{ name: prose.problemsTitle, path: '/problems/' }],
    main: html`<h1>${title}</h1><p><code>${kind}</code> · HTTP ${status}</p><p class="answer">${prose.problemHelp[kind]}</p><h2>${prose.when}</h2><p lang="en">${withCode(when)}</p><h2>${prose.remedy}</h2><p lang="en">${withCode(remedy)}</p>`,
  };
}

/** Text of the contract in which `words in backticks` become code. */
const withCode = (text: string): Html[] =>
  text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));

/** A problem as a page that helps: what was wrong, a search field, ways on. */
export function problemView(
  ask: Pick<PageAsk, 'siteUrl' | 'language'>,
  problem: ProblemName,
  detail: string,
): PageView {
  const { prose, frame } = textsOf(ask);
  const title = problem === 'not-found' ? prose.notFoundTitle : prose.problemTitles[problem]!;
  const link = (path: string, name: string): Html => html`<li><a href="${pageLink(ask, path)}">${name}</a></li>`;
  return {
    kind: 'page',
    title,
    description: prose.problemHelp[problem]!,
    isPersonal: true,
    main: html`<h1>${title}</h1><p class="answer">${problem === 'not-found' ? prose.notFoundHelp : prose.problemHelp[problem]}</p><p class="note"><code>${detail}</code></p>
<form class="search" role="search" action="${pageLink(ask, '/search/')}" method="get" aria-label="${frame.search}"><label class="visually-hidden" for="help-q">${frame.searchLabel}</label><input id="help-q" name="q" type="search" autocomplete="off" maxlength="100" placeholder="${frame.searchLabel}"><button>${frame.search}</button></form>
<ul>${link('/', frame.home)}${link('/sunlight/', prose.browseTowns)}${link('/kaigo/', prose.browseCare)}${link(`/problems/${problem}/`, prose.details)}</ul>`,
  };
}
