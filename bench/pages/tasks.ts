import type { Page } from 'playwright-core';
import { startBrowser } from '../../test/site/support/browser.ts';

/** Limit of the steps of a task. */
const MOST_STEPS = 6;

/** The link from the building that is picked on the map to its page. */
const PICKED_LINK = '#map-picked a[href*="/sunlight/building/"]';

/** A visitor. Every press, choice and submitted form is a step. */
class Visitor {
  steps = 0;
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async search(words: string): Promise<void> {
    const own = this.page.locator('main input[name=q]');
    const field = (await own.count()) > 0 ? own.first() : this.page.locator('header input[name=q]');
    await field.fill(words);
    await this.#step(() => field.press('Enter'));
  }

  async press(selector: string): Promise<void> {
    await this.#step(() => this.page.locator(selector).first().click());
  }

  /** A building of a plan: the middle of its outline may lie outside of it, so keys press it. */
  async pressDrawn(selector: string): Promise<void> {
    const link = this.page.locator(selector).first();
    await link.focus();
    await this.#step(() => link.press('Enter'));
  }

  async choose(selector: string, value: string): Promise<void> {
    const before = this.page.url();
    await this.#step(() => this.page.locator(selector).first().selectOption(value));
    await this.page.waitForURL((url) => url.href !== before);
  }

  async #step(act: () => Promise<unknown>): Promise<void> {
    this.steps++;
    await act();
    await this.page.waitForLoadState();
  }

  /** Presses the building nearest to the middle of the map with a finger. */
  async tapMap(): Promise<void> {
    const box = await this.page.locator('#map-picture').boundingBox();
    if (box === null) throw new Error('the map is not there');
    this.steps++;
    await this.page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
    await this.page.locator(PICKED_LINK).first().waitFor();
  }

  async says(selector: string, what: RegExp): Promise<void> {
    const text = (await this.page.locator(selector).first().textContent()) ?? '';
    if (!what.test(text)) throw new Error(`${selector} says ${JSON.stringify(text.slice(0, 80))}, not ${what}`);
  }
}

/** The tasks of a visitor who knows a place but no ID. The last page of each must contain the answer. */
function tasks({
  ward,
  town,
}: {
  ward: string;
  town: string;
}): [name: string, run: (visitor: Visitor) => Promise<void>][] {
  const flat = async (visitor: Visitor): Promise<void> => {
    await visitor.search(town);
    await visitor.press('main a[href*="/map/?pick="]');
    await visitor.tapMap();
    await visitor.press(PICKED_LINK);
  };
  return [
    [
      'the sun of a flat',
      async (visitor) => {
        await flat(visitor);
        await visitor.choose('select[name=floor]', '1');
        await visitor.says('.answer', /1階の.*面/);
      },
    ],
    [
      'which building takes my sun',
      async (visitor) => {
        await flat(visitor);
        await visitor.press('a[href="#shade"]');
        await visitor.says('#shade', /m|ありません/);
      },
    ],
    [
      'two flats compared',
      async (visitor) => {
        await flat(visitor);
        await visitor.press('a[href*="/compare/?b="]:visible');
        await visitor.pressDrawn('section.no-print figure a');
        await visitor.says('.answer', /日が当た/);
      },
    ],
    [
      'where in the ward it is sunny',
      async (visitor) => {
        await visitor.search(ward);
        await visitor.press('main a[href*="/sunlight/"]');
        await visitor.press('.chips a[href*="sort="]');
        await visitor.says('table tbody', /\d\.\d\d/);
      },
    ],
    [
      'homes near a place',
      async (visitor) => {
        await visitor.press('header a[href$="/kaigo/"]');
        await visitor.search(town);
        await visitor.says('.answer', /件|施設/);
      },
    ],
    [
      'special nursing homes of the ward',
      async (visitor) => {
        await visitor.search(`${ward}の特養`);
        await visitor.press('main .card .chips a');
        await visitor.says('.answer', /円/);
      },
    ],
  ];
}

/** Does the tasks on a phone, and prints the number of steps of each. */
export async function visitorTasks(executable: string, url: string): Promise<string[]> {
  const list = (await (await fetch(`${url}/sunlight/towns.json`)).json()) as {
    data: { town_code: string; name: string | null }[];
  };
  const named =
    list.data.find(({ name }) => name !== null && /町.丁目$/.test(name)) ?? list.data.find(({ name }) => name !== null);
  if (named === undefined) return ['tasks: not done, the data names no town'];
  const answer = await fetch(`${url}/sunlight/town/${named.town_code}/index.json`);
  const { data } = (await answer.json()) as { data: { town: { ward_name: string } } };
  const browser = await startBrowser(executable);
  try {
    const lines: string[] = [];
    for (const [name, run] of tasks({ ward: data.town.ward_name, town: named.name ?? '' })) {
      const context = await browser.newContext({
        viewport: { width: 390, height: 844 },
        isMobile: true,
        hasTouch: true,
      });
      const page = await context.newPage();
      page.setDefaultTimeout(20_000);
      const visitor = new Visitor(page);
      await page.goto(url);
      try {
        await run(visitor);
        lines.push(
          `task ${name.padEnd(34)} ${visitor.steps} steps (${visitor.steps <= MOST_STEPS ? 'within' : 'OVER'}: ${MOST_STEPS})`,
        );
      } catch (error) {
        lines.push(
          `task ${name.padEnd(34)} FAILED after ${visitor.steps} steps: ${(error as Error).message.split('\n')[0]}`,
        );
      }
      await context.close();
    }
    return lines;
  } finally {
    await browser.close();
  }
}
