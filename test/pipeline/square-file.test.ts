import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  buildingAt,
  decodeSquare,
  encodeSquare,
  roofSurfacesAt,
  SquareBuilder,
  type SquareBuilding,
  shadingTop,
} from '../../src/city/square-file.ts';
import { ColumnFileError, contentDigest, decodeColumns, encodeColumns } from '../../src/formats/column-file.ts';
import { writeWhole } from '../../src/formats/files.ts';
import type { RoofSurface } from '../../src/plateau/building.ts';
import { modelAttributes } from '../support/attributes.ts';

const degrees = fc.double({ min: 20, max: 154, noNaN: true, noDefaultInfinity: true });
const ring = fc
  .array(degrees, { minLength: 6, maxLength: 20 })
  .map((all) => Float64Array.from(all.slice(0, all.length & ~1)));
const height = fc.double({ min: -100, max: 4000, noNaN: true });

const placed = fc.record(
  {
    buildingId: fc.option(fc.stringMatching(/^\d{5}-bldg-\d{1,9}$/)),
    townCode: fc.option(fc.stringMatching(/^\d{9}(\d{2})?$/)),
    lat: degrees,
    lon: degrees,
    baseM: height,
    topM: height,
    footprints: fc.array(
      fc.array(ring, { minLength: 1, maxLength: 3 }).map((rings) => ({ rings })),
      {
        minLength: 1,
        maxLength: 3,
      },
    ),
  },
  { noNullPrototype: true },
);
const building: fc.Arbitrary<SquareBuilding> = fc
  .tuple(placed, modelAttributes)
  .map(([place, attributes]) => ({ ...place, ...attributes }));

const squareOf = (buildings: readonly SquareBuilding[]) => {
  const builder = new SquareBuilder();
  for (const each of buildings) builder.add(each);
  return builder.finish();
};

