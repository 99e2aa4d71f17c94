import { landingPage } from './landing.ts';
import type { Page } from './page.ts';
import { pricingPage } from './pricing.ts';
import { problemPage } from './problem.ts';

/** Every page, in the order in which their paths are tried. */
export const PAGES: readonly Page[] = [landingPage, problemPage, pricingPage];
