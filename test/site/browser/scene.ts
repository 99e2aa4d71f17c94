import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type SiteInBrowser, withoutWebGl } from '../support/site-in-browser.ts';

interface Full {
  data: {
    faces: { face: string; floors: Record<string, { floor: number; months: { sunlit_windows: string[][] }[] }> }[];
  };
}

const DRAWN_MS = 60_000;

/** The surroundings of a building in three dimensions. */
export function sceneSuite(site: SiteInBrowser): void {
  const path = (): string => `/sunlight/building/${site.building.building_id}/3d/`;

  describe('the scene of a building', () => {
    it('without WebGL the shadows are drawn from above, and the table says what the API says', async () => {
      const { data } = await site.json<Full>(`/sunlight/building/${site.building.building_id}/index.json`);
      await site.withPage({}, async (page) => {
        await withoutWebGl(page);
        await page.goto(`${site.url}${path()}?month=3&clock=600`);
        await page.waitForSelector('#scene-without:not([hidden])');
        assert.ok((await page.locator('#scene-plan svg path.cast').getAttribute('d'))!.length > 100);
        assert.equal(await page.locator('#scene-plan svg path.chosen').count(), 1);
        for (const { face, floors } of data.faces) {
          for (const { floor, months } of Object.values(floors)) {
            const isLit = months[2]!.sunlit_windows.some(([from, to]) => from! <= '10:00' && to! >= '10:00');
            const cell = page.locator(`td[data-face="${face}"][data-floor="${floor}"]`).first();
            assert.equal(await cell.textContent(), isLit ? '日なた' : '日かげ', `${face} ${floor}`);
          }
        }
      });
    });

    it('the way back from it, and a building added to a comparison, show the answer at the top', async () => {
      await site.withPage({ viewport: { width: 390, height: 700 } }, async (page) => {
        const top = () => page.evaluate('scrollY');
        await page.goto(site.url + path().replace('3d/', ''), { waitUntil: 'networkidle' });
        await page.locator('.chips a[href*="/3d/"]').click();
        await page.waitForURL(/\/3d\//);
        await page.locator('main a.button').last().click();
        await page.waitForURL((url) => !url.pathname.includes('/3d/'));
        await page.waitForLoadState('networkidle');
        assert.equal(await top(), 0);
        await page.goto(`${site.url}/compare/?b=${site.building.building_id}:1`, { waitUntil: 'networkidle' });
        const neighbour = page.locator('figure.small svg a').first();
        await neighbour.scrollIntoViewIfNeeded();
        assert.ok(Number(await top()) > 100, 'the plan is on the first screen');
        await neighbour.click();
        await page.waitForURL(/b=[^&]*%2C|b=[^&]*,/);
        await page.waitForLoadState('networkidle');
        assert.equal(await top(), 0);
      });
    });

    it('the keyboard turns it, time changes its shadows and its address; a month is asked for its shading buildings alone', async () => {
      await site.withPage({ viewport: { width: 800, height: 700 } }, async (page) => {
        await page.goto(`${site.url}/en${path()}`);
        await page.waitForSelector('body.map-ready', { timeout: DRAWN_MS });
        const asked: string[] = [];
        page.on('request', (request) => request.url().endsWith('/icon.svg') || asked.push(request.url()));
        const canvas = page.locator('#scene-view canvas');
        const picture = async (): Promise<Buffer> => {
          await page.waitForTimeout(300);
          return canvas.screenshot();
        };
        const first = await picture();
        await canvas.focus();
        await page.keyboard.press('ArrowLeft');
        const turned = await picture();
        assert.ok(!turned.equals(first), 'the keyboard turns nothing');
        const turnOf = async (name: string): Promise<number> =>
          Number.parseFloat(String(await page.evaluate(`document.querySelector('${name}').style.rotate`)));
        const needle = await turnOf('#scene-needle');
        assert.ok(Math.abs(needle) > 1 && needle + (await turnOf('#scene-needle text')) === 0, 'its letter is turned');
        await page.locator('#scene-compass').click();
        const north = await picture();
        assert.ok(!north.equals(turned), 'the compass turns nothing');
        assert.equal(await page.evaluate("document.querySelector('#scene-needle').style.rotate"), '0deg');
        await canvas.click();
        assert.match((await page.locator('#scene-named').textContent())!, /-bldg-\d+ \(\d+ m high\)/);
        const named = await picture();
        assert.ok(!named.equals(north), 'the pressed building is not outlined');
        await page.locator('input[name=clock]').fill('560');
        assert.match(page.url(), /\?clock=560$/);
        assert.match(
          (await page.locator('#scene-when').textContent())!,
          /^15 Dec, 09:20: the sun is in the south-east/,
        );
        assert.ok(!(await picture()).equals(named), 'no shadow has moved');
        await page.locator('#scene-play').press('Enter');
        const clock = page.locator('input[name=clock]');
        for (let i = 0; i < 50 && Number(await clock.inputValue()) <= 560; i++) await page.waitForTimeout(100);
        assert.ok(Number(await clock.inputValue()) > 560, 'the day does not play');
        assert.deepEqual(asked, []);
        await page.locator('input[name=month]').fill('6');
        await page.getByText(/^(Buildings|No other).* on 15 Jun/).waitFor();
        assert.equal(asked.length, 1, asked.join(' '));
        assert.match((await page.locator('header nav a[hreflang]').getAttribute('href'))!, /3d\/\?month=6&clock=/);
        assert.match((await page.locator('main a.button').last().getAttribute('href'))!, /\?month=6$/);
      });
    });
  });
}
