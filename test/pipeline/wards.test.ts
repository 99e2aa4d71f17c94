import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { openDataset } from '../../src/dataset/open.ts';
import { verifyDataset } from '../../src/dataset/verify.ts';
import { cityGml, type House, writeFiles } from '../support/small-city.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { built } from './run-build.ts';

const houses = (ids: string[], east: number): House[] =>
  ids.map((id, i) => ({ id, east: east + 40 * i, north: 300, width: 10, depth: 10, height: 8 }));

const inCity = (code: string, gml: string): string =>
  gml.replaceAll('</uro:buildingID>', `$&<uro:city>${code}</uro:city>`);

it('the ward is uro:city where the ID has a designated city, and the prefix of the ID elsewhere', async (t) => {
  const folder = tempFolder(t);
  await writeFiles(join(folder, 'city'), {
    'one.gml': inCity('27125', cityGml(houses(['27100-bldg-1', '27125-bldg-7', '13101-bldg-1'], 100))),
    'two.gml': inCity('27108', cityGml(houses(['27100-bldg-2', '27205-bldg-1'], 300))),
    'unknown.gml': inCity('9999', cityGml(houses(['27100-bldg-3'], 500))),
    'elsewhere.gml': inCity('13101', cityGml(houses(['27100-bldg-4'], 600))),
  });
  const { dataset } = await built({ out: join(folder, 'data'), citygml: [join(folder, 'city')] });
  const opened = await openDataset(dataset);
  try {
    const sunlight = opened.sunlight ?? assert.fail('no sunlight half');
    const expected = {
      '13101-bldg-1': '13101',
      '27100-bldg-1': '27125',
      '27100-bldg-2': '27108',
      '27100-bldg-3': '27100',
      '27100-bldg-4': '27100',
      '27125-bldg-7': '27125',
      '27205-bldg-1': '27205',
    };
    for (const [id, ward] of Object.entries(expected)) {
      assert.equal(sunlight.summary(id)?.toJSON().ward_code, ward, id);
      assert.equal(sunlight.full(id)?.toJSON().ward_code, ward, id);
    }
    const rows = Object.entries(opened.manifest.files).flatMap(([name, { rows: count }]) =>
      name.startsWith('bulk/sunlight/') ? [[name.slice(14, 19), count]] : [],
    );
    const counts = { 13101: 1, 27100: 2, 27108: 1, 27125: 2, 27205: 1 };
    assert.deepEqual(Object.fromEntries(rows), counts);
  } finally {
    await opened.close();
  }
  assert.deepEqual((await verifyDataset(dataset)).differences, []);
});
