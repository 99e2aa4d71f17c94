import type { Landing } from '../contract/documents.ts';
import type { Dataset } from '../dataset/dataset.ts';
import { exampleUrls } from './example-urls.ts';

const ABOUT = 'Direct sun on the buildings of Tokyo, wall by wall and floor by floor, and care facilities compared.';

/** What the landing page and its JSON tell. */
export function landing(dataset: Dataset, siteUrl: string): Landing {
  // Also where every call is free: a page that may be cached cannot depend on a setting.
  const prices = { summary: 'What calls cost and how to pay', url: `${siteUrl}/pricing/` };
  return { name: 'Hidamari', description: ABOUT, urls: [...exampleUrls(dataset, siteUrl), prices] };
}
