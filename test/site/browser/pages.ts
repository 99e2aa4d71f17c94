import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { ROOT } from '../../support/run.ts';
import { type SiteInBrowser, violations } from '../support/site-in-browser.ts';

/** Pictures of every page, for people to look at: made where SCREENSHOTS is set. */
const PICTURES = process.env.SCREENSHOTS ? join(ROOT, 'data', 'screenshots') : null;
const DESKTOP = { width: 1200, height: 900 };
const PHONE = { width: 360, height: 740 };
/** The smallest phones, and a desktop at 400 %. */
const SMALL_PHONE = { width: 320, height: 640 };
/** What may differ on a phone, and in the other colour scheme. */
const [SIZES, COLOURS] = [['target-size'], ['color-contrast']];
/** Letters are there, and a change of the screen's size has been drawn. */
const SETTLED =
  'document.fonts.ready.then(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))';

/** Numbers on two lines with their unit, and how much wider the page is than the screen. */
const PARTED = `(() => {
  for (const one of document.querySelectorAll('details')) one.open = true;
  const wide = document.documentElement.scrollWidth - innerWidth;
  const found = wide > 0 ? [wide + ' px wider'] : [];
  const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    if (text.parentElement.closest('svg, script, option, .visually-hidden')) continue;
    for (const number of text.data.matchAll(/[月約]?\\d[\\d.,]*(月\\d+日|時間|か所|万?円(以[上下内]|から|まで)?|[年月日階棟件人割]| ?(km|m|h|%|°)(?![a-z]))/g)) {
      const range = document.createRange();
      range.setStart(text, number.index);
      range.setEnd(text, number.index + number[0].length);
      const lines = new Set([...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top)));
      if (lines.size > 1) found.push(text.data);
    }
  }
  return found;
})()`;

/** Links in tables that a finger misses (WCAG 2.5.8), and labels of drawings that are cut off at the edge. */
const MISSED = `[
  ...[...document.querySelectorAll(':is(td, th) a')].flatMap((link) => {
    const { width, height } = link.getBoundingClientRect();
    return width > 0 && height < 24 ? ['link of ' + height + ' px: ' + link.textContent] : [];
  }),
  ...[...document.querySelectorAll('svg.chart text')].flatMap((text) => {
    const { width, height } = text.ownerSVGElement.viewBox.baseVal;
    const box = text.getBBox();
    const isCut = box.width > 0 && (box.x < -1 || box.y < -1 || box.x + box.width > width + 1 || box.y + box.height > height + 1);
    return isCut ? ['cut off: ' + text.textContent] : [];
  }),
]`;

interface Full {
  data: {
    building_id: string;
    faces: {
      face: string;
      floors: Record<string, { floor: number; months: { direct_sun_hours: number; sunlit_windows: string[][] }[] }>;
    }[];
  };
}

