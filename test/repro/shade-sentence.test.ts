import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { pageText } from '../support/page-text.ts';
import { generatedDataset, startSample } from '../support/start-sample.ts';
import { tempFolder } from '../support/temp-folder.ts';

it('the sentence that names one building as shade has the times of the table of shading buildings', async (t) => {
  const { url } = await startSample(t, await generatedDataset(join(tempFolder(t), 'data')));
  const town = /\/sunlight\/town\/\d+\//.exec(await pageText(url))![0];
  const listed = (await (await fetch(`${url}${town}index.json`)).json()) as {
    data: { buildings: { building_id: string }[] };
  };
  let compared = 0;
  for (const { building_id } of listed.data.buildings.slice(0, 40)) {
    const page = await pageText(`${url}/sunlight/building/${building_id}/?level=first`);
    const [, before = '', shade = ''] = /^(.*)<section id="shade">(.*)$/s.exec(page)!;
    const rows = [...shade.split('</table>')[0]!.matchAll(/<tr>.*?<\/tr>/gs)].map(([row]) => row);
    for (const [, from, to, letter] of before.matchAll(/(\d\d:\d\d)〜(\d\d:\d\d)は建物([A-Z])/g)) {
      const row = rows.find((one) => one.includes(`<b class="letter">${letter}</b>`));
      assert.ok(row?.includes(`${from}–${to}`), `${building_id}: ${from}–${to} of ${letter} is not in its row: ${row}`);
      compared++;
    }
  }
  assert.ok(compared > 5, `only ${compared} were compared`);
});
