import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { computerOf } from '../../src/compute/computer.ts';
import { openNewest } from '../../src/dataset/open.ts';
import { built } from '../pipeline/run-build.ts';
import { startServer } from '../support/api-server.ts';
import { cityGml, rowsOfHouses, writeFiles } from '../support/small-city.ts';
import { tempFolder } from '../support/temp-folder.ts';

const KB = 1024;
const STOREYS = 20;

/** Houses without ID stand around and are not computed; six towers look over them. */
const city = rowsOfHouses(6000, { perRow: 70 }).map((house, i) =>
  i % 1000 === 400 ? { ...house, height: 70, storeys: STOREYS } : { ...house, id: null },
);
const floors = city.flatMap(({ id }) =>
  id === null ? [] : [1, STOREYS].map((floor) => `/api/v1/sunlight/building/${id}/floor/${floor}`),
);

/** The answers of a server whose only thread may keep a number of bytes of the city, and what its memory is after each. */
async function answersWith(t: TestContext, data: string, sceneMemory: number) {
  const computer = computerOf(1, 60_000, sceneMemory);
  t.after(() => computer.close());
  const { url } = await startServer(t, { computer, open: (unless) => openNewest(data, { unless }) });
  const answers: unknown[] = [];
  const bytes: number[] = [];
  for (const path of floors) {
    const answer = await fetch(url + path);
    assert.equal(answer.status, 200);
    answers.push(((await answer.json()) as { data: unknown }).data);
    bytes.push(computer.sceneBytes);
  }
  return { answers, bytes };
}

test('a thread keeps no more of the city than --scene-memory says, and answers are the same with less', async (t) => {
  const folder = tempFolder(t);
  await writeFiles(join(folder, 'city'), { 'houses.gml': cityGml(city) });
  const data = join(folder, 'data');
  await built({ out: data, citygml: [join(folder, 'city')] });
  const [much, little] = [await answersWith(t, data, 64 * KB * KB), await answersWith(t, data, 64 * KB)];
  assert.deepEqual(little.answers, much.answers);
  const [most, least] = [Math.max(...much.bytes), Math.max(...little.bytes)];
  assert.ok(least < most, `${least} bytes with a bound that is met, ${most} without`);
  // What the engine begins with, the bound, what one look from a tower adds to it and the spare of a growth.
  assert.ok(least <= 4.5 * KB * KB, `${least} bytes`);
});
