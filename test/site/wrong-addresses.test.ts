import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { MemoryRateLimiter } from '../../src/http/rate-limiter.ts';
import { type ApiServer, startServer } from '../support/api-server.ts';
import { KNOWN } from '../support/fake-dataset.ts';

const PAGE = { accept: 'text/html' };

describe('addresses of pages that are not quite right', () => {
  let server: ApiServer;
  const ends: (() => unknown)[] = [];
  after(async () => {
    for (const end of ends.reverse()) await end();
  });
  before(async () => {
    const owner = { after: (end: unknown) => void ends.push(end as () => unknown) };
    server = await startServer(owner as Parameters<typeof startServer>[0], { siteUrl: 'https://sun.example/town' });
  });
  const ask = (path: string): Promise<Response> => fetch(server.url + path, { headers: PAGE, redirect: 'manual' });

  for (const path of ['/pricing', '/en/pricing', '/problems/not-found', '/map', '/kaigo', '/docs']) {
    it(`${path} leads to the page with a slash at the end, under the path of the site`, async () => {
      const answer = await ask(`${path}?month=6`);
      assert.equal(answer.status, 308);
      assert.equal(answer.headers.get('location'), `/town${path}/?month=6`);
    });
  }

  for (const [accept, kind] of [
    ['text/html', 'text/html'],
    ['TEXT/HTML;q=0.8, */*;q=0.5', 'text/html'],
    ['text/html;q=0', 'application/problem+json'],
    ['text/html;q=0.0, application/json', 'application/problem+json'],
  ] as const) {
    it(`an unknown address is answered as ${kind} when Accept is ${accept}`, async () => {
      const answer = await fetch(`${server.url}/not-here`, { headers: { accept } });
      assert.equal(answer.status, 404);
      assert.equal(answer.headers.get('content-type')?.split(';')[0], kind);
    });
  }

  it('Japanese has no name in addresses: one that names it leads to the page', async () => {
    const known = {
      '/ja': '/',
      '/ja/': '/',
      '/ja/map/': '/map/',
      '/ja/kaigo': '/kaigo/',
      '/ja/docs/?x=1': '/docs/?x=1',
    };
    for (const [path, page] of Object.entries(known)) {
      const answer = await ask(path);
      assert.equal(answer.status, 308, path);
      assert.equal(answer.headers.get('location'), `/town${page}`);
    }
    assert.equal((await ask('/ja/nowhere/')).status, 404);
  });

  it('a path whose values name nothing is told in the language of the page', async () => {
    for (const path of ['/sunlight/zzz/', '/kaigo/zzz/', '/zzz/'])
      assert.match(await (await ask(path)).text(), /というページはありません/, path);
  });

  it('half a position is refused in the language of the page', async () => {
    for (const path of ['/map/', '/kaigo/near/']) {
      const japanese = await ask(`${path}?lat=35.7`);
      assert.equal(japanese.status, 400, path);
      assert.match(await japanese.text(), /緯度（lat）と経度（lon）の両方が必要です/);
      assert.match(await (await ask(`/en${path}?lat=35.7`)).text(), /A position needs both lat and lon/);
    }
  });

  it('a language that there is not is answered in English, with the English page', async () => {
    const answer = await ask('/fr/map/');
    assert.equal(answer.status, 404);
    const text = await answer.text();
    assert.match(text, /<html lang="en">/);
    assert.match(text, /Did you mean <a href="\/town\/en\/map\/">/);
  });

  it('what is no page with a slash either stays 404', async () => {
    for (const path of ['/nowhere', '/problems/a/b', '/sunlight/nowhere', '//example.org', '/api/v1']) {
      assert.equal((await ask(path)).status, 404, path);
    }
  });

  it('words of a search are not in the log where the slash is missing', async () => {
    server.service.log.level = 'debug';
    await ask('/search?q=somebody');
    server.service.log.level = 'info';
    assert.ok(!JSON.stringify(server.log).includes('somebody'));
  });

  it('a wrong value is named in the language of the page, with what would be right', async () => {
    const wrong = '/kaigo/131016/510/?care_level=9';
    const japanese = await ask(wrong);
    assert.equal(japanese.status, 400);
    assert.match(await japanese.text(), /要介護度「<bdi>9<\/bdi>」は使えません。 次のどれかにしてください：/);
    const english = await ask(`/en${wrong}`);
    assert.equal(english.status, 400);
    assert.match(await english.text(), /Care level: “<bdi>9<\/bdi>” is not valid. Use one of: /);
  });

  it('the example beside a wrong value is one of the data', async () => {
    for (const [path, example] of [
      ['/en/map/?pick=a&pick=b', KNOWN.building],
      ['/en/compare/?add=1&add=2', KNOWN.building],
      ['/en/kaigo/?municipality=x', KNOWN.municipality],
      ['/en/kaigo/compare/?add=1&add=2', KNOWN.facility],
    ] as const) {
      const text = await (await ask(path)).text();
      assert.match(text, /is not valid. For example: [\d]/, path);
      assert.ok(text.includes(example.slice(0, 5)), `${path}: ${/For example: [^<]*/.exec(text)}`);
    }
  });

  it('a floor that a building does not have, or a wrong value, leads back to the page', async () => {
    const page = `/en/sunlight/building/${KNOWN.building}/`;
    const floor = await ask(`${page}?floor=250`);
    assert.equal(floor.status, 400);
    assert.match(
      await floor.text(),
      new RegExp(`<li><a href="/town${page}">The page of building ${KNOWN.building}</a>`),
    );
    const care = await (await ask('/kaigo/131016/510/?care_level=9&sort=cost')).text();
    assert.match(care, /<li><a href="\/town\/kaigo\/131016\/510\/\?sort=cost">同じページを、その値なしで開く<\/a>/);
  });

  it('the other language answers the same question, and no path leads to another host', async () => {
    const text = await (await ask('/kaigo/131016/510/?care_level=9&x=1')).text();
    assert.match(text, /href="\/town\/en\/kaigo\/131016\/510\/\?care_level=9&amp;x=1" hreflang="en"/);
    const outside = await (await ask('/en//example.org/')).text();
    assert.ok(!/href="(\/town)?\/\/example/.test(outside));
    assert.match(outside, /href="\/town\/example.org\/" hreflang="ja"/);
  });
});

it('who opens too many pages reads in their language the limit and when to come again, and gets there by one link', async (t) => {
  const { url } = await startServer(t, { limiters: { pages: new MemoryRateLimiter(1, () => 0) } });
  const ask = (path: string): Promise<Response> => fetch(url + path, { headers: PAGE });
  assert.equal((await ask('/')).status, 200);
  for (const [path, said, link] of [
    ['/map/?month=6', /アクセスが多すぎます.*?上限（1回）に達しました。(\d+)秒ほど待ってから/s, '/map/?month=6'],
    [
      '/en/map/',
      /Too many requests.*?the limit of 1 page a minute\. Open the page again in (\d+) seconds/s,
      '/en/map/',
    ],
  ] as const) {
    const answer = await ask(path);
    assert.equal(answer.status, 429);
    const text = await answer.text();
    assert.equal(said.exec(text)?.[1], answer.headers.get('retry-after'));
    assert.ok(text.includes(`<li><a href="${link}">`));
    assert.ok(!text.slice(text.indexOf('<main')).includes('lang="en"'), 'no English words on a Japanese page');
  }
});