/** Every page. */
export function pagesSuite(site: SiteInBrowser): void {
  let paths: string[] = [];
  const building = (): string => paths.find((one) => one.startsWith('/sunlight/building/')) ?? assert.fail('none');

  describe('pages', () => {
    before(async () => {
      paths = await pathsOf(site);
      if (PICTURES !== null) mkdirSync(PICTURES, { recursive: true });
    });

    it('in the light and in the dark, on a desktop and on a phone: no violation of axe, no error, no other host, nothing wider than the screen', async () => {
      const wrong: string[] = [];
      const queue = [...paths.entries()];
      const visitor = (): Promise<void> =>
        site.withPage({ viewport: DESKTOP, reducedMotion: 'reduce' }, async (page) => {
          for (let next = queue.shift(); next !== undefined; next = queue.shift())
            wrong.push(...(await faultsOf(page, ...next)));
        });
      await Promise.all([visitor(), visitor()]);
      assert.deepEqual(wrong, []);
    });

    async function faultsOf(page: Page, index: number, path: string): Promise<string[]> {
      const wrong: string[] = [];
      await page.setViewportSize(DESKTOP);
      // Contrast is most of the work, and no word has a colour of its own: an English page is seen in the dark only.
      const isEnglish = path.startsWith('/en/');
      await page.emulateMedia({ colorScheme: isEnglish ? 'dark' : 'light' });
      await page.goto(site.url + path);
      for (const [name, size, rules] of [
        ['desktop', DESKTOP, null],
        ['phone', PHONE, SIZES],
      ] as const) {
        await page.setViewportSize(size);
        await page.evaluate(SETTLED);
        const overflow = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
        if (overflow > 0) wrong.push(`${path}, ${name}: ${overflow} px wider than the screen`);
        if (size === PHONE)
          for (const one of (await page.evaluate(MISSED)) as string[]) wrong.push(`${path}, ${name}: ${one}`);
        for (const one of await violations(page, rules)) wrong.push(`${path}, ${name}: ${one}`);
        if (PICTURES !== null) await page.screenshot({ path: join(PICTURES, `${index}-${name}.png`), fullPage: true });
      }
      await page.setViewportSize(SMALL_PHONE);
      const overflow = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
      if (overflow > 0) wrong.push(`${path}, small phone: ${overflow} px wider than the screen`);
      if (isEnglish) return wrong;
      await page.emulateMedia({ colorScheme: 'dark' });
      for (const one of await violations(page, COLOURS)) wrong.push(`${path}, dark: ${one}`);
      return wrong;
    }

    it('no line parts a number from its unit, on a phone and with letters of double size, and nothing is wider', async () => {
      const id = building().split('/')[3];
      const flats = `b=${id}:1,${id}:2`;
      const own = ['', '3d/', 'what-if/'].map((part) => `${building()}${part}?floor=2&month=3`);
      const home = paths.find((one) => /^\/kaigo\/facility\/[^/]+\/$/.test(one)) ?? assert.fail('none');
      const table = paths.find((one) => /^\/kaigo\/\d{6}/.test(one)) ?? assert.fail('none');
      const near = await nearOf(site, building());
      const care = [home, `${home}visit/`, `/kaigo/compare/?f=${home.split('/')[3]}`, table, near];
      const wrong: string[] = [];
      await site.withPage({ viewport: PHONE, bypassCSP: true }, async (page) => {
        for (const path of [...own, `/compare/?${flats}`, '/sunlight/', '/method/', ...care].flatMap((one) => [
          one,
          `/en${one}`,
        ])) {
          await page.goto(site.url + path);
          for (const size of ['100%', '200%']) {
            await page.addStyleTag({ content: `html { font-size: ${size} }` });
            for (const parted of (await page.evaluate(PARTED)) as string[]) wrong.push(`${path} at ${size}: ${parted}`);
          }
        }
      });
      assert.deepEqual(wrong, []);
    });

    it('on a plan of homes no pin covers the distance of a circle or a price', async () => {
      const text = await site.text(await nearOf(site, building()));
      const pins = [...text.matchAll(/class="pin" cx="([\d.]+)" cy="([\d.]+)"/g)].map(([, x, y]) => [x, y].map(Number));
      const labels = [...text.matchAll(/class="halo middle" x="([\d.]+)" y="([\d.]+)">[^<]*(?:m|万円)</g)];
      assert.ok(pins.length > 1 && labels.length > 1, `${pins.length} pins, ${labels.length} labels`);
      for (const [what, lx, ly] of labels) {
        for (const [x = 0, y = 0] of pins)
          assert.ok(Math.abs(Number(lx) - x) > 20 || Math.abs(Number(ly) - 4.5 - y) >= 18, `${what} and ${x} ${y}`);
      }
    });

    it('homes that are ticked are compared for the same case, and the cheapest is named', async () => {
      await site.withPage({}, async (page) => {
        await page.goto(`${site.url}${paths.find((one) => /^\/kaigo\/\d{6}/.test(one))}?care_level=4`);
        const boxes = page.locator('input[name=f]');
        for (let i = 0; i < Math.min(3, await boxes.count()); i++) await boxes.nth(i).check();
        const ids = await page.locator('input[name=f]:checked').evaluateAll('boxes => boxes.map((box) => box.value)');
        await page.locator('form:has(input[name=f]) button').click();
        await page.waitForURL(/\/kaigo\/compare\//);
        assert.match(page.url(), /care_level=4/);
        const links = await page
          .locator('thead th a:not(.remove)')
          .evaluateAll('all => all.map((one) => one.pathname.split("/")[3])');
        assert.deepEqual(links, ids);
      });
    });

    it('the address of a sent form has no empty parameters', async () => {
      await site.withPage({}, async (page) => {
        const table = paths.find((one) => /^\/kaigo\/\d{6}/.test(one)) ?? assert.fail('none');
        for (const [path, form] of [
          [`${building()}?floor=2`, 'form:has(input[name=date])'],
          [table, 'form:has(input[name=max_yen])'],
          ['/', 'form:has(input[name=q])'],
        ] as const) {
          await page.goto(site.url + path);
          const [answer] = await Promise.all([
            page.waitForNavigation(),
            page.evaluate(`document.querySelector('${form}').requestSubmit()`),
          ]);
          assert.equal(answer?.status(), 200);
          assert.doesNotMatch(page.url(), /=(&|$)/);
        }
      });
    });

    it('without scripts every page has its heading and its answer', async () => {
      for (const path of paths) {
        const text = await site.text(path);
        assert.equal(text.match(/<h1[ >]/g)?.length, 1, path);
        const main = text
          .slice(text.indexOf('<main'), text.indexOf('</main>'))
          .replace(/<script.*?<\/script>|<[^>]+>/gs, '');
        assert.ok(main.trim().length > 60, path);
        if (!path.startsWith('/en/')) assert.doesNotMatch(main, /。 +(?=[\p{L}\p{N}])/u, `${path}: a space after 。`);
      }
    });

    it('a page of a building shows what the API says, in its table and in its chart', async () => {
      const { data } = await site.json<Full>(`${building()}index.json`);
      await site.withPage({}, async (page) => {
        await page.goto(site.url + building());
        for (const { face, floors } of data.faces) {
          for (const { floor, months } of Object.values(floors)) {
            const cell = page.locator(`td[data-face="${face}"][data-floor="${floor}"]`);
            assert.equal(
              Number(await cell.getAttribute('data-hours')),
              months[11]!.direct_sun_hours,
              `${face} ${floor}`,
            );
            assert.match((await cell.textContent())!, new RegExp(`^${months[11]!.direct_sun_hours.toFixed(1)} `));
          }
        }
        const chosenFace = await page.locator('td.chosen').first().getAttribute('data-face');
        const { months } = data.faces.find(({ face }) => face === chosenFace)!.floors.top!;
        const drawn = page.locator('svg.chart g[data-month][data-windows]');
        assert.equal(await drawn.count(), 12);
        for (const [i, month] of months.entries()) {
          assert.equal(Number(await drawn.nth(i).getAttribute('data-hours')), month.direct_sun_hours);
          const windows = month.sunlit_windows.map((window) => window.join('-')).join(' ');
          assert.equal(await drawn.nth(i).getAttribute('data-windows'), windows);
        }
      });
    });

    it('flats that are saved are compared, opened and removed with the month of their page', async () => {
      await site.withPage({}, async (page) => {
        for (const floor of [1, 2]) {
          await page.goto(`${site.url}${building()}?floor=${floor}&month=3&balcony=1`);
          await page.locator('button[data-save=flats]').click();
        }
        for (const link of ['3d/', 'what-if/'])
          assert.match((await page.locator(`.chips a[href*="${link}"]`).getAttribute('href'))!, /month=3.*balcony=1/);
        await page.locator('a[data-compare=flats]').click();
        await page.waitForURL(/month=3&balcony=1&b=/);
        assert.match((await page.locator('p.answer').textContent())!, /3月15日/);
        const items = page.locator('[data-saved=flats] li');
        assert.equal(await items.count(), 2);
        assert.match((await items.first().locator('a').getAttribute('href'))!, /month=3&balcony=1&floor=1&face=/);
        assert.match(
          (await items.first().locator('small').textContent())!,
          /^12月15日 [\d.]+時間（保存した時） · 高さ約[\d.]+ m · \d{5}-bldg-\d+$/,
        );
        await items.first().locator('button').click();
        assert.equal(await items.count(), 1);
        await page.evaluate(() => {
          const saved = JSON.parse(localStorage.getItem('hidamari-saved') ?? '{}');
          saved.flats.push({ id: '13101-bldg-1:1:S', name: 'in another tab' });
          localStorage.setItem('hidamari-saved', JSON.stringify(saved));
        });
        await page.locator('[data-saved=flats] [role=status] button').click();
        assert.equal(await items.count(), 3, 'one press brings it back, and keeps what another tab has saved');
        await items.last().locator('button').click();
        assert.equal(await items.count(), 2);
        await items.first().locator('button').click();
        await page.locator('[data-saved=flats] form button:not([type])').click();
        await page.waitForURL(/\?month=3&balcony=1&b=[^,]+$/);
        // The first page names the number of saved flats, and each has the month of its own page.
        await page.goto(`${site.url}/`);
        assert.equal(await page.locator('header nav a[data-count]').textContent(), '保存 1');
        assert.match((await items.first().locator('a').getAttribute('href'))!, /month=3&balcony=1&floor=2&face=/);
        await page.locator('[data-saved=flats] form button:not([type])').click();
        await page.waitForURL(/month=3.*&b=|&b=.*month=3/);
      });
    });

    it('the list keeps what was saved while its page was left, and shows it when the browser goes back', async () => {
      await site.withPage({}, async (page) => {
        await page.goto(site.url + building());
        await page.locator('button[data-save=flats]').click();
        await page.goto(`${site.url}/`);
        const items = page.locator('[data-saved=flats] li');
        assert.equal(await items.count(), 1);
        // A page that was left hears of no change.
        const saveElsewhere = (id: string) =>
          page.evaluate((id) => {
            const saved = JSON.parse(localStorage.getItem('hidamari-saved') ?? '{}');
            saved.flats.push({ id, name: 'on another page' });
            localStorage.setItem('hidamari-saved', JSON.stringify(saved));
          }, id);
        await saveElsewhere('13101-bldg-1:1:S');
        await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
        assert.equal(await items.count(), 2);
        await saveElsewhere('13101-bldg-2:1:S');
        await items.first().locator('button').click();
        assert.equal(await items.count(), 2);
      });
    });

    it('a comparison chooses floor and wall of each flat, and brings back one that was taken out', async () => {
      const id = building().split('/')[3];
      const { data } = await site.json<Full>(`${building()}index.json`);
      const face = data.faces.at(-1)!.face;
      await site.withPage({ javaScriptEnabled: false }, async (page) => {
        await page.goto(`${site.url}/compare/?b=${id}:1,${id}:2&month=3`);
        const walls = page.locator('select[name=b]:has(option[value^=":"])');
        assert.equal(await walls.count(), 2, 'each flat has its walls');
        await walls.nth(1).selectOption(`:${face}`);
        await page.locator('form.picker button').first().click();
        assert.equal(await walls.nth(1).inputValue(), `:${face}`);
        const flats = page.locator('a.remove');
        await flats.first().click();
        assert.equal(await flats.count(), 1);
        assert.equal(await page.locator('select[name=month]').inputValue(), '3');
        await page.locator('[role=status] a').click();
        assert.equal(await flats.count(), 2);
      });
    });

    it('homes that are saved are compared in the case of their page and removed; others are added by name, number and address', async () => {
      const list = paths.find((one) => /^\/kaigo\/\d{6}\/\d{3}\/$/.test(one)) ?? assert.fail('none');
      const answer = (await (await fetch(`${site.url}${list}index.json`)).json()) as {
        data: { facilities: { facility_id: string; name: string }[] };
      };
      const [first, second, third] = answer.data.facilities;
      assert.ok(first !== undefined && second !== undefined && third !== undefined);
      const homeOf = ({ facility_id }: { facility_id: string }): string =>
        `${site.url}/kaigo/facility/${facility_id}/?care_level=4`;
      await site.withPage({}, async (page) => {
        for (const home of [first, second]) {
          await page.goto(homeOf(home));
          await page.locator('button[data-save=homes]').click();
        }
        await page.locator('header nav a[data-count]').click();
        await page.waitForURL(/\/#saved$/);
        assert.equal(await page.locator('[data-saved=homes] li').count(), 2);
        const kept = await page.locator('[data-saved=homes] li small').allTextContents();
        assert.equal(kept.length, 2);
        for (const about of kept)
          assert.match(about, /特別養護老人ホーム・.+ [\d,]+円$|Special nursing homes, .+ ¥[\d,]+$/);
        await page.goto(`${site.url}/en/#saved`);
        assert.equal(await page.locator('header nav a[data-count]').textContent(), 'Saved 2');
        for (const name of await page.locator('[data-saved=homes] bdi').allTextContents())
          assert.match(name, /^[ -~]+$/);
        await page.goto(homeOf(second));
        await page.locator('a[data-compare=homes]').click();
        await page.waitForURL(/care_level=4/);
        const columns = page.locator('table.compared thead th a:not(.remove)');
        assert.equal(await columns.count(), 2);
        const items = page.locator('[data-saved=homes] li');
        assert.match((await items.first().locator('a').getAttribute('href'))!, /care_level=4/);
        await items.first().locator('button').click();
        assert.deepEqual(await items.locator('bdi').allTextContents(), [second.name]);
        for (const words of [third.facility_id, homeOf(third), third.name]) {
          await page.goto(`${site.url}/kaigo/compare/?care_level=4&f=${first.facility_id}`);
          await page.locator('input[name=add]').fill(words);
          await page.locator('input[name=add]').press('Enter');
          await page.waitForURL(/add=/);
          // Several homes have this name: each is offered.
          if (words === third.name) await page.locator('[role=alert] + ul.plain a').first().click();
          await columns.nth(1).waitFor();
          assert.deepEqual(await columns.allTextContents(), [first.name, third.name]);
        }
      });
    });

    it('every link of a page leads on with its month, or with its case', async () => {
      const table = paths.find((one) => /^\/kaigo\/\d{6}\/\d{3}\/$/.test(one)) ?? assert.fail('none');
      const home = paths.find((one) => /^\/kaigo\/facility\/[^/]+\/$/.test(one)) ?? assert.fail('none');
      const flats = ['', '3d/', 'what-if/'].map((part) => `${building()}${part}?floor=2&month=3`);
      const near = await nearOf(site, building());
      const homes = [table, home, `${home}visit/`, `/kaigo/compare/?f=${home.split('/')[3]}`, '/kaigo/', near];
      const places = homes.map((path) => `${path}${path.includes('?') ? '&' : '?'}care_level=4&copayment=20`);
      for (const [pages, isMeant, carried] of [
        [flats, /^(\/en)?\/(sunlight\/building\/[^/]+\/(3d\/|what-if\/)?|compare\/|map\/)(\?|$)/, /[?&]month=\d/],
        [places, /^(\/en)?\/kaigo\/(?!.*(index\.json|#home-))/, /[?&]care_level=4&copayment=20/],
      ] as const) {
        for (const path of pages.flatMap((one) => [one, `/en${one}`])) {
          const text = await site.text(path);
          const links = [...text.slice(text.indexOf('<main')).matchAll(/<a [^>]*?href="([^"]*)"/g)]
            .map(([, href]) => href!.replaceAll('&amp;', '&'))
            .filter((href) => isMeant.test(href));
          assert.ok(links.length > 0, path);
          assert.deepEqual(
            links.filter((href) => !carried.test(href)),
            [],
            path,
          );
        }
      }
    });

    it('with keys alone a floor is chosen first and then sent, and the focus stays where it was', async () => {
      await site.withPage({}, async (page) => {
        await page.goto(site.url + building());
        await page.locator('select[name=floor]').focus();
        await page.keyboard.press('Home');
        assert.equal(new URL(page.url()).search, '');
        // Wall, month and the tick for a balcony lie between the floor and the button.
        for (const key of ['Tab', 'Tab', 'Tab', 'Tab', 'Enter']) await page.keyboard.press(key);
        await page.waitForURL(/floor=1&/);
        await page.waitForSelector('form.picker button:focus');
        assert.equal(await page.locator('select[name=floor]').inputValue(), '1');
      });
    });

    it('after the back button the fields have the choices of the page, not those that led on from it', async () => {
      await site.withPage({}, async (page) => {
        await page.goto(site.url + building());
        const month = page.locator('select[name=month]');
        await month.selectOption('6');
        await page.waitForURL(/month=6/);
        await page.goBack();
        await page.waitForURL(site.url + building());
        assert.equal(await month.inputValue(), '12');
        assert.match((await page.locator('.answer').textContent())!, /^12月15日/);
      });
    });

    it('a flat, a home, its questions and the map with its picture print on one sheet of A4 each, in both languages', async () => {
      const home = paths.find((one) => /^\/kaigo\/facility\/[^/]+\/$/.test(one)) ?? assert.fail('none');
      await site.withPage({}, async (page) => {
        // On a device in the dark too, dark words are on white.
        await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
        for (const path of [building(), home, `${home}visit/`, '/map/'].flatMap((one) => [one, `/en${one}`])) {
          await page.goto(site.url + path);
          const style = 'getComputedStyle(document.body)';
          const colours = await page.evaluate(
            `[${style}.color, ${style}.backgroundColor, ${style}.getPropertyValue('--sky-1')].join(' ')`,
          );
          if (!path.endsWith('/map/')) assert.equal(colours, 'rgb(0, 0, 0) rgb(255, 255, 255) #dcebf7');
          if (path.endsWith('/map/')) await page.waitForSelector('body.map-ready', { timeout: 60_000 });
          // The plan and its scale bar are two drawings in one scale.
          const scales = await page.locator('figure:is(.plan, .small) svg').evaluateAll((all) =>
            all.flatMap((one) => {
              const [, , width, height] = (one.getAttribute('viewBox') ?? '').split(' ').map(Number);
              return [one.clientWidth / width!, one.clientHeight / height!];
            }),
          );
          for (const scale of scales) assert.ok(Math.abs(scale - scales[0]!) < 0.05, `${path}: ${scale}`);
          const pdf = (await page.pdf({ preferCSSPageSize: true, printBackground: true })).toString('latin1');
          assert.equal(pdf.match(/\/Type\s*\/Page\b/g)?.length, 1, path);
          if (path === '/en/map/') {
            assert.match((await page.locator('#map-choice').textContent())!, /15 Dec, top floor/);
            assert.match((await page.locator('footer .print-only').textContent())!, /#\d+/);
            const size = await page.evaluate(
              `[document.querySelector('#map-print').width, document.querySelector('#map-print').hidden].join()`,
            );
            assert.match(String(size), /^\d{3,},false$/);
          }
        }
      });
    });
  });
}

/** The homes around a building. */
async function nearOf(site: SiteInBrowser, building: string): Promise<string> {
  const { data } = await site.json<{ data: { lat: number; lon: number } }>(`${building}index.json`);
  return `/kaigo/near/?lat=${data.lat}&lon=${data.lon}&r=3000&max_yen=200000`;
}

/** A page of every kind, in both languages, that works with the sample. */
async function pathsOf(site: SiteInBrowser): Promise<string[]> {
  const home = await site.text('/');
  const first = (pattern: RegExp, text: string): string => pattern.exec(text)?.[0] ?? assert.fail(`${pattern}`);
  const building = first(/\/sunlight\/building\/[^"]+\//, home);
  const table = first(/\/kaigo\/\d{6}\/\d{3}\//, home);
  const facility = first(/\/kaigo\/facility\/[^"]+\//, await site.text(table));
  const id = building.split('/')[3];
  const paths = [
    ...[
      '/',
      '/sunlight/',
      first(/\/sunlight\/\d{5}\//, await site.text('/sunlight/')),
      first(/\/sunlight\/town\/\d+\//, home),
      building,
      `${building}3d/?month=6&clock=600`,
      `${building}what-if/?east=0&north=-40&width=30&depth=10&up=40`,
    ],
    ...[
      `/compare/?b=${id},${id}:1`,
      '/kaigo/',
      await nearOf(site, building),
      table,
      facility,
      `${facility}visit/`,
      `/kaigo/compare/?f=${facility.split('/')[3]}`,
    ],
    ...['/search/?q=%E6%9C%9D%E9%9C%A7', '/docs/', '/method/', '/about/', '/terms/', '/pricing/', '/problems/'],
    ...['/problems/not-found/', '/nowhere/', '/search/?q=xyz', '/changes/', '/status/', '/kaigo/compare/'],
  ];
  return paths.flatMap((path) => [path, `/en${path}`]);
}
