import { describe } from 'node:test';
import { mapSuite } from './browser/map.ts';
import { pagesSuite } from './browser/pages.ts';
import { publishedTextSuite } from './browser/published-text.ts';
import { sceneSuite } from './browser/scene.ts';
import { whatIfSuite } from './browser/what-if.ts';
import { browserPath } from './support/browser.ts';
import { SiteInBrowser } from './support/site-in-browser.ts';

// All in one file: each file of tests has a process of its own, and server and browser take longer to start than most of these.
describe('the site in a browser', { skip: browserPath() === null && 'no Chromium on this machine' }, () => {
  const site = new SiteInBrowser();
  pagesSuite(site);
  mapSuite(site);
  sceneSuite(site);
  publishedTextSuite(site);
  whatIfSuite(site);
});
