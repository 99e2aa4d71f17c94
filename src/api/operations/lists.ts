/** Most results of a search around a point. */
export const NEAR_LIMIT = 50;

/** Results on a page of a list. */
export const PAGE_SIZE = 100;

/**
 * The `detail` of a 404 of a list that is given page by page.
 * @param pages number of its pages; null when there is no such list.
 */
export function absentPage(what: string, pages: number | null, page: number): string {
  if (pages === null) return `There is no ${what} in this dataset.`;
  return `The list of ${what} has ${pages === 1 ? 'one page' : `${pages} pages`}: there is no page ${page}.`;
}
