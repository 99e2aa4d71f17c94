import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kernelOf } from '../../src/sunlight/compute.ts';
import { placeReceptors } from '../../src/sunlight/receptors.ts';
import { HORIZON_STEPS, horizonOf, verticalSkyComponent } from '../../src/sunlight/sky-view.ts';
import { box, sceneOf, type TestBuilding } from '../support/scenes.ts';

/** Height of the eye, metres. */
const EYE = 10;
/** Half of the house at the origin, and how far before its wall a receptor stands, metres. */
const HALF = 2;
const OFFSET = 0.05;
/** East, south, west, north, and a direction between: degrees by which a scene made for the south is turned. */
const TURNS = [0, 37, 90, 180, 215, 270];

/**
 * The vertical sky component added up from small pieces of a CIE overcast sky (as bright as 1 + 2 sin γ at an altitude γ), of
 * which `isHidden` takes those it hides; `side` is the angle from the wall's normal. Radians; percent.
 */
function addedUp(isHidden: (side: number, altitude: number) => boolean): number {
  const step = Math.PI / 1440;
  let [wall, ground] = [0, 0];
  for (let altitude = step / 2; altitude < Math.PI / 2; altitude += step) {
    const light = (1 + 2 * Math.sin(altitude)) * Math.cos(altitude) * step * step;
    for (let side = -Math.PI + step / 2; side < Math.PI; side += step) {
      ground += light * Math.sin(altitude);
      if (Math.abs(side) < Math.PI / 2 && !isHidden(side, altitude))
        wall += light * Math.cos(altitude) * Math.cos(side);
    }
  }
  return (100 * wall) / ground;
}

/** A building turned clockwise about the origin. */
const turned = ({ rings, base, top }: TestBuilding, degrees: number): TestBuilding => {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  return { rings: rings.map((ring) => ring.map(([x, y]) => [x * cos + y * sin, y * cos - x * sin])), base, top };
};

/** What is seen from the middle of the wall that looked south before all was turned clockwise by so many degrees. */
function seenFrom(others: readonly TestBuilding[], degrees: number) {
  const house = box(-HALF, -HALF, 2 * HALF, 2 * HALF, 30);
  const kernel = kernelOf(sceneOf([house, ...others].map((building) => turned(building, degrees))));
  placeReceptors(kernel.scene, 0, kernel.receptors, kernel.plane);
  const { normalX, normalY, count, convergenceDeg } = kernel.receptors;
  const wanted = ((180 + degrees - convergenceDeg) * Math.PI) / 180;
  const columns = Array.from({ length: count }, (_, column) => column);
  const column = columns.find((i) => normalX[i]! * Math.sin(wanted) + normalY[i]! * Math.cos(wanted) > 0.999)!;
  return horizonOf(kernel, 0, column, EYE);
}

for (const degrees of TURNS) {
  test(`a wall with nothing before it sees 39.6 % of the sky; turned by ${degrees}°`, () => {
    const horizon = seenFrom([], degrees);
    assert.ok(horizon.slope.every((slope) => slope === 0));
    const sky = verticalSkyComponent(horizon);
    assert.ok(Math.abs(sky - 39.6) < 0.05, `${sky} %`);
    assert.ok(Math.abs(sky - addedUp(() => false)) < 0.02);
  });

  test(`a wall of no end takes what it hides; turned by ${degrees}°`, () => {
    // 20 m before the receptor and 15 m over it; 4 km to either side hide all but a hair.
    const wall = box(-4000, -HALF - OFFSET - 20 - 5, 8000, 5, EYE + 15);
    const horizon = seenFrom([wall], degrees);
    const sky = verticalSkyComponent(horizon);
    const expected = addedUp((side, altitude) => Math.tan(altitude) < (15 / 20) * Math.cos(side));
    assert.ok(Math.abs(sky - expected) < 0.05, `${sky} % for ${expected} %`);
    for (let direction = 40; direction < HORIZON_STEPS - 40; direction++) {
      const side = ((direction + 0.5) * Math.PI) / HORIZON_STEPS - Math.PI / 2;
      assert.ok(Math.abs(horizon.slope[direction]! - (15 / 20) * Math.cos(side)) < 0.01, `direction ${direction}`);
      assert.equal(horizon.building[direction], 1);
    }
  });

  test(`an inner corner takes what lies behind its wing; turned by ${degrees}°`, () => {
    // A wing 6 m to the left of the wall (seen from inside: the east), along 8 m before the receptor and 12 m over it.
    const wing = box(6, -HALF - OFFSET - 8, 3, 30, EYE + 12);
    const sky = verticalSkyComponent(seenFrom([wing], degrees));
    const expected = addedUp((side, altitude) => {
      // From the normal to the left: the wing's west wall begins at the end of its 8 m.
      const [left, ahead] = [-Math.sin(side), Math.cos(side)];
      if (left <= 0 || (6 * ahead) / left > 8) {
        // Its end, which looks the same way as the wall, hides nothing more than its west wall does.
        return false;
      }
      return Math.tan(altitude) < (12 * left) / 6;
    });
    assert.ok(Math.abs(sky - expected) < 0.1, `${sky} % for ${expected} %`);
  });
}

test('a receptor inside another building sees nothing of the sky', () => {
  const horizon = seenFrom([box(-5, -8, 10, 10, 40)], 0);
  assert.ok(horizon.building.every((building) => building === 1));
  assert.ok(verticalSkyComponent(horizon) < 1e-9);
});
