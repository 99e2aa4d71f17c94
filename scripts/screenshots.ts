/**
 * Makes the pictures of README.md from the sample (`npm run screenshots`): one of the map and one of a building; and the cards that
 * stand beside links to the pages elsewhere, each with a chart of the sample. At most 150 KB each. Needs a Chromium. A data folder that holds the sample already may be given as HIDAMARI_DATA.
 */
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { browserPath, startBrowser } from '../test/site/support/browser.ts';
import { ROOT } from '../test/support/run.ts';
import { startSample } from '../test/support/start-sample.ts';

const MOST_BYTES = 150_000;
const FOLDER = join(ROOT, 'docs', 'pictures');
const SIZE = { width: 1000, height: 640 };
/** Around Kanda and Nihonbashi, where the sample is. */
const PICTURES = [
  { name: 'map', path: '/map/#16/35.6886/139.7715', wait: 'body.map-ready' },
  { name: 'building', path: '/en/sunlight/building/13101-bldg-4825/?floor=7', wait: 'svg.chart' },
] as const;
const CARD = { width: 1200, height: 630 };
const CARD_FOLDER = join(ROOT, 'src', 'site', 'frame');
const BUILDING = '/sunlight/building/13101-bldg-4825/?floor=7';
/** The chart of a page with words in both languages beside it. */
const CARDS = [
  {
    name: 'card',
    path: BUILDING,
    chart: 'svg.chart[aria-labelledby^=sky]',
    lines: ['部屋に、いつ日が当たるか', 'When does the sun reach the room'],
  },
  {
    name: 'card-sun',
    path: BUILDING,
    chart: 'svg.chart[aria-labelledby^=sun]',
    lines: ['日当たりを、階・面・月ごとに', 'Sun by floor, wall and month'],
  },
  {
    name: 'card-care',
    path: '/kaigo/131211/510/',
    chart: 'svg.chart',
    lines: ['介護施設を費用と人員で比べる', 'Care homes by cost and staff'],
  },
] as const;
const CARD_STYLE = `body { display: grid; grid-template-columns: 1fr 1fr; align-items: center; gap: 40px; width: 1200px; height: 630px;
  padding: 0 60px; overflow: hidden; } svg.mark { width: 96px; height: 96px; } h1 { font-size: 52px; } p { font-size: 30px; }
  figure { max-width: none; padding: 24px; } figure svg.chart { max-height: 560px; }`;

const executable = browserPath();
if (executable === null) throw new Error('no Chromium on this machine');
const ends: (() => unknown)[] = [];
try {
  const { url } = await startSample(
    { after: (end) => void ends.push(end as () => unknown) },
    process.env.HIDAMARI_DATA,
  );
  const browser = await startBrowser(executable);
  ends.push(() => browser.close());
  mkdirSync(FOLDER, { recursive: true });
  const page = await browser.newPage({ viewport: SIZE });
  for (const { name, path, wait } of PICTURES) {
    await page.goto(url + path);
    await page.waitForSelector(wait);
    await page.waitForTimeout(1000);
    const file = join(FOLDER, `${name}.jpg`);
    await page.screenshot({ path: file, type: 'jpeg', quality: 72 });
    tellSize(file);
  }
  const card = await browser.newPage({ viewport: CARD, bypassCSP: true });
  for (const { name, path, chart, lines } of CARDS) {
    await card.goto(url + path);
    const markup = (selector: string): Promise<unknown> =>
      card.evaluate(`document.querySelector(${JSON.stringify(selector)}).outerHTML`);
    const [mark, drawn] = [await markup('svg.mark'), await markup(chart)];
    const body = `<section>${mark}<h1>${lines[0]}</h1><p>${lines[1]}</p></section><figure>${drawn}</figure>`;
    await card.evaluate(`document.body.innerHTML = ${JSON.stringify(body)}`);
    await card.addStyleTag({ content: CARD_STYLE });
    const file = join(CARD_FOLDER, `${name}.png`);
    await card.screenshot({ path: file });
    tellSize(file);
  }
} finally {
  for (const end of ends.reverse()) await end();
}

/** @throws Error when the picture is too large for those who load it. */
function tellSize(file: string): void {
  const { size } = statSync(file);
  if (size > MOST_BYTES) throw new Error(`${file} has ${size} bytes, more than ${MOST_BYTES}`);
  process.stdout.write(`${file}: ${size} bytes\n`);
}
