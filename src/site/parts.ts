import { DATASET_ID } from '../contract/parameter.ts';
import type { Found, Place } from '../dataset/search.ts';
import { fold, latinName } from '../search/romaji.ts';
import { type Fragment, type Html, html, isolated } from './markup.ts';
import { type PageAsk, pageLink, textsOf, withQuery } from './view.ts';

/** Number of a list's page, from 1, and how many the list has; as in the answers of the API. */
interface ListPage {
  page: number;
  page_count: number;
}

/**
 * Links to the previous and next page of the same dataset; empty for one page.
 * @param path of the list, without its query
 * @param query of the list, besides the page and the dataset
 */
export function paging(
  ask: PageAsk,
  { page, page_count }: ListPage,
  path: string,
  query: [string, string][],
): Fragment {
  if (page_count === 1) return null;
  const { frame } = textsOf(ask);
  const { dataset_id } = ask.dataset.manifest;
  const turn = (to: number, name: string): Fragment => {
    if (to < 1 || to > page_count) return null;
    const target = new URLSearchParams([...query, ['page', String(to)], [DATASET_ID, dataset_id]]);
    return html`<a href="${path}?${String(target)}">${name}</a>`;
  };
  return html`<p class="paging">${turn(page - 1, frame.previous)} <span>${frame.pageOf(page, page_count)}</span> ${turn(page + 1, frame.next)}</p>`;
}

/**
 * A note that the list continues in another dataset than the query names, which is no longer served. Null when the query
 * names no dataset or the served one.
 * @param firstPage link to the first page of the list
 */
export function otherDatasetNote(ask: PageAsk, firstPage: string): Fragment {
  const { generated_at, dataset_id } = ask.dataset.manifest;
  const datasetOfList = ask.query.get(DATASET_ID);
  if (datasetOfList === null || datasetOfList === dataset_id) return null;
  const { frame } = textsOf(ask);
  const link: Html = html`<a href="${firstPage}">${frame.firstPage}</a>`;
  return html`<p class="note no-print">${frame.renewed(generated_at.slice(0, 10))} ${link}</p>`;
}

/**
 * A note on what the search did not find of a query: no station has the name; or the town has no such chome; or these
 * words were ignored. Null when the places fit the whole query.
 * @param q the query
 */
export function ignoredNote(ask: PageAsk, q: string, { places, ignored }: Found): Fragment {
  const { prose } = textsOf(ask);
  if (isUnknownStation(q, places)) return prose.searchLikeStation;
  const chome = missingChome(q, places);
  if (chome !== null) return isolated(prose.searchNoChome(chome.town, chome.number), [chome.town]);
  return ignored === null ? null : isolated(prose.searchIgnored(ignored), [ignored]);
}

/** The word for a station at the end of a query. */
const STATION = /駅$|えき$|エキ$|\bstation$/i;

/** True when a query ends in the word for a station, but no place found for it is a station. */
export const isUnknownStation = (q: string, places: readonly Place[]): boolean =>
  STATION.test(q) && !places.some(({ kind }) => kind === 'station');

/** The word for a chome in a query: 99丁目, 99ちょうめ, 九十九丁目, 99-chome. */
const CHOME = /丁目|ちょうめ|cho-?me/iu;
/** Three numbers in a folded query, of which the first is that of a chome: 99-1-1. */
const THREE_NUMBERS = /\d-\d+-\d/;

/**
 * The chome that a query names but that was not found, and its town: `千駄木` and `99` for 千駄木99丁目, when only 千駄木一丁目
 * to 五丁目 are found. Null when the query names no chome (千駄木5: that may be a block), when its town was not found or has no
 * chome, and when the chome was found.
 */
function missingChome(q: string, places: readonly Place[]): { town: string; number: string } | null {
  const towns = places.filter(({ kind }) => kind === 'town');
  const [first] = towns;
  // In folded form 一丁目 is `1-`.
  const query = fold(q);
  if (first === undefined || !(CHOME.test(q) || THREE_NUMBERS.test(query))) return null;
  /** A name in folded form without its chome: 千駄木 for 千駄木1-. */
  const withoutChome = (folded: string): string => folded.replace(/\d+-$/, '');
  const spellings = [first.name, first.reading ?? '', latinName(first.reading ?? '') ?? ''];
  const townInQuery = spellings
    .map((name) => withoutChome(fold(name)))
    .find((name) => name !== '' && query.includes(name));
  if (townInQuery === undefined) return null;
  const number = /^\d+/.exec(query.split(townInQuery).at(-1) ?? '')?.[0];
  const town = first.name.replace(/[一二三四五六七八九十\d]+丁目$/u, '');
  const base = withoutChome(fold(town));
  const foundChome = towns.map(({ name }) => fold(name)).filter((name) => name !== base && withoutChome(name) === base);
  if (number === undefined || foundChome.length === 0) return null;
  return foundChome.includes(`${base}${number}-`) ? null : { town, number };
}

