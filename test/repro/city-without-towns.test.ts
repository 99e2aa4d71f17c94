import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { built } from '../pipeline/run-build.ts';
import { serveCity } from '../support/served-city.ts';
import { cityGml, rowsOfHouses, writeFiles } from '../support/small-city.ts';
import { tempFolder } from '../support/temp-folder.ts';

it('pages of a city elsewhere, built without census areas, do not speak of Tokyo and have no dead links', async (t) => {
  const folder = tempFolder(t);
  const houses = rowsOfHouses(2).map((house) => ({ ...house, id: house.id!.replace('13101', '27125') }));
  await writeFiles(join(folder, 'city'), { 'houses.gml': cityGml(houses) });
  await built({ out: join(folder, 'data'), citygml: [join(folder, 'city')] });
  const { url } = await serveCity(t, ['--data', join(folder, 'data')], 'ignore');
  const page = async (path: string) => (await fetch(url + path)).text();

  assert.match(await page('/'), /<title>[^<]* · 建物の日当たり<\/title>/);
  assert.match(await page('/index.json'), /"Direct sun on buildings, wall by wall/);
  for (const path of ['/', '/en/', '/index.json']) assert.doesNotMatch(await page(path), /東京|Tokyo/, path);

  for (const path of ['/', '/search/', '/sunlight/'])
    assert.doesNotMatch(await page(path), /(placeholder|aria-label)="[^"]*(町名|住所)/, 'no field asks for a town');
  assert.match(await page('/'), /"\/sunlight\/">区の一覧</);
  const building = await page('/sunlight/building/27125-bldg-1/');
  assert.match(building, /27125-bldg-1/);
  assert.match(building, /"\/sunlight\/27125\/"/);
  assert.match(await page('/sunlight/'), /"\/sunlight\/27125\/">27125 <small>\d+棟/, 'a ward without towns is listed');
  const ward = await page('/sunlight/27125/');
  assert.match(ward, /<h1>.*27125の建物の日当たり.*<\/h1>/);
  assert.match(ward, /"\/sunlight\/building\/27125-bldg-1\/"/);
  for (const sort of ['december_top_hours', 'december_first_hours', 'annual_hours']) {
    const response = await fetch(`${url}/api/v1/sunlight/ward/27125/buildings?sort=${sort}`);
    const answer = (await response.json()) as { data: { buildings: { building_id: string }[] } };
    const ids = answer.data.buildings.map(({ building_id }) => building_id);
    assert.ok(ids.length > 1);
    const table = (await page(`/sunlight/27125/?sort=${sort}`)).split('<table')[1]!;
    const linked = [...table.matchAll(/building\/(27125-bldg-\d+)\//g)].map(([, id]) => id);
    assert.deepEqual(linked, ids, 'the page has the order of the API');
  }
  assert.match(await page('/sitemap.xml'), /\/sunlight\/27125\//);
  assert.match(await page('/map/'), /id="map-outside"[^>]*>ここのデータはありません。 </, 'no places are named');
  assert.match(await page('/api/v1/search?q=27125'), /"id":"27125-bldg-1"/, 'its code finds its buildings');
  const unknown = await page('/search/?q=上野');
  assert.match(unknown, /町名では探せません.*\/sunlight\/27125\//s, 'what is in the data, not how to spell a town');
  assert.match(await page('/search/?q=２７１２５'), /\/sunlight\/building\/27125-bldg-1\//);
});
