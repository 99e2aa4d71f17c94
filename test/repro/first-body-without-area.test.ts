import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { openDataset } from '../../src/dataset/open.ts';
import { built } from '../pipeline/run-build.ts';
import { cityGml, rowsOfHouses, writeFiles } from '../support/small-city.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** States the body in the attribute with the ID. */
const asBody = (gml: string, part: number): string =>
  gml.replace('</uro:buildingID>', `</uro:buildingID><uro:branchID>0</uro:branchID><uro:partID>${part}</uro:partID>`);

// The valid body stood for nothing: it was neither served nor did it shade, and the report did not say so.
it('a building whose first body has no area stands with its other bodies', async (t) => {
  const folder = tempFolder(t);
  const [house, second] = rowsOfHouses(2);
  const sliver = { ...house!, width: 0.001 };
  const files = {
    'a.gml': asBody(cityGml([sliver]), 1),
    'b.gml': asBody(cityGml([{ ...second!, id: house!.id }]), 2),
  };
  await writeFiles(join(folder, 'city'), files);
  const { report } = await built({ out: join(folder, 'data'), citygml: [join(folder, 'city')] });
  assert.equal(report.sunlight?.findings.body_left_out?.count, 1);
  assertOne(report);
});

/** One building stands, and the counts add up. */
function assertOne(report: Awaited<ReturnType<typeof built>>['report']): void {
  const { read, merged, left_out, shading, served } = report.sunlight!.buildings;
  assert.deepEqual([served, shading, left_out], [1, 1, 0]);
  assert.equal(read - merged - left_out, shading);
}

// Its top counted: the house stood as high as it.
it('a further body without area is reported, and does not raise its building', async (t) => {
  const folder = tempFolder(t);
  const [house] = rowsOfHouses(1);
  const files = {
    'a.gml': asBody(cityGml([house!]), 1),
    'b.gml': asBody(cityGml([{ ...house!, east: house!.east + 30, width: 0.001, height: 300 }]), 2),
  };
  await writeFiles(join(folder, 'city'), files);
  const { dataset, report } = await built({ out: join(folder, 'data'), citygml: [join(folder, 'city')] });
  assert.equal(report.sunlight?.findings.body_left_out?.count, 1);
  assertOne(report);
  const opened = await openDataset(dataset);
  assert.equal(opened.sunlight!.full(house!.id!)!.toJSON().height_m, house!.height);
  await opened.close();
});
