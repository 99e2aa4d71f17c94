import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { buildingOf, gatherScene, squareFrame, squarePlane } from '../../src/city/scene-store.ts';
import { SquareBuilder } from '../../src/city/square-file.ts';
import { gridSquareBounds } from '../../src/geo/grid-square.ts';
import { SceneBuilder } from '../../src/sunlight/scene-builder.ts';

const [HOME, EAST] = ['53394611', '53394612'] as const;

interface Box {
  at: [number, number];
  top: number;
  hole: boolean;
}

const box = fc.record<Box>({
  at: fc.tuple(fc.double({ min: 0.01, max: 0.9, noNaN: true }), fc.double({ min: 0.01, max: 0.9, noNaN: true })),
  top: fc.integer({ min: 1, max: 60 }),
  hole: fc.boolean(),
});

/** Footprints of a box in a square: 0.0003° wide, perhaps with a courtyard. */
function footprints(code: string, { at: [north, east], hole }: Box): { rings: Float64Array[] }[] {
  const { south, west } = gridSquareBounds(code);
  const [lat, lon] = [south + north / 120, west + east / 80];
  const ring = (inset: number): Float64Array => {
    const [s, w, n, e] = [lat + inset, lon + inset, lat + 0.0003 - inset, lon + 0.0003 - inset];
    return Float64Array.of(s, w, s, e, n, e, n, w);
  };
  return [{ rings: hole ? [ring(0), ring(0.0001)] : [ring(0)] }];
}

function squareOf(code: string, boxes: readonly Box[]) {
  const builder = new SquareBuilder();
  for (const [i, each] of boxes.entries()) {
    const prisms = footprints(code, each);
    const [lat, lon] = prisms[0]!.rings[0]!;
    builder.add({
      buildingId: i % 3 === 2 ? null : `13101-bldg-${code.slice(-1)}${i}`,
      townCode: null,
      usageCode: null,
      lat: lat!,
      lon: lon!,
      baseM: 0,
      topM: each.top,
      measuredHeightM: null,
      storeys: null,
      lod: 1,
      heightSource: 'solid',
      baseSource: 'solid',
      createdOn: null,
      footprints: prisms,
    });
  }
  return builder.finish();
}

const boxes = fc.array(box, { minLength: 1, maxLength: 6 });

describe('a gathered scene', () => {
  it('is what the scene builder makes of the same buildings', () => {
    fc.assert(
      fc.property(boxes, boxes, fc.integer({ min: 0, max: 60 }), (home, east, above) => {
        const frame = squareFrame(HOME, 9);
        const planes = [squarePlane(HOME, squareOf(HOME, home), 9), squarePlane(EAST, squareOf(EAST, east), 9)];
        const needs = [
          { square: HOME, above: 0, buildings: home.length },
          { square: EAST, above, buildings: east.filter(({ top }) => top > above).length },
        ];
        const gathered = gatherScene(frame, needs, planes);
        const builder = new SceneBuilder(frame);
        for (const each of home) builder.add(footprints(HOME, each), 0, each.top);
        for (const each of east) if (each.top > above) builder.add(footprints(EAST, each), 0, each.top);
        const { xy, ...rest } = builder.finish();
        const { xy: found, ...foundRest } = gathered.scene;
        assert.deepEqual(foundRest, rest);
        assert.equal(found.length, xy.length);
        for (const [i, value] of found.entries()) assert.ok(Math.abs(value - xy[i]!) < 1e-8, `${value} ${xy[i]}`);
        const ids = Array.from(gathered.part.keys(), (index) => buildingOf(gathered, index).id);
        const expected = (code: string, list: readonly Box[], least: number) =>
          list.flatMap(({ top }, i) => (top > least ? [i % 3 === 2 ? null : `13101-bldg-${code.slice(-1)}${i}`] : []));
        assert.deepEqual(ids, [...expected(HOME, home, 0), ...expected(EAST, east, above)]);
      }),
      { numRuns: 50 },
    );
  });

  it('holds the same numbers whatever else is around: planes lie at the zone’s origin', () => {
    const plane = squarePlane(HOME, squareOf(HOME, [{ at: [0.5, 0.5], top: 10, hole: false }]), 9);
    assert.deepEqual([plane.scene.originX, plane.scene.originY], [0, 0]);
    const { originX, originY } = squareFrame(HOME, 9);
    assert.ok(Number.isInteger(originX) && Number.isInteger(originY));
  });

  it('lies on shared memory', () => {
    const plane = squarePlane(HOME, squareOf(HOME, [{ at: [0.5, 0.5], top: 10, hole: false }]), 9);
    for (const array of [plane.scene.xy, plane.ids.bytes, plane.lat])
      assert.ok(array.buffer instanceof SharedArrayBuffer);
  });
});
