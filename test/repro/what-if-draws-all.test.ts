import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { built } from '../pipeline/run-build.ts';
import { pageText } from '../support/page-text.ts';
import { serveCity } from '../support/served-city.ts';
import { cityGml, rowsOfHouses, writeFiles } from '../support/small-city.ts';
import { tempFolder } from '../support/temp-folder.ts';

it('the plan of a new building next door has every building in its square, also in a dense town', async (t) => {
  const folder = tempFolder(t);
  const houses = rowsOfHouses(504, { perRow: 24 });
  await writeFiles(join(folder, 'city'), { 'houses.gml': cityGml(houses) });
  await built({ out: join(folder, 'data'), citygml: [join(folder, 'city')] });
  const { url } = await serveCity(t, ['--data', join(folder, 'data')], 'ignore');
  const own = houses[10 * 24 + 12]!;
  const page = await pageText(`${url}/sunlight/building/${own.id}/what-if/`);
  const plan = /<figure id="what-if-plan".*?<\/figure>/s.exec(page)![0];
  const inside = houses.filter(
    ({ east, north }) => Math.max(Math.abs(east - own.east), Math.abs(north - own.north)) < 120,
  );
  assert.ok(inside.length > 240, `${inside.length} houses`);
  for (const { id } of inside) if (id !== own.id) assert.ok(plan.includes(`>${id}, `), `${id} is drawn`);
});
