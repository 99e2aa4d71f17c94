import { convergenceDeg, planeOf, toPlane } from '../../src/geo/plane.ts';
import { zoneOf } from '../../src/geo/zones.ts';
import { frameAt, type Scene, SceneBuilder, type SceneFrame } from '../../src/sunlight/scene.ts';
import type { TreeSource } from '../../src/sunlight/tree.ts';

/** A building in metres east and **true** north of a place: published rings, the outer one first. */
export interface TestBuilding {
  rings: [number, number][][];
  base: number;
  top: number;
}

/** Near Tokyo station. */
export const TOKYO = { lat: 35.6812, lon: 139.7671 };

/** A box with walls along the compass, counter-clockwise from its south-west corner (x, y). */
export const box = (x: number, y: number, width: number, depth: number, top: number, base = 0): TestBuilding => ({
  rings: [
    [
      [x, y],
      [x + width, y],
      [x + width, y + depth],
      [x, y + depth],
    ],
  ],
  base,
  top,
});

/**
 * A scene of simple buildings around a place. The origin of their metres is the place itself, and their y axis
 * points to true north, so that "due south" in a test means due south. Throws if one does not stand as given.
 */
export function sceneOf(
  buildings: readonly TestBuilding[],
  place: { lat: number; lon: number } = TOKYO,
  zone = zoneOf(place.lat, place.lon),
): Scene {
  const frame = frameAt(place.lat, place.lon, zone);
  const builder = new SceneBuilder(frame);
  const toScene = fromTrueNorth(frame, place);
  for (const { rings, base, top } of buildings) {
    const added = builder.addProjected([rings.map((ring) => ring.flatMap(toScene))], base, top);
    if (added.building === null) throw new Error(`test building left out: ${JSON.stringify(added.repairs)}`);
  }
  return builder.finish();
}

/** Converts metres east and true north of a place to the scene's plane. */
function fromTrueNorth(frame: SceneFrame, { lat, lon }: { lat: number; lon: number }) {
  const plane = planeOf(frame.zone);
  const at: [number, number] = [0, 0];
  toPlane(plane, lat, lon, at);
  const angle = (convergenceDeg(plane, lat, lon) * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  // Grid north is `angle` clockwise of true north, so a true direction turns counter-clockwise into the grid.
  return ([x, y]: [number, number]): [number, number] => [
    at[0] - frame.originX + x * cos - y * sin,
    at[1] - frame.originY + x * sin + y * cos,
  ];
}

/** The bytes of a page of a tree. */
export function pageOf(tree: TreeSource, page: number): Uint8Array {
  const bytes = new Uint8Array((tree.pageStart[page + 1] ?? 0) - (tree.pageStart[page] ?? 0));
  tree.readPage(page, bytes);
  return bytes;
}
