import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Facility } from '../../../src/contract/operations/kaigo-facility.ts';
import { MunicipalityTable } from '../../../src/contract/operations/kaigo-municipality.ts';
import type { JsonBytes } from '../../../src/formats/json-bytes.ts';
import { startServer } from '../../support/api-server.ts';
import { tokyoExample } from '../../support/example.ts';
import { FakeDataset } from '../../support/fake-dataset.ts';
import type { SiteInBrowser } from '../support/site-in-browser.ts';

const answer = <Value>(value: Value): JsonBytes<Value> => ({ toJSON: () => value }) as JsonBytes<Value>;

/** Names that nobody would publish, and that may come all the same. */
const NAMES = {
  'markup, right to left': `"><script>document.title = 'run'</script><img src=x onerror="document.title = 'run'">'\u202eABC特養\u202c مركز الرعاية بيت المسنين`,
  '10 kB without a blank, signs without width, emoji, marks': `${'x'.repeat(8400)}${'特\u200b養\u2060'.repeat(90)}${'👨‍👩‍👧‍👦🏠'.repeat(80)}Z${'\u0335\u0300'.repeat(60)}`,
};
const PHONE = { width: 320, height: 740 };

/** Homes with such names, on a small phone. */
export function publishedTextSuite(site: SiteInBrowser): void {
  describe('published text', () => {
    for (const [kind, name] of Object.entries(NAMES)) {
      it(`${kind}: nothing is run, nothing is wider than the screen, only web addresses are links, and names do not reorder the text around them`, async (t) => {
        const dataset = new FakeDataset();
        const facility = tokyoExample(Facility);
        const table = tokyoExample(MunicipalityTable);
        const odd = { name, name_kana: name, address: name };
        const corporation = { ...facility.corporation, name };
        Object.assign(dataset.kaigo ?? assert.fail(), {
          facility: () =>
            answer({ ...facility, ...odd, phone: name, corporation, url: 'javascript:document.title="run"' }),
          municipality: () => answer({ ...table, facilities: table.facilities.map((row) => ({ ...row, ...odd })) }),
        });
        const { url } = await startServer(t, { dataset });
        const id = facility.facility_id;
        const { page, close } = await site.open({ viewport: PHONE }, url);
        const wrong: string[] = [];
        const search = `/search/?q=${encodeURIComponent('\u0645\u0631')}`;
        const home = `/kaigo/facility/${id}/`;
        for (const path of [home, `${home}visit/`, '/en/kaigo/131016/510/', `/kaigo/compare/?f=${id}`, search]) {
          await page.goto(url + path);
          const seen = await page.evaluate(`({
            overflow: document.documentElement.scrollWidth - innerWidth,
            strange: document.querySelectorAll('main :is(script, img), a:not([href^="http"], [href^="/"], [href^="#"], [href^="tel:"])').length,
            run: document.title === 'run',
            turned: [...document.querySelectorAll('svg title, svg [aria-label]')].filter((one) => /\u0645/.test(one.ariaLabel ?? one.textContent) && !/\u2068[^]*\u0645[^]*\u2069/.test(one.ariaLabel ?? one.textContent)).length,
            bare: [...document.querySelectorAll('main :not(bdi, bdi *, title, option), .crumbs :not(bdi, bdi *)')].filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.includes('\u0645'))).length,
          })`);
          if (JSON.stringify(seen) !== '{"overflow":0,"strange":0,"run":false,"turned":0,"bare":0}')
            wrong.push(`${path}: ${JSON.stringify(seen)}`);
        }
        await close();
        assert.deepEqual(wrong, []);
      });
    }
  });
}
