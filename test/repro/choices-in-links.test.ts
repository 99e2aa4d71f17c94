import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { built } from '../pipeline/run-build.ts';
import { pageText } from '../support/page-text.ts';
import { serveCity } from '../support/served-city.ts';
import { cityGml, rowsOfHouses, writeFiles } from '../support/small-city.ts';
import { tempFolder } from '../support/temp-folder.ts';

it('links and plans of a building page keep what the reader has chosen', async (t) => {
  const folder = tempFolder(t);
  const houses = rowsOfHouses(60, { perRow: 30 });
  await writeFiles(join(folder, 'city'), { 'houses.gml': cityGml(houses) });
  await built({ out: join(folder, 'data'), citygml: [join(folder, 'city')] });
  const { url } = await serveCity(t, ['--data', join(folder, 'data')], 'ignore');
  const [own, ...others] = houses;
  const page = `${url}/en/sunlight/building/${own!.id}/`;
  const linkOf = (text: string, file: string): URL => {
    const [, href = ''] = new RegExp(`href="([^"]*${file}\\?[^"]*)"`).exec(text) ?? [];
    return new URL(href.replaceAll('&amp;', '&'), page);
  };

  await t.test('the JSON of a floor has the storeys and the height that the reader stated, and the month', async () => {
    const text = await pageText(`${page}?storeys=9&height_m=30&floor=8&month=6`);
    const link = linkOf(text, 'index.json');
    assert.deepEqual(Object.fromEntries(link.searchParams), { floor: '8', month: '6', storeys: '9', height_m: '30' });
    assert.equal((await fetch(link)).status, 200, 'the model has no eighth floor');
  });

  await t.test('the drawing of the sky has the letters of the month of its page', async () => {
    assert.equal(linkOf(await pageText(`${page}?month=6`), 'sky.svg').searchParams.get('month'), '6');
  });

  await t.test('what-if takes a building that is too far away for the plan', async () => {
    const metres = ({ east, north }: { east: number; north: number }) =>
      Math.hypot(east - own!.east, north - own!.north);
    const [far] = others.toSorted((a, b) => metres(b) - metres(a));
    assert.ok(metres(far!) > 200);
    const text = await pageText(`${page}what-if/?pick=${far!.id}&up=10`);
    assert.doesNotMatch(text, /There is no building/);
    assert.match(await pageText(`${page}what-if/?pick=13101-bldg-999999&up=10`), /There is no building/);
  });

  await t.test('what-if refuses a new building that cuts through this one', async () => {
    const text = await pageText(`${page}what-if/?east=0&north=0&width=300&depth=1&up=50`);
    assert.match(text, /The new building overlaps this one/);
  });
});
