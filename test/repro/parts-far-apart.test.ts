import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { Part } from '../../src/pipeline/part.ts';
import { built } from '../pipeline/run-build.ts';
import { cityGml, rowsOfHouses, writeFiles } from '../support/small-city.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder({ after });

describe('a building ID that two parts serve which are too far apart to read the same files', () => {
  it('is named with both parts, and what to do is said, before anything is written', async () => {
    // 40 km north of the other, which is a first-order square further.
    const files = {
      '53394611_bldg_6697_op.gml': cityGml(rowsOfHouses(4, { first: 1 })),
      '54390611_bldg_6697_op.gml': cityGml(rowsOfHouses(4, { first: 3, north: 55_400 })),
    };
    await writeFiles(join(folder, 'city'), files);
    const partOf = (code: string) =>
      built({ out: join(folder, code), citygml: [join(folder, 'city')], part: new Part([code]) });
    const [south, north] = [await partOf('5339'), await partOf('5439')].map(({ dataset }) => dataset);
    const parts = [north!, south!];
    await assert.rejects(built({ out: join(folder, 'joined'), citygml: [], parts }), ({ message }: Error) => {
      assert.match(message, /^building 13101-bldg-3 is served by both /);
      assert.ok(message.includes(`${south} (grid square 53394611)`), message);
      assert.match(message, /5439\S* \(grid square 5439\d{4}\)/);
      assert.match(message, /correct the ID .* or build both grid squares in one part, --part …,\d{8},\d{8},/);
      return true;
    });
    const together = new Part(['5339', '5439']);
    const one = await built({ out: join(folder, 'one'), citygml: [join(folder, 'city')], part: together });
    assert.equal(one.report.sunlight!.buildings.served, 6);
  });
});
