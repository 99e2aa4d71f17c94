import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { pageText } from '../support/page-text.ts';
import { generatedDataset, startSample } from '../support/start-sample.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** The pages of some buildings of the sample for their first floors, by ID. */
async function firstFloors(t: TestContext): Promise<Map<string, string>> {
  const { url } = await startSample(t, await generatedDataset(join(tempFolder(t), 'data')));
  const town = /\/sunlight\/town\/\d+\//.exec(await pageText(url))![0];
  const listed = (await (await fetch(`${url}${town}index.json`)).json()) as {
    data: { buildings: { building_id: string }[] };
  };
  const pages = new Map<string, string>();
  for (const { building_id } of listed.data.buildings.slice(0, 40))
    pages.set(building_id, await pageText(`${url}/sunlight/building/${building_id}/?level=first`));
  return pages;
}

it('on its own page a building is no neighbour with a letter', async (t) => {
  let named = 0;
  for (const [id, page] of await firstFloors(t)) {
    const list = /<ul class="plain letters".*?<\/ul>/s.exec(page)?.[0] ?? '';
    const plan = /<figure class="plan">.*?<\/figure>/s.exec(page)![0];
    assert.ok(!list.includes(id), `the list of the sky names ${id}`);
    assert.ok(!new RegExp(`[A-Z] ${id}<`).test(plan + list), `${id} has a letter`);
    if (list.includes('この建物自身')) named++;
  }
  assert.ok(named > 0, 'some building sees its own walls');
});

it('the sentence that names one building as shade has the times of the table of shading buildings', async (t) => {
  let compared = 0;
  for (const [id, page] of await firstFloors(t)) {
    const [, before = '', shade = ''] = /^(.*)<section id="shade">(.*)$/s.exec(page)!;
    const rows = [...shade.split('</table>')[0]!.matchAll(/<tr>.*?<\/tr>/gs)].map(([row]) => row);
    for (const [, from, to, letter] of before.matchAll(/(\d\d:\d\d)〜(\d\d:\d\d)は建物([A-Z])/g)) {
      const row = rows.find((one) => one.includes(`<b class="letter">${letter}</b>`));
      assert.ok(row?.includes(`${from}–${to}`), `${id}: ${from}–${to} of ${letter} is not in its row: ${row}`);
      compared++;
    }
  }
  assert.ok(compared > 5, `only ${compared} were compared`);
});
