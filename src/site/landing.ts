import type { Landing } from '../contract/documents.ts';
import { type Dataset, extentOf } from '../dataset/dataset.ts';
import { exampleUrls } from './example-urls.ts';

const about = (inTokyo: boolean): string =>
  `Direct sun on ${inTokyo ? 'the buildings of Tokyo' : 'buildings'}, wall by wall and floor by floor, and care facilities compared.`;

/** What the landing page and its JSON tell. */
export function landing(dataset: Dataset, siteUrl: string): Landing {
  // Also where every call is free: a page that may be cached cannot depend on a setting.
  const prices = { summary: 'What calls cost and how to pay', url: `${siteUrl}/pricing/` };
  return {
    name: 'Hidamari',
    description: about(extentOf(dataset) === null),
    urls: [...exampleUrls(dataset, siteUrl), prices],
  };
}
