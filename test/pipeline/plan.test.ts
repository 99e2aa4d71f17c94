import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { REACH_M, ShadingSquares } from '../../src/city/shading-squares.ts';
import { gapsAround, surroundingsAt } from '../../src/city/surroundings.ts';
import { distanceBound, fifthOrderSquares, gridSquareBounds, gridSquareOf } from '../../src/geo/grid-square.ts';
import { LocalPlane } from '../../src/geo/plane.ts';
import { inOrderOfWork, type PlannedSquare, planBuild } from '../../src/pipeline/plan.ts';

const LAT = 35.675;
const LON = 139.7625;

/** A square some squares east and north of Chiyoda with so many buildings of whole heights. */
function square(east: number, north: number, heights: number[], more: Partial<PlannedSquare> = {}): PlannedSquare {
  const code = gridSquareOf(LAT + (north + 0.5) / 120, LON + (east + 0.5) / 80);
  const sorted = [...heights].sort((a, b) => a - b);
  const lowest = sorted[0]! - 1;
  const rungs = sorted.at(-1)! - lowest;
  const above = (rung: number): number[] => sorted.filter((height) => height > lowest + rung);
  return {
    square: code,
    zone: 9,
    buildings: heights.length,
    served: heights.length,
    ...gridSquareBounds(code),
    lowestBase: 0,
    emptyParts: { unknown: 0, missing: 0 },
    digest: `${code} ${sorted}`,
    placeholders: [],
    ladder: {
      lowest,
      counts: Array.from({ length: rungs }, (_, rung) => above(rung).length),
      digests: Array.from({ length: rungs }, (_, rung) => String(above(rung))),
    },
    ...more,
  };
}

const needsOf = (plan: ReturnType<typeof planBuild>, code: string): string[] =>
  plan.units.find((unit) => unit.square === code)!.needs.map((need) => need.square);

