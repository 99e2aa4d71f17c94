/**
 * Makes the pictures of README.md from the sample (`npm run screenshots`): one of the map and one of a building, each at most
 * 150 KB. Needs a Chromium. A data folder that holds the sample already may be given as HIDAMARI_DATA.
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
  { name: 'map', path: '/map/#16/35.6886/139.7745', wait: 'body.map-ready' },
  { name: 'building', path: '/en/sunlight/building/13101-bldg-4825/?floor=7', wait: 'svg.chart' },
] as const;

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
    const { size } = statSync(file);
    if (size > MOST_BYTES) throw new Error(`${file} has ${size} bytes, more than ${MOST_BYTES}`);
    process.stdout.write(`${file}: ${size} bytes\n`);
  }
} finally {
  for (const end of ends.reverse()) await end();
}
