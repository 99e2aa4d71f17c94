import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
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
  assert.equal(report.sunlight?.findings.left_out_no_area?.count, 1);
  assert.equal(report.sunlight?.buildings.served, 1);
});
