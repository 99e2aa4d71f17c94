import { STANDARD_CASE } from '../../contract/kaigo-cost.ts';
import type { Parameter } from '../../contract/parameter.ts';
import { PROBLEM_KINDS, PROBLEM_NAMES, type ProblemName } from '../../contract/problems.ts';
import { keywordsOf } from '../../contract/schema.ts';
import type { Manifest } from '../../snapshot/manifest.ts';
import { caseText } from '../kaigo/case.ts';
import { costNames } from '../kaigo/money.ts';
import { type Fragment, type Html, html, isolated, raw } from '../markup.ts';
import { searchForm } from '../parts.ts';
import { MONTH_NUMBERS } from '../sunlight/choice.ts';
import { numberColumn, table } from '../table.ts';
import { fileLink, notFound, type PageAsk, type PageResult, type PageView, pageLink, textsOf } from '../view.ts';

const LONGEST_PATH = 200;
const LONGEST_LINK = 1000;

/** True when a problem page may link to the requested URL. A long one would make the page several times as long. */
export const canBeLinked = ({ path, query }: Pick<PageProblem, 'path' | 'query'>): boolean =>
  path.length + query.length <= LONGEST_LINK;

/** Every kind of problem. */
export function problemsPage(ask: PageAsk): PageResult {
  const { prose } = textsOf(ask);
  const kinds = table<ProblemName>(
    { label: prose.problemsTitle },
    'rows',
    [
      {
        name: prose.kind,
        content: (name) =>
          html`<a href="${pageLink(ask, `/problems/${name}/`)}">${prose.problemTitles[name]}</a><small>${name}</small>`,
      },
      numberColumn(prose.status, (name) => PROBLEM_KINDS[name].status),
      { name: prose.details, content: (name) => prose.problemHelp[name] },
    ],
    PROBLEM_NAMES,
  );
  return {
    kind: 'page',
    title: prose.problemsTitle,
    description: prose.problemsLead,
    main: html`<h1>${prose.problemsTitle}</h1><p>${prose.problemsLead}</p>${kinds}`,
  };
}

/** The explanation of one kind of problem. */
export function problemPage(ask: PageAsk): PageResult {
  const { prose } = textsOf(ask);
  const kind = PROBLEM_NAMES.find((name) => name === ask.values.kind);
  if (kind === undefined) return notFound(prose.noKind(ask.values.kind));
  const { status } = PROBLEM_KINDS[kind];
  const title = prose.problemTitles[kind];
  return {
    kind: 'page',
    title,
    description: prose.problemHelp[kind],
    crumbs: [{ name: prose.problemsTitle, path: '/problems/' }],
    main: html`<h1>${title}</h1><p><code>${kind}</code> · HTTP ${status}</p>
<p class="answer">${prose.problemHelp[kind]}</p>
<h2>${prose.when}</h2><p>${withCode(prose.problemWhen[kind])}</p>
<h2>${prose.remedy}</h2><p>${withCode(prose.problemRemedy[kind])}</p>`,
  };
}

/** Text in which `words in backticks` become code. */
const withCode = (text: string): Html[] =>
  text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));

/** A problem of a page request. */
export interface PageProblem {
  kind: ProblemName;
  detail: string;
  /** As requested. */
  path: string;
  query: string;
  /** Names of the page's parameters with invalid values. */
  wrongNames: readonly string[];
  parameters: readonly Parameter[];
  /** An existing path that was probably meant. */
  suggestedPath: string | null;
  /** True when there is a page at the path. */
  isKnown: boolean;
  /** Seconds until the next attempt; null when waiting does not help. */
  waitSeconds: number | null;
  /** The limit of requests a minute that was reached; null: the refusal has another reason. */
  limitAMinute: number | null;
  /** The ID of the request, as in the log. */
  id: string;
}

