import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDataset } from '../../src/dataset/open.ts';
import { built } from '../pipeline/run-build.ts';
import { atPlace, building, cityOf, closed, jaggedRing, polygon } from '../support/hostile-geometry.ts';
import { rowsOfHouses, writeFiles } from '../support/small-city.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** A ring that needs more than half of the steps of a building. */
const ring = (east: number): string => {
  const xy = jaggedRing(950);
  return closed(Array.from({ length: 950 }, (_, i) => atPlace(east + xy[2 * i]!, 500 + xy[2 * i + 1]!)));
};

test('two bodies that are too complex only together cost the second body, and no other building', async (t) => {
  const out = tempFolder(t);
  const bodies = [300, 500].map((east, i) => building(9001, polygon([ring(east)]), '', { body: `${i + 1}` })).join('');
  const houses = rowsOfHouses(3, { first: 9100, east: 20, north: 20 });
  await writeFiles(join(out, 'city'), { '53394611.gml': cityOf(bodies, houses) });
  const { dataset, report } = await built({ out: join(out, 'data'), citygml: [join(out, 'city')] });
  assert.equal(report.sunlight!.buildings.served, 4);
  const { body_left_out } = report.sunlight!.findings;
  assert.equal(body_left_out?.count, 1);
  assert.match(body_left_out.examples[0]!, /^13101-bldg-9001 \(53394611\.gml, byte \d+\)$/);
  const open = await openDataset(dataset);
  const found = ['9001', '9100', '9101', '9102'].map((number) => open.sunlight!.full(`13101-bldg-${number}`));
  assert.ok(found.every((building) => building !== undefined && building !== null));
  await open.close();
});
