import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import type { SiteInBrowser } from '../support/site-in-browser.ts';

const PHONE = { width: 390, height: 844 };

/** A planned building beside one that stands: drawn with a pointer, or typed. */
export function whatIfSuite(site: SiteInBrowser): void {
  const path = (): string => `/sunlight/building/${site.building.building_id}/what-if/`;
  const answerOf = async (page: Page): Promise<string> => (await page.locator('p.answer').first().textContent()) ?? '';
  const inAddress = (page: Page, name: string): number => Number(new URL(page.url()).searchParams.get(name));

  describe('a planned building next door', () => {
    it('is drawn with a pointer: its box is in the address, and a gesture of the system draws none', async () => {
      await site.withPage({ viewport: PHONE, hasTouch: true }, async (page) => {
        await page.goto(`${site.url}${path()}?floor=1`);
        await page.locator('#what-if-draw').click();
        const plan = (await page.locator('#what-if-plan svg[role=img]').boundingBox())!;
        const reach = Number(await page.locator('#what-if-plan').getAttribute('data-reach'));
        /** A place of the plan, metres east and north of the middle. */
        const at = (east: number, north: number): [number, number] => [
          plan.x + (0.5 + east / (2 * reach)) * plan.width,
          plan.y + (0.5 - north / (2 * reach)) * plan.height,
        ];
        await page.mouse.move(...at(-10, -30));
        await page.mouse.down();
        await page.mouse.move(...at(0, -40));
        await page.locator('#what-if-plan svg[role=img]').dispatchEvent('pointercancel');
        await page.mouse.up();
        assert.equal(await page.locator('#what-if-plan rect.planned').count(), 0);
        assert.equal(new URL(page.url()).searchParams.get('east'), null);

        await page.mouse.move(...at(-12, -30));
        await page.mouse.down();
        await page.mouse.move(...at(0, -40));
        await page.mouse.move(...at(12, -50));
        await page.mouse.up();
        await page.waitForURL(/east=/);
        for (const [name, metres] of Object.entries({ east: 0, north: -40, width: 24, depth: 20 }))
          assert.ok(Math.abs(inAddress(page, name) - metres) < 1, `${name} is ${inAddress(page, name)}`);
        assert.equal(inAddress(page, 'up'), 30);
        assert.match(await answerOf(page), /^12月15日、1階.*時間/);
        const overflow = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
        assert.ok(overflow <= 0, `${overflow} px wider than the phone`);

        // The address alone opens the same result, in the other language too.
        const said = await answerOf(page);
        await page.goto(page.url());
        assert.equal(await answerOf(page), said);
        await page.locator('a[hreflang=en]').click();
        await page.waitForURL(/\/en\/.*east=/);
        assert.match(await answerOf(page), /^(On|Sun on) .*floor 1/);
      });
    });

    it('the letters of the buildings around cover neither each other nor the building', async () => {
      const text = await site.text(path());
      const drawing = /<figure id="what-if-plan".*?<\/figure>/s.exec(text)?.[0] ?? assert.fail('no plan');
      const badges = [...drawing.matchAll(/class="badge".*?cx="([\d.]+)" cy="([\d.]+)"/g)].map(([, x, y]) =>
        [x, y].map(Number),
      );
      assert.ok(badges.length > 5, `${badges.length} letters`);
      const outline = /class="block chosen"[^>]* d="M([^"]*)z"/.exec(drawing)?.[1] ?? assert.fail('no building');
      const corners = outline.split(/[MLz]+/).map((corner) => corner.split(' ').map(Number));
      for (const [i, [x = 0, y = 0]] of badges.entries()) {
        for (const [ox = 0, oy = 0] of [...badges.slice(0, i), ...corners.map(([cx = 0, cy = 0]) => [cx, cy])])
          assert.ok(Math.max(Math.abs(x - ox), Math.abs(y - oy)) > 9, `${x} ${y} and ${ox} ${oy}`);
      }
    });

    it('that overlaps the building is refused on the page itself, which keeps what was typed', async () => {
      const address = `${site.url}${path()}?floor=1&east=0&north=0&width=24&depth=20&up=30`;
      const response = await fetch(address, { headers: { accept: 'text/html' } });
      assert.equal(response.status, 400);
      const text = await response.text();
      assert.match(text, /role="alert">置いた建物が、この建物に重なっています/);
      assert.match(text, /name="width"[^>]*value="24"/);
      // The limit of `bench:faults --only hostile` for a refused page.
      assert.ok(text.length < 20_000, `${text.length} characters`);
    });

    it('is typed with keys alone', async () => {
      await site.withPage({}, async (page) => {
        await page.goto(`${site.url}${path()}?floor=1`);
        await page.locator('input[name=up]').focus();
        for (const value of ['45', '0', '-40', '24', '20']) {
          await page.keyboard.type(value);
          await page.keyboard.press('Tab');
        }
        await page.keyboard.press('Enter');
        await page.waitForURL(/east=0&/);
        assert.deepEqual(
          ['up', 'east', 'north', 'width', 'depth'].map((name) => inAddress(page, name)),
          [45, 0, -40, 24, 20],
        );
        assert.match(await answerOf(page), /時間/);
      });
    });
  });
}
