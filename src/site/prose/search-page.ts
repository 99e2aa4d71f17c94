import { MOST_PLACES } from '../../contract/operations/search.ts';
import type { Place } from '../../dataset/search-places.ts';
import { type Html, html } from '../markup.ts';
import { readable } from '../names.ts';
import { type PageAsk, type PageResult, pageLink, textsOf } from '../view.ts';

/** What was found for a word. */
export function searchPage(ask: PageAsk): PageResult {
  const { prose, frame } = textsOf(ask);
  const q = (ask.query.get('q') ?? '').trim();
  const hits = q === '' ? [] : (ask.dataset.search?.find(q, null, MOST_PLACES) ?? []);
  const title = q === '' ? prose.searchTitle : prose.searchFor(q);
  const main = html`<h1>${title}</h1>
<form class="search" role="search" action="${pageLink(ask, '/search/')}" method="get" aria-label="${prose.searchTitle}"><label class="visually-hidden" for="page-q">${frame.searchLabel}</label><input id="page-q" name="q" type="search" value="${q}" autocomplete="off" maxlength="100" placeholder="${frame.searchLabel}"><button>${frame.search}</button></form>
${q === '' ? html`<p>${prose.searchEmpty}</p>` : hits.length === 0 ? html`<p role="status">${prose.searchNone}</p>${elsewhere(ask)}` : html`<ul class="plain">${hits.map((hit) => line(ask, hit))}</ul>`}`;
  return { kind: 'page', title, description: prose.searchEmpty, main, isPersonal: true, hasSearch: true };
}

/** Where to go when nothing is found. */
function elsewhere(ask: PageAsk): Html {
  const { prose } = textsOf(ask);
  const { sunlight, map, kaigo } = ask.dataset;
  const button = (path: string, name: string): Html =>
    html`<a class="button" href="${pageLink(ask, path)}">${name}</a> `;
  return html`<p>${prose.searchElse}</p><p class="ways">${map && button('/map/', prose.openMap)}${sunlight && button('/sunlight/', prose.browseTowns)}${kaigo && button('/kaigo/', prose.browseCare)}</p>`;
}

function line(ask: PageAsk, { kind, name, reading, address, page }: Place): Html {
  const { prose } = textsOf(ask);
  // The address of a town ends in its name, which stands before it.
  const where = address?.endsWith(name) ? address.slice(0, -name.length) : address;
  const details = [prose.searchKinds[kind] ?? kind, where, ask.language === 'ja' ? reading : null].filter(
    (text) => text !== null && text !== '',
  );
  return html`<li><a href="${pageLink(ask, page)}">${readable(ask, name, reading)}</a><br><span class="quiet">${details.join(' · ')}</span></li>`;
}
