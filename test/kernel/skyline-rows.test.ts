import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { computeBuilding, createKernel } from '../../src/sunlight/compute.ts';
import { binsOfPlanes, PLANE_BINS } from '../../src/sunlight/image-planes.ts';
import { buildSceneTree } from '../../src/sunlight/scene-tree.ts';
import { MAX_EYES, plainRows, type SkylineRows } from '../../src/sunlight/skyline-rows.ts';
import { simdRows } from '../../src/sunlight/skyline-rows-simd.ts';
import { assemble } from '../../src/sunlight/wasm-assembler.ts';
import { instantiate } from '../../src/sunlight/wasm-instance.ts';
import { skipWithout } from '../support/shared-data.ts';
import { CITY_DATA, readTokyo, sunOver } from './cities.ts';

const SEED = 20261120;
const BINS = binsOfPlanes(64);
const DAYS = 12;

/** Slopes of few different values, so that edges often meet the skyline exactly, and any others. */
const slope = fc.oneof(
  fc.constantFrom(0, 0.25, 0.5, 1, 2, Infinity),
  fc.float({ min: Math.fround(1e-3), max: 50, noNaN: true }),
);
const step = fc.oneof(fc.constantFrom(0, -0, 0.25, -0.25), fc.float({ min: -1, max: 1, noNaN: true }));
const range = fc
  .tuple(fc.nat(MAX_EYES - 1), fc.nat(BINS - 1), fc.nat(BINS - 1))
  .map(([eye, a, b]) => ({ row: eye * BINS, first: Math.min(a, b), last: Math.max(a, b) }));

type Step = (rows: SkylineRows) => unknown;

const raise = fc.record({ at: range, value: slope, step, wall: fc.nat(9) }).map(({ at, value, step, wall }): Step => {
  const [first, last] = [at.row + at.first, at.row + at.last];
  return (rows) => {
    const ties: number[] = [];
    for (let from = first; from <= last; from = ties.at(-1)! + 1) {
      const tie = rows.raise(first, from, last, value, step, wall);
      if (tie < 0) break;
      ties.push(tie);
      if (wall < rows.wall[tie]!) rows.wall[tie] = wall;
    }
    return ties;
  };
});
const anyBelow = fc.record({ at: range, steepest: slope }).map(
  ({ at, steepest }): Step =>
    (rows) =>
      rows.anyBelow(at.row + at.first, at.row + at.last, steepest),
);
const nextChange = fc.record({ at: range, level: fc.nat(DAYS) }).map(
  ({ at, level }): Step =>
    (rows) =>
      rows.nextChange(at.row, at.first, at.last, level),
);

/** Rows as at the start: one sun over all bins, no walls, nothing known of the blocks. */
function start(rows: SkylineRows, lowestSun: readonly number[]): SkylineRows {
  rows.slope.forEach((_, i) => {
    rows.slope[i] = lowestSun[i % lowestSun.length]!;
  });
  rows.wall.fill(-1);
  rows.lowest.fill(-Infinity);
  rows.stale.fill(1);
  for (let row = 0; row < DAYS + 2; row++) {
    const value = row === 0 ? -Infinity : row > DAYS ? Infinity : row / 4;
    rows.sun.fill(value, row * BINS, (row + 1) * BINS);
  }
  return rows;
}

const simd = simdRows(BINS);
const without = simd === null && 'no WebAssembly vectors on this processor';

describe('the rows of the skyline, plain and by vectors', () => {
  test(`give the same bits whatever is done to them (seed ${SEED})`, { skip: without }, () => {
    const plain = plainRows(BINS);
    fc.assert(
      fc.property(
        fc.array(slope, { minLength: 1, maxLength: 40 }),
        fc.array(fc.oneof({ weight: 3, arbitrary: raise }, anyBelow, nextChange), { maxLength: 60 }),
        (lowestSun, steps) => {
          start(plain, lowestSun);
          start(simd!, lowestSun);
          for (const act of steps) assert.deepEqual(act(simd!), act(plain));
          for (const array of ['slope', 'wall', 'lowest', 'stale'] as const)
            assert.deepEqual(simd![array], plain[array], array);
        },
      ),
      { seed: SEED, numRuns: 1500 },
    );
  });

  const missing = without || skipWithout(CITY_DATA[0]);
  test('give the same sunlight to buildings of Tokyo', { skip: missing }, async () => {
    const city = await readTokyo(['13101']);
    const sunOf = sunOver(city);
    const tree = buildSceneTree(city.scene);
    const bins = binsOfPlanes(PLANE_BINS);
    const kernels = [plainRows(bins), simdRows(bins)!].map((rows) => createKernel(city.scene, tree, PLANE_BINS, rows));
    for (let building = 0; building < city.squares.length; building += 60) {
      const [byLoops, byVectors] = kernels.map((kernel) =>
        computeBuilding(kernel, sunOf(building).curves, building, city.storeys[building]!),
      );
      assert.deepEqual(byVectors, byLoops);
    }
  });
});

describe('the assembler', () => {
  const add = (body: string) => ({ params: 'i32 a b', locals: '', result: 'i32' as const, body });

  test('makes functions that run', () => {
    const bytes = assemble({
      sum: add('local.get $a local.get $b i32.add ;; the sum'),
      constants: add('i32.const -123456789 i32.const 300 i32.add'),
    });
    const { functions, memory } = instantiate(bytes, 70_000)!;
    assert.equal(functions.sum!(40, 2), 42);
    assert.equal(functions.constants!(0, 0), -123456489);
    assert.equal(memory.byteLength, 2 * 65536);
  });

  test('names the word that it does not know', () => {
    assert.throws(() => assemble({ wrong: add('local.get $c') }), /nothing here is called "\$c"/);
    assert.throws(() => assemble({ wrong: add('i32.guess') }), /no instruction "i32\.guess"/);
  });

  test('gives no instance of what the engine does not take', () => {
    assert.equal(instantiate(assemble({ empty: add('') }), 1), null);
  });
});
