import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openDataset } from '../../src/dataset/open.ts';
import { verifyDataset } from '../../src/dataset/verify.ts';
import { FLOOR_CLASSES } from '../../src/sunlight/result.ts';
import { sunlitWindows } from '../../src/sunlight/windows.ts';
import { built } from '../pipeline/run-build.ts';
import { hidamari } from '../support/run.ts';
import { cityGml, rowsOfHouses, writeFiles } from '../support/small-city.ts';

let folder: string;
let dataset: string;

/** Two grid squares of houses, and between them a tower without ID. */
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hidamari-explain-'));
  await writeFiles(join(folder, 'city'), {
    'udx/bldg/53394610_bldg_6697_op.gml': cityGml(rowsOfHouses(12, { east: 900, north: 400, first: 1 })),
    'udx/bldg/53394611_bldg_6697_op.gml': cityGml([
      ...rowsOfHouses(12, { east: 1160, north: 400, first: 101 }),
      { id: null, east: 1140, north: 380, width: 15, depth: 15, height: 60 },
    ]),
  });
  dataset = (await built({ out: join(folder, 'data'), citygml: [join(folder, 'city')] })).dataset;
});
after(() => rm(folder, { recursive: true, force: true }));

const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

test('a building is found by the gml:id of its element, by explain and by search', async (t) => {
  const explained = JSON.parse(
    (await hidamari(['explain', '--dataset', join(folder, 'data'), 'b13101-bldg-5'])).stdout,
  );
  assert.equal(explained.building_id, '13101-bldg-5');
  const { search, close } = await openDataset(dataset);
  t.after(close);
  const found = ['b13101-bldg-5', 'b13101-bldg-101', 'b-12', 'b13101-bldg-999'].map(
    (id) => search?.find(id, null, 5).places,
  );
  assert.deepEqual(
    found.map((places) => places?.map(({ id }) => id)),
    [['13101-bldg-5'], ['13101-bldg-101'], [], []],
  );
  assert.equal((await verifyDataset(dataset)).checked.gml_ids, 24);
});

test('explains, receptor by receptor, the very windows that the dataset serves', async () => {
  const { sunlight, close } = await openDataset(dataset);
  try {
    for (const id of ['13101-bldg-5', '13101-bldg-101']) {
      const full = sunlight!.full(id)!.toJSON();
      const explained = JSON.parse((await hidamari(['explain', '--dataset', join(folder, 'data'), id])).stdout);
      assert.equal(explained.building_id, id);
      for (const face of full.faces) {
        for (const floor of FLOOR_CLASSES) {
          const receptors = explained.receptors.filter(
            (receptor: Receptor) => receptor.face === face.face && receptor.floor_class === floor,
          );
          assert.equal(receptors.length, face.receptors);
          face.floors[floor].months.forEach(({ sunlit_windows }, month) => {
            const lit: string[] = receptors.flatMap(({ windows }: Receptor) => windows[month]!.flat());
            const windows = sunlitWindows(lit.map(minuteOf), receptors.length);
            assert.deepEqual(windows, sunlit_windows.flat().map(minuteOf), `${id} ${face.face} ${floor} ${month + 1}`);
          });
        }
      }
    }
  } finally {
    await close();
  }
});

interface Receptor {
  face: string;
  floor_class: string;
  windows: [string, string][][];
}

test('says what is missing', async () => {
  const failures: [args: string[], code: number, line: RegExp][] = [
    [['--dataset', dataset, '13101-bldg-999'], 1, /13101-bldg-999: the dataset in .* has no such building/],
    [['--dataset', join(folder, 'nowhere'), '13101-bldg-1'], 1, /there is no such folder/],
    [['13101-bldg-1'], 2, /required option '--dataset <dir>' not specified/],
  ];
  for (const [args, code, line] of failures) {
    const ended = await hidamari(['explain', ...args]);
    assert.match(ended.stderr, line);
    assert.deepEqual([ended.code, ended.stdout], [code, '']);
  }
});
