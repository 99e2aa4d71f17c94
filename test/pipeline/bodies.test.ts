import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openDataset } from '../../src/dataset/open.ts';
import { cityGml, type House, rowsOfHouses, writeFiles } from '../support/small-city.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { built } from './run-build.ts';

const HOUSE: House = { id: '13101-bldg-50', east: 300, north: 300, width: 10, depth: 10, height: 8 };

/** A file of one house, which is the body of that number. */
const body = (house: Partial<House>, branch: number): string =>
  cityGml([{ ...HOUSE, ...house }]).replace('</uro:buildingID>', `$&<uro:branchID>${branch}</uro:branchID>`);

describe('features that share a building ID and differ in branchID', () => {
  it('are bodies of one building: all stand, from the lowest base to the highest top', async (t) => {
    const folder = tempFolder(t);
    await writeFiles(join(folder, 'city'), {
      'rows.gml': cityGml(rowsOfHouses(4)),
      'low.gml': body({ base: 1, storeys: 2 }, 1),
      // In the square to the east: another file, another part.
      'high.gml': body({ east: 330, width: 6, height: 20, base: 3, storeys: 6 }, 2),
      'far.gml': body({ east: 1200, height: 12 }, 3),
    });
    const { dataset, report } = await built({ out: join(folder, 'data'), citygml: [join(folder, 'city')] });
    const { buildings, findings } = report.sunlight ?? assert.fail('no sunlight half');
    assert.deepEqual(
      [buildings.read, buildings.merged, buildings.shading, buildings.served],
      [7, 2, 5, 5],
      'read − merged − left out = shading',
    );
    assert.equal(findings.joined_body?.count, 2);
    assert.equal(findings.duplicate_id, undefined);
    const opened = await openDataset(dataset);
    try {
      const { sunlight } = opened;
      assert.ok(sunlight !== null);
      const full = sunlight.full(HOUSE.id ?? '')?.toJSON() ?? assert.fail('the building is not served');
      assert.equal(full.storeys, 6);
      // Receptors on the walls of all three: south walls of 10, 6 and 10 m.
      const south = full.faces.find(({ face }) => face === 'S') ?? assert.fail('no south face');
      assert.ok(Math.abs(south.wall_length_m - 26) < 0.2, String(south.wall_length_m));
      assert.ok(
        Math.abs((south.floors.top?.height_m ?? 0) - (23 * 5.5) / 6) < 1,
        'the top floor is that of the highest',
      );
    } finally {
      await opened.close();
    }
  });

  it('are duplicates where they state the same body, or none', async (t) => {
    const folder = tempFolder(t);
    await writeFiles(join(folder, 'city'), {
      'rows.gml': cityGml(rowsOfHouses(4)),
      'one.gml': body({}, 1),
      'again.gml': body({ height: 9 }, 1),
      'none.gml': cityGml([HOUSE]),
    });
    const { report } = await built({ out: join(folder, 'data'), citygml: [join(folder, 'city')] });
    assert.equal(report.sunlight?.findings.duplicate_id?.count, 2);
    assert.equal(report.sunlight?.findings.joined_body, undefined);
  });
});
