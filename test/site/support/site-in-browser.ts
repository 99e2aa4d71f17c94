import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { landingUrls } from '../../support/landing-urls.ts';
import { generatedDataset, startSample } from '../../support/start-sample.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { browserPath, startBrowser } from './browser.ts';

/** One server with the generated town and one browser, for every test of the suite that asks for them. */
export class SiteInBrowser {
  url = '';
  /** A building that the server names as an example. */
  building = { building_id: '', lat: 0, lon: 0 };
  #browser: Browser | null = null;

  constructor() {
    const ends: (() => unknown)[] = [];
    const owner = { after: (end: unknown) => void ends.push(end as () => unknown) };
    before(async () => {
      const data = await generatedDataset(join(tempFolder(owner), 'data'));
      const { url } = await startSample(owner, data, { HIDAMARI_PAGE_LIMIT: 'off' });
      this.url = url;
      const example = (await landingUrls(url)).find((one) => /\/building\/\S+$/.test(one)) ?? assert.fail('no example');
      this.building = (await this.json<{ data: SiteInBrowser['building'] }>(example.slice(url.length))).data;
      this.#browser = await startBrowser(browserPath() ?? assert.fail('no browser'));
    });
    after(async () => {
      await this.#browser?.close();
      for (const end of ends.reverse()) await end();
    });
  }

  /** The answer at a path. */
  async json<Answer>(path: string): Promise<Answer> {
    return (await fetch(this.url + path)).json() as Promise<Answer>;
  }

  /** The text of a page. */
  async text(path: string): Promise<string> {
    return (await fetch(this.url + path, { headers: { accept: 'text/html' } })).text();
  }

  /**
   * A page of its own; closing it fails where the console has had an error or another host was asked.
   * @param url of the server that it may ask
   */
  async open(options: BrowserContextOptions, url = this.url): Promise<{ page: Page; close(): Promise<void> }> {
    const browser = this.#browser ?? assert.fail('no browser');
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const wrong = watch(page, url);
    const close = async (): Promise<void> => {
      await context.close();
      assert.deepEqual(wrong, []);
    };
    return { page, close };
  }

  /** Runs with a page of its own. */
  async withPage(options: BrowserContextOptions, use: (page: Page) => Promise<void>): Promise<void> {
    const { page, close } = await this.open(options);
    try {
      await use(page);
    } catch (error) {
      await close().catch(() => {}); // What failed first says more.
      throw error;
    }
    await close();
  }
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Findings {
  violations: { id: string; nodes: { target: string[] }[] }[];
}

/** What axe finds wrong on a page, and where. @param rules null: all of them */
export async function violations(page: Page, rules: readonly string[] | null): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE);
  // Only what is wrong is worked out in full; no page loads anything that axe would have to load again.
  const options = { resultTypes: ['violations'], preload: false, ...(rules && { runOnly: rules }) };
  const found = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as Findings;
  return found.violations.map(({ id, nodes }) => `${id} at ${nodes[0]?.target.join(' ')}`);
}

/** Makes a page one on a device without WebGL. */
export const withoutWebGl = (page: Page): Promise<unknown> =>
  page.addInitScript('HTMLCanvasElement.prototype.getContext = () => null');

/** What goes wrong on a page: errors of the console and requests to other hosts. */
function watch(page: Page, url: string): string[] {
  const wrong: string[] = [];
  page.on('console', (message) => {
    const isExpected = page.url().includes('/nowhere/') && message.text().includes('404');
    if (message.type() === 'error' && !isExpected) wrong.push(`${page.url()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => wrong.push(`${page.url()}: ${error.message}`));
  page.context().on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(url)) wrong.push(`asked ${request.url()}`);
  });
  return wrong;
}
