import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { officeList } from '../../samples/kaigo.ts';
import { build, office } from '../kaigo/support/small-lists.ts';
import { startServer } from '../support/api-server.ts';
import { FakeDataset } from '../support/fake-dataset.ts';

// Links and forms of pages about care that once led to a refusal. Each test fails on the earlier program.

/** Serves a special nursing home and a fee-based home in Chiyoda, and gives a function that asks for a page. */
async function served(
  t: TestContext,
  use: (get: (path: string) => Promise<{ status: number; text: string }>) => unknown,
): Promise<void> {
  await build(
    [
      ['lists/jigyosho_510.csv', officeList([office('1370100018'), office('1370100026')])],
      ['lists/jigyosho_331.csv', officeList([office('1370100034')])],
    ],
    async ({ answers }) => {
      const dataset = new FakeDataset();
      dataset.kaigo = answers;
      const { url } = await startServer(t, { dataset });
      await use(async (path) => {
        const answer = await fetch(url + path, { headers: { accept: 'text/html' } });
        return { status: answer.status, text: await answer.text() };
      });
    },
  );
}

/** The addresses of the links of a page that begin with a path. */
const linksTo = (text: string, path: string): string[] =>
  [...text.matchAll(/href="([^"#]+)/g)]
    .map(([, href = '']) => href.replaceAll('&amp;', '&'))
    .filter((href) => href.startsWith(path));

test('a chosen kind of room goes only into links to tables whose prices have it', (t) =>
  served(t, async (get) => {
    for (const path of ['/kaigo/', '/kaigo/facility/1370100034/', '/kaigo/facility/1370100018/']) {
      const links = linksTo((await get(`${path}?room=unit`)).text, '/kaigo/131016/');
      assert.ok(links.length > 0, path);
      for (const link of links) {
        assert.equal((await get(link)).status, 200, link);
        assert.equal(link.includes('room=unit'), link.includes('/510/'), link);
      }
    }
  }));

test('a table and the homes around a place say that the prices of a service lack the chosen kind of room', (t) =>
  served(t, async (get) => {
    const noRooms = /role="alert">このサービスの費用は部屋の種類で変わりません。費用は部屋を問わない場合のものです。/;
    const otherRooms = /role="alert">このサービスのその部屋の料金は料金表にありません。選べるのは.*です。費用は/;
    const near = '/kaigo/near/?lat=35.69&lon=139.75&r=500';
    for (const [path, note] of [
      ['/kaigo/131016/331/?room=unit', noRooms],
      [`${near}&service=331&room=unit`, noRooms],
      ['/kaigo/131016/510/?room=shared_charged', otherRooms],
      [`${near}&service=510&room=shared_charged`, otherRooms],
    ] as const) {
      const { status, text } = await get(path);
      assert.deepEqual([status, note.test(text)], [200, true], path);
      assert.match(text, /<select name="care_level"/, 'the form to change the choice');
      for (const link of linksTo(text, '/kaigo/131016/')) assert.equal((await get(link)).status, 200, link);
    }
    const { text } = await get(`${near}&service=510&room=unit`);
    assert.ok(!text.includes('role="alert"'));
  }));

test('the link of a comparison to its JSON has the case in the parameters of the API', (t) =>
  served(t, async (get) => {
    const form = 'care_level=4&copayment=20&income=standard&room=any&partner=none&aid=none';
    for (const [chosen, parameters] of [
      [form, 'care_level=4&copayment=20&income=standard'],
      ['care_level=support_2&partner=3', 'support_level=2&copayment=10&income=standard&partner_care_level=3'],
      ['partner=support_1', 'care_level=3&copayment=10&income=standard&partner_support_level=1'],
      // Public assistance determines the share and the income, whatever the form had before.
      [
        'aid=public_assistance&copayment=30&room=unit',
        'care_level=3&copayment=10&income=1&room=unit&aid=public_assistance',
      ],
      ['', ''],
    ]) {
      const { text } = await get(`/kaigo/compare/?f=1370100018,1370100026&${chosen}`);
      const [link] = linksTo(text, '/kaigo/compare/index.json');
      assert.equal(link?.replace(/.*?f=[^&]*&?/, ''), parameters, chosen);
      assert.equal((await get(link ?? '')).status, 200, link);
    }
  }));