/** A problem as a page: what was wrong, a search field, and further links. */
export function problemView(
  ask: Pick<PageAsk, 'siteUrl' | 'language' | 'isStatic'>,
  asked: PageProblem,
  halves: Manifest['halves'],
): PageView {
  // The only problem of an export is a page that it does not have.
  if (ask.isStatic) return missingView(ask, halves);
  const { kind: problem } = asked;
  const { prose, frame } = textsOf(ask);
  const { title, help } = headOf(ask, asked);
  return {
    kind: 'page',
    title,
    description: help,
    hasSearch: true,
    main: html`<h1>${title}</h1><p class="answer">${help}</p>${whatIsWrong(ask, asked)}
${searchForm(ask, 'help-q', frame.searchLabel(halves))}
<ul>${wayBack(ask, asked)}${entries(ask, halves)}<li><a href="${pageLink(ask, `/problems/${problem}/`)}">${prose.aboutProblem}</a></li></ul>`,
  };
}

/** Links to the pages where visitors begin, as entries of a list. */
function entries(ask: Pick<PageAsk, 'siteUrl' | 'language'>, { sunlight, kaigo }: Manifest['halves']): Fragment {
  const { prose, frame } = textsOf(ask);
  const link = (path: string, name: string): Html => html`<li><a href="${pageLink(ask, path)}">${name}</a></li>`;
  return [
    link('/', frame.home),
    sunlight && [link('/map/', prose.openMap), link('/sunlight/', prose.browseTowns(sunlight.counts.towns !== 0))],
    kaigo && link('/kaigo/', prose.browseCare),
  ];
}

/** The page of an export for addresses without a file. Its script shows buildings and facilities from the packs. */
function missingView(ask: Pick<PageAsk, 'siteUrl' | 'language'>, halves: Manifest['halves']): PageView {
  const texts = textsOf(ask);
  const { prose, frame, sunlight, care, map } = texts;
  const words = {
    building: sunlight.heading('{}'),
    height: sunlight.height,
    heightUnknown: sunlight.heightUnknown,
    storeys: sunlight.storeys,
    annual: sunlight.annual,
    unit: frame.hours,
    hours: prose.filesHours,
    months: MONTH_NUMBERS.map(frame.month),
    face: sunlight.face,
    faces: frame.faces,
    floor: frame.floor('{}'),
    map: sunlight.linkMap,
    address: care.address,
    phone: care.phone,
    corporation: care.corporation,
    capacity: care.capacity,
    // The costs in an export are those of the standard case.
    cost: map.homeCost('{}', true),
    insuredPart: care.insuredPartOnly(frame.list(costNames(texts, ['rent', 'food']))),
    noCost: map.homeCostUnknown,
    case: caseText(texts, STANDARD_CASE),
    short: prose.filesShort,
  };
  const data = raw(JSON.stringify(words).replaceAll('<', '\\u003c'));
  return {
    kind: 'page',
    title: prose.notFoundTitle,
    description: prose.filesMissing,
    main: html`<h1>${prose.notFoundTitle}</h1><p class="answer">${prose.filesMissing}</p><p>${prose.filesLead}</p>
<ul>${entries(ask, halves)}</ul>
<script type="application/json" id="missing-words">${data}</script><script type="module" src="${fileLink(ask, '/client/missing-page.js')}"></script>`,
  };
}

/** The problem and the remedy, in the language of the page. */
function headOf(ask: Pick<PageAsk, 'language'>, problem: PageProblem): { title: string; help: string } {
  const { prose, frame } = textsOf(ask);
  const { kind, waitSeconds, limitAMinute } = problem;
  if (kind === 'not-found') return { title: prose.notFoundTitle, help: prose.notFoundHelp };
  // Waiting does not help when the data is missing.
  if (isMissing(ask, problem)) return { title: prose.missingTitle, help: problem.detail };
  const title = prose.problemTitles[kind];
  if (waitSeconds === null) return { title, help: prose.problemHelp[kind] };
  const again = prose.comeAgain(waitSeconds);
  return { title, help: limitAMinute === null ? again : frame.sentences(prose.limitReached(limitAMinute), again) };
}

/** True when the server lacks the half of the page. */
const isMissing = (ask: Pick<PageAsk, 'language'>, { kind, detail }: PageProblem): boolean =>
  kind === 'unavailable' && Object.values<string>(textsOf(ask).prose.notLoaded).includes(detail);

