import { search as row } from '../../contract/operations/search.ts';
import { implement } from './implementation.ts';

export const search = implement(row, {
  find({ q, kind, limit }, answers, { service: { siteUrl } }) {
    const found = answers.find(q, kind ?? null, limit + 1);
    const places = found.slice(0, limit).map(({ page, api, ...place }) => ({
      ...place,
      page_url: siteUrl + page,
      api_url: api === null ? null : siteUrl + api,
    }));
    return { count: places.length, truncated: found.length > limit, places };
  },
});
