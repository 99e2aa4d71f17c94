import { MOST_PLACES } from '../../contract/operations/search.ts';
import type { Place } from '../../dataset/search-places.ts';
import { type Html, html } from '../markup.ts';
import { type PageAsk, type PageResult, pageLink, textsOf } from '../view.ts';

/** What was found for a word. */
export function searchPage(ask: PageAsk): PageResult {
  const { prose, frame } = textsOf(ask);
  const q = (ask.query.get('q') ?? '').trim();
  const hits = q === '' ? [] : (ask.dataset.search?.find(q, null, MOST_PLACES) ?? []);
  const title = q === '' ? prose.searchTitle : prose.searchFor(q);
  const main = html`<h1>${title}</h1>
<form class="search" role="search" action="${pageLink(ask, '/search/')}" method="get" aria-label="${prose.searchTitle}"><label class="visually-hidden" for="page-q">${frame.searchLabel}</label><input id="page-q" name="q" type="search" value="${q}" autocomplete="off" maxlength="100" placeholder="${frame.searchLabel}"><button>${frame.search}</button></form>
${q === '' ? html`<p>${prose.searchEmpty}</p>` : hits.length === 0 ? html`<p role="status">${prose.searchNone}</p>` : html`<ul class="plain">${hits.map((hit) => line(ask, hit))}</ul>`}`;
  return { kind: 'page', title, description: prose.searchEmpty, main, isPersonal: true, hasSearch: true };
}

function line(ask: PageAsk, { kind, name, reading, address, page }: Place): Html {
  const { prose } = textsOf(ask);
  const detail = [reading, address].filter((text) => text !== null && text !== name).join(' · ');
  return html`<li><a href="${pageLink(ask, page)}">${name}</a> <span class="quiet">${prose.searchKinds[kind] ?? kind}${detail === '' ? '' : ` · ${detail}`}</span></li>`;
}
