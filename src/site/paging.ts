import { DATASET_ID } from '../contract/parameter.ts';
import { type Gap, type Html, html } from './markup.ts';
import { type PageAsk, textsOf } from './view.ts';

/** A page of a list, as in the answers of the API. */
interface ListPage {
  page: number;
  page_count: number;
}

/**
 * Links to the previous and next page of the same dataset; empty for one page.
 * @param path of the list, without its query
 * @param query of the list, besides the page and the dataset
 */
export function paging(ask: PageAsk, { page, page_count }: ListPage, path: string, query: [string, string][]): Gap {
  if (page_count === 1) return null;
  const { frame } = textsOf(ask);
  const { dataset_id } = ask.dataset.manifest;
  const turn = (to: number, name: string): Gap => {
    const asked = new URLSearchParams([...query, ['page', String(to)], [DATASET_ID, dataset_id]]);
    return to < 1 || to > page_count ? null : html`<a href="${path}?${String(asked)}">${name}</a>`;
  };
  return html`<p class="paging">${turn(page - 1, frame.previous)} <span>${frame.pageOf(page, page_count)}</span> ${turn(page + 1, frame.next)}</p>`;
}

/**
 * Says that a list continues in another dataset than its reader began with, because that one is closed.
 * @param first the first page of the list
 */
export function renewed(ask: PageAsk, first: string): Gap {
  const { generated_at, dataset_id } = ask.dataset.manifest;
  const begun = ask.query.get(DATASET_ID);
  if (begun === null || begun === dataset_id) return null;
  const { frame } = textsOf(ask);
  const link: Html = html`<a href="${first}">${frame.firstPage}</a>`;
  return html`<p class="note no-print">${frame.renewed(generated_at.slice(0, 10))} ${link}</p>`;
}
