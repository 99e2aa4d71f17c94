import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  fifthOrderIndex,
  fifthOrderSquares,
  gridSquareBounds,
  gridSquareCentre,
  gridSquareNeighbours,
  gridSquareOf,
} from '../../src/geo/grid-square.ts';

test('codes as the standard builds them', () => {
  // Tokyo station: 5339-46-11, as in every published index map.
  assert.equal(gridSquareOf(35.6812, 139.7671), '53394611');
  const { south, west, north, east } = gridSquareBounds('53394611');
  const close = (a: number, b: number): boolean => Math.abs(a - b) < 1e-12;
  // 53/1.5° + 4·5′ + 1·30″ and 139° + 6·7′30″ + 1·45″.
  assert.ok(close(south, 53 / 1.5 + 20 / 60 + 30 / 3600) && close(west, 139 + 45 / 60 + 45 / 3600));
  assert.ok(close(north - south, 30 / 3600) && close(east - west, 45 / 3600));
});

test('a place lies in its square, and the centre leads back to the code', () => {
  const degrees = (min: number, max: number) => fc.double({ min, max, noNaN: true });
  fc.assert(
    fc.property(degrees(20, 46), degrees(122, 154), (lat, lon) => {
      const code = gridSquareOf(lat, lon);
      const { south, west, north, east } = gridSquareBounds(code);
      assert.ok(lat >= south - 1e-10 && lat < north && lon >= west - 1e-10 && lon < east);
      const centre = gridSquareCentre(code);
      assert.equal(gridSquareOf(centre.lat, centre.lon), code);
    }),
    { numRuns: 1000, seed: 43 },
  );
});

test('the south-west corner belongs to the square, though the degrees are not binary fractions', () => {
  for (let row = 0; row < 80; row++) {
    const lat = Number((35.33333333333 + row / 120).toFixed(11));
    assert.equal(gridSquareOf(lat, 139.0125), `5339${Math.floor(row / 10)}0${row % 10}1`);
  }
});

test('the sixteen fifth-order squares of a square lie in it in rows, and a place in one leads to it', () => {
  const code = '53394611';
  const [box, parts] = [gridSquareBounds(code), fifthOrderSquares(code)];
  assert.deepEqual(
    [parts[0], parts[3], parts[12], parts[15]],
    ['5339461111', '5339461122', '5339461133', '5339461144'],
  );
  for (const [i, part] of parts.entries()) {
    const { south, west, north, east } = gridSquareBounds(part);
    const near = (a: number, b: number): void => assert.ok(Math.abs(a - b) < 1e-12, `${part}: ${a} and ${b}`);
    near(south, box.south + (Math.floor(i / 4) * 7.5) / 3600);
    near(west, box.west + ((i % 4) * 11.25) / 3600);
    near(north - south, 7.5 / 3600);
    near(east - west, 11.25 / 3600);
    const { lat, lon } = gridSquareCentre(part);
    near(lat, (south + north) / 2);
    near(lon, (west + east) / 2);
    assert.equal(fifthOrderIndex(code)(lat, lon), i);
    assert.equal(fifthOrderIndex(code)(south, west), i, `the corner of ${part}`);
  }
  assert.equal(fifthOrderIndex(code)(box.north, box.west), -1);
  assert.equal(fifthOrderIndex(code)(box.south, box.west - 1e-6), -1);
  assert.throws(() => gridSquareBounds('5339461150'), RangeError);
  assert.throws(() => gridSquareBounds('533946111'), RangeError);
});

test('neighbours cross the borders of the larger squares', () => {
  assert.deepEqual(gridSquareNeighbours('53394611'), [
    '53394620',
    '53394621',
    '53394622',
    '53394610',
    '53394612',
    '53394600',
    '53394601',
    '53394602',
  ]);
  assert.deepEqual(gridSquareNeighbours('53390000'), [
    '53380719',
    '53390010',
    '53390011',
    '53380709',
    '53390001',
    '52387799',
    '52397090',
    '52397091',
  ]);
});

test('what is not a code is refused', () => {
  for (const code of ['5339461', '533946111', '53398611', 'abcdefgh', '']) {
    assert.throws(() => gridSquareBounds(code), /is not a third-order grid square: expected 8 digits/);
  }
  assert.throws(() => gridSquareOf(-1, 139), RangeError);
  assert.throws(() => gridSquareOf(Number.NaN, 139), RangeError);
});
