import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { openDataset } from '../../src/dataset/open.ts';
import { cityGml, type House, writeFiles } from '../support/small-city.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { built } from './run-build.ts';

/** Sides of a third-order grid square at the test cities, metres. */
const [WIDTH, HEIGHT] = [1131.25, 924.58];
const SIDE = 5;

it('of a city without census areas, buildings near its edge and near a gap in it say that they may be shaded from there', async (t) => {
  const folder = tempFolder(t);
  const house = (id: string, east: number, north: number): House => ({
    ...{ id: `27125-bldg-${id}`, east, north, width: 8, depth: 8, height: 6 },
  });
  const squares = Array.from({ length: SIDE * SIDE }, (_, i) => [i % SIDE, Math.floor(i / SIDE)] as const);
  const middle = (column: number, row: number): House =>
    house(`${column}${row}`, (column + 0.5) * WIDTH, (row + 0.5) * HEIGHT);
  const south = (id: string, metres: number): House => house(id, 2.5 * WIDTH, HEIGHT + metres);
  const all = [
    ...squares.map(([column, row]) => middle(column, row)),
    south('900', 30), // 955 m from the southern edge of the city
    south('901', 130), // 1,055 m
    house('902', WIDTH + 30, 2.5 * HEIGHT), // 1,161 m from the western edge
  ];
  /** Numbers of the houses by what they say. */
  const surroundings = async (name: string, houses: House[]): Promise<{ open: string[]; complete: string[] }> => {
    await writeFiles(join(folder, name), { 'city.gml': cityGml(houses) });
    const { dataset } = await built({ out: join(folder, `${name}-data`), citygml: [join(folder, name)] });
    const opened = await openDataset(dataset);
    const found: { open: string[]; complete: string[] } = { open: [], complete: [] };
    for (const { id } of houses) {
      const { surroundings: said } = opened.sunlight?.summary(id ?? '')?.toJSON().quality ?? assert.fail(`no ${id}`);
      found[said as 'open' | 'complete'].push(String(id).slice(11));
    }
    await opened.close();
    return found;
  };
  const isInner = ([column, row]: readonly [number, number]): boolean =>
    column > 0 && column < SIDE - 1 && row > 0 && row < SIDE - 1;
  const inner = squares.filter(isInner).map(([column, row]) => `${column}${row}`);
  const edge = squares.filter((square) => !isInner(square)).map(([column, row]) => `${column}${row}`);
  const whole = await surroundings('whole', all);
  assert.deepEqual(whole, { open: [...edge, '900'], complete: [...inner, '901', '902'] });

  // The square in the middle is within 1 km of all that is left but 902, which is 1,101 m from it.
  const gap = await surroundings(
    'gap',
    all.filter(({ id }) => id !== '27125-bldg-22'),
  );
  assert.deepEqual(gap.complete, ['902']);
});
