import type { Browser, Page } from 'playwright-core';
import { startBrowser } from '../../test/site/support/browser.ts';
import { against, quantile } from '../serving/output.ts';

export interface PaintedPage {
  name: string;
  path: string;
  budgetMs: number;
}

/** Chrome's "slow 4G": 1.6 Mbit/s down, 750 kbit/s up, 150 ms from a request to its answer. */
const SLOW_4G = { downloadThroughput: 1.6e6 / 8, uploadThroughput: 750e3 / 8, latency: 150 };
const SLOWER_PROCESSOR = 4;
/** Describes the phone of this file, for people. */
export const PHONE = `slow 4G (1.6 Mbit/s, ${SLOW_4G.latency} ms), processor ÷ ${SLOWER_PROCESSOR}`;
/** A page counts as complete after this time without a new request or answer. */
const QUIET_MS = 1500;

/** Limits for the time in which a page does not respond to a finger, and for the time until the map is drawn. */
const [MOST_BLOCKED_MS, USABLE_MS] = [600, 3000];

/** Milliseconds of a mark that the map's own scripts set. */
const markAt = (page: Page, name: string): Promise<number> =>
  page.evaluate<number>(`performance.getEntriesByName('${name}')[0].startTime`);

/**
 * The result of the first drag of the map's picture: the time until the MapLibre map is there, and how long the page
 * did not respond meanwhile.
 * @param quiet waits until the page makes no more requests
 */
async function firstDrag(page: Page, quiet: () => Promise<void>): Promise<string> {
  // The browser compiles the scripts of locators now, and not while the map is measured.
  await page.waitForSelector('#map-picture');
  const box = await page.locator('#map-picture').boundingBox();
  if (box === null) throw new Error('the map has no picture');
  const [before, start] = [
    await page.evaluate<number>('globalThis.blocked'),
    await page.evaluate<number>('performance.now()'),
  ];
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 3];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x - 60, y + 40, { steps: 4 });
  await page.mouse.up();
  await page.waitForSelector('body.map-ready', { timeout: 60_000 });
  await quiet();
  const ready = (await markAt(page, 'map-ready')) - start;
  const blocked = (await page.evaluate<number>('globalThis.blocked')) - before;
  return `    map after its first drag: MapLibre draws it ${ready.toFixed(0)} ms later, blocking ${blocked.toFixed(0)} ms; the picture moves meanwhile`;
}

/** Number of visits of each page; the medians are printed. */
const VISITS = 3;

interface Visit {
  paint: number;
  blocked: number;
  /** The first paint, and the time from which the map can be moved; 0 on other pages. */
  first: number;
  usable: number;
  bytes: { text: number; code: number; tiles: number };
  /** The line about the first drag of the map; null for a visit without one. */
  drag: string | null;
}

/** The largest contentful paint of each page on a phone, and its requests by kind, as lines for people. */
export async function firstPaints(executable: string, url: string, pages: readonly PaintedPage[]): Promise<string[]> {
  const browser = await startBrowser(executable);
  try {
    const lines: string[] = [];
    for (const { name, path, budgetMs } of pages) {
      const visits: Visit[] = [];
      const isMap = path === '/map/';
      for (let i = 0; i < VISITS; i++) visits.push(await visit(browser, url + path, isMap, isMap && i === 0));
      const median = (of: (one: Visit) => number): number => quantile(visits.map(of), 0.5);
      const [paint, blocked] = [median((one) => one.paint), median((one) => one.blocked)];
      const [{ bytes, drag }] = visits;
      const kilobytes = `page ${kb(bytes.text)}, scripts and styles ${kb(bytes.code)}, tiles ${kb(bytes.tiles)}`;
      lines.push(
        `LCP ${name.padEnd(11)} ${paint.toFixed(0).padStart(5)} ms (${against(paint, budgetMs)}); over the wire: ${kilobytes}`,
      );
      const [first, usable] = [median((one) => one.first), median((one) => one.usable)];
      const map = isMap
        ? `; its picture stands after ${first.toFixed(0)} ms and can be moved and pressed after ${usable.toFixed(0)} ms (${against(usable, USABLE_MS)})`
        : '';
      lines.push(`    total blocking ${blocked.toFixed(0)} ms (${against(blocked, MOST_BLOCKED_MS)})${map}`);
      if (drag !== null) lines.push(drag);
    }
    return lines;
  } finally {
    await browser.close();
  }
}

/**
 * Visits a page for the first time on a phone: nothing is cached.
 * @param drags true: the map is dragged in the end, which takes long
 */
async function visit(browser: Browser, address: string, isMap: boolean, drags: boolean): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, isMobile: true });
  const page = await context.newPage();
  const phone = await context.newCDPSession(page);
  await phone.send('Emulation.setCPUThrottlingRate', { rate: SLOWER_PROCESSOR });
  await phone.send('Network.enable');
  await phone.send('Network.emulateNetworkConditions', { offline: false, ...SLOW_4G });
  const bytes = { text: 0, code: 0, tiles: 0 };
  const counted: Promise<void>[] = [];
  // The requests of the map's worker too.
  context.on('requestfinished', (request) => {
    const { pathname } = new URL(request.url());
    const kind = pathname.startsWith('/tiles/') ? 'tiles' : /\.(js|mjs|css)$/.test(pathname) ? 'code' : 'text';
    counted.push(
      request.sizes().then(({ responseBodySize, responseHeadersSize }) => {
        bytes[kind] += responseBodySize + responseHeadersSize;
      }),
    );
  });
  await page.addInitScript(`globalThis.blocked = 0; new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) globalThis.blocked += Math.max(0, duration - 50);
  }).observe({ type: 'longtask', buffered: true });`);
  let lastChange = Date.now();
  for (const change of ['request', 'requestfinished'] as const) {
    context.on(change as 'request', () => {
      lastChange = Date.now();
    });
  }
  // Playwright's `networkidle` also waits for requests that the page has given up, on a busy machine for ever.
  const quiet = async (): Promise<void> => {
    while (Date.now() - lastChange < QUIET_MS) await page.waitForTimeout(100);
  };
  await page.goto(address);
  await quiet();
  await Promise.all(counted);
  // Without those of the drag.
  const firstBytes = { ...bytes };
  const paint = await page.evaluate<number>(`new Promise((resolve) => {
    new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime))
      .observe({ type: 'largest-contentful-paint', buffered: true });
    setTimeout(() => resolve(NaN), 1000);
  })`);
  const blocked = await page.evaluate<number>('globalThis.blocked');
  const first = await page.evaluate<number>(
    `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN`,
  );
  const usable = isMap ? await markAt(page, 'map-movable') : 0;
  const drag = drags ? await firstDrag(page, quiet) : null;
  await context.close();
  return { paint, blocked, first, usable, bytes: firstBytes, drag };
}

const kb = (bytes: number): string => `${(bytes / 1000).toFixed(0)} KB`;