describe('the plan of a build', () => {
  it('is plain data', () => {
    const plan = planBuild([square(0, 0, [10, 20]), square(1, 0, [10])], {});
    assert.deepEqual(JSON.parse(JSON.stringify(plan)), plan);
    assert.deepEqual(plan.totals, {
      squares: 2,
      buildings: 3,
      served: 3,
      work: plan.units[0]!.work + plan.units[1]!.work,
    });
  });

  it('knows what rises above 0.1 degrees', () => {
    const own = square(0, 0, [10]);
    // Four squares on, the gap is 3 × 1.13 km: 0.1° is 5.9 m there.
    const low = square(4, 0, [5]);
    const high = square(4, 0, [5, 7, 30]);
    assert.deepEqual(needsOf(planBuild([own, low], {}), own.square), [own.square]);
    const [, need] = planBuild([own, high], {}).units[0]!.needs;
    assert.deepEqual(need, { square: high.square, above: 5, buildings: 2 });
  });

  it('looks from the lowest served base', () => {
    const far = square(4, 0, [5]);
    const inValley = square(0, 0, [10], { lowestBase: -20 });
    assert.deepEqual(needsOf(planBuild([inValley, far], {}), inValley.square), [inValley.square, far.square]);
  });

  it('has no search radius up to 20 km, and ends there', () => {
    const own = square(0, 0, [10]);
    const tower = (east: number) => square(east, 0, [634]);
    assert.equal(planBuild([own, tower(17)], {}).units[0]!.needs.length, 2);
    assert.ok(distanceBound(own, tower(20)) > REACH_M);
    assert.equal(planBuild([own, tower(20)], {}).units[0]!.needs.length, 1);
  });

  it('leaves squares without a served building to shade', () => {
    const own = square(0, 0, [10]);
    const unserved = square(1, 0, [40], { served: 0, lowestBase: null });
    const plan = planBuild([own, unserved], {});
    assert.deepEqual(
      plan.units.map((unit) => unit.square),
      [own.square],
    );
    assert.deepEqual(needsOf(plan, own.square), [own.square, unserved.square]);
  });

  it('gives a unit another fingerprint when something changes that it can see, and only then', () => {
    const own = square(0, 0, [10]);
    const of = (far: PlannedSquare, settings: unknown = {}) => planBuild([own, far], settings).units[0]!.fingerprint;
    const before = of(square(4, 0, [5, 7, 30]));
    assert.equal(of(square(4, 0, [3, 4, 5, 7, 30])), before, 'a low house far away');
    assert.notEqual(of(square(4, 0, [5, 8, 30])), before, 'a house that can be seen');
    assert.notEqual(of(square(4, 0, [5, 7, 30]), { program: 'another' }), before, 'another program');
    assert.notEqual(planBuild([square(0, 0, [11]), square(4, 0, [5, 7, 30])], {}).units[0]!.fingerprint, before);
  });

  it('is the same in whatever order the squares come', () => {
    const squares = [square(0, 0, [10]), square(1, 0, [12, 50]), square(0, 1, [9]), square(5, 5, [200])];
    fc.assert(
      fc.property(fc.shuffledSubarray(squares, { minLength: 4 }), (shuffled) => {
        assert.deepEqual(planBuild(shuffled, {}), planBuild(squares, {}));
      }),
    );
  });

  it('misses nothing that stands higher than 0.1 degrees', () => {
    const heights = fc.array(fc.integer({ min: 2, max: 300 }), { minLength: 1, maxLength: 6 });
    const places = fc.tuple(fc.integer({ min: -14, max: 14 }), fc.integer({ min: -14, max: 14 }), heights);
    fc.assert(
      fc.property(places, fc.integer({ min: -50, max: 100 }), ([east, north, tops], lowest) => {
        const own = square(0, 0, [10]);
        const other = square(east, north, tops);
        if (other.square === own.square) return;
        const seen = new ShadingSquares([own, other]).seenFrom({ ...own, lowest });
        const need = seen.find(({ summary }) => summary.square === other.square)?.need;
        const distance = distanceBound(own, other);
        if (distance > REACH_M) assert.equal(need, undefined);
        else {
          const rising = tops.filter((top) => (Math.atan2(top - lowest, distance) * 180) / Math.PI > 0.1);
          for (const top of rising) assert.ok(need && need.above < top, `${top} m at ${distance} m`);
        }
      }),
    );
  });

  it('names the grid squares without buildings that are near enough for some place of a unit', () => {
    const block = [-2, -1, 0, 1, 2].flatMap((east) => [-2, -1, 0, 1, 2].map((north) => square(east, north, [10])));
    const [west, east] = [square(-2, 0, [10]).square, square(2, 0, [10]).square];
    const without = (...codes: string[]) =>
      planBuild(
        block.filter(({ square }) => !codes.includes(square)),
        {},
      );
    const gapsOf = (plan: ReturnType<typeof planBuild>) =>
      plan.units.find((unit) => unit.square === square(0, 0, [10]).square)!.gaps;
    assert.deepEqual(gapsOf(without()), []);
    // A square is 1.13 km wide and 0.92 km high: over a neighbour 1 km reaches north and south alone.
    assert.deepEqual(gapsOf(without(west, east)), []);
    const missing = [square(0, 2, [10]).square, square(1, -1, [10]).square].sort();
    assert.deepEqual(gapsOf(without(...missing)), missing);
  });

  it('names the parts of squares with buildings that hang together with a gap, and those of municipalities that are missing', () => {
    const code = (east: number, north: number): string => square(east, north, [10]).square;
    const [own, east, empty] = [code(0, 0), code(1, 0), code(2, 0)];
    /** A bit for each `#`, drawn from the north. */
    const bits = (...rows: string[]): number =>
      [...rows.toReversed().join('')].reduce((sum, drawn, i) => sum | (drawn === '#' ? 1 << i : 0), 0);
    const gapsOf = (unknown: number, missing: number) =>
      gapsAround(own, (of) => {
        if (of === empty) return null;
        return of === east ? { unknown, missing } : { unknown: 0, missing: 0 };
      });
    const parts = (...rows: string[]) => fifthOrderSquares(east).filter((_, i) => bits(...rows) & (1 << i));
    const lake = bits('....', '.##.', '....', '....');
    assert.deepEqual(gapsOf(lake, 0), [], 'a lake by itself');
    assert.deepEqual(gapsOf(bits('#...', '.##.', '...#', '....'), 0), parts('#...', '.##.', '...#', '....').sort());
    assert.deepEqual(gapsOf(lake, bits('....', '....', '...#', '#...')), parts('....', '.##.', '...#', '#...').sort());
    // Where the square itself is empty it is named whole.
    assert.deepEqual(
      gapsAround(own, (of) => (of === east ? null : { unknown: 0, missing: 0 })),
      [east],
    );
  });

  it('tells by the place of a building whether a gap begins within 1 km', () => {
    const gap = gridSquareBounds(square(0, 1, [10]).square);
    const { south, west } = gap;
    const metre = 1 / new LocalPlane(south, west).perLat;
    assert.equal(surroundingsAt(south - 999 * metre, west, [gap]), 'open');
    assert.equal(surroundingsAt(south - 1001 * metre, west, [gap]), 'complete');
    assert.equal(surroundingsAt(south + 1 / 240, west + 1 / 160, [gap]), 'open');
    assert.equal(surroundingsAt(south, west, []), 'complete');
  });

  it('has the most laborious unit first in order of work', () => {
    const plan = planBuild([square(0, 0, [10]), square(1, 0, [12, 50, 8]), square(0, 1, [9, 9])], {});
    assert.deepEqual(
      inOrderOfWork(plan.units).map((unit) => unit.served),
      [3, 2, 1],
    );
  });
});