/**
 * A link to the requested page: after a wait as it was requested; for invalid values without them, or without any values
 * when it is unknown which are invalid. Null when neither helps.
 */
function wayBack(ask: Pick<PageAsk, 'siteUrl' | 'language'>, asked: PageProblem): Fragment {
  const { kind, path, query, wrongNames, parameters, isKnown, waitSeconds } = asked;
  const isPath = wrongNames.some((name) => parameters.some((one) => one.name === name && one.in === 'path'));
  const { prose } = textsOf(ask);
  if (!canBeLinked(asked)) return null;
  if (waitSeconds !== null && isKnown && !isMissing(ask, asked)) {
    return html`<li><a href="${fileLink(ask, path)}${query === '' ? '' : `?${query}`}">${prose.tryAgain}</a></li>`;
  }
  if (kind !== 'invalid-parameter' || !isKnown || isPath || query === '') return null;
  const validQuery = new URLSearchParams(wrongNames.length === 0 ? '' : query);
  for (const name of wrongNames) validQuery.delete(name);
  const [, building] = /\/sunlight\/building\/([^/]+)\/$/.exec(path) ?? [];
  const name = building === undefined ? prose.withoutWrong : prose.toBuilding(building);
  return html`<li><a href="${fileLink(ask, path)}${validQuery.size === 0 ? '' : `?${validQuery}`}">${name}</a></li>`;
}

/** What is wrong with the request, as far as the heading does not say it; null when there is nothing to add. */
function whatIsWrong(ask: Pick<PageAsk, 'siteUrl' | 'language'>, asked: PageProblem): Fragment {
  const { prose } = textsOf(ask);
  const { kind, detail, wrongNames, parameters, query, path, suggestedPath, isKnown, id } = asked;
  if (wrongNames.length > 0) return wrongValues(ask, parameters, wrongNames, query);
  // There is no page at the path.
  if (!isKnown) {
    const shortPath = path.slice(0, LONGEST_PATH);
    const link =
      suggestedPath === null
        ? null
        : html` ${prose.meant}<a href="${fileLink(ask, suggestedPath)}">${suggestedPath}</a>`;
    return html`<p class="note">${isolated(prose.noPageAt(shortPath), [shortPath])}${link}</p>`;
  }
  if (kind === 'rate-limited' || isMissing(ask, asked)) return null;
  if (kind === 'unavailable' || kind === 'internal-error') return html`<p class="note">${prose.requestId(id)}</p>`;
  // Texts of pages are in their language; texts of the service are English.
  const isEnglish = !/[\u3040-\u30ff\u4e00-\u9fff]/.test(detail);
  return html`<p class="note"${isEnglish && ask.language === 'ja' ? html` lang="en"` : null}>${detail}</p>`;
}

/** The given and the expected value, a line for each invalid one, in the language of the page. */
function wrongValues(
  ask: Pick<PageAsk, 'language'>,
  parameters: readonly Parameter[],
  wrong: readonly string[],
  query: string,
): Html {
  const { prose } = textsOf(ask);
  const queryValues = new URLSearchParams(query);
  const lines = [...new Set(wrong)].map((name) => {
    const parameter = parameters.find((one) => one.name === name);
    const label = prose.parameterNames[name] ?? name;
    const value = queryValues.getAll(name).join(', ').slice(0, 80);
    return html`<li>${isolated(prose.wrongValue(label, value), [value])} ${parameter === undefined ? null : expected(ask, parameter)}</li>`;
  });
  return html`<ul>${lines}</ul>`;
}

/** The values that a parameter takes, in words. */
function expected(ask: Pick<PageAsk, 'language'>, { schema, example }: Parameter): string {
  const { prose } = textsOf(ask);
  const { enum: words, minimum, maximum } = keywordsOf(schema);
  if (words !== undefined) return prose.oneOf(words.join(', '));
  if (minimum !== undefined && maximum !== undefined) return prose.between(minimum, maximum);
  return prose.forExample(example);
}