describe('square files', () => {
  it('give back every building as it was put in', () => {
    fc.assert(
      fc.property(fc.array(building, { maxLength: 8 }), (buildings) => {
        const bytes = encodeSquare(squareOf(buildings), { square: '53394611' }, { byte: Float64Array.of(1.5) });
        const { square, meta, more } = decodeSquare<{ square: string }>(bytes, 'test');
        assert.equal(meta.square, '53394611');
        assert.deepEqual(more, { byte: Float64Array.of(1.5) });
        assert.equal(square.count, buildings.length);
        for (const [row, each] of buildings.entries()) assert.deepEqual(buildingAt(square, row), each);
      }),
    );
  });

  it('give back roofs to a tenth of a millimetre, and these again as they are; the highest point is that of the roof', () => {
    const near = fc.double({ min: -0.01, max: 0.01, noNaN: true });
    const point = fc.tuple(near, near, fc.double({ min: -50, max: 900, noNaN: true }));
    const surface = fc
      .array(fc.array(point, { minLength: 3, maxLength: 6 }), { minLength: 1, maxLength: 2 })
      .map((rings) => rings.map((ring) => Float64Array.from(ring.flatMap(([y, x, z]) => [35.7 + y, 139.7 + x, z]))))
      .map((rings) => ({ rings }));
    const [plain] = fc.sample(building, { numRuns: 1, seed: 3 });
    fc.assert(
      fc.property(fc.array(fc.array(surface, { maxLength: 4 }), { minLength: 1, maxLength: 4 }), (roofs) => {
        const buildings = roofs.map(
          (roofSurfaces): SquareBuilding => ({ ...plain!, lat: 35.7, lon: 139.7, roofSurfaces }),
        );
        const once = decodeSquare(encodeSquare(squareOf(buildings), {}), 'once').square;
        const kept = buildings.map((_, row) => roofSurfacesAt(once, row));
        const points = (all: readonly (readonly RoofSurface[])[]) =>
          all.flat().flatMap(({ rings }) => rings.flatMap((ring) => [...ring]));
        assert.deepEqual(
          kept.map((all) => all.map(({ rings }) => rings.map((ring) => ring.length))),
          roofs.map((all) => all.map(({ rings }) => rings.map((ring) => ring.length))),
        );
        points(kept).forEach((value, i) => {
          assert.ok(Math.abs(value - points(roofs)[i]!) <= (i % 3 === 2 ? 5.1e-5 : 5.1e-10));
        });
        const again = kept.map((roofSurfaces): SquareBuilding => ({ ...plain!, lat: 35.7, lon: 139.7, roofSurfaces }));
        assert.deepEqual(squareOf(again).roofPoints, once.roofPoints);
        for (const [row, all] of kept.entries()) {
          const heights = points([all]).filter((_, i) => i % 3 === 2);
          assert.equal(shadingTop(once, row), heights.length === 0 ? plain!.topM : Math.max(...heights));
        }
      }),
      { numRuns: 50, seed: 92 },
    );
  });

  it('are the same bytes for the same buildings, and others for others', () => {
    fc.assert(
      fc.property(fc.array(building, { minLength: 1, maxLength: 4 }), (buildings) => {
        const bytes = encodeSquare(squareOf(buildings), {});
        assert.deepEqual(encodeSquare(squareOf(buildings), {}), bytes);
        const taller = [{ ...buildings[0]!, topM: buildings[0]!.topM + 1 }, ...buildings.slice(1)];
        assert.notEqual(contentDigest(encodeSquare(squareOf(taller), {})), contentDigest(bytes));
      }),
    );
  });

  it('are refused when a single bit is wrong, when cut short, and as another kind', () => {
    const bytes = encodeSquare(squareOf(fc.sample(building, { numRuns: 3, seed: 7 })), {});
    fc.assert(
      fc.property(fc.nat(bytes.length * 8 - 1), (bit) => {
        const damaged = Uint8Array.from(bytes);
        damaged[bit >> 3]! ^= 1 << (bit & 7);
        assert.throws(() => decodeSquare(damaged, 'some.square'), {
          name: 'ColumnFileError',
          message: /^some\.square: /,
        });
      }),
    );
    assert.throws(() => decodeSquare(bytes.subarray(0, bytes.length - 8), 'cut'), ColumnFileError);
    assert.throws(() => decodeSquare(new Uint8Array(3), 'short'), ColumnFileError);
    const other = encodeColumns('something else', { meta: {}, columns: {} });
    assert.throws(() => decodeSquare(other, 'other'), /holds something else, expected grid-square/);
  });

  it('are not checked again where their bytes are known to be as they were written', () => {
    const bytes = encodeSquare(squareOf(fc.sample(building, { numRuns: 3, seed: 7 })), {});
    const known = decodeSquare(bytes, 'some.square');
    const otherDigest = Uint8Array.from(bytes);
    otherDigest[bytes.length - 1]! ^= 1;
    assert.deepEqual(decodeSquare(otherDigest, 'some.square', { isChecked: true }), known);
    assert.throws(() => decodeSquare(otherDigest, 'some.square'), ColumnFileError);
  });
});

describe('column files', () => {
  it('give back what they were given, packed or plain', () => {
    const file = {
      meta: { a: 1 },
      columns: { f: new Float64Array(1000).fill(0.5), b: Uint8Array.of(7), none: new Uint32Array() },
    };
    const plain = encodeColumns('test', file);
    const packed = encodeColumns('test', file, 'zstd');
    assert.ok(packed.length < plain.length / 10);
    assert.deepEqual(decodeColumns('test', plain, 'test'), file);
    assert.deepEqual(decodeColumns('test', packed, 'test'), file);
    const empty = { meta: {}, columns: {} };
    assert.deepEqual(decodeColumns('test', encodeColumns('test', empty, 'zstd'), 'test'), empty);
  });

  it('can be read from bytes that lie anywhere in memory', () => {
    const bytes = encodeColumns('test', { meta: { a: 1 }, columns: { f: Float64Array.of(1, 2), b: Uint8Array.of(7) } });
    const shifted = new Uint8Array(bytes.length + 3).subarray(3);
    shifted.set(bytes);
    assert.deepEqual(decodeColumns('test', shifted, 'test').columns.f, Float64Array.of(1, 2));
  });

  it('are written whole or not at all', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hidamari-test-'));
    try {
      await writeWhole(join(folder, 'a'), 'all of it');
      assert.equal(await readFile(join(folder, 'a'), 'utf8'), 'all of it');
      await assert.rejects(writeWhole(join(folder, 'missing', 'b'), 'x'), { code: 'ENOENT' });
      assert.deepEqual(await readdir(folder), ['a']);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