/** A link that sorts a list; the present order is marked. */
export const orderLink = (href: string, name: string, isPresent: boolean): Html =>
  html`<a href="${href}"${isPresent ? html` aria-current="true"` : null}>${name}</a> `;

/**
 * The search field, with a text in it; nothing in an export.
 * @param id of the field, unique on the page
 * @param placeholder of the field; a shorter text than the label where the field is narrow
 */
export function searchForm(
  ask: Pick<PageAsk, 'siteUrl' | 'language' | 'isStatic'>,
  id: string,
  label: string,
  text = '',
  placeholder = label,
): Fragment {
  if (ask.isStatic) return null;
  const { search } = textsOf(ask).frame;
  return html`<form class="search" role="search" action="${pageLink(ask, '/search/')}" method="get" aria-label="${label}">
<label class="visually-hidden" for="${id}">${label}</label><input id="${id}" name="q" type="search" value="${text}" autocomplete="off" maxlength="100" placeholder="${placeholder}"><button>${search}</button></form>`;
}

/** Where the saved things of a kind are shown one by one and compared, and the parameter of the comparison that lists them. */
const SAVED = {
  flats: { page: '/sunlight/building/', comparison: '/compare/', parameter: 'b' },
  homes: { page: '/kaigo/facility/', comparison: '/kaigo/compare/', parameter: 'f' },
} as const;

/** A thing that visitors can save on their device: a flat or a home of care. */
interface Saveable {
  kind: keyof typeof SAVED;
  /** Its notation in the URL of a comparison. */
  id: string;
  name: string;
  /** Its name on English pages; empty: unknown, so that they show its ID. */
  latin: string;
  /** Besides its ID tells a flat from another one of the same town and floor: the height of its building. */
  height?: string;
  /** Of a flat: its hours of sun on 15 December. */
  hours?: string;
  /** What its row in the list says about it, in Japanese and in English. */
  about?: string;
  aboutLatin?: string;
}

/**
 * The button that saves a flat or a home on the device, and a link to compare all saved ones. Both are hidden until the
 * script `saved.js` shows them, where the browser can store things.
 * @param savedQuery the day or the case of this page: it is saved with the thing, and the comparison has it
 * @param otherQuery what else the comparison has of the query of this page
 */
export function saveButton(
  ask: PageAsk,
  { kind, id, name, latin, height = '', hours = '', about = '', aboutLatin = '' }: Saveable,
  savedQuery: [string, string][],
  otherQuery: [string, string][] = [],
): Html {
  const { saved } = textsOf(ask).frame;
  const [save, kept] = kind === 'flats' ? [saved.saveFlat, saved.flatKept] : [saved.saveHome, saved.homeKept];
  const { comparison, parameter } = SAVED[kind];
  // The script writes the list of all saved things behind the last parameter.
  const page = withQuery(comparison, [...savedQuery, ...otherQuery, [parameter, '']]);
  return html`<button class="save" type="button" data-save="${kind}" data-id="${id}" data-name="${name}" data-latin="${latin}" data-height="${height}" data-hours="${hours}" data-about="${about}" data-about-latin="${aboutLatin}" data-query="${new URLSearchParams(savedQuery).toString()}" data-kept="${kept}" aria-pressed="false" hidden>${save}</button>
<a class="button" data-compare="${kind}" data-count="${saved.compareKept('{}')}" href="${pageLink(ask, page)}" hidden></a>`;
}

/**
 * The section where the script `saved.js` lists the saved flats or homes, each with a button to remove it, and a button
 * that compares all. It is hidden while the list is empty and nothing was just removed. In its texts for the script, `{}`
 * stands for the name, the height or the hours of a saved thing.
 * @param query the day or the case of this page, for the links to the saved things and for the comparison
 */
export function savedList(ask: PageAsk, kind: Saveable['kind'], query: [string, string][] = []): Html {
  const { saved } = textsOf(ask).frame;
  const { page, comparison, parameter } = SAVED[kind];
  const hidden = query.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
  return html`<section id="saved-${kind}" class="saved no-print" data-saved="${kind}" data-page="${pageLink(ask, page)}" data-query="${new URLSearchParams(query).toString()}" data-remove="${saved.remove}" data-removed="${saved.removed('{}')}" data-height="${textsOf(ask).sunlight.shapeHeight('{}')}" data-hours="${saved.december('{}')}" hidden>
<h2>${saved[kind]}</h2>
<p class="quiet" role="status" hidden><span></span> <button type="button" class="quiet-button">${saved.undo}</button></p>
<form method="get" action="${pageLink(ask, comparison)}" data-parameter="${parameter}">${hidden}<ul class="plain"></ul>
<p><button>${saved.compare}</button></p><p class="quiet">${saved.where}</p></form></section>`;
}
