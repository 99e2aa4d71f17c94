import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  buildingOf,
  buildingOfPlaced,
  placeSquare,
  squareFrame,
  squareKernel,
  squareScene,
} from '../../src/city/scene-store.ts';
import { SquareOnDemand } from '../../src/city/scenes-on-demand.ts';
import { SquareBuilder } from '../../src/city/square-file.ts';
import { treeEntry, treeFromFile } from '../../src/city/tree-file.ts';
import { gridSquareBounds, gridSquareCentre } from '../../src/geo/grid-square.ts';
import { convergenceDeg, planeOf } from '../../src/geo/plane.ts';
import { sunTable } from '../../src/solar/day-path.ts';
import { computeBuilding, kernelOf } from '../../src/sunlight/compute.ts';
import { Engine } from '../../src/sunlight/engine.ts';
import { SceneBuilder } from '../../src/sunlight/scene.ts';
import { sunCurves } from '../../src/sunlight/sun-curves.ts';
import { buildTree, treeInMemory } from '../../src/sunlight/tree.ts';
import { ONLY_LOD1 } from '../support/attributes.ts';
import { pageOf } from '../support/scenes.ts';
import { tempFolder } from '../support/temp-folder.ts';

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

/** Every third building has no ID. */
const idOf = (code: string, i: number): string | null => (i % 3 === 2 ? null : `13101-bldg-${code.slice(-1)}${i}`);

function squareOf(code: string, boxes: readonly Box[]) {
  const builder = new SquareBuilder();
  for (const [i, each] of boxes.entries()) {
    const prisms = footprints(code, each);
    const [lat, lon] = prisms[0]!.rings[0]!;
    builder.add({
      ...ONLY_LOD1,
      buildingId: idOf(code, i),
      townCode: null,
      lat: lat!,
      lon: lon!,
      baseM: 0,
      topM: each.top,
      footprints: prisms,
    });
  }
  return builder.finish();
}

const boxes = fc.array(box, { minLength: 1, maxLength: 6 });

describe('the file of a tree', () => {
  const { scene } = placeSquare(HOME, squareOf(HOME, [{ at: [0.5, 0.5], top: 10, hole: true }]), 9);
  const tree = buildTree(scene);

  it('gives its pages back, its entry having gone through JSON', (t) => {
    const path = join(tempFolder(t), 'home.tree');
    writeFileSync(path, tree.bytes);
    const read = treeFromFile(path, JSON.parse(JSON.stringify(treeEntry(tree))));
    assert.deepEqual([...pageOf(read, 0)], [...tree.bytes]);
    assert.deepEqual([read.box, read.top, read.nodes], [tree.box, tree.top, tree.nodes]);
  });

  it('is refused where a page is not what was written, by its name and place', (t) => {
    const path = join(tempFolder(t), 'home.tree');
    const damaged = Uint8Array.from(tree.bytes);
    damaged[100]! ^= 1;
    writeFileSync(path, damaged);
    assert.throws(() => pageOf(treeFromFile(path, treeEntry(tree)), 0), /home\.tree: damaged: page 0, bytes 0 to \d+/);
    writeFileSync(path, tree.bytes.subarray(0, 80));
    assert.throws(() => pageOf(treeFromFile(path, treeEntry(tree)), 0), /damaged: page 0/);
  });
});

const ENGINE = new Engine();
const CENTRE = gridSquareCentre(HOME);
const CURVES = sunCurves(sunTable(HOME), convergenceDeg(planeOf(9), CENTRE.lat, CENTRE.lon));

describe('what a grid square sees', () => {
  it('is what one scene of the same buildings shows, by their IDs', () => {
    fc.assert(
      fc.property(boxes, boxes, fc.integer({ min: 0, max: 60 }), (home, east, above) => {
        const planes = [placeSquare(HOME, squareOf(HOME, home), 9), placeSquare(EAST, squareOf(EAST, east), 9)];
        const needs = [
          { square: HOME, above: 0, buildings: home.length },
          { square: EAST, above, buildings: east.filter(({ top }) => top > above).length },
        ];
        const trees = planes.map(({ scene }) => treeInMemory(buildTree(scene)));
        const at = (part: number, index: number) => buildingOfPlaced(planes[part]!, index);
        const seen = squareScene(HOME, 9, needs, trees, [], { at, idAt: (part, index) => at(part, index).id });
        const builder = new SceneBuilder(squareFrame(HOME, 9));
        for (const each of home) builder.add(footprints(HOME, each), 0, each.top);
        for (const each of east) if (each.top > above) builder.add(footprints(EAST, each), 0, each.top);
        const whole = builder.finish();
        const ids = [
          ...home.map((_, i) => idOf(HOME, i)),
          ...east.flatMap(({ top }, i) => (top > above ? [idOf(EAST, i)] : [])),
        ];
        const [kernel, plain] = [
          squareKernel(ENGINE, seen, planes[0]!.scene),
          kernelOf(whole, buildTree(whole), ENGINE),
        ];
        for (let building = 0; building < home.length; building++) {
          const found = computeBuilding(kernel, CURVES, building, 2);
          const expected = computeBuilding(plain, CURVES, building, 2);
          assert.deepEqual(found.faces, expected.faces);
          assert.deepEqual(
            found.sources.map((source) => buildingOf(seen, source.building).id),
            expected.sources.map((source) => ids[source.building]),
          );
        }
      }),
      { numRuns: 40, seed: 91 },
    );
  });

  it('has the same buildings whether each is put on the plane by itself or all together', () => {
    // The second has no height: it does not stand, and the third has its number.
    const tops = [10, 0, 30, 40];
    for (const stands of [(top: number) => top > 0, () => true]) {
      const boxes = tops
        .filter(stands)
        .map((top, i) => ({ at: [0.1 + i / 5, 0.5] as [number, number], top, hole: true }));
      const square = squareOf(HOME, boxes);
      const plane = placeSquare(HOME, square, 9);
      const asked = new SquareOnDemand(HOME, square, 9, plane.rows.length);
      for (const [index, row] of plane.rows.entries()) {
        const { scene, index: at, ...published } = asked.building(index);
        const whole = buildingOfPlaced(plane, index);
        assert.deepEqual(published, { id: whole.id, lat: whole.lat, lon: whole.lon, move: whole.move });
        assert.equal(scene.top[at], plane.scene.top[index]);
        const corners = ({ xy, ringVertices, prismRings, buildingPrisms }: typeof scene, building: number) => {
          const ring = (of: number) => ringVertices[prismRings[buildingPrisms[of]!]!]!;
          return xy.slice(2 * ring(building), 2 * ring(building) + 16);
        };
        assert.deepEqual([...corners(scene, at)], [...corners(plane.scene, index)]);
        const id = idOf(HOME, row);
        if (id !== null) assert.equal(asked.indexOf(id), index);
      }
      assert.equal(asked.indexOf('13101-bldg-999'), undefined);
    }
  });

  it('has planes with the origin of the square’s own frame, to the metre', () => {
    const plane = placeSquare(HOME, squareOf(HOME, [{ at: [0.5, 0.5], top: 10, hole: false }]), 9);
    const { originX, originY } = squareFrame(HOME, 9);
    assert.deepEqual([plane.scene.originX, plane.scene.originY], [originX, originY]);
    assert.ok(Number.isInteger(originX) && Number.isInteger(originY));
  });
});
