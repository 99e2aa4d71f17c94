import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { built } from '../pipeline/run-build.ts';
import { browserPath, startBrowser } from '../site/support/browser.ts';
import { pageText } from '../support/page-text.ts';
import { hidamari } from '../support/run.ts';
import { serveCity } from '../support/served-city.ts';
import { cityGml, rowsOfHouses, writeFiles } from '../support/small-city.ts';
import { tempFolder } from '../support/temp-folder.ts';

const UNKNOWN =
  '<uro:bldgDataQualityAttribute><uro:DataQualityAttribute><uro:lod1HeightType>0</uro:lod1HeightType></uro:DataQualityAttribute></uro:bldgDataQualityAttribute>';

it('no page states the height of a box that the city model has in place of an unknown height', async (t) => {
  const folder = tempFolder(t);
  const houses = rowsOfHouses(9, { perRow: 3 });
  const [unknown, own] = [houses[4]!, houses[7]!];
  const [before, after] = cityGml(houses).split(`<core:cityObjectMember><bldg:Building gml:id="b${unknown.id}">`);
  const one = after!
    .replace(/<bldg:measuredHeight.*?<\/bldg:measuredHeight>/, '')
    .replace('</bldg:Building>', `${UNKNOWN}</bldg:Building>`);
  const gml = `${before}<core:cityObjectMember><bldg:Building gml:id="b${unknown.id}">${one}`;
  await writeFiles(join(folder, 'city'), { 'houses.gml': gml });
  await built({ out: join(folder, 'data'), citygml: [join(folder, 'city')] });
  const { url } = await serveCity(t, ['--data', join(folder, 'data')], 'ignore');
  const english = (path: string): Promise<string> => pageText(`${url}/en${path}`);

  const page = await english(`/sunlight/building/${unknown.id}/`);
  assert.match(page, /Height unknown/);
  assert.match(page, /data-save="flats"[^>]* data-height=""/, 'the saved flat');
  const map = await english(`/map/?pick=${unknown.id}`);
  assert.match(map, /Height unknown/, 'the map');
  const whatIf = await english(`/sunlight/building/${own.id}/what-if/`);
  assert.match(whatIf, new RegExp(`<option value="${unknown.id}"[^>]*>[^<]*height unknown`));
  assert.match(whatIf, new RegExp(`>${unknown.id}, Height unknown<`), 'the plan');
  const comparison = await english(`/compare/?b=${unknown.id}:1:S,${own.id}:1:S`);
  const named = comparison.match(/floor 1 South, [^<:]*/g) ?? assert.fail('both are called the same');
  assert.ok(
    named.some((name) => name.endsWith(', Height unknown')),
    named.join(),
  );
  assert.doesNotMatch(comparison, new RegExp(`${unknown.height}(\\.0)? m high`));
  assert.match(await english(`/compare/?b=${own.id}:1:S`), /Add the building of unknown height \(/, 'the plan');
  const scene = await english(`/sunlight/building/${own.id}/3d/`);
  const data = JSON.parse(/id="scene-data">(.*?)<\/script>/s.exec(scene)![1]!);
  const isKnown = data.buildings.find((one: { id: string }) => one.id === unknown.id).isHeightKnown;
  assert.deepEqual([isKnown, data.words.namedOnly], [false, '{} (height unknown)'], 'the pressed building in 3D');
  const shaders = /<table[^>]*rows shaders.*?<\/table>/s.exec(
    await english(`/sunlight/building/${own.id}/?floor=1&face=S`),
  )![0];
  const row = [...shaders.matchAll(/<tr>.*?<\/tr>/gs)].map(([text]) => text).find((text) => text.includes(unknown.id!));
  assert.ok(row, 'it shades the wall behind it');
  // Its distance is written without decimals.
  assert.doesNotMatch(row, /\d\.\d m/, 'the table of shade');

  const params = { name: 'compare_buildings', arguments: { building_ids: [unknown.id, own.id] } };
  const call = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  const told = (await call.text()).replaceAll('\\"', '"');
  assert.match(told, new RegExp(`"${unknown.id}".*"height_m":null.*"height_note":"Not measured`), 'an agent');

  const executable = browserPath();
  if (executable === null) return t.skip('no Chromium is installed');
  const [out, origin] = [join(folder, 'files'), 'http://localhost:9'];
  const args = ['export', join(folder, 'data'), '--static', out, '--site-url', origin, '--no-gzip', '--no-bulk'];
  assert.equal((await hidamari(args)).code, 0);
  const browser = await startBrowser(executable);
  t.after(() => browser.close());
  const visitor = await browser.newPage();
  await visitor.route(`${origin}/**`, (route) => {
    const path = join(out, new URL(route.request().url()).pathname);
    const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
    return route.fulfill(isFile ? { path } : { path: join(out, 'en/404.html'), status: 404 });
  });
  await visitor.goto(`${origin}/en/sunlight/building/${unknown.id}/`);
  await visitor.getByText('Annual mean').waitFor();
  const shown = (await visitor.textContent('main')) ?? '';
  assert.match(shown, /was not measured/, 'the page of an export');
  assert.doesNotMatch(shown, /Height ?3 m/);
});
